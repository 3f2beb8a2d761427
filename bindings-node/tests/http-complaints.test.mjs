// What users of the official package complain about, where HTTP servers are concerned.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { LIMIT } from './support/bounds.mjs';
import { ask, HEADERS, listen, makeServer, messagesOf, opening, ours, randomUUID, single, within } from './support/http.mjs';

const call = (name, id = 1, given = {}) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });
const json = (message) => JSON.stringify(message);
const run = promisify(execFile);

/** The map of sessions of the official examples, all with one server. */
async function mapOf(server, options = {}) {
  const known = new Map();
  const listener = await listen(async (req, res) => {
    let transport = known.get(req.headers['mcp-session-id']);
    if (transport === undefined) {
      transport = new ours.StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => known.set(id, transport),
        onsessionclosed: (id) => known.delete(id),
        ...options,
      });
      await server.connect(transport);
    }
    await transport.handleRequest(req, res);
  });
  return { ...listener, known };
}

describe('sessions are bound to a process', () => {
  it('a session goes on in another process', async () => {
    const first = await single(ours);
    await first.post(opening());
    await first.close();
    const second = await single(ours, { sessionIdGenerator: () => 'unused' });
    second.transport.adopt('session-1', opening().params);
    const session = { 'mcp-session-id': 'session-1' };
    const { status, body } = await second.post(call('echo', 1, { text: 'still here' }), session);
    assert.equal(status, 200);
    assert.equal(messagesOf(body)[0].result.content[0].text, 'still here');
    assert.deepEqual(second.server.getClientVersion(), { name: 'c', version: '1' });
    assert.equal((await second.post(call('echo'), { 'mcp-session-id': 'other' })).status, 404);
    await second.close();
  });

  it('or there are none', async () => {
    const server = makeServer(ours);
    const handlers = [0, 1].map(() => createHttpHandler(server, { sessions: 'none', response: 'json' }));
    let turn = 0;
    const fetched = (url, init) => handlers[turn++ % 2].fetch(new Request(url, init));
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL('http://any/mcp'), { fetch: fetched }));
    for (const text of ['a', 'b', 'c']) assert.equal((await client.callTool({ name: 'echo', arguments: { text } })).content[0].text, text);
    await client.close();
    await server.close();
  });
});

/** A session that a client has begun and used, and how it goes on. */
async function begun(handler) {
  const web = await listen(handler);
  const post = (message, session) =>
    ask(web.port, { headers: { ...HEADERS, ...(session && { 'mcp-session-id': session }) }, body: json(message) });
  const session = (await post(opening())).headers['mcp-session-id'];
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  assert.equal((await post(call('echo'), session)).status, 200);
  return { web, post, session };
}

describe('sessions that are over', () => {
  it('are those without traffic for as long as `idle` says', async () => {
    const server = makeServer(ours);
    const handler = createHttpHandler(server, { idle: 0.2 });
    const { web, post, session } = await begun(handler);
    const bound = Date.now() + LIMIT;
    while (handler.sessions() > 0 && Date.now() < bound) await new Promise(setImmediate);
    assert.equal(handler.sessions(), 0);
    assert.equal((await post(call('echo'), session)).status, 404);
    await server.close();
    await web.close();
  });

  it('are 404, so that clients begin anew', async () => {
    const server = makeServer(ours);
    const handler = createHttpHandler(server);
    const { web, post, session } = await begun(handler);
    assert.equal((await ask(web.port, { method: 'DELETE', headers: { 'mcp-session-id': session } })).status, 200);
    assert.equal((await post(call('echo'), session)).status, 404);
    assert.equal((await post(call('echo'), 'never-was')).status, 404);
    assert.equal(handler.sessions(), 0);
    await server.close();
    await web.close();
  });
});

describe('one server, many clients', () => {
  const CLIENTS = 25;

  async function connected(url) {
    const heard = [];
    const client = new Client({ name: 'c', version: '1' }, { capabilities: { sampling: {} } });
    client.setRequestHandler(ours.CreateMessageRequestSchema, () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: client.mine } }));
    client.setNotificationHandler(ours.LoggingMessageNotificationSchema, ({ params }) => void heard.push(params.data));
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return Object.assign(client, { heard, mine: randomUUID() });
  }

  async function check(url) {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => connected(url)));
    await Promise.all(
      clients.map(async (client) => {
        // Everybody uses the same ids.
        const echoed = await client.callTool({ name: 'echo', arguments: { text: client.mine } });
        assert.equal(echoed.content[0].text, client.mine);
        const sampled = await client.callTool({ name: 'sample' });
        assert.equal(sampled.content[0].text, client.mine);
        await client.callTool({ name: 'notify' });
      }),
    );
    for (const client of clients) assert.deepEqual(client.heard, ['working']);
    await Promise.all(clients.map((client) => client.close()));
  }

  it('transports', async () => {
    const server = makeServer(ours);
    const web = await mapOf(server);
    await check(web.url);
    assert.equal(web.known.size, CLIENTS);
    await server.close();
    await web.close();
  });

  it('a handler', async () => {
    const server = makeServer(ours);
    const web = await listen(createHttpHandler(server));
    await check(web.url);
    await server.close();
    await web.close();
  });

  it('the engine’s listener', async () => {
    const server = makeServer(ours);
    await check((await server.listen()).url);
    await server.close();
  });

  it('one of them leaves, the others stay', async () => {
    const server = makeServer(ours);
    const web = await mapOf(server);
    const [one, two] = await Promise.all([connected(web.url), connected(web.url)]);
    await one.transport.terminateSession();
    await one.close();
    assert.equal((await two.callTool({ name: 'echo', arguments: { text: 'x' } })).content[0].text, 'x');
    await two.close();
    await server.close();
    await web.close();
  });
});

describe('a server for each session', () => {
  it('is not needed: a session costs a few kilobytes', async () => {
    const { stdout } = await run(process.execPath, ['--expose-gc', fileURLToPath(new URL('support/session-cost.mjs', import.meta.url))]);
    const { heap, rss, left } = JSON.parse(stdout);
    assert.ok(heap < 4_000, `${heap} bytes of the heap for each session`);
    assert.ok(rss < 40_000, `${rss} bytes of the process for each session`);
    assert.equal(left, false);
  });

  it('and transports for each request leave nothing behind', async () => {
    const server = makeServer(ours);
    let closed = 0;
    server.onclose = () => (closed += 1);
    const web = await listen(async (req, res) => {
      const transport = new ours.StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      await server.connect(transport);
      await transport.handleRequest(req, res);
      await transport.close();
    });
    for (let id = 0; id < 50; id++) {
      const { body } = await ask(web.port, { headers: HEADERS, body: json(call('echo', id, { text: String(id) })) });
      assert.equal(messagesOf(body)[0].result.content[0].text, String(id));
      await ask(web.port, { headers: {}, body: '{}' });
    }
    assert.equal(closed, 100);
    assert.equal(server.transport, undefined);
    await web.close();
  });
});

describe('what is left behind', () => {
  it('transports that nobody closes, of one request each', async () => {
    const server = makeServer(ours);
    let served = 0;
    const web = await listen(async (req, res) => {
      const transport = new ours.StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: served++ % 2 === 0 });
      await server.connect(transport);
      await transport.handleRequest(req, res);
    });
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    };
    for (let id = 0; id < 20; id++) {
      for (const [message, headers] of [[call('notify', id)], [{ ...call('echo', id), params: { name: 'echo', _meta } }, modern], [{ jsonrpc: '2.0', method: 'x' }]]) {
        const { status } = await ask(web.port, { headers: { ...HEADERS, ...headers }, body: json(message) });
        assert.ok(status === 200 || status === 202);
      }
      await ask(web.port, { method: 'GET', headers: { accept: 'text/event-stream' }, until: () => true });
      await ask(web.port, { method: 'PUT' });
    }
    const start = performance.now();
    while (server.transport !== undefined && performance.now() - start < 30_000) await new Promise(setImmediate);
    assert.equal(server.transport, undefined);
    await web.close();
  });
});

describe('streams that nobody hears of', () => {
  const keepsAlive = async (port, options) => {
    const { body } = await ask(port, { ...options, until: (text) => text.split(/^:.*\n/m).length > 3 });
    assert.ok(body.split('\n').filter((line) => line.startsWith(':')).length >= 2);
  };

  it('transports say that they live', async () => {
    const app = await single(ours, { keepAliveMs: 10 }, { go: new Promise(() => undefined) });
    await app.post(opening());
    const session = { 'mcp-session-id': 'session-1' };
    await keepsAlive(app.port, { method: 'GET', headers: { accept: 'text/event-stream', ...session } });
    await keepsAlive(app.port, { headers: { ...HEADERS, ...session }, body: json(call('wait')) });
    await app.close();
  });

  it('so do handlers and the listener', async () => {
    const server = makeServer(ours, { go: new Promise(() => undefined) });
    const handler = createHttpHandler(server, { keepAlive: 0.02, response: 'sse' });
    const web = await listen(handler);
    const listener = await server.listen({ keepAlive: 0.02, response: 'sse', drain: 0.1 });
    for (const port of [web.port, listener.port]) {
      const answer = await ask(port, { headers: HEADERS, body: json(opening()) });
      const headers = { ...HEADERS, 'mcp-session-id': answer.headers['mcp-session-id'] };
      await ask(port, { headers, body: json({ jsonrpc: '2.0', method: 'notifications/initialized' }) });
      await keepsAlive(port, { headers, body: json(call('wait')) });
    }
    await server.close();
    await web.close();
  });

  it('a client that comes back is not refused', async () => {
    const app = await single(ours);
    await app.post(opening());
    const headers = { accept: 'text/event-stream', 'mcp-session-id': 'session-1' };
    const gone = new Promise((resolve) => app.web.once('connection', (socket) => socket.once('close', resolve)));
    assert.equal((await ask(app.port, { method: 'GET', headers, until: () => true })).status, 200);
    await within(gone, 'the cut');
    assert.equal((await ask(app.port, { method: 'GET', headers, until: () => true })).status, 200);
    await app.close();
  });
});

describe('frameworks in the graph', () => {
  it('HTTP servers load neither Express nor Hono nor a schema library', async () => {
    const program = `
      const { McpServer } = require('mcpbolt/server/mcp.js');
      const { StreamableHTTPServerTransport } = require('mcpbolt/server/streamableHttp.js');
      require('mcpbolt/server/sse.js'); require('mcpbolt/server/http.js'); require('mcpbolt/server/auth/middleware/bearerAuth.js');
      require('mcpbolt/server/express.js');
      const server = new McpServer({ name: 's', version: '1' });
      server.connect(new StreamableHTTPServerTransport({ sessionIdGenerator: undefined }));
      const foreign = Object.keys(require.cache).filter((path) => path.includes('node_modules') || path.includes('/tools/'));
      console.log(JSON.stringify(foreign.filter((path) => !path.includes('mcpbolt'))));
    `;
    const { stdout } = await run(process.execPath, ['-e', program], { cwd: fileURLToPath(new URL('..', import.meta.url)) });
    assert.deepEqual(JSON.parse(stdout), []);
  });

  it('createMcpExpressApp takes the program’s Express', async () => {
    const { createMcpExpressApp } = await import('mcpbolt/server/express.js');
    const app = createMcpExpressApp();
    const server = new McpServer({ name: 's', version: '1' });
    server.registerTool('hi', {}, () => ({ content: [{ type: 'text', text: 'hi' }] }));
    app.all('/mcp', createHttpHandler(server));
    const web = await listen(app);
    const client = new Client({ name: 'c', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(web.url)));
    assert.equal((await client.callTool({ name: 'hi' })).content[0].text, 'hi');
    await client.close();
    const refused = await ask(web.port, { headers: { ...HEADERS, host: 'evil' }, body: '{}' });
    assert.equal(refused.status, 403);
    assert.equal(JSON.parse(refused.body).error.message, 'Invalid Host: evil');
    await server.close();
    await web.close();
  });
});
