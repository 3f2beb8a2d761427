// Chapter debugging.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, listened } from './support.mjs';

// [guide]
import { Client } from 'mcpbolt/client/index.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { LoggingMessageNotificationSchema } from 'mcpbolt/types.js';

const server = new McpServer({ name: 'notes', version: '1.0.0' }, { capabilities: { logging: {} } });
server.server.onerror = (error) => console.error(error.message); // what belongs to no request

server.registerTool('work', { description: 'Tells the client what it does' }, async () => {
  await server.server.sendLoggingMessage({ level: 'warning', data: 'half way' });
  return { content: [{ type: 'text', text: 'done' }] };
});

const client = new Client({ name: 'example', version: '1.0.0' });
client.onerror = (error) => console.error(error.message);
client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
  console.log(`${params.level}: ${params.data}`);
});

async function tryIt() {
  client.session?.onStateChange((state) => console.error(`now ${state}`));
  await client.callTool({ name: 'work' });
  return client.session?.stats(); // counters; `listener.stats()` on the server's side
}
// [end]

test('a client hears what a tool says, and can count', async () => {
  await connected(server, client);
  const { result, lines } = await listened(tryIt);
  assert.deepEqual(lines, ['warning: half way']);
  assert.match(JSON.stringify(result), /tools\/call/);
});
