import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';

const number = { type: 'number' };
const server = new McpServer({ name: 'shop', version: '1.0.0' });
server.registerTool(
  'add',
  { inputSchema: { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] } },
  ({ a, b }) => {
    console.log('adding', a, b);
    return { content: [{ type: 'text', text: String(a + b) }] };
  },
);
await server.connect(new StdioServerTransport());
