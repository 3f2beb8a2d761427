// A server on mcpbolt with the tool and the page of an example of @modelcontextprotocol/ext-apps. The
// page is the file that the example is published with, unmodified.
//
//   node example-server.mjs PAGE     the path of mcp-app.html

import { readFileSync } from 'node:fs';
import { McpServer } from 'mcpbolt/v2/server';
import { serveStdio } from 'mcpbolt/v2/server/stdio';
import { z } from 'zod';

const PAGE = 'ui://get-time/mcp-app.html';
const TYPE = 'text/html;profile=mcp-app';
const html = readFileSync(process.argv[2], 'utf8');
const config = { title: 'Get Time', inputSchema: z.object({}), outputSchema: z.object({ time: z.string() }), _meta: { ui: { resourceUri: PAGE } } };

serveStdio(() => {
  const server = new McpServer({ name: 'example', version: '1.0.0' }, { capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} } } });
  let calls = 0;
  server.registerTool('get-time', config, () => {
    const time = `12:0${(calls += 1)}`;
    return { content: [{ type: 'text', text: time }], structuredContent: { time } };
  });
  server.registerResource('page', PAGE, { mimeType: TYPE }, () => ({ contents: [{ uri: PAGE, mimeType: TYPE, text: html }] }));
  return server;
});
