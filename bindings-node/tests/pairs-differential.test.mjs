// A client and a server in one process, the same program on the official packages and on ours.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import * as officialClient2 from '@modelcontextprotocol/client';
import * as officialServer2 from '@modelcontextprotocol/server';
import * as ourClient2 from 'mcpbolt/v2/client';
import * as ourServer2 from 'mcpbolt/v2/server';
import { z } from 'zod';
import { within } from './support/bounds.mjs';

const FILES = ['client/index.js', 'server/index.js', 'server/mcp.js', 'inMemory.js', 'types.js'];
const kit1 = async (name) => Object.assign({}, ...(await Promise.all(FILES.map((file) => import(`${name}/${file}`)))));
const [ours1, theirs1] = await Promise.all(['mcpbolt', '@modelcontextprotocol/sdk'].map(kit1));
const [ours2, theirs2] = [{ ...ourClient2, ...ourServer2 }, { ...officialClient2, ...officialServer2 }];

const info = { name: 'pair', version: '1' };
const plain = (value) => JSON.parse(JSON.stringify(value ?? null));
const PROGRESS = 'notifications/progress';
/** What came of a request, as data. */
const outcome = (asked) => within(asked.then(plain, ({ code, message }) => [code, message]));

/** Once the answer to a ping is there, so is whatever was sent before it, in both directions. */
async function settled(client) {
  await within(client.ping());
  await turn();
}

async function connected(kit, server, client) {
  const [near, far] = kit.InMemoryTransport.createLinkedPair();
  await server.connect(near);
  await client.connect(far);
}

/** Runs a program on both packages of a line; what it notes is the same. */
function alike(name, [ours, theirs], program) {
  test(name, async () => {
    const noted = [];
    for (const kit of [theirs, ours]) {
      const notes = [];
      await program(kit, (...what) => notes.push(plain(what)));
      noted.push(notes);
    }
    assert.deepEqual(noted[1], noted[0]);
    assert.notDeepEqual(noted[0], []);
  });
}

/** A server of 1.x with one handler for all tools, which gets name, arguments and `extra`. */
function tools1(kit, handler, capabilities = { tools: {}, logging: {} }) {
  const server = new kit.Server(info, { capabilities });
  server.setRequestHandler(kit.CallToolRequestSchema, async ({ params }, extra) => ({ content: [], ...(await handler(params.name, params.arguments, extra)) }));
  return server;
}

alike('1.x: every report of progress arrives, as it was sent', [ours1, theirs1], async (kit, note) => {
  let other;
  let go;
  let begin;
  const server = tools1(kit, async (name, _args, { _meta, sendNotification }) => {
    const report = (params) => sendNotification({ method: PROGRESS, params: { progressToken: _meta?.progressToken, ...params } });
    if (name === 'burst') await Promise.all(Array.from({ length: 300 }, (_, index) => report({ progress: index + 1 })));
    if (name === 'same') for (const message of ['a', 'b', 'c']) await report({ progress: 0, message, _meta: { message } });
    if (name === 'falls') for (const progress of [0.5, 3, 2, -1]) await report({ progress, total: 7 });
    if (name === 'job') await new Promise((resolve) => (([other, go] = [_meta.progressToken, resolve]), begin()));
    if (name === 'tell') await report({ progressToken: other, progress: 5, message: 'of the job' });
  });
  const client = new kit.Client(info);
  await connected(kit, server, client);
  const run = (name, quiet) => within(client.callTool({ name }, undefined, quiet ? {} : { onprogress: (progress) => note(name, progress) }));
  for (const name of ['burst', 'same', 'falls']) await run(name);
  for (const quiet of [false, true]) {
    const begun = new Promise((resolve) => (begin = resolve));
    const job = run('job');
    await within(begun);
    await run('tell', quiet);
    await settled(client);
    go();
    await job;
  }
  await client.close();
});

alike('1.x: log messages of handlers keep all their members, and their order', [ours1, theirs1], async (kit, note) => {
  const server = tools1(kit, async (name, _args, { sendNotification }) => {
    const log = (params) => sendNotification({ method: 'notifications/message', params: { level: 'info', ...params } });
    if (name === 'one') await log({ data: 'x', logger: 'l', _meta: { trace: 1 } });
    if (name === 'many') for (let index = 0; index < 500; index++) await log(index % 7 ? { data: index } : { data: index, _meta: { index } });
  });
  const client = new kit.Client(info);
  client.fallbackNotificationHandler = async ({ params }) => note(params.level, params.data, params.logger, params._meta);
  await connected(kit, server, client);
  for (const name of ['one', 'many']) await within(client.callTool({ name }));
  await settled(client);
  await client.close();
});

alike('1.x: progress, cancellations and pings reach the handlers for them', [ours1, theirs1], async (kit, note) => {
  let begin;
  const begun = new Promise((resolve) => (begin = resolve));
  const server = tools1(kit, async (name, _args, { sendNotification, signal }) => {
    if (name === 'own') await sendNotification({ method: PROGRESS, params: { progressToken: 'mine', progress: 1 } });
    if (name === 'hang') await new Promise((resolve) => (signal.addEventListener('abort', resolve), begin()));
  });
  server.setNotificationHandler(kit.CancelledNotificationSchema, ({ params }) => note('cancelled', params.reason));
  server.setNotificationHandler(kit.ProgressNotificationSchema, ({ params }) => note('server', params));
  const client = new kit.Client(info);
  client.setNotificationHandler(kit.ProgressNotificationSchema, ({ params }) => note('client', params));
  client.setNotificationHandler(kit.CancelledNotificationSchema, ({ params }) => note('client cancelled', params.requestId));
  client.setRequestHandler(kit.PingRequestSchema, () => (note('ping'), {}));
  await connected(kit, server, client);
  await within(client.callTool({ name: 'own', _meta: { progressToken: 'mine' } }));
  await within(server.ping());
  const stop = new AbortController();
  const asked = outcome(client.callTool({ name: 'hang' }, undefined, { signal: stop.signal }));
  await within(begun);
  stop.abort('why');
  note(await asked);
  await client.notification({ method: PROGRESS, params: { progressToken: 77, progress: 1 } });
  await server.notification({ method: 'notifications/cancelled', params: { requestId: 'none' } });
  await settled(client);
  await client.close();
});

alike('1.x: a handler for progress takes the place of callbacks', [ours1, theirs1], async (kit, note) => {
  const server = tools1(kit, async (_name, _args, { _meta, sendNotification }) => {
    await sendNotification({ method: PROGRESS, params: { progressToken: _meta.progressToken, progress: 1 } });
  });
  const client = new kit.Client(info);
  client.setNotificationHandler(kit.ProgressNotificationSchema, ({ params }) => note('handler', params.progress));
  await connected(kit, server, client);
  await within(client.callTool({ name: 'x' }, undefined, { onprogress: () => note('callback') }));
  await client.close();
});

alike('1.x: without a handler, progress of no request is an error, and neither it nor a cancellation meets the fallback', [ours1, theirs1], async (kit, note) => {
  const peers = [tools1(kit, () => ({})), new kit.Client(info)];
  await connected(kit, ...peers);
  for (const [index, peer] of peers.entries()) {
    peer.onerror = ({ message }) => note(index, message);
    peer.fallbackNotificationHandler = async ({ method }) => note(index, method);
  }
  for (const peer of peers) {
    await peer.notification({ method: PROGRESS, params: { progressToken: 77, progress: 1 } });
    await peer.notification({ method: 'notifications/cancelled', params: { requestId: 'none' } });
  }
  await settled(peers[1]);
  await peers[1].close();
});

alike('1.x: resources may have any name', [ours1, theirs1], async (kit, note) => {
  const uris = ['note:///plain', 'note:///my notes', 'note:///café', 'note:///a%20b', 'note:///a|b', 'note:///[x]', 'notes/1', 'file'];
  const low = new kit.Server(info, { capabilities: { resources: { subscribe: true } } });
  low.setRequestHandler(kit.ReadResourceRequestSchema, ({ params }) => ({ contents: [{ uri: params.uri, text: 'read' }] }));
  low.setRequestHandler(kit.SubscribeRequestSchema, ({ params }) => (note('subscribed', params.uri), {}));
  low.setRequestHandler(kit.UnsubscribeRequestSchema, ({ params }) => (note('unsubscribed', params.uri), {}));
  const high = new kit.McpServer(info);
  const template = new kit.ResourceTemplate('note:///{name}', { list: undefined });
  high.registerResource('notes', template, {}, ({ href }, { name }) => ({ contents: [{ uri: href, text: String(name) }] }));
  for (const server of [low, high]) {
    const client = new kit.Client(info);
    await connected(kit, server, client);
    // Which code an unknown resource has is another matter. (differs: unknown-resource)
    for (const uri of server === low ? uris : uris.filter((known) => known !== 'notes/1')) note(uri, await outcome(client.readResource({ uri })));
    if (server === low) {
      await within(client.subscribeResource({ uri: 'notes/1' }));
      await within(client.unsubscribeResource({ uri: 'notes/1' }));
    }
    await client.close();
  }
});

alike('1.x: what `onChanged` throws ends nothing', [ours1, theirs1], async (kit, note) => {
  const server = new kit.Server(info, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(kit.ListToolsRequestSchema, () => ({ tools: [] }));
  let called;
  const twice = new Promise((resolve) => (called = resolve));
  const onChanged = (error, tools) => {
    note(error?.message, tools);
    if (error) return called();
    throw new Error('a fault of the program');
  };
  const client = new kit.Client(info, { listChanged: { tools: { debounceMs: 0, onChanged } } });
  await connected(kit, server, client);
  await server.sendToolListChanged();
  await within(twice);
  await client.close();
});

test('what `onChanged` throws or rejects with at last is told to onerror', async () => {
  const server = new ours1.Server(info, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler('tools/list', () => ({ tools: [] }));
  const fault = new Error('a fault of the program');
  const fails = [() => Promise.reject(fault), () => { throw fault; }];
  for (const autoRefresh of [true, false]) {
    for (const debounceMs of [0, 1]) {
      for (const onChanged of fails) {
        const client = new ours1.Client(info, { listChanged: { tools: { autoRefresh, debounceMs, onChanged } } });
        const told = new Promise((resolve) => (client.onerror = resolve));
        await connected(ours1, server, client);
        await server.sendToolListChanged();
        assert.equal(await within(told), fault);
        await client.close();
      }
    }
  }
});

/** The same of 2.x. */
function tools2(kit, handler) {
  const server = new kit.Server(info, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler('tools/call', async ({ params }, ctx) => ({ content: [], ...(await handler(params.name, ctx)) }));
  return server;
}

alike('2.x: every report of progress arrives, as it was sent', [ours2, theirs2], async (kit, note) => {
  const server = tools2(kit, async (name, { mcpReq }) => {
    const report = (params) => mcpReq.notify({ method: PROGRESS, params: { progressToken: mcpReq._meta?.progressToken, ...params } });
    if (name === 'burst') await Promise.all(Array.from({ length: 300 }, (_, index) => report({ progress: index + 1 })));
    if (name === 'same') for (const message of ['a', 'b', 'c']) await report({ progress: 0, message, _meta: { message } });
  });
  const client = new kit.Client(info);
  await connected(kit, server, client);
  for (const name of ['burst', 'same']) await within(client.callTool({ name }, { onprogress: (progress) => note(name, progress) }));
  await client.close();
});

alike('2.x: progress reaches the handler for it', [ours2, theirs2], async (kit, note) => {
  const server = tools2(kit, (name, { mcpReq }) => {
    const progressToken = name === 'own' ? 'mine' : mcpReq._meta.progressToken;
    return mcpReq.notify({ method: PROGRESS, params: { progressToken, progress: 1 } });
  });
  const client = new kit.Client(info);
  client.onerror = ({ message }) => note('error', message);
  await connected(kit, server, client);
  await within(client.callTool({ name: 'own', _meta: { progressToken: 'mine' } }));
  client.setNotificationHandler(PROGRESS, ({ params }) => note('handler', params.progress));
  await within(client.callTool({ name: 'own', _meta: { progressToken: 'mine' } }));
  await within(client.callTool({ name: 'x' }, { onprogress: () => note('callback') }));
  await settled(client);
  await client.close();
});

alike('2.x: resources may have any name', [ours2, theirs2], async (kit, note) => {
  const server = new kit.McpServer(info);
  const template = new kit.ResourceTemplate('note:///{name}', { list: undefined });
  server.registerResource('notes', template, {}, ({ href }, { name }) => ({ contents: [{ uri: href, text: String(name) }] }));
  const client = new kit.Client(info);
  await connected(kit, server, client);
  for (const uri of ['note:///my notes', 'note:///a|b', 'note:///[x]', 'file']) note(uri, await outcome(client.readResource({ uri })));
  await client.close();
});

test('a log message with further members obeys the level like any other, and a full pace', async () => {
  const server = tools1(ours1, async (_name, _args, { sendNotification }) => {
    for (const level of ['debug', 'error']) await sendNotification({ method: 'notifications/message', params: { level, data: level, _meta: { a: 1 } } });
  });
  const client = new ours1.Client(info);
  const levels = [];
  client.setNotificationHandler('notifications/message', ({ params }) => levels.push(params.level));
  await connected(ours1, server, client);
  await within(client.setLoggingLevel('warning'));
  await within(client.callTool({ name: 'x' }));
  await settled(client);
  assert.deepEqual(levels, ['error']);
  await client.close();
});

test('progress of a call that was parked has the token of its retry', async () => {
  const server = new ours1.McpServer(info);
  server.registerTool('ask', { inputSchema: { name: z.string().optional() } }, async (_args, { _meta, sendNotification }) => {
    await server.server.elicitInput({ message: 'who?', requestedSchema: { type: 'object', properties: {} } });
    await sendNotification({ method: PROGRESS, params: { progressToken: _meta.progressToken, progress: 1, _meta: { kept: true } } });
    return { content: [] };
  });
  const client = new ours1.Client(info, { capabilities: { elicitation: {} }, protocol: 'modern' });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
  await connected(ours1, server, client);
  const reports = [];
  await within(client.callTool({ name: 'ask', arguments: {} }, undefined, { onprogress: (progress) => reports.push(progress) }));
  assert.deepEqual(reports, [{ progress: 1, _meta: { kept: true } }]);
  await client.close();
});
