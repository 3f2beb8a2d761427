import { Client } from 'mcpbolt/client/index.js';

const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect('http://127.0.0.1:3000/mcp');
console.log(await client.listTools());
