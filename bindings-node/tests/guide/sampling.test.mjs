// Chapter sampling.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, PROTOCOLS } from './support.mjs';

// [guide]
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const server = new McpServer({ name: 'library', version: '1.0.0' });

server.registerTool(
  'summarize',
  { description: "Summarizes a text with the client's model", inputSchema: { text: z.string() } },
  async ({ text }) => {
    // Asks the client whose call this is.
    const { content } = await server.server.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text } }],
      maxTokens: 200,
      systemPrompt: 'Summarize the text in one sentence.',
      modelPreferences: { hints: [{ name: 'small' }] },
    });
    return { content: [content] };
  },
);
// [end]

// [guide]
import { Client } from 'mcpbolt/client/index.js';
import { sampler } from 'mcpbolt/review.js';
import { CreateMessageRequestSchema } from 'mcpbolt/types.js';

/** @param {string} protocol */
function newClient(protocol) {
  const client = new Client({ name: 'host', version: '1.0.0' }, { protocol, capabilities: { sampling: {} } });
  client.setRequestHandler(
    CreateMessageRequestSchema,
    sampler({
      reviewRequest: (params) => (params.maxTokens <= 1_000 ? { allow: params } : 'reject'), // ask a person here
      models: [
        { name: 'small-1', cheapness: 0.9, speed: 0.9, intelligence: 0.4 },
        { name: 'large-1', cheapness: 0.2, speed: 0.3, intelligence: 0.9 },
      ],
      createMessage: (_params, model = 'none') => {
        const text = `In short: milk, says ${model}.`; // ask a model here
        return { role: 'assistant', model, content: { type: 'text', text } };
      },
      budget: { requestsPerMinute: 5, tokensPerSession: 50_000, maxTokens: 1_000 },
    }),
  );
  return client;
}
// [end]

for (const protocol of PROTOCOLS) {
  test(`a server borrows the client's model, ${protocol}`, async () => {
    const client = await connected(server, newClient(protocol));
    const { content } = await client.callTool({ name: 'summarize', arguments: { text: 'Buy milk.' } });
    assert.deepEqual(content, [{ type: 'text', text: 'In short: milk, says small-1.' }]);
  });
}

test('the sixth question in a minute is beyond the budget', async () => {
  const client = await connected(server, newClient('legacy'));
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => client.callTool({ name: 'summarize', arguments: { text: 'Buy milk.' } })),
  );
  assert.equal(answers.filter(({ isError }) => isError).length, 1);
});
