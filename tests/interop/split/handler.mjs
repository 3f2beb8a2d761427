// A server on the npm package mcp-handler, which makes a handler of web requests.
//
//   node handler.mjs PORT        Streamable HTTP at every path

import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from 'mcp-handler';
import { z } from 'zod';

const handler = createMcpHandler(
  (server) => {
    server.registerTool('echo', { description: 'Says it again.', inputSchema: z.object({ message: z.string() }) }, async ({ message }) => ({
      content: [{ type: 'text', text: `again: ${message}` }],
    }));
    server.registerTool('fails', {}, async () => {
      throw new Error('broken');
    });
    server.registerResource('words', 'test://words', { mimeType: 'text/plain' }, (uri) => ({ contents: [{ uri: uri.href, text: 'some words' }] }));
    server.registerPrompt('greet', { argsSchema: z.object({ who: z.string() }) }, ({ who }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}` } }],
    }));
  },
  { serverInfo: { name: 'on-mcp-handler', version: '1.0.0' } },
);
createServer(toNodeHandler({ fetch: handler })).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
