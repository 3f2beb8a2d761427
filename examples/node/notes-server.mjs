// A server for notes: text files in one folder, and nothing outside it.
//
// Shows: tools with structured answers, resources that come and go, a template,
// subscriptions, prompts, completion, progress, and asking the client: a person
// (elicitation), its model (sampling), its roots.
//
//     node examples/node/notes-server.mjs ./notes
//     node examples/node/notes-server.mjs --http 127.0.0.1:3000 ./notes

import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { completable } from 'mcpbolt/server/completable.js';
import { McpServer, ResourceTemplate } from 'mcpbolt/server/mcp.js';
import { McpError, SubscribeRequestSchema, UnsubscribeRequestSchema } from 'mcpbolt/types.js';
import { z } from 'zod';
import { text, textOf } from './common.mjs';
import { Folder } from './notes-folder.mjs';
import { serve, serverArguments } from './serving.mjs';

/** What the protocol calls a resource that is not there. */
const NOT_THERE = -32002;
/** All notes' URIs begin with this. */
const PREFIX = 'note:///';
const TONES = ['clear', 'formal', 'friendly', 'short'];

const { http, positionals } = serverArguments();
const folder = new Folder(positionals[0] ?? 'notes');

const mcp = new McpServer(
  { name: 'mcpbolt-notes', version: '1.0.0' },
  {
    instructions: 'Notes are plain text, one file each. List them before you read or change one.',
    capabilities: { completions: {}, logging: {}, resources: { listChanged: true, subscribe: true } },
    engine: { unknown_tool: 'error' },
  },
);

const SAFE = { readOnlyHint: true, openWorldHint: false };
const REWRITES = { destructiveHint: true, idempotentHint: true, openWorldHint: false };
const DELETES = { destructiveHint: true, openWorldHint: false };
const name = z.string().describe('Name of the note.');

const uriOf = (note) => PREFIX + encodeURIComponent(note);
const startingWith = (known, value) => known.filter((each) => each.toLowerCase().startsWith(value.toLowerCase()));

/** An answer for programs, and the same for those that only read. */
const structured = (value) => ({ ...text(JSON.stringify(value)), structuredContent: value });

// Tools

mcp.registerTool(
  'list_notes',
  {
    description: 'Lists all notes.',
    outputSchema: { notes: z.array(z.string()).describe('Names of all notes.') },
    annotations: SAFE,
  },
  () => structured({ notes: folder.names() }),
);

mcp.registerTool(
  'read_note',
  { description: 'Reads a note.', inputSchema: { name }, annotations: SAFE },
  async (given) => text(await folder.read(given.name)),
);

mcp.registerTool(
  'search_notes',
  {
    description: 'Finds the notes that hold a text, with progress.',
    inputSchema: { query: z.string().describe('Text to look for; upper and lower case are the same.') },
    outputSchema: {
      notes: z.array(z.string()).describe('Names of the notes that hold the text.'),
      searched: z.number().int().describe('How many notes were read.'),
    },
    annotations: SAFE,
  },
  async ({ query }, extra) => {
    const names = folder.names();
    const notes = [];
    const progressToken = extra._meta?.progressToken;
    for (const [index, message] of names.entries()) {
      // A client that cancels ends this here.
      extra.signal.throwIfAborted();
      if ((await folder.read(message)).toLowerCase().includes(query.toLowerCase())) notes.push(message);
      if (progressToken === undefined) continue;
      const params = { progressToken, progress: index + 1, total: names.length, message };
      await extra.sendNotification({ method: 'notifications/progress', params });
    }
    return structured({ notes, searched: names.length });
  },
);

mcp.registerTool(
  'write_note',
  {
    description: 'Writes a note, new or not.',
    inputSchema: { name, text: z.string().describe('Its new text.') },
    annotations: REWRITES,
  },
  async (given, extra) => {
    const isNew = await folder.write(given.name, given.text);
    if (isNew) offer(given.name);
    await mcp.server.sendResourceUpdated({ uri: uriOf(given.name) });
    const data = `wrote ${given.name} (${given.text.length} characters)`;
    await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
    const { content } = text(isNew ? 'Wrote a new note.' : 'Replaced the note.');
    return { content: [...content, { type: 'resource_link', uri: uriOf(given.name), name: given.name }] };
  },
);

mcp.registerTool(
  'delete_note',
  { description: 'Deletes a note after asking the person.', inputSchema: { name }, annotations: DELETES },
  async (given) => {
    folder.expect(given.name);
    const answer = await mcp.server.elicitInput({
      message: `Delete the note ${given.name}?`,
      requestedSchema: {
        type: 'object',
        properties: { delete: { type: 'boolean', title: 'Delete it for good' } },
        required: ['delete'],
      },
    });
    if (answer.action !== 'accept' || answer.content?.delete !== true) return text('Nothing was deleted.');
    await folder.delete(given.name);
    offered.get(given.name)?.remove();
    offered.delete(given.name);
    await mcp.server.sendResourceUpdated({ uri: uriOf(given.name) });
    return text(`Deleted ${given.name}.`);
  },
);

mcp.registerTool(
  'summarize_note',
  { description: "Summarizes a note with the client's model.", inputSchema: { name } },
  async (given) => {
    const note = await folder.read(given.name);
    const answer = await mcp.server.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: note } }],
      maxTokens: 200,
      systemPrompt: 'Summarize the note in one sentence.',
    });
    return text(textOf(answer.content));
  },
);

mcp.registerTool(
  'check_roots',
  { description: "Says whether the notes lie in one of the client's roots." },
  async () => {
    const { roots } = await mcp.server.listRoots();
    const around = roots.find(({ uri }) => uri.startsWith('file:') && holds(fileURLToPath(uri), folder.path));
    return text(
      around ? `The notes lie in ${around.uri}.` : `The notes lie in none of the client's ${roots.length} roots.`,
    );
  },
);

/** Whether a path lies in a folder, or is it. */
function holds(outer, inner) {
  const way = relative(outer, inner);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

// Notes as resources: one per note, and a template for names not listed yet.

const offered = new Map();

/** Lists a note among the resources. Clients are told. */
function offer(note) {
  const about = { description: `The note ${note}`, mimeType: 'text/plain' };
  offered.set(note, mcp.registerResource(note, uriOf(note), about, () => contents(note)));
}

async function contents(note) {
  const uri = uriOf(note);
  const words = await folder.read(note).catch(() => {
    // What is no note is not there, whatever the reason: names outside tell nothing.
    throw new McpError(NOT_THERE, 'there is no such note', { uri });
  });
  return { contents: [{ uri, mimeType: 'text/plain', text: words }] };
}

mcp.registerResource(
  'note',
  new ResourceTemplate(`${PREFIX}{name}`, {
    list: undefined,
    complete: { name: (value) => startingWith(folder.names(), value) },
  }),
  { description: 'A note by its name.', mimeType: 'text/plain' },
  (uri, variables) => contents(decodeURIComponent(String(variables.name))),
);

mcp.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
  console.error(`${params.uri}: one more subscriber`);
  return {};
});

mcp.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
  console.error(`${params.uri}: one less subscriber`);
  return {};
});

// Prompts

mcp.registerPrompt(
  'improve_note',
  {
    title: 'Improve a note',
    description: 'Asks for a better wording of a note.',
    argsSchema: {
      name: completable(name, (value) => startingWith(folder.names(), value)),
      tone: completable(z.string().optional().describe('For example friendly or formal'), (value) =>
        startingWith(TONES, value ?? ''),
      ),
    },
  },
  async (given) => {
    const said = `Rewrite this note in a ${given.tone ?? 'clear'} tone. Keep every fact.`;
    const resource = { uri: uriOf(given.name), mimeType: 'text/plain', text: await folder.read(given.name) };
    return {
      messages: [
        { role: 'user', content: { type: 'text', text: said } },
        { role: 'user', content: { type: 'resource', resource } },
      ],
    };
  },
);

for (const note of folder.names()) offer(note);
await serve(mcp, http);
