// mcp-use, as its documentation has it: with its sessions in Redis, or in its own memory.
import { createRequire } from 'node:module';
import { SETTINGS } from './settings.mjs';

// As it is deployed: otherwise it looks for pages to build, and says home that it runs.
process.env.NODE_ENV = 'production';
process.env.MCP_USE_ANONYMIZED_TELEMETRY = 'false';

// Its packages are in a folder of their own: they would bring another line of the official package.
const require = createRequire(`${process.env.MCPBOLT_BENCH_MCP_USE}/`);
const { MCPServer, RedisSessionStore, RedisStreamManager, text } = require('mcp-use/server');
const { z } = require('zod');

async function shared(url) {
  const client = require('redis').createClient({ url });
  const pubSubClient = client.duplicate();
  await Promise.all([client.connect(), pubSubClient.connect()]);
  return {
    sessionStore: new RedisSessionStore({ client }),
    streamManager: new RedisStreamManager({ client, pubSubClient }),
  };
}

const stores = SETTINGS.stores ? await shared(SETTINGS.stores) : {};
const server = new MCPServer({ name: 'bench', version: '1', host: SETTINGS.host, ...stores });
server.tool(
  { name: 'echo', description: 'Says what it was told.', schema: z.object({ text: z.string() }) },
  async (told) => text(told.text),
);
await server.listen(SETTINGS.port);
