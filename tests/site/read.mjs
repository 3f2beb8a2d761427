// The site in a browser: every page at the width of a phone, light, and of a desktop, dark; some in
// all four ways.
//
//   node read.mjs --browser CHROMIUM --site FOLDER --pictures FOLDER [--only REGEX]
//
// A page fails if it asks another host for anything, or for what is not there; if an error is on its
// console; if it is wider than its window; or if axe finds what keeps people out of it. Once, a reader
// chooses a language, goes on to another page, and searches.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import puppeteer from 'puppeteer-core';

const text = { type: 'string' };
const { values } = parseArgs({ options: { browser: text, site: text, pictures: text, only: text } });
/** Longest wait for anything, in milliseconds. */
const BOUND = 30_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const KINDS = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml' };
const WINDOWS = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };
/** Of these there are pictures, to be looked at. */
const SHOWN = { start: '', chapter: 'guide/tools/', recipe: 'cookbook/web-api/', table: 'migrate/frameworks/', chinese: 'zh/' };

/** The site as a web server has it, below the path that it is published at. */
async function serve() {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, 'http://site').pathname;
    const file = join(values.site, path.endsWith('/') ? `${path}index.html` : path);
    try {
      const body = await readFile(file);
      response.writeHead(200, { 'content-type': KINDS[extname(file)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { base: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** What went wrong on a page, while it was open. */
function watched(page, base) {
  const faults = [];
  page.on('pageerror', (error) => faults.push(`throws: ${error.message}`));
  page.on('console', (said) => said.type() === 'error' && faults.push(`console: ${said.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) faults.push(`asks ${request.url()}`);
  });
  page.on('response', (response) => response.status() >= 400 && faults.push(`${response.status()} for ${response.url()}`));
  return faults;
}

/**
 * What axe finds, and whether the page is wider than its window. The words of code, thousands on a
 * page of the reference and coloured alike on all, are looked at on the pages that are shown.
 */
async function looked(page, shown) {
  await page.evaluate(AXE);
  const context = shown ? {} : { exclude: [['pre > code']] };
  const { violations } = await page.evaluate((where) => axe.run(where.exclude ? where : document, { resultTypes: ['violations'] }), context);
  const found = violations.map(({ id, nodes }) => `axe: ${id}: ${nodes.map((node) => node.target.join(' ')).slice(0, 3).join(', ')}`);
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  return width > room ? [...found, `is ${width} wide in a window of ${room}`] : found;
}

/** All pages in one kind of window; how many faults there were. */
async function readAll(browser, base, pages, size, scheme) {
  const page = await browser.newPage();
  await page.setViewport(WINDOWS[size]);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
  const faults = watched(page, base);
  let failed = 0;
  for (const [at, path] of pages.entries()) {
    if (at % 25 === 0) console.log(`    ${size}, ${scheme}: ${at} of ${pages.length} pages`);
    await page.goto(base + path, { waitUntil: 'load', timeout: BOUND }).catch((error) => {
      throw new Error(`${size}, ${scheme}: /${path}: ${error.message}`, { cause: error });
    });
    const name = Object.keys(SHOWN).find((each) => SHOWN[each] === path);
    const found = [...faults.splice(0), ...(await looked(page, name !== undefined)), ...faults.splice(0)];
    for (const fault of found) console.log(`    ${size}, ${scheme}: /${path} ${fault}`);
    failed += found.length;
    if (name !== undefined) await page.screenshot({ path: join(values.pictures, `site-${name}-${size}-${scheme}.png`) });
  }
  await page.close();
  return failed;
}

/** A reader of TypeScript: the language is chosen once, and a search finds the page of a word. */
async function chooseAndSearch(browser, base) {
  const page = await browser.newPage();
  await page.setViewport(WINDOWS.desktop);
  page.setDefaultTimeout(BOUND);
  const chosen = () => page.$eval('.tabbed-set', (set) => {
    const at = [...set.querySelectorAll(':scope > input')].findIndex((input) => input.checked);
    return set.querySelectorAll(':scope > .tabbed-labels > label')[at].textContent.trim();
  });
  await page.goto(base, { timeout: BOUND });
  if ((await chosen()) !== 'Python') throw new Error('Python is not the first language');
  const labels = await page.$$('.tabbed-set > .tabbed-labels > label');
  await labels[1].click();
  await page.goto(`${base}guide/tools/`, { timeout: BOUND });
  await page.waitForFunction(() => document.querySelector('.tabbed-set > input:nth-of-type(2)')?.checked);
  if ((await chosen()) !== 'TypeScript') throw new Error(`the next page shows ${await chosen()}`);
  await page.click('.md-search__button');
  await (await page.waitForSelector('pierce/input[type=text]', { visible: true })).type('elicitation');
  await page.waitForSelector('pierce/a[href*="guide/elicitation/"] mark', { visible: true });
  await page.screenshot({ path: join(values.pictures, 'site-search.png') });
  await page.close();
}

const { base, close } = await serve();
const browser = await puppeteer.launch({ executablePath: values.browser, args: ['--no-sandbox'] });
try {
  const pages = globSync('**/index.html', { cwd: values.site }).map((file) => file.replace(/index\.html$/, '')).sort();
  if (pages.length < 50) throw new Error(`only ${pages.length} pages`);
  const wanted = pages.filter((path) => new RegExp(values.only ?? '').test(path));
  let failed = 0;
  for (const size of Object.keys(WINDOWS)) {
    for (const scheme of ['light', 'dark']) {
      const all = (size === 'phone') === (scheme === 'light');
      const some = wanted.filter((path) => all || Object.values(SHOWN).includes(path));
      failed += await readAll(browser, base, some, size, scheme);
    }
  }
  await chooseAndSearch(browser, base);
  if (failed > 0) throw new Error(`${failed} faults`);
  console.log(`    ok: ${wanted.length} pages, light and dark, in two widths`);
} finally {
  await browser.close();
  close();
}
