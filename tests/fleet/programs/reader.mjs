// Our client of Node, 2.x: `reader.mjs URL`, then a line for each read.

import { Client, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { createInterface } from 'node:readline';

const client = new Client({ name: 'fleet', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
for await (const text of createInterface({ input: process.stdin })) {
  const { contents } = await client.readResource({ uri: `fleet://look/${text}` });
  console.log(contents[0].text);
}
await client.close();
