import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';

const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'node', args: ['schema_server.mjs'] }));
const { content } = await client.callTool({ name: 'add', arguments: { a: 1 } });
console.log(content[0].text);
await client.close();
