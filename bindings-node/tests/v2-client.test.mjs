// Clients of the 2.x face, and peers of either side: what they keep, whole lists, handlers
// of methods of your own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, SdkError, SdkErrorCode, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { toNodeHandler } from 'mcpbolt/v2/node';
import { createMcpHandler, InMemoryTransport, McpServer, Protocol, Server } from 'mcpbolt/v2/server';
import * as official from '@modelcontextprotocol/client';
import { z } from 'zod';
import { Played } from './support/played.mjs';
import { about, event, small, soon, web } from './support/v2.mjs';

test('what was learned of a server saves asking it again', async () => {
  let asked = 0;
  const handler = createMcpHandler(() => small());
  const counting = (req, res) => {
    asked += 1;
    return toNodeHandler(handler)(req, res);
  };
  await web(counting, async (url) => {
    const first = new Client(about, { versionNegotiation: { mode: 'auto' } });
    await first.connect(new StreamableHTTPClientTransport(url));
    const discover = first.getDiscoverResult();
    await first.close();
    const before = asked;
    const second = new Client(about);
    await second.connect(new StreamableHTTPClientTransport(url), { prior: { kind: 'modern', discover } });
    assert.equal(asked, before);
    assert.equal((await second.callTool({ name: 'echo', arguments: { text: 'x' } })).content[0].text, 'x');
    await second.close();
  });
});

test('a call that is given up fails as with the official client', async () => {
  const seen = [];
  for (const { Client: AnyClient } of [{ Client }, official]) {
    const server = new Server(about, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', (_request, ctx) => new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', () => resolve({ content: [] }))));
    const [one, other] = InMemoryTransport.createLinkedPair();
    await server.connect(one);
    const client = new AnyClient(about);
    await client.connect(other);
    const outcomes = [];
    for (const reason of ['enough', undefined]) {
      const controller = new AbortController();
      const called = client.callTool({ name: 'wait' }, { signal: controller.signal });
      setImmediate(() => controller.abort(reason));
      outcomes.push(await called.catch(({ name, code, message }) => ({ name, code, message })));
    }
    seen.push(outcomes);
    await client.close();
  }
  assert.deepEqual(seen[0], seen[1]);
  assert.equal(seen[0][0].code, SdkErrorCode.RequestTimeout);
});

test('what is given up before it is sent fails as with the official client', async () => {
  const seen = [];
  for (const kit of [{ Client, SdkError, SdkErrorCode, StreamableHTTPClientTransport }, official]) {
    const handler = createMcpHandler(() => small());
    await web(toNodeHandler(handler), async (url) => {
      const reasons = [undefined, 'stop', new RangeError('own'), null, new kit.SdkError(kit.SdkErrorCode.SendFailed, 'mine')];
      for (const reason of reasons) {
        const signal = AbortSignal.abort(reason);
        const failed = (promise) => promise.then(
          () => 'fine',
          (error) => [error instanceof kit.SdkError, error.code, error.message, error === reason],
        );
        seen.push(await failed(new kit.Client(about).connect(new kit.StreamableHTTPClientTransport(url), { signal })));
        const client = new kit.Client(about, { versionNegotiation: { mode: 'auto' } });
        await client.connect(new kit.StreamableHTTPClientTransport(url));
        seen.push(await failed(client.listen({ toolsListChanged: true }, { signal })));
        seen.push(await failed(client.callTool({ name: 'echo', arguments: { text: 'x' } }, { signal })));
        seen.push(await failed(client.request({ method: 'tools/list' }, { signal })));
        await client.close();
      }
    });
  }
  const half = seen.length / 2;
  assert.deepEqual(seen.slice(0, half), seen.slice(half));
  assert.deepEqual(seen[4], [true, SdkErrorCode.RequestTimeout, 'stop', false]);
});

test('handlers of a method of your own are given what their schemas make', async () => {
  const server = new Server({ name: 'own', version: '1.0.0' }, {});
  server.setRequestHandler('own/add', { params: z.object({ a: z.coerce.number() }), result: z.object({ sum: z.number() }) }, ({ a }, ctx) => ({
    sum: a + ctx.mcpReq.method.length,
  }));
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  const client = new Client(about);
  await client.connect(other);
  const ask = (a) => client.request({ method: 'own/add', params: { a } }, z.object({ sum: z.number() }));
  assert.deepEqual(await ask('1'), { sum: 8 });
  await assert.rejects(ask('one'), (error) => error.code === -32602);
  await assert.rejects(client.request({ method: 'own/add' }), TypeError);
  await client.close();
});

test('a peer can be derived, and its handlers have a context of its own', async () => {
  class Peer extends Protocol {
    buildContext(ctx) {
      return { ...ctx, own: 'context' };
    }
    assertCapabilityForMethod() {}
    assertNotificationCapability() {}
    assertRequestHandlerCapability() {}
  }
  const [one, other] = InMemoryTransport.createLinkedPair();
  const [a, b] = [new Peer(), new Peer()];
  b.setRequestHandler('own/who', { params: z.object({}) }, (_params, ctx) => ({ text: `${ctx.own} ${ctx.mcpReq.method}` }));
  await Promise.all([a.connect(one), b.connect(other)]);
  assert.deepEqual(await a.request({ method: 'own/who' }, z.object({ text: z.string() })), { text: 'context own/who' });
  const peers = [a, new Server(about), new Client(about), small(), {}].map((value) => value instanceof Protocol);
  assert.deepEqual(peers, [true, true, true, false, false]);
  await a.close();
});

test('whole lists are read, up to a bound', async () => {
  const server = new Server({ name: 'paged', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', ({ params }) => {
    const page = Number(params?.cursor ?? 0);
    const tools = [{ name: `tool${page}`, inputSchema: { type: 'object' } }];
    return page < 4 ? { tools, nextCursor: String(page + 1) } : { tools };
  });
  for (const [listMaxPages, expected] of [[undefined, 5], [5, 5], [4, 'LIST_PAGINATION_EXCEEDED']]) {
    const [one, other] = InMemoryTransport.createLinkedPair();
    await server.connect(one);
    const client = new Client(about, { listMaxPages });
    await client.connect(other);
    const seen = await client.listTools().then(({ tools }) => tools.length, (error) => error.code);
    assert.equal(seen, expected);
    assert.deepEqual((await client.listTools({ cursor: '3' })).nextCursor, '4');
    assert.deepEqual(await client.listPrompts(), { prompts: [] });
    await client.close();
  }
});

test('a store of the program keeps results as long as servers allow', async () => {
  const { InMemoryResponseCacheStore } = await import('mcpbolt/v2/client');
  let read = 0;
  const make = () => {
    const server = new McpServer({ name: 'cached', version: '1.0.0' }, { cacheHints: { 'resources/read': { ttlMs: 60_000, cacheScope: 'public' } } });
    server.registerResource('r', 'test://r', {}, (uri) => ({ contents: [{ uri: uri.href, text: String(++read) }] }));
    return server;
  };
  await web(toNodeHandler(createMcpHandler(make)), async (url) => {
    const store = new InMemoryResponseCacheStore();
    const client = new Client(about, { versionNegotiation: { mode: 'auto' }, responseCacheStore: store });
    await client.connect(new StreamableHTTPClientTransport(url));
    const get = async (cacheMode) => (await client.readResource({ uri: 'test://r' }, { cacheMode })).contents[0].text;
    assert.deepEqual([await get(), await get(), await get('bypass'), await get(), await get('refresh'), await get()], ['1', '1', '2', '1', '3', '3']);
    assert.equal(store.size, 1);
    await client.close();
    const plain = new Client(about, { versionNegotiation: { mode: 'auto' } });
    await plain.connect(new StreamableHTTPClientTransport(url));
    const again = async (cacheMode) => (await plain.readResource({ uri: 'test://r' }, { cacheMode })).contents[0].text;
    assert.deepEqual([await again(), await again(), await again('refresh')], ['4', '4', '5']);
    await plain.close();
  });
});

/** A client at a server whose list says how often it was asked for, all with one store. */
async function sharing(store, { name = 'one', scope = 'private', partition, sessionId, holds } = {}) {
  let lists = 0;
  const _meta = { 'io.modelcontextprotocol/serverInfo': { name, version: '1' } };
  const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: true } }, ttlMs: 0, cacheScope: 'private' };
  const transport = new Played((message) => {
    if (message.method === 'server/discover') return { result: { ...discovered, ...(name && { _meta }) } };
    lists += 1;
    const result = { resultType: 'complete', ttlMs: 60_000, cacheScope: scope, tools: [{ name: `${name ?? sessionId}${lists}`, inputSchema: { type: 'object' } }] };
    return holds?.(lists, message) ? undefined : { result };
  });
  if (sessionId !== undefined) transport.sessionId = sessionId;
  const client = new Client(about, { versionNegotiation: { mode: 'auto' }, responseCacheStore: store, ...(partition && { cachePartition: partition }) });
  await client.connect(transport);
  return { client, transport, list: async () => (await client.listTools()).tools[0].name };
}

test('a store that clients share keeps what belongs to each server and each user apart', async () => {
  const { InMemoryResponseCacheStore } = await import('mcpbolt/v2/client');
  const store = new InMemoryResponseCacheStore();
  const one = await sharing(store);
  assert.deepEqual([await one.list(), await one.list()], ['one1', 'one1']);
  // Of the same server, though over another connection.
  assert.equal(await (await sharing(store)).list(), 'one1');
  const other = await sharing(store, { name: 'two' });
  assert.deepEqual([await other.list(), await one.list()], ['two1', 'one1']);
  // Servers that do not say who they are.
  const [first, second] = [await sharing(store, { name: null, sessionId: 'a' }), await sharing(store, { name: null, sessionId: 'b' })];
  assert.deepEqual([await first.list(), await second.list(), await first.list()], ['a1', 'b1', 'a1']);
  for (const scope of ['private', 'public']) {
    const [ann, bob] = [await sharing(store, { name: scope, scope, partition: 'ann' }), await sharing(store, { name: scope, scope, partition: 'bob' })];
    await ann.client.listTools({}, { cacheMode: 'refresh' });
    assert.equal(await ann.list(), `${scope}1`);
    const before = bob.transport.sent.length;
    assert.equal(await bob.list(), `${scope}1`);
    assert.equal(bob.transport.sent.length - before, scope === 'public' ? 0 : 1, scope);
  }
});

test('a change that a server announces concerns its own results, also those on their way', async () => {
  const { InMemoryResponseCacheStore } = await import('mcpbolt/v2/client');
  const store = new InMemoryResponseCacheStore();
  const held = event();
  const one = await sharing(store, { holds: (count, { id }) => count === 2 && (held.happened(id), true) });
  const other = await sharing(store, { name: 'two' });
  assert.deepEqual([await one.list(), await other.list()], ['one1', 'two1']);
  const changed = () => one.transport.onmessage({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  const heard = event();
  one.client.setNotificationHandler('notifications/tools/list_changed', heard.happened);
  changed();
  await soon(heard.promise, 'change');
  const asking = one.list();
  const id = await soon(held.promise, 'question');
  const again = event();
  one.client.setNotificationHandler('notifications/tools/list_changed', again.happened);
  changed();
  await soon(again.promise, 'change');
  const stale = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private', tools: [{ name: 'stale', inputSchema: { type: 'object' } }] };
  one.transport.onmessage({ jsonrpc: '2.0', id, result: stale });
  assert.deepEqual([await soon(asking, 'list'), await one.list(), await other.list()], ['stale', 'one3', 'two1']);
});

const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const checked = (name) => ({ name, inputSchema: { type: 'object' }, outputSchema });
const RESULTS = {
  right: { structuredContent: { n: 1 } },
  wrong: { structuredContent: { n: 'one' } },
  missing: {},
  failed: { structuredContent: { why: 'busy' }, isError: true },
};

/** How calls of tools with output schemas end, by their names and options; the same as with the official client. */
async function ends(calls) {
  const run = async (kit) => {
    const server = new Server(about, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: Object.keys(RESULTS).map(checked) }));
    server.setRequestHandler('tools/call', ({ params }) => ({ content: [], ...RESULTS[params.name] }));
    const [one, other] = InMemoryTransport.createLinkedPair();
    await server.connect(one);
    const client = new kit.Client(about);
    await client.connect(other);
    await client.listTools();
    const seen = [];
    for (const [name, options] of calls) {
      seen.push(await client.callTool({ name }, options).then(({ isError }) => (isError ? 'failed' : 'done'), ({ code }) => code));
    }
    await client.close();
    return seen;
  };
  const seen = await run({ Client });
  assert.deepEqual(seen, await run(official));
  return seen;
}

test('results of tools are checked against what was listed, unless the call failed', async () => {
  const seen = await ends(Object.keys(RESULTS).map((name) => [name]));
  assert.deepEqual(seen, ['done', -32602, -32600, 'failed']);
});

test('a definition that is passed with a call counts for that call alone', async () => {
  const other = { toolDefinition: { name: 'other', inputSchema: { type: 'object' } } };
  const strict = { toolDefinition: { ...checked('right'), outputSchema: { type: 'object', required: ['m'] } } };
  const seen = await ends([['wrong', other], ['right', strict], ['right'], ['wrong'], ['missing']]);
  assert.deepEqual(seen, ['done', -32602, 'done', -32602, -32600]);
});
