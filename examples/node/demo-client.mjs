// Takes the steps of `cargo xtask demo` with a notes server, and prints how each went: a
// line per step, its parts separated by tabs; then how many milliseconds a call takes.
//
// Shows: what a client can do with a server, in either era, with the same code.
//
//     node examples/node/demo-client.mjs --folder ./notes -- node examples/node/notes-server.mjs ./notes

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Client } from 'mcpbolt/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  McpError,
  ResourceUpdatedNotificationSchema,
} from 'mcpbolt/types.js';
import { fillIn, textOf } from './common.mjs';
import { clientArguments, target } from './reaching.mjs';

// The note the steps work on, and its text.
const NOTE = 'demo.txt';
const URI = 'note:///demo.txt';
const TEXT = 'Buy green tea.';
/** Longest wait for a notification, in milliseconds. */
const SOON = 10_000;
/** How many calls are timed. */
const CALLS = 20;
/** What a server answers for a resource it does not have, and for params that make no sense. */
const NOT_THERE = [-32002, -32602];

const given = clientArguments({
  // auto, legacy or a revision
  mode: { type: 'string', default: 'auto' },
  // what the server is expected to speak
  revision: { type: 'string' },
  // where the server's notes are
  folder: { type: 'string', default: 'notes' },
});
const folder = resolve(given.folder);
const updates = new EventTarget();

const client = new Client(
  { name: 'mcpbolt-demo-node', version: '1.0.0' },
  { protocol: given.mode, capabilities: { elicitation: {}, sampling: {}, roots: { listChanged: true } } },
);
client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
  action: 'accept',
  ...('requestedSchema' in params && { content: fillIn(params.requestedSchema) }),
}));
client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
  const words = `In short: ${textOf(params.messages[0].content)}`;
  return { role: 'assistant', model: 'scripted', content: { type: 'text', text: words } };
});
client.setRequestHandler(ListRootsRequestSchema, () => ({
  roots: [{ uri: pathToFileURL(folder).href, name: 'notes' }],
}));
client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
  updates.dispatchEvent(new CustomEvent('updated', { detail: params.uri }));
});

/** What was seen, if the condition holds. */
function holds(condition, seen) {
  if (!condition) throw new Error(`unexpected: ${seen}`);
  return seen;
}

/** The words of an answer that must not be a failure. */
async function words(name, args = {}) {
  const result = await client.callTool({ name, arguments: args });
  return holds(result.isError !== true, textOf(result.content));
}

/** The error of what must fail. */
async function refused(work, otherwise) {
  try {
    await work;
  } catch (error) {
    if (error instanceof McpError) return error;
    throw error;
  }
  throw new Error(otherwise);
}

/** The next resource that the server says has changed. */
function nextUpdate() {
  return new Promise((done, failed) => {
    updates.addEventListener('updated', (event) => done('detail' in event && event.detail), { once: true });
    AbortSignal.timeout(SOON).addEventListener('abort', () => failed(new Error('nothing was told')));
  });
}

const STEPS = {
  async 'who is there'() {
    const name = client.getServerVersion()?.name;
    const revision = client.session?.info.protocolVersion;
    const expected = given.revision === undefined || given.revision === revision;
    return holds(name === 'mcpbolt-notes' && expected, `${name}, revision ${revision}`);
  },

  async 'list the tools'() {
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    return holds(names.includes('write_note') && names.length === 7, names.join(', '));
  },

  async 'write a note'() {
    const said = await words('write_note', { name: NOTE, text: TEXT });
    return holds(said === 'Wrote a new note.', said);
  },

  async 'structured answer'() {
    const { structuredContent } = await client.callTool({ name: 'list_notes' });
    return holds(isDeepStrictEqual(structuredContent, { notes: [NOTE] }), JSON.stringify(structuredContent));
  },

  async 'list and read resources'() {
    const { resources } = await client.listResources();
    holds(resources.some(({ uri }) => uri === URI), `${URI} is not listed`);
    const [read] = (await client.readResource({ uri: URI })).contents;
    const words = 'text' in read ? read.text : '(bytes)';
    return holds(words === TEXT, `${URI}: ${words}`);
  },

  async 'subscribe and be told'() {
    await client.subscribeResource({ uri: URI });
    const update = nextUpdate();
    await words('write_note', { name: NOTE, text: TEXT });
    const uri = await update;
    await client.unsubscribeResource({ uri: URI });
    return holds(uri === URI, `${uri} changed`);
  },

  async progress() {
    const seen = [];
    const call = { name: 'search_notes', arguments: { query: 'TEA' } };
    const result = await client.callTool(call, undefined, { onprogress: ({ progress }) => seen.push(progress) });
    const said = textOf(result.content);
    return holds(isDeepStrictEqual(seen, [1]) && said.includes(NOTE), `${seen.length} report, then ${said}`);
  },

  async prompt() {
    const { messages } = await client.getPrompt({ name: 'improve_note', arguments: { name: NOTE, tone: 'formal' } });
    const first = textOf(messages[0].content);
    return holds(messages.length === 2 && first.includes('formal'), first);
  },

  async completion() {
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'improve_note' },
      argument: { name: 'name', value: 'de' },
    });
    const { values } = completion;
    return holds(isDeepStrictEqual(values, [NOTE]), `de → ${values.join(', ')}`);
  },

  async sampling() {
    const said = await words('summarize_note', { name: NOTE });
    return holds(said === `In short: ${TEXT}`, said);
  },

  async roots() {
    const said = await words('check_roots');
    return holds(said.includes(folder), said);
  },

  async 'refuse other folders'() {
    const result = await client.callTool({ name: 'read_note', arguments: { name: '../secret' } });
    const said = textOf(result.content);
    holds(result.isError === true, `it was read: ${said}`);
    const read = client.readResource({ uri: 'note:///..%2Fsecret' });
    const error = await refused(read, 'a resource outside the folder was read');
    return holds(NOT_THERE.includes(error.code), said);
  },

  async 'refuse unknown tools'() {
    const error = await refused(client.callTool({ name: 'no_such_tool' }), 'it was called');
    return holds(error.code === -32602, error.message);
  },

  async elicitation() {
    const said = await words('delete_note', { name: NOTE });
    return holds(said === `Deleted ${NOTE}.`, said);
  },
};

/** The median of some calls, one after the other, in milliseconds. */
async function callTime() {
  const took = [];
  while (took.length < CALLS) {
    const begun = performance.now();
    await words('list_notes');
    took.push(performance.now() - begun);
  }
  return took.sort((a, b) => a - b)[CALLS / 2];
}

await client.connect(target(given.server));
for (const [name, step] of Object.entries(STEPS)) {
  let verdict = 'ok';
  const said = await step().catch((error) => {
    verdict = 'FAILED';
    process.exitCode = 1;
    return error.message;
  });
  console.log([verdict, name, said.replace(/\s+/g, ' ')].join('\t'));
}
console.log(`call\t${(await callTime()).toFixed(3)}`);
await client.close();
