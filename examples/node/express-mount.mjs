// A server inside an Express application; a tool sees what the application's middleware
// knows of its request.
//
// Shows: the application's own routes beside the MCP endpoint, sessions kept by the
// program, one server object for all of them, AsyncLocalStorage across the engine.
//
//     node examples/node/express-mount.mjs --http 127.0.0.1:3000

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { createMcpExpressApp } from 'mcpbolt/server/express.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { StreamableHTTPServerTransport } from 'mcpbolt/server/streamableHttp.js';
import { isInitializeRequest } from 'mcpbolt/types.js';
import { text } from './common.mjs';
import { serverArguments } from './serving.mjs';

const mcp = new McpServer({ name: 'mcpbolt-express-mount', version: '1.0.0' });
const visitor = new AsyncLocalStorage();
const visits = {};

mcp.registerTool('who_am_i', { description: 'Says who is asking, as the application knows it.' }, () => {
  const name = visitor.getStore();
  visits[name] = (visits[name] ?? 0) + 1;
  return text(`You are ${name}.`);
});

const app = createMcpExpressApp();
const sessions = new Map();

app.use((request, _response, next) => visitor.run(request.get('x-visitor') ?? 'nobody', next));

app.get('/visits', (_request, response) => response.json(visits));

app.all('/mcp', async (request, response) => {
  const known = sessions.get(request.get('mcp-session-id'));
  if (known) return known.handleRequest(request, response, request.body);
  if (!isInitializeRequest(request.body)) {
    const error = { code: -32001, message: 'There is no such session: begin with initialize' };
    return response.status(404).json({ jsonrpc: '2.0', error, id: null });
  }
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await mcp.connect(transport);
  return transport.handleRequest(request, response, request.body);
});

const [host, port] = (serverArguments().http ?? '127.0.0.1:3000').split(':');
const listener = app.listen(Number(port), host, () => {
  console.error(`Serving HTTP on http://${host}:${Object(listener.address()).port}/mcp`);
});
