// The official client 1.32.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { run, settings } from './load.mjs';

const given = settings();
const [command, ...args] = given.command;
const client = new Client({ name: 'bench', version: '1' });
await client.connect(
  given.url ? new StreamableHTTPClientTransport(new URL(given.url)) : new StdioClientTransport({ command, args }),
);
await run(given, (text) => client.callTool({ name: 'echo', arguments: { text } }));
await client.close();
