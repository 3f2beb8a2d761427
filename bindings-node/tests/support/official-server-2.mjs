// A server of the 2.x package for clients to talk to: `--stdio`, or HTTP in both eras.
import { createServer } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { z } from 'zod';

function makeServer() {
  const server = new McpServer({ name: 'two', version: '2.0.0' }, { capabilities: { logging: {}, tools: { listChanged: true } }, instructions: 'Twice.' });
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({ content: [{ type: 'text', text }] }));
  server.registerTool('sum', { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
    structuredContent: { sum: a + b },
  }));
  server.registerTool('progress', { inputSchema: z.object({}) }, async (_, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [1, 2]) {
      await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 2 } });
    }
    return { content: [{ type: 'text', text: 'done' }] };
  });
  server.registerResource('one', 'note://one', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'first' }] }));
  server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }],
  }));
  return server;
}

if (process.argv.includes('--stdio')) serveStdio(makeServer);
else {
  const handler = toNodeHandler(createMcpHandler(makeServer));
  const listener = createServer((req, res) => handler(req, res));
  listener.listen(0, '127.0.0.1', () => process.stderr.write(`http://127.0.0.1:${listener.address().port}/mcp\n`));
}
