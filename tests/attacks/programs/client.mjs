// The client that is attacked, on Node: `node client.mjs URL`, or `node client.mjs -- COMMAND ARGS`.
// Calls what `ATTACKED` says, all at once, and prints how each call ended.

import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';

const told = JSON.parse(process.env.ATTACKED ?? '{}');
const BEAT = 20;
const [first, command, ...args] = process.argv.slice(2);
const transport = first === '--' ? new StdioClientTransport({ command, args }) : new StreamableHTTPClientTransport(new URL(first));

async function call(client, tool) {
  const started = performance.now();
  let error = null;
  try {
    await client.callTool({ name: tool, arguments: { text: 'x'.repeat(told.bytes ?? 0) } });
  } catch (failed) {
    error = String(failed).slice(0, 120);
  }
  return { tool, error, seconds: (performance.now() - started) / 1000 };
}

// The longest time that the loop did nothing else.
let stalled = 0;
let last = performance.now();

const client = new Client({ name: 'attacked', version: '1.0.0' });
await client.connect(transport);
await client.listTools();
last = performance.now();
const beating = setInterval(() => {
  const now = performance.now();
  stalled = Math.max(stalled, now - last - BEAT);
  last = now;
}, BEAT);
const calls = await Promise.all(told.calls.map((tool) => call(client, tool)));
clearInterval(beating);
console.log(JSON.stringify({ calls, stalled: Math.round(stalled) }));
await client.close();
