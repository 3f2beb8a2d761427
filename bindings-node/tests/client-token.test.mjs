// Providers that only have a token, beside the official 2.x package, against a server that
// a test plays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as official from '@modelcontextprotocol/client';
import * as ours from 'mcpbolt/v2/client';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { within } from './support/bounds.mjs';
import { event, json, rawServer, stream, WELCOME } from './support/raw-http.mjs';

/** Over streamable HTTP; what is not let in gets `refusal`. */
async function guarded(isLetIn, refusal = [401, 'Bearer realm="r", scope="a"']) {
  const refuse = (res) => res.writeHead(refusal[0], { 'www-authenticate': refusal[1] }).end();
  return rawServer({
    play(message, req, res) {
      if (!isLetIn(req.headers.authorization)) return refuse(res) ?? true;
      if (message.method === 'initialize') return json(res, WELCOME, message.id) ?? true;
      if (message.id !== undefined) return json(res, {}, message.id) ?? true;
      return false;
    },
    get: (req, res) => (isLetIn(req.headers.authorization) ? res.writeHead(405).end() : refuse(res)),
  });
}

/** Over HTTP+SSE. */
async function guardedSse(isLetIn) {
  let events;
  return rawServer({
    play(message, req, res) {
      if (!isLetIn(req.headers.authorization)) return res.writeHead(401, { 'www-authenticate': 'Bearer' }).end() && true;
      res.writeHead(202).end();
      const result = message.method === 'initialize' ? { ...WELCOME, protocolVersion: '2024-11-05' } : {};
      if (message.id !== undefined) event(events, { jsonrpc: '2.0', id: message.id, result });
      return true;
    },
    get(req, res) {
      if (!isLetIn(req.headers.authorization)) return res.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      events = stream(res);
      return events.write('event: endpoint\ndata: /post\n\n');
    },
  });
}

const opened = (kit, Transport) => (url, authProvider, options) => ({
  client: new kit.Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'legacy' } }),
  transport: new Transport(url, { ...options, authProvider }),
});
const HTTP = {
  official: opened(official, official.StreamableHTTPClientTransport),
  engine: opened(ours, ours.StreamableHTTPClientTransport),
  'own fetch': (url, provider) => opened(ours, ours.StreamableHTTPClientTransport)(url, provider, { fetch: (...parts) => fetch(...parts) }),
  wrapped: (url, provider) => {
    const made = opened(ours, ours.StreamableHTTPClientTransport)(url, provider);
    made.transport.onmessage = () => undefined;
    return made;
  },
};
const SSE = { official: opened(official, official.SSEClientTransport), sse: opened(ours, ours.SSEClientTransport) };

/** Connects and pings; how it ended. */
async function outcome({ client, transport }) {
  try {
    await within(client.connect(transport));
    await within(client.ping());
    return 'connected';
  } catch (error) {
    return [error.constructor.name, error.code, error.message].filter((part) => part !== undefined);
  } finally {
    await client.close();
  }
}

const old = { token: 'old' };
/** What a provider does, which requests are let in, and how connecting ends. */
const CASES = {
  'a token is sent': {
    provider: () => ({ token: async () => 'good' }),
  },
  'a refused token is renewed once': {
    provider: (notes) => ({
      token: async () => old.token,
      onUnauthorized: async ({ response, serverUrl, fetchFn }) => {
        notes.push([response.status, response.headers.get('www-authenticate'), serverUrl.pathname, typeof fetchFn]);
        old.token = 'good';
      },
    }),
  },
  'a provider without renewal makes it unauthorized': {
    provider: () => ({ token: async () => 'bad' }),
    isUnauthorized: true,
  },
  'an error of a renewal is the one of connect': {
    provider: () => ({ token: async () => 'bad', onUnauthorized: async () => Promise.reject(new RangeError('no more')) }),
  },
  'an error of a token is the one of connect': {
    provider: () => ({ token: async () => Promise.reject(new RangeError('no key')) }),
  },
};

for (const [transport, ways, server] of [['streamable HTTP', HTTP, guarded], ['HTTP+SSE', SSE, guardedSse]]) {
  for (const [name, { provider, isUnauthorized }] of Object.entries(CASES)) {
    test(`${transport}: ${name}`, async () => {
      const seen = {};
      for (const [way, open] of Object.entries(ways)) {
        const { url } = await server((sent) => sent === 'Bearer good');
        const notes = [];
        old.token = 'old';
        seen[way] = { outcome: await outcome(open(url, provider(notes))), notes };
        if (isUnauthorized) assert.equal(seen[way].outcome[0], 'UnauthorizedError', way);
      }
      for (const way of Object.keys(ways).slice(1)) {
        if (!isUnauthorized) assert.deepEqual(seen[way], seen.official, way);
      }
    });
  }

  test(`${transport}: a renewed token that is refused, too, is no reason to ask for ever`, async () => {
    for (const [way, open] of Object.entries(ways)) {
      const { url, requests } = await server(() => false);
      let count = 0;
      const ended = await outcome(open(url, { token: async () => `t${(count += 1)}`, onUnauthorized: async () => undefined }));
      assert.ok(Array.isArray(ended) && /401|Unauthorized/.test(String(ended)), `${way}: ${ended}`);
      assert.ok(requests.length <= 5, `${way}: ${requests.length} requests`);
    }
  });
}

test('a demand for a wider scope is an error that says which', async () => {
  for (const [way, open] of Object.entries(HTTP)) {
    const challenge = 'Bearer error="insufficient_scope", scope="wide"';
    const { url } = await guarded(() => false, [403, challenge]);
    const ended = await outcome(open(url, { token: async () => 'good', onUnauthorized: async () => undefined }));
    assert.deepEqual(ended, ['InsufficientScopeError', 'Insufficient scope: required "wide"'], way);
  }
});

test('of many requests that are refused at once, one renews the token', async () => {
  const good = { now: 'first' };
  const { url } = await guarded((sent) => sent === `Bearer ${good.now}`);
  let [token, renewals] = ['first', 0];
  const provider = {
    token: async () => token,
    onUnauthorized: async () => {
      renewals += 1;
      token = good.now;
    },
  };
  const { client, transport } = HTTP.engine(url, provider);
  await within(client.connect(transport));
  good.now = 'second';
  await within(Promise.all(Array.from({ length: 20 }, () => client.ping())));
  assert.equal(renewals, 1);
  await client.close();
});

test('only OAuth can finish what a user began', async () => {
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1:1/'), { authProvider: { token: async () => 'x' } });
  await assert.rejects(transport.finishAuth('code'), /finishAuth requires an OAuthClientProvider/);
});
