// HTTP for tests: servers on a free port, raw requests whose every header is the test's own,
// and the same transports from the official package and from ours.
import http from 'node:http';
import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import * as officialServer from '@modelcontextprotocol/sdk/server/index.js';
import * as officialHttp from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as officialSse from '@modelcontextprotocol/sdk/server/sse.js';
import * as officialWeb from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import * as officialTypes from '@modelcontextprotocol/sdk/types.js';
import * as server from 'mcpbolt/server/index.js';
import * as streamable from 'mcpbolt/server/streamableHttp.js';
import * as sse from 'mcpbolt/server/sse.js';
import * as web from 'mcpbolt/server/webStandardStreamableHttp.js';
import * as types from 'mcpbolt/types.js';
import { within } from './bounds.mjs';

export { within };

const theirs = { ...officialServer, ...officialHttp, ...officialSse, ...officialWeb, ...officialTypes };
const own = { ...server, ...streamable, ...sse, ...web, ...types };

/** The official package. */
export const official = { name: 'official', ...theirs, prepare: (transport) => transport };
/** Ours; the engine takes texts from the transport. */
export const ours = { name: 'ours', ...own, prepare: (transport) => transport };
/** Ours, with a program's function between transport and server. */
export const oursWrapped = {
  ...ours,
  name: 'ours, wrapped',
  prepare: (transport) => {
    const { send } = transport;
    transport.send = (...given) => send.apply(transport, given);
    return transport;
  },
};
/** The official server on our transports. */
export const mixed = { ...ours, ...officialServer, ...officialTypes, name: 'official server, our transports' };

// A test that fails leaves nothing open that would keep the process alive.
const open = new Set();
after(async () => {
  for (const close of open) await close();
});

/** Serves `handle` on a free port until `close`. */
export async function listen(handle) {
  const web = http.createServer(handle);
  await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
  const { port } = web.address();
  const close = async () => {
    open.delete(close);
    web.closeAllConnections();
    await new Promise((resolve) => web.close(resolve));
  };
  open.add(close);
  return { port, url: `http://127.0.0.1:${port}/mcp`, web, close };
}

/** One request; the answer as it comes. `until` ends a stream that would not end. */
export function ask(port, { method = 'POST', path = '/mcp', headers = {}, body, until } = {}) {
  return within(
    new Promise((resolve, reject) => {
      const request = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
        let text = '';
        const done = () => resolve({ status: answer.statusCode, headers: answer.headers, body: text });
        const enough = () => {
          if (until === undefined || !until(text)) return;
          done();
          request.destroy();
        };
        answer.setEncoding('utf8');
        answer.on('data', (part) => {
          text += part;
          enough();
        });
        answer.on('end', done);
        answer.on('error', (error) => (until === undefined ? reject(error) : done()));
        enough();
      });
      request.on('error', reject);
      request.end(body);
    }),
    `${method} ${path}`,
  );
}

/** Headers that a client of 1.x sends. */
export const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A request to open a session. */
export function opening(version = '2025-11-25') {
  const params = { protocolVersion: version, capabilities: { sampling: {} }, clientInfo: { name: 'c', version: '1' } };
  return { jsonrpc: '2.0', id: 'open', method: 'initialize', params };
}

/** Messages of a text/event-stream. */
export function messagesOf(text) {
  const events = text.split('\n\n').map((event) => event.split('\n').filter((line) => line.startsWith('data: ')));
  return events.filter((lines) => lines.length > 0 && lines[0] !== 'data: ').map((lines) => JSON.parse(lines[0].slice(6)));
}

/** An event store as a program writes one. */
export class Store {
  events = [];
  calls = [];
  async storeEvent(streamId, message) {
    const id = `${streamId}|${this.events.length}`;
    this.events.push({ id, streamId, message });
    this.calls.push(`store ${name(streamId)} ${JSON.stringify(sorted(message))}`);
    return id;
  }
  async getStreamIdForEventId(id) {
    return this.events.find((event) => event.id === id)?.streamId;
  }
  async replayEventsAfter(after, { send }) {
    const at = this.events.findIndex((event) => event.id === after);
    if (at < 0) throw new Error('unknown event');
    const { streamId } = this.events[at];
    for (const event of this.events.slice(at + 1)) if (event.streamId === streamId) await send(event.id, event.message);
    return streamId;
  }
}

function name(streamId) {
  return streamId === '_GET_stream' ? streamId : 'STREAM';
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]));
}

/** JSON, alone or in events, with its members in one order. */
export function ordered(text) {
  const one = (json) => JSON.stringify(sorted(JSON.parse(json)));
  if (/^[[{]/.test(text)) return one(text);
  return text.replace(/^data: ([[{].+)$/gm, (_, json) => `data: ${one(json)}`);
}

/** A text without the names that differ from run to run. */
export function stripped(text) {
  // Ours says which method it does not know. (differs: method-named)
  return ordered(text).replace('Method not found: no/such', 'Method not found').replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'UUID');
}

/** A low-level server with a handful of tools. */
export function makeServer(kit, gates = {}) {
  const server = new kit.Server({ name: 's', version: '1' }, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler(kit.ListToolsRequestSchema, () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }));
  server.setRequestHandler(kit.CallToolRequestSchema, async (request, extra) => {
    const { name, arguments: given } = request.params;
    const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
    if (name === 'notify') {
      await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'working' } });
    } else if (name === 'count') {
      const count = (progress) => extra.sendNotification({ method: 'notifications/progress', params: { progressToken: 9, progress } });
      await Promise.all([1, 2, 3].map(count));
    } else if (name === 'standalone') {
      await server.notification({ method: 'notifications/message', params: { level: 'info', data: 'alone' } });
    } else if (name === 'wait') {
      gates.started?.(extra);
      await gates.go;
    } else if (name === 'sample') {
      const asked = { messages: [], maxTokens: 1 };
      const result = await extra.sendRequest({ method: 'sampling/createMessage', params: asked }, kit.CreateMessageResultSchema);
      return text(result.content.text);
    } else if (name === 'close') {
      extra.closeSSEStream?.();
    } else if (name === 'who') {
      return text(JSON.stringify([extra.sessionId ?? null, extra.authInfo ?? null, extra.requestInfo?.headers['x-test'] ?? null]));
    }
    return text(given?.text ?? 'done');
  });
  open.add(() => server.close());
  return server;
}

/** One transport behind one address. */
export async function single(kit, options = {}, gates = {}) {
  const transport = kit.prepare(new kit.StreamableHTTPServerTransport({ sessionIdGenerator: () => 'session-1', ...options }));
  const server = makeServer(kit, gates);
  const errors = [];
  server.onerror = (error) => errors.push(error.message);
  await server.connect(transport);
  const listener = await listen((req, res) => void transport.handleRequest(req, res, gates.parsed?.(req)));
  return {
    ...listener,
    transport,
    server,
    errors,
    ask: (options) => ask(listener.port, options),
    post: (message, headers = {}, more = {}) =>
      ask(listener.port, { headers: { ...HEADERS, ...headers }, body: JSON.stringify(message), ...more }),
    async close() {
      await server.close();
      await listener.close();
    },
  };
}

export { randomUUID };
