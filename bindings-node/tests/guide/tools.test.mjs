// Chapter tools.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RejectedError } from 'mcpbolt/review.js';
import { connected, listened } from './support.mjs';

// [guide]
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const server = new McpServer({ name: 'weather', version: '1.0.0' });

server.registerTool(
  'current_weather',
  {
    description: 'The weather of a city, now',
    inputSchema: { city: z.string().describe('Name of a city, in English') },
    outputSchema: { temperature: z.number().describe('Degrees Celsius'), sky: z.string() },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  ({ city }) => {
    if (city !== 'Oslo') throw new Error(`There is no weather for ${city}; try Oslo.`);
    const weather = { temperature: 6, sky: 'clear' };
    return { content: [{ type: 'text', text: JSON.stringify(weather) }], structuredContent: weather };
  },
);
// [end]

// [guide]
const index = server.registerTool(
  'index',
  { description: 'Indexes files', inputSchema: { files: z.array(z.string()).max(1000) } },
  async ({ files }, extra) => {
    const progressToken = extra._meta?.progressToken;
    for (const [done, message] of files.entries()) {
      extra.signal.throwIfAborted(); // a cancelled call ends here
      // index the file here
      if (progressToken === undefined) continue;
      const params = { progressToken, progress: done + 1, total: files.length, message };
      await extra.sendNotification({ method: 'notifications/progress', params });
    }
    return { content: [{ type: 'text', text: `Indexed ${files.length} files.` }] };
  },
);

// Later, while clients are connected; each is told.
index.update({ description: 'Indexes files by their words' });
// [end]

// [guide]
import { Client } from 'mcpbolt/client/index.js';
import { askUnlessReadOnly } from 'mcpbolt/review.js';

const host = new Client(
  { name: 'host', version: '1.0.0' },
  {
    protocol: 'auto',
    trusted: true, // this server's annotations are believed
    reviewToolCall: askUnlessReadOnly(({ tool, arguments: given }) => {
      console.log(`Run ${tool} with ${JSON.stringify(given)}?`); // ask a person here
      return tool === 'index' ? 'allow' : { deny: 'nobody answered' };
    }),
  },
);

/** @param {Client} client connected */
async function useIt(client) {
  for (const tool of (await client.listTools()).tools) console.log(`${tool.name}: ${tool.description}`);
  const answer = await client.callTool({ name: 'index', arguments: { files: ['a.txt'] } }, undefined, {
    timeout: 20_000,
    onprogress: ({ progress, total }) => console.log(`${progress} of ${total}`),
  });
  if (answer.isError) console.log('the tool says no'); // show it to the model
  return answer.content;
}
// [end]

test('a host lists, asks, calls, and hears progress', async () => {
  const client = await connected(server, host);
  const { result, lines } = await listened(() => useIt(client));
  assert.deepEqual(result, [{ type: 'text', text: 'Indexed 1 files.' }]);
  assert.deepEqual(lines, [
    'current_weather: The weather of a city, now',
    'index: Indexes files by their words',
    'Run index with {"files":["a.txt"]}?',
    '1 of 1',
  ]);
  const warm = await client.callTool({ name: 'current_weather', arguments: { city: 'Oslo' } });
  assert.deepEqual(warm.structuredContent, { temperature: 6, sky: 'clear' });
  const cold = await client.callTool({ name: 'current_weather', arguments: { city: 'Atlantis' } });
  assert.equal(cold.isError, true);
  assert.match(JSON.stringify(cold.content), /try Oslo/);
  await listened(() => assert.rejects(client.callTool({ name: 'delete' }), RejectedError));
});
