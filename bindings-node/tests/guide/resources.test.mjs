// Chapter resources.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, listened } from './support.mjs';

// [guide]
import { McpServer, ResourceTemplate } from 'mcpbolt/server/mcp.js';
import { McpError } from 'mcpbolt/types.js';
import { z } from 'zod';

const server = new McpServer(
  { name: 'notes', version: '1.0.0' },
  { capabilities: { resources: { subscribe: true, listChanged: true } } },
);
const notes = new Map([['garden', 'water the beans']]);

server.registerResource('shopping', 'note:///shopping', { mimeType: 'text/plain' }, ({ href }) => ({
  contents: [{ uri: href, mimeType: 'text/plain', text: 'milk' }], // or `blob`, in Base64
}));

server.registerResource(
  'note',
  new ResourceTemplate('notes://{name}', { list: undefined }),
  { description: 'A note by its name' },
  ({ href }, { name }) => {
    // The value comes from a stranger: look it up, do not open it.
    const text = notes.get(String(name));
    if (text === undefined) throw new McpError(-32002, 'There is no such note', { uri: href });
    return { contents: [{ uri: href, text }] };
  },
);

server.registerTool('write', { inputSchema: { name: z.string(), text: z.string() } }, async ({ name, text }) => {
  notes.set(name, text);
  // Whoever subscribed is told, in either era.
  await server.server.sendResourceUpdated({ uri: `notes://${name}` });
  return { content: [{ type: 'text', text: 'Written.' }] };
});
// [end]

// [guide]
import { Client } from 'mcpbolt/client/index.js';
import { ResourceUpdatedNotificationSchema } from 'mcpbolt/types.js';

const client = new Client({ name: 'reader', version: '1.0.0' }, { protocol: 'auto' });

/** @param {string} uri */
async function read(uri) {
  try {
    const { contents } = await client.readResource({ uri });
    return contents.map((part) => ('text' in part ? part.text : '(bytes)')).join('');
  } catch (error) {
    return `cannot be read: ${error instanceof McpError ? error.code : error}`;
  }
}

/** @param {string} uri */
async function follow(uri) {
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, async ({ params }) => {
    console.log(`${params.uri}: ${await read(params.uri)}`);
  });
  await client.subscribeResource({ uri });
}
// [end]

test('resources are read, templates are filled, and subscribers are told', { timeout: 60_000 }, async () => {
  await connected(server, client);
  assert.equal(await read('note:///shopping'), 'milk');
  assert.equal(await read('notes://garden'), 'water the beans');
  assert.match(await read('notes://attic'), /^cannot be read: -32(002|602)$/);
  assert.equal((await client.listResources()).resources.length, 1);
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
  const { lines } = await listened(async (said) => {
    await follow('notes://garden');
    await client.callTool({ name: 'write', arguments: { name: 'garden', text: 'pick the beans' } });
    await said;
  });
  assert.deepEqual(lines, ['notes://garden: pick the beans']);
});
