import { Client } from 'mcpbolt/client/index.js';

const client = new Client({ name: 'example', version: '1.0.0' });
console.log(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }));
