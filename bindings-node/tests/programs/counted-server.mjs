// A server that counts what its process has; on standard streams.
import { readdirSync } from 'node:fs';
import v8 from 'node:v8';
import vm from 'node:vm';
import { Server } from 'mcpbolt/server/index.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { CallToolRequestSchema } from 'mcpbolt/types.js';
import { open } from '../support/engine.mjs';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');

/** Memory, descriptors, threads, and what is open. */
export async function counts() {
  for (let round = 0; round < 4; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const size = (folder) => readdirSync(`/proc/self/${folder}`).length;
  return { memory: process.memoryUsage().rss, descriptors: size('fd'), threads: size('task'), ...open() };
}

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

/** Tools: `echo`, `plain` without a promise, `fail`, `ask`, `tell`, `late`, `count`, `old`. */
export function countedServer() {
  const server = new Server({ name: 'counted', version: '1' }, { capabilities: { tools: {}, logging: {} } });
  const tools = {
    echo: async ({ text: value }) => text(value),
    plain: ({ text: value }) => text(value),
    fail: async ({ text: value }) => Promise.reject(new Error(value)),
    ask: async ({ text: value }) => text(`${(await server.listRoots()).roots.length} ${value}`),
    tell: async ({ text: value }, extra) => {
      await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: value } });
      return text(extra.signal.aborted ? '' : `${extra.requestId === undefined} ${value}`);
    },
    // Starts the engine's clock, which has a thread.
    late: async () => server.request({ method: 'ping' }, { parse: (value) => value }, { timeout: 1 }).catch((error) => text(error.kind)),
    old: () => text(v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space').space_used_size),
    count: async () => text(JSON.stringify(await counts())),
  };
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => tools[params.name](params.arguments, extra));
  return server;
}

if (process.argv[2] === 'stdio') await countedServer().connect(new StdioServerTransport());
