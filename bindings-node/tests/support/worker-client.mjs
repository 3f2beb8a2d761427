// A thread that has a server: says its number, and waits for its own end.
import { parentPort } from 'node:worker_threads';
import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { fileURLToPath } from 'node:url';

const server = fileURLToPath(new URL('official-server.mjs', import.meta.url));
const transport = new StdioClientTransport({ command: process.execPath, args: [server], stderr: 'ignore' });
const client = new Client({ name: 'worker', version: '1' });
await client.connect(transport);
const { content } = await client.callTool({ name: 'echo', arguments: { text: 'from a thread' } });
parentPort.postMessage([transport.pid, content[0].text]);
