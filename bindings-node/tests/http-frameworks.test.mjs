// One server under every web server: the official clients of both generations call it, and a
// handler finds the request that brought it.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import http from 'node:http';
import http2 from 'node:http2';
import { describe, it } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { makeServer, ours, randomUUID, within } from './support/http.mjs';
import { event } from './support/v2.mjs';

const express4 = createRequire(import.meta.url)('express4');
const context = new AsyncLocalStorage();
const AUTH = { token: 't', clientId: 'anna', scopes: ['all'] };

/** A server whose tool says what it knows of its request. */
function server() {
  const made = makeServer(ours);
  made.setRequestHandler(ours.CallToolRequestSchema, async (_, extra) => {
    await Promise.resolve();
    const facts = { auth: extra.authInfo?.clientId, header: extra.requestInfo?.headers['x-test'], store: context.getStore() };
    return { content: [{ type: 'text', text: JSON.stringify(facts) }] };
  });
  return made;
}

async function serve(handle) {
  const web = http.createServer(handle);
  await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
  return [web.address().port, () => (web.closeAllConnections(), web.close())];
}

const withExpress = (make, parses) => async (handler) => {
  const app = make();
  if (parses) app.use(make.json());
  app.use((req, res, next) => {
    req.auth = AUTH;
    context.run(req.headers['x-test'], next);
  });
  app.all('/mcp', handler);
  return serve(app);
};

const HANDLERS = {
  'node:http': async (handler) => serve((req, res) => context.run(req.headers['x-test'], () => handler(Object.assign(req, { auth: AUTH }), res))),
  'Express 5': withExpress(express, false),
  'Express 5 with express.json': withExpress(express, true),
  'Express 4': withExpress(express4, false),
  'Express 4 with express.json': withExpress(express4, true),
  'Express, mounted with use': async (handler) => {
    const app = express();
    app.use('/mcp', (req, res) => context.run(req.headers['x-test'], () => handler(Object.assign(req, { auth: AUTH }), res)));
    return serve(app);
  },
  Fastify: async (handler) => {
    const app = fastify();
    app.addHook('onRequest', (request, reply, done) => {
      request.raw.auth = AUTH;
      context.run(request.headers['x-test'], done);
    });
    app.all('/mcp', handler);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return [app.server.address().port, () => (app.server.closeAllConnections(), app.close())];
  },
  Hono: async (handler) => {
    const app = new Hono();
    app.use((c, next) => context.run(c.req.header('x-test'), next));
    app.all('/mcp', (c) => handler.fetch(c.req.raw, { authInfo: AUTH }));
    return serve(getRequestListener(app.fetch));
  },
};

const NODE_ONLY = new Set(['Hono', 'Fastify']);

async function check(port, { modern = true } = {}) {
  const address = new URL(`http://127.0.0.1:${port}/mcp`);
  const requestInit = { headers: { 'x-test': 'seen' } };
  const expected = { auth: 'anna', header: 'seen', store: 'seen' };
  const one = new Client1({ name: 'c', version: '1' });
  await one.connect(new Http1(address, { requestInit }));
  assert.deepEqual(JSON.parse((await one.callTool({ name: 'x' })).content[0].text), expected);
  await one.close();
  for (const mode of modern ? ['legacy', 'auto'] : ['legacy']) {
    const two = new Client2({ name: 'd', version: '1' }, { versionNegotiation: { mode } });
    await two.connect(new Http2(address, { requestInit }));
    assert.equal(two.getProtocolEra(), mode === 'auto' ? 'modern' : 'legacy');
    assert.deepEqual(JSON.parse((await two.callTool({ name: 'x' })).content[0].text), expected);
    await two.close();
  }
}

describe('createHttpHandler', () => {
  for (const [name, mount] of Object.entries(HANDLERS)) {
    it(name, async () => {
      const made = server();
      const handler = createHttpHandler(made);
      const [port, close] = await mount(handler);
      try {
        await check(port);
      } finally {
        await close();
        await made.close();
      }
    });
  }

  it('Hono, given the handler itself', async () => {
    const app = new Hono();
    const made = makeServer(ours);
    app.all('/mcp', createHttpHandler(made));
    const [port, close] = await serve(getRequestListener(app.fetch));
    const client = new Client1({ name: 'c', version: '1' });
    await client.connect(new Http1(new URL(`http://127.0.0.1:${port}/mcp`)));
    assert.equal((await client.callTool({ name: 'echo', arguments: { text: 'hi' } })).content[0].text, 'hi');
    await client.close();
    close();
    await made.close();
  });

  it('without any: Request in, Response out', async () => {
    const made = makeServer(ours);
    const handler = createHttpHandler(made, { response: 'json' });
    const fetched = (url, init) => handler(new Request(url, init));
    const client = new Client1({ name: 'c', version: '1' });
    await client.connect(new Http1(new URL('http://any/mcp'), { fetch: fetched }));
    assert.equal((await client.callTool({ name: 'echo', arguments: { text: 'hi' } })).content[0].text, 'hi');
    assert.equal(handler.sessions(), 1);
    assert.equal(handler.stats().methods['tools/call'].calls, 1);
    await client.close();
    await made.close();
  });

  it('a session belongs to whoever opened it', async () => {
    const handler = createHttpHandler(makeServer(ours), { response: 'json' });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const post = (message, session, authInfo) =>
      handler.fetch(
        new Request('http://any/mcp', { method: 'POST', headers: { ...headers, ...session }, body: JSON.stringify({ jsonrpc: '2.0', ...message }) }),
        { authInfo },
      );
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const opened = await post({ id: 1, method: 'initialize', params }, {}, AUTH);
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
    await post({ method: 'notifications/initialized' }, session, AUTH);
    const renewed = { ...AUTH, token: 'another', expiresAt: 1 };
    assert.equal((await post({ id: 2, method: 'ping' }, session, renewed)).status, 200);
    assert.equal((await post({ id: 3, method: 'ping' }, session, { ...AUTH, clientId: 'eve' })).status, 404);
    assert.equal((await post({ id: 4, method: 'ping' }, session, undefined)).status, 404);
    await handler.close();
  });

  it('Hono, whose middleware has read the body', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } });
    const init = { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body };
    const handler = createHttpHandler(makeServer(ours), { response: 'json' });
    const reading = { json: (c) => c.req.json(), text: (c) => c.req.text(), raw: (c) => c.req.raw.text() };
    for (const [how, read] of Object.entries(reading)) {
      const app = new Hono();
      app.use(async (c, next) => {
        await read(c);
        await next();
      });
      app.all('/mcp', handler);
      const response = await within(app.request('/mcp', init), how);
      // What was read past Hono cannot be read again.
      assert.equal(response.status, how === 'raw' ? 400 : 200, how);
      if (how === 'raw') assert.equal((await response.json()).error.code, -32700);
    }
    await handler.close();
  });

  it('a body that was read before is refused', async () => {
    const handler = createHttpHandler(makeServer(ours));
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    for (const size of [{}, { 'content-length': String(body.length) }]) {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...size };
      const request = new Request('http://any/mcp', { method: 'POST', headers, body });
      await request.text();
      const response = await within(handler.fetch(request), 'a response');
      assert.deepEqual([response.status, (await response.json()).error.code], [400, -32700]);
    }
    await handler.close();
  });

  it('whoever waits for the response to a client that has left learns it', async () => {
    const [entered, cancelled] = [event(), event()];
    const made = makeServer(ours);
    made.setRequestHandler(ours.CallToolRequestSchema, async (_, { signal }) => {
      signal.addEventListener('abort', cancelled.happened);
      entered.happened();
      await cancelled.promise;
      return { content: [] };
    });
    const handler = createHttpHandler(made, { sessions: 'none', response: 'json' });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'x' };
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', _meta } });
    const request = (signal) => new Request('http://any/mcp', { method: 'POST', headers, body, signal });
    const left = new AbortController();
    const responding = handler.fetch(request(left.signal));
    await within(entered.promise, 'the call');
    left.abort();
    await within(cancelled.promise, 'the end of the call');
    assert.equal((await within(responding, 'the response')).status, 499);
    assert.equal((await within(handler.fetch(request(left.signal)), 'the response')).status, 499);
    await handler.close();
  });

  it('refuses hosts that are not allowed', async () => {
    const handler = createHttpHandler(makeServer(ours), { allowedHosts: ['good'] });
    const ask = (host) => handler(new Request(`http://${host}/mcp`, { method: 'POST', headers: { host }, body: '{}' }));
    assert.equal((await ask('evil')).status, 403);
    assert.equal((await ask('good')).status, 415);
    await handler.close();
  });
});

/** The pattern of the official examples: a map of sessions. */
function sessions(made, kit = ours) {
  const known = new Map();
  return async (req, res, body) => {
    const id = req.headers['mcp-session-id'];
    let transport = known.get(id);
    if (transport === undefined) {
      transport = new kit.StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (name) => known.set(name, transport),
      });
      await made.connect(transport);
    }
    await transport.handleRequest(req, res, body);
  };
}

/** The other pattern: a transport for each request. */
function stateless(made) {
  return async (req, res, body) => {
    const transport = new ours.StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    res.on('close', () => void transport.close());
    await made.connect(transport);
    await transport.handleRequest(req, res, body);
  };
}

describe('transports', () => {
  for (const [pattern, make] of [['map of sessions', sessions], ['one per request', stateless]]) {
    for (const [name, mount] of Object.entries(HANDLERS)) {
      if (NODE_ONLY.has(name)) continue;
      it(`${pattern}: ${name}`, async () => {
        const made = server();
        const handle = make(made);
        const [port, close] = await mount((req, res) => handle(req, res, req.body));
        try {
          await check(port);
        } finally {
          close();
          await made.close();
        }
      });
    }
    it(`${pattern}: Fastify`, async () => {
      const made = server();
      const handle = make(made);
      const [port, close] = await HANDLERS.Fastify(async (request, reply) => {
        reply.hijack();
        await handle(request.raw, reply.raw, request.body);
      });
      try {
        await check(port);
      } finally {
        await close();
        await made.close();
      }
    });
  }

  it('map of sessions: Hono', async () => {
    const made = server();
    const known = new Map();
    const app = new Hono();
    app.use((c, next) => context.run(c.req.header('x-test'), next));
    app.all('/mcp', async (c) => {
      let transport = known.get(c.req.header('mcp-session-id'));
      if (transport === undefined) {
        const onsessioninitialized = (name) => void known.set(name, transport);
        transport = new ours.WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, onsessioninitialized });
        await made.connect(transport);
      }
      return transport.handleRequest(c.req.raw, { authInfo: AUTH });
    });
    const [port, close] = await serve(getRequestListener(app.fetch));
    await check(port);
    close();
    await made.close();
  });
});

describe('listen', () => {
  it('official clients of both generations', async () => {
    const made = server();
    const verify = ({ headers }) => (headers.get('x-test') === 'seen' ? AUTH : { status: 401, challenge: 'Bearer realm="x"' });
    const listener = await made.listen({ verify });
    const client = new Client2({ name: 'd', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new Http2(new URL(listener.url), { requestInit: { headers: { 'x-test': 'seen' } } }));
    const { content } = await client.callTool({ name: 'x' });
    assert.deepEqual(JSON.parse(content[0].text), { auth: 'anna', header: 'seen' });
    const refused = await fetch(listener.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="x"');
    await client.close();
    await listener.close();
    await listener.closed;
    await assert.rejects(fetch(listener.url));
  });

  it('paths that are the program’s, health and counters', async () => {
    const made = makeServer(ours);
    const fallback = async (request) => {
      if (request.url.endsWith('/fail')) throw new Error('no');
      return new Response(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`, { status: 201, headers: { 'x-own': '1' } });
    };
    const listener = await made.listen({ fallback, health: '/healthz', metrics: '/metrics' });
    const root = listener.url.replace('/mcp', '');
    const own = await fetch(`${root}/own`, { method: 'POST', body: 'text' });
    assert.deepEqual([own.status, own.headers.get('x-own'), await own.text()], [201, '1', 'POST /own text']);
    assert.equal((await fetch(`${root}/fail`)).status, 500);
    assert.equal((await fetch(`${root}/healthz`)).status, 200);
    assert.match(await (await fetch(`${root}/metrics`)).text(), /mcpbolt/);
    assert.equal(listener.stats().sessions, 0);
    await listener[Symbol.asyncDispose]();
  });

  it('options that are wrong, and addresses that are taken', async () => {
    const made = makeServer(ours);
    await assert.rejects(made.listen({ nonsense: true }), /nonsense/);
    const first = await made.listen();
    await assert.rejects(made.listen({ port: first.port }), /cannot listen/);
    await made.close();
    await assert.rejects(fetch(first.url));
  });

  it('a high-level server', async () => {
    const { McpServer } = await import('mcpbolt/server/mcp.js');
    const made = new McpServer({ name: 'm', version: '1' });
    made.registerTool('add', {}, () => ({ content: [{ type: 'text', text: '3' }] }));
    const listener = await made.listen({ sse: true });
    const client = new Client1({ name: 'c', version: '1' });
    await client.connect(new Http1(new URL(listener.url)));
    assert.equal((await client.callTool({ name: 'add' })).content[0].text, '3');
    await client.close();
    await made.close();
    await listener.closed;
  });
});

describe('transports of one request each, a shared server', () => {
  it('modern clients come again with answers', async () => {
    const made = makeServer(ours);
    made.setRequestHandler(ours.CallToolRequestSchema, async () => {
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
      const { content } = await made.elicitInput({ message: 'who?', requestedSchema });
      return { content: [{ type: 'text', text: content.name }] };
    });
    const handle = stateless(made);
    const [port, close] = await serve((req, res) => handle(req, res));
    const client = new Client2(
      { name: 'd', version: '1' },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ada' } }));
    await client.connect(new Http2(new URL(`http://127.0.0.1:${port}/mcp`)));
    assert.equal(client.getProtocolEra(), 'modern');
    assert.equal((await client.callTool({ name: 'x' })).content[0].text, 'Ada');
    await client.close();
    close();
    await made.close();
  });
});

describe('HTTP/2', () => {
  it('a handler and a transport', async () => {
    const made = makeServer(ours);
    const handler = createHttpHandler(made, { response: 'json' });
    const handle = sessions(made);
    const web = http2.createServer((req, res) => (req.url === '/mcp' ? handler(req, res) : void handle(req, res)));
    await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
    const session = http2.connect(`http://127.0.0.1:${web.address().port}`);
    const post = (path, message) =>
      new Promise((resolve, reject) => {
        const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
        const stream = session.request(headers);
        let status;
        let text = '';
        stream.on('response', (answer) => (status = answer[':status']));
        stream.setEncoding('utf8').on('data', (part) => (text += part));
        stream.on('end', () => resolve([status, text])).on('error', reject);
        stream.end(JSON.stringify(message));
      });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    for (const path of ['/mcp', '/other']) {
      const [status, text] = await post(path, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
      assert.equal(status, 200);
      assert.match(text, /"serverInfo":\{"name":"s"/);
    }
    session.close();
    web.close();
    await made.close();
  });
});
