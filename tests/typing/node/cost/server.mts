import { Server } from 'mcpbolt/server/index.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { ListToolsRequestSchema } from 'mcpbolt/types.js';

const server = new Server({ name: 'trivial', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
await server.connect(new StdioServerTransport());
