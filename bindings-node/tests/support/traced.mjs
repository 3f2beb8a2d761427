// What tests of telemetry watch: servers with something of every kind under both faces, in memory.
import * as v1 from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server/index.js';
import * as v1Server from 'mcpbolt/server/mcp.js';
import { CallToolRequestSchema, McpError } from 'mcpbolt/types.js';
import * as v2 from 'mcpbolt/v2/client';
import * as v2Server from 'mcpbolt/v2/server';
import { z } from 'zod';
import { within } from './telemetry.mjs';

export const about = { name: 'telemetry', version: '1.0.0' };
export const FACES = {
  '1.x': { McpServer: v1Server.McpServer, Client: v1.Client, rpcError: (code, message) => new McpError(code, message) },
  '2.x': { McpServer: v2Server.McpServer, Client: v2.Client, rpcError: (code, message) => new v2Server.ProtocolError(code, message) },
};

/** A server with something of every kind. */
export function traced({ McpServer, rpcError }) {
  const server = new McpServer(about);
  const tool = (name, body) => server.registerTool(name, { inputSchema: z.object({}) }, body);
  tool('inside', () => within('inside', async () => ({ content: [] })));
  tool('sorry', () => ({ content: [{ type: 'text', text: 'no' }], isError: true }));
  server.registerPrompt('greet', {}, () => ({ messages: [] }));
  server.registerPrompt('refuse', {}, () => {
    throw rpcError(-32099, 'not you');
  });
  server.registerResource('readme', 'file:///readme', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'x' }] }));
  return server;
}

/** Runs code with a client that is connected to a server in memory. */
export async function connected(server, client, body) {
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  await client.connect(other);
  try {
    return await body(client);
  } finally {
    await client.close();
  }
}

/** A low-level server with one handler of tools, and a client of it. */
export const lowLevel = (handler, body) => {
  const server = new Server(about, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, handler);
  return connected(server, new v1.Client(about), body);
};

export const parentOf = (one) => one.parentSpanContext?.spanId;
export const idOf = (one) => one.spanContext().spanId;
