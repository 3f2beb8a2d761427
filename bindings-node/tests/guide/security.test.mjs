// Chapter security.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connected, listened } from './support.mjs';

// [guide]
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { McpServer } from 'mcpbolt/server/mcp.js';

const server = new McpServer({ name: 'reports', version: '1.0.0' });

server.registerTool('who', { description: 'Says who is asking' }, (extra) => ({
  content: [{ type: 'text', text: `You are ${extra.authInfo?.clientId ?? 'nobody'}.` }],
}));

const keys = new Map([['a-long-random-key', 'ann']]);
const handler = createHttpHandler(server, {
  allowedHosts: ['reports.example.com'],
  allowedOrigins: ['https://app.example.com'],
  cors: true, // only for the origins above
  verify: ({ headers }) => {
    const token = headers.get('x-api-key') ?? '';
    const clientId = keys.get(token);
    return clientId === undefined ? { status: 401 } : { token, clientId, scopes: [] };
  },
  idle: 600, // seconds
  engine: { max_sessions: 500, max_message_bytes: { http_body: 1 << 20 } },
});
// [end]

// [guide]
import { Client } from 'mcpbolt/client/index.js';
import { askAlways, RejectedError } from 'mcpbolt/review.js';

const careful = new Client(
  { name: 'host', version: '1.0.0' },
  {
    protocol: 'auto',
    trusted: false, // what the server says of its tools is a claim
    reviewToolCall: askAlways(({ tool, arguments: given }) => {
      console.log(`${tool} wants to run with ${JSON.stringify(given)}`); // show tool, arguments and server; ask
      return { deny: 'not now' };
    }),
  },
);

/** @param {string} name */
async function tryTool(name) {
  try {
    return await careful.callTool({ name, arguments: {} }, undefined, { timeout: 20_000, maxTotalTimeout: 120_000 });
  } catch (error) {
    if (error instanceof RejectedError) return undefined; // nothing was sent
    throw error;
  }
}
// [end]

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

/** A request to the handler; no socket needed. */
async function post(message, headers) {
  const all = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', host: 'reports.example.com', ...headers };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  return handler(new Request('http://reports.example.com/mcp', { method: 'POST', headers: all, body }));
}

test('names and keys that are not allowed get nothing', async () => {
  const hello = { method: 'initialize', params: HELLO };
  const key = { 'x-api-key': 'a-long-random-key' };
  assert.equal((await post(hello, {})).status, 401);
  assert.equal((await post(hello, { 'x-api-key': 'a-guess' })).status, 401);
  assert.equal((await post(hello, { ...key, host: 'evil.example.com' })).status, 403);
  assert.equal((await post(hello, { ...key, origin: 'https://evil.example.com' })).status, 403);
  assert.equal((await post(hello, { ...key, origin: 'https://app.example.com' })).status, 200);
  const opened = await post(hello, key);
  assert.equal(opened.status, 200);
  const session = { ...key, 'mcp-session-id': opened.headers.get('mcp-session-id') };
  const answer = await post({ method: 'tools/call', params: { name: 'who', arguments: {} } }, session);
  assert.match(await answer.text(), /You are ann\./);
});

test('nothing is sent that nobody agreed to', async () => {
  const changes = new McpServer({ name: 'changes', version: '1.0.0' });
  changes.registerTool('change', {}, () => assert.fail('nobody said yes'));
  await connected(changes, careful);
  const { result, lines } = await listened(() => tryTool('change'));
  assert.equal(result, undefined);
  assert.deepEqual(lines, ['change wants to run with {}']);
});
