// Programs in the shape of the tutorials for the official package: the same calls in the
// same order, the import lines changed. Each is compiled and run, with our client and with
// the official one, and what it does is looked at.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as theirClient from '@modelcontextprotocol/sdk/client/index.js';
import * as theirSse from '@modelcontextprotocol/sdk/client/sse.js';
import * as theirStdio from '@modelcontextprotocol/sdk/client/stdio.js';
import * as ourClient from 'mcpbolt/client/index.js';
import * as ourSse from 'mcpbolt/client/sse.js';
import * as ourStdio from 'mcpbolt/client/stdio.js';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '../../..');
const BUILT = join(ROOT, '.cache/seeds-node');
/** Longest time for anything, in milliseconds. */
const timeout = 20_000;

execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', HERE], { stdio: 'inherit' });

const program = (name) => join(BUILT, `${name}.mjs`);
const PEERS = { 'our client': { ...ourClient, ...ourSse, ...ourStdio }, 'the official client': { ...theirClient, ...theirSse, ...theirStdio } };

/** A test with each of the two clients, on a session with a program. */
function visits(name, what) {
  for (const [peer, { Client, StdioClientTransport }] of Object.entries(PEERS)) {
    test(`${name}, ${peer}`, { timeout }, async () => {
      const client = new Client({ name: 'seeds', version: '1' }, { capabilities: {} });
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [program(name)] }));
      await what(client);
      await client.close();
    });
  }
}

/** Starts a web application and tells where it listens; ends it after the test. */
async function listening(t, name) {
  const server = spawn(process.execPath, [program(name), '0'], { stdio: ['ignore', 'inherit', 'pipe'] });
  t.after(() => server.kill());
  for await (const line of createInterface(server.stderr)) {
    const [url] = /http:\/\/\S+/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error('it does not listen');
}

const run = (name, ...args) => execFileSync(process.execPath, [program(name), ...args], { encoding: 'utf8', timeout }).trim();
const rejected = (work, words) => assert.rejects(work, (error) => error.message.includes(words));

visits('one-resource', async (client) => {
  assert.equal(client.getServerVersion().name, 'one-resource');
  assert.deepEqual(client.getServerCapabilities(), { resources: {} });
  assert.deepEqual(await client.listResources(), { resources: [{ uri: 'sample://greeting', name: 'Greeting' }] });
  await rejected(client.request({ method: 'tools/list' }, { parse: (value) => value }), 'Method not found');
});

visits('journal', async (client) => {
  const [listed] = (await client.listResources()).resources;
  assert.equal(listed.mimeType, 'text/plain');
  const { contents } = await client.readResource({ uri: listed.uri });
  const text = '08:00 woke up\n08:05 fell asleep again\n';
  assert.deepEqual(contents, [{ uri: 'file:///var/journal.txt', mimeType: 'text/plain', text }]);
  await rejected(client.readResource({ uri: 'file:///var/other.txt' }), 'no such entry');
});

visits('letters', async (client) => {
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map(({ name }) => name), ['thank-you', 'invitation', 'apology']);
  assert.deepEqual(prompts[1].arguments.map(({ name, required }) => [name, required]), [['occasion', true], ['place', false]]);
  const words = async (name, args) => {
    const { messages } = await client.getPrompt({ name, arguments: args });
    return messages.map(({ role, content }) => `${role}: ${content.text}`);
  };
  assert.deepEqual(await words('thank-you', { gift: 'a kite' }), ['user: Write a short letter of thanks for:\n\na kite']);
  assert.deepEqual(await words('invitation', { occasion: 'tea' }), ['user: Invite my friends to our house:\n\ntea']);
  const atThePier = { occasion: 'tea', place: 'the pier' };
  assert.deepEqual(await words('invitation', atThePier), ['user: Invite my friends to the pier:\n\ntea']);
  assert.deepEqual(await words('apology', { mishap: 'it fell' }), [
    'user: This is what happened: it fell',
    'assistant: I can write that you are sorry. Who was hurt by it?',
    'user: Only the vase.',
  ]);
  await rejected(client.getPrompt({ name: 'complaint' }), 'no letter of this kind: complaint');
});

visits('arithmetic', async (client) => {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ['multiply', 'divide']);
  assert.deepEqual(tools[0].inputSchema.required, ['x', 'y']);
  const call = async (name, args) => {
    const { isError, content } = await client.callTool({ name, arguments: args });
    return [isError ?? false, content.map(({ text }) => text).join('\n')];
  };
  assert.deepEqual(await call('multiply', { x: 6, y: 7 }), [false, '42']);
  assert.deepEqual(await call('divide', { x: 9, y: 3 }), [false, 'They make 3']);
  assert.deepEqual(await call('divide', { x: 1, y: 0 }), [true, 'Cannot: Division by zero']);
  await rejected(client.callTool({ name: 'root', arguments: {} }), 'unknown operation');
});

for (const [peer, { Client, SSEClientTransport }] of Object.entries(PEERS)) {
  test(`over-sse, ${peer}`, { timeout }, async (t) => {
    const url = await listening(t, 'over-sse');
    const client = new Client({ name: 'seeds', version: '1' }, { capabilities: {} });
    await client.connect(new SSEClientTransport(new URL(`${url}/sse`)));
    assert.equal(client.getServerVersion().name, 'over-sse');
    assert.equal((await client.listResources()).resources[0].name, 'Stream');
    await client.close();
  });
}

test('clients: of a program, and over the older HTTP transport', { timeout }, async (t) => {
  assert.equal(run('clients', process.execPath, program('one-resource')), 'one-resource: Greeting');
  assert.equal(run('clients', `${await listening(t, 'over-sse')}/sse`), 'over-sse: Stream');
});

test('talk: methods of their own over a transport of their own', { timeout }, () => {
  assert.equal(run('talk'), 'hello! seen 1');
});

test('transports: what cannot be done is reported and thrown', { timeout }, async () => {
  const { portTransports } = await import(pathToFileURL(program('transports')));
  const [one] = portTransports();
  const reported = [];
  one.onerror = (error) => reported.push(error.message);
  await assert.rejects(one.send({ jsonrpc: '2.0', method: 'ping', id: 1 }), (error) => error === 'it is not open');
  await one.start();
  await assert.rejects(one.start(), (error) => error === 'it is open');
  assert.deepEqual(reported, ['Failed to send message: it is not open', 'Failed to connect: it is open']);
  await one.close();
});

visits('learner', async (client) => {
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  assert.deepEqual(await names(), ['learn']);
  await client.callTool({ name: 'learn' });
  assert.deepEqual(await names(), ['learn', 'recite']);
});

test('application: takes up servers and follows their changes', { timeout }, async () => {
  const { Application, connected, discover, handleToolCall, handleToolsChangedNotification } = await import(
    pathToFileURL(program('application'))
  );
  const app = new Application();
  const { conversation } = app;
  const { session, changed } = await connected(app, { command: process.execPath, args: [program('learner')] });
  assert.deepEqual(app.ready, [session]);
  await discover(app);
  assert.deepEqual(conversation.tools.map(({ name }) => name), ['learn']);
  await handleToolCall(app, conversation, 'learn', {});
  await changed;
  await handleToolsChangedNotification(app, session);
  assert.equal(conversation.told, 1);
  await handleToolCall(app, conversation, 'recite', {});
  assert.deepEqual(conversation.results.map(({ text }) => text), ['I know more now', 'Here is what I know']);
  await session.close();
});

// What the same programs say on the official package, frame by frame

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'frames', version: '1' } };

/** Requests after the handshake, by program. */
const REQUESTS = {
  'one-resource': [['ping'], ['resources/list', {}], ['resources/read', { uri: 'sample://greeting' }], ['tools/list', {}], ['no/such']],
  journal: [['resources/list'], ['resources/read', { uri: 'file:///var/journal.txt' }], ['resources/read', { uri: 'file:///x' }]],
  letters: [
    ['prompts/list'],
    ['prompts/get', { name: 'thank-you', arguments: { gift: 'a kite' } }],
    ['prompts/get', { name: 'invitation' }],
    ['prompts/get', { name: 'apology', arguments: { mishap: 'it fell' } }],
    ['prompts/get', { name: 'complaint' }],
    ['prompts/get', { name: 'thank-you', arguments: { gift: 1 } }],
  ],
  arithmetic: [
    ['tools/list'],
    ['tools/call', { name: 'multiply', arguments: { x: 6, y: 7 } }],
    ['tools/call', { name: 'divide', arguments: { x: 1, y: 0 } }],
    ['tools/call', { name: 'multiply' }],
    ['tools/call', { name: 'root', arguments: {} }],
    ['tools/call', { arguments: {} }],
  ],
  learner: [['tools/list'], ['tools/call', { name: 'learn' }], ['tools/list'], ['tools/call', { name: 'recite' }]],
};

/** The program for the official package, which needs the ends of file names. */
function forOfficial(name) {
  const code = readFileSync(program(name), 'utf8').replace(/'mcpbolt\/(.*?)'/g, (_, path) => {
    const file = path === 'server' || path.endsWith('.js') ? path : `${path}.js`;
    return `'@modelcontextprotocol/sdk/${file}'`;
  });
  const file = join(BUILT, `${name}.official.mjs`);
  writeFileSync(file, code);
  return file;
}

/** Ours says which method is not found. */
const NAMED = '$1';

/** Everything a program says when it is asked one thing after another. */
async function frames(file, requests) {
  const server = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const said = [];
  const tell = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (id, method, params) => {
    tell({ id, method, params });
    do said.push(JSON.parse((await lines.next()).value.replace(/(Method not found): [^"]*/, NAMED)));
    while (said.at(-1).id !== id);
  };
  await ask(0, 'initialize', HELLO);
  tell({ method: 'notifications/initialized' });
  for (const [index, [method, params]] of requests.entries()) await ask(index + 1, method, params);
  server.stdin.end();
  const [code] = await once(server, 'exit');
  return { said, code };
}

for (const [name, requests] of Object.entries(REQUESTS)) {
  test(`${name} says the same as on the official package`, { timeout }, async () => {
    const [ours, theirs] = await Promise.all([frames(program(name), requests), frames(forOfficial(name), requests)]);
    assert.deepEqual(ours, theirs);
  });
}

test('every program is run here', () => {
  const text = readFileSync(fileURLToPath(import.meta.url), 'utf8');
  for (const file of readdirSync(join(HERE, 'programs'))) {
    assert.match(text, new RegExp(`'${file.replace('.mts', '')}'`), `${file} is not run`);
  }
});
