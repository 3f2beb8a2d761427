import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const server = new McpServer({ name: 'reports', version: '1.0.0' });

server.registerTool('revenue', { description: 'Revenue of a year', inputSchema: { year: z.number().int() } }, ({ year }) => ({
  content: [{ type: 'text', text: String(1e6 + year) }],
}));

const listener = await server.listen({
  port: Number(process.env.PORT ?? 8080),
  sessions: 'none', // every node answers
  response: 'json',
  verify: ({ headers }) => {
    const token = headers.get('authorization')?.replace(/^Bearer /i, '') ?? '';
    return token === process.env.TOKEN ? { token, clientId: 'gateway', scopes: [] } : { status: 401 };
  },
  health: '/healthz',
  ready: '/readyz',
  metrics: '/metrics',
  shutdownDelay: 5, // seconds; `ready` says 503, all is served on
  drain: 20,
  engine: { max_connections: 2_000 },
});
console.error(`Serving ${listener.url}`);
process.once('SIGTERM', () => void listener.close()); // says so, stops accepting, lets calls finish
