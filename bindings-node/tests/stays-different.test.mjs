// What is meant to differ from the official packages, on both: a row of tests/differences.json each.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import * as officialClient2 from '@modelcontextprotocol/client';
import * as officialServer2 from '@modelcontextprotocol/server';
import * as ourClient2 from 'mcpbolt/v2/client';
import * as ourServer2 from 'mcpbolt/v2/server';
import { START_BOUND, within } from './support/bounds.mjs';
import { json, rawServer, WELCOME } from './support/raw-http.mjs';
import { Lines } from './support/start.mjs';

const FILES = ['client/index.js', 'client/stdio.js', 'client/streamableHttp.js', 'server/index.js', 'inMemory.js', 'types.js'];
const kit1 = async (name) => Object.assign({}, ...(await Promise.all(FILES.map((file) => import(`${name}/${file}`)))));
const NAMES = ['@modelcontextprotocol/sdk', 'mcpbolt'];
const kits = await Promise.all(NAMES.map(kit1));
const kits2 = [{ ...officialClient2, ...officialServer2 }, { ...ourClient2, ...ourServer2 }];
const info = { name: 'pair', version: '1' };

/** What a program gives on the official package and on ours. */
const onBoth = async (program, of = kits) => [await program(of[0]), await program(of[1])];

async function connected(kit, server, client = new kit.Client(info)) {
  const [near, far] = kit.InMemoryTransport.createLinkedPair();
  await server.connect(near);
  await client.connect(far);
  return client;
}

const HANDSHAKE = [
  { id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info } },
  { method: 'notifications/initialized' },
];

/** Runs a server on stdio, whose input ends after these calls; its answers by id, and what it wrote beside them. */
async function stdio(name, calls, tools, first = HANDSHAKE) {
  const program = `
    import { McpServer } from '${name}/server/mcp.js';
    import { StdioServerTransport } from '${name}/server/stdio.js';
    const server = new McpServer({ name: 'x', version: '1' });
    const content = [];
    ${tools}
    await server.connect(new StdioServerTransport());`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: new URL('.', import.meta.url) });
  const [printed, noted] = [new Lines(child.stdout), new Lines(child.stderr)];
  const requests = calls.map((tool, index) => ({ id: index + 1, method: 'tools/call', params: { name: tool } }));
  const messages = [...first, ...requests];
  child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  await within(once(child, 'close'), 'the end', START_BOUND);
  const said = printed.text.trim().split('\n').map((line) => JSON.parse(line));
  const refused = said.filter(({ error }) => error !== undefined).map(({ id }) => id);
  return { answers: said.map(({ id }) => id).sort(), refused, noted: noted.text };
}

test('the end of a server\'s input', async () => {
  const tool = `
    server.registerTool('slow', {}, () => new Promise((resolve) => setTimeout(() => resolve({ content }), 2500)));
    server.registerTool('quick', {}, () => new Promise((resolve) => setTimeout(() => resolve({ content }), 50)));`;
  const [theirs, ours] = await Promise.all(NAMES.map((name) => stdio(name, ['slow', 'quick'], tool)));
  // differs: end-of-input
  assert.deepEqual([theirs.answers, ours.answers], [[0, 1, 2], [0, 2]]);
});

test('requests before the handshake', async () => {
  const tool = "server.registerTool('quick', {}, () => ({ content }));";
  const [theirs, ours] = await Promise.all(NAMES.map((name) => stdio(name, ['quick'], tool, [])));
  // differs: no-handshake
  assert.deepEqual([theirs.refused, ours.refused], [[], [1]]);
});

test('what is known of a call after its answer', async () => {
  const tool = `server.registerTool('later', {}, (extra) => {
      setTimeout(() => process.stderr.write(JSON.stringify([extra.requestId, extra._meta ?? null])), 50);
      return { content };
    });
    server.registerTool('noted', {}, (extra) => (extra.requestId, setTimeout(() => process.stderr.write(String(extra.requestId)), 50), { content }));`;
  // differs: extra-after-answer
  const later = await Promise.all(NAMES.map((name) => stdio(name, ['later'], tool)));
  assert.deepEqual(later.map(({ noted }) => noted), ['[1,null]', '["",null]']);
  const read = await Promise.all(NAMES.map((name) => stdio(name, ['noted'], tool)));
  assert.deepEqual(read.map(({ noted }) => noted), ['1', '1']);
});

test('a program\'s own handler for cancellations', async () => {
  const states = await onBoth(async (kit) => {
    const server = new kit.Server(info, { capabilities: { tools: {} } });
    let signal;
    const begun = new Promise((resolve) => {
      server.setRequestHandler(kit.CallToolRequestSchema, (_, extra) => (resolve((signal = extra.signal)), new Promise(() => undefined)));
    });
    const heard = new Promise((resolve) => server.setNotificationHandler(kit.CancelledNotificationSchema, resolve));
    const client = await connected(kit, server);
    const stop = new AbortController();
    const asked = client.callTool({ name: 'x' }, undefined, { signal: stop.signal }).catch(() => undefined);
    await within(begun);
    stop.abort('why');
    await within(heard);
    await asked;
    const { aborted } = signal;
    await client.close();
    return aborted;
  });
  // differs: cancelled-anyway
  assert.deepEqual(states, [false, true]);
});

test('updates of a resource that nobody has subscribed to', async () => {
  const told = await onBoth(async (kit) => {
    const uris = [];
    for (const resources of [{ subscribe: true }, {}]) {
      const server = new kit.Server(info, { capabilities: { resources, tools: {} } });
      server.setRequestHandler(kit.ListToolsRequestSchema, () => ({ tools: [] }));
      const client = new kit.Client(info);
      client.setNotificationHandler(kit.ResourceUpdatedNotificationSchema, ({ params }) => uris.push([params.uri, resources.subscribe === true]));
      await connected(kit, server, client);
      await server.sendResourceUpdated({ uri: 'note:///a' });
      await within(client.listTools());
      await client.close();
    }
    return uris;
  });
  // differs: updates-for-subscribers
  const plain = ['note:///a', false];
  assert.deepEqual(told, [[['note:///a', true], plain], [plain]]);
});

test('pieces of standard error', async () => {
  const says = "process.stderr.write('half'); setTimeout(() => process.stderr.write(' line\\n'), 200);";
  const chunks = await onBoth(async (kit) => {
    const transport = new kit.StdioClientTransport({ command: process.execPath, args: ['-e', says], stderr: 'pipe' });
    const found = [];
    transport.stderr.on('data', (data) => found.push(String(data)));
    const over = new Promise((resolve) => (transport.onclose = resolve));
    await transport.start();
    await within(over, 'the end', START_BOUND);
    return found;
  });
  // differs: lines-of-stderr
  assert.deepEqual(chunks, [['half', ' line\n'], ['half line\n']]);
});

test('the session of a client that closes', async () => {
  const ends = async (kit, reads) => {
    const server = await rawServer({ sessionId: 'one' });
    const [client, transport] = [new kit.Client(info), new kit.StreamableHTTPClientTransport(server.url)];
    await client.connect(transport);
    if (reads) assert.equal(transport.sessionId, 'one');
    await client.close();
    return server.requests.filter(({ method }) => method === 'DELETE').length;
  };
  // differs: close-ends-session
  assert.deepEqual(await onBoth((kit) => ends(kit, false)), [0, 1]);
  assert.deepEqual(await onBoth((kit) => ends(kit, true)), [0, 0]);
});

const CODES = [-32020, -32021, -32022, -32002, -32042, -32000, 77];

/** The codes that a client sees of errors with the codes of a list. */
async function seen(kit, server) {
  const client = await connected(kit, server);
  const codes = [];
  for (const code of CODES) codes.push(await within(client.callTool({ name: 'x', arguments: { code } }).then(String, (error) => error.code)));
  await client.close();
  return codes;
}

test('codes that only the modern era has', async () => {
  const [theirs, ours] = await onBoth((kit) => {
    const server = new kit.Server(info, { capabilities: { tools: {} } });
    server.setRequestHandler(kit.CallToolRequestSchema, ({ params }) => {
      throw new kit.McpError(params.arguments.code, 'refused');
    });
    return seen(kit, server);
  });
  // differs: codes-of-the-modern-era
  assert.deepEqual([theirs, ours], [CODES, [-32600, -32600, -32602, ...CODES.slice(3)]]);
});

test('codes that only the modern era has, in 2.x', async () => {
  const [theirs, ours] = await onBoth((kit) => {
    const server = new kit.Server(info, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', ({ params }) => {
      throw new kit.ProtocolError(params.arguments.code, 'refused');
    });
    return seen(kit, server);
  }, kits2);
  // differs: codes-of-the-modern-era-2
  assert.deepEqual(theirs, [...CODES.slice(0, 3), -32602, ...CODES.slice(4)]);
  assert.deepEqual(ours, [-32600, -32600, -32602, ...CODES.slice(3)]);
});

/** What becomes of a deep result and of deep arguments: their depth, or the code of an error. */
async function depths(kit) {
  const nested = JSON.parse(`${'['.repeat(200)}1${']'.repeat(200)}`);
  const depth = (value) => (Array.isArray(value) ? 1 + depth(value[0]) : 0);
  const server = new kit.Server(info, { capabilities: { tools: {} } });
  const answer = ({ params }) => ({ content: [], structuredContent: { deep: params.arguments.deep ? depth(params.arguments.deep) : nested } });
  server.setRequestHandler(kit.CallToolRequestSchema ?? 'tools/call', answer);
  const client = await connected(kit, server);
  const found = async (args) => {
    const asked = client.callTool({ name: 'x', arguments: args });
    return within(asked.then(({ structuredContent: { deep } }) => (Array.isArray(deep) ? depth(deep) : deep), (error) => error.message.replace(/.*JSON/, 'JSON')));
  };
  const all = [await found({}), await found({ deep: nested })];
  await client.close();
  return all;
}

test('JSON that nests deeply', async () => {
  const ours = Array(2).fill('JSON nests deeper than 128 levels');
  // differs: deep-json
  assert.deepEqual(await onBoth(depths), [[200, 200], ours]);
  // differs: deep-json-2
  assert.deepEqual(await onBoth(depths, kits2), [[200, 200], ours]);
});

/** How three calls end after the server has forgotten the session, and how many sessions there were. */
async function forgotten(kit) {
  let [session, sessions] = [undefined, 0];
  const play = ({ id, method }, { headers }, res) => {
    if (method === 'initialize') {
      session = `s-${++sessions}`;
      return void json(res, WELCOME, id, { 'mcp-session-id': session });
    }
    if (headers['mcp-session-id'] !== session) return void res.writeHead(404).end();
    if (method === 'tools/call') json(res, { content: [] }, id);
  };
  const server = await rawServer({ play });
  const client = new kit.Client(info);
  await client.connect(new kit.StreamableHTTPClientTransport(server.url));
  session = undefined;
  const ends = [];
  for (let call = 0; call < 3; call++) ends.push(await within(client.callTool({ name: 'x' }).then(() => 'answered', ({ code }) => code)));
  await client.close();
  return [ends, sessions];
}

test('a session that the server has forgotten', async () => {
  // differs: forgotten-sessions
  assert.deepEqual(await onBoth(forgotten), [[[404, 404, 404], 1], [[404, 'answered', 'answered'], 2]]);
  // differs: forgotten-sessions-2
  const refused = Array(3).fill('CLIENT_HTTP_NOT_IMPLEMENTED');
  assert.deepEqual(await onBoth(forgotten, kits2), [[refused, 1], [['CLIENT_HTTP_NOT_IMPLEMENTED', 'answered', 'answered'], 2]]);
});
