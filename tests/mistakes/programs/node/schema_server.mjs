import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';

const server = new McpServer({ name: 'shop', version: '1.0.0' });
server.registerTool('add', { inputSchema: { type: 'object', properties: { a: { type: 'int' } } } }, ({ a }) => ({
  content: [{ type: 'text', text: String(a) }],
}));
await server.connect(new StdioServerTransport());
