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
  // The adapter reads the body and has a limit of its own.
  const limit = { maxRequestBodySize: MAX_BODY };
  const handler = toNodeHandler(createMcpHandler(made, limit), limit);
  if (SETTINGS.issuer) {
    const { default: express } = await import('express');
    const { requireBearerAuth } = await import('@modelcontextprotocol/express');
    const { OAuthError, OAuthErrorCode } = await import('@modelcontextprotocol/server');
    const { verifier } = await import('./verifier.mjs');
    const refusal = () => new OAuthError(OAuthErrorCode.InvalidToken, 'it is not good');
    const theirs = verifier(SETTINGS.issuer, SETTINGS.resource, refusal);
    const app = express();
    app.use(requireBearerAuth({ verifier: theirs, requiredScopes: ['notes'] }));
    app.all('/mcp', handler);
    app.listen(SETTINGS.port, SETTINGS.host);
  } else {
    createServer(handler).listen(SETTINGS.port, SETTINGS.host);
  }
} else {
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_BODY });
  serveStdio(made, { transport });
}
