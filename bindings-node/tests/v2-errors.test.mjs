// Which class, code and data errors have on the 2.x face, beside the official 2.x packages.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import * as theirClient from '@modelcontextprotocol/client';
import * as theirServer from '@modelcontextprotocol/server';
import * as theirAjv from '@modelcontextprotocol/server/validators/ajv';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as ourClient from 'mcpbolt/v2/client';
import * as ourServer from 'mcpbolt/v2/server';
import * as ourAjv from 'mcpbolt/v2/validators/ajv';
import { z } from 'zod';
import { within } from './support/bounds.mjs';
import { Played } from './support/played.mjs';
import { event, soon, web } from './support/v2.mjs';

const KITS = [
  { ...theirClient, ...theirServer, ...theirAjv },
  { ...ourClient, ...ourServer, ...ourAjv },
];
const MODERN = '2026-07-28';
const self = { name: 'x', version: '1' };
const DISCOVERED = { resultType: 'complete', supportedVersions: [MODERN], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' };
const AUTO = { versionNegotiation: { mode: 'auto' } };
const PIN = { versionNegotiation: { mode: { pin: MODERN } } };
const NEWEST = { ...AUTO, supportedProtocolVersions: [MODERN] };

/** What a promise ends with, without the words, which name more here and there. */
async function ending(kit, promise) {
  try {
    await within(promise);
    return 'fine';
  } catch (error) {
    const kind = ['SdkHttpError', 'UnsupportedProtocolVersionError', 'ProtocolError', 'SdkError', 'OAuthError'].find((name) => error instanceof kit[name]);
    const { cause: _, ...data } = error.data ?? {};
    return { kind: kind ?? error.name, code: error.code, data };
  }
}

async function same(script) {
  const [theirs, ours] = [await script(KITS[0]), await script(KITS[1])];
  assert.deepEqual(ours, theirs);
  return ours;
}

/** How `connect` ends with each way of opening, over a transport that a function plays. */
async function openings(kit, play) {
  const endings = [];
  for (const options of [AUTO, PIN, NEWEST]) {
    const client = new kit.Client(self, options);
    endings.push(await ending(kit, client.connect(new Played(play))));
    await client.close().catch(() => undefined);
  }
  return endings;
}

const legacy = ({ method }) =>
  method === 'initialize' ? { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: self } } : undefined;

const PROBES = {
  'is unknown': () => ({ error: { code: -32601, message: 'no' } }),
  'means nothing': () => ({ result: { x: 1 } }),
  'names older revisions': () => ({ error: { code: -32022, message: 'none', data: { supported: ['2025-11-25'], requested: MODERN } } }),
  'names unknown revisions': () => ({ error: { code: -32022, message: 'none', data: { supported: ['2199-01-01'], requested: MODERN } } }),
  'cannot be sent': () => new Error('the wire is cut'),
  'is refused by a transport of the 1.x package': () => new StreamableHTTPError(500, 'down'),
  'ends the connection': (_, transport) => void queueMicrotask(() => transport.onclose()),
};

for (const [what, probe] of Object.entries(PROBES)) {
  test(`a connection whose server/discover ${what}`, async () => {
    const [, pinned] = await same((kit) => openings(kit, (message, transport) => (message.method === 'server/discover' ? probe(message, transport) : legacy(message))));
    assert.match(String(pinned.code), /ERA_NEGOTIATION_FAILED|-32022/);
  });
}

test('a discovery without a common revision says which there are', async () => {
  const result = { ...DISCOVERED, supportedVersions: ['2199-01-01'] };
  const play = (message) => (message.method === 'server/discover' ? { result } : legacy(message));
  // The official client initializes in `auto`, although the server said that it cannot.
  const theirs = (await openings(KITS[0], play)).slice(1);
  assert.deepEqual((await openings(KITS[1], play)).slice(1), theirs);
  assert.deepEqual(theirs[0], { kind: 'UnsupportedProtocolVersionError', code: -32022, data: { supported: ['2199-01-01'], requested: MODERN } });
});

test('clients that have no revision left to offer send nothing', () =>
  same(async (kit) => {
    const endings = [];
    for (const [options, prior] of [
      [{ supportedProtocolVersions: [MODERN] }],
      [{ ...AUTO, supportedProtocolVersions: [MODERN] }, { kind: 'legacy' }],
      [{}, { kind: 'modern', discover: { supportedVersions: ['2199-01-01'], capabilities: {} } }],
    ]) {
      const client = new kit.Client(self, options);
      const transport = new Played(legacy);
      endings.push(await ending(kit, client.connect(transport, { prior })), transport.sent.length);
    }
    return endings;
  }));

for (const [name, options] of Object.entries({ auto: AUTO, pin: PIN, legacy: {} })) {
  test(`HTTP statuses and bodies that are not answers: ${name}`, async () => {
    for (const [status, type, body] of [
      [400, 'text/plain', 'bad'],
      [404, 'text/plain', 'bad'],
      [500, 'text/plain', 'bad'],
      [503, 'text/plain', 'bad'],
      [200, 'text/html', '<p>'],
      // Our client has an error of its own for these in the legacy mode.
      ...(name === 'legacy' ? [] : [[401, 'text/plain', 'bad'], [403, 'text/plain', 'bad'], [200, 'application/json', '{"a']]),
    ]) {
      await same(async (kit) => {
        const client = new kit.Client(self, options);
        const outcome = event();
        const answer = (_, res) => res.writeHead(status, { 'content-type': type }).end(body);
        await web(answer, async (url) => outcome.happened(await ending(kit, client.connect(new kit.StreamableHTTPClientTransport(url)))));
        return [status, type, await soon(outcome.promise, 'end')];
      });
    }
  });
}

test('servers that cannot be reached fail the negotiation, with the code of the system below', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const url = new URL(`http://127.0.0.1:${server.address().port}/mcp`);
  await new Promise((resolve) => server.close(resolve));
  await same(async (kit) => {
    const codes = [];
    for (const options of [AUTO, PIN]) {
      const error = await new kit.Client(self, options).connect(new kit.StreamableHTTPClientTransport(url)).catch((thrown) => thrown);
      codes.push([error instanceof kit.SdkError, error.code, error.cause.cause.code]);
    }
    return codes;
  });
});

test('errors of a transport of the program stay what they are once a connection is open', () =>
  same(async (kit) => {
    const all = [];
    for (const fault of [new Error('Not connected'), new StreamableHTTPError(404, 'gone'), Object.assign(new Error('own'), { code: 'OWN' })]) {
      const client = new kit.Client(self);
      await client.connect(new Played((message) => (message.method === 'initialize' ? legacy(message) : fault)));
      const error = await client.ping().catch((thrown) => thrown);
      all.push([error === fault, error.message, error instanceof kit.SdkError]);
      await client.close();
    }
    return all;
  }));

async function modernClient(kit, play, options) {
  const client = new kit.Client(self, { ...AUTO, ...options });
  await client.connect(new Played((message) => (message.method === 'server/discover' ? { result: DISCOVERED } : play(message))));
  return client;
}

test('results that cannot be used have a code for each reason', () =>
  same(async (kit) => {
    const endings = [];
    for (const result of [
      { resultType: 'later', content: [] },
      { resultType: 3, content: [] },
      { resultType: 'input_required' },
      { resultType: 'input_required', inputRequests: { a: { method: 'tools/list' } } },
      { resultType: 'input_required', inputRequests: { a: 3 } },
      { resultType: 'complete', content: 3 },
    ]) {
      const client = await modernClient(kit, () => ({ result }));
      for (const ask of [() => client.callTool({ name: 'a' }), () => client.request({ method: 'tools/call', params: { name: 'a' } })]) {
        const { kind, code, data } = await ending(kit, ask());
        endings.push([kind, code, data.resultType?.length]);
      }
      await client.close();
    }
    return endings;
  }));

const QUESTION = {
  resultType: 'input_required',
  inputRequests: { a: { method: 'elicitation/create', params: { mode: 'form', message: 'q', requestedSchema: { type: 'object', properties: {} } } } },
  requestState: 'kept',
};

test('a server that does not stop asking is given up after the rounds there may be', async () => {
  const endings = await same(async (kit) => {
    const all = [];
    for (const maxRounds of [undefined, 2]) {
      let asked = 0;
      const options = { capabilities: { elicitation: { form: {} } }, ...(maxRounds && { inputRequired: { maxRounds } }) };
      const client = await modernClient(kit, () => (asked++, { result: QUESTION }), options);
      client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }));
      all.push(await ending(kit, client.callTool({ name: 'a' })), asked);
      await client.close();
    }
    return all;
  });
  assert.equal(endings[0].code, 'INPUT_REQUIRED_ROUNDS_EXCEEDED');
  assert.equal(endings[0].data.lastResult.requestState, 'kept');
});

test('a question that nobody here answers is named', () =>
  same(async (kit) => {
    const client = await modernClient(kit, () => ({ result: QUESTION }));
    const end = await ending(kit, client.callTool({ name: 'a' }));
    await client.close();
    return end;
  }));

test('a question that is given up before it is asked has the code of a timeout', () =>
  same(async (kit) => {
    const server = new kit.Server(self, { capabilities: { tools: {} } });
    const outcomes = [];
    server.setRequestHandler('tools/call', async (_, ctx) => {
      for (const reason of [undefined, 'enough', new RangeError('own')]) {
        const options = { signal: AbortSignal.abort(reason) };
        const asked = { messages: [], maxTokens: 1 };
        outcomes.push(await ending(kit, server.createMessage(asked, options)));
        outcomes.push(await ending(kit, server.listRoots({}, options)));
        outcomes.push(await ending(kit, ctx.mcpReq.requestSampling(asked, options)));
        outcomes.push(await ending(kit, ctx.mcpReq.send({ method: 'roots/list' }, options)));
      }
      return { content: [] };
    });
    const client = new kit.Client(self, { capabilities: { sampling: {}, roots: {} } });
    const [near, far] = kit.InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    await within(client.callTool({ name: 'any' }));
    await client.close();
    assert.deepEqual(outcomes[0], { kind: 'SdkError', code: 'REQUEST_TIMEOUT', data: {} });
    return outcomes;
  }));

test('sampling requests with results of tools that do not belong there', async () => {
  const result = { type: 'tool_result', toolUseId: 'a', content: [] };
  const use = { type: 'tool_use', id: 'b', name: 'n', input: {} };
  const words = await same(async (kit) => {
    const server = new kit.Server(self);
    const transport = new Played();
    await server.connect(transport);
    await transport.ask('initialize', { protocolVersion: '2025-11-25', capabilities: { sampling: { tools: {} } }, clientInfo: self });
    const all = [];
    for (const messages of [
      [{ role: 'user', content: [result, { type: 'text', text: 'x' }] }],
      [{ role: 'user', content: [result] }],
      [{ role: 'assistant', content: [use] }, { role: 'user', content: [result] }],
    ]) {
      const error = await server.createMessage({ messages, maxTokens: 1 }).catch((thrown) => thrown);
      all.push([error instanceof kit.ProtocolError, error.code, error.message]);
    }
    await server.close();
    return all;
  });
  assert.deepEqual(words.map(([, code]) => code), [-32602, -32602, -32602]);
});

test('schemas of unknown dialects are refused', () =>
  same(async (kit) => {
    const schema = { $schema: 'https://example.com/own', type: 'object' };
    const server = new kit.Server(self, { capabilities: { tools: {} } });
    const tool = { name: 'a', inputSchema: { type: 'object' }, outputSchema: schema };
    server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
    server.setRequestHandler('tools/call', () => ({ content: [], structuredContent: {} }));
    const [one, other] = kit.InMemoryTransport.createLinkedPair();
    await server.connect(one);
    const client = new kit.Client(self, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
    await client.connect(other);
    await client.listTools();
    const endings = [await ending(kit, client.callTool({ name: 'a' })), await ending(kit, server.elicitInput({ message: 'q', requestedSchema: schema }))];
    await client.close();
    assert.throws(() => new kit.AjvJsonSchemaValidator().getValidator(schema), Error);
    assert.throws(() => kit.fromJsonSchema(schema), Error);
    return endings;
  }));

test('a tool that returns nothing fails as one that throws', async () => {
  const results = await same(async (kit) => {
    const server = new kit.McpServer(self);
    server.registerTool('nothing', {}, () => undefined);
    server.registerTool('later', {}, async () => undefined);
    server.registerTool('null', { inputSchema: z.object({}) }, async () => null);
    const [one, other] = kit.InMemoryTransport.createLinkedPair();
    await server.connect(one);
    const client = new kit.Client(self);
    await client.connect(other);
    const all = [];
    for (const name of ['nothing', 'later', 'null']) all.push(await within(client.callTool({ name, arguments: {} })));
    await client.close();
    return all;
  });
  assert.deepEqual(results.map(({ isError }) => isError), [true, true, true]);
});

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': self,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/logLevel': 'error',
};

test('handlers are given _meta without what the protocol keeps there', async () => {
  const seen = await same(async (kit) => {
    const all = [];
    const handler = kit.createMcpHandler(() => {
      const server = new kit.McpServer(self, { capabilities: { prompts: {} } });
      server.registerTool('high', { inputSchema: z.object({}) }, (_, { mcpReq }) => {
        all.push(['tool', mcpReq._meta, mcpReq.envelope]);
        return { content: [] };
      });
      server.server.setRequestHandler('prompts/list', ({ params }, { mcpReq }) => {
        all.push(['handler', params, mcpReq._meta]);
        return { prompts: [] };
      });
      server.server.setRequestHandler('acme/own', { params: z.object({ a: z.number() }) }, (params, { mcpReq }) => {
        all.push(['own', params, mcpReq._meta]);
        return {};
      });
      server.server.fallbackRequestHandler = async ({ method, params }, { mcpReq }) => {
        all.push(['fallback', method, params, mcpReq._meta]);
        return {};
      };
      return server;
    });
    const ask = async (method, params, name) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(name && { 'mcp-name': name }) };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const response = await handler.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
      assert.equal(response.status, 200, await response.text());
    };
    for (const own of [{}, { 'acme/id': 1, progressToken: 3 }]) {
      const _meta = { ...ENVELOPE, ...own };
      await ask('tools/call', { name: 'high', arguments: {}, _meta }, 'high');
      await ask('prompts/list', { _meta });
      await ask('acme/own', { a: 1, _meta });
      await ask('acme/other', { b: 1, _meta });
    }
    return JSON.parse(JSON.stringify(all));
  });
  assert.deepEqual(seen[1], ['handler', {}, null]);
});

test('a validator of the program compiles when a tool is called, and a schema that it refuses fails that call alone', () =>
  same(async (kit) => {
    const compiled = [];
    const jsonSchemaValidator = {
      getValidator(schema) {
        compiled.push(schema.title);
        if (schema.title === 'bad') throw new Error('not this one');
        return (data) => ({ valid: true, data, errorMessage: undefined });
      },
    };
    const tool = (title) => ({ name: title, inputSchema: { type: 'object' }, outputSchema: { type: 'object', title } });
    const server = new kit.Server(self, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [tool('bad'), tool('good')] }));
    server.setRequestHandler('tools/call', () => ({ content: [], structuredContent: {} }));
    const [one, other] = kit.InMemoryTransport.createLinkedPair();
    await server.connect(one);
    const client = new kit.Client(self, { jsonSchemaValidator });
    await client.connect(other);
    await client.listTools();
    const before = compiled.length;
    const words = async (name) => client.callTool({ name }).then(() => 'fine', (error) => [error instanceof kit.ProtocolError, error.code, error.message]);
    const endings = [await words('good'), await words('bad'), before, compiled.includes('good')];
    await client.close();
    return endings;
  }));
