import { McpSever } from 'mcpbolt/server/mcp.js';

const server = new McpSever({ name: 'shop', version: '1.0.0' });
console.log(server);
