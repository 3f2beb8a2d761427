import { McpServer } from 'mcpbolt/server/mcp.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { readPrices } from './prices.mjs';

const server = new McpServer({ name: 'shop', version: '1.0.0' });
server.registerTool('prices', {}, () => ({ content: [{ type: 'text', text: readPrices() }] }));
await server.connect(new StdioServerTransport());
