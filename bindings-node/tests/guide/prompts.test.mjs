// Chapter prompts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, listened } from './support.mjs';

// [guide]
import { completable } from 'mcpbolt/server/completable.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';

const server = new McpServer({ name: 'notes', version: '1.0.0' });
const tones = ['clear', 'formal', 'friendly', 'short'];

server.registerPrompt(
  'improve_note',
  {
    description: 'Asks for a better wording of a note',
    argsSchema: {
      text: z.string(),
      tone: completable(z.string().optional().describe('For example friendly or formal'), (typed = '') =>
        tones.filter((tone) => tone.startsWith(typed.toLowerCase())),
      ),
    },
  },
  ({ text, tone = 'clear' }) => ({
    messages: [
      { role: 'user', content: { type: 'text', text: `Rewrite this note in a ${tone} tone. Keep every fact.` } },
      { role: 'user', content: { type: 'text', text } },
    ],
  }),
);
// [end]

// [guide]
/** @param {import('mcpbolt/client/index.js').Client} client connected */
async function pick(client) {
  const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'improve_note' },
    argument: { name: 'tone', value: 'f' },
  });
  console.log(completion.values.join(', '));
  const given = { text: 'buy milk', tone: 'formal' };
  const { messages } = await client.getPrompt({ name: 'improve_note', arguments: given });
  return messages.map(({ role, content }) => `${role}: ${content.type === 'text' ? content.text : '…'}`);
}
// [end]

test('a prompt is completed and filled in', async () => {
  const client = await connected(server);
  const { result, lines } = await listened(() => pick(client));
  assert.deepEqual(result, ['user: Rewrite this note in a formal tone. Keep every fact.', 'user: buy milk']);
  assert.deepEqual(lines, ['formal, friendly']);
  const [prompt] = (await client.listPrompts()).prompts;
  assert.deepEqual(prompt.arguments?.map(({ name, required }) => [name, required]), [['text', true], ['tone', false]]);
});
