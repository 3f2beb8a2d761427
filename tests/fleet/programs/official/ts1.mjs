// The official TypeScript client 1.x: `ts1.mjs URL`, then a line for each call.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createInterface } from 'node:readline';

const client = new Client({ name: 'fleet', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
for await (const text of createInterface({ input: process.stdin })) {
  const { content } = await client.callTool({ name: 'echo', arguments: { text } });
  console.log(content[0].text);
}
await client.close();
