import { McpServer } from 'mcpbolt/server/mcp.js';

const server = new McpServer({ name: 'shop', version: '1.0.0' });
const listener = await server.listen({ port: Number(process.argv[2]) });
console.log(listener.url);
