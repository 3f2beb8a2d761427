// Cases that no script can say, for servers; their names are those of every language.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import v8 from 'node:v8';
import vm from 'node:vm';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { Server } from 'mcpbolt/server/index.js';
import { CallToolRequestSchema, McpError } from 'mcpbolt/types.js';
import { z } from 'zod';
import { PROMISED } from './support/bounds.mjs';
import { open } from './support/engine.mjs';
import { Peer, within } from './support/peer.mjs';
import { Program, stdioServer } from './support/process.mjs';
import { event } from './support/v2.mjs';

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const said = ({ result, error }) => error ?? result.content[0].text;
const ALL = { elicitation: { form: {} }, sampling: {}, roots: {} };
const ASK = { name: 'ask', arguments: {} };

function serverWith(handler, engine) {
  const server = new Server({ name: 'boundary', version: '1' }, { capabilities: { tools: {} }, engine });
  server.setRequestHandler(CallToolRequestSchema, (request, extra) => handler(request.params, extra, server));
  return server;
}

async function connected(server, capabilities = ALL) {
  const [far, near] = InMemoryTransport.createLinkedPair();
  await server.connect(near);
  const peer = new Peer(far);
  await peer.open({ capabilities });
  return peer;
}

/** Until what is open is what was open before. */
async function backTo(before) {
  // The engine lets go on threads of its own, which a busy machine keeps waiting.
  for (const end = Date.now() + 10_000; Date.now() < end && !isDeepStrictEqual(open(), before); ) await turn();
  assert.deepEqual(open(), before);
}

const failed = (promise) => within(promise.then(() => assert.fail('it did not fail'), (error) => error));

test('each_error_kind_crosses: from a handler', async () => {
  const server = serverWith(({ arguments: { code, data } }) => {
    throw Object.assign(new Error('said'), { code, data });
  });
  const peer = await connected(server);
  for (const code of [-32700, -32600, -32601, -32602, -32603, -32002, -32042, -32001, -32000, -1, 0, 5, 2 ** 40]) {
    const { error } = await peer.call('fail', { code, data: { a: [1, null] } });
    assert.deepEqual(error, { code, message: 'said', data: { a: [1, null] } });
  }
  await server.close();
});

test('a message that finds no room is not waited for once its call is answered', async () => {
  const settled = event();
  const server = serverWith(async (_, extra) => {
    const data = 'x'.repeat(256 * 1024);
    const send = () => extra.sendNotification({ method: 'notifications/own', params: { data } });
    // More than may wait for a client that does not read.
    Promise.allSettled(Array.from({ length: 100 }, send)).then(settled.happened);
    return text('done');
  });
  const handler = createHttpHandler(server, { response: 'sse' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const post = (message, session) =>
    handler.fetch(new Request('http://any/mcp', { method: 'POST', headers: { ...headers, ...session }, body: JSON.stringify({ jsonrpc: '2.0', ...message }) }));
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  const session = { 'mcp-session-id': (await post({ id: 1, method: 'initialize', params })).headers.get('mcp-session-id') };
  await post({ method: 'notifications/initialized' }, session);
  const response = await within(post({ id: 2, method: 'tools/call', params: { name: 'flood' } }, session));
  assert.equal((await within(settled.promise)).length, 100);
  await response.body.cancel();
  await handler.close();
});

test('each_error_kind_crosses: to a handler', async () => {
  const kinds = { '-32700': 'parse', '-32600': 'invalid_request', '-32601': 'method_not_found', '-32602': 'invalid_params', '-32603': 'internal', '-32042': 'url_elicitation_required', 5: 'peer' };
  const errors = [];
  const server = serverWith(async ({ arguments: { how } }, extra) => {
    const options = { late: { timeout: 10 }, given: { signal: AbortSignal.timeout(10) } }[how];
    errors.push(await failed(extra.sendRequest({ method: 'acme/ask' }, z.any(), options)));
    return text('told');
  });
  const peer = await connected(server);
  for (const [code, kind] of Object.entries(kinds)) {
    const data = kind === 'url_elicitation_required' ? { elicitations: [] } : 'more';
    peer.answer = () => Object.assign(new Error('no'), { code: Number(code), data });
    await peer.call('ask', {});
    const error = errors.pop();
    assert.ok(error instanceof McpError);
    assert.deepEqual([error.kind, error.code, error.local, error.data], [kind, Number(code), false, data]);
  }
  peer.answer = () => undefined;
  await peer.call('ask', { how: 'late' });
  await peer.call('ask', { how: 'given' });
  peer.answer = () => void peer.close();
  peer.call('ask', {}).catch(() => undefined);
  await peer.until(() => peer.closed);
  await turn();
  await turn();
  assert.deepEqual(errors.map((error) => [error instanceof McpError, error.kind, error.local]), [
    [true, 'timeout', true],
    [true, 'cancelled', true],
    [true, 'closed', true],
  ]);
  await assert.rejects(serverWith(() => text('')).connect(Object.assign(new InMemoryTransport(), { start: () => Promise.reject(new Error('x')) })), /x/);
  assert.throws(() => new Server({ name: 'a', version: '1' }, { engine: { nonsense: 1 } }).host(), { kind: 'usage', local: true });
});

test('each_error_kind_crosses: too much at once', async () => {
  let release;
  const server = serverWith(() => new Promise((resolve) => (release = () => resolve(text('done')))), { max_in_flight: 1 });
  const peer = await connected(server);
  const first = peer.call('a');
  const { error } = await peer.call('b');
  assert.deepEqual([error.code, error.data.reason], [-32603, 'too many requests in flight']);
  release();
  assert.equal(said(await first), 'done');
  await server.close();
});

test('a_panic_does_not_cross', async () => {
  const server = serverWith(async ({ name }) => {
    if (name === 'recurses') return (function again() { return again() + 1; })();
    if (name === 'unprintable') throw { get message() { throw new Error('no text'); }, toString() { throw new Error('no text'); } };
    if (name === 'symbol') throw Symbol('odd');
    if (name === 'null') throw null;
    if (name === 'proxy') throw new Proxy({}, { get: () => { throw new Error('trap'); } });
    if (name === 'toJSON') return { content: [], toJSON: () => { throw new Error('json'); } };
    if (name === 'lone') return text('\ud800');
    if (name === 'deep') {
      let deep = [];
      for (let depth = 0; depth < 200; depth += 1) deep = [deep];
      return { content: [], structuredContent: { deep } };
    }
    return text('fine');
  });
  const peer = await connected(server);
  for (const name of ['recurses', 'unprintable', 'symbol', 'null', 'proxy', 'toJSON', 'deep']) {
    const { error } = await peer.call(name);
    assert.equal(error?.code, -32603, name);
    assert.equal(said(await peer.call('fine')), 'fine');
  }
  assert.equal(said(await peer.call('lone')), '\ud800');
  await server.close();
});

test('cancelling_a_hung_call_stops_it', async () => {
  const stopped = [];
  const server = serverWith(({ name }, { signal }) => new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      stopped.push([name, signal.reason]);
      reject(signal.reason);
    });
  }));
  const peer = await connected(server);
  const before = open();
  const hang = (name, id, params) => peer.request('tools/call', { name, arguments: {}, ...params }, { id }).catch(() => undefined);
  hang('legacy', 'l');
  hang('modern', 'm', { _meta: Peer.envelope() });
  await peer.result('ping');
  await peer.notify('notifications/cancelled', { requestId: 'l', reason: 'enough' });
  await peer.notify('notifications/cancelled', { requestId: 'm', reason: 'too' });
  await peer.result('ping');
  assert.deepEqual(stopped, [['legacy', 'enough'], ['modern', 'too']]);
  await backTo(before);
  await server.close();
});

test('dropping_while_pending_ends_everything', async () => {
  // Objects that nobody holds any more: the other end of the pair is gone, too.
  const ended = [];
  await (async () => {
    const server = serverWith(async (_params, extra) => {
      ended.push((await failed(extra.sendRequest({ method: 'roots/list' }, z.any()))).kind);
    });
    const peer = await connected(server);
    peer.call('a').catch(() => undefined);
    await peer.until(() => peer.frames.some(({ method }) => method === 'roots/list'));
    await server.close();
  })();
  await turn();
  await turn();
  assert.deepEqual(ended, ['closed']);
  // The end of a context comes a moment later.
  await backTo({ calls: 0, waiting: 0, contexts: 0, connections: 0, engineCalls: 0 });
  // Servers that are only forgotten are collected with all they had.
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc');
  const before = open();
  let kept = 0;
  const registry = new FinalizationRegistry(() => (kept -= 1));
  for (let count = 0; count < 50; count += 1) {
    const server = serverWith(() => text(''));
    kept += 1;
    registry.register(server);
    const peer = await connected(server);
    await peer.call('a');
    await peer.close();
  }
  for (let round = 0; round < 20 && kept > 5; round += 1) {
    collect();
    await turn();
  }
  assert.ok(kept <= 5, `${kept} servers are still there`);
  await backTo(before);
});

test('ten_thousand_concurrent_calls_are_answered', async () => {
  const waiting = [];
  const server = serverWith(({ arguments: { n } }) => new Promise((resolve) => waiting.push(() => resolve(text(n)))));
  const peer = await connected(server);
  const calls = Array.from({ length: 10_000 }, (_, n) => peer.call('a', { n }));
  while (waiting.length < 10_000) await turn();
  for (const release of waiting.reverse()) release();
  const answers = await within(Promise.all(calls), 'the answers', 30_000);
  assert.deepEqual(answers.map(said), calls.map((_, n) => String(n)));
  await server.close();
});

// Ways to end × things that can be pending.

const CLOSES = {
  'server.close': ({ server }) => server.close(),
  'transport.close': ({ near }) => near.close(),
  'the client goes': ({ peer }) => peer.close(),
  'onclose without close': ({ near }) => near.onclose(),
};
const PENDING = {
  handler: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(Object.assign(new Error(), { kind: 'aborted' })))),
  question: (extra) => extra.sendRequest({ method: 'roots/list' }, z.any()),
  'question without a limit': (extra) => extra.sendRequest({ method: 'roots/list' }, z.any(), { timeout: Infinity }),
  'question of the server': (_, server) => server.listRoots(),
  'question with a signal': (extra) => extra.sendRequest({ method: 'roots/list' }, z.any(), { signal: extra.signal }),
};

test('closing_ends_every_pending_thing', async () => {
  const table = [];
  for (const [close, end] of Object.entries(CLOSES)) {
    for (const [pending, wait] of Object.entries(PENDING)) {
      for (const era of ['legacy', 'modern']) {
        let outcome;
        const started = new Promise((begin) => {
          outcome = new Promise((resolve) => {
            const server = serverWith(async (_params, extra) => {
              const waits = wait(extra, server);
              begin();
              resolve(await failed(waits));
            });
            void run(server);
          });
        });
        async function run(server) {
          const [far, near] = InMemoryTransport.createLinkedPair();
          await server.connect(near);
          const peer = new Peer(far);
          await peer.open({ capabilities: ALL });
          peer.request('tools/call', { ...ASK, ...(era === 'modern' ? { _meta: Peer.envelope(ALL) } : {}) }).catch(() => undefined);
          await started;
          // Modern questions are asked when the handler waits.
          if (pending !== 'handler') await peer.until(() => peer.frames.length >= 2, `${close} ${pending} ${era}`);
          await end({ server, near, peer });
        }
        const begun = performance.now();
        const error = await within(outcome, `${close} while ${pending} ${era}`, PROMISED);
        table.push([close, pending, era, error.kind ?? error.name, Math.round(performance.now() - begun)]);
      }
    }
  }
  for (const row of table) {
    const allowed = row[1] === 'handler' ? ['aborted'] : ['closed', 'cancelled'];
    assert.ok(allowed.includes(row[3]), row.join(', '));
  }
  console.log(table.map((row) => row.join(', ')).join('\n'));
  await backTo({ calls: 0, waiting: 0, contexts: 0, connections: 0, engineCalls: 0 });
});

test('closing_ends_every_pending_thing: processes', async () => {
  const WAITS = {
    handler: 'await new Promise(() => {})',
    question: 'return text((await server.listRoots()).roots.length)',
  };
  for (const [name, tool] of Object.entries(WAITS)) {
    const program = new Program(stdioServer(`console.error('started'); ${tool}`));
    program.say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: ALL, clientInfo: { name: 'p', version: '1' } } });
    await program.answer(0);
    program.say({ method: 'notifications/initialized' }, { id: 1, method: 'tools/call', params: ASK });
    await within(new Promise((resolve) => program.child.stderr.once('data', resolve)), name);
    // The reader of its output goes, too.
    program.child.stdout.destroy();
    program.child.stdin.end();
    assert.deepEqual(await program.end(), { code: 0, signal: null }, name);
  }
});

test('a_forked_child_is_refused', { skip: 'Node has no fork: child processes begin anew' }, () => undefined);
