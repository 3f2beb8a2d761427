// The official client 2.4.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { run, settings } from './load.mjs';

const given = settings();
const [command, ...args] = given.command;
const versionNegotiation = { mode: given.modern ? { pin: '2026-07-28' } : 'legacy' };
const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation });
await client.connect(
  given.url ? new StreamableHTTPClientTransport(new URL(given.url)) : new StdioClientTransport({ command, args }),
);
await run(given, (text) => client.callTool({ name: 'echo', arguments: { text } }));
await client.close();
