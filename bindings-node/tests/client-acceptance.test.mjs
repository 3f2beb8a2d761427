// When a client says that something was told: once the server took it over HTTP, beside the official client.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client as TheirClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as TheirSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as TheirHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { event, rawServer, stream, WELCOME } from './support/raw-http.mjs';
import { within } from './support/peer.mjs';

const INITIALIZED = 'notifications/initialized';
const CHANGED = { method: 'notifications/roots/list_changed' };
const ERROR = '{"jsonrpc":"2.0","error":{"code":-32000,"message":"not now"},"id":null}';
const REFUSALS = {
  'with a reason': [400, 'no such thing'],
  'with an error of JSON-RPC': [400, ERROR, { 'content-type': 'application/json' }],
  'without credentials': [401, 'who are you?'],
  'with a fault of its own': [500, 'oops'],
};

/** A server of HTTP+SSE that answers on its stream, unless `play` does. */
async function sseServer(play) {
  let events;
  const raw = await rawServer({
    get: (_, res) => {
      events = stream(res);
      events.write('event: endpoint\ndata: /messages\n\n');
    },
    play: (message, req, res) => {
      if (play(message, req, res)) return true;
      if (message.method !== 'initialize') return false;
      event(events, { jsonrpc: '2.0', id: message.id, result: WELCOME });
      return res.writeHead(202).end();
    },
  });
  return raw;
}

/** How the kits reach a server: theirs, ours by the engine, ours with the program's own `fetch`, ours by the object. */
const own = (url, init) => fetch(url, init);
const WAYS = {
  'streamable HTTP': {
    serve: (play) => rawServer({ play, sessionId: 's' }),
    theirs: (url) => new TheirHttp(url),
    ours: {
      'the engine': (url) => new StreamableHTTPClientTransport(url),
      'the engine, carried by a function like fetch': (url) => new StreamableHTTPClientTransport(url, { fetch: own }),
      'the object itself': (url) => new StreamableHTTPClientTransport(url, { redirectPolicy: 'follow' }),
    },
  },
  'HTTP+SSE': {
    serve: sseServer,
    theirs: (url) => new TheirSse(url),
    ours: {
      'the engine': (url) => new SSEClientTransport(url),
      'the object itself': (url) => new SSEClientTransport(url, { redirectPolicy: 'follow' }),
    },
  },
};

const clientOf = (Class) => new Class({ name: 'c', version: '1' }, { capabilities: { roots: { listChanged: true } } });

/** What a program sees when `method` is refused: how the promise ends, what is heard, in order. */
async function refused(Class, make, serve, method, [status, body, headers]) {
  const raw = await serve((message, _, res) => message.method === method && (res.writeHead(status, headers).end(body), true));
  const client = clientOf(Class);
  const notes = [];
  const note = (what) => (error) => notes.push([what, error.code, error.message.replaceAll(raw.url.host, 'HOST')]);
  client.onerror = note('heard');
  const closed = new Promise((resolve) => (client.onclose = () => resolve(notes.push('closed'))));
  const isLast = method === INITIALIZED;
  const called = client.connect(make(raw.url)).then(() => isLast || client.notification(CHANGED));
  await within(called.then(() => notes.push('fulfilled'), note('rejected')), 'the refusal');
  if (isLast) await within(closed, 'the end');
  // Who hears of the end first is not agreed on.
  const seen = notes.map((each) => JSON.stringify(each)).sort();
  seen.push(client.transport === undefined);
  await client.close();
  raw.stop();
  return seen;
}

for (const [way, { serve, theirs, ours }] of Object.entries(WAYS)) {
  describe(way, () => {
    for (const [name, refusal] of Object.entries(REFUSALS)) {
      for (const method of [INITIALIZED, CHANGED.method]) {
        test(`${method} is refused ${name}`, async () => {
          const expected = await refused(TheirClient, theirs, serve, method, refusal);
          assert.ok(expected.some((each) => String(each).includes('rejected')), String(expected));
          for (const [how, make] of Object.entries(ours)) {
            assert.deepEqual(await refused(Client, make, serve, method, refusal), expected, how);
          }
        });
      }
    }

    for (const [how, make] of Object.entries({ 'the official client': theirs, ...ours })) {
      test(`connect and notification wait until they are taken: ${how}`, async () => {
        const held = [];
        const came = { resolve: () => undefined };
        const hold = (message, _, res) => {
          if (![INITIALIZED, CHANGED.method].includes(message.method)) return false;
          held.push(() => res.writeHead(202).end());
          came.resolve();
          return true;
        };
        const raw = await serve(hold);
        const client = clientOf(how === 'the official client' ? TheirClient : Client);
        const steps = [];
        for (const begin of [() => client.connect(make(raw.url)), () => client.notification(CHANGED)]) {
          const arrived = new Promise((resolve) => (came.resolve = resolve));
          const told = begin().then(() => steps.push('fulfilled'));
          await within(arrived, 'the notification');
          // A turn in which what needs no answer would be over: another request goes out and back.
          await fetch(raw.url, { method: 'POST', body: '{"jsonrpc":"2.0","method":"notifications/other"}' });
          steps.push('taken');
          held.pop()();
          await within(told, 'the promise');
        }
        assert.deepEqual(steps, ['taken', 'fulfilled', 'taken', 'fulfilled']);
        await client.close();
      });
    }
  });
}

test('a notification that is on its way when the client closes ends with that', async () => {
  const came = {};
  const arrived = new Promise((resolve) => (came.resolve = resolve));
  const raw = await rawServer({ play: (message) => message.method === CHANGED.method && (came.resolve(), true) });
  const client = clientOf(Client);
  await client.connect(new StreamableHTTPClientTransport(raw.url));
  const told = assert.rejects(client.notification(CHANGED), { kind: 'closed' });
  await within(arrived, 'the notification');
  const closing = client.close();
  await within(told, 'the failure');
  raw.stop();
  await closing;
  await assert.rejects(client.notification(CHANGED), { message: 'Not connected' });
});

test('what a program says on the transport of a client is refused to the program', async () => {
  const raw = await rawServer({ play: (message, _, res) => message.method === 'notifications/own' && (res.writeHead(400).end('no'), true) });
  const client = clientOf(Client);
  const transport = new StreamableHTTPClientTransport(raw.url);
  await client.connect(transport);
  await assert.rejects(transport.send({ jsonrpc: '2.0', method: 'notifications/own' }), { code: 400 });
  await transport.send({ jsonrpc: '2.0', method: 'notifications/other' });
  await client.close();
});
