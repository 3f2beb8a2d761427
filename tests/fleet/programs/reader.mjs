// Our client of Node, 2.x: `reader.mjs WHAT URL`, then a line for each read (WHAT is `resource`), or for each call of a
// tool of which the server says that it may run twice (`tool`).

import { Client, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { createInterface } from 'node:readline';

const [what, url] = process.argv.slice(2);
const client = new Client({ name: 'fleet', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
await client.listTools();
for await (const text of createInterface({ input: process.stdin })) {
  const { content, contents } =
    what === 'tool'
      ? await client.callTool({ name: 'look', arguments: { text } })
      : await client.readResource({ uri: `fleet://look/${text}` });
  console.log((content ?? contents)[0].text);
}
await client.close();
