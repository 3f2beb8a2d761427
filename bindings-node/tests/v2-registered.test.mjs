// What is registered with a high-level server of 2.x: how it is listed, what its handles change,
// and what of its results is checked, beside the official package.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'mcpbolt/v2/client';
import * as ours from 'mcpbolt/v2/server';
import * as official from '@modelcontextprotocol/server';
import { z } from 'zod';
import { about, soon, text } from './support/v2.mjs';

/** Runs a script with a server and a client of it, for both packages; what it returns has to be the same. */
async function same(register, script) {
  const run = async (kit) => {
    const server = new kit.McpServer(about);
    const handles = register(server, kit);
    const [one, other] = kit.InMemoryTransport.createLinkedPair();
    await server.connect(one);
    const client = new Client(about, { capabilities: { elicitation: {} } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
    await client.connect(other);
    const seen = await soon(script(client, handles), 'answers');
    await client.close();
    return seen;
  };
  const seen = await run(ours);
  assert.deepEqual(seen, await run(official));
  return seen;
}

const failure = ({ code, message }) => ({ code, message });

test('the arguments of prompts are listed as their schemas take them', async () => {
  const argsSchema = z.object({
    lang: z.string().default('en'),
    note: z.string().describe('A note').optional(),
    name: z.string().describe('A name'),
    kind: z.preprocess((value) => value, z.string().describe('A kind')),
  });
  const register = (server) => {
    server.registerPrompt('whole', { argsSchema }, () => ({ messages: [] }));
    server.registerPrompt('shape', { argsSchema: argsSchema.shape }, () => ({ messages: [] }));
  };
  const { prompts } = await same(register, (client) => client.listPrompts());
  for (const { arguments: listed } of prompts) {
    assert.deepEqual(listed[0], { name: 'lang', required: false });
    assert.deepEqual(listed[1], { name: 'note', description: 'A note', required: false });
  }
});

test('a handle renames and removes its tool under each name that it gave', async () => {
  const register = (server) => server.registerTool('first', {}, () => text('ran'));
  const names = async (client) => (await client.listTools()).tools.map(({ name }) => name);
  const seen = await same(register, async (client, tool) => {
    const all = [];
    for (const updates of [{ name: 'second' }, { name: 'third' }, { name: 'third', title: 'Third' }]) {
      tool.update(updates);
      all.push(await names(client));
    }
    tool.remove();
    return [...all, await names(client)];
  });
  assert.deepEqual(seen, [['second'], ['third'], ['third'], []]);
});

test('a title that a handle sets alone is listed', async () => {
  const register = (server, { ResourceTemplate }) => {
    const read = (uri) => ({ contents: [{ uri: uri.href, text: '' }] });
    return [
      server.registerResource('fixed', 'test://fixed', { title: 'Before', mimeType: 'text/plain' }, read),
      server.registerResource('made', new ResourceTemplate('test://made/{id}', { list: undefined }), { description: 'Made' }, read),
    ];
  };
  const listed = async (client) => [await client.listResources(), await client.listResourceTemplates()];
  const seen = await same(register, async (client, handles) => {
    const all = [];
    for (const updates of [{ title: 'After' }, { title: 'Again', metadata: { description: 'New' } }, { enabled: true }]) {
      for (const handle of handles) handle.update(updates);
      all.push(await listed(client));
    }
    return all;
  });
  assert.deepEqual(seen[0][0].resources, [{ uri: 'test://fixed', name: 'fixed', title: 'After', mimeType: 'text/plain' }]);
  assert.deepEqual(seen[0][1].resourceTemplates, [
    { name: 'made', uriTemplate: 'test://made/{id}', description: 'Made', title: 'After' },
  ]);
  assert.deepEqual(seen[1][0].resources, [{ uri: 'test://fixed', name: 'fixed', description: 'New', title: 'Again' }]);
});

test('a result without content is checked as well, unless it asks the user first', async () => {
  const results = { right: { structuredContent: { n: 1 } }, wrong: { structuredContent: { n: 'one' } }, none: { _meta: {} }, asks: {} };
  const register = (server, { inputRequired }) => {
    const outputSchema = z.object({ n: z.number() });
    for (const [name, result] of Object.entries(results)) {
      if (name !== 'asks') server.registerTool(name, { outputSchema }, () => result);
    }
    server.registerTool('asks', { outputSchema }, ({ mcpReq }) => {
      if (mcpReq.inputResponses !== undefined) return results.right;
      const question = { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } };
      return inputRequired({ inputRequests: { sure: inputRequired.elicit(question) } });
    });
  };
  const seen = await same(register, async (client) => {
    const all = [];
    for (const name of Object.keys(results)) {
      const { isError, content } = await client.callTool({ name });
      all.push([name, isError === true, isError ? content[0].text : undefined]);
    }
    return all;
  });
  assert.deepEqual(seen.map(([, failed]) => failed), [false, true, true, false]);
});

test('suggestions are text', async () => {
  const register = (server, { completable, ResourceTemplate }) => {
    const complete = { id: () => [3, 4] };
    const read = (uri) => ({ contents: [{ uri: uri.href, text: '' }] });
    server.registerResource('made', new ResourceTemplate('test://made/{id}', { list: undefined, complete }), {}, read);
    server.registerPrompt('asked', { argsSchema: z.object({ n: completable(z.coerce.number(), () => [1, 2]) }) }, () => ({ messages: [] }));
  };
  const refs = [
    [{ type: 'ref/prompt', name: 'asked' }, 'n'],
    [{ type: 'ref/resource', uri: 'test://made/{id}' }, 'id'],
  ];
  const seen = await same(register, (client) =>
    Promise.all(refs.map(([ref, name]) => client.complete({ ref, argument: { name, value: '' } }).catch(failure))),
  );
  assert.deepEqual(seen.map(({ completion }) => completion?.values), [['1', '2'], ['3', '4']]);
});
