// Chapter transports.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('programs/notes-server.mjs', import.meta.url));

// [guide] programs/notes-server.mjs

// [guide]
import express from 'express';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { McpServer } from 'mcpbolt/server/mcp.js';

const server = new McpServer({ name: 'clock', version: '1.0.0' });
server.registerTool('now', {}, () => ({ content: [{ type: 'text', text: new Date().toISOString() }] }));

const app = express();
// The same handler is for Fastify, Hono, node:http, and whatever takes a Request.
app.all('/clock', createHttpHandler(server, { sessions: 'none' }));
// [end]

// [guide]
import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';

/** @param {string} program its path */
const local = (program) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program],
    env: { TZ: 'UTC' }, // beside the few variables that programs need to start
    restart: { max: 3, backoff: 200 },
  });

/** @param {string} url @param {string} key */
const remote = (url, key) =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { 'x-api-key': key } } });

/** @param {import('mcpbolt/shared/transport.js').Transport} transport */
async function use(transport) {
  const keepAlive = { interval: 30, timeout: 10 }; // seconds
  const client = new Client({ name: 'example', version: '1.0.0' }, { protocol: 'auto', keepAlive });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}
// [end]

// [guide]
import { ReadBuffer, serializeMessage } from 'mcpbolt/shared/stdio.js';

/** @import { JSONRPCMessage } from 'mcpbolt/types.js' */

/** Lines over a socket, both ways. */
class SocketTransport {
  #socket;
  #lines = new ReadBuffer({ maxBufferSize: 1 << 20 });
  /** @type {(() => void) | undefined} */
  onclose;
  /** @type {((error: Error) => void) | undefined} */
  onerror;
  /** @type {((message: JSONRPCMessage) => void) | undefined} */
  onmessage;

  /** @param {import('node:net').Socket} socket connected */
  constructor(socket) {
    this.#socket = socket;
  }

  async start() {
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', (error) => this.onerror?.(error));
    this.#socket.on('close', () => this.onclose?.());
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    try {
      this.#lines.append(chunk); // fails beyond the bound
      for (let message; (message = this.#lines.readMessage()) !== null; ) this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(/** @type {Error} */ (error));
      this.#socket.destroy();
    }
  }

  /** @param {JSONRPCMessage} message */
  async send(message) {
    this.#socket.write(serializeMessage(message));
  }

  async close() {
    this.#socket.end();
  }
}
// [end]

test('a client starts the program', async () => {
  assert.deepEqual(await use(local(program)), ['count']);
});

test('the program serves HTTP, and is reached by its URL', async () => {
  const child = spawn(process.execPath, [program, '--http'], { env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'inherit', 'pipe'] });
  after(() => child.kill());
  const [said] = await once(child.stderr.setEncoding('utf8'), 'data', { signal: AbortSignal.timeout(20_000) });
  const url = /^Serving (\S+)/.exec(said)?.[1] ?? '';
  assert.deepEqual(await use(remote(url, 'secret')), ['count']);
  assert.equal((await fetch(new URL('/healthz', url))).status, 200);
});

test('an application has the server at one of its paths', async () => {
  const web = createServer(app).listen(0, '127.0.0.1');
  after(() => {
    web.closeAllConnections();
    web.close();
  });
  await once(web, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (web.address());
  assert.deepEqual(await use(remote(`http://127.0.0.1:${port}/clock`, 'secret')), ['now']);
});

test('a transport made by hand carries both sides', { skip: process.platform === 'win32' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  const served = new McpServer({ name: 'sockets', version: '1.0.0' });
  served.registerTool('one', {}, () => ({ content: [] }));
  const listener = createSocketServer((socket) => served.connect(new SocketTransport(socket)));
  listener.listen(join(folder, 's'));
  await once(listener, 'listening');
  const { connect } = await import('node:net');
  assert.deepEqual(await use(new SocketTransport(connect(join(folder, 's')))), ['one']);
  listener.close();
  rmSync(folder, { recursive: true });
});
