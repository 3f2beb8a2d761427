// A server with one of everything: what the conformance suites call.
//
// Shows: content of every kind, logging, progress, errors, questions to the client in both
// styles (waiting inside the function, and explicit rounds, see everything-rounds.mjs), tasks (see
// everything-tasks.mjs),
// resources, templates, prompts, completion, change notifications, a schema of its own.
//
//     node examples/node/everything-server.mjs --http 127.0.0.1:3000

import { setTimeout as pause } from 'node:timers/promises';
import { completable } from 'mcpbolt/server/completable.js';
import { McpServer, ResourceTemplate } from 'mcpbolt/server/mcp.js';
import { ElicitResultSchema, SubscribeRequestSchema, UnsubscribeRequestSchema, UrlElicitationRequiredError } from 'mcpbolt/types.js';
import { z } from 'zod';
import { text } from './common.mjs';
import { offerQuestions } from './everything-questions.mjs';
import { askForContext, offerRounds } from './everything-rounds.mjs';
import { offerTasks } from './everything-tasks.mjs';
import { serve, serverArguments } from './serving.mjs';

// One red pixel, and one silent sample.
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==';
/** Milliseconds between two messages. */
const STEP = 50;

const mcp = new McpServer(
  { name: 'mcpbolt-everything', version: '1.0.0' },
  {
    instructions: 'Call test_simple_text first; every tool says what it shows.',
    capabilities: {
      completions: {},
      logging: {},
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      tools: { listChanged: true },
    },
    // A model may try any name; a client's programmer wants to know.
    engine: { unknown_tool: 'error', 'tasks.poll_interval': 0.1 },
  },
);

/** @type {(name: string, description: string, run: import('mcpbolt/server/mcp.js').ToolCallback) => void} */
const tool = (name, description, run) => mcp.registerTool(name, { description }, run);

// Content

/** @import { ContentBlock } from 'mcpbolt/types.js' */
/** @type {ContentBlock} */
const picture = { type: 'image', data: PNG, mimeType: 'image/png' };
/** @type {(uri: string, mimeType: string, words: string) => ContentBlock} */
const embedded = (uri, mimeType, words) => ({ type: 'resource', resource: { uri, mimeType, text: words } });

tool('test_simple_text', 'Answers with text.', () => text('This is a simple text response for testing.'));

tool('test_image_content', 'Answers with a picture.', () => ({ content: [picture] }));

tool('test_audio_content', 'Answers with sound.', () => ({
  content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
}));

tool('test_embedded_resource', 'Answers with a resource.', () => ({
  content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
}));

tool('test_multiple_content_types', 'Answers with three kinds.', () => ({
  content: [
    { type: 'text', text: 'Multiple content types test:' },
    picture,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
}));

tool('test_error_handling', 'Always fails, in a way the model sees.', () => {
  throw new Error('This tool intentionally returns an error for testing');
});

mcp.registerTool(
  'greet',
  { description: 'Greets.', inputSchema: { name: z.string().describe('Who is greeted.') } },
  ({ name }) => text(`Hello, ${name}!`),
);

mcp.registerTool(
  'test_x_mcp_header',
  {
    description: 'Takes an argument that HTTP clients repeat in a header (2026-07-28).',
    inputSchema: { value: z.string().default('').meta({ description: 'Any text', 'x-mcp-header': 'Value' }) },
  },
  ({ value }) => text(`value: ${value}`),
);

// What no schema library can say is said in JSON Schema itself.
mcp.registerTool(
  'json_schema_2020_12_tool',
  {
    description: 'Has a schema with keywords of JSON Schema 2020-12.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
  },
  (given) => text(`Accepted: ${JSON.stringify(given)}`),
);

// Saying something while it runs

const log = (extra, data) => extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data } });

tool('test_tool_with_logging', 'Logs three times.', async (extra) => {
  await log(extra, 'Tool execution started');
  await pause(STEP);
  await log(extra, 'Tool processing data');
  await pause(STEP);
  await log(extra, 'Tool execution completed');
  return text('Tool with logging executed successfully');
});

tool('test_tool_with_progress', 'Reports progress three times.', async (extra) => {
  const progressToken = extra._meta?.progressToken;
  for (const [half, message] of ['started', 'half way', 'done'].entries()) {
    const progress = 50 * half;
    if (progress > 0) await pause(STEP);
    if (progressToken === undefined) continue;
    await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 100, message } });
  }
  return text('Tool with progress executed successfully');
});

tool('test_logging_tool', 'Logs once, if the client wants it.', async (extra) => {
  await log(extra, 'test_logging_tool was called');
  return text('Logged.');
});

tool('test_reconnection', 'Closes its stream and goes on.', async (extra) => {
  // The client comes back for the rest (2025-11-25 over HTTP).
  extra.closeSSEStream?.();
  await pause(2 * STEP);
  return text('Reconnection test completed successfully');
});

tool('test_trigger_tool_change', 'Says that the tool list changed.', () => {
  mcp.sendToolListChanged();
  return text('Announced a change of the tools.');
});

tool('test_trigger_prompt_change', 'Says that the prompt list changed.', () => {
  mcp.sendPromptListChanged();
  return text('Announced a change of the prompts.');
});

offerQuestions(mcp, log);
offerRounds(mcp);

/** What a tool of 1.x is given. @param {any} extra @returns {import('./everything-tasks.mjs').Call} */
const callOf = (extra) => ({
  signal: extra.signal,
  answers: extra.inputResponses,
  elicit: (params) => extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema),
  begin: () => mcp.beginTask(extra),
});
offerTasks(mcp, callOf, UrlElicitationRequiredError);

// Resources

const contents = (uri, mimeType, words) => ({ contents: [{ uri: uri.href, mimeType, text: words }] });

mcp.registerResource(
  'static-text',
  'test://static-text',
  { description: 'A text that never changes.', mimeType: 'text/plain' },
  (uri) => contents(uri, 'text/plain', 'This is the content of the static text resource.'),
);

mcp.registerResource(
  'static-binary',
  'test://static-binary',
  { description: 'A picture that never changes.', mimeType: 'image/png' },
  (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: PNG }] }),
);

mcp.registerResource(
  'watched-resource',
  'test://watched-resource',
  { description: 'A text to subscribe to.', mimeType: 'text/plain' },
  (uri) => contents(uri, 'text/plain', 'This is a watched resource.'),
);

mcp.registerResource(
  'template-data',
  new ResourceTemplate('test://template/{id}/data', {
    list: undefined,
    complete: { id: (value) => ['123', '456'].filter((id) => id.startsWith(value)) },
  }),
  { description: 'Data by number.', mimeType: 'application/json' },
  (uri, { id }) => contents(uri, 'application/json', JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })),
);

// Clients may watch resources; who does is the engine's to know.
mcp.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
mcp.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));

// Prompts

/** @returns {import('mcpbolt/types.js').GetPromptResult} */
const says = (...blocks) => ({ messages: blocks.map((content) => ({ role: 'user', content })) });
const words = (said) => ({ type: 'text', text: said });

mcp.registerPrompt('test_simple_prompt', { description: 'A prompt without arguments.' }, () =>
  says(words('This is a simple prompt for testing.')),
);

const KNOWN = ['testValue1', 'testValue2', 'paris', 'party'];

mcp.registerPrompt(
  'test_prompt_with_arguments',
  {
    description: 'A prompt with two arguments.',
    argsSchema: {
      arg1: completable(z.string().describe('First argument'), (value) => KNOWN.filter((known) => known.startsWith(value))),
      arg2: z.string().describe('Second argument'),
    },
  },
  ({ arg1, arg2 }) => says(words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
);

mcp.registerPrompt(
  'test_prompt_with_embedded_resource',
  { description: 'A prompt that holds a resource.', argsSchema: { resourceUri: z.string().describe('URI of the resource') } },
  ({ resourceUri }) =>
    says(
      embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      words('Please process the embedded resource above.'),
    ),
);

mcp.registerPrompt('test_prompt_with_image', { description: 'A prompt that holds a picture.' }, () =>
  says(picture, words('Please analyze the image above.')),
);

mcp.registerPrompt('test_input_required_result_prompt', { description: 'A prompt that asks first.' }, (extra) => {
  const { context, asking } = askForContext(extra);
  return asking ?? says(words(`Use this context: ${context}`));
});

await serve(mcp, serverArguments().http);
