// A server on the npm package fastmcp, which stands on the official 1.x package.
//
//   node fastmcp-server.mjs          stdio
//   node fastmcp-server.mjs PORT     Streamable HTTP at /mcp, HTTP+SSE at /sse

import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const server = new FastMCP({ name: 'on-fastmcp', version: '1.0.0' });

server.addTool({
  name: 'echo',
  description: 'Says it again, after reporting progress.',
  parameters: z.object({ message: z.string() }),
  execute: async ({ message }, { log, reportProgress }) => {
    log.info('called');
    await reportProgress({ progress: 1, total: 1 });
    return `again: ${message}`;
  },
});

server.addResource({
  uri: 'file:///words.txt',
  name: 'words',
  mimeType: 'text/plain',
  load: async () => ({ text: 'some words' }),
});

server.addPrompt({
  name: 'greet',
  arguments: [{ name: 'who', required: true }],
  load: async ({ who }) => `Greet ${who}`,
});

const [port] = process.argv.slice(2);
await server.start(
  port === undefined
    ? { transportType: 'stdio' }
    : { transportType: 'httpStream', httpStream: { port: Number(port), host: '127.0.0.1' } },
);
