// A node of a fleet, on Node: `node.mjs NAME PORT STORES`.

import { McpServer } from 'mcpbolt/server/mcp.js';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const [name, port, stores] = process.argv.slice(2);
const server = new McpServer({ name: 'fleet', version: '1.0.0' }, { stores });
const text = (said) => ({ content: [{ type: 'text', text: said }] });

server.registerTool('echo', { description: 'Says it again, and who says it', inputSchema: { text: z.string() } }, (given) =>
  text(`${name}:${given.text}`),
);

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
