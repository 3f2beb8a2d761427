// Our client, as its users would write it.
import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { run, settings } from './load.mjs';

const given = settings();
const [command, ...args] = given.command;
const client = new Client({ name: 'bench', version: '1' }, given.modern ? { protocol: 'modern' } : {});
await client.connect(
  given.url ? new StreamableHTTPClientTransport(new URL(given.url)) : new StdioClientTransport({ command, args }),
);
await run(given, (text) => client.callTool({ name: 'echo', arguments: { text } }));
await client.close();
