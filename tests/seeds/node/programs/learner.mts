// A low-level server whose tools become more, and that says so.

import { Server } from 'mcpbolt/server/index.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from 'mcpbolt/types.js';

const server = new Server({ name: 'learner', version: '0.1.0' }, { capabilities: { tools: { listChanged: true } } });
const known = ['learn'];

server.setRequestHandler(ListToolsRequestSchema, async () => {
  return { tools: known.map((name) => ({ name, inputSchema: { type: 'object' } })) };
});

server.setRequestHandler(CallToolRequestSchema, async (request) => {
  if (request.params.name === 'learn') {
    known.push('recite');
    await server.sendToolListChanged();
    return { content: [{ type: 'text', text: 'I know more now' }] };
  }
  if (request.params.name === 'recite' && known.includes('recite')) {
    return { content: [{ type: 'text', text: 'Here is what I know' }] };
  }
  throw new Error(`not learned yet: ${request.params.name}`);
});

await server.connect(new StdioServerTransport());
