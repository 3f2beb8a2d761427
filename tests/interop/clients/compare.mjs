// The same visit to the same unmodified server twice: on the official 1.x package, and
// with ours in its place. What the client sees has to be the same.
//
//   node compare.mjs OFFICIAL OURS     two folders with the servers in their node_modules

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

const [official, ours] = process.argv.slice(2);

/** Servers: what starts them, and calls with what they are asked. */
const SERVERS = {
  'server-everything': {
    args: () => ['stdio'],
    calls: [
      ['echo', { message: 'grüße' }],
      ['echo', {}],
      ['get-sum', { a: 2, b: 3 }],
      ['get-sum', { a: 'two', b: 3 }],
      ['get-tiny-image', {}],
      ['get-structured-content', { location: 'Chicago' }],
      ['get-annotated-message', { messageType: 'error', includeImage: true }],
      ['get-resource-links', { count: 3 }],
      ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
      ['trigger-long-running-operation', { duration: 0.1, steps: 2 }],
      ['trigger-sampling-request', { prompt: 'Say something', maxTokens: 20 }],
      ['trigger-elicitation-request', {}],
      ['get-roots-list', {}],
      ['no-such-tool', {}],
    ],
  },
  'server-filesystem': {
    args: (folder) => [folder],
    calls: [
      ['list_allowed_directories', {}],
      ['read_text_file', { path: '{folder}/note.txt' }],
      ['read_text_file', { path: '/etc/hostname' }],
      ['write_file', { path: '{folder}/new.txt', content: 'new\n' }],
      ['edit_file', { path: '{folder}/new.txt', edits: [{ oldText: 'new', newText: 'old' }] }],
      ['list_directory', { path: '{folder}' }],
      ['directory_tree', { path: '{folder}' }],
      ['read_multiple_files', { paths: ['{folder}/note.txt', '{folder}/none.txt'] }],
      ['search_files', { path: '{folder}', pattern: '*.txt' }],
      ['read_text_file', { path: 1 }],
    ],
  },
  'server-memory': {
    args: () => [],
    calls: [
      ['create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes notes'] }] }],
      ['create_relations', { relations: [{ from: 'Ada', to: 'Ada', relationType: 'knows' }] }],
      ['add_observations', { observations: [{ entityName: 'Ada', contents: ['reads notes'] }] }],
      ['search_nodes', { query: 'notes' }],
      ['open_nodes', { names: ['Ada', 'Bob'] }],
      ['read_graph', {}],
      ['add_observations', { observations: [{ entityName: 'Bob', contents: [] }] }],
      ['create_entities', {}],
    ],
  },
};

/** What came of something, errors included. */
async function outcome(work) {
  try {
    return await work();
  } catch (error) {
    return { code: error.code, message: error.message };
  }
}

function makeClient(folder) {
  const capabilities = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } };
  const client = new Client({ name: 'compare', version: '1.0.0' }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: 'decline', content: undefined, _meta: { said: params.message } }));
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => ({
    role: 'assistant',
    model: 'scripted',
    content: { type: 'text', text: `heard ${JSON.stringify(params)}` },
  }));
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${folder}`, name: 'here' }] }));
  // What a server logs, and when, is its own business.
  client.setNotificationHandler(LoggingMessageNotificationSchema, () => undefined);
  return client;
}

/** Everything that a client sees of a server. */
async function visit(packages, name, { args, calls }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-compare-'));
  try {
    writeFileSync(join(folder, 'note.txt'), 'kept\n');
    const program = join(packages, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
    const env = { PATH: process.env.PATH, MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
    const transport = new StdioClientTransport({ command: process.execPath, args: [program, ...args(folder)], env, stderr: 'ignore' });
    const client = makeClient(folder);
    await client.connect(transport);
    const seen = { server: client.getServerVersion(), can: client.getServerCapabilities(), says: client.getInstructions() };
    // A server may offer other tools once it knows what the client can do.
    await outcome(() => client.ping());
    await look(client, seen);
    for (const [tool, given] of calls) {
      const arguments_ = JSON.parse(JSON.stringify(given).replaceAll('{folder}', folder));
      const key = `${tool} ${JSON.stringify(given)}`;
      seen[key] = await outcome(() => client.callTool({ name: tool, arguments: arguments_ }));
    }
    await client.close();
    return JSON.parse(JSON.stringify(seen).replaceAll(folder, '{folder}').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d+:\d\d:\d\d [AP]M/g, '{time}'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The lists, resources, prompts and completions. */
async function look(client, seen) {
  const { tools, prompts, resources, completions } = seen.can;
  if (tools) seen.tools = await client.listTools();
  if (resources) {
    seen.resources = await client.listResources();
    seen.templates = await client.listResourceTemplates();
    for (const { uri } of seen.resources.resources.slice(0, 3)) seen[uri] = await outcome(() => client.readResource({ uri }));
    // The legacy era has a code for this, which the official package does not use.
    const unknown = await outcome(() => client.readResource({ uri: 'demo://resource/no/such' }));
    seen.unknown = unknown.message.replaceAll(unknown.code, '{code}');
  }
  if (prompts) {
    seen.prompts = await client.listPrompts();
    for (const { name, arguments: wanted = [] } of seen.prompts.prompts) {
      const given = Object.fromEntries(wanted.map((each) => [each.name, '1']));
      seen[`prompt ${name}`] = await outcome(() => client.getPrompt({ name, arguments: given }));
      if (!completions || wanted.length === 0) continue;
      const argument = { name: wanted[0].name, value: '' };
      seen[`complete ${name}`] = await outcome(() => client.complete({ ref: { type: 'ref/prompt', name }, argument }));
    }
  }
}

/** Where two values are not the same. */
function differences(expected, actual, path) {
  if (isDeepStrictEqual(expected, actual)) return [];
  const both = [expected, actual].every((value) => typeof value === 'object' && value !== null);
  if (!both) return [`${path}: ${JSON.stringify(expected)} with the official package, ${JSON.stringify(actual)} with ours`];
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].flatMap((key) => differences(expected[key], actual[key], `${path} / ${key}`));
}

for (const [name, server] of Object.entries(SERVERS)) {
  const facts = JSON.parse(readFileSync(join(ours, 'node_modules/@modelcontextprotocol/sdk/package.json'), 'utf8'));
  assert.equal(facts.name, 'mcpbolt', 'the second folder has the official package');
  const [expected, actual] = [await visit(official, name, server), await visit(ours, name, server)];
  const found = differences(expected, actual, name);
  for (const words of found.slice(0, 20)) console.log(`    ${words}`);
  if (found.length > 0) process.exitCode = 1;
  else console.log(`    ${name}: ${Object.keys(expected).length} answers are the same`);
}
