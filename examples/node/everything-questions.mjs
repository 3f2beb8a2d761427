// Tools of everything-server.mjs that ask the client and wait for the answer inside the
// function. The same code works on every revision: on 2026-07-28 the call is parked until
// the client calls again.

import { CreateMessageResultSchema, ElicitResultSchema } from 'mcpbolt/types.js';
import { z } from 'zod';
import { text, textOf } from './common.mjs';

async function sample(extra, prompt) {
  const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
  const params = { messages, maxTokens: 100 };
  const answer = await extra.sendRequest({ method: 'sampling/createMessage', params }, CreateMessageResultSchema);
  return text(`LLM response: ${textOf(answer.content)}`);
}

async function elicit(extra, message, properties, required) {
  const params = { message, requestedSchema: { type: 'object', properties, ...(required && { required }) } };
  const answer = await extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);
  return text(`Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
}

const CONTACT = {
  username: { type: 'string', description: 'Your name' },
  email: { type: 'string', description: 'Your address', format: 'email' },
};

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const PLAIN = ['option1', 'option2', 'option3'];
const TITLES = { value1: 'First option', value2: 'Second option', value3: 'Third option' };
const TITLED = Object.entries(TITLES).map(([value, title]) => ({ const: value, title }));

const CHOICES = {
  untitledSingle: { type: 'string', enum: PLAIN },
  titledSingle: { type: 'string', oneOf: TITLED },
  legacyEnum: { type: 'string', enum: Object.keys(TITLES), enumNames: Object.values(TITLES) },
  untitledMulti: { type: 'array', items: { type: 'string', enum: PLAIN } },
  titledMulti: { type: 'array', items: { anyOf: TITLED } },
};

/**
 * Adds the tools.
 *
 * @param {import('mcpbolt/server/mcp.js').McpServer} mcp
 * @param {(extra: any, data: string) => Promise<void>} log
 */
export function offerQuestions(mcp, log) {
  mcp.registerTool(
    'test_sampling',
    { description: "Asks the client's model.", inputSchema: { prompt: z.string().describe('What the model is told.') } },
    ({ prompt }, extra) => sample(extra, prompt),
  );

  mcp.registerTool(
    'test_missing_capability',
    { description: 'Needs a client that samples; tells others what is missing.' },
    (extra) => sample(extra, 'Are you there?'),
  );

  mcp.registerTool(
    'test_elicitation',
    {
      description: 'Asks the person for name and address.',
      inputSchema: { message: z.string().describe('What the person is asked.') },
    },
    ({ message }, extra) => elicit(extra, message, CONTACT, Object.keys(CONTACT)),
  );

  mcp.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'Asks with a form whose fields have defaults.' },
    (extra) => elicit(extra, 'Please review your details', DEFAULTS),
  );

  mcp.registerTool('test_elicitation_sep1330_enums', { description: 'Asks with a form of choices.' }, (extra) =>
    elicit(extra, 'Please choose', CHOICES, Object.keys(CHOICES)),
  );

  mcp.registerTool('test_streaming_elicitation', { description: 'Logs, then asks the person.' }, async (extra) => {
    await log(extra, 'about to ask');
    return elicit(extra, 'Please confirm', { ok: { type: 'boolean' } }, ['ok']);
  });
}
