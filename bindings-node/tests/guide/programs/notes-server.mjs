import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'notes', version: '1.0.0' });

server.registerTool('count', { description: 'Counts words', inputSchema: { text: z.string() } }, ({ text }) => ({
  content: [{ type: 'text', text: String(text.split(/\s+/).filter(Boolean).length) }],
}));

if (process.argv.includes('--http')) {
  const port = Number(process.env.PORT ?? 3000);
  const listener = await server.listen({ port, sse: true, health: '/healthz' }); // also /sse and /messages
  console.error(`Serving ${listener.url}`); // stdout belongs to the protocol
} else {
  await server.connect(new StdioServerTransport());
}
