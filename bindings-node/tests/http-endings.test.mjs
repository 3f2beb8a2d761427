// How a response ends, for programs that listen for it once the request was handled.
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, it } from 'node:test';
import { makeServer, official as theirs, ours } from './support/http.mjs';
import { within } from './support/peer.mjs';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
const REQUESTS = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } } },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'ping' },
  { jsonrpc: '2.0', id: 3, method: 'tools/list' },
  { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'now' } },
  { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'later' } },
  { jsonrpc: '2.0', id: 6, method: 'acme/unknown' },
];

/** A transport and a server for each request, let go when the response is closed. */
async function run(kit, enableJsonResponse) {
  const seen = [];
  let told;
  const web = http.createServer(async (req, res) => {
    let body = '';
    for await (const part of req) body += part;
    const server = makeServer(kit);
    server.setRequestHandler(kit.ListToolsRequestSchema, () => ({ tools: [] }));
    server.setRequestHandler(kit.CallToolRequestSchema, ({ params }) => {
      const result = { content: [{ type: 'text', text: params.name }] };
      return params.name === 'now' ? result : new Promise((resolve) => setImmediate(resolve, result));
    });
    const transport = new kit.StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse });
    await server.connect(transport);
    await transport.handleRequest(req, res, JSON.parse(body));
    const begun = [res.headersSent, res.statusCode];
    res.on('close', () => {
      void server.close();
      seen.push([...begun, res.writableEnded]);
      told();
    });
  });
  await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
  for (const message of REQUESTS) {
    const closed = new Promise((resolve) => (told = resolve));
    const response = await fetch(`http://127.0.0.1:${web.address().port}/`, { method: 'POST', headers: HEADERS, body: JSON.stringify(message) });
    await response.text();
    await within(closed, `the end of ${message.method} ${message.params?.name ?? ''}`);
  }
  web.closeAllConnections();
  web.close();
  return seen;
}

describe('a response is closed after its request was handled', () => {
  for (const json of [false, true]) {
    it(json ? 'as JSON' : 'as a stream', async () => {
      assert.deepEqual(await run(ours, json), await run(theirs, json));
    });
  }
});

describe('a session that its client ends', () => {
  it('has ended its streams when the client hears of it', async () => {
    const order = [];
    const server = makeServer(ours);
    const transport = new ours.StreamableHTTPServerTransport({ sessionIdGenerator: () => 's', onsessionclosed: () => void order.push('told') });
    await server.connect(transport);
    transport.onclose = () => order.push('closed');
    const web = http.createServer((req, res) => {
      if (req.method !== 'POST') res.on('finish', () => order.push(req.method));
      void transport.handleRequest(req, res);
    });
    await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
    const ask = (method, message, accept = HEADERS.accept) =>
      fetch(`http://127.0.0.1:${web.address().port}/`, { method, headers: { ...HEADERS, accept, 'mcp-session-id': 's' }, body: message && JSON.stringify(message) });
    await (await ask('POST', REQUESTS[0])).text();
    await (await ask('POST', REQUESTS[1])).text();
    const stream = await ask('GET', undefined, 'text/event-stream');
    await (await ask('DELETE')).text();
    await within(stream.text(), 'the stream');
    assert.deepEqual(order, ['told', 'closed', 'GET', 'DELETE']);
    web.closeAllConnections();
    web.close();
  });
});

describe('answers that are JSON', () => {
  it('take no message away that is about no request', async () => {
    const runs = [];
    for (const kit of [theirs, ours]) {
      const server = makeServer(kit);
      server.setRequestHandler(kit.CallToolRequestSchema, async (_, extra) => {
        await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'about the call' } });
        await server.sendLoggingMessage({ level: 'info', data: 'by the way' }, extra.sessionId);
        await server.notification({ method: 'notifications/message', params: { level: 'info', data: 'and this' } });
        return { content: [] };
      });
      const transport = new kit.StreamableHTTPServerTransport({ sessionIdGenerator: () => 's', enableJsonResponse: true });
      await server.connect(transport);
      const closed = [];
      server.onclose = () => closed.push('server');
      const web = http.createServer((req, res) => void transport.handleRequest(req, res));
      await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
      const ask = (method, message) => {
        const headers = { ...HEADERS, 'mcp-session-id': 's', ...(message ? {} : { accept: 'text/event-stream' }) };
        return fetch(`http://127.0.0.1:${web.address().port}/`, { method, headers, body: message && JSON.stringify(message) });
      };
      for (const message of REQUESTS.slice(0, 2)) await (await ask('POST', message)).text();
      const stream = await ask('GET');
      const answer = await (await ask('POST', REQUESTS[4])).json();
      await (await ask('DELETE')).text();
      const told = (await within(stream.text(), 'the stream')).match(/"data":"[^"]*"/g);
      runs.push([answer, told, closed]);
      web.closeAllConnections();
      web.close();
    }
    assert.deepEqual(runs[1], runs[0]);
  });

  it('a transport that is closed tells whoever made it first', async () => {
    for (const kit of [theirs, ours]) {
      const order = [];
      const server = makeServer(kit);
      const transport = new kit.StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      transport.onclose = () => order.push('transport');
      server.onclose = () => order.push('server');
      await server.connect(transport);
      await transport.close();
      assert.deepEqual(order, ['transport', 'server'], kit.name);
    }
  });
});

describe('a transport for one request, when that is answered', () => {
  const note = { level: 'info', data: 'late' };

  /** What comes of saying something when the answer is out, and when the program has let the transport go. */
  async function late(kit, { json, end }) {
    const server = makeServer(kit);
    server.registerCapabilities({ logging: {} });
    server.setRequestHandler(kit.CallToolRequestSchema, () => ({ content: [] }));
    const transport = new kit.StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: json });
    await server.connect(transport);
    const web = http.createServer((req, res) => void transport.handleRequest(req, res));
    await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${web.address().port}/`, { method: 'POST', headers: HEADERS, body: JSON.stringify(REQUESTS[4]) });
    await response.text();
    const said = [];
    const all = () => [
      server.sendLoggingMessage(note),
      server.notification({ method: 'notifications/message', params: note }),
      server.sendToolListChanged(),
      server.notification({ method: 'notifications/resources/updated', params: { uri: 'a://b' } }),
    ];
    for (const promise of all()) said.push(await promise.then(() => 'fine', ({ message }) => message));
    await end({ server, transport });
    for (const promise of all()) said.push(await promise.then(() => 'fine', ({ message }) => message));
    web.closeAllConnections();
    web.close();
    return said;
  }

  for (const json of [false, true]) {
    it(`nobody hears what is said, and that is no error${json ? ', as JSON' : ''}`, async () => {
      for (const end of [({ server }) => server.close(), ({ transport }) => transport.close()]) {
        const official = await late(theirs, { json, end });
        assert.deepEqual(official.slice(0, 3), ['fine', 'fine', 'fine']);
        assert.deepEqual(official[4], 'Not connected');
        assert.deepEqual(await late(ours, { json, end }), official);
      }
    });
  }
});
