// Answers to clients that have left, of official transports, beside the official package.
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { test } from 'node:test';
import { official, ours } from './support/http.mjs';
import { event, soon } from './support/v2.mjs';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'held' } };
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };

/** What a server notes when the client of a call has left before the answer. */
async function noted(kit, enableJsonResponse) {
  const [entered, release, left] = [event(), event(), event()];
  const errors = [];
  const server = new kit.Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
  server.onerror = (error) => errors.push(error.message);
  server.setRequestHandler(kit.CallToolRequestSchema, async () => {
    entered.happened();
    await release.promise;
    return { content: [] };
  });
  const transport = new kit.StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse });
  await server.connect(transport);
  const web = createServer((req, res) => {
    res.on('close', left.happened);
    void transport.handleRequest(req, res);
  });
  await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
  const asked = request({ port: web.address().port, host: '127.0.0.1', method: 'POST', path: '/mcp', headers: HEADERS });
  asked.on('error', () => undefined).end(JSON.stringify(CALL));
  await soon(entered.promise, 'call');
  asked.destroy();
  await soon(left.promise, 'end of the request');
  release.happened();
  // The answer takes its way in some turns of the event loop.
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  await server.close();
  await new Promise((resolve) => web.close(resolve));
  return errors;
}

for (const isJson of [true, false]) {
  test(`an answer whose client has left is noted as by the official transport: ${isJson ? 'JSON' : 'events'}`, async () => {
    assert.deepEqual(await noted(ours, isJson), await noted(official, isJson));
  });
}
