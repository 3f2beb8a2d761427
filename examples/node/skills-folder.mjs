// A server of skills: folders with instructions that a host loads when it needs them.
//
// Shows: publishing a folder with one call, and one HTTP endpoint for clients of either era.
// Written against the 2.x API; `@modelcontextprotocol/server` works the same.
//
//     node examples/node/skills-folder.mjs --http 127.0.0.1:3000

import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { toNodeHandler } from 'mcpbolt/v2/node';
import { createMcpHandler, McpServer } from 'mcpbolt/v2/server';
import { loadSkills } from 'mcpbolt/v2/server/ext/skills/node';
import { serverArguments } from './serving.mjs';

const { http = '127.0.0.1:3000' } = serverArguments();
const skills = await loadSkills(fileURLToPath(new URL('../skills', import.meta.url)), {
  cacheHint: { ttlMs: 60_000, cacheScope: 'public' },
});

const handler = createMcpHandler(() => {
  const mcp = new McpServer({ name: 'skills', version: '1.0.0' });
  skills.attach(mcp);
  return mcp;
});

const address = /^(.*):(\d+)$/.exec(http);
if (address === null) throw new Error(`--http is HOST:PORT, not ${http}`);
const [, host, port] = address;
createServer(toNodeHandler(handler)).listen(Number(port), host, () => {
  console.error(`Serving ${skills.entries.length} skills on http://${http}/mcp`);
});
