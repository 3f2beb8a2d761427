// A low-level server over the older HTTP transport, in an Express application.

import express from 'express';
import { Server } from 'mcpbolt/server/index.js';
import { SSEServerTransport } from 'mcpbolt/server/sse.js';
import { ListResourcesRequestSchema } from 'mcpbolt/types.js';

const app = express();

const server = new Server(
  {
    name: 'over-sse',
    version: '0.1.0',
  },
  {
    capabilities: {
      resources: {},
    },
  },
);

server.setRequestHandler(ListResourcesRequestSchema, async () => {
  return { resources: [{ uri: 'sample://stream', name: 'Stream' }] };
});

let transport: SSEServerTransport | null = null;

app.get('/sse', (req, res) => {
  transport = new SSEServerTransport('/messages', res);
  server.connect(transport);
});

app.post('/messages', (req, res) => {
  if (transport) {
    transport.handlePostMessage(req, res);
  }
});

const listener = app.listen(Number(process.argv[2]), '127.0.0.1', () => {
  console.error(`Serving on http://127.0.0.1:${(listener.address() as any).port}`);
});
