// Texts that a program cut inside an emoji: what is said with them arrives, and is no error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server/index.js';
import { McpServer, ResourceTemplate } from 'mcpbolt/server/mcp.js';
import { CallToolRequestSchema } from 'mcpbolt/types.js';
import { Client as Client2, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { createMcpHandler, McpServer as McpServer2 } from 'mcpbolt/v2/server';
import { within } from './support/bounds.mjs';

const CUT = 'waves \u{1F44B}'.slice(0, 7);
/** What peers read that allow no half. */
const READ = 'waves \ufffd';
const info = { name: 'cut', version: '1' };

async function connected(server) {
  const client = new Client(info);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await within(Promise.all([server.connect(far), client.connect(near)]));
  return client;
}

const message = (promise) => within(promise.then(() => assert.fail('it did not fail'), (error) => error.message));

test('a server introduces itself', async () => {
  // What only looks like half of an emoji stays as it is.
  const description = 'C:\\ud83d \\\\ud83d \u{1F44B}';
  const server = new McpServer({ ...info, title: CUT, websiteUrl: description }, { instructions: `${CUT} "${CUT}"\\` });
  const client = await connected(server);
  assert.equal(client.getInstructions(), `${READ} "${READ}"\\`);
  assert.equal(client.getServerVersion().title, READ);
  assert.equal(client.getServerVersion().websiteUrl, description);
  await client.close();
});

test('a server of 2.x introduces itself to each request', async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServer2({ ...info, title: CUT }, { instructions: CUT });
    server.registerTool('cut', { outputSchema: z.object({ cut: z.string().max(7) }) }, async () => ({ content: [], structuredContent: { cut: CUT } }));
    return server;
  });
  for (const mode of ['legacy', 'auto']) {
    const client = new Client2(info, { versionNegotiation: { mode } });
    const fetch = (url, init) => handler.fetch(new Request(url, init));
    await within(client.connect(new StreamableHTTPClientTransport(new URL('http://cut.test/mcp'), { fetch })));
    assert.equal(client.getInstructions(), READ, mode);
    await client.listTools();
    assert.deepEqual((await within(client.callTool({ name: 'cut' }))).structuredContent, { cut: CUT }, mode);
    await client.close();
  }
});

test('errors of prompts, resources and low-level handlers keep their words', async () => {
  const server = new McpServer(info);
  const fail = async () => {
    throw new Error(CUT);
  };
  server.registerPrompt('cut', {}, fail);
  server.registerResource('cut', new ResourceTemplate('cut://{name}', {}), {}, fail);
  const client = await connected(server);
  assert.equal(await message(client.getPrompt({ name: 'cut' })), `MCP error -32603: ${READ}`);
  assert.equal(await message(client.readResource({ uri: 'cut://a' })), `MCP error -32603: ${READ}`);
  await client.close();
  const low = new Server(info, { capabilities: { tools: {} } });
  low.setRequestHandler(CallToolRequestSchema, fail);
  const other = await connected(low);
  assert.equal(await message(other.callTool({ name: 'cut' })), `MCP error -32603: ${READ}`);
  await other.close();
});

test('a log message keeps the name of its logger, and its data as they are', async () => {
  const server = new McpServer(info, { capabilities: { logging: {} } });
  const client = await connected(server);
  const heard = new Promise((resolve) => client.setNotificationHandler('notifications/message', ({ params }) => resolve(params)));
  await server.sendLoggingMessage({ level: 'info', logger: CUT, data: { cut: CUT } });
  assert.deepEqual(await within(heard), { level: 'info', logger: READ, data: { cut: CUT } });
  await client.close();
});

test('arguments and results are judged by schemas, and arrive as they were', async () => {
  const server = new McpServer(info);
  const schema = { cut: z.string().min(7).max(7) };
  server.registerTool('cut', { inputSchema: schema, outputSchema: schema }, (given) => ({ content: [], structuredContent: given }));
  const client = await connected(server);
  await client.listTools();
  assert.deepEqual((await within(client.callTool({ name: 'cut', arguments: { cut: CUT } }))).structuredContent, { cut: CUT });
  assert.equal((await within(client.callTool({ name: 'cut', arguments: { cut: `${CUT}!` } }))).isError, true);
  await client.close();
});
