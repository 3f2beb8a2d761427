// The official packages 2.4, as their documentation has it.
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { MAX_BODY, register, SETTINGS } from './settings.mjs';

function made() {
  const server = new McpServer({ name: 'bench', version: '1' });
  register(server, z);
  return server;
}

if (SETTINGS.http) {
  const { createServer } = await import('node:http');
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  const handler = createMcpHandler(made, { maxRequestBodySize: MAX_BODY });
  createServer(toNodeHandler(handler)).listen(SETTINGS.port, SETTINGS.host);
} else {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  serveStdio(made, { maxBufferSize: MAX_BODY });
}
