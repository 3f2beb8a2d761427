// The programs of the cookbook that serve people over HTTP: with tokens, with guard rails, with tasks.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'mcpbolt/client/index.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import * as v2 from 'mcpbolt/v2/client';
import { TasksClient } from 'mcpbolt/v2/client/ext/tasks';
import * as money from '../expenses.mjs';
import { desk, old, verify } from '../guard-rails.mjs';
import * as late from '../late-report.mjs';
import { LIMITED, text } from './support.mjs';

const SINCE = { since: '2026-05-01' };
const ada = { customer: 'Ada' };

const call = (client, name, given) => client.callTool({ name, arguments: given });

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'cookbook-'));
  after(() => rmSync(path, { recursive: true }));
  return path;
}

async function serving(server, options = {}) {
  const listener = await server.listen(options);
  after(() => listener.close());
  return listener;
}

async function reach(url, token) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  after(() => client.close());
  return client;
}

/** What HTTP says to a first message with a token. */
const knock = (url, token, method = 'initialize', params = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

test('expenses are those of the token, and a tool asks for its scopes', LIMITED, async () => {
  const path = folder();
  const { url } = await serving(money.expenses(path), { sessions: 'none', verify: money.verifier(path) });
  const tokens = [
    await money.issue(path, 'ann', ['expenses:read', 'expenses:write']),
    await money.issue(path, 'bob', ['expenses:read', 'expenses:all']),
  ];
  const [ann, bob] = [await reach(url, tokens[0]), await reach(url, tokens[1])];
  const lunch = { day: '2026-05-04', cents: 1250, what: 'Lunch' };
  assert.deepEqual((await call(ann, 'spend', lunch)).structuredContent, { noted: lunch });
  assert.equal((await call(ann, 'spend', { ...lunch, cents: 0 })).isError, true);
  assert.deepEqual((await call(ann, 'my_expenses', SINCE)).structuredContent, { expenses: [lunch] });
  assert.deepEqual((await call(bob, 'my_expenses', SINCE)).structuredContent, { expenses: [] });
  assert.deepEqual((await call(bob, 'totals', SINCE)).structuredContent, { totals: { ann: 1250 } });
  const refused = await knock(url, tokens[0], 'tools/call', { name: 'totals', arguments: SINCE });
  assert.equal(refused.status, 403);
  assert.match(refused.headers.get('www-authenticate'), /insufficient_scope.*expenses:all/);
  // Neither token can be read in the folder.
  for (const name of readdirSync(path, { recursive: true })) {
    const kept = String(name) + (/tokens$/.test(String(name)) ? '' : readFileSync(join(path, String(name)), 'utf8'));
    for (const token of tokens) assert.ok(!kept.includes(token), String(name));
  }
});

test('a token that is over or deleted or unknown is refused', LIMITED, async () => {
  const path = folder();
  const { url } = await serving(money.expenses(path), { verify: money.verifier(path) });
  const good = await money.issue(path, 'ann', ['expenses:read']);
  const ended = await money.issue(path, 'ann', ['expenses:read'], -1);
  const narrow = await money.issue(path, 'ann', ['expenses:write']);
  for (const [token, status] of [[good, 200], [ended, 401], [narrow, 403], ['a-guess', 401]]) {
    assert.equal((await knock(url, token, 'initialize', HELLO)).status, status);
  }
  for (const name of readdirSync(join(path, 'tokens'))) unlinkSync(join(path, 'tokens', name));
  assert.equal((await knock(url, good, 'initialize', HELLO)).status, 401);
  for (const name of ['../ann', '', 'Ann Smith']) await assert.rejects(money.issue(path, name, []), /name of a file/);
});

test('a help desk shows and allows what somebody may do, and records it', LIMITED, async () => {
  const records = [];
  let told = () => undefined;
  const audit = (record) => {
    records.push(record);
    told();
  };
  const { url } = await serving(desk(audit), { verify });
  const [ann, bob] = [await reach(url, 'token-of-ann'), await reach(url, 'token-of-bob')];
  assert.equal((await ann.listTools()).tools.length, 3);
  assert.equal(text(await call(ann, 'refund', { order: 'A-17', cents: 500 })), '500 cents of A-17 go back.');
  assert.match(text(await call(ann, 'find_orders', ada)), /Ada paid with \[card\]/);
  assert.deepEqual((await bob.listTools()).tools.map(({ name }) => name), ['find_orders', 'customer_file']);
  assert.match(await call(bob, 'refund', { order: 'A-17', cents: 1 }).then(text, String), /refund/);
  const denied = await call(bob, 'customer_file', { customer: 'Ada Lovelace' });
  assert.ok(denied.isError && /course on privacy/.test(text(denied)));
  assert.equal((await knock(url, 'a-guess', 'initialize', HELLO)).status, 401);
  // Records are written beside the calls.
  const last = () => records.find(({ name }) => name === 'customer_file');
  while (last() === undefined) await new Promise((resolve) => (told = () => resolve(undefined)));
  assert.deepEqual([last().principal, last().outcome], ['bob', 'tool_error']);
  assert.ok(!JSON.stringify(records).includes('Lovelace'));
});

test('a help desk is not overrun', LIMITED, async (t) => {
  const rule = { methods: ['tools/call'], per: 'principal', rate: 0.001, burst: 3 };
  const { url } = await serving(desk(() => undefined, { rate_limit: [rule] }), { verify });
  const [ann, bob] = [await reach(url, 'token-of-ann'), await reach(url, 'token-of-bob')];
  let begun = 0;
  let both;
  let go;
  const two = new Promise((resolve) => (both = resolve));
  const gone = new Promise((resolve) => (go = resolve));
  t.mock.method(old, 'search', async () => {
    begun += 1;
    if (begun === 2) both();
    await gone;
    return [];
  });
  const calls = [call(ann, 'find_orders', ada), call(ann, 'find_orders', ada)];
  await two;
  const busy = await call(bob, 'find_orders', ada);
  assert.ok(busy.isError && /Too many searches/.test(text(busy)));
  go();
  for (const each of await Promise.all(calls)) assert.equal(text(each), '[]');
  assert.equal(text(await call(ann, 'find_orders', ada)), '[]');
  // That was the third call of ann; bob has calls left.
  const fast = await call(ann, 'find_orders', ada);
  assert.ok(fast.isError && /^Rate limit exceeded: try again in/.test(text(fast)), text(fast));
  assert.equal(text(await call(bob, 'find_orders', ada)), '[]');
});

test('a search that never ends is given up, and makes room', LIMITED, async (t) => {
  const { url } = await serving(desk(() => undefined, { timeout: 0.05 }), { verify });
  const ann = await reach(url, 'token-of-ann');
  t.mock.method(old, 'search', (_customer, signal) => new Promise((resolve) => (signal.onabort = () => resolve([]))));
  for (let calls = 0; calls < 3; calls += 1) {
    assert.equal(text(await call(ann, 'find_orders', ada)), 'Tool find_orders timed out after 0.05 s');
  }
});

function orders() {
  const path = folder();
  writeFileSync(join(path, '2025-01.jsonl'), '{"customer": "tea", "cents": 450}\n{"customer": "cup", "cents": 1200}\n');
  writeFileSync(join(path, '2025-02.jsonl'), '{"customer": "tea", "cents": 50}\n');
  return path;
}

const REPORT = { year: 2025, orders: 3, cents: { tea: 500, cup: 1200 } };

/** Waits for the end of a task. */
async function finished(url, receipt) {
  const client = new v2.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const tasks = new TasksClient(client);
  await client.connect(new v2.StreamableHTTPClientTransport(new URL(url)));
  await tasks.task(receipt).wait();
  await client.close();
}

test('a report is written while nobody is connected', LIMITED, async (t) => {
  const path = orders();
  const whole = late.work.read;
  let begin;
  let go;
  const begun = new Promise((resolve) => (begin = resolve));
  const gone = new Promise((resolve) => (go = resolve));
  t.mock.method(late.work, 'read', async (month) => {
    begin();
    await gone;
    return whole(month);
  });
  const { url } = await serving(late.reports(path, join(path, 'reports.redb')));
  const receipt = await late.order(url, 2025);
  await begun;
  assert.match(await late.collect(url, receipt), /^It is being written since /);
  go();
  await finished(url, receipt);
  assert.deepEqual(JSON.parse(await late.collect(url, receipt)), REPORT);
  assert.match(await late.collect(url, 'a-guess'), /^Please order it again: /);
});

/** The program itself, in a folder of its own; its address, and how it ends. */
async function started(cwd) {
  const program = fileURLToPath(new URL('../late-report.mjs', import.meta.url));
  const env = { ...process.env, PORT: '0', REPORTS_ORDERS: '.' };
  const child = spawn(process.execPath, [program, 'serve'], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const over = once(child, 'exit');
  after(() => child.kill());
  const [line] = await once(createInterface(child.stderr), 'line');
  return { url: line.replace('Serving ', ''), end: () => (child.kill(), over) };
}

test('a report outlasts the server', LIMITED, async () => {
  const path = orders();
  const first = await started(path);
  const receipt = await late.order(first.url, 2025);
  await finished(first.url, receipt);
  await first.end();
  const second = await started(path);
  assert.deepEqual(JSON.parse(await late.collect(second.url, receipt)), REPORT);
  await second.end();
});

test('clients without tasks wait for the report', LIMITED, async () => {
  const path = orders();
  const { url } = await serving(late.reports(path, join(path, 'reports.redb')));
  const client = await reach(url, '');
  assert.equal((await call(client, 'yearly_report', { year: 2025 })).structuredContent.orders, 3);
  const none = await call(client, 'yearly_report', { year: 1999 });
  assert.ok(none.isError && /There are no orders of 1999/.test(text(none)));
});
