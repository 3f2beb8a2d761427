// A server that answers those who have the token `tea-time`, and nobody else.
//
//   node guarded-server.mjs PORT

import { createServer } from 'node:http';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { StreamableHTTPServerTransport } from 'mcpbolt/server/streamableHttp.js';

createServer(async (request, response) => {
  if (request.headers.authorization !== 'Bearer tea-time') {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    return;
  }
  const mcp = new McpServer({ name: 'guarded', version: '1.0.0' });
  mcp.registerTool('secret', { description: 'Says it' }, () => ({ content: [{ type: 'text', text: 'tea' }] }));
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await mcp.connect(transport);
  await transport.handleRequest(request, response);
}).listen(Number(process.argv[2]), '127.0.0.1');
