import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';

const server = new McpServer({ name: 'shop', version: '1.0.0' });
server.registerTool('add', { inputSchema: { a: 'number', b: 'number' } }, ({ a, b }) => ({
  content: [{ type: 'text', text: String(a + b) }],
}));
await server.connect(new StdioServerTransport());
