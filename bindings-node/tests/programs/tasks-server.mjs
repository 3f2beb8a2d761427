// A server that keeps its tasks in the file it is given; it says its address first.
import { McpServer } from 'mcpbolt/server/mcp.js';

const mcp = new McpServer({ name: 'reports', version: '1' }, { stores: `file:${process.argv[2]}` });
mcp.registerTool('quick', { task: 'required' }, () => ({ content: [{ type: 'text', text: 'kept' }] }));
mcp.registerTool('endless', { task: 'required' }, () => new Promise(() => undefined));
const listener = await mcp.listen({ host: '127.0.0.1', port: 0 });
console.log(listener.url);
