// The official package 1.32, as its documentation has it.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { register, SETTINGS } from './settings.mjs';

function made() {
  const server = new McpServer({ name: 'bench', version: '1' });
  register(server, z);
  return server;
}

async function overHttp() {
  const { randomUUID } = await import('node:crypto');
  const { default: express } = await import('express');
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const transports = new Map();

  async function opened() {
    const sessionIdGenerator = SETTINGS.stateless ? undefined : randomUUID;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator,
      enableJsonResponse: true,
      onsessioninitialized: (id) => transports.set(id, transport),
    });
    await made().connect(transport);
    return transport;
  }

  const app = express();
  app.use(express.json({ limit: '64mb' }));
  app.all('/mcp', async (request, response) => {
    const transport = transports.get(request.headers['mcp-session-id']) ?? (await opened());
    await transport.handleRequest(request, response, request.body);
  });
  app.listen(SETTINGS.port, SETTINGS.host);
}

if (SETTINGS.http) {
  await overHttp();
} else {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  await made().connect(new StdioServerTransport());
}
