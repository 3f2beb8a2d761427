// What every runtime has to do, without Node's test runner: `RUNTIME everywhere.mjs`.
// A server over memory, over a child's stdio and over HTTP, each with a client; context
// that follows asynchronous work; and an end, by itself.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { fileURLToPath } from 'node:url';
import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server/index.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from 'mcpbolt/types.js';

const SECONDS = 20;
const scope = new AsyncLocalStorage();

function newServer() {
  const server = new Server({ name: 'everywhere', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (params.name !== 'echo') throw new McpError(-32602, 'no such tool');
    await Promise.resolve();
    return { content: [{ type: 'text', text: `${params.arguments?.text} ${scope.getStore() ?? ''}`.trim() }] };
  });
  return server;
}

async function drive(transport, expected) {
  const client = new Client({ name: 'everywhere', version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ['echo']);
  const many = Array.from({ length: 200 }, (_, index) => client.callTool({ name: 'echo', arguments: { text: String(index) } }));
  const texts = (await Promise.all(many)).map((result) => result.content[0].text);
  assert.deepEqual(texts, many.map((_, index) => `${index} ${expected}`.trim()));
  await assert.rejects(client.callTool({ name: 'none' }), (error) => error instanceof McpError && error.code === -32602);
  await client.close();
}

async function memory() {
  const [one, other] = InMemoryTransport.createLinkedPair();
  await newServer().connect(one);
  // Whoever calls is in whose context the handler runs.
  await scope.run('inside', () => drive(other, 'inside'));
}

async function child() {
  const args = globalThis.Deno ? ['run', '--allow-all', '--no-lock'] : [];
  const own = fileURLToPath(import.meta.url);
  await drive(new StdioClientTransport({ command: process.execPath, args: [...args, own, 'serve'], env: process.env }), '');
}

async function http() {
  const server = newServer();
  const listening = await server.listen({ port: 0 });
  await drive(new StreamableHTTPClientTransport(new URL(listening.url)), '');
  await listening.close();
}

if (process.argv[2] === 'serve') {
  await newServer().connect(new StdioServerTransport());
} else {
  const bound = setTimeout(() => {
    console.error(`not over after ${SECONDS} s`);
    process.exit(1);
  }, SECONDS * 1000);
  for (const part of [memory, child, http]) {
    await part();
    console.log(`    ${part.name}: ok`);
  }
  // Nothing of ours may keep the program alive from here on.
  bound.unref();
}
