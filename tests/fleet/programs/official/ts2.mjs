// The official TypeScript client 2.x: `ts2.mjs URL`, then a line for each call.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createInterface } from 'node:readline';

const client = new Client({ name: 'fleet', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
for await (const text of createInterface({ input: process.stdin })) {
  const { content } = await client.callTool({ name: 'echo', arguments: { text } });
  console.log(content[0].text);
}
await client.close();
