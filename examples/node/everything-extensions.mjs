// A server with the extensions of 2026-07-28: what the conformance suites call.
//
// Shows: tools whose calls go on as tasks (see everything-tasks.mjs) and the skills of a folder, on one
// server that stays. Written against the 2.x API, whose servers end with their request elsewhere.
//
//     node examples/node/everything-extensions.mjs --http 127.0.0.1:3000

import { fileURLToPath } from 'node:url';
import { listen } from 'mcpbolt/server/http.js';
import { McpServer, UrlElicitationRequiredError } from 'mcpbolt/v2/server';
import { loadSkills } from 'mcpbolt/v2/server/ext/skills/node';
import { beginTask } from 'mcpbolt/v2/server/ext/tasks';
import { z } from 'zod';
import { text } from './common.mjs';
import { offerTasks } from './everything-tasks.mjs';
import { serverArguments } from './serving.mjs';

const { http = '127.0.0.1:3000' } = serverArguments();
const [, host, port] = /^(.*):(\d+)$/.exec(http) ?? [];
if (host === undefined) throw new Error(`--http is HOST:PORT, not ${http}`);

const mcp = new McpServer({ name: 'mcpbolt-extensions', version: '1.0.0' }, { engine: { 'tasks.poll_interval': 0.1 } });

mcp.registerTool(
  'greet',
  { description: 'Greets at once.', inputSchema: z.object({ name: z.string() }) },
  ({ name }) => text(`Hello, ${name}!`),
);

/** What a tool of 2.x is given. @param {any} ctx @returns {import('./everything-tasks.mjs').Call} */
const callOf = (ctx) => ({
  signal: ctx.mcpReq.signal,
  answers: ctx.mcpReq.inputResponses,
  elicit: ctx.mcpReq.elicitInput,
  begin: () => beginTask(ctx),
});
offerTasks(mcp, callOf, UrlElicitationRequiredError);

const folder = fileURLToPath(new URL('../skills', import.meta.url));
const skills = await loadSkills(folder, { cacheHint: { ttlMs: 60_000, cacheScope: 'public' } });
skills.attach(mcp);

const listener = await listen(mcp, { host: host.replace(/^\[|\]$/g, ''), port: Number(port) });
console.error(`Serving HTTP on ${listener.url}`);
