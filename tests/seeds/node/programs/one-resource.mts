// The smallest low-level server: one handler, over the standard streams.

import { Server } from 'mcpbolt/server/index.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { ListResourcesRequestSchema } from 'mcpbolt/types.js';

const server = new Server(
  {
    name: 'one-resource',
    version: '0.1.0',
  },
  {
    capabilities: {
      resources: {},
    },
  },
);

server.setRequestHandler(ListResourcesRequestSchema, async () => {
  return {
    resources: [
      {
        uri: 'sample://greeting',
        name: 'Greeting',
      },
    ],
  };
});

const transport = new StdioServerTransport();
await server.connect(transport);
