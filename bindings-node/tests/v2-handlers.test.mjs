// Handlers of the 2.x face: they are given what their method says or nothing at all, in
// the words of the official packages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ourClient from 'mcpbolt/v2/client';
import * as ourServer from 'mcpbolt/v2/server';
import * as theirClient from '@modelcontextprotocol/client';
import * as theirServer from '@modelcontextprotocol/server';
import { z } from 'zod';
import { within } from './support/peer.mjs';
import { about, event } from './support/v2.mjs';

const REVISION = '2025-11-25';

/** A peer of raw messages: `ask` waits for an answer, `messages` has everything. */
function rawPeer(transport, answers = {}) {
  const waiting = new Map();
  transport.onmessage = (message) => {
    const { id, method, result, error } = message;
    if (method === undefined) waiting.get(id)?.(error ?? result);
    else if (answers[method] !== undefined) void transport.send({ jsonrpc: '2.0', id, result: answers[method] });
  };
  let last = 0;
  return {
    tell: (method, params) => transport.send({ jsonrpc: '2.0', method, params }),
    ask: (method, params) => {
      const id = `raw ${last++}`;
      const answer = new Promise((resolve) => waiting.set(id, resolve));
      void transport.send({ jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
      return within(answer, method);
    },
  };
}

/** What a server says to requests. */
async function asked(server, { InMemoryTransport }, requests) {
  const [far, near] = InMemoryTransport.createLinkedPair();
  const peer = rawPeer(far);
  await server.connect(near);
  await far.start();
  await peer.ask('initialize', { protocolVersion: REVISION, capabilities: {}, clientInfo: about });
  const said = [];
  for (const [method, params] of requests) said.push([method, params, await peer.ask(method, params)]);
  await server.close();
  return said;
}

const CALLS = [undefined, {}, { name: 5 }, { name: 'tool', arguments: 'text' }, { name: 'tool', arguments: [1] }, { name: 'tool', arguments: null }];
const REQUESTS = [
  ...CALLS.map((params) => ['tools/call', params]),
  ['tools/call', { name: 'tool', arguments: { n: 1 } }],
  ['prompts/get', {}],
  ['prompts/get', { name: 'prompt', arguments: { q: 5 } }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'prompt' }, argument: { name: 'q' } }],
];

test('a handler of a server is not given requests that are none', async () => {
  const METHODS = ['tools/list', 'tools/call', 'prompts/get', 'completion/complete'];
  const run = async (kit) => {
    const server = new kit.Server(about, { capabilities: { tools: {}, prompts: {}, completions: {} } });
    const given = [];
    const answer = ({ method, params }) => {
      given.push([method, params]);
      return { content: [], tools: [], messages: [], completion: { values: [] } };
    };
    for (const method of METHODS) server.setRequestHandler(method, answer);
    const said = await asked(server, kit, [...REQUESTS, ['tools/list', { cursor: 5 }]]);
    return { said, given };
  };
  const ours = await run(ourServer);
  assert.deepEqual(ours, await run(theirServer));
  assert.deepEqual(ours.given, [['tools/call', { name: 'tool', arguments: { n: 1 } }]]);
});

test('nor are tools and prompts that are registered', async () => {
  const run = async (kit) => {
    const server = new kit.McpServer(about);
    server.registerTool('tool', {}, () => ({ content: [{ type: 'text', text: 'called' }] }));
    const argsSchema = z.object({ q: kit.completable(z.string(), () => ['a']) });
    server.registerPrompt('prompt', { argsSchema }, () => ({ messages: [] }));
    return asked(server, kit, REQUESTS);
  };
  assert.deepEqual(await run(ourServer), await run(theirServer));
});

test('a handler of a client is not given messages that are none', async () => {
  const run = async (kit) => {
    const client = new kit.Client(about, { capabilities: { sampling: {}, elicitation: {}, roots: {} } });
    const seen = [];
    client.onerror = ({ message }) => seen.push(message.split('\n')[0]);
    for (const method of ['sampling/createMessage', 'elicitation/create', 'roots/list']) {
      client.setRequestHandler(method, () => ({ roots: [], action: 'decline' }));
    }
    const done = new Promise((resolve) => {
      client.setNotificationHandler('notifications/message', ({ params }) => {
        seen.push(params);
        if (params.data === 'last') resolve();
      });
    });
    const [far, near] = kit.InMemoryTransport.createLinkedPair();
    const peer = rawPeer(far, { initialize: { protocolVersion: REVISION, capabilities: { logging: {} }, serverInfo: about } });
    await far.start();
    await client.connect(near);
    const said = [];
    for (const params of [{}, { messages: 'text', maxTokens: 5 }]) said.push(await peer.ask('sampling/createMessage', params));
    const { code, message } = await peer.ask('elicitation/create', {});
    said.push(code, message.split('\n')[0], await peer.ask('roots/list'));
    for (const params of [{}, { level: 'loud', data: 1 }, { level: 'info', data: 'last' }]) await peer.tell('notifications/message', params);
    await within(done, 'the last notification');
    await client.close();
    return { said, seen };
  };
  assert.deepEqual(await run(ourClient), await run(theirClient));
});

test('a handler that cannot be is refused when it is set', () => {
  const refusals = (make) => {
    const said = [];
    const attempt = (verb, ...given) => {
      try {
        make()[verb](...given);
        said.push('fine');
      } catch (error) {
        said.push([error.constructor.name, error.message]);
      }
    };
    const none = () => ({});
    for (const method of ['own/method', 'tools/call', 'notifications/message', {}]) {
      attempt('setRequestHandler', method, none);
      attempt('setNotificationHandler', method, none);
      attempt('setRequestHandler', method);
      attempt('setNotificationHandler', method, { params: z.object({}) });
    }
    return said;
  };
  const capabilities = { tools: {}, sampling: {} };
  assert.deepEqual(refusals(() => new ourServer.Server(about, { capabilities })), refusals(() => new theirServer.Server(about, { capabilities })));
  assert.deepEqual(refusals(() => new ourClient.Client(about, { capabilities })), refusals(() => new theirClient.Client(about, { capabilities })));
});

test('what a tool gives may be an object of a class', async () => {
  class Built {
    get content() {
      return [{ type: 'text', text: 'built' }];
    }
    get isError() {
      return true;
    }
  }
  const run = async ({ McpServer, Server, InMemoryTransport }) => {
    const registering = new McpServer(about);
    registering.registerTool('tool', {}, async () => new Built());
    const low = new Server(about, { capabilities: { tools: {} } });
    low.setRequestHandler('tools/call', () => new Built());
    const call = [['tools/call', { name: 'tool' }]];
    return [await asked(registering, { InMemoryTransport }, call), await asked(low, { InMemoryTransport }, call)];
  };
  assert.deepEqual(await run(ourServer), await run(theirServer));
});

test('what a handler of an own method gives leaves as it is', async () => {
  const run = async ({ Server, InMemoryTransport }) => {
    const server = new Server(about);
    const schemas = { params: z.object({ n: z.number().default(3) }), result: z.object({ n: z.number().transform((n) => n + 1) }) };
    server.setRequestHandler('own/number', schemas, ({ n }) => ({ n, more: true }));
    server.setRequestHandler('own/text', schemas, () => ({ n: 'text' }));
    return asked(server, { InMemoryTransport }, [['own/number', {}], ['own/text', {}], ['own/text', { n: 'x' }]]);
  };
  assert.deepEqual(await run(ourServer), await run(theirServer));
});

test('a request without a handler goes to the fallback, with the context that handlers have', async () => {
  const run = async (kit) => {
    const client = new kit.Client(about);
    client.fallbackRequestHandler = async ({ method, params, id }, { mcpReq, requestId }) => ({ method, params, same: mcpReq.id === id, requestId });
    const inner = client.fallbackRequestHandler;
    client.fallbackRequestHandler = async (request, ctx) => ({ ...(await inner(request, ctx)), outer: ctx.mcpReq.method });
    const [far, near] = kit.InMemoryTransport.createLinkedPair();
    const peer = rawPeer(far, { initialize: { protocolVersion: REVISION, capabilities: {}, serverInfo: about } });
    await far.start();
    await client.connect(near);
    const said = [await peer.ask('own/thing', { a: 1 }), await peer.ask('ping')];
    client.fallbackRequestHandler = undefined;
    said.push((await peer.ask('own/thing')).code);
    await client.close();
    return JSON.parse(JSON.stringify(said));
  };
  const seen = await run(ourClient);
  assert.deepEqual(seen, await run(theirClient));
  assert.deepEqual(seen[0], { method: 'own/thing', params: { a: 1 }, same: true, outer: 'own/thing' });
});

test('a peer of its own has fallbacks, with its own context', async () => {
  const run = async ({ Protocol, InMemoryTransport }) => {
    const seen = [];
    const last = event();
    class Peer extends Protocol {
      fallbackNotificationHandler = async ({ method, params }) => {
        seen.push([method, params]);
        if (method === 'own/last') last.happened();
      };
      buildContext(ctx) {
        return { ...ctx, own: 'context' };
      }
      assertCapabilityForMethod() {}
      assertNotificationCapability() {}
      assertRequestHandlerCapability() {}
    }
    const [far, near] = InMemoryTransport.createLinkedPair();
    const [asking, peer] = [rawPeer(far), new Peer()];
    await far.start();
    await peer.connect(near);
    seen.push(await asking.ask('own/thing'));
    peer.fallbackRequestHandler = async ({ method }, { own, mcpReq }) => ({ method, own, asked: mcpReq.method });
    seen.push(await asking.ask('own/thing'));
    await asking.tell('notifications/cancelled', { requestId: 'raw 9' });
    await asking.tell('own/last', { a: 1 });
    await within(last.promise, 'the last notification');
    await peer.close();
    return seen;
  };
  const seen = await run(ourClient);
  assert.deepEqual(seen, await run(theirClient));
  assert.deepEqual(seen.slice(1), [{ method: 'own/thing', own: 'context', asked: 'own/thing' }, ['own/last', { a: 1 }]]);
});
