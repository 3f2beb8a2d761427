// One client, two eras: servers of the official 2.x package, which speak both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { Host } from 'mcpbolt/host.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { within } from './support/bounds.mjs';
import { CustomTransport } from './support/custom.mjs';
import { officialHttp, peer, serve } from './support/start.mjs';

const info = { name: 'eras', version: '1.0.0' };
const two = await serve(process.execPath, [peer('official-server-2.mjs')]);
const one = await officialHttp('--http');
const program = (name, ...args) => () => new StdioClientTransport({ command: process.execPath, args: [peer(name), ...args], stderr: 'ignore' });

const ways = {
  stdio: program('official-server-2.mjs', '--stdio'),
  http: () => new StreamableHTTPClientTransport(two.url),
  'http, own fetch': () => new StreamableHTTPClientTransport(two.url, { fetch: (...parts) => fetch(...parts) }),
};

for (const [name, make] of Object.entries(ways)) {
  for (const [protocol, revision] of [[undefined, '2025-11-25'], ['auto', '2026-07-28'], ['2026-07-28', '2026-07-28'], ['2025-06-18', '2025-06-18']]) {
    test(`a 2.x server over ${name}, asked for ${protocol ?? 'nothing'}, speaks ${revision}`, async () => {
      const client = new Client(info, { protocol });
      await client.connect(make());
      assert.equal(client.session.info.protocolVersion, revision);
      assert.equal(client.getServerVersion().name, 'two');
      assert.equal(client.getInstructions(), 'Twice.');
      const { tools } = await client.listTools();
      assert.deepEqual(tools.map((tool) => tool.name), ['echo', 'sum', 'progress']);
      const called = await client.callTool({ name: 'sum', arguments: { a: 1, b: 2 } });
      assert.deepEqual(called.structuredContent, { sum: 3 });
      const reports = [];
      await client.callTool({ name: 'progress', arguments: {} }, undefined, { onprogress: (report) => reports.push(report) });
      assert.deepEqual(reports, [{ progress: 1, total: 2 }, { progress: 2, total: 2 }]);
      assert.equal((await client.readResource({ uri: 'note://one' })).contents[0].text, 'first');
      assert.equal((await client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } })).messages[0].content.text, 'Hello Ann');
      await client.close();
    });
  }
}

test('auto falls back to initialize for a 1.x server', async () => {
  for (const make of [program('official-server.mjs'), () => new StreamableHTTPClientTransport(one.url)]) {
    const client = new Client(info, { protocol: 'auto' });
    await client.connect(make());
    assert.equal(client.session.info.era, 'legacy');
    assert.equal((await client.listTools()).tools[0].name, 'echo');
    await client.close();
  }
});

test('MCPBOLT_PROTOCOL says which era is tried, and the option wins', async () => {
  process.env.MCPBOLT_PROTOCOL = 'auto';
  try {
    const client = new Client(info);
    await client.connect(ways.stdio());
    assert.equal(client.session.info.era, 'modern');
    await client.close();
    await client.connect(ways.stdio());
    await client.close();
    const legacy = new Client(info, { protocol: 'legacy' });
    await legacy.connect(ways.stdio());
    assert.equal(legacy.session.info.era, 'legacy');
    await legacy.close();
  } finally {
    delete process.env.MCPBOLT_PROTOCOL;
  }
});

/** A modern server that a test plays on a transport of its own. */
function modern(answers = {}) {
  const capabilities = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } };
  const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' };
  return new CustomTransport({ 'server/discover': () => discovered, ...answers });
}

/** What a server says on a stream that listens. */
const tell = (transport, listen, method, params = {}) =>
  transport.onmessage({ jsonrpc: '2.0', method, params: { ...params, _meta: { 'io.modelcontextprotocol/subscriptionId': listen.id } } });

test('a server that speaks the modern era alone is asked again, and its answer has the usual shape', async () => {
  class ModernOnly extends CustomTransport {
    async send(message) {
      if (message.method !== 'initialize') return super.send(message);
      this.sent.push(message);
      const error = { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'], requested: '2025-11-25' } };
      setImmediate(() => this.onmessage({ jsonrpc: '2.0', id: message.id, error }));
    }
  }
  const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'new', version: '1' } };
  const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, instructions: 'how', ttlMs: 0, cacheScope: 'private', _meta };
  const transport = new ModernOnly({ 'server/discover': () => discovered });
  const client = new Client(info);
  await client.connect(transport);
  // differs: discover-when-refused
  assert.deepEqual(transport.sent.map(({ method }) => method), ['initialize', 'server/discover']);
  assert.deepEqual([client.getServerVersion().name, client.getServerCapabilities(), client.getInstructions()], ['new', { tools: {} }, 'how']);
  assert.equal(client.session.info.protocolVersion, '2026-07-28');
  await client.close();
});

test('a resource is watched on the modern era as on the legacy one', async () => {
  const transport = modern();
  const client = new Client(info, { protocol: 'auto' });
  const updates = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updates.push(params.uri));
  await client.connect(transport);
  const subscribing = client.subscribeResource({ uri: 'note://one' });
  const listen = await within(transport.until('subscriptions/listen'));
  assert.deepEqual(listen.params.notifications, { resourceSubscriptions: ['note://one'] });
  tell(transport, listen, 'notifications/subscriptions/acknowledged', { notifications: { resourceSubscriptions: ['note://one'] } });
  assert.deepEqual(await within(subscribing), {});
  tell(transport, listen, 'notifications/resources/updated', { uri: 'note://one' });
  await client.unsubscribeResource({ uri: 'note://one' });
  const { params } = await within(transport.until('notifications/cancelled'));
  assert.equal(params.requestId, listen.id);
  assert.deepEqual(updates, ['note://one']);
  await client.close();
});

test('a subscription that is not acknowledged is not waited for longer than the program says', async () => {
  const transport = modern();
  const client = new Client(info, { protocol: 'auto' });
  await client.connect(transport);
  /** The request that was withdrawn. */
  const withdrawn = async () => {
    const { params } = await within(transport.until('notifications/cancelled'));
    const [listen] = transport.sent.filter(({ method }) => method === 'subscriptions/listen');
    assert.equal(params.requestId, listen.id);
    transport.sent.length = 0;
  };
  const uri = 'note://one';
  await assert.rejects(within(client.subscribeResource({ uri }, { timeout: 1 })), { code: -32001, message: /timed out/ });
  await withdrawn();
  const left = new AbortController();
  const subscribing = client.subscribeResource({ uri }, { signal: left.signal });
  await within(transport.until('subscriptions/listen'));
  left.abort('enough');
  await assert.rejects(within(subscribing), { message: /enough/ });
  await withdrawn();
  await assert.rejects(client.subscribeResource({ uri }, { signal: left.signal }));
  assert.deepEqual(transport.sent, []);
  // Of two that wait for one subscription each waits as long as it wants.
  const patient = client.subscribeResource({ uri });
  await assert.rejects(within(client.subscribeResource({ uri }, { timeout: 1 })), { code: -32001 });
  const listen = await within(transport.until('subscriptions/listen'));
  tell(transport, listen, 'notifications/subscriptions/acknowledged', { notifications: { resourceSubscriptions: [uri] } });
  assert.deepEqual(await within(patient), {});
  assert.deepEqual(transport.sent.map(({ method }) => method), ['subscriptions/listen']);
  await client.close();
});

test('a subscription that ends is asked for again, and then the resource counts as changed', async () => {
  const transport = modern();
  const client = new Client(info, { protocol: 'auto' });
  await client.connect(transport);
  const agreed = { notifications: { resourceSubscriptions: ['note://one'] } };
  const next = async () => {
    const listen = await within(transport.until('subscriptions/listen'));
    transport.sent.length = 0;
    tell(transport, listen, 'notifications/subscriptions/acknowledged', agreed);
    return listen;
  };
  const subscribing = client.subscribeResource({ uri: 'note://one' });
  let listen = await next();
  await within(subscribing);
  for (const end of [{ result: { resultType: 'complete' } }, { error: { code: -32603, message: 'lost' } }]) {
    const changed = new Promise((resolve) => client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri)));
    transport.onmessage({ jsonrpc: '2.0', id: listen.id, ...end });
    listen = await next();
    assert.equal(await within(changed), 'note://one');
  }
  await client.close();
});

test('a host lists what changed while it was listed for the first time', async () => {
  let lists = 0;
  const names = [];
  const transport = modern({
    'subscriptions/listen': (listen) => void setImmediate(() => tell(transport, listen, 'notifications/subscriptions/acknowledged', { notifications: { toolsListChanged: true } })),
    'tools/list': () => {
      lists += 1;
      const name = `tool${lists}`;
      // Before the host has the answer to its first question.
      const listen = transport.sent.find(({ method }) => method === 'subscriptions/listen');
      if (lists === 1) setImmediate(() => tell(transport, listen, 'notifications/tools/list_changed'));
      return { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [{ name, inputSchema: { type: 'object' } }] };
    },
  });
  let changed;
  const fresh = new Promise((resolve) => (changed = resolve));
  const host = new Host(info, { protocol: 'auto', onToolsChanged: (tools) => (names.push(tools[0]?.name), names.at(-1) === 'tool2' && changed()) });
  await within(host.add('one', transport));
  await within(fresh);
  assert.deepEqual(transport.sent.map(({ method }) => method).slice(-3), ['subscriptions/listen', 'tools/list', 'tools/list']);
  await host.close();
});

test('listChanged options listen on the modern era', async () => {
  let names = ['a'];
  const tools = () => ({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) });
  const transport = modern({ 'tools/list': tools });
  let changed;
  const change = new Promise((resolve) => (changed = resolve));
  const client = new Client(info, { protocol: 'auto', listChanged: { tools: { debounceMs: 0, onChanged: (error, items) => changed([error, items.map(({ name }) => name)]) } } });
  await client.connect(transport);
  const listen = await within(transport.until('subscriptions/listen'));
  assert.deepEqual(listen.params.notifications, { toolsListChanged: true });
  tell(transport, listen, 'notifications/subscriptions/acknowledged', { notifications: { toolsListChanged: true } });
  names = ['a', 'b'];
  tell(transport, listen, 'notifications/tools/list_changed');
  assert.deepEqual(await within(change), [null, ['a', 'b']]);
  await client.close();
});

test('questions of a modern server are answered by the same handlers', async () => {
  let round = 0;
  const question = { method: 'elicitation/create', params: { mode: 'form', message: 'who', requestedSchema: { type: 'object', properties: {} } } };
  const transport = modern({
    'tools/call': ({ params }) => {
      round += 1;
      if (round === 1) return { resultType: 'input_required', inputRequests: { q: question }, requestState: 'sealed' };
      return { resultType: 'complete', content: [{ type: 'text', text: JSON.stringify([params.inputResponses, params.requestState]) }] };
    },
  });
  const client = new Client(info, { protocol: 'auto', capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', ({ params }) => ({ action: 'accept', content: { name: params.message } }));
  await client.connect(transport);
  const { content } = await within(client.callTool({ name: 'x' }));
  assert.deepEqual(JSON.parse(content[0].text), [{ q: { action: 'accept', content: { name: 'who' } } }, 'sealed']);
  await client.close();
});
