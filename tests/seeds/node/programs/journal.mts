// A low-level server whose resource is read by URI.

import { Server } from 'mcpbolt/server/index.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { ListResourcesRequestSchema, ReadResourceRequestSchema } from 'mcpbolt/types.js';

const JOURNAL = 'file:///var/journal.txt';

const server = new Server({ name: 'journal', version: '0.1.0' }, { capabilities: { resources: {} } });

async function readJournal() {
  return '08:00 woke up\n08:05 fell asleep again\n';
}

server.setRequestHandler(ListResourcesRequestSchema, async () => {
  return {
    resources: [
      {
        uri: JOURNAL,
        name: 'Journal of today',
        mimeType: 'text/plain',
      },
    ],
  };
});

server.setRequestHandler(ReadResourceRequestSchema, async (request) => {
  const uri = request.params.uri;

  if (uri === JOURNAL) {
    const journal = await readJournal();
    return {
      contents: [
        {
          uri,
          mimeType: 'text/plain',
          text: journal,
        },
      ],
    };
  }

  throw new Error('no such entry');
});

await server.connect(new StdioServerTransport());
