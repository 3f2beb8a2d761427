// `oninitialized`, where a client of the modern era never says that it is ready.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { StreamableHTTPServerTransport } from 'mcpbolt/server/streamableHttp.js';
import { toNodeHandler } from 'mcpbolt/v2/node';
import { createMcpHandler, McpServer as V2Server } from 'mcpbolt/v2/server';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Client, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { StdioClientTransport } from 'mcpbolt/v2/client/stdio';
import { within } from './support/bounds.mjs';

const about = { name: 's', version: '1' };
const empty = async () => ({ content: [] });
const MODERN = { pin: '2026-07-28' };
const names = ({ tools }) => tools.map((tool) => tool.name);

/** A server that gets another tool when a client is ready; how often that was. */
function growing(options) {
  const mcp = new McpServer(about, options);
  const seen = { mcp, count: 0 };
  mcp.registerTool('early', {}, empty);
  mcp.server.oninitialized = () => {
    seen.count += 1;
    if (seen.count === 1) mcp.registerTool('late', {}, empty);
  };
  return seen;
}

/** The same as a program; it says on standard error that a client is ready. */
const program = (module) => `
  const { McpServer } = await import('${module}');
  const { StdioServerTransport } = await import('mcpbolt/server/stdio.js');
  const mcp = new McpServer({ name: 's', version: '1' });
  const empty = async () => ({ content: [] });
  mcp.registerTool('early', {}, empty);
  mcp.server.oninitialized = () => (console.error('ready'), mcp.registerTool('late', {}, empty));
  await mcp.connect(new StdioServerTransport());
`;

for (const module of ['mcpbolt/server/mcp.js', 'mcpbolt/v2/server']) {
  for (const [name, mode] of Object.entries({ legacy: 'legacy', auto: 'auto', modern: MODERN })) {
    test(`oninitialized of ${module} runs once for a client, before its first list (${name})`, async () => {
      const args = ['--input-type=module', '-e', program(module)];
      const transport = new StdioClientTransport({ command: process.execPath, args, cwd: fileURLToPath(new URL('..', import.meta.url)), stderr: 'pipe' });
      let said = '';
      transport.stderr.on('data', (chunk) => (said += chunk));
      const client = new Client(about, { versionNegotiation: { mode } });
      await within(client.connect(transport));
      assert.deepEqual(names(await within(client.listTools())), ['early', 'late']);
      await within(client.callTool({ name: 'late', arguments: {} }));
      await client.close();
      assert.equal(said.trim(), 'ready');
    });
  }
}

test('over HTTP oninitialized runs once for a server that listens', async () => {
  const seen = growing();
  const listener = await seen.mcp.listen({ port: 0 });
  for (let turn = 0; turn < 2; turn++) {
    const client = new Client(about, { versionNegotiation: { mode: MODERN } });
    await within(client.connect(new StreamableHTTPClientTransport(new URL(listener.url))));
    assert.deepEqual(names(await within(client.listTools())), ['early', 'late']);
    await client.close();
  }
  assert.equal(seen.count, 1);
  await listener.close();
});

for (const [name, mode] of Object.entries({ legacy: 'legacy', auto: 'auto', modern: MODERN })) {
  test(`oninitialized runs once over a transport that JavaScript carries (${name})`, async () => {
    const seen = growing();
    const [near, far] = InMemoryTransport.createLinkedPair();
    await seen.mcp.connect(far);
    const client = new Client(about, { versionNegotiation: { mode } });
    await within(client.connect(near));
    assert.deepEqual(names(await within(client.listTools())), ['early', 'late']);
    await within(client.callTool({ name: 'late', arguments: {} }));
    await client.close();
    assert.equal(seen.count, 1);
  });
}

test('supportedProtocolVersions keeps a server legacy', async () => {
  const seen = growing({ supportedProtocolVersions: ['2025-11-25', '2025-06-18'] });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await seen.mcp.connect(far);
  const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
  await within(client.connect(near));
  assert.equal(client.getNegotiatedProtocolVersion(), '2025-11-25');
  assert.deepEqual(names(await within(client.listTools())), ['early', 'late']);
  assert.equal(seen.count, 1);
  await client.close();
});

for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
  test(`a handler of ${method} alone declares that resources can be watched`, async () => {
    const { server } = new McpServer(about, { capabilities: { resources: {} } });
    server.setRequestHandler(method, () => ({}));
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client(about);
    await within(client.connect(near));
    assert.equal(client.getServerCapabilities().resources.subscribe, true);
    if (method === 'resources/unsubscribe') await within(client.unsubscribeResource({ uri: 'a://b' }));
    await client.close();
  });
}

// Set late

for (const [name, mode] of Object.entries({ legacy: 'legacy', auto: 'auto', modern: MODERN })) {
  for (const way of ['memory', 'HTTP']) {
    test(`oninitialized that is set after connecting runs once, before the first list: ${way} (${name})`, async () => {
      const mcp = new McpServer(about);
      mcp.registerTool('early', {}, empty);
      let [count, listener, transport] = [0];
      if (way === 'HTTP') {
        listener = await mcp.listen({ port: 0 });
        transport = new StreamableHTTPClientTransport(new URL(listener.url));
      } else {
        const [near, far] = InMemoryTransport.createLinkedPair();
        await mcp.connect(far);
        transport = near;
      }
      mcp.server.oninitialized = () => void (count++ === 0 && mcp.registerTool('late', {}, empty));
      const client = new Client(about, { versionNegotiation: { mode } });
      await within(client.connect(transport));
      assert.deepEqual(names(await within(client.listTools())), ['early', 'late']);
      await within(client.callTool({ name: 'late', arguments: {} }));
      assert.equal(count, 1);
      await client.close();
      await listener?.close();
    });
  }
}

test('oninitialized that is set after connecting runs over standard streams, and not when it is taken away', async () => {
  for (const [last, expected] of [["() => console.error('second')", 'second'], ['undefined', '']]) {
    const text = program('mcpbolt/server/mcp.js').replace('=> (console.error', '=> void (console.error');
    const args = ['--input-type=module', '-e', `${text}; mcp.server.oninitialized = ${last};`];
    const transport = new StdioClientTransport({ command: process.execPath, args, cwd: fileURLToPath(new URL('..', import.meta.url)), stderr: 'pipe' });
    let said = '';
    transport.stderr.on('data', (chunk) => (said += chunk));
    const client = new Client(about);
    await within(client.connect(transport));
    assert.deepEqual(names(await within(client.listTools())), ['early']);
    await client.close();
    assert.equal(said.trim(), expected);
  }
});

// One server object behind web servers

/** Serves with `handle` on a port of its own. */
async function web(handle) {
  const server = createServer(handle);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => (server.closeAllConnections(), server.close()));
  return new URL(`http://127.0.0.1:${server.address().port}/mcp`);
}

/** Ways to have HTTP; `make` makes a server that counts, and each says how many servers there are. */
const WEB = {
  'a transport of its own': async (make) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
    await make().connect(transport);
    return web((req, res) => void transport.handleRequest(req, res));
  },
  'an Express handler': async (make) => {
    const app = express();
    app.use(express.json());
    app.all('/mcp', createHttpHandler(make()));
    return web(app);
  },
  'createMcpHandler, a server for each request': async (make) => web(toNodeHandler(createMcpHandler(() => make()))),
};

for (const [way, serve] of Object.entries(WEB)) {
  for (const [name, mode] of Object.entries({ legacy: 'legacy', modern: MODERN })) {
    test(`over HTTP oninitialized runs at most once for each server object: ${way} (${name})`, async () => {
      const counts = [];
      const url = await serve(() => {
        const mcp = new V2Server(about);
        mcp.registerTool('early', {}, empty);
        const at = counts.push(0) - 1;
        mcp.server.oninitialized = () => void (counts[at] += 1);
        return mcp;
      });
      const client = new Client(about, { versionNegotiation: { mode } });
      await within(client.connect(new StreamableHTTPClientTransport(url)));
      for (let turn = 0; turn < 3; turn++) assert.deepEqual(names(await within(client.listTools())), ['early']);
      await within(client.callTool({ name: 'early', arguments: {} }));
      await client.close();
      // Of the servers that served somebody each was told once; of those for single requests of a session none.
      assert.deepEqual([...new Set(counts)].filter((count) => count > 1), [], String(counts));
      assert.ok(counts.includes(1), String(counts));
    });
  }
}
