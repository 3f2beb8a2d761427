// What the compiler infers for tools, prompts and resources; a wrong type here is an error.
import { type } from 'arktype';
import { McpServer, ResourceTemplate, type RegisteredTool, type ToolCallback } from 'mcpbolt/server/mcp.js';
import { completable } from 'mcpbolt/server/completable.js';
import type { AnySchema, SchemaInput, SchemaOutput, ShapeOutput } from 'mcpbolt/server/zod-compat.js';
import * as v from 'valibot';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as z3 from 'zod/v3';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_yes: Same<A, B>): void => undefined;

const server = new McpServer({ name: 's', version: '1' }, { capabilities: { logging: {} }, maxToolInputElements: 10 });
const content = [{ type: 'text' as const, text: 'ok' }];

// Raw shapes
const four = { a: z.string(), b: z.number().optional(), c: z.string().transform(Number), d: z.enum(['x', 'y']).default('x') };
server.registerTool('four', { inputSchema: four }, (args, extra) => {
  same<typeof args, { a: string; b: number | undefined; c: number; d: 'x' | 'y' }>(true);
  same<typeof extra.signal, AbortSignal>(true);
  return { content };
});
server.registerTool('three', { inputSchema: { a: z3.string(), b: z3.number().optional(), c: z3.array(z3.date()) } }, async (args) => {
  same<typeof args, { a: string; b: number | undefined; c: Date[] }>(true);
  return { content };
});
server.registerTool('mini', { inputSchema: { a: mini.string(), b: mini.optional(mini.number()) } }, ({ a, b }) => {
  same<typeof a, string>(true);
  same<typeof b, number | undefined>(true);
  return { content };
});
server.registerTool('empty', { inputSchema: {} }, (args) => {
  same<keyof typeof args, never>(true);
  return { content };
});

// Whole schemas
server.registerTool('object', { inputSchema: z.object({ a: z.string(), b: z.number().optional() }) }, (args) => {
  same<typeof args, { a: string; b?: number | undefined }>(true);
  return { content };
});
server.registerTool('object3', { inputSchema: z3.object({ a: z3.string() }).strict() }, (args) => {
  same<typeof args, { a: string }>(true);
  return { content };
});
server.registerTool('union', { inputSchema: z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b'), n: z.number() })]) }, (args) => {
  same<typeof args, { k: 'a' } | { k: 'b'; n: number }>(true);
  return { content };
});
server.registerTool('valibot', { inputSchema: v.object({ a: v.string(), n: v.pipe(v.string(), v.transform(Number)) }) }, (args) => {
  same<typeof args, { a: string; n: number }>(true);
  return { content };
});
server.registerTool('ark', { inputSchema: type({ a: 'string', 'b?': 'number' }) }, (args) => {
  same<typeof args, { a: string; b?: number }>(true);
  return { content };
});

// JSON Schema
const plain = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
server.registerTool('json', { inputSchema: plain, outputSchema: { type: 'object', properties: {} } }, (args, extra) => {
  same<typeof args, Record<string, unknown>>(true);
  same<typeof extra.requestId, string | number>(true);
  return { content, structuredContent: {} };
});
server.registerTool('json', { inputSchema: { type: 'object', properties: { a: { type: 'string' } } } as const }, (args) => {
  same<typeof args, Record<string, unknown>>(true);
  return { content };
});

// No schema, and what is wrong
server.registerTool('none', {}, (extra) => {
  same<typeof extra.signal, AbortSignal>(true);
  return { content };
});
// @ts-expect-error a tool returns a result
server.registerTool('wrong', {}, () => 5);
// @ts-expect-error not a schema
server.registerTool('wrong', { inputSchema: { a: 5 } }, () => ({ content }));
// @ts-expect-error no such member
server.registerTool('wrong', { inputSchema: { a: z.string() } }, ({ b }) => ({ content: [{ type: 'text', text: b }] }));
// @ts-expect-error no such content
server.registerTool('wrong', {}, () => ({ content: [{ type: 'txt', text: '' }] }));

// The old functions
server.tool('a', (extra) => ({ content, _meta: { id: extra.requestId } }));
server.tool('b', 'described', () => ({ content }));
server.tool('c', { x: z.string() }, ({ x }) => ({ content: [{ type: 'text', text: x }] }));
server.tool('d', 'described', { x: z3.number() }, { readOnlyHint: true }, async ({ x }) => ({ content: [{ type: 'text', text: x.toFixed() }] }));
server.tool('e', { title: 'E', openWorldHint: false }, () => ({ content }));
server.prompt('a', () => ({ messages: [] }));
server.prompt('b', 'described', { x: z.string() }, ({ x }) => ({ messages: [{ role: 'user', content: { type: 'text', text: x } }] }));
server.resource('a', 'mem://a', (uri) => ({ contents: [{ uri: uri.href, text: '' }] }));
server.resource('b', 'mem://b', { mimeType: 'text/plain' }, async (uri, extra) => ({ contents: [{ uri: uri.href, blob: String(extra.sessionId) }] }));

// Resources and prompts
const template = new ResourceTemplate('mem://{a}/{b}', {
  list: async (extra) => ({ resources: [{ uri: 'mem://x/y', name: String(extra.requestId) }] }),
  complete: { a: (value, context) => [value, context?.arguments?.['b'] ?? ''] },
});
const registered = server.registerResource('t', template, { title: 'T' }, (uri, variables) => {
  same<typeof variables, Record<string, string | string[]>>(true);
  return { contents: [{ uri: uri.href, text: '' }] };
});
same<typeof registered.resourceTemplate, ResourceTemplate>(true);
server.registerResource('r', 'mem://r', { description: 'd', mimeType: 'text/plain' }, (uri) => ({ contents: [{ uri: uri.href, text: '' }] }));
const argsSchema = {
  team: completable(z.string(), (value, context) => {
    same<typeof value, string>(true);
    return [value, context?.arguments?.['x'] ?? ''];
  }),
  n: z.string().optional(),
};
const prompt = server.registerPrompt('p', { title: 'P', argsSchema }, ({ team, n }, extra) => {
  same<typeof team, string>(true);
  same<typeof n, string | undefined>(true);
  return { messages: [], description: String(extra.requestId) };
});
prompt.update({ argsSchema: { m: z.string() }, callback: ({ m }) => ({ messages: [], description: m }) });

// Handles and names
const tool: RegisteredTool = server.registerTool('t', { inputSchema: { a: z.string() } }, () => ({ content }));
tool.update({ name: null, paramsSchema: { b: z.number() }, callback: ({ b }) => ({ content: [{ type: 'text', text: b.toFixed() }] }), enabled: true });
tool.disable();
const callback: ToolCallback<{ a: z.ZodString }> = ({ a }) => ({ content: [{ type: 'text', text: a }] });
server.registerTool('named', { inputSchema: { a: z.string() } }, callback);
same<SchemaOutput<typeof four.c>, number>(true);
same<SchemaInput<typeof four.c>, string>(true);
same<ShapeOutput<{ a: z3.ZodString; b: z.ZodNumber }>, { a: string; b: number }>(true);
const schemas: AnySchema[] = [z.string(), z3.string(), mini.string(), v.string(), type('string')];
await server.sendLoggingMessage({ level: 'info', data: schemas.length });
