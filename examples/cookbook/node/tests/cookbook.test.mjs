// Each program of the cookbook does what its page says; `form.test.mjs` is a page itself.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'mcpbolt/client/index.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from 'mcpbolt/types.js';
import * as agent from '../agent-loop.mjs';
import * as job from '../long-job.mjs';
import * as tenants from '../tenants.mjs';
import { logServer } from '../watching.mjs';
import * as api from '../web-api.mjs';
import { LIMITED, connected, text } from './support.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));

const call = (client, name, given, options) => client.callTool({ name, arguments: given }, undefined, options);

test('a web API is asked page by page, and its refusals are words', LIMITED, async () => {
  const tokens = new Set();
  const fake = createServer(async (request, response) => {
    tokens.add(request.headers.authorization);
    if (request.url.includes('/none/')) return response.writeHead(404).end('{}');
    if (request.method === 'POST') {
      let body = '';
      for await (const chunk of request) body += chunk;
      return response.writeHead(201).end(JSON.stringify({ number: 7, title: JSON.parse(body).title, state: 'open' }));
    }
    const few = request.url.includes('page=2') ? 2 : 30;
    const found = Array.from({ length: few }, (_, number) => ({ number, title: 't', state: 'open', more: 1 }));
    return response.end(JSON.stringify(found));
  });
  await new Promise((listening) => fake.listen(0, '127.0.0.1', listening));
  after(() => fake.close());
  process.env.ISSUES_URL = `http://127.0.0.1:${fake.address().port}`;
  process.env.ISSUES_TOKEN = 'secret';
  const client = await connected(api.server);
  const first = (await call(client, 'list_issues', { repository: 'a/b' })).structuredContent;
  assert.equal(first.issues.length, 30);
  assert.equal(first.next_page, 2);
  const last = (await call(client, 'list_issues', { repository: 'a/b', page: 2 })).structuredContent;
  assert.deepEqual([last.issues.length, last.next_page], [2, null]);
  const opened = await call(client, 'open_issue', { repository: 'a/b', title: 'Broken', body: 'It is.' });
  assert.deepEqual(opened.structuredContent, { number: 7, title: 'Broken', state: 'open' });
  assert.match(text(await call(client, 'list_issues', { repository: 'a/none' })), /no such repository/);
  assert.deepEqual([...tokens], ['Bearer secret']);
});

test('an agent calls tools until it has its answer', LIMITED, async () => {
  const client = await connected(job.server);
  const seen = [];
  const model = async (messages) => {
    seen.push(messages.at(-1).content);
    const steps = [[{ tool: 'stocktaking', arguments: {} }], [{ tool: 'fly', arguments: {} }]];
    return { text: 'Done.', wishes: steps[seen.length - 1] ?? [] };
  };
  assert.equal(await agent.run(client, model, 'Count.', async () => true), 'Done.');
  assert.match(seen[1], /^It failed: /);
  assert.equal(seen[2], 'There is no tool fly.');
  // The tool does not say that it only reads, so nobody lets it run.
  const denied = await agent.run(client, agent.scripted, 'a');
  assert.equal(denied, 'It says: The user does not want this tool to be called.');
});

test('a long job tells its progress, and one that is cancelled ends', LIMITED, async () => {
  const client = await connected(job.server);
  const seen = [];
  const report = await call(client, 'stocktaking', { shelves: ['abc', '', 'de'] }, { onprogress: ({ progress }) => seen.push(progress) });
  assert.deepEqual(report.structuredContent, { counted: 5, missing: [''] });
  assert.equal(seen.at(-1), 3);
  const leave = new AbortController();
  const ended = new Promise((resolve) => {
    job.work.count = (_shelf, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason);
          resolve(undefined);
        });
        leave.abort();
      });
  });
  await assert.rejects(call(client, 'stocktaking', { shelves: ['a'] }, { signal: leave.signal }));
  await ended;
  await new Promise(setImmediate);
  assert.equal(job.rented.size, 0);
});

test('tenants see their own notes and what they may do', LIMITED, async () => {
  const listener = await tenants.server.listen({ verify: tenants.verify });
  after(() => listener.close());
  const of = async (token) => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(listener.url), { requestInit }));
    after(() => client.close());
    return client;
  };
  await assert.rejects(of('a-guess'));
  const [ann, bob] = [await of('token-of-ann'), await of('token-of-bob')];
  assert.equal(text(await call(ann, 'write', { name: 'a', text: 'of ann' })), 'Written. There are 1 notes.');
  assert.equal(text(await call(ann, 'read', { name: 'a' })), 'of ann');
  assert.equal(text(await call(bob, 'read', { name: 'a' })), 'There is no note a.');
  assert.deepEqual((await bob.listTools()).tools.map(({ name }) => name), ['read']);
  const refused = await call(bob, 'write', { name: 'a', text: 'of bob' }).then(text, String);
  assert.match(refused, /write/);
  assert.equal(text(await call(ann, 'read', { name: 'a' })), 'of ann');
});

test('who subscribed is told when a file changes', LIMITED, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cookbook-'));
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  const { server, stop } = logServer(folder);
  after(() => {
    stop();
    rmSync(folder, { recursive: true });
  });
  const client = await connected(server);
  const told = new Promise((resolve) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, resolve));
  await client.subscribeResource({ uri: 'log:///a.txt' });
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
  assert.equal((await told).params.uri, 'log:///a.txt');
  const { contents } = await client.readResource({ uri: 'log:///a.txt' });
  assert.match(contents[0].text, /two/);
  await assert.rejects(client.readResource({ uri: 'log:///..%2Fa.txt' }));
});

test('every program is tested and has a page', () => {
  const cookbook = join(HERE, '../../../../docs/cookbook');
  const shown = readdirSync(cookbook).map((name) => readFileSync(join(cookbook, name), 'utf8')).join('');
  const tests = readdirSync(HERE).map((name) => readFileSync(join(HERE, name), 'utf8')).join('');
  for (const program of readdirSync(join(HERE, '..')).filter((name) => name.endsWith('.mjs'))) {
    assert.ok(shown.includes(`--8<-- "examples/cookbook/node/${program}"`), program);
    assert.ok(tests.includes(`'../${program}'`), program);
  }
});
