// What a program sees of a server that refuses over HTTP, beside the official client.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client as TheirClient } from '@modelcontextprotocol/sdk/client/index.js';
import * as theirSse from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as TheirHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client } from 'mcpbolt/client/index.js';
import * as ourSse from 'mcpbolt/client/sse.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { rawServer, stream } from './support/raw-http.mjs';

const KITS = [
  [TheirClient, TheirHttp],
  [Client, StreamableHTTPClientTransport],
];
const JSON_TYPE = { 'content-type': 'application/json' };
const REFUSALS = {
  'with a reason': [400, 'no such thing'],
  'with an error of JSON-RPC': [400, '{"jsonrpc":"2.0","error":{"code":-32000,"message":"not now"},"id":null}', JSON_TYPE],
  'for a session it does not know': [404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"who?"},"id":null}', JSON_TYPE],
  'without credentials': [401, 'who are you?'],
  'with other credentials': [403, 'not you'],
  'for now': [429, 'slow down'],
  'with a fault of its own': [500, 'oops'],
  'without a word': [503, ''],
  'with something else': [200, '<p>', { 'content-type': 'text/html' }],
};

/** What is seen of a request that is refused, in order. */
async function seen([Class, Transport], at, [status, body, headers]) {
  const asked = (method) => method === at || method === 'server/discover';
  const play = (message, _, res) => asked(message.method) && (res.writeHead(status, headers).end(body), true);
  const raw = await rawServer({ play });
  const notes = [];
  const client = new Class({ name: 'c', version: '1' });
  const note = (what) => (error) => notes.push([what, error.constructor.name, error.code, error.message]);
  client.onerror = note('heard');
  client.onclose = () => notes.push('closed');
  const called = client.connect(new Transport(raw.url)).then(() => client.ping());
  await called.catch(note('thrown'));
  notes.push(client.transport === undefined);
  await client.close();
  raw.stop();
  return notes;
}

for (const [name, refusal] of Object.entries(REFUSALS)) {
  for (const at of ['initialize', 'ping']) {
    test(`a server refuses ${at} ${name}`, async () => {
      const [theirs, ours] = [await seen(KITS[0], at, refusal), await seen(KITS[1], at, refusal)];
      assert.deepEqual(ours, theirs);
    });
  }
}

const OTHER_TYPES = {
  'a web page': [{ 'content-type': 'text/html; charset=utf-8' }, /\/mcp answers with a web page: did you mean \/sse\?$/],
  JSON: [JSON_TYPE, /\/mcp does not answer with a stream of events: did you mean \/sse\?$/],
  'something without a type': [{}, /\/mcp does not answer with a stream of events/],
};

for (const [name, [headers, advice]] of Object.entries(OTHER_TYPES)) {
  test(`${name} where a stream of HTTP+SSE should be is an SseError of its status`, async () => {
    const raw = await rawServer({ get: (_, res) => void res.writeHead(200, headers).end('{}') });
    const end = async (Class, { SSEClientTransport, SseError }, options) => {
      const heard = [];
      const transport = new SSEClientTransport(raw.url, options);
      transport.onerror = (error) => heard.push(error.message);
      const error = await new Class({ name: 'c', version: '1' }).connect(transport).catch((thrown) => thrown);
      return { seen: [error instanceof SseError, error.code, error.message, error.event.code, error.event.message, heard], cause: error.cause };
    };
    const theirs = await end(TheirClient, theirSse);
    // The engine's stream, and the transport's own.
    for (const options of [undefined, { redirectPolicy: 'follow' }]) {
      const ours = await end(Client, ourSse, options);
      assert.deepEqual(ours.seen, theirs.seen);
      assert.match(ours.cause.message, advice);
    }
  });
}

test('a client that was refused can try another transport at once', async () => {
  const raw = await rawServer({ play: (message, _, res) => message.method === 'initialize' && (res.writeHead(500).end(), true) });
  const old = await rawServer({ get: (_, res) => void stream(res).write('event: endpoint\ndata: /messages\n\n') });
  const client = new Client({ name: 'c', version: '1' });
  await assert.rejects(client.connect(new StreamableHTTPClientTransport(raw.url)), { code: 500 });
  const again = client.connect(new ourSse.SSEClientTransport(old.url), { timeout: 200 });
  await assert.rejects(again, { code: -32001 });
  assert.ok(old.requests.some(({ message }) => message?.method === 'initialize'));
  await client.close();
});

test('a session that cannot be ended is an error that is heard', async () => {
  for (const [Class, Transport] of KITS) {
    const raw = await rawServer({ sessionId: 's' });
    const client = new Class({ name: 'c', version: '1' });
    const heard = [];
    client.onerror = (error) => /terminate/.test(error.message) && heard.push([error.code, error.message]);
    const transport = new Transport(raw.url);
    await client.connect(transport);
    raw.server.removeAllListeners('request');
    raw.server.on('request', (_, res) => res.writeHead(404).end());
    await assert.rejects(transport.terminateSession(), { code: 404 });
    assert.deepEqual(heard, [[404, 'Streamable HTTP error: Failed to terminate session: Not Found']]);
    await client.close();
  }
});

test('a stream that the server does not open again fails the request', async () => {
  const raw = await rawServer({ sessionId: 's-4', get: (_, res) => res.writeHead(405).end() });
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(raw.url));
  await assert.rejects(client.callTool({ name: 'x' }, undefined, { resumptionToken: 'e-1' }), { code: 405 });
  await client.close();
});
