// Answers to clients that have left, of official transports, beside the official package.
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { test } from 'node:test';
import { listen, official, opening, ours, single } from './support/http.mjs';
import { event, soon } from './support/v2.mjs';

const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'held' } };
const SESSION = { 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-06-18' };
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

test('a call that its client has left and cancelled has no answer that could be lost', async () => {
  const [entered, aborted, left, release] = [event(), event(), event(), event()];
  const started = ({ signal }) => {
    signal.addEventListener('abort', () => aborted.happened(signal.reason));
    entered.happened();
  };
  const app = await single(ours, {}, { started, go: release.promise });
  await app.post(opening());
  app.web.once('request', (_, res) => res.on('close', left.happened));
  const asked = request({ port: app.port, host: '127.0.0.1', method: 'POST', path: '/mcp', headers: { ...HEADERS, ...SESSION } });
  asked.on('error', () => undefined).end(JSON.stringify({ ...CALL, params: { name: 'wait' } }));
  await soon(entered.promise, 'call');
  asked.destroy();
  await soon(left.promise, 'end of the request');
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } };
  assert.equal((await app.post(cancelled, SESSION)).status, 202);
  assert.equal(await soon(aborted.promise, 'cancellation'), 'enough');
  release.happened();
  // What is answered later comes after everything that was to be said of the call.
  assert.equal((await app.post({ ...CALL, id: 2, params: { name: 'echo' } }, SESSION)).status, 200);
  assert.deepEqual(app.errors, []);
  await app.close();
});

/** A session whose program takes its time before it hands a request over, and is told how that ended. */
async function slow() {
  const app = await single(ours);
  await app.post(opening());
  const [come, gone] = [event(), event()];
  const web = await listen(async (req, res) => {
    res.on('close', gone.happened);
    come.happened({ handle: () => app.transport.handleRequest(req, res) });
    await gone.promise;
  });
  /** A client that leaves before its request is handed over. */
  const left = async (method, headers, body) => {
    const asked = request({ port: web.port, host: '127.0.0.1', method, path: '/mcp', headers: { ...SESSION, ...headers } }).on('error', () => undefined);
    if (body === undefined) asked.end();
    else asked.write(body);
    const { handle } = await soon(come.promise, 'request');
    asked.destroy();
    await soon(gone.promise, 'end of the request');
    await soon(handle(), 'end of handling');
  };
  return { app, left, close: () => Promise.all([app.close(), web.close()]) };
}

test('the stream of a client that has left before it was opened is free for the next', async () => {
  const { app, left, close } = await slow();
  await left('GET', { accept: 'text/event-stream' });
  const again = await app.ask({ method: 'GET', headers: { accept: 'text/event-stream', ...SESSION }, until: () => true });
  assert.equal(again.status, 200);
  await close();
});

test('a body that its client has not sent to its end is not waited for', async () => {
  const { left, close } = await slow();
  await left('POST', { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'content-length': '1000' }, '{"jsonrpc"');
  await close();
});
