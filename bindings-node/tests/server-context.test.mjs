// Where handlers run: contexts, cancellation, what they throw, whom they talk to.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server/index.js';
import { CallToolRequestSchema, ListRootsResultSchema, McpError } from 'mcpbolt/types.js';
import { z } from 'zod';
import { open } from './support/engine.mjs';
import { Peer, within } from './support/peer.mjs';

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const said = ({ result, error }) => error ?? result.content[0].text;
const ALL = { elicitation: { form: {} }, sampling: {}, roots: {} };
const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

function serverWith(handler, options = { capabilities: { tools: {}, logging: {} } }) {
  const server = new Server({ name: 'context', version: '1' }, options);
  server.setRequestHandler(CallToolRequestSchema, (request, extra) => handler(request.params, extra, server));
  return server;
}

async function connected(server, how) {
  const [far, near] = InMemoryTransport.createLinkedPair();
  await server.connect(near);
  const peer = new Peer(far);
  if (how !== null) await peer.open({ capabilities: ALL, ...how });
  return peer;
}

test('a handler runs in the context of the message that brought it', async () => {
  const storage = new AsyncLocalStorage();
  const server = serverWith(async () => {
    const before = storage.getStore();
    await turn();
    return text(`${before} ${storage.getStore()}`);
  });
  const peer = await storage.run('connecting', () => connected(server));
  const calls = Array.from({ length: 20 }, (_, at) => storage.run(`message ${at}`, () => peer.call('a')));
  assert.deepEqual((await Promise.all(calls)).map(said), calls.map((_, at) => `message ${at} message ${at}`));
  server.setNotificationHandler('acme/told', () => told(storage.getStore()));
  let told;
  const heard = new Promise((resolve) => (told = resolve));
  await storage.run('notification', () => peer.notify('acme/told'));
  assert.equal(await within(heard), 'notification');
  await server.close();
});

test('a question finds the call that asks it, also after waiting', async () => {
  const server = serverWith(async ({ name }) => {
    await turn();
    const { roots } = await server.listRoots();
    const { content } = await server.elicitInput({ message: name, requestedSchema: FORM });
    return text(`${name} ${roots[0].uri} ${content.name} ${server.getClientVersion().name}`);
  });
  const peers = await Promise.all(Array.from({ length: 5 }, () => connected(server, null)));
  for (const [at, peer] of peers.entries()) {
    await peer.transport.start();
    await peer.result('initialize', { protocolVersion: '2025-11-25', capabilities: ALL, clientInfo: { name: `client ${at}`, version: '1' } });
    await peer.notify('notifications/initialized');
    peer.answer = ({ method, params }) =>
      method === 'roots/list' ? { roots: [{ uri: `file:///${at}` }] } : { action: 'accept', content: { name: `${params.message} of ${at}` } };
  }
  const answers = await Promise.all(peers.flatMap((peer, at) => ['x', 'y'].map(async (name) => [at, name, said(await peer.call(name))])));
  for (const [at, name, answer] of answers) assert.equal(answer, `${name} file:///${at} ${name} of ${at} client ${at}`);
  for (const peer of peers) assert.equal(peer.frames.filter(({ method }) => method !== undefined).length, 4);
  await server.close();
  assert.ok(peers.every((peer) => peer.closed));
});

test('one server, many clients, nothing is mixed', async () => {
  const server = serverWith(async ({ arguments: { n } }, extra) => {
    await turn();
    await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: n } });
    await server.sendLoggingMessage({ level: 'error', data: n });
    return text(n);
  });
  const peers = await Promise.all(Array.from({ length: 20 }, () => connected(server)));
  await peers[3].result('logging/setLevel', { level: 'error' });
  await Promise.all(peers.map((peer, at) => Promise.all([1, 2, 3].map((n) => peer.call('a', { n: `${at}.${n}` }, { id: n })))));
  for (const [at, peer] of peers.entries()) {
    const data = peer.frames.filter(({ method }) => method === 'notifications/message').map(({ params }) => params.data);
    const expected = at === 3 ? ['3.1', '3.2', '3.3'] : ['1', '1', '2', '2', '3', '3'].map((n) => `${at}.${n}`);
    assert.deepEqual(data.sort(), expected);
  }
  // One goes, the others stay.
  await peers[0].close();
  assert.equal(said(await peers[1].call('a', { n: 'still' })), 'still');
  await server.close();
});

test('what goes on after a call talks to its client, and to no other when that is gone', async () => {
  const goes = new Map();
  const server = serverWith(({ name }) => {
    const later = new Promise((resolve) => goes.set(name, resolve)).then(() => server.listRoots());
    goes.set(`${name} after`, later.then(({ roots }) => roots[0].uri, (error) => error.message));
    return text('done');
  });
  const [first, second] = [await connected(server), await connected(server)];
  first.answer = () => ({ roots: [{ uri: 'file:///first' }] });
  second.answer = () => ({ roots: [{ uri: 'file:///second' }] });
  await first.call('a');
  await first.call('b');
  goes.get('a')();
  assert.equal(await within(goes.get('a after')), 'file:///first');
  await first.close();
  goes.get('b')();
  assert.equal(await within(goes.get('b after')), 'Not connected');
  assert.ok(!second.frames.some(({ method }) => method === 'roots/list'));
  await server.close();
});

test('outside of handlers the newest client of 2025 is asked', async () => {
  const server = serverWith(() => text(''));
  const first = await connected(server);
  const second = await connected(server);
  second.answer = () => ({ roots: [{ uri: 'file:///second' }] });
  assert.equal((await server.listRoots()).roots[0].uri, 'file:///second');
  await second.close();
  first.answer = () => ({ roots: [{ uri: 'file:///first' }] });
  assert.equal((await server.listRoots()).roots[0].uri, 'file:///first');
  await server.close();
  await assert.rejects(server.listRoots(), { message: 'Not connected' });
});

test('the signal of a call: made late, aborted by the client, by the end, with the reason', async () => {
  const seen = [];
  let started;
  const server = serverWith(async ({ name }, extra) => {
    const { signal } = name === 'early' ? extra : {};
    started?.();
    await new Promise((resolve) => waiting.set(name, resolve));
    seen.push([name, extra.signal.aborted, extra.signal.reason, signal === undefined || signal === extra.signal]);
    return text('late');
  });
  const waiting = new Map();
  const peer = await connected(server);
  const begin = async (name, id) => {
    const running = new Promise((resolve) => (started = resolve));
    peer.call(name, {}, { id }).catch(() => undefined);
    await within(running, name);
  };
  await begin('early', 'e');
  await begin('lazy', 'l');
  await begin('closed', 'c');
  await peer.notify('notifications/cancelled', { requestId: 'e', reason: 'enough' });
  await peer.notify('notifications/cancelled', { requestId: 'l' });
  await turn();
  waiting.get('early')();
  waiting.get('lazy')();
  await peer.close();
  await turn();
  waiting.get('closed')();
  await turn();
  assert.deepEqual(seen.map(([name, aborted, , same]) => [name, aborted, same]), [['early', true, true], ['lazy', true, true], ['closed', true, true]]);
  assert.equal(seen[0][2], 'enough');
  assert.equal(seen[1][2].name, 'AbortError');
  assert.equal(peer.frames.filter(({ id }) => ['e', 'l', 'c'].includes(id)).length, 0);
  await server.close();
});

test('extra: members are there to be copied, and may be replaced', async () => {
  const server = serverWith(async (_params, extra) => {
    const { sendNotification } = extra;
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 1 } });
    assert.equal(extra.sendNotification, sendNotification);
    const copy = { ...extra, more: 1 };
    await copy.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 2 } });
    assert.equal(copy.signal, extra.signal);
    assert.ok('authInfo' in extra && !('nothing' in extra));
    extra.authInfo = { token: 'mine' };
    extra.own = 5;
    assert.deepEqual([extra.authInfo.token, extra.own, Object.keys(extra).includes('own')], ['mine', 5, true]);
    extra.sendNotification = () => 'replaced';
    assert.equal(extra.sendNotification(), 'replaced');
    return text('fine');
  });
  const peer = await connected(server);
  assert.equal(said(await peer.call('a')), 'fine');
  assert.deepEqual(peer.frames.filter(({ method }) => method !== undefined).map(({ params }) => params.data), [1, 2]);
  await server.close();
});

test('what is said through a cancelled or finished call', async () => {
  let extra;
  const server = serverWith((_params, given) => {
    extra = given;
    return text('done');
  });
  const peer = await connected(server);
  peer.answer = () => ({ roots: [] });
  await peer.call('a');
  // As on a pipe: it still arrives.
  await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'after' } });
  await peer.until(() => peer.frames.some(({ params }) => params?.data === 'after'));
  assert.deepEqual(await extra.sendRequest({ method: 'roots/list' }, ListRootsResultSchema), { roots: [] });
  await server.close();
});

test('nothing that user code throws ends the process or another call', async () => {
  const errors = [];
  const server = serverWith(({ name }) => {
    if (name === 'undefined') throw undefined;
    if (name === 'rejected') return Promise.reject();
    if (name === 'string') throw 'text';
    if (name === 'getter') throw Object.defineProperty({}, 'message', { get: () => { throw new Error('deep'); } });
    if (name === 'circular') {
      const result = text('a');
      result.self = result;
      return result;
    }
    if (name === 'big') return { content: [], n: 1n };
    if (name === 'then') return { then: () => { throw new Error('then'); } };
    if (name === 'number') return 5;
    return text('fine');
  });
  server.onerror = (error) => {
    errors.push(error.message);
    throw new Error('even this');
  };
  server.oninitialized = () => {
    throw new Error('initialized');
  };
  server.onclose = () => {
    throw new Error('closed');
  };
  const warned = [];
  process.on('warning', (warning) => warned.push(warning.message));
  const peer = await connected(server);
  for (const name of ['undefined', 'rejected', 'string', 'getter', 'circular', 'big', 'then', 'number']) {
    const { error } = await peer.call(name);
    assert.ok([-32603, -32602].includes(error.code), `${name}: ${JSON.stringify(error)}`);
    assert.equal(said(await peer.call('fine')), 'fine');
  }
  assert.equal((await peer.call('undefined')).error.message, 'Internal error');
  await peer.close();
  await turn();
  assert.deepEqual(errors.filter((message) => /initialized|closed/.test(message)), ['Uncaught error in notification handler: Error: initialized', 'closed']);
  assert.equal(warned.filter((message) => message === 'even this').length, errors.length);
});

test('a rejection that user code leaves alone is its own affair', async () => {
  const server = serverWith(() => {
    Promise.reject(new Error('left alone'));
    return text('fine');
  });
  const peer = await connected(server);
  const seen = new Promise((resolve) => process.once('unhandledRejection', resolve));
  // The runner of tests listens, too.
  const others = process.listeners('unhandledRejection').slice(0, -1);
  for (const other of others) process.off('unhandledRejection', other);
  assert.equal(said(await peer.call('a')), 'fine');
  assert.equal((await within(seen)).message, 'left alone');
  for (const other of others) process.on('unhandledRejection', other);
  await server.close();
});

test('handlers see the classes of errors that they know', async () => {
  const server = serverWith(async (_params, extra) => {
    const errors = [];
    for (const ask of [
      () => extra.sendRequest({ method: 'acme/refused' }, z.any()),
      () => extra.sendRequest({ method: 'acme/late' }, z.any(), { timeout: 10 }),
      () => extra.sendRequest({ method: 'acme/wrong' }, z.object({ a: z.string() })),
    ]) {
      await ask().catch((error) => errors.push([error instanceof McpError, error.code, error.kind, error.name]));
    }
    return text(JSON.stringify(errors));
  });
  const peer = await connected(server);
  peer.answer = ({ method }) => (method === 'acme/refused' ? Object.assign(new Error('no'), { code: 99 }) : method === 'acme/wrong' ? { a: 1 } : undefined);
  assert.deepEqual(JSON.parse(said(await peer.call('a'))), [
    [true, 99, 'peer', 'McpError'],
    [true, -32001, 'timeout', 'McpError'],
    [false, null, null, 'ZodError'],
  ]);
  await server.close();
});

test('a transport of somebody else, and one that is wrapped', async () => {
  const log = [];
  const [far, near] = InMemoryTransport.createLinkedPair();
  near.onmessage = (message) => log.push(['in', message.method ?? 'reply']);
  const send = near.send.bind(near);
  near.send = async (message, options) => {
    log.push(['out', message.method ?? 'reply', options?.relatedRequestId]);
    await send(message, options);
  };
  const server = serverWith(async (_params, extra) => {
    await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 1 } });
    await server.listRoots();
    return text(extra.sessionId);
  });
  near.sessionId = 'mine';
  await server.connect(near);
  assert.equal(server.transport, near);
  const peer = new Peer(far);
  await peer.open({ capabilities: ALL });
  peer.answer = () => ({ roots: [] });
  assert.equal(said(await peer.call('a', {}, { id: 'c' })), 'mine');
  await server.close();
  assert.equal(server.transport, undefined);
  assert.deepEqual(log.slice(3), [
    ['in', 'tools/call'],
    ['out', 'notifications/message', 'c'],
    ['out', 'roots/list', 'c'],
    ['in', 'reply'],
    ['out', 'reply', undefined],
  ]);
});

test('a transport that cannot send, or not start', async () => {
  const errors = [];
  const server = serverWith(async (_params, extra) => {
    const failed = await extra.sendNotification({ method: 'acme/a' }).catch((error) => error.message);
    return text(failed);
  });
  server.onerror = (error) => errors.push(error.message);
  const broken = { start: async () => { throw new Error('no start'); }, send: async () => undefined, close: async () => undefined };
  await assert.rejects(server.connect(broken), { message: 'no start' });
  assert.equal(server.transport, undefined);
  const sent = [];
  const deaf = {
    start: async () => undefined,
    send: async (message) => {
      if (message.method === 'acme/a') throw new Error('no send');
      sent.push(message);
      deaf.moved?.();
    },
    close: async () => deaf.onclose(),
  };
  await server.connect(deaf);
  const say = (message) => deaf.onmessage({ jsonrpc: '2.0', ...message });
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'p', version: '1' } } });
  say({ method: 'notifications/initialized' });
  const moved = new Promise((resolve) => (deaf.moved = () => sent.length > 1 && resolve()));
  say({ id: 2, method: 'tools/call', params: { name: 'a' } });
  await within(moved);
  assert.equal(said(sent[1]), 'no send');
  deaf.onmessage({ nonsense: true });
  assert.match(errors.at(-1), /^Unknown message type: /);
  await server.close();
});

test('a transport that is connected again keeps nothing, a signal keeps no listeners', async () => {
  const closes = [];
  const transport = { start: async () => undefined, send: async (message) => transport.sent?.(message), close: async () => transport.onclose(), onclose: () => closes.push('first') };
  const own = transport.onclose;
  const server = serverWith(() => text(''));
  server.onclose = () => closes.push('server');
  for (let round = 0; round < 3; round += 1) {
    await server.connect(transport);
    assert.notEqual(transport.onclose, own);
    await server.close();
    assert.equal(transport.onclose, own);
    assert.equal(transport.onmessage, undefined);
  }
  assert.deepEqual(closes, ['first', 'server', 'first', 'server', 'first', 'server']);
  const { signal } = new AbortController();
  const peer = await connected(server);
  peer.answer = () => ({ roots: [] });
  for (let round = 0; round < 20; round += 1) await server.listRoots(undefined, { signal });
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  await server.close();
});

test('nothing is left of what is over', async () => {
  const before = open();
  const server = serverWith(async () => text((await server.listRoots()).roots.length));
  for (let round = 0; round < 3; round += 1) {
    const peers = await Promise.all([1, 2, 3].map(() => connected(server)));
    for (const peer of peers) peer.answer = () => ({ roots: [] });
    await Promise.all(peers.map((peer) => peer.call('a')));
    await (round === 1 ? Promise.all(peers.map((peer) => peer.close())) : server.close());
  }
  await turn();
  await turn();
  assert.deepEqual(open(), before);
});

test('a number that JSON does not have is a named error', async () => {
  let result;
  const server = serverWith(() => result);
  const peer = await connected(server);
  for (const [structuredContent, words] of [
    [{ x: NaN }, 'structuredContent.x is NaN: JSON has no such number'],
    [{ rows: [{ x: null }, { x: -Infinity }] }, 'structuredContent.rows[1].x is -Infinity: JSON has no such number'],
  ]) {
    result = { content: [], structuredContent };
    const answer = await peer.call('a');
    assert.equal(answer.result.isError, true);
    assert.ok(answer.result.content[0].text.startsWith(words), answer.result.content[0].text);
  }
  result = { content: [], structuredContent: { x: null } };
  assert.deepEqual((await peer.call('a')).result.structuredContent, { x: null });
  await server.close();
});

test('a question of the server hears of progress', async () => {
  const [heard, errors] = [[], []];
  const server = serverWith(async (_, extra) => {
    const onprogress = (progress) => heard.push(progress);
    await server.createMessage({ messages: [], maxTokens: 1 }, { onprogress });
    await extra.sendRequest({ method: 'roots/list' }, ListRootsResultSchema, { onprogress });
    return text('done');
  });
  server.onerror = (error) => errors.push(error.message);
  const peer = await connected(server);
  peer.answer = async ({ method, params }) => {
    const { progressToken } = params._meta;
    await peer.notify('notifications/progress', { progressToken, progress: '1', total: 2 });
    await peer.notify('notifications/progress', { progressToken, progress: 1, total: 2 });
    return method === 'roots/list' ? { roots: [] } : { role: 'assistant', content: { type: 'text', text: 'a' }, model: 'm' };
  };
  assert.equal(said(await peer.call('a')), 'done');
  assert.deepEqual(heard, [{ progress: 1, total: 2 }, { progress: 1, total: 2 }]);
  assert.equal(errors.filter((words) => words.includes('progress and total must be numbers')).length, 2, errors.join());
  await server.close();
});
