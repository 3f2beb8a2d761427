// Chapter core-architecture.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listened } from './support.mjs';

// [guide]
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const server = new McpServer({ name: 'calculator', version: '1.0.0' });
const numbers = { a: z.number(), b: z.number() };

server.registerTool('add', { description: 'Adds two numbers', inputSchema: numbers }, ({ a, b }) => ({
  content: [{ type: 'text', text: String(a + b) }],
}));

async function main() {
  const client = new Client({ name: 'test', version: '1.0.0' }, { protocol: 'auto' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  console.log(`${client.getServerVersion()?.name} speaks ${client.session?.info.protocolVersion}`);
  const { content } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
  await client.close();
  return content;
}
// [end]

test('a server and a client meet in one process', async () => {
  const { result, lines } = await listened(main);
  assert.deepEqual(result, [{ type: 'text', text: '3' }]);
  assert.deepEqual(lines, ['calculator speaks 2026-07-28']);
});
