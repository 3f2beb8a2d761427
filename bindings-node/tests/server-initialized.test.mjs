// `oninitialized`, where a client of the modern era never says that it is ready.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { McpServer } from 'mcpbolt/server/mcp.js';
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
