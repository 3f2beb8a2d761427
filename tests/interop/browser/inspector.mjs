// The MCP Inspector in a browser: connects to an HTTP server, lists its tools, calls one.
// The check is the text of the result in the page; a picture of it is kept.
//
//   node inspector.mjs --browser CHROMIUM --url URL --era legacy|modern --picture FILE

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer-core';

const text = { type: 'string' };
const { values } = parseArgs({ options: { browser: text, url: text, era: text, picture: text } });
/** Longest wait for anything, in milliseconds. */
const BOUND = 30_000;
/** How long a click may take to show before it is repeated. */
const PATIENCE = 2_000;
const LAUNCHER = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';

/** Below those that systems give to whoever asks for any: nobody is given it meanwhile. */
function freePort() {
  const port = randomInt(10_000, 32_000);
  return new Promise((resolve) => {
    const probe = createServer().on('error', () => resolve(freePort()));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(port)));
  });
}

/** The Inspector's own server: its process, and the address of its page. */
async function startInspector(home) {
  const port = String(await freePort());
  const program = join(dirname(fileURLToPath(import.meta.url)), LAUNCHER);
  const server = ['--transport', 'http', '--server-url', values.url, '--protocol-era', values.era];
  const inspector = spawn(process.execPath, [program, '--web', ...server], {
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CLIENT_PORT: port,
      MCP_SANDBOX_PORT: String(await freePort()),
      MCP_AUTO_OPEN_ENABLED: 'false',
      MCP_INSPECTOR_SECRET_STORE: 'memory',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const patience = setTimeout(() => inspector.kill(), BOUND);
  for await (const line of createInterface(inspector.stdout)) {
    const [address] = new RegExp(`http://127\\.0\\.0\\.1:${port}\\S*`).exec(line) ?? [];
    if (!address) continue;
    clearTimeout(patience);
    inspector.stdout.resume();
    return { inspector, address };
  }
  throw new Error('the Inspector does not start');
}

/** Clicks until the click shows: a page that is still being built forgets the first ones. */
async function click(page, what, effect) {
  const until = Date.now() + BOUND;
  for (;;) {
    // Some switches are hidden under their pictures.
    const element = await page.waitForSelector(what);
    await element.evaluate((found) => found.click());
    try {
      return await page.waitForSelector(effect, { timeout: PATIENCE });
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

/** Uses the page as a person does. */
async function visit(page, address) {
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  await click(page, '[role=switch][aria-label^="Connect"]:not(:checked)', 'label::-p-text(Tools)');
  await click(page, 'label::-p-text(Tools)', '::-p-text(test_simple_text)');
  await page.waitForSelector('::-p-text(test_image_content)');
  const field = await click(page, 'button::-p-text(greet)', '::-p-aria([name="name"][role="textbox"])');
  await field.type('Inspector');
  await click(page, 'button::-p-text(Execute Tool)', '::-p-text(Hello, Inspector!)');
}

const home = mkdtempSync(join(tmpdir(), 'mcpbolt-inspector-'));
let inspector;
let browser;
let page;
try {
  const started = await startInspector(home);
  inspector = started.inspector;
  // A container has no right to make a sandbox for the browser.
  browser = await puppeteer.launch({ executablePath: values.browser, args: ['--no-sandbox'], userDataDir: join(home, 'browser') });
  page = await browser.newPage();
  page.setDefaultTimeout(BOUND);
  await page.setViewport({ width: 1400, height: 1000 });
  await visit(page, started.address);
  console.log(`    the Inspector (${values.era}) called a tool and shows its result`);
} catch (error) {
  console.error(`    the Inspector (${values.era}): ${error.message}`);
  console.error(await page?.evaluate(() => document.body.innerText).catch(() => ''));
  process.exitCode = 1;
} finally {
  await page?.screenshot({ path: values.picture }).catch(() => undefined);
  await browser?.close();
  inspector?.kill();
  if (inspector) await once(inspector, 'exit');
  rmSync(home, { recursive: true, force: true });
}
