// A node of a fleet, on Node: `node.mjs NAME PORT STORES`.

import { McpServer } from 'mcpbolt/server/mcp.js';
import { openSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const [name, port, stores] = process.argv.slice(2);
const server = new McpServer({ name: 'fleet', version: '1.0.0' }, { stores });
// A line for each run of `echo`, which is there also when the node is killed.
const runs = openSync(process.env.FLEET_RUNS, 'a');
const text = (said) => ({ content: [{ type: 'text', text: said }] });

server.registerTool('echo', { description: 'Says it again, and who says it', inputSchema: { text: z.string() } }, (given) => {
  writeSync(runs, `${given.text}\n`);
  return text(`${name}:${given.text}`);
});

const slow = { description: 'Counts slowly', inputSchema: { to: z.number().int(), pause_ms: z.number().int() } };
server.registerTool('count', slow, async ({ to, pause_ms: milliseconds }, extra) => {
  const progressToken = extra._meta?.progressToken;
  for (let progress = 1; progress <= to; progress++) {
    await pause(milliseconds);
    if (progressToken === undefined) continue;
    await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: to } });
  }
  return text(`counted to ${to}`);
});

await server.listen({ port: Number(port), health: '/healthz' });
