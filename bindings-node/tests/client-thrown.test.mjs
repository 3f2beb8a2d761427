// What a program's `fetch` throws while a client sends a message: the program gets back that object, as
// from the official packages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnauthorizedError as TheirUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as TheirClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as TheirSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as TheirHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as theirs from '@modelcontextprotocol/client';
import { UnauthorizedError } from 'mcpbolt/client/auth.js';
import { Client } from 'mcpbolt/client/index.js';
import { SSEClientTransport } from 'mcpbolt/client/sse.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import * as ours from 'mcpbolt/v2/client';
import { within } from './support/bounds.mjs';
import { WELCOME } from './support/raw-http.mjs';

const LINES = {
  '1.x': [
    { Client: TheirClient, UnauthorizedError: TheirUnauthorized, SSEClientTransport: TheirSse, StreamableHTTPClientTransport: TheirHttp },
    { Client, UnauthorizedError, SSEClientTransport, StreamableHTTPClientTransport },
  ],
  '2.x': [theirs, ours],
};
const AT = new URL('http://127.0.0.1:1/mcp');
const self = { name: 'x', version: '1' };
const capabilities = { roots: { listChanged: true } };
const failed = (promise) => within(promise.then(() => assert.fail('it did not fail'), (error) => error));
const answerTo = ({ id, method }) => ({ jsonrpc: '2.0', id, result: method === 'initialize' ? WELCOME : { content: [] } });

/** A `fetch` that plays a server; `before` sees each message, and may throw or answer. */
const playing = (before) => async (_, { method, body } = {}) => {
  if (method !== 'POST') return new Response(null, { status: 405 });
  const message = JSON.parse(body);
  const answer = (await before(message)) ?? answerTo(message);
  return message.id === undefined ? new Response(null, { status: 202 }) : Response.json(answer);
};

/** The same of playing a server that has a stream of events. */
function streaming(before) {
  let events;
  const tell = (event, data) => events.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${data}\n\n`));
  const body = new ReadableStream({ start: (controller) => void (events = controller) });
  return async (_, init = {}) => {
    if (init.method !== 'POST') {
      tell('endpoint', '/mcp');
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    }
    const message = JSON.parse(init.body);
    before(message);
    if (message.id !== undefined) tell('message', JSON.stringify(answerTo(message)));
    return new Response(null, { status: 202 });
  };
}

const TRANSPORTS = { StreamableHTTPClientTransport: playing, SSEClientTransport: streaming };

/** What is thrown: by a middleware that signs in, by a signal, with words of a status, and no error at all. */
const THROWN = {
  'a refused sign-in': (kit) => new kit.UnauthorizedError('sign in first'),
  'a signal that has timed out': () => new DOMException('it took too long', 'TimeoutError'),
  'words that look like a status': () => new RangeError('the answer was (401)'),
  'an error of the network with words of its own': () => new TypeError('fetch failed: no route'),
  'a text': () => 'no',
};

/** Whether connecting, a call and a notification each fail with what `fetch` throws then, which `onerror` hears of. */
async function comesBack(kit, transport, thrown) {
  let failing = 'initialize';
  const noted = [];
  const opened = () => {
    const fetch = TRANSPORTS[transport](({ method }) => {
      if (method === failing) throw thrown;
    });
    return new kit[transport](AT, { fetch });
  };
  const client = new kit.Client(self, { capabilities });
  assert.equal(await failed(client.connect(opened())), thrown);
  await client.close();
  failing = 'tools/call';
  await client.connect(opened());
  client.onerror = (error) => noted.push(error);
  assert.equal(await failed(client.callTool({ name: 'a' })), thrown);
  failing = 'notifications/roots/list_changed';
  assert.equal(await failed(client.sendRootsListChanged()), thrown);
  assert.equal(noted.length, 2);
  for (const error of noted) assert.equal(error, thrown);
  await client.close();
}

for (const [line, kits] of Object.entries(LINES)) {
  for (const transport of Object.keys(TRANSPORTS)) {
    for (const [what, make] of Object.entries(THROWN)) {
      test(`${line}: ${what} comes back from ${transport}`, async () => {
        for (const kit of kits) await comesBack(kit, transport, make(kit));
      });
    }
  }

  test(`${line}: requests that fail at once get their own errors, and no answer of a server stands for one`, async () => {
    for (const kit of kits) {
      const errors = Array.from({ length: 50 }, () => new Error('lost'));
      const fetch = playing(({ id, method, params }) => {
        if (method !== 'tools/call') return undefined;
        if (params.name === 'said') return { jsonrpc: '2.0', id, error: { code: -32603, message: 'lost', data: { thrown: 1 } } };
        throw errors[params.name];
      });
      const client = new kit.Client(self);
      await client.connect(new kit.StreamableHTTPClientTransport(AT, { fetch }));
      const got = await Promise.all(errors.map((_, at) => failed(client.callTool({ name: String(at) }))));
      got.forEach((error, at) => assert.equal(error, errors[at]));
      const said = await failed(client.callTool({ name: 'said' }));
      assert.deepEqual([said.code, said.data], [-32603, { thrown: 1 }]);
      await client.close();
    }
  });

  test(`${line}: requests for which a provider has no tokens at once get its own errors`, async () => {
    for (const kit of kits) {
      const thrown = [];
      let isOut = false;
      const token = () => {
        if (!isOut) return undefined;
        thrown.push(new Error('no tokens'));
        throw thrown.at(-1);
      };
      const client = new kit.Client(self);
      await client.connect(new kit.StreamableHTTPClientTransport(AT, { fetch: playing(() => undefined), authProvider: { token, tokens: token } }));
      isOut = true;
      const got = await Promise.all(Array.from({ length: 20 }, () => failed(client.callTool({ name: 'a' }))));
      assert.equal(new Set(got).size, 20);
      assert.ok(got.every((error) => thrown.includes(error)));
      await client.close();
    }
  });

  test(`${line}: a fetch that is no async function answers and throws as others do`, async () => {
    for (const kit of kits) {
      const thrown = new Error('at once');
      const fetch = (_, { method, body } = {}) => {
        const message = method === 'POST' ? JSON.parse(body) : undefined;
        if (message === undefined) return new Response(null, { status: 405 });
        if (message.method === 'tools/call') throw thrown;
        return message.id === undefined ? new Response(null, { status: 202 }) : Response.json(answerTo(message));
      };
      const client = new kit.Client(self);
      await within(client.connect(new kit.StreamableHTTPClientTransport(AT, { fetch })));
      assert.equal(await failed(client.callTool({ name: 'a' })), thrown);
      await client.close();
    }
  });
}
