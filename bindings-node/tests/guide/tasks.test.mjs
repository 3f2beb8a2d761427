// Chapter tasks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { listened } from './support.mjs';

// [guide]
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

// With the option stores: 'file:tasks.redb' tasks are kept when the process ends.
const server = new McpServer({ name: 'reports', version: '1.0.0' });

server.registerTool(
  'report',
  { description: 'Writes the report of a year', inputSchema: { year: z.number() }, task: 'optional' },
  async ({ year }) => ({ content: [{ type: 'text', text: `The report of ${year}.` }] }),
);

server.registerTool(
  'summary',
  { description: 'Sums years up', inputSchema: { years: z.array(z.number()) } },
  async ({ years }, extra) => {
    if (years.length > 3) await server.beginTask(extra);
    return { content: [{ type: 'text', text: `${years.length} years.` }] };
  },
);
// [end]

// [guide]
import { Client } from 'mcpbolt/v2/client';
import { Task, TasksClient } from 'mcpbolt/v2/client/ext/tasks';

const client = new Client({ name: 'desk', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
const tasks = new TasksClient(client); // before connect

/** @param {import('mcpbolt/v2/client').Transport} transport */
async function read(transport) {
  await client.connect(transport);
  // Goes on until the task is over; what it asks goes to the client's handlers.
  const { content } = await client.callTool({ name: 'report', arguments: { year: 2025 } });
  console.log(content[0]?.type === 'text' && content[0].text);

  // Or hold the task.
  const started = await tasks.startTool({ name: 'report', arguments: { year: 2026 } });
  return started instanceof Task ? tasks.task(started.id).wait() : started;
}
// [end]

test('a call becomes a task that is waited for or held', async () => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const { result, lines } = await listened(() => read(ours));
  assert.deepEqual(result.content, [{ type: 'text', text: 'The report of 2026.' }]);
  assert.deepEqual(lines, ['The report of 2025.']);
  const long = await tasks.startTool({ name: 'summary', arguments: { years: [1, 2, 3, 4] } });
  assert.ok(long instanceof Task);
  assert.deepEqual((await long.wait()).content, [{ type: 'text', text: '4 years.' }]);
  await client.close();
});
