import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';

const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'node', args: ['server.mjs'] }));
await client.close();
console.log(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }));
await client.close();
