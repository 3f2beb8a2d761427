// Pages of servers in a browser, in the host of the examples: each is shown under its policy, which
// blocks a request; its calls stand beside those of the person, and one of them is refused.
//
//   node app.mjs --browser CHROMIUM --node NODE --host apps-host.mjs --server clock-server.mjs
//     --example example-server.mjs --picture FILE

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer-core';

const text = { type: 'string' };
const { values } = parseArgs({ options: { browser: text, node: text, host: text, server: text, example: text, picture: text } });
/** Longest wait for anything, in milliseconds. */
const BOUND = 30_000;
const { resolve } = createRequire(import.meta.url);
const library = resolve('@modelcontextprotocol/ext-apps/app-with-deps');
/** An example of the library, as it is published: a server, and a page in one file. */
const published = dirname(resolve('@modelcontextprotocol/server-basic-vanillajs'));

function same(found, wanted, what) {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) throw new Error(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

/** A server that any page may send requests to, and how many came. */
async function open() {
  const reached = { times: 0 };
  const server = createServer((_, response) => {
    reached.times += 1;
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('secret');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(reached, { url: `http://127.0.0.1:${server.address().port}/secret`, close: () => server.close() });
}

/** The host of the examples, with a server: its process, and the address of its page. */
async function startHost(server) {
  const host = spawn(values.node, [values.host, '--', values.node, ...server], { stdio: ['pipe', 'pipe', 'inherit'] });
  const patience = setTimeout(() => host.kill(), BOUND);
  for await (const address of createInterface(host.stdout)) {
    clearTimeout(patience);
    host.stdout.resume();
    return { host, address };
  }
  throw new Error('the host does not start');
}

const words = (where, what) => where.$eval(what, (found) => found.textContent);
const lines = (page) => page.$$eval('#calls li', (all) => all.map((line) => line.textContent));

/** Calls the tool with a page as a person does; the frame in which the host shows the page. */
async function shown(page, address, title) {
  await page.goto(address);
  await (await page.waitForSelector(`#tools button::-p-text(${title})`)).click();
  const element = await page.waitForSelector('iframe');
  same(await element.evaluate((frame) => [frame.getAttribute('sandbox'), frame.allow]), ['allow-scripts', ''], 'the frame');
  return element.contentFrame();
}

/** A page that does what it may not. */
async function visitClock(page, address, target) {
  // The address answers whoever may ask.
  await page.goto(target.url);
  same(await page.evaluate(() => fetch(location.href).then((answer) => answer.text())), 'secret', 'a page without a policy');
  const before = target.times;
  const frame = await shown(page, address, 'time');
  const offered = await page.$$eval('#tools button', (all) => all.map((one) => one.textContent));
  same(offered, ['time', 'stop'], 'what a model may be told of');
  await frame.waitForSelector('#refused:not(:empty)');
  same(await words(frame, '#time'), '12:00', 'the result of the call');
  same(await words(frame, '#fetched'), 'TypeError', 'the forbidden request');
  same(await words(frame, '#blocked'), `connect-src ${target.url} enforce`, 'what was blocked');
  same(target.times, before, 'requests that arrived');
  await (await frame.waitForSelector('button')).click();
  await frame.waitForSelector('#time::-p-text(12:01)');
  same(await lines(page), ['person: time {} → 12:00', 'page: stop {} → the tool stop is not for pages', 'page: again {} → 12:01'], 'the calls');
}

/** The page of the example: it shows what the call said, and calls again for itself. */
async function visitExample(page, address, target) {
  const frame = await shown(page, address, 'Get Time');
  await frame.waitForFunction(() => !document.getElementById('server-time').textContent.startsWith('Loading'));
  const first = await words(frame, '#server-time');
  same(await lines(page), [`person: get-time {} → ${first}`], 'the call of the person');
  await (await frame.waitForSelector('#get-time-btn')).click();
  const line = await page.waitForSelector('#calls li:nth-child(2)');
  const [, again] = /^page: get-time \{\} → (.+)$/.exec(await line.evaluate((found) => found.textContent)) ?? [];
  await frame.waitForFunction((time) => document.getElementById('server-time').textContent === time, {}, again);
  const before = target.times;
  same(await frame.evaluate((url) => fetch(url).then(() => 'sent', ({ name }) => name), target.url), 'TypeError', 'a request that it may not send');
  same(target.times, before, 'requests that arrived');
  if (again === first) throw new Error(`the page shows ${first} after its own call, too`);
}

const VISITS = {
  'a page in a host: shown under its policy, a request blocked, a call refused': {
    server: (forbidden) => [values.server, library, forbidden],
    visit: visitClock,
    picture: values.picture,
  },
  'the page of an example of ext-apps, from a server on mcpbolt': {
    server: () => [values.example, join(published, 'mcp-app.html')],
    visit: visitExample,
  },
  // It has the official packages inside its files, so that ours cannot take their place: only the host is ours.
  'an example of ext-apps with its own server': {
    server: () => [join(published, 'index.js'), '--stdio'],
    visit: visitExample,
  },
};

const home = mkdtempSync(join(tmpdir(), 'mcpbolt-app-'));
const target = await open();
// A container has no right to make a sandbox for the browser.
const browser = await puppeteer.launch({ executablePath: values.browser, args: ['--no-sandbox'], userDataDir: join(home, 'browser') });
for (const [name, { server, visit, picture }] of Object.entries(VISITS)) {
  const page = await browser.newPage();
  page.setDefaultTimeout(BOUND);
  let host;
  try {
    const started = await startHost(server(target.url));
    host = started.host;
    await visit(page, started.address, target);
    console.log(`    ${name}`);
  } catch (error) {
    console.error(`    ${name}: ${error.message}`);
    console.error(await page.evaluate(() => document.body.innerText).catch(() => ''));
    process.exitCode = 1;
  } finally {
    if (picture !== undefined) await page.screenshot({ path: picture }).catch(() => undefined);
    await page.close();
    host?.kill();
    if (host) await once(host, 'exit');
  }
}
await browser.close();
target.close();
rmSync(home, { recursive: true, force: true });
