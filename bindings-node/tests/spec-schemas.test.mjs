// What a schema object of ours can do beside judging.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Server } from 'mcpbolt/server';
import { Client } from 'mcpbolt/client';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import * as types from 'mcpbolt/types.js';
import { z } from 'zod';
import { z as z40 } from 'zod40';

const { CallToolRequestSchema, CallToolResultSchema, ToolSchema } = types;
const request = { method: 'tools/call', params: { name: 'a' } };

test('every schema of a message names its method, as zod does', () => {
  const found = Object.entries(types).filter(([name]) => /(Request|Notification)Schema$/.test(name));
  const named = found.filter(([, schema]) => schema.method !== undefined);
  assert.ok(named.length > 30, String(named.length));
  for (const [name, schema] of named) assert.equal(schema.shape.method.value, schema.method, name);
  assert.equal(types.RequestSchema.method, undefined);
});

test('what fits is given back as it is, unknown members and all', () => {
  const value = { ...request, more: { a: 1 } };
  assert.equal(CallToolRequestSchema.parse(value), value);
  assert.deepEqual(CallToolRequestSchema.safeParse(value), { success: true, data: value });
});

test('a default does not change what it is filled into', () => {
  const value = { isError: true };
  assert.deepEqual(CallToolResultSchema.parse(value), { isError: true, content: [] });
  assert.deepEqual(value, { isError: true });
});

test('what does not fit is thrown as an error that looks like zod\'s', async () => {
  const bad = { method: 'tools/call', params: { name: 7, arguments: [] } };
  const { error } = CallToolRequestSchema.safeParse(bad);
  assert.ok(error instanceof Error && error instanceof z.ZodError && error instanceof z40.ZodError);
  assert.equal(error.name, 'ZodError');
  assert.deepEqual(JSON.parse(error.message), error.issues);
  assert.deepEqual(error.issues[0], {
    expected: 'string',
    code: 'invalid_type',
    path: ['params', 'name'],
    message: 'Invalid input: expected string, received number',
  });
  assert.throws(() => CallToolRequestSchema.parse(bad), z.ZodError);
  await assert.rejects(CallToolRequestSchema.parseAsync(bad), z.ZodError);
  assert.equal((await CallToolRequestSchema.safeParseAsync(bad)).success, false);
  const real = CallToolRequestSchema.toZod().safeParse(bad).error;
  assert.deepEqual(error.format(), real.format());
  assert.deepEqual(error.flatten(), real.flatten());
  assert.equal(z.prettifyError(error), z.prettifyError(real));
  assert.deepEqual(JSON.parse(String(error)), JSON.parse(String(real)));
});

test('a schema is a Standard Schema', () => {
  const standard = CallToolRequestSchema['~standard'];
  assert.equal(standard.version, 1);
  assert.deepEqual(standard.validate(request), { value: request });
  assert.deepEqual(standard.validate({ ...request, params: {} }).issues[0].path, ['params', 'name']);
});

test('members are schemas', () => {
  assert.equal(ToolSchema.shape.name.parse('a'), 'a');
  assert.equal(CallToolRequestSchema.shape.params.shape.name.safeParse(1).success, false);
  assert.equal(ToolSchema.shape.inputSchema.safeParse({ type: 'array' }).success, false);
});

test('schemas are changed with the zod of the program', () => {
  const more = CallToolResultSchema.extend({ structuredContent: z.object({ sum: z.number() }) });
  assert.equal(more.safeParse({ content: [], structuredContent: { sum: 'x' } }).success, false);
  assert.deepEqual(more.parse({ structuredContent: { sum: 1 } }), { content: [], structuredContent: { sum: 1 } });
  assert.deepEqual(ToolSchema.pick({ name: true }).array().parse([{ name: 'a' }]), [{ name: 'a' }]);
  assert.equal(ToolSchema.omit({ inputSchema: true }).safeParse({ name: 'a' }).success, true);
  assert.equal(ToolSchema.or(types.PromptSchema).safeParse({ name: 'a' }).success, true);
  assert.equal(ToolSchema.optional().safeParse(undefined).success, true);
  assert.equal(types.IconsSchema.merge(types.BaseMetadataSchema).safeParse({ icons: [] }).success, false);
  const told = CallToolResultSchema.describe('What came of it.');
  assert.equal(told.description, 'What came of it.');
  assert.equal(z.object({ result: told }).safeParse({ result: { content: 1 } }).success, false);
  assert.equal(ToolSchema.shape.name.refine((name) => name !== 'b').safeParse('b').success, false);
  assert.equal(ToolSchema.shape.name.transform((name) => name.length).parse('abc'), 3);
  assert.equal(ToolSchema.nullable().parse(null), null);
  const union = z.union([types.TextContentSchema.toZod(), types.ImageContentSchema.toZod()]);
  assert.equal(union.safeParse({ type: 'text', text: 'a' }).success, true);
});

test('schemas stand inside schemas of the program\'s zod', () => {
  const Page = z.object({ tools: z.array(ToolSchema), last: types.ContentBlockSchema.optional(), by: z.record(z.string(), types.RoleSchema) });
  const page = { tools: [{ name: 'a', inputSchema: { type: 'object' } }], by: { a: 'user' } };
  assert.deepEqual(Page.parse(page), page);
  const { issues } = Page.safeParse({ tools: [{ name: 1 }], by: { a: 'nobody' } }).error;
  assert.deepEqual(issues.map((issue) => issue.path.join('.')), ['tools.0.name', 'tools.0.inputSchema', 'by.a']);
  assert.equal(z.union([types.TextContentSchema, types.ImageContentSchema]).safeParse({ type: 'text', text: 'a' }).success, true);
  assert.equal(z.optional(ToolSchema).safeParse(undefined).success, true);
  assert.equal(z.intersection(types.IconsSchema, types.BaseMetadataSchema).safeParse({ name: 'a' }).success, true);
  assert.deepEqual(z.toJSONSchema(z.object({ role: types.RoleSchema })).properties.role, { type: 'string', enum: ['user', 'assistant'] });
});

test('a schema that was changed is for the same method', async () => {
  const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
  const own = CallToolRequestSchema.extend({ params: z.object({ name: z.literal('only') }) });
  server.setRequestHandler(own, ({ params }) => ({ content: [{ type: 'text', text: params.name }] }));
  const client = new Client({ name: 'c', version: '1' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  const { content } = await client.callTool({ name: 'only' });
  assert.deepEqual(content, [{ type: 'text', text: 'only' }]);
  await assert.rejects(client.callTool({ name: 'other' }));
  await client.close();
  await server.close();
});

test('as JSON Schema a type is whole in itself', () => {
  const schema = types.ListToolsResultSchema.toJSONSchema();
  assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
  const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map((match) => match[1]);
  assert.ok(refs.includes('Tool'));
  for (const name of refs) assert.ok(name in schema.$defs, name);
});

test('guards tell messages apart', () => {
  const messages = {
    isJSONRPCRequest: { jsonrpc: '2.0', id: 1, method: 'a' },
    isJSONRPCNotification: { jsonrpc: '2.0', method: 'a' },
    isJSONRPCResultResponse: { jsonrpc: '2.0', id: 'a', result: {} },
    isJSONRPCErrorResponse: { jsonrpc: '2.0', error: { code: 1, message: '' } },
  };
  for (const guard of Object.keys(messages)) {
    const yes = Object.keys(messages).filter((name) => types[guard](messages[name]));
    assert.deepEqual(yes, [guard]);
  }
  assert.equal(types.isInitializeRequest({ method: 'initialize', params: {} }), false);
  assert.throws(
    () => types.assertCompleteRequestResourceTemplate({ method: 'completion/complete', params: { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'a', value: '' } } }),
    new TypeError('Expected CompleteRequestResourceTemplate, but got ref/prompt'),
  );
});
