import { Client } from 'mcpbolt/client/index.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';

const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
console.log(await client.listTools());
await client.close();
