// What 2026-07-28 allows and older revisions do not: structured content that is no object,
// elicitation by URL without an id, schemas of members that are booleans. What servers and
// clients of 2.x make of it, in both eras, beside the official packages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';

const PACKAGES = { official: '@modelcontextprotocol', ours: 'mcpbolt/v2' };
const SIDES = Object.fromEntries(
  await Promise.all(
    Object.entries(PACKAGES).map(async ([name, from]) => {
      const [server, client, core] = await Promise.all(['server', 'client', 'core'].map((part) => import(`${from}/${part}`)));
      return [name, { server, client, core }];
    }),
  ),
);
const PAIRS = [['ours', 'ours'], ['ours', 'official'], ['official', 'ours'], ['official', 'official']];

/** A tree refers to itself, both by name and from its root. */
const TREE = {
  $defs: { leaf: { type: 'string' } },
  anyOf: [
    { $ref: '#/$defs/leaf' },
    { type: 'array', items: { $ref: '#' }, maxItems: 3 },
    { type: 'object', properties: { $ref: { const: '#' } }, required: ['$ref'] },
  ],
};

const TOOLS = {
  numbers: [z.array(z.number()), [1, 2]],
  word: [z.string(), 'sky'],
  nothing: [z.null(), null],
  either: [z.union([z.object({ a: z.number() }), z.number()]), { a: 1 }],
  zero: [z.number(), 0],
  object: [z.object({ a: z.number() }), { a: 1 }],
};

function registered({ McpServer, fromJsonSchema }) {
  const server = new McpServer({ name: 'shapes', version: '1.0.0' });
  for (const [name, [outputSchema, value]] of Object.entries(TOOLS)) {
    server.registerTool(name, { outputSchema }, () => ({ content: [], structuredContent: value }));
  }
  const tree = { outputSchema: fromJsonSchema(TREE) };
  server.registerTool('tree', tree, () => ({ content: [], structuredContent: [['a'], 'b', { $ref: '#' }] }));
  server.registerTool('told', { outputSchema: z.array(z.number()) }, () => ({
    content: [{ type: 'text', text: 'one' }],
    structuredContent: [1],
  }));
  server.registerTool('wrong', { outputSchema: z.array(z.number()) }, () => ({ content: [], structuredContent: ['x'] }));
  server.registerTool('silent', { outputSchema: z.array(z.number()) }, () => ({ content: [] }));
  return server;
}

async function seen(server, client, mode, make) {
  const handler = SIDES[server].server.createMcpHandler(() => make(SIDES[server].server));
  const { Client, StreamableHTTPClientTransport } = SIDES[client].client;
  const it = new Client({ name: 'looker', version: '1.0.0' }, { versionNegotiation: { mode } });
  const fetch = (url, init) => handler.fetch(new Request(url, init));
  await it.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
  const { tools } = await it.listTools();
  const results = {};
  for (const { name } of tools) {
    const { content, structuredContent, isError } = await it.callTool({ name, arguments: {} });
    results[name] = { content, structuredContent, isError: isError === true };
  }
  await it.close();
  await handler.close?.();
  return { schemas: Object.fromEntries(tools.map(({ name, outputSchema }) => [name, outputSchema])), results };
}

for (const mode of ['auto', 'legacy']) {
  for (const [server, client] of PAIRS.slice(0, 3)) {
    test(`${mode}: tools may give any value, ${server} server, ${client} client`, async () => {
      const expected = await seen('official', 'official', mode, registered);
      const { schemas, results } = await seen(server, client, mode, registered);
      assert.deepEqual(schemas, expected.schemas);
      assert.deepEqual(results, expected.results);
    });
  }
}

test('the value, and before 2026-07-28 an object with it', async () => {
  const modern = await seen('ours', 'ours', 'auto', registered);
  assert.deepEqual(modern.results.nothing, { content: [{ type: 'text', text: 'null' }], structuredContent: null, isError: false });
  assert.deepEqual(modern.results.zero.structuredContent, 0);
  assert.deepEqual(modern.schemas.word.type, 'string');
  assert.equal(modern.results.wrong.isError, true);
  const legacy = await seen('ours', 'ours', 'legacy', registered);
  assert.deepEqual(legacy.results.numbers, {
    content: [{ type: 'text', text: '[1,2]' }],
    structuredContent: { result: [1, 2] },
    isError: false,
  });
  assert.deepEqual(legacy.results.either.structuredContent, { result: { a: 1 } });
  assert.deepEqual(legacy.results.object.structuredContent, { a: 1 });
  assert.equal(legacy.schemas.tree.properties.result.anyOf[1].items.$ref, '#/properties/result');
});

test('a low-level server lists and gives any value', async () => {
  const make = ({ Server }) => {
    const server = new Server({ name: 'low', version: '1.0.0' }, { capabilities: { tools: {} } });
    const outputSchema = { type: 'array', items: { type: 'number' } };
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'n', inputSchema: { type: 'object' }, outputSchema }] }));
    server.setRequestHandler('tools/call', () =>
      server.projectCallToolResult({ content: [], structuredContent: [1] }, outputSchema),
    );
    return server;
  };
  for (const mode of ['auto', 'legacy']) {
    const expected = await seen('official', 'official', mode, make);
    assert.deepEqual(await seen('ours', 'ours', mode, make), expected, mode);
  }
});

test('a list that got other schemas while it is served', async () => {
  const { McpServer } = SIDES.ours.server;
  const { Client, InMemoryTransport } = SIDES.ours.client;
  const server = new McpServer({ name: 'changing', version: '1.0.0' });
  const tool = server.registerTool('it', { outputSchema: z.object({ a: z.number() }) }, () => ({
    content: [],
    structuredContent: [1],
  }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'looker', version: '1.0.0' });
  await client.connect(near);
  const schema = async () => (await client.listTools()).tools[0].outputSchema;
  assert.equal((await schema()).properties.a.type, 'number');
  tool.update({ outputSchema: z.array(z.number()) });
  assert.equal((await schema()).properties.result.type, 'array');
  assert.deepEqual((await client.callTool({ name: 'it' })).structuredContent, { result: [1] });
  tool.update({ outputSchema: z.object({ a: z.string() }) });
  assert.equal((await schema()).properties.a.type, 'string');
  await client.close();
});

test('a client of 1.x on 2026-07-28 takes any value too', async () => {
  const { Client } = await import('mcpbolt/client/index.js');
  const { StreamableHTTPClientTransport } = await import('mcpbolt/client/streamableHttp.js');
  const handler = SIDES.official.server.createMcpHandler(() => registered(SIDES.official.server));
  const client = new Client({ name: 'looker', version: '1.0.0' }, { protocol: 'modern' });
  const fetch = (url, init) => handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
  assert.equal((await client.listTools()).tools.find(({ name }) => name === 'word').outputSchema.type, 'string');
  assert.equal((await client.callTool({ name: 'word' })).structuredContent, 'sky');
  assert.equal((await client.callTool({ name: 'nothing' })).structuredContent, null);
  await client.close();
  await handler.close?.();
});

test('schemas and guards of 2.x take any value; those of 1.x want an object', async () => {
  const values = [[1], null, 'x', 0, { a: 1 }];
  const outputSchemas = [{ type: 'array' }, {}, { anyOf: [] }, true, 'x', null, []];
  const judged = ({ core, server }) => [
    ...values.flatMap((structuredContent) => [
      core.CallToolResultSchema.safeParse({ content: [], structuredContent }).success,
      core.CompatibilityCallToolResultSchema.safeParse({ content: [], structuredContent }).success,
      core.ToolResultContentSchema.safeParse({ type: 'tool_result', toolUseId: 'a', content: [], structuredContent }).success,
      server.isCallToolResult({ content: [], structuredContent }),
      server.isSpecType.CallToolResult({ content: [], structuredContent }),
    ]),
    ...outputSchemas.map((outputSchema) => core.ToolSchema.safeParse({ name: 'a', inputSchema: { type: 'object' }, outputSchema }).success),
    core.CallToolResultSchema.safeParse({ content: 1 }).success,
  ];
  assert.deepEqual(judged(SIDES.ours), judged(SIDES.official));
  const { CallToolResultSchema } = await import('mcpbolt/types.js');
  assert.equal(CallToolResultSchema.safeParse({ content: [], structuredContent: [1] }).success, false);
  const { $defs, properties } = SIDES.ours.core.ListToolsResultSchema.toJSONSchema();
  assert.deepEqual([properties.tools.items.$ref, '@2' in $defs, $defs.Tool.properties.outputSchema.type], ['#/$defs/Tool', false, 'object']);
});

/** A server that sends its users to a page, and has a tool whose argument may be anything. */
function asking({ Server, inputRequired }) {
  const server = new Server({ name: 'asking', version: '1.0.0' }, { capabilities: { tools: {} } });
  const inputSchema = { type: 'object', properties: { any: true, none: false } };
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'visit', inputSchema }] }));
  server.setRequestHandler('tools/call', (_request, { mcpReq }) => {
    const answer = mcpReq.inputResponses?.page;
    if (answer !== undefined) return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
    const page = inputRequired.elicitUrl({ message: 'Look here', url: 'https://example.com/page' });
    return inputRequired({ inputRequests: { page } });
  });
  return server;
}

async function visited(server, connected) {
  const handler = SIDES[server].server.createMcpHandler(() => asking(SIDES[server].server));
  const asked = [];
  const client = await connected((url, init) => handler.fetch(new Request(url, init)), ({ params }) => {
    asked.push({ mode: params.mode, message: params.message, url: params.url });
    return { action: 'accept' };
  });
  const { tools } = await client.listTools();
  const { content } = await client.callTool({ name: 'visit', arguments: {} });
  await client.close();
  await handler.close?.();
  return { asked, schema: tools[0].inputSchema, said: content[0].text };
}

const VISITED = {
  asked: [{ mode: 'url', message: 'Look here', url: 'https://example.com/page' }],
  schema: { type: 'object', properties: { any: true, none: false } },
  said: '{"action":"accept"}',
};
const CAN = { capabilities: { elicitation: { form: {}, url: {} } } };
const AT = new URL('http://127.0.0.1/mcp');

for (const [server, client] of PAIRS) {
  test(`elicitation by URL has no id, and schemas may be booleans, ${server} server, ${client} client`, async () => {
    const { Client, StreamableHTTPClientTransport } = SIDES[client].client;
    const connected = async (fetch, answer) => {
      const it = new Client({ name: 'visitor', version: '1.0.0' }, { ...CAN, versionNegotiation: { mode: 'auto' } });
      it.setRequestHandler('elicitation/create', answer);
      await it.connect(new StreamableHTTPClientTransport(AT, { fetch }));
      return it;
    };
    assert.deepEqual(await visited(server, connected), VISITED);
  });
}

test('a client of 1.x on 2026-07-28 is asked without an id too', async () => {
  const { Client } = await import('mcpbolt/client/index.js');
  const { StreamableHTTPClientTransport } = await import('mcpbolt/client/streamableHttp.js');
  const { ElicitRequestSchema } = await import('mcpbolt/types.js');
  const connected = async (fetch, answer) => {
    const it = new Client({ name: 'visitor', version: '1.0.0' }, { ...CAN, protocol: 'modern' });
    it.setRequestHandler(ElicitRequestSchema, answer);
    await it.connect(new StreamableHTTPClientTransport(AT, { fetch }));
    return it;
  };
  for (const server of ['official', 'ours']) assert.deepEqual(await visited(server, connected), VISITED, server);
});
