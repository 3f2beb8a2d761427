// The page of `mcpbolt inspect`, or of the server itself, in a browser, used as a person does: every feature, against the
// everything-server of a language or the shop. The browser reports what its content security policy
// blocked, and axe what is not accessible; there must be none of either.
//
//   node page.mjs --browser CHROMIUM --inspect MCPBOLT --visit everything|shop|token|lost --python PYTHON --node NODE
//     --programs FOLDER --pictures FOLDER [--protocol-version REVISION] [--token TOKEN] [--own-page] -- SERVER…

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer-core';
import { BOUND, Visitor, holds } from './page-visitor.mjs';

const text = { type: 'string' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { browser: text, inspect: text, visit: text, pictures: text, python: text, node: text, programs: text, 'protocol-version': text, token: text, 'own-page': { type: 'boolean' } },
});

const WIDE = { width: 1440, height: 900, deviceScaleFactor: 1 };

/** `mcpbolt inspect` on the server: its process, and the address of its page. */
async function startInspect() {
  const version = values['protocol-version'] ? ['--protocol-version', values['protocol-version']] : [];
  const server = positionals[0]?.startsWith('http') ? positionals : ['--', ...positionals];
  const inspect = spawn(values.inspect, ['inspect', ...version, ...server], { stdio: ['ignore', 'pipe', 'inherit'] });
  const patience = setTimeout(() => inspect.kill(), BOUND);
  for await (const address of createInterface(inspect.stdout)) {
    clearTimeout(patience);
    inspect.stdout.resume();
    return { inspect, address };
  }
  throw new Error('mcpbolt inspect does not start');
}

/** The server with a page beside its endpoint: its process, and the address of that page. */
async function startServer() {
  const [program, ...words] = positionals;
  const inspect = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  const patience = setTimeout(() => inspect.kill(), BOUND);
  for await (const line of createInterface(inspect.stderr)) {
    const address = /http:\S+\/docs\/#token=\S+/.exec(line)?.[0];
    if (!address) continue;
    clearTimeout(patience);
    inspect.stderr.resume();
    return { inspect, address };
  }
  throw new Error('the server does not name its page');
}

/** What a server of any language has to show. */
async function everything(visitor) {
  const { page } = visitor;
  await visitor.choose('test_simple_text');
  await visitor.call('Call');
  await visitor.sees('This is a simple text response for testing.', '.call');
  await visitor.choose('greet');
  await visitor.press('Call', '.detail');
  await visitor.sees('ame is required', '.detail');
  await visitor.type('name', 'Ada', '.detail');
  await visitor.call('Call');
  await visitor.sees('Hello, Ada!', '.call');
  await visitor.choose('test_image_content');
  await visitor.call('Call');
  await page.waitForFunction(() => document.querySelector('.call img')?.naturalWidth > 0);
  await visitor.choose('test_audio_content');
  await visitor.call('Call');
  await visitor.find('.call audio');
  await visitor.choose('test_error_handling');
  await visitor.call('Call', 'Failed');
  await visitor.choose('test_tool_with_progress');
  await visitor.call('Call');
  await visitor.sees('100 of 100', '.call .progress');
  await visitor.audit('a call');
  await visitor.dock('log');
  await page.select('.dock select', 'info');
  await visitor.choose('test_tool_with_logging');
  await visitor.call('Call');
  await visitor.sees('Tool execution completed', '.dock');
  await visitor.choose('test_trigger_tool_change');
  await visitor.call('Call');
  await visitor.sees('the list of tools changed', '.dock');
  await visitor.audit('the log');
  await (values['protocol-version'] ? questions(visitor) : rounds(visitor));
  await resources(visitor);
  await prompts(visitor);
  await beside(visitor);
}

/** Questions as requests of the server, in revisions with a handshake. */
async function questions(visitor) {
  await visitor.choose('test_elicitation');
  await visitor.type('message', 'Who are you?', '.detail');
  await visitor.press('Call', '.detail');
  await visitor.sees('Who are you?', 'dialog');
  await visitor.audit('a question');
  const fields = await visitor.page.$$('dialog .field input:not([type=checkbox])');
  for (const field of fields) await field.type('ada@example.com');
  await visitor.press('Send', 'dialog');
  await visitor.sees('accept', '.call');
  await visitor.press('Call', '.detail');
  await visitor.sees('Who are you?', 'dialog');
  await visitor.page.keyboard.press('Escape');
  await visitor.sees('cancel', '.call');
  await visitor.choose('test_sampling');
  await visitor.type('prompt', 'Say a number', '.detail');
  await visitor.press('Call', '.detail');
  await visitor.sees('Say a number', 'dialog');
  await visitor.type('Answer', 'seven', 'dialog');
  await visitor.press('Answer', 'dialog');
  await visitor.sees('seven', '.call');
}

/** Questions in results, in revisions without one. */
async function rounds(visitor) {
  await visitor.choose('test_input_required_result_elicitation');
  await visitor.press('Call', '.detail');
  await (await visitor.find('dialog .field input')).type('Ada');
  await visitor.press('Send', 'dialog');
  await visitor.sees('Ada', '.call');
  await visitor.choose('test_input_required_result_multi_round');
  await visitor.press('Call', '.detail');
  for (const words of ['Ada', 'green']) {
    const field = await visitor.find('dialog .field input');
    await field.type(words);
    const gone = visitor.page.waitForFunction((input) => !input.isConnected, {}, field);
    await visitor.press('Send', 'dialog');
    await gone;
  }
  await visitor.sees('Done', '.call .verdict');
  await visitor.choose('test_input_required_result_list_roots');
  await visitor.call('Call');
}

async function resources(visitor) {
  await visitor.section('resources');
  await visitor.click('::-p-xpath(//button[contains(@class,"item")][contains(.,"test://static-text") or contains(.,"tatic")][1])');
  await visitor.press('Read', '.detail');
  await visitor.sees('This is the content', '.call');
  const template = await visitor.page.$('::-p-xpath(//h2[.="Templates"]/following-sibling::button[1])');
  await template.evaluate((found) => found.click());
  const field = await visitor.find('.detail .field input');
  await field.type('7');
  await visitor.call('Read');
  await visitor.sees('7', '.call');
  await visitor.audit('a resource');
}

async function prompts(visitor) {
  await visitor.section('prompts');
  await visitor.choose('test_prompt_with_arguments');
  await visitor.type('arg1', 'one', '.detail');
  await visitor.type('arg2', 'two', '.detail');
  await visitor.call('Get');
  await visitor.sees("arg1='one', arg2='two'", '.call');
  await visitor.audit('a prompt');
}

/** The wire, the history, the server itself, roots, keys. */
async function beside(visitor) {
  const { page } = visitor;
  await visitor.dock('wire');
  for (const way of ['out', 'in']) holds(await page.$(`.wire-line .arrow.${way}`), `nothing went ${way}`);
  await page.$eval('.wire-line:last-child button', (line) => line.click());
  await visitor.sees('"jsonrpc": "2.0"', '.dock');
  await visitor.audit('the wire');
  await visitor.dock('history');
  const before = await page.$$eval('.history-line', (lines) => lines.length);
  await visitor.click('button[aria-label="Run greet again"]');
  await visitor.sees('Hello, Ada!', '.call');
  await page.waitForFunction((count) => document.querySelectorAll('.history-line').length > count, {}, before);
  await visitor.audit('the history');
  await visitor.section('server');
  await visitor.press('Ping');
  await visitor.sees('Answered in', '.server');
  await (await visitor.find('[aria-label="Root to add"]')).type('/tea');
  await visitor.press('Add');
  await visitor.sees('file:///tea', '.roots');
  await visitor.audit('the server');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('t');
  await page.keyboard.press('/');
  await page.keyboard.type('greet');
  holds((await page.$$('.item')).length === 1, 'the filter leaves one tool');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await visitor.sees('greet', '.detail h1');
}

/** Forms of every kind, a page to visit, a call that is cancelled, a list that grows, programs, pictures. */
async function shop(visitor) {
  const { page } = visitor;
  await visitor.colours('light');
  await visitor.choose('order');
  await visitor.press('Call', '.detail');
  await visitor.sees('Tea is required', '.detail');
  await visitor.pick('Tea', 'green');
  await visitor.type('name', 'Ada Lovelace', '.detail');
  await visitor.pick('delivery is', 'Post');
  await visitor.type('address', '1 Tea Street', '.detail');
  await visitor.press('Add to notes', '.detail');
  await visitor.type('1', 'Ring twice', '.detail');
  await visitor.type('grams', '7', '.detail');
  await visitor.press('Call', '.detail');
  await visitor.sees('must be at least 50', '.detail');
  await visitor.type('grams', '250', '.detail');
  await visitor.audit('a form');
  await visitor.call('Call');
  await visitor.sees('250 g of green tea for Ada Lovelace, to 1 Tea Street, 1 notes, gift False', '.call');
  await visitor.press('JSON', '.detail form');
  await visitor.find('.detail form textarea.code');
  await visitor.audit('arguments as JSON');
  await visitor.press('JSON', '.detail form');
  await programs(visitor);
  await pictures(visitor);
  await visitor.choose('pay');
  await visitor.press('Call', '.detail');
  await visitor.sees('http://127.0.0.1:9', 'dialog');
  await visitor.audit('a page to visit');
  await visitor.press('Decline', 'dialog');
  await visitor.sees('The person said decline.', '.call');
  await visitor.choose('brew');
  await visitor.press('Call', '.detail');
  await visitor.sees('brewing', '.call .progress');
  await visitor.press('Cancel', '.call');
  await visitor.sees('Cancelled', '.call .verdict');
  await visitor.dock('wire');
  await visitor.choose('restock');
  await visitor.call('Call');
  await visitor.choose('taste');
  await visitor.section('prompts');
  await visitor.choose('recommend');
  await (await visitor.find('.detail input[list]')).type('m');
  const isAnswer = (line) => /completion.complete[^]*answer/.test(line.textContent);
  await page.waitForFunction(`[...document.querySelectorAll('.wire-line')].filter(${isAnswer}).length === 2`);
  await page.waitForFunction(() => document.querySelectorAll('.detail datalist option').length === 2);
}

/** The programs that the page makes, run. */
async function programs(visitor) {
  const { page } = visitor;
  await visitor.click('::-p-xpath(//summary[.="Code"])');
  const code = async (language) => {
    await visitor.click(`::-p-xpath(//details//button[@role="tab"][.="${language}"])`);
    return page.$eval('details [role=tabpanel] pre', (found) => found.textContent);
  };
  for (const language of ['Rust', 'Kotlin', 'Swift']) holds((await code(language)).includes('Ada Lovelace'), `${language} has no arguments`);
  const folder = mkdtempSync(join(values.programs, 'page-programs-'));
  try {
    const runs = [['Python', 'client.py', values.python], ['TypeScript', 'client.mjs', values.node]];
    for (const [language, name, program] of runs) {
      const path = join(folder, name);
      writeFileSync(path, await code(language));
      const said = execFileSync(program, [path], { timeout: BOUND }).toString();
      holds(said.includes('250 g of green tea for Ada Lovelace'), `the program in ${language} says ${said}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await visitor.audit('code');
  await visitor.click('::-p-xpath(//summary[.="Code"])');
}

/** Pictures for the documentation, and that nothing is wrong with dark colours and narrow pages. */
async function pictures(visitor) {
  const { page } = visitor;
  await page.setViewport({ width: 1280, height: 800, deviceScaleFactor: 1 });
  await page.$eval('.wire-line:last-child button', (line) => line.click());
  for (const theme of ['light', 'dark']) {
    await visitor.colours(theme);
    // The result, with some of the form above it.
    await page.$eval('.detail', (found) => found.scrollTo(0, document.querySelector('.call').offsetTop - 420));
    await visitor.picture(`page-${theme}`);
    await visitor.audit(`the page in ${theme} colours`);
  }
  await page.setViewport({ width: 390, height: 844, deviceScaleFactor: 1 });
  await visitor.audit('the narrow page');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  holds(overflow <= 0, `the narrow page is ${overflow} pixels too wide`);
  await visitor.picture('page-phone');
  await page.setViewport(WIDE);
  await visitor.colours('light');
}

/** A server that wants a token. */
async function token(visitor) {
  await visitor.sees('The server wants to know who you are');
  await visitor.audit('the question for a token');
  await visitor.type('Access token', values.token);
  await visitor.press('Connect');
  await visitor.find('.item');
}

/** Without the key of the run nothing is shown. */
async function lost(visitor) {
  await visitor.page.goto('about:blank');
  const other = await visitor.page.browser().createBrowserContext();
  const page = await other.newPage();
  page.setDefaultTimeout(BOUND);
  await page.goto(visitor.address.split('#')[0]);
  const stranger = new Visitor(page);
  await stranger.sees('This page needs its key');
  await stranger.audit('the page without its key');
}

const VISITS = { everything, shop, token, lost };
const name = `${values.visit} ${values['protocol-version'] ?? ''}${values['own-page'] ? 'beside its server' : ''}`.trim();
const home = mkdtempSync(join(tmpdir(), 'mcpbolt-page-'));
let inspect;
let browser;
let page;
try {
  const started = await (values['own-page'] ? startServer() : startInspect());
  inspect = started.inspect;
  // A container has no right to make a sandbox for the browser.
  browser = await puppeteer.launch({ executablePath: values.browser, args: ['--no-sandbox', '--force-color-profile=srgb'], userDataDir: join(home, 'browser') });
  page = await browser.newPage();
  page.setDefaultTimeout(BOUND);
  await page.setViewport(WIDE);
  const wrong = [];
  await page.exposeFunction('wentWrong', (what) => wrong.push(what));
  await page.evaluateOnNewDocument(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      if (!window.auditing) window.wentWrong(`${effectiveDirective} blocked ${blockedURI}`);
    });
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  const elsewhere = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(started.address.split('#')[0]) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  await page.goto(started.address);
  if (values.visit !== 'token') await page.waitForSelector('.item');
  holds(!page.url().includes('token'), 'the key stays in the address');
  const visitor = new Visitor(page, values.pictures);
  visitor.address = started.address;
  await VISITS[values.visit](visitor);
  holds(wrong.length === 0, `the page did wrong: ${wrong.join('; ')}`);
  holds(elsewhere.filter((url) => url !== 'about:blank').length === 0, `requests elsewhere: ${elsewhere.join(' ')}`);
  console.log(`    the page, ${name}: every feature, no violation of its policy, nothing that axe finds`);
} catch (error) {
  console.error(`    the page, ${name}: ${error.stack}`);
  console.error(await page?.evaluate(() => document.body.innerText).catch(() => ''));
  await page?.screenshot({ path: join(tmpdir(), 'mcpbolt-page-failed.png') }).catch(() => undefined);
  process.exitCode = 1;
} finally {
  await browser?.close();
  inspect?.kill('SIGINT');
  if (inspect) await once(inspect, 'exit');
  rmSync(home, { recursive: true, force: true });
}
