import { McpServer } from 'mcpbolt/server/mcpserver.js';

const server = new McpServer({ name: 'shop', version: '1.0.0' });
console.log(server);
