// A page of a server in a browser, in the host of the examples: it is shown under its policy, which
// blocks a request; its calls stand beside those of the person, and one of them is refused.
//
//   node app.mjs --browser CHROMIUM --node NODE --host apps-host.mjs --server clock-server.mjs --picture FILE

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer-core';

const text = { type: 'string' };
const { values } = parseArgs({ options: { browser: text, node: text, host: text, server: text, picture: text } });
/** Longest wait for anything, in milliseconds. */
const BOUND = 30_000;
const library = createRequire(import.meta.url).resolve('@modelcontextprotocol/ext-apps/app-with-deps');

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

/** The host of the examples, with the server: its process, and the address of its page. */
async function startHost(forbidden) {
  const server = [values.node, values.server, library, forbidden];
  const host = spawn(values.node, [values.host, '--', ...server], { stdio: ['pipe', 'pipe', 'inherit'] });
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

/** Uses the host's page as a person does. */
async function visit(page, address, target) {
  // The address answers whoever may ask.
  await page.goto(target.url);
  same(await page.evaluate(() => fetch(location.href).then((answer) => answer.text())), 'secret', 'a page without a policy');
  const before = target.times;
  await page.goto(address);
  const button = await page.waitForSelector('#tools button::-p-text(time)');
  const offered = await page.$$eval('#tools button', (all) => all.map((one) => one.textContent));
  same(offered, ['time', 'stop'], 'what a model may be told of');
  await button.click();
  const element = await page.waitForSelector('iframe');
  same(await element.evaluate((frame) => [frame.getAttribute('sandbox'), frame.allow]), ['allow-scripts', ''], 'the frame');
  const frame = await element.contentFrame();
  await frame.waitForSelector('#refused:not(:empty)');
  same(await words(frame, '#time'), '12:00', 'the result of the call');
  same(await words(frame, '#fetched'), 'TypeError', 'the forbidden request');
  same(await words(frame, '#blocked'), `connect-src ${target.url} enforce`, 'what was blocked');
  same(target.times, before, 'requests that arrived');
  await (await frame.waitForSelector('button')).click();
  await frame.waitForSelector('#time::-p-text(12:01)');
  same(await lines(page), ['person: time {} → 12:00', 'page: stop {} → the tool stop is not for pages', 'page: again {} → 12:01'], 'the calls');
}

const home = mkdtempSync(join(tmpdir(), 'mcpbolt-app-'));
const target = await open();
let host;
let browser;
let page;
try {
  const started = await startHost(target.url);
  host = started.host;
  // A container has no right to make a sandbox for the browser.
  browser = await puppeteer.launch({ executablePath: values.browser, args: ['--no-sandbox'], userDataDir: join(home, 'browser') });
  page = await browser.newPage();
  page.setDefaultTimeout(BOUND);
  await visit(page, started.address, target);
  console.log('    a page in a host: shown under its policy, a request blocked, a call refused');
} catch (error) {
  console.error(`    a page in a host: ${error.message}`);
  console.error(await page?.evaluate(() => document.body.innerText).catch(() => ''));
  process.exitCode = 1;
} finally {
  await page?.screenshot({ path: values.picture }).catch(() => undefined);
  await browser?.close();
  host?.kill();
  if (host) await once(host, 'exit');
  target.close();
  rmSync(home, { recursive: true, force: true });
}
