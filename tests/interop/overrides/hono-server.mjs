// A server on the npm package @hono/mcp, which has a transport of its own for the official
// 1.x package, with a session for each client.
//
//   node hono-server.mjs PORT        Streamable HTTP at /mcp

import { randomUUID } from 'node:crypto';
import { serve } from '@hono/node-server';
import { StreamableHTTPTransport } from '@hono/mcp';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Hono } from 'hono';
import { z } from 'zod';

function newServer() {
  const server = new McpServer({ name: 'on-hono', version: '1.0.0' });
  const echo = { description: 'Says it again, after reporting progress.', inputSchema: { message: z.string() } };
  server.registerTool('echo', echo, async ({ message }, { _meta, sendNotification }) => {
    const report = (progress) =>
      sendNotification({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress } });
    if (_meta?.progressToken !== undefined) await Promise.all([1, 2, 3].map(report));
    return { content: [{ type: 'text', text: `again: ${message}` }] };
  });
  return server;
}

const sessions = new Map();
const app = new Hono();
app.all('/mcp', async (context) => {
  const known = sessions.get(context.req.header('mcp-session-id'));
  if (known !== undefined) return known.handleRequest(context);
  const transport = new StreamableHTTPTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await newServer().connect(transport);
  return transport.handleRequest(context);
});

const [port] = process.argv.slice(2);
serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
