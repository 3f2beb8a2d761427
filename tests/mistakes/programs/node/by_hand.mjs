import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';

const server = new McpServer({ name: 'shop', version: '1.0.0' });
await server.connect(new StdioServerTransport());
