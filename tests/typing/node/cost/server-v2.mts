import { McpServer } from 'mcpbolt/v2/server';
import { StdioServerTransport } from 'mcpbolt/v2/server/stdio';

const server = new McpServer({ name: 'trivial', version: '1.0.0' });
server.registerTool('none', { description: 'does nothing' }, () => ({ content: [] }));
await server.connect(new StdioServerTransport());
