// The names of the official 2.x packages, and that what is the same thing in both lines is
// the same thing here.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const require = createRequire(import.meta.url);
const MODULES = [
  'server', 'server/stdio', 'server/ext/skills', 'server/ext/skills/node', 'client', 'client/stdio', 'client/ext/skills',
  'core', 'core/internal', 'core/ext/skills', 'node', 'express', 'hono', 'fastify', 'server/validators/ajv',
  'client/validators/ajv', 'server-legacy', 'server-legacy/sse', 'server-legacy/auth',
];

/** HTTP+SSE and authorization servers are one thing with those of 1.x, so that they are beside `v2`. */
const pathOf = (name) => (name.startsWith('server-legacy') ? `mcpbolt/${name}` : `mcpbolt/v2/${name.replace(/^(server|client)\/validators/, 'validators')}`);

for (const name of MODULES) {
  test(`${pathOf(name)} has the names of the official package, each the same kind of thing`, async () => {
    const theirs = await import(`@modelcontextprotocol/${name}`);
    const ours = await import(pathOf(name));
    const missing = Object.keys(theirs).filter((key) => typeof ours[key] !== typeof theirs[key]);
    assert.deepEqual(missing, []);
    const values = Object.entries(theirs).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
    for (const [key, value] of values) assert.equal(ours[key], value, key);
    assert.deepEqual(Object.keys(require(`${pathOf(name)}.js`)).filter((key) => !(key in ours) && key !== '__esModule'), []);
  });
}

test('a peer declares skills with what the official package takes', async () => {
  const { skillsCapabilityOf } = await import('mcpbolt/v2/core/ext/skills');
  const theirs = await import('@modelcontextprotocol/core/ext/skills');
  const id = theirs.SKILLS_EXTENSION_ID;
  for (const said of [undefined, {}, { extensions: {} }, { extensions: { [id]: {} } }, { extensions: { [id]: { directoryRead: true } } }, { extensions: { [id]: 1 } }]) {
    assert.deepEqual(skillsCapabilityOf(said), theirs.skillsCapabilityOf(said));
  }
});

test('codes are those of the official package', async () => {
  for (const [module, names] of [['server', ['ProtocolErrorCode', 'SdkErrorCode', 'OAuthErrorCode']]]) {
    const theirs = await import(`@modelcontextprotocol/${module}`);
    const ours = await import(`mcpbolt/v2/${module}`);
    for (const name of names) assert.deepEqual({ ...ours[name] }, { ...theirs[name] }, name);
  }
});

test('one class stands behind the names of both lines and of both sides', async () => {
  const server = await import('mcpbolt/v2/server');
  const client = await import('mcpbolt/v2/client');
  const shared = ['ProtocolError', 'SdkError', 'InMemoryTransport', 'UriTemplate', 'ReadBuffer', 'OAuthError', 'Protocol'];
  for (const name of shared) assert.equal(server[name], client[name], name);
  assert.equal(server.InMemoryTransport, (await import('mcpbolt/inMemory.js')).InMemoryTransport);
  assert.equal(client.StreamableHTTPClientTransport, (await import('mcpbolt/client/streamableHttp.js')).StreamableHTTPClientTransport);
});

test('where the metadata of a client may be read is checked as the official package does', async () => {
  const theirs = await import('@modelcontextprotocol/client');
  const ours = await import('mcpbolt/v2/client');
  const outcome = ({ validateClientMetadataUrl, OAuthError }, url) => {
    try {
      return validateClientMetadataUrl(url);
    } catch (error) {
      return [error instanceof OAuthError, error.name, error.code, error.message];
    }
  };
  for (const url of [undefined, '', 'https://a.example/c', 'https://a.example/', 'https://a.example?c', 'http://a.example/c', 'c']) {
    assert.deepEqual(outcome(ours, url), outcome(theirs, url), url);
  }
  assert.equal(outcome(ours, 'c')[2], ours.OAuthErrorCode.InvalidClientMetadata);
});

test('servers show which revisions they were told to speak, as proxies ask them', async () => {
  const official = await import('@modelcontextprotocol/server');
  const ours = await import('mcpbolt/v2/server');
  const about = { name: 'a', version: '1' };
  const shown = ({ Server, McpServer }, options) => [new Server(about, options), new McpServer(about, options).server].map((server) => server._supportedProtocolVersions);
  for (const options of [undefined, { supportedProtocolVersions: ['2025-06-18'] }]) assert.deepEqual(shown(ours, options), shown(official, options));
});

test('errors are made of codes as the official ones are', async () => {
  const theirs = await import('@modelcontextprotocol/server');
  const ours = await import('mcpbolt/v2/server');
  const cases = [
    [-32602, 'gone', { uri: 'a://b' }],
    [-32602, 'wrong', { uri: 'a://b', more: 1 }],
    [-32002, 'gone', { uri: 'a://b' }],
    [-32002, 'gone', undefined],
    [-32042, 'go there', { elicitations: [{ mode: 'url', message: 'm', elicitationId: 'e', url: 'https://a' }] }],
    [-32022, 'no', { supported: ['2026-07-28'], requested: '1999' }],
    [-32021, 'no', { requiredCapabilities: { sampling: {} } }],
    [-32000, 'other', undefined],
  ];
  const shown = (error) => [error.name, error.code, error.message, error.data, { ...error }];
  for (const parts of cases) {
    const [a, b] = [ours, theirs].map(({ ProtocolError }) => shown(ProtocolError.fromError(...parts)));
    assert.deepEqual(a, b);
  }
  assert.ok(ours.ResourceNotFoundError.isInstance(ours.ProtocolError.fromError(-32002, 'gone', { uri: 'a://b' })));
  assert.throws(() => [new Error('x')].filter(ours.SdkError.isInstance), TypeError);
});

test('schemas of one of several texts show them, as the Inspector reads them', async () => {
  const theirs = await import('@modelcontextprotocol/core');
  const ours = await import('mcpbolt/v2/core');
  const names = Object.keys(theirs).filter((name) => theirs[name].enum !== undefined);
  assert.ok(names.includes('LoggingLevelSchema'));
  for (const name of names) assert.deepEqual({ ...ours[name].enum }, { ...theirs[name].enum }, name);
  assert.equal(ours.ToolSchema.enum, undefined);
  assert.deepEqual(ours.RoleSchema.exclude(['user']).options, theirs.RoleSchema.exclude(['user']).options);
});

// differs: ajv-installed
test('Ajv and its formats are those that the program has installed', async () => {
  const { addFormats, Ajv, AjvJsonSchemaValidator } = await import('mcpbolt/v2/validators/ajv');
  const real = require('ajv').default;
  const ajv = addFormats(new Ajv({ strict: false }));
  assert.ok(ajv instanceof real);
  const check = new AjvJsonSchemaValidator(ajv).getValidator({ type: 'string', format: 'email' });
  assert.deepEqual([check('a@b.example').valid, check('a').valid], [true, false]);
});

test('HTTP+SSE of 2.x carries servers and clients of 2.x', async () => {
  const { createServer } = await import('node:http');
  const { SSEServerTransport } = await import('mcpbolt/server-legacy/sse');
  const { McpServer } = await import('mcpbolt/v2/server');
  const { Client, SSEClientTransport } = await import('mcpbolt/v2/client');
  let transport;
  const http = createServer(async (req, res) => {
    if (req.method === 'POST') return transport.handlePostMessage(req, res);
    const mcp = new McpServer({ name: 'old way', version: '1' });
    mcp.registerTool('greet', {}, () => ({ content: [{ type: 'text', text: 'hello' }] }));
    transport = new SSEServerTransport('/messages', res);
    await mcp.connect(transport);
  });
  await new Promise((listening) => http.listen(0, '127.0.0.1', listening));
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(new SSEClientTransport(new URL(`http://127.0.0.1:${http.address().port}/sse`)));
  assert.deepEqual((await client.callTool({ name: 'greet' })).content, [{ type: 'text', text: 'hello' }]);
  await client.close();
  await transport.close();
  http.closeAllConnections();
  http.close();
});

test('what is registered can be sorted by programs that reach into the table of tools', async () => {
  const seen = [];
  for (const from of ['mcpbolt/v2', '@modelcontextprotocol']) {
    const { McpServer, InMemoryTransport } = await import(`${from}/server`);
    const { Client } = await import(`${from}/client`);
    const server = new McpServer({ name: 's', version: '1' });
    for (const name of ['b', 'c', 'a']) server.registerTool(name, { description: name }, () => ({ content: [] }));
    const table = server._registeredTools;
    const sorted = Object.fromEntries(Object.entries(table).sort(([a], [b]) => a.localeCompare(b)));
    for (const name of Object.keys(table)) delete table[name];
    Object.assign(table, sorted);
    delete table.c;
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'c', version: '1' });
    await Promise.all([server.connect(near), client.connect(far)]);
    seen.push((await client.listTools()).tools.map(({ name }) => name));
    await client.close();
  }
  assert.deepEqual(seen, [['a', 'b'], ['a', 'b']]);
});
