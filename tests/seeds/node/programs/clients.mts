// Two clients: of a server that is a program, and of one over the older HTTP transport.
// Print what they found.

import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';

async function ofProgram(command: string, args: string[]) {
  const client = new Client(
    {
      name: 'seed-client',
      version: '0.1.0',
    },
    {
      capabilities: {},
    },
  );

  const transport = new StdioClientTransport({
    command,
    args,
  });
  await client.connect(transport);
  return client;
}

async function overSse(url: string) {
  const client = new Client(
    {
      name: 'seed-client',
      version: '0.1.0',
    },
    {
      capabilities: {},
    },
  );

  const transport = new SSEClientTransport(new URL(url));
  await client.connect(transport);
  return client;
}

const [first, ...rest] = process.argv.slice(2);
const client = first.startsWith('http:') ? await overSse(first) : await ofProgram(first, rest);
const { resources } = await client.listResources();
console.log(`${client.getServerVersion().name}: ${resources.map(({ name }) => name).join(', ')}`);
await client.close();
