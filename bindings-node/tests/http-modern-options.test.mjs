// Requests of 2026-07-28 at 1.x transports: the options of the transport hold for them, too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEADERS, ours, single } from './support/http.mjs';
import { event } from './support/v2.mjs';

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {}, 'io.modelcontextprotocol/logLevel': 'debug' };
const headersOf = (name) => ({ ...HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name });
const bodyOf = (name, given = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given, _meta: META } });

test('a body that is larger than the transport takes is 413', async () => {
  const app = await single(ours, { maxRequestBodySize: 1000 });
  const errors = [];
  app.transport.onerror = ({ message }) => errors.push(message);
  const ask = (text, headers = {}) => app.ask({ headers: { ...headersOf('echo'), ...headers }, body: bodyOf('echo', { text }) });
  for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
    assert.equal((await ask('x'.repeat(2000), headers)).status, 413);
    assert.match((await ask('said', headers)).body, /"text":"said"/);
  }
  assert.equal(errors.length, 2);
  await app.close();
});

test('enableJsonResponse makes every answer one document', async () => {
  const types = {};
  for (const enableJsonResponse of [true, false]) {
    const app = await single(ours, { enableJsonResponse });
    const { headers, body } = await app.ask({ headers: headersOf('notify'), body: bodyOf('notify') });
    assert.match(body, /"text":"done"/);
    types[enableJsonResponse] = headers['content-type'];
    await app.close();
  }
  assert.deepEqual(types, { true: 'application/json', false: 'text/event-stream' });
});

test('keepAliveMs is the time between comments on a stream', async () => {
  const go = event();
  const app = await single(ours, { keepAliveMs: 5 }, { go: go.promise });
  const { body } = await app.ask({ headers: headersOf('wait'), body: bodyOf('wait'), until: (text) => text.split('\n').filter((line) => line.startsWith(':')).length > 1 });
  assert.ok(body.length > 0);
  go.happened();
  await app.close();
});
