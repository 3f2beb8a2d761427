// Schemas that are not zod's: JSON Schema, Standard Schemas; and zod of several releases at once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { z as z3 } from 'zod3/v3';
import { z as z40 } from 'zod40/v4';
import * as mini from 'zod/mini';
import { ours, oursSlow } from './support/kits.mjs';
import { Wire } from './support/wire.mjs';

const info = { name: 's', version: '1' };
const show = (args) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] });

/** Connects, and gives a function that calls a tool: the text of the result. */
async function opened(server) {
  const wire = new Wire();
  await wire.open(server);
  const call = async (name, args) => {
    const { result } = await wire.request('tools/call', { name, arguments: args });
    return result.isError ? result.content[0].text.replace(/^MCP error -32602: /, '') : JSON.parse(result.content[0].text);
  };
  const schemas = async () => {
    const { result } = await wire.request('tools/list');
    return Object.fromEntries(result.tools.map((tool) => [tool.name, tool.inputSchema]));
  };
  return { wire, call, schemas };
}

const person = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1 }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['name'],
  additionalProperties: false,
};

test('JSON Schema without zod', async () => {
  for (const kit of [ours, oursSlow]) {
    const server = kit.server(info, { capabilities: { tools: {} } });
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    server.registerTool('t', { inputSchema: person }, show);
    server.tool('old', 'd', person, { title: 'Old' }, show);
    server.registerTool('out', { outputSchema }, () => ({ content: [], structuredContent: { n: 'x' } }));
    const { wire, call, schemas } = await opened(server);
    const listed = await schemas();
    assert.deepEqual(listed.t, person);
    assert.deepEqual(listed.old, person);
    assert.deepEqual(await call('t', { name: 'a', tags: ['b'] }), { name: 'a', tags: ['b'] });
    const refusals = [
      [{ name: '' }, /^Input validation error: Invalid arguments for tool t: .* at name$/],
      [{ name: 'a', tags: ['b', 1] }, /: must be of type string at tags\[1\]$/],
      [{ name: 'a', more: 1 }, /"more"/],
      [{}, /"name"/],
    ];
    for (const [args, words] of refusals) {
      assert.match(await call('t', args), words);
      assert.match(await call('old', args), /^Input validation error: Invalid arguments for tool old: /);
    }
    assert.match(await call('out', {}), /^Output validation error: Invalid structured content for tool out: .* at n$/);
    // A change while calls are under way: none of them is taken on trust.
    const tool = server.registerTool('late', { inputSchema: { type: 'object', properties: { a: { type: 'string' } } } }, show);
    assert.match(await call('late', { a: 1 }), /at a$/);
    tool.update({ paramsSchema: { type: 'object', properties: { a: { type: 'number' } } } });
    assert.deepEqual(await call('late', { a: 1 }), { a: 1 });
    assert.match(await call('late', { a: 'x' }), /at a$/);
    assert.match(await call('t', { name: '' }), /at name$/);
    await wire.transport.close();
    await server.close();
  }
});

test('JSON Schema: arguments of prompts', async () => {
  const server = ours.server(info);
  const argsSchema = { type: 'object', properties: { a: { type: 'string', description: 'A' }, b: { type: 'string' } }, required: ['a'] };
  server.registerPrompt('p', { argsSchema }, ({ a }) => ({ messages: [], description: a }));
  const { wire } = await opened(server);
  const { result } = await wire.request('prompts/list');
  const args = [{ name: 'a', description: 'A', required: true }, { name: 'b', required: false }];
  assert.deepEqual(result.prompts, [{ name: 'p', arguments: args }]);
  assert.equal((await wire.request('prompts/get', { name: 'p', arguments: { a: 'x' } })).result.description, 'x');
  const { error } = await wire.request('prompts/get', { name: 'p' });
  assert.equal(error.code, -32602);
  assert.match(error.message, /Invalid arguments for prompt p: .*"a"/);
  await server.close();
});

test('zod 3, zod 4, mini and an older zod 4 in one server', async () => {
  const server = ours.server(info);
  const shapes = {
    z3: { n: z3.number(), s: z3.string().default('d') },
    z4: { n: z.number(), s: z.string().default('d') },
    z40: { n: z40.number(), s: z40.string().default('d') },
    mini: { n: mini.number(), s: mini._default(mini.string(), 'd') },
  };
  for (const [name, shape] of Object.entries(shapes)) server.registerTool(name, { inputSchema: shape }, show);
  server.registerTool('z3Object', { inputSchema: z3.object(shapes.z3) }, show);
  server.registerTool('z40Object', { inputSchema: z40.object(shapes.z40) }, show);
  const { call, schemas } = await opened(server);
  const listed = await schemas();
  for (const name of Object.keys(listed)) {
    assert.deepEqual(await call(name, { n: 1 }), { n: 1, s: 'd' }, name);
    assert.match(await call(name, { n: 'x' }), /number.*string at n$|Invalid input at n$/, name);
    assert.deepEqual(listed[name].properties.n, { type: 'number' }, name);
    assert.deepEqual(listed[name].required, ['n'], name);
  }
  await server.close();
});

test('Standard Schemas: valibot and ArkType', async (t) => {
  const warn = t.mock.method(console, 'warn', () => undefined);
  const server = ours.server(info);
  const length = v.pipe(v.string(), v.transform((text) => text.length));
  server.registerTool('valibot', { inputSchema: v.object({ a: length, b: v.optional(v.number(), 5) }) }, show);
  server.registerTool('ark', { inputSchema: type({ a: 'string', 'b?': 'number' }) }, show);
  server.registerTool('shape', { inputSchema: { a: v.string(), b: v.optional(v.number()), c: type('string[]') } }, show);
  const { call, schemas } = await opened(server);
  const listed = await schemas();
  assert.deepEqual(listed.ark.properties, { a: { type: 'string' }, b: { type: 'number' } });
  assert.deepEqual(listed.ark.required, ['a']);
  assert.deepEqual(listed.shape.required, ['a', 'c']);
  assert.equal(listed.shape.properties.c.type, 'array');
  // valibot says nothing by itself: it is said to whoever wrote the server.
  assert.deepEqual(listed.valibot, { type: 'object', properties: {} });
  assert.match(String(warn.mock.calls[0].arguments[0]), /valibot/);
  assert.deepEqual(await call('valibot', { a: 'abc' }), { a: 3, b: 5 });
  assert.match(await call('valibot', { a: 1 }), /Expected string but received 1 at a$/);
  assert.match(await call('ark', { a: 'x', b: 'y' }), /b must be a number \(was a string\) at b$/);
  assert.deepEqual(await call('shape', { a: 'x', c: ['y'], more: 1 }), { a: 'x', c: ['y'] });
  assert.match(await call('shape', { a: 1, c: [] }), /at a$/);
  await server.close();
});

test('Standard Schemas: JSON Schema as the library offers it', async () => {
  const offered = { type: 'object', properties: { a: { type: 'integer' } } };
  const asked = [];
  const part = {
    version: 1,
    vendor: 'own',
    validate: async (value) => (Number.isInteger(value.a) ? { value: { a: value.a + 1 } } : { issues: [{ message: 'no integer', path: [{ key: 'a' }] }] }),
    jsonSchema: { input: ({ target }) => {
      asked.push(target);
      if (target === 'draft-07') throw new Error('only the newest');
      return offered;
    }, output: () => offered },
  };
  const server = ours.server(info);
  server.registerTool('t', { inputSchema: { '~standard': part } }, show);
  const { call, schemas } = await opened(server);
  assert.deepEqual((await schemas()).t, offered);
  assert.deepEqual(asked, ['draft-07', 'draft-2020-12']);
  assert.deepEqual(await call('t', { a: 1 }), { a: 2 });
  assert.match(await call('t', { a: 'x' }), /: no integer at a$/);
  await server.close();
});

test('what is no schema is refused when it is registered', () => {
  const server = ours.server(info);
  const words = /inputSchema must be a Zod schema or raw shape, received an unrecognized object/;
  for (const wrong of [{ a: 1 }, { type: 'string' }, 'text', 5, [1]]) {
    assert.throws(() => server.registerTool('t', { inputSchema: wrong }, show), words);
  }
});
