// Tests of programs that hold the time: what the official package waits for with `setTimeout`
// moves with the timers that a test puts in its place, and everything else goes on without them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { mock, test } from 'node:test';
import * as officialClient from '@modelcontextprotocol/sdk/client/index.js';
import * as officialHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as officialMemory from '@modelcontextprotocol/sdk/inMemory.js';
import * as officialServer from '@modelcontextprotocol/sdk/server/index.js';
import * as officialWeb from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import * as officialV2Client from '@modelcontextprotocol/client';
import * as officialV2 from '@modelcontextprotocol/server';
import * as ourClient from 'mcpbolt/client/index.js';
import * as ourHttp from 'mcpbolt/client/streamableHttp.js';
import * as ourMemory from 'mcpbolt/inMemory.js';
import * as ourServer from 'mcpbolt/server/index.js';
import { ListRootsRequestSchema, PingRequestSchema } from 'mcpbolt/types.js';
import * as ourV2Client from 'mcpbolt/v2/client';
import * as ourV2 from 'mcpbolt/v2/server';
import * as ourWeb from 'mcpbolt/server/webStandardStreamableHttp.js';
import { LIMIT } from './support/bounds.mjs';
import { event, json, rawServer, stream } from './support/raw-http.mjs';

const about = { name: 'held', version: '1.0.0' };
const KITS = {
  official: { ...officialClient, ...officialHttp, ...officialMemory, ...officialServer, ...officialWeb },
  ours: { ...ourClient, ...ourHttp, ...ourMemory, ...ourServer, ...ourWeb },
};

const { setImmediate: soon, setTimeout: later, clearTimeout: forget } = globalThis;
/** A promise that fails after a while, whatever the test does to the time. */
function within(promise, what = 'it') {
  let timer;
  const late = new Promise((_, reject) => {
    timer = later(() => reject(new Error(`${what} did not come`)), LIMIT);
  });
  return Promise.race([promise, late]).finally(() => forget(timer));
}

/** Several turns of the loop, in which what is about to happen happens. */
async function turns() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => soon(resolve));
}

/** A `fetch` without timers of its own: that of Node fails when they are moved. */
async function plainFetch(url, { method, headers, body, signal }) {
  const req = request(url, { method, headers: Object.fromEntries(new Headers(headers)), agent: false });
  const stop = () => req.destroy(signal.reason);
  signal?.addEventListener('abort', stop, { once: true });
  req.end(body);
  const [res] = await once(req, 'response');
  const isEmpty = res.statusCode === 202 || res.statusCode === 204;
  if (isEmpty) res.resume();
  return new Response(isEmpty ? null : Readable.toWeb(res), { status: res.statusCode, headers: res.headers });
}

/** Holds the time of everything that a test can hold, while `body` runs; microtasks only where no stream of the web is read. */
async function held(body, withMicrotasks = false) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate'] });
  const { queueMicrotask } = globalThis;
  // Some libraries hold these as well, until a test says otherwise.
  if (withMicrotasks) globalThis.queueMicrotask = () => undefined;
  try {
    return await body((milliseconds) => mock.timers.tick(milliseconds));
  } finally {
    globalThis.queueMicrotask = queueMicrotask;
    mock.timers.reset();
  }
}

/** Resolves when someone begins to wait this long, by the timers that a test holds. */
function begins(milliseconds) {
  const { setTimeout } = globalThis;
  return new Promise((resolve) => {
    globalThis.setTimeout = (body, wait, ...rest) => {
      if (wait === milliseconds) resolve();
      return setTimeout(body, wait, ...rest);
    };
  });
}

/** What a promise is rejected with, and whether that was before `tick`. */
async function expires(promise, tick, milliseconds) {
  let failure;
  const over = promise.catch((error) => (failure = error));
  tick(milliseconds - 1);
  await turns();
  assert.equal(failure, undefined);
  tick(1);
  await within(over, 'the end');
  return { code: failure.code, message: failure.message, data: failure.data };
}

for (const [name, kit] of Object.entries(KITS)) {
  const { Client, Server, InMemoryTransport, StreamableHTTPClientTransport, WebStandardStreamableHTTPServerTransport } = kit;
  const hangs = { play: ({ method }) => method === 'ping' };

  for (const way of ['the engine', 'a fetch', 'a wrapped transport', 'memory']) {
    test(`timeouts of a client's requests (${name}, over ${way})`, async () => {
      const client = new Client(about);
      if (way === 'memory') {
        const [left, right] = InMemoryTransport.createLinkedPair();
        const server = new Server(about, { capabilities: {} });
        server.setRequestHandler(PingRequestSchema, () => new Promise(() => undefined));
        await Promise.all([client.connect(left), server.connect(right)]);
      } else {
        const { url } = await rawServer(hangs);
        const isCarried = way !== 'the engine' || name === 'official';
        const transport = new StreamableHTTPClientTransport(url, isCarried ? { fetch: plainFetch } : {});
        if (way === 'a wrapped transport') transport.onmessage = () => undefined;
        await within(client.connect(transport));
      }
      await held(async (tick) => {
        const said = { code: -32001, message: 'MCP error -32001: Request timed out' };
        assert.deepEqual(await expires(client.ping(), tick, 60_000), { ...said, data: { timeout: 60_000 } });
        // The time goes on between requests.
        tick(30_000);
        assert.deepEqual(await expires(client.ping({ timeout: 700 }), tick, 700), { ...said, data: { timeout: 700 } });
      }, way === 'memory');
      await client.close();
    });
  }

  test(`timeouts of a server's requests (${name})`, async () => {
    const [left, right] = InMemoryTransport.createLinkedPair();
    const client = new Client(about, { capabilities: { roots: {} } });
    client.setRequestHandler(ListRootsRequestSchema, () => new Promise(() => undefined));
    const server = new Server(about, { capabilities: {} });
    await Promise.all([client.connect(left), server.connect(right)]);
    await held(async (tick) => {
      const { code } = await expires(server.listRoots(undefined, { timeout: 900 }), tick, 900);
      assert.equal(code, -32001);
    }, true);
    await client.close();
  });

  test(`the wait before a lost stream is opened again (${name})`, async () => {
    let opened = 0;
    let again;
    const second = new Promise((resolve) => (again = resolve));
    const { url } = await rawServer({
      sessionId: 's',
      get(_, res) {
        opened += 1;
        event(stream(res), { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, String(opened));
        if (opened === 1) soon(() => res.destroy());
        else again();
      },
    });
    const client = new Client(about);
    await held(async (tick) => {
      let broken;
      const lost = new Promise((resolve) => (broken = resolve));
      client.onerror = ({ message }) => message.startsWith('SSE stream disconnected') && broken();
      const waits = begins(1000);
      await within(client.connect(new StreamableHTTPClientTransport(url, name === 'official' ? { fetch: plainFetch } : {})));
      await within(lost, 'the loss');
      await within(waits, 'the wait');
      tick(999);
      await turns();
      assert.equal(opened, 1);
      tick(1);
      await within(second, 'another stream');
      // Left open, it would keep the process alive after a failure.
    }).finally(() => client.close());
  });

  test(`keep-alive comments of a server's streams (${name})`, async () => {
    await held(async (tick) => {
      const server = new Server(about, { capabilities: {} });
      const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => 'one', keepAliveMs: 5000 });
      await server.connect(transport);
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: about };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      const opening = await within(transport.handleRequest(new Request('http://localhost/', { method: 'POST', headers, body })));
      await within(opening.text(), 'the answer');
      const own = { ...headers, 'mcp-session-id': 'one', 'mcp-protocol-version': '2025-11-25' };
      const { body: events } = await within(transport.handleRequest(new Request('http://localhost/', { headers: own })));
      const reader = events.getReader();
      tick(5000);
      const { value } = await within(reader.read(), 'a comment');
      assert.match(new TextDecoder().decode(value), /^: ?keep-?alive/);
      await server.close();
    });
  });
}

/** A request of 2026-07-28 for a stream of changes. */
function listening() {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': about,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true }, _meta } });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  };
  return new Request('http://localhost/mcp', { method: 'POST', headers, body });
}

for (const [name, { createMcpHandler, McpServer }] of Object.entries({ official: officialV2, ours: ourV2 })) {
  test(`keep-alive comments of an endpoint of 2.x (${name})`, async () => {
    const handler = createMcpHandler(() => new McpServer(about, { capabilities: { tools: { listChanged: true } } }), { keepAliveMs: 5000 });
    await held(async (tick) => {
      const response = await within(handler.fetch(listening()));
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      const reader = response.body.getReader();
      const text = async () => new TextDecoder().decode((await within(reader.read(), 'an event')).value);
      assert.match(await text(), /acknowledged/);
      tick(5000);
      assert.equal(await text(), ': keepalive\n\n');
      await reader.cancel();
      await handler.close();
    });
  });
}

for (const [name, kit] of Object.entries(KITS)) {
  test(`progress renews a timeout, up to the longest wait (${name})`, async () => {
    const { Client, Server, InMemoryTransport } = kit;
    const [left, right] = InMemoryTransport.createLinkedPair();
    const server = new Server(about, { capabilities: {} });
    let report;
    server.setRequestHandler(PingRequestSchema, ({ params }, { sendNotification }) => {
      const { progressToken } = params._meta;
      report = (progress) => sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
      return new Promise(() => undefined);
    });
    const client = new Client(about);
    await Promise.all([client.connect(left), server.connect(right)]);
    await held(async (tick) => {
      const seen = [];
      const options = { timeout: 1000, resetTimeoutOnProgress: true, maxTotalTimeout: 1_000_000, onprogress: ({ progress }) => seen.push(progress) };
      const asked = client.ping(options);
      await turns();
      for (const progress of [1, 2, 3]) {
        tick(900);
        await report(progress);
        await turns();
      }
      assert.deepEqual(seen, [1, 2, 3]);
      const { code } = await expires(asked, tick, 1000);
      assert.equal(code, -32001);
    });
    await client.close();
  });
}

for (const [name, { Client, InMemoryTransport }] of Object.entries(KITS)) {
  test(`the timeout of a handshake (${name})`, async () => {
    const [left, right] = InMemoryTransport.createLinkedPair();
    await right.start();
    await held(async (tick) => {
      const opening = new Client(about).connect(left, { timeout: 2000 });
      await turns();
      const { code } = await expires(opening, tick, 2000);
      assert.equal(code, -32001);
    });
  });
}

for (const [name, { Client, InMemoryTransport }] of Object.entries({ official: officialV2Client, ours: ourV2Client })) {
  test(`timeouts of a client of 2.x (${name})`, async () => {
    const [left, right] = InMemoryTransport.createLinkedPair();
    right.onmessage = ({ id, method, params }) => {
      const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: about };
      if (method === 'initialize') void right.send({ jsonrpc: '2.0', id, result });
    };
    await right.start();
    const client = new Client(about);
    await within(client.connect(left));
    await held(async (tick) => {
      const { code } = await expires(client.ping({ timeout: 800 }), tick, 800);
      assert.equal(code, 'REQUEST_TIMEOUT');
    });
    await client.close();
  });
}
