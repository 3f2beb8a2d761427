import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';

const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'node', args: ['server.mjs'] }));
const { content } = await client.callTool({ name: 'divide', arguments: { a: 1, b: 0 } });
console.log(content[0].text);
await client.close();
