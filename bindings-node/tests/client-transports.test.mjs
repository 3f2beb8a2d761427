// Our transports as objects: used alone, wrapped, derived from, and taken over.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport, SseError } from 'mcpbolt/client/sse.js';
import { DEFAULT_INHERITED_ENV_VARS, getDefaultEnvironment, StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { WebSocketClientTransport } from 'mcpbolt/client/websocket.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server/index.js';
import * as official from '@modelcontextprotocol/sdk/client/stdio.js';
import { START_BOUND, within } from './support/bounds.mjs';
import { CustomTransport } from './support/custom.mjs';
import { event, json, rawServer, stream } from './support/raw-http.mjs';
import { Lines, officialHttp, peer } from './support/start.mjs';

const info = { name: 'transports', version: '1.0.0' };
const server = { command: process.execPath, args: [peer('official-server.mjs')], stderr: 'ignore' };
const http = await officialHttp('--http');
const sse = await officialHttp('--sse');

const opening = { jsonrpc: '2.0', id: 'one', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info } };

/** The next message of a transport. */
const next = (transport) => within(new Promise((resolve) => (transport.onmessage = resolve)), 'a message');

for (const [name, make] of Object.entries({
  stdio: () => new StdioClientTransport(server),
  http: () => new StreamableHTTPClientTransport(http.url),
  sse: () => new SSEClientTransport(sse.url),
})) {
  test(`a transport over ${name} works without a client`, async () => {
    const transport = make();
    let closes = 0;
    transport.onclose = () => (closes += 1);
    await transport.start();
    await assert.rejects(transport.start(), /already started! If using Client class/);
    let answer = next(transport);
    await transport.send(opening);
    const { id, result } = await answer;
    assert.deepEqual([id, result.serverInfo.name], ['one', 'official']);
    transport.setProtocolVersion?.(result.protocolVersion);
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    answer = next(transport);
    await transport.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'echo', arguments: { text: 'alone' } } });
    assert.equal((await answer).result.content[0].text, 'alone');
    await transport.close();
    assert.equal(closes, 1);
  });
}

test('a transport that nobody started sends nothing', async () => {
  for (const transport of [new StdioClientTransport(server), new SSEClientTransport(sse.url), new WebSocketClientTransport(new URL('ws://localhost:1'))]) {
    await assert.rejects(transport.send(opening), { message: 'Not connected' });
    await transport.close();
  }
});

test('a proxy between a program and a server sees every message', async () => {
  const [left, right] = InMemoryTransport.createLinkedPair();
  const behind = new StdioClientTransport(server);
  const seen = [];
  right.onmessage = (message) => (seen.push(`> ${message.method}`), behind.send(message));
  behind.onmessage = (message) => (seen.push(`< ${message.method ?? 'answer'}`), right.send(message));
  behind.onclose = () => right.close();
  right.onclose = () => behind.close();
  await Promise.all([right.start(), behind.start()]);
  const client = new Client(info);
  await client.connect(left);
  assert.equal((await client.callTool({ name: 'echo', arguments: { text: 'through' } })).content[0].text, 'through');
  await client.close();
  assert.deepEqual(seen, ['> initialize', '< answer', '> notifications/initialized', '> tools/call', '< answer']);
});

test('callbacks that are set before connect are called, too, and the object is asked', async () => {
  for (const make of [() => new StdioClientTransport(server), () => new StreamableHTTPClientTransport(http.url), () => new CustomTransport()]) {
    const transport = make();
    const seen = [];
    transport.onmessage = (message) => seen.push(message.id ?? message.method);
    transport.onclose = () => seen.push('closed');
    const client = new Client(info);
    client.onclose = () => seen.push('client closed');
    await client.connect(transport);
    await client.close();
    assert.equal(typeof seen[0], 'number');
    assert.deepEqual(seen.slice(-2), ['closed', 'client closed']);
  }
});

test('a class that is derived from a transport is asked, not passed by', async () => {
  class Counting extends StdioClientTransport {
    sent = [];
    async send(message) {
      this.sent.push(message.method);
      return super.send(message);
    }
  }
  const transport = new Counting(server);
  const client = new Client(info);
  await client.connect(transport);
  await client.ping();
  await client.close();
  assert.deepEqual(transport.sent, ['initialize', 'notifications/initialized', 'ping']);
});

test('the environment of a server is the little that programs need, and what is given', async () => {
  assert.deepEqual(DEFAULT_INHERITED_ENV_VARS, official.DEFAULT_INHERITED_ENV_VARS);
  assert.deepEqual(getDefaultEnvironment(), official.getDefaultEnvironment());
  process.env.MCPBOLT_SECRET = 'x';
  const script = 'process.stderr.write(JSON.stringify([process.env, process.cwd(), process.argv.slice(1)]))';
  const transport = new StdioClientTransport({ command: process.execPath, args: ['-e', script, 'a b', '"c"'], env: { GIVEN: 'y' }, cwd: '/', stderr: 'pipe' });
  const lines = new Lines(transport.stderr);
  const ended = new Promise((resolve) => (transport.onclose = resolve));
  await transport.start();
  assert.equal(typeof transport.pid, 'number');
  await within(ended, 'the end', START_BOUND);
  const [, text] = await lines.until(/(.*\])/s, START_BOUND);
  const [environment, folder, args] = JSON.parse(text);
  assert.deepEqual({ ...environment, __CF_USER_TEXT_ENCODING: undefined }, { ...getDefaultEnvironment(), GIVEN: 'y', __CF_USER_TEXT_ENCODING: undefined });
  assert.deepEqual([folder, args], ['/', ['a b', '"c"']]);
  assert.equal(transport.pid, null);
});

test('standard error goes where it is told to', async () => {
  const script = (stderr) => `
    import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
    const transport = new StdioClientTransport({ command: 'sh', args: ['-c', 'echo heard >&2'], stderr: ${stderr} });
    transport.onclose = () => console.log('over');
    await transport.start();`;
  for (const [stderr, isHeard] of [["'inherit'", true], ['undefined', true], ['2', true], ['process.stderr', true], ["'ignore'", false]]) {
    const program = spawn(process.execPath, ['--input-type=module', '-e', script(stderr)], { cwd: new URL('.', import.meta.url) });
    const [heard] = [new Lines(program.stderr)];
    program.stdout.resume();
    await within(once(program, 'close'), 'the end', START_BOUND);
    assert.equal(heard.text.includes('heard'), isHeard, stderr);
  }
});

test('a file that is standard error keeps what the program and its server write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stderr-'));
  const path = join(folder, 'log');
  const script = `
    import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
    console.error('before');
    const transport = new StdioClientTransport({ command: 'sh', args: ['-c', 'echo heard >&2'] });
    transport.onclose = () => console.error('after, and longer than anything else');
    await transport.start();`;
  const log = openSync(path, 'w');
  const program = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: new URL('.', import.meta.url), stdio: ['ignore', 'ignore', log] });
  await within(once(program, 'close'), 'the end', START_BOUND);
  closeSync(log);
  assert.equal(readFileSync(path, 'utf8'), 'before\nheard\nafter, and longer than anything else\n');
  rmSync(folder, { recursive: true });
});

/** Answers pings. */
const pong = ({ id, method }, _, res) => method === 'ping' && json(res, {}, id);

test('every request over HTTP has its headers, credentials and session', async () => {
  const tokens = { access_token: 'secret', token_type: 'Bearer' };
  const authProvider = { tokens: () => tokens };
  for (const options of [{}, { fetch: (...parts) => fetch(...parts) }]) {
    const raw = await rawServer({ sessionId: 's-1', play: pong });
    const transport = new StreamableHTTPClientTransport(raw.url, { ...options, authProvider, requestInit: { headers: { 'x-mine': 'yes' } } });
    const client = new Client(info);
    await client.connect(transport);
    await client.ping();
    assert.equal(transport.sessionId, 's-1');
    assert.equal(transport.protocolVersion, '2025-11-25');
    await transport.terminateSession();
    assert.equal(transport.sessionId, undefined);
    await client.close();
    assert.ok(raw.requests.length >= 4);
    for (const { method, headers, message } of raw.requests) {
      assert.deepEqual([headers['x-mine'], headers.authorization], ['yes', 'Bearer secret'], method);
      const isFirst = message?.method === 'initialize';
      assert.equal(headers['mcp-session-id'], isFirst ? undefined : 's-1');
      assert.equal(headers['mcp-protocol-version'], isFirst ? undefined : '2025-11-25');
    }
    assert.equal(raw.requests.filter(({ method }) => method === 'DELETE').length, 1);
  }
});

test('headers that a program changes are those of the next request', async () => {
  for (const options of [{}, { fetch: (...parts) => fetch(...parts) }]) {
    const raw = await rawServer({ play: pong });
    const headers = { 'x-token': 'one' };
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(raw.url, { ...options, requestInit: { headers } }));
    headers['x-token'] = 'two';
    await client.ping();
    await client.close();
    const tokens = raw.requests.filter(({ message }) => message?.id !== undefined).map(({ headers: sent }) => sent['x-token']);
    assert.deepEqual(tokens, ['one', 'two']);
  }
});

test('a session nobody can come back to is ended with the connection, one whose id was seen is not', async () => {
  for (const isSeen of [false, true]) {
    const raw = await rawServer({ sessionId: 's-2' });
    const transport = new StreamableHTTPClientTransport(raw.url);
    const client = new Client(info);
    await client.connect(transport);
    if (isSeen) assert.equal(transport.sessionId, 's-2');
    await client.close();
    assert.equal(raw.requests.some(({ method }) => method === 'DELETE'), !isSeen);
  }
});

test('a session goes on with its id, without a handshake', async () => {
  const first = new StreamableHTTPClientTransport(http.url);
  const before = new Client(info);
  await before.connect(first);
  const { sessionId } = first;
  await before.close();
  const client = new Client(info);
  const second = new StreamableHTTPClientTransport(http.url, { sessionId });
  second.setProtocolVersion('2025-11-25');
  await client.connect(second);
  assert.equal(client.getServerCapabilities(), undefined);
  const { content } = await client.callTool({ name: 'session' });
  assert.equal(JSON.parse(content[0].text).sessionId, sessionId);
  await client.close();
});

test('a stream is taken up after an event, and says after which it can be', async () => {
  let asked;
  const raw = await rawServer({
    sessionId: 's-3',
    play(message, _, res) {
      if (message.method !== 'tools/call') return false;
      asked = message.id;
      stream(res);
      event(res, { jsonrpc: '2.0', id: message.id, result: { content: [] } }, 'e-1');
      res.end();
      return true;
    },
    get(req, res) {
      if (req.headers['last-event-id'] === undefined) return void res.writeHead(405).end();
      stream(res);
      event(res, { jsonrpc: '2.0', id: asked, result: { content: [{ type: 'text', text: `after ${req.headers['last-event-id']}` }] } }, 'e-2');
      res.end();
    },
  });
  // The first goes on with a session; of the second, the engine has the rest.
  for (const options of [{ sessionId: 's-3' }, {}]) {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(raw.url, options));
    const seen = [];
    const onresumptiontoken = (token) => seen.push(token);
    await within(client.callTool({ name: 'x' }, undefined, { onresumptiontoken }));
    const resumed = await within(client.callTool({ name: 'x' }, undefined, { resumptionToken: 'e-1', onresumptiontoken }));
    assert.equal(resumed.content[0].text, 'after e-1');
    assert.deepEqual(seen, ['e-1', 'e-2']);
    assert.ok(raw.requests.every(({ message }) => message?.id === undefined || typeof message.id === 'number'));
    await client.close();
  }
});

test('a request whose stream is watched by the program has progress, questions, errors and an end', async () => {
  const client = new Client(info, { capabilities: { roots: {} } });
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///one' }] }));
  await client.connect(new StreamableHTTPClientTransport(http.url));
  const onresumptiontoken = () => undefined;
  const reports = [];
  const slow = { name: 'slow', arguments: { steps: 2, wait: 5 } };
  await client.callTool(slow, undefined, { onresumptiontoken, onprogress: ({ progress }) => reports.push(progress) });
  assert.deepEqual(reports, [1, 2]);
  const asked = await within(client.callTool({ name: 'ask', arguments: { method: 'roots/list' } }, undefined, { onresumptiontoken }));
  assert.deepEqual(JSON.parse(asked.content[0].text), { roots: [{ uri: 'file:///one' }] });
  await assert.rejects(client.callTool({ name: 'fail', arguments: { code: -32050 } }, undefined, { onresumptiontoken }), { code: -32050 });
  const hang = (options) => client.callTool({ name: 'hang' }, undefined, { onresumptiontoken, ...options });
  await assert.rejects(hang({ timeout: 30 }), { kind: 'timeout' });
  await assert.rejects(hang({ signal: AbortSignal.timeout(30) }), { kind: 'cancelled' });
  const waiting = assert.rejects(hang(), { kind: 'closed' });
  await client.close();
  await within(waiting);
});

test('redirects that leave the origin are not followed, and credentials stay', async () => {
  const elsewhere = await rawServer();
  const raw = await rawServer({ play: (_, __, res) => res.writeHead(307, { location: elsewhere.url.href }).end() });
  for (const options of [{}, { fetch: (...parts) => fetch(...parts) }]) {
    const client = new Client(info);
    await assert.rejects(client.connect(new StreamableHTTPClientTransport(raw.url, { ...options, requestInit: { headers: { authorization: 'x' } } })));
  }
  assert.deepEqual(elsewhere.requests, []);
  const alone = new StreamableHTTPClientTransport(raw.url);
  await alone.start();
  await assert.rejects(alone.send(opening), { code: 307, message: `Streamable HTTP error: Error POSTing to endpoint: Redirect to ${elsewhere.url.href} not followed (redirectPolicy: 'same-origin')` });
  await alone.close();
  const follower = new Client(info);
  await follower.connect(new StreamableHTTPClientTransport(raw.url, { redirectPolicy: 'follow' }));
  await follower.close();
  assert.equal(elsewhere.requests[0].message.method, 'initialize');
});

test('an endpoint of HTTP+SSE in another origin is refused', async () => {
  const raw = await rawServer({ get: (_, res) => stream(res).write('event: endpoint\ndata: http://other.example/messages\n\n') });
  const transport = new SSEClientTransport(raw.url);
  await assert.rejects(within(transport.start()), { message: 'Endpoint origin does not match connection origin: http://other.example' });
  const refused = await rawServer({ get: (_, res) => res.writeHead(503).end() });
  await assert.rejects(new SSEClientTransport(refused.url).start(), (error) => error instanceof SseError && error.code === 503 && error.message === 'SSE error: Non-200 status code (503)');
});

test('a replaced global fetch carries the requests', async () => {
  const raw = await rawServer();
  const { fetch: before } = globalThis;
  const seen = [];
  globalThis.fetch = (url, init) => (seen.push(`${init.method} ${new URL(url).pathname}`), before(url, init));
  after(() => (globalThis.fetch = before));
  try {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(raw.url));
    await client.close();
  } finally {
    globalThis.fetch = before;
  }
  assert.deepEqual(seen.slice(0, 2), ['POST /mcp', 'POST /mcp']);
});

test('a WebSocket of the runtime or of a package carries messages', async () => {
  const { WebSocketServer } = await import('ws').catch(() => ({}));
  if (WebSocketServer === undefined) return;
  const { WebSocket } = await import('ws');
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const sockets = new WebSocketServer({ server: listener });
  after(() => (sockets.close(), listener.close(), listener.closeAllConnections()));
  sockets.on('connection', (socket) => {
    socket.on('message', (text) => {
      const { id, method } = JSON.parse(text);
      const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: info } : {};
      if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  const place = new URL(`ws://127.0.0.1:${listener.address().port}`);
  const before = globalThis.WebSocket;
  for (const [given, others] of [[WebSocket, undefined], [undefined, WebSocket]]) {
    globalThis.WebSocket = others;
    try {
      const client = new Client(info);
      await client.connect(new WebSocketClientTransport(place, { WebSocket: given }));
      assert.deepEqual(await client.ping(), {});
      const over = new Promise((resolve) => (client.onclose = resolve));
      await client.close();
      await within(over, 'the end');
    } finally {
      globalThis.WebSocket = before;
    }
  }
});

/** How a program of so many lines ends: its code, and what it printed. */
async function program(lines) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', lines], { cwd: new URL('.', import.meta.url), stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = new Lines(child.stdout);
  const errors = new Lines(child.stderr);
  const [code, signal] = await within(once(child, 'close'), 'the end of a program', START_BOUND).catch((error) => {
    child.kill('SIGKILL');
    throw new Error(`${error.message}: ${errors.text}`);
  });
  return { code, signal, printed: printed.text, errors: errors.text };
}

test('nothing keeps a finished program alive', async () => {
  const head = `
    import { Client } from 'mcpbolt/client/index.js';
    import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
    import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
    const client = new Client({ name: 'x', version: '1' });
    const stdio = new StdioClientTransport(${JSON.stringify(server)});
    const http = new StreamableHTTPClientTransport(new URL('${http.url}'));`;
  const bodies = {
    imported: '',
    'stdio, closed': 'await client.connect(stdio); await client.ping(); await client.close();',
    'http, closed': 'await client.connect(http); await client.ping(); await client.close();',
    'failed to connect': "await client.connect(new StdioClientTransport({ command: 'no-such-program' })).catch(() => undefined);",
    'aborted': 'await client.connect(stdio); client.callTool({ name: "hang" }).catch(() => undefined); await client.close();',
    'the server went': 'await client.connect(stdio); await client.callTool({ name: "exit" }).catch(() => undefined);',
  };
  for (const [name, body] of Object.entries(bodies)) {
    const ended = await program(`${head}\n${body}\nconsole.log('done');`);
    assert.deepEqual([ended.code, ended.printed], [0, 'done\n'], `${name}: ${ended.errors}`);
  }
});

test('a program that is waiting for an answer is kept alive', async () => {
  const { code, printed } = await program(`
    import { Client } from 'mcpbolt/client/index.js';
    import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
    const client = new Client({ name: 'x', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL('${http.url}')));
    const { content } = await client.callTool({ name: 'slow', arguments: { steps: 3, wait: 40 } });
    console.log(content[0].text);
    await client.close();`);
  assert.deepEqual([code, printed], [0, 'done\n']);
});

test('an answer that nobody catches is an unhandled rejection, as everywhere', async () => {
  const { code, errors } = await program(`
    import { Client } from 'mcpbolt/client/index.js';
    new Client({ name: 'x', version: '1' }).ping();`);
  assert.equal(code, 1);
  assert.match(errors, /Error: Not connected/);
});

test('a client and a server in one program, over a linked pair', async () => {
  const server_ = new Server({ name: 'inside', version: '1' }, { capabilities: { tools: {} } });
  server_.setRequestHandler('tools/list', () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }));
  server_.setRequestHandler('tools/call', async () => {
    const { roots } = await server_.listRoots();
    return { content: [{ type: 'text', text: roots[0].uri }] };
  });
  const client = new Client(info, { capabilities: { roots: {} } });
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///here' }] }));
  for (let round = 0; round < 2; round++) {
    const [left, right] = InMemoryTransport.createLinkedPair();
    await Promise.all([server_.connect(right), client.connect(left)]);
    assert.equal((await client.listTools()).tools[0].name, 'ask');
    assert.equal((await within(client.callTool({ name: 'ask' }))).content[0].text, 'file:///here');
    await client.close();
  }
});

test('a transport that does not say when it is closed leaves nothing waiting', async () => {
  const transport = new CustomTransport();
  transport.close = async () => undefined;
  const client = new Client(info);
  await client.connect(transport);
  const waiting = assert.rejects(client.ping(), { kind: 'closed' });
  await client.close();
  await within(waiting);
  assert.equal(client.transport, undefined);
});

test('requests that nobody knows are answered by late handlers and by the fallback, over transports of the program', async () => {
  const transport = new CustomTransport();
  const client = new Client(info);
  await client.connect(transport);
  const answer = (id) => within(transport.answered(id));
  const ask = (id, method, params) => transport.onmessage({ jsonrpc: '2.0', id, method, params });
  ask('a', 'custom/one');
  assert.equal((await answer('a')).error.code, -32601);
  client.setRequestHandler('custom/one', ({ params }) => ({ got: params.x }));
  ask('b', 'custom/one', { x: 1 });
  assert.deepEqual((await answer('b')).result, { got: 1 });
  let aborted;
  client.fallbackRequestHandler = async ({ method, id }, { signal }) => {
    if (method === 'custom/hang') await new Promise((resolve) => (aborted = resolve, signal.addEventListener('abort', () => resolve(signal.reason))));
    return { method, id };
  };
  ask('c', 'custom/two');
  assert.deepEqual((await answer('c')).result, { method: 'custom/two', id: 'c' });
  ask('d', 'custom/hang');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(typeof aborted, 'function');
  transport.onmessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'd', reason: 'never mind' } });
  await client.ping({ timeout: 20 }).catch(() => undefined);
  assert.ok(!transport.sent.some(({ id }) => id === 'd'));
  await client.close();
});

test('a question that came over a transport of the program is answered before the program ends', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', ASKED], { cwd: import.meta.dirname });
  assert.deepEqual(JSON.parse(stdout), { jsonrpc: '2.0', id: 'asked', result: { roots: [] } });
});

/** Nothing but what is awaited keeps this program alive, which is nothing at all. */
const ASKED = `
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { ListRootsRequestSchema } from 'mcpbolt/types.js';
const client = new Client({ name: 'asked', version: '1' }, { capabilities: { roots: {} } });
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
const [near, far] = InMemoryTransport.createLinkedPair();
const about = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'raw', version: '1' } };
const answered = new Promise((resolve) => {
  far.onmessage = (message) => {
    if (message.method === 'initialize') void far.send({ jsonrpc: '2.0', id: message.id, result: about });
    if (message.id === 'asked') resolve(message);
  };
});
await far.start();
await client.connect(near);
await far.send({ jsonrpc: '2.0', id: 'asked', method: 'roots/list' });
console.log(JSON.stringify(await answered));
`;
