// What a client tells of streams it loses, and what connect() waits for, beside the official
// package, against a server that a test plays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client as OfficialClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as OfficialSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as OfficialHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { within } from './support/bounds.mjs';
import { event, rawServer, stream, WELCOME } from './support/raw-http.mjs';

const quick = { initialReconnectionDelay: 5, maxReconnectionDelay: 10, reconnectionDelayGrowFactor: 1, maxRetries: 3 };
const wrap = (transport) => Object.assign(transport, { onmessage: () => undefined });
const about = { name: 'c', version: '1' };
const HTTP = {
  official: (url, options) => [new OfficialClient(about), new OfficialHttp(url, options)],
  engine: (url, options) => [new Client(about), new StreamableHTTPClientTransport(url, options)],
  'own fetch': (url, options) => [new Client(about), new StreamableHTTPClientTransport(url, { ...options, fetch: (...parts) => fetch(...parts) })],
  wrapped: (url, options) => [new Client(about), wrap(new StreamableHTTPClientTransport(url, options))],
};
const SSE = {
  official: (url) => [new OfficialClient(about), new OfficialSse(url)],
  engine: (url) => [new Client(about), new SSEClientTransport(url)],
  wrapped: (url) => [new Client(about), wrap(new SSEClientTransport(url))],
};

/** A promise and how to keep it. */
function promised() {
  let keep;
  const promise = new Promise((resolve) => (keep = resolve));
  return { promise, keep };
}

for (const [way, open] of Object.entries(HTTP)) {
  for (const how of ['breaks', 'is refused']) {
    test(`a stream that ${how} for good is told (${way})`, async () => {
      let count = 0;
      const { url } = await rawServer({
        sessionId: 's',
        get(_, res) {
          count += 1;
          if (count === 1) {
            event(stream(res), { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, 'one');
            return void setImmediate(() => res.destroy());
          }
          return how === 'breaks' ? res.destroy() : res.writeHead(500).end();
        },
      });
      const [client, transport] = open(url, { reconnectionOptions: quick });
      const [told, { promise, keep }] = [[], promised()];
      client.onerror = ({ message }) => {
        told.push(message);
        if (message.startsWith('Maximum')) keep();
      };
      await within(client.connect(transport));
      await within(promise, 'the last word');
      const [broken, again, last] = [/^SSE stream disconnected: /, /^Failed to reconnect SSE stream: /, /^Maximum reconnection attempts \(3\) exceeded\.$/];
      assert.match(told[0], broken);
      assert.equal(told.filter((message) => again.test(message)).length, 3);
      assert.match(told.at(-1), last);
      assert.equal(count, 4);
      await client.close();
    });
  }
}

test('a stream that comes back goes on', async () => {
  let count = 0;
  const { promise, keep } = promised();
  const { url } = await rawServer({
    sessionId: 's',
    get(_, res) {
      count += 1;
      if (count === 1) return void setImmediate(() => stream(res).destroy());
      if (count < 4) return res.writeHead(503).end();
      return event(stream(res), { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'back' } });
    },
  });
  const [client, transport] = HTTP.engine(url, { reconnectionOptions: quick });
  client.fallbackNotificationHandler = async ({ params }) => keep(params.data);
  await within(client.connect(transport));
  assert.equal(await within(promise), 'back');
  await client.close();
});

/** Plays a server whose answer to `notifications/initialized` is kept until `release` is called. */
async function slow(isSse) {
  const [arrived, released] = [promised(), promised()];
  let events;
  const raw = await rawServer({
    play(message, _, res) {
      if (message.method === 'notifications/initialized') {
        arrived.keep();
        released.promise.then(() => res.writeHead(202).end());
        return true;
      }
      if (!isSse) return false;
      res.writeHead(202).end();
      if (message.method === 'initialize') event(events, { jsonrpc: '2.0', id: message.id, result: { ...WELCOME, protocolVersion: '2024-11-05' } });
      return true;
    },
    get(_, res) {
      if (!isSse) return res.writeHead(405).end();
      events = stream(res);
      return events.write('event: endpoint\ndata: /post\n\n');
    },
  });
  return { ...raw, arrived: arrived.promise, release: released.keep };
}

for (const [kind, ways] of Object.entries({ 'streamable HTTP': HTTP, 'HTTP+SSE': SSE })) {
  for (const [way, open] of Object.entries(ways)) {
    test(`connect() waits until the server has taken initialized: ${kind} (${way})`, async () => {
      const { url, arrived, release } = await slow(kind !== 'streamable HTTP');
      const [client, transport] = open(url, {});
      let isConnected = false;
      const connecting = client.connect(transport).then(() => (isConnected = true));
      await within(arrived, 'initialized');
      // Whatever was on its way has arrived by the time another server has answered.
      const other = await rawServer({ get: (_, res) => res.writeHead(204).end() });
      for (let turn = 0; turn < 20; turn++) await fetch(other.url);
      assert.equal(isConnected, false);
      release();
      await within(connecting, 'the connection');
      await client.close();
    });

    test(`a client that is closed while it waits for that is closed: ${kind} (${way})`, async () => {
      const { url, arrived } = await slow(kind !== 'streamable HTTP');
      const [client, transport] = open(url, {});
      const connecting = client.connect(transport).catch((error) => error);
      await within(arrived, 'initialized');
      await within(client.close(), 'closing');
      assert.ok((await within(connecting, 'the end')) instanceof Error, way);
    });
  }
}
