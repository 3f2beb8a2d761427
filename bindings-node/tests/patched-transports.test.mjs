// Programs that put methods of their own into the classes of transports, as tracing does:
// what is sent and what comes goes through them, in every client and server after that.
import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { SSEServerTransport } from 'mcpbolt/server/sse.js';
import { StdioServerTransport } from 'mcpbolt/server/stdio.js';
import { StreamableHTTPServerTransport } from 'mcpbolt/server/streamableHttp.js';
import { WebStandardStreamableHTTPServerTransport } from 'mcpbolt/server/webStandardStreamableHttp.js';
import { within } from './support/peer.mjs';
import { peer } from './support/start.mjs';

const about = { name: 'patched', version: '1.0.0' };
const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: about };
let seen = [];

/** Notes what a class of transports is asked to do, and what it is told. */
function patch({ prototype, name }) {
  const { start, send, close } = prototype;
  prototype.start = function (...given) {
    const { onmessage } = this;
    this.onmessage = (message, ...more) => {
      seen.push(`${name} got ${message.method ?? 'an answer'}`);
      onmessage?.call(this, message, ...more);
    };
    return start.apply(this, given);
  };
  prototype.send = function (message, ...more) {
    seen.push(`${name} sends ${message.method ?? 'an answer'}`);
    const { params } = message;
    const traced = message.method === 'tools/call' ? { ...message, params: { ...params, _meta: { ...params._meta, trace: 'this' } } } : message;
    return send.call(this, traced, ...more);
  };
  prototype.close = function (...given) {
    seen.push(`${name} closes`);
    return close.apply(this, given);
  };
}

for (const each of [StdioClientTransport, StreamableHTTPClientTransport, SSEClientTransport, StdioServerTransport]) patch(each);
for (const each of [StreamableHTTPServerTransport, SSEServerTransport, WebStandardStreamableHTTPServerTransport]) patch(each);

function newServer() {
  const server = new McpServer(about);
  server.registerTool('trace', {}, ({ _meta }) => ({ content: [{ type: 'text', text: String(_meta?.trace) }] }));
  return server;
}

/** What a client on a transport saw; `trace` is what the server was told in `_meta`. */
async function visit(transport) {
  seen = [];
  const client = new Client(about);
  await within(client.connect(transport));
  const { content } = await within(client.callTool({ name: 'trace' }).catch(() => ({})));
  await within(client.close());
  return { seen: new Set(seen), trace: content?.[0]?.text };
}

const CLIENT = ['sends initialize', 'got an answer', 'sends notifications/initialized', 'sends tools/call', 'closes'];
const SERVER = ['got initialize', 'sends an answer', 'got notifications/initialized', 'got tools/call'];
const wanted = ({ name }, what) => what.map((words) => `${name} ${words}`);

test('a client over stdio', async () => {
  const { seen } = await visit(new StdioClientTransport({ command: process.execPath, args: [peer('official-server.mjs')], stderr: 'ignore' }));
  assert.deepEqual(seen, new Set(wanted(StdioClientTransport, CLIENT)));
});

test('where standard error of a server goes is changed before its start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-patched-'));
  const path = join(folder, 'stderr');
  const file = openSync(path, 'w');
  const { prototype } = StdioClientTransport;
  const { start } = prototype;
  try {
    prototype.start = function () {
      this._serverParams = { ...this._serverParams, stderr: 'ignore' };
      return start.call(this);
    };
    const code = "console.error('heard'); process.stdin.resume()";
    const transport = new StdioClientTransport({ command: process.execPath, args: ['-e', code], stderr: file });
    await transport.start();
    await within(transport.close());
    assert.equal(readFileSync(path, 'utf8'), '');
  } finally {
    prototype.start = start;
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
});

test('a client that is closed leaves no server behind, whatever was put in the place of close', async () => {
  const { prototype } = StdioClientTransport;
  const { close } = prototype;
  try {
    prototype.close = async function () {
      this.onclose?.();
    };
    const transport = new StdioClientTransport({ command: process.execPath, args: [peer('official-server.mjs')], stderr: 'ignore' });
    const client = new Client(about);
    await within(client.connect(transport));
    const { pid } = transport;
    process.kill(pid, 0);
    await within(client.close());
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  } finally {
    prototype.close = close;
  }
});

test('clients and servers over HTTP', async () => {
  const open = new Map();
  const answer = async (req, res) => {
    const url = new URL(req.url, 'http://localhost');
    if (url.pathname === '/messages') return open.get(url.searchParams.get('sessionId')).handlePostMessage(req, res);
    const isOld = url.pathname === '/sse';
    const transport = isOld ? new SSEServerTransport('/messages', res) : new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    if (isOld) open.set(transport.sessionId, transport);
    await newServer().connect(transport);
    if (!isOld) await transport.handleRequest(req, res);
  };
  const http = createServer((req, res) => void answer(req, res));
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${http.address().port}`;
  try {
    for (const [path, Near, Far] of [['/mcp', StreamableHTTPClientTransport, StreamableHTTPServerTransport], ['/sse', SSEClientTransport, SSEServerTransport]]) {
      const { seen, trace } = await visit(new Near(new URL(base + path)));
      assert.equal(trace, 'this');
      for (const words of [...wanted(Near, CLIENT), ...wanted(Far, SERVER)]) assert.ok(seen.has(words), words);
    }
  } finally {
    http.closeAllConnections();
    http.close();
  }
});

test('a server over stdio', async () => {
  seen = [];
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = newServer();
  await server.connect(new StdioServerTransport(input, output));
  const said = new Promise((resolve) => output.once('data', resolve));
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: opening })}\n`);
  await within(said);
  await server.close();
  assert.deepEqual(seen, wanted(StdioServerTransport, ['got initialize', 'sends an answer', 'closes']));
});

test('a server for requests of the web', async () => {
  seen = [];
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await newServer().connect(transport);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: opening });
  const answer = await within(transport.handleRequest(new Request('http://localhost/mcp', { method: 'POST', headers, body })));
  assert.equal((await answer.json()).result.serverInfo.name, about.name);
  assert.deepEqual(seen, wanted(WebStandardStreamableHTTPServerTransport, ['got initialize', 'sends an answer']));
});
