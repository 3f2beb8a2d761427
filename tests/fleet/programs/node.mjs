// A node of a fleet, on Node: `node.mjs NAME PORT STORES`.

import { McpServer, ResourceTemplate } from 'mcpbolt/server/mcp.js';
import { openSync, writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const [name, port, stores] = process.argv.slice(2);
const server = new McpServer({ name: 'fleet', version: '1.0.0' }, { stores });
const runs = openSync(process.env.FLEET_RUNS, 'a');
// A line for what is run, which is there also when the node is killed.
const note = (what) => writeSync(runs, `${what}\n`);
const text = (said) => ({ content: [{ type: 'text', text: said }] });

server.registerTool('echo', { description: 'Says it again, and who says it', inputSchema: { text: z.string() } }, (given) => {
  note(given.text);
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

async function look(what) {
  note(`${name} looks at ${what}`);
  await pause(500);
  return `${name}:${what}`;
}

const looked = {
  description: 'Looks at it for a while',
  inputSchema: { text: z.string() },
  annotations: { readOnlyHint: true },
};
server.registerTool('look', looked, async (given) => text(await look(given.text)));
const template = new ResourceTemplate('fleet://look/{text}', { list: undefined });
server.registerResource('look', template, {}, async (uri, variables) => ({
  contents: [{ uri: uri.href, text: await look(variables.text) }],
}));

await server.listen({ port: Number(port), health: '/healthz' });
