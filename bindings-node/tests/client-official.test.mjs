// What a 1.x client and its transports do at the edges, beside the official package.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import * as theirClient from '@modelcontextprotocol/sdk/client/index.js';
import * as theirHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as theirMiddleware from '@modelcontextprotocol/sdk/client/middleware.js';
import * as theirServer from '@modelcontextprotocol/sdk/server/index.js';
import * as theirSse from '@modelcontextprotocol/sdk/client/sse.js';
import * as theirStdio from '@modelcontextprotocol/sdk/client/stdio.js';
import * as theirTasks from '@modelcontextprotocol/sdk/experimental/tasks/index.js';
import * as theirTypes from '@modelcontextprotocol/sdk/types.js';
import { UnauthorizedError as TheirUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js';
import * as ourClient from 'mcpbolt/client/index.js';
import * as ourHttp from 'mcpbolt/client/streamableHttp.js';
import * as ourMiddleware from 'mcpbolt/client/middleware.js';
import * as ourServer from 'mcpbolt/server/index.js';
import * as ourSse from 'mcpbolt/client/sse.js';
import * as ourStdio from 'mcpbolt/client/stdio.js';
import * as ourTasks from 'mcpbolt/experimental/tasks/index.js';
import * as ourTypes from 'mcpbolt/types.js';
import { UnauthorizedError } from 'mcpbolt/client/auth.js';
import { within } from './support/bounds.mjs';
import { Played } from './support/played.mjs';
import { event, soon, web } from './support/v2.mjs';

const KITS = [
  { ...theirClient, ...theirHttp, ...theirMiddleware, ...theirServer, ...theirSse, ...theirStdio, ...theirTasks, ...theirTypes, UnauthorizedError: TheirUnauthorized },
  { ...ourClient, ...ourHttp, ...ourMiddleware, ...ourServer, ...ourSse, ...ourStdio, ...ourTasks, ...ourTypes, UnauthorizedError },
];
const self = { name: 'x', version: '1' };
const WELCOME = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: self };
const FORM = { message: 'q', requestedSchema: { type: 'object', properties: {} } };

async function same(script) {
  const [theirs, ours] = [await script(KITS[0]), await script(KITS[1])];
  assert.deepEqual(ours, theirs);
  return ours;
}

const words = (error) => error.message.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
const failure = (promise) => within(promise).then(() => 'fine', words);

/** A server that wants tokens, its authorization server, and what that answers token requests with. */
const protectedBy = (status, answer) => (req, res) => {
  const base = `http://${req.headers.host}`;
  const json = (code, body) => res.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (req.url.startsWith('/.well-known/oauth-protected')) return json(200, { resource: `${base}/mcp`, authorization_servers: [base] });
  if (req.url.startsWith('/.well-known/')) {
    const endpoints = { authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` };
    return json(200, { issuer: base, ...endpoints, response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] });
  }
  if (req.url === '/token') return json(status, answer);
  return res.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
};

const provider = (members) => ({
  redirectUrl: 'http://localhost:1/callback',
  clientMetadata: { redirect_uris: ['http://localhost:1/callback'] },
  clientInformation: () => ({ client_id: 'c' }),
  tokens: () => undefined,
  saveTokens() {},
  redirectToAuthorization() {},
  saveCodeVerifier() {},
  codeVerifier: () => 'v',
  ...members,
});

const fail = (message) => () => {
  throw new Error(message);
};
const OLD = { tokens: () => ({ access_token: 'a', token_type: 'bearer', refresh_token: 'r' }) };
const PROVIDERS = {
  'has no tokens that can be read': [{ tokens: fail('no store') }],
  'sends the user away': [{}],
  'cannot send the user away': [{ redirectToAuthorization: fail('no browser') }],
  'is told that its token is no good': [OLD, 400, { error: 'invalid_request', error_description: 'bad' }],
  'gets a token that is no good either': [OLD, 200, { access_token: 'b', token_type: 'bearer' }],
};

for (const [what, [members, status = 400, answer = { error: 'invalid_grant' }]] of Object.entries(PROVIDERS)) {
  // The official transport asks for tokens again and again as long as it gets some.
  const isEndless = status === 200;
  if (!isEndless) test(`HTTP+SSE fails as the official transport does with a provider that ${what}`, () =>
    same(async (kit) => {
      const all = [];
      for (const open of [(transport) => transport.start(), (transport) => new kit.Client(self).connect(transport)]) {
        const outcome = event();
        await web(protectedBy(status, answer), async (url) => {
          const transport = new kit.SSEClientTransport(url, { authProvider: provider(members) });
          const noted = [];
          transport.onerror = (error) => noted.push(words(error));
          const end = await failure(open(transport));
          await transport.close();
          outcome.happened([end, noted]);
        });
        all.push(await soon(outcome.promise, 'end'));
      }
      return all;
    }));

  test(`withOAuth says what the official one does with a provider that ${what}`, () =>
    same(async (kit) => {
      const outcome = event();
      await web(protectedBy(status, answer), async (url) => {
        const error = await kit.withOAuth(provider(members), url)(fetch)(String(url)).catch((thrown) => thrown);
        outcome.happened([error instanceof kit.UnauthorizedError, words(error)]);
      });
      return soon(outcome.promise, 'end');
    }));
}

test('a form that names no mode is answered as it came', () =>
  same(async (kit) => {
    const seen = [];
    for (const params of [FORM, { mode: 'form', ...FORM }]) {
      const client = new kit.Client(self, { capabilities: { elicitation: { form: {} } } });
      client.setRequestHandler(kit.ElicitRequestSchema, (request) => {
        seen.push(request.params);
        return { action: 'cancel' };
      });
      const transport = new Played(() => ({ result: WELCOME }));
      await client.connect(transport);
      seen.push((await transport.ask('elicitation/create', params)).result);
      await client.close();
    }
    return seen;
  }));

/** A port that nobody listens on. */
async function nobody() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('refused connections are errors of fetch, with the code of the system', async () => {
  const port = await nobody();
  for (const options of [undefined, { fetch: (...parts) => fetch(...parts) }]) {
    await same(async (kit) => {
      const error = await new kit.Client(self)
        .connect(new kit.StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), options))
        .catch((thrown) => thrown);
      return [error instanceof TypeError, error.name, error.message.slice(0, 'fetch failed'.length), error.cause.code];
    });
    await same(async (kit) => {
      const transport = new kit.SSEClientTransport(new URL(`http://127.0.0.1:${port}/sse`), options);
      const error = await new kit.Client(self).connect(transport).catch((thrown) => thrown);
      // The official one would try again and again.
      await transport.close();
      return [error instanceof kit.SseError, error.code, error.message.slice(0, 'SSE error: TypeError: fetch failed'.length)];
    });
  }
});

test('answers that nobody waits for are shown to onerror, of clients and of servers', () =>
  same(async (kit) => {
    const all = [];
    for (const stray of [{ jsonrpc: '2.0', id: 77, result: { a: 1 } }, { jsonrpc: '2.0', id: 'x', result: {} }, { jsonrpc: '2.0', id: 78, error: { code: 1, message: 'm' } }]) {
      const client = new kit.Client(self);
      const server = new kit.Server(self);
      const [there, here] = [new Played(() => ({ result: WELCOME })), new Played()];
      await client.connect(there);
      await server.connect(here);
      await here.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: self });
      for (const [peer, transport] of [[client, there], [server, here]]) {
        const noted = event();
        peer.onerror = (error) => noted.happened(error.message);
        transport.onmessage(stray);
        all.push(await soon(noted.promise, 'error'));
        await peer.close();
      }
    }
    return all;
  }));

const LONG = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = method === 'initialize' ? ${JSON.stringify(WELCOME)} : { text: 'x'.repeat(5000) };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });`;

test('answers longer than the buffer are noted as the official transport does', () =>
  same(async (kit) => {
    const noted = [];
    const transport = new kit.StdioClientTransport({ command: process.execPath, args: ['-e', LONG], maxBufferSize: 2000 });
    transport.onerror = (error) => noted.push(error.message);
    const client = new kit.Client(self);
    client.onerror = (error) => noted.push(error.message);
    await client.connect(transport);
    // The official client ends the connection as well; ours goes on with the others.
    await assert.rejects(within(client.ping()));
    await client.close();
    return noted;
  }));

test('questions that a finished task left are asked before its result, and may be answered after', () =>
  same(async (kit) => {
    const answered = event();
    const options = { taskStore: new kit.InMemoryTaskStore(), taskMessageQueue: new kit.InMemoryTaskMessageQueue() };
    const server = new kit.Server(self, { capabilities: { tools: {}, tasks: { requests: { tools: { call: {} } } } }, ...options });
    server.setRequestHandler(kit.CallToolRequestSchema, async (_, extra) => {
      const task = await extra.taskStore.createTask({ ttl: null });
      const { taskId } = task;
      extra.sendRequest({ method: 'elicitation/create', params: FORM }, kit.ElicitResultSchema, { relatedTask: { taskId } }).then(answered.happened, answered.happened);
      // The question is queued in some turns of the event loop.
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
      await extra.taskStore.storeTaskResult(taskId, 'completed', { content: [] });
      return { task };
    });
    const transport = new Played();
    await server.connect(transport);
    await transport.ask('initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: { form: {} } }, clientInfo: self });
    transport.onmessage({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const { result } = await transport.ask('tools/call', { name: 'a', task: {} });
    const before = transport.sent.length;
    await transport.ask('tasks/result', { taskId: result.task.taskId });
    const after = transport.sent.slice(before).map((message) => message.method ?? 'answer');
    const question = transport.sent.find((message) => message.method === 'elicitation/create');
    transport.onmessage({ jsonrpc: '2.0', id: question.id, result: { action: 'cancel' } });
    const answer = await soon(answered.promise, 'answer');
    await server.close();
    return [after, answer];
  }));

test('messages of one turn leave in their order through a fetch of the program, whatever it adds to them', () =>
  same(async (kit) => {
    const orders = [];
    const answer = async (req, res) => {
      if (req.method !== 'POST') return res.writeHead(405).end();
      let text = '';
      for await (const part of req) text += part;
      const { id, method } = JSON.parse(text);
      if (id === undefined) return res.writeHead(202).end();
      const result = method === 'initialize' ? WELCOME : {};
      return res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    const authProvider = { tokens: async () => ({ access_token: 'one', token_type: 'Bearer' }) };
    const requestInit = { headers: { 'x-mine': 'yes' } };
    await web(answer, async (url) => {
      for (const options of [{}, { requestInit }, { authProvider }, { requestInit, authProvider }]) {
        const order = [];
        const send = (target, init) => {
          const { method, params } = init.body === undefined ? {} : JSON.parse(init.body);
          if (method?.endsWith('acme/count')) order.push(params.at);
          return fetch(target, init);
        };
        const client = new kit.Client(self);
        await client.connect(new kit.StreamableHTTPClientTransport(url, { fetch: send, ...options }));
        const ask = (at) => client.request({ method: 'acme/count', params: { at } }, kit.EmptyResultSchema);
        const tell = (at) => client.notification({ method: 'notifications/acme/count', params: { at } });
        for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 30 }, (_, at) => (at % 4 === 3 ? tell(at) : ask(at))));
        await client.close();
        orders.push(order);
      }
    });
    return orders;
  }));
