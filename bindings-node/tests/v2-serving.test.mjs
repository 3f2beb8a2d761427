// How servers of the 2.x face are reached: standard streams, endpoints, web frameworks,
// streams of changes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, SdkError, SdkErrorCode, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { StdioClientTransport } from 'mcpbolt/v2/client/stdio';
import { toNodeHandler } from 'mcpbolt/v2/node';
import {
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  acceptedContent,
  InMemoryTransport,
  isLegacyRequest,
  McpServer,
  PerRequestHTTPServerTransport,
  requireScopes,
} from 'mcpbolt/v2/server';
import * as official from '@modelcontextprotocol/client';
import { StdioClientTransport as OfficialStdio } from '@modelcontextprotocol/client/stdio';
import * as officialServer from '@modelcontextprotocol/server';
import { z } from 'zod';
import { about, event, small, soon, text, web } from './support/v2.mjs';

const child = fileURLToPath(new URL('./support/v2-stdio.mjs', import.meta.url));

for (const [mode, era] of [['legacy', 'legacy'], ['auto', 'modern']]) {
  for (const [who, { Client: AnyClient }, Stdio] of [['our', { Client }, StdioClientTransport], ['the official', official, OfficialStdio]]) {
    test(`a factory on standard streams knows the era that ${who} client opens with: ${era}`, async () => {
      const client = new AnyClient(about, { versionNegotiation: { mode } });
      await client.connect(new Stdio({ command: process.execPath, args: [child, '{}', 'ctx'], env: process.env }));
      assert.equal(client.getProtocolEra(), era);
      const { content } = await client.callTool({ name: 'era' });
      assert.equal(content[0].text, `${era} ${era === 'modern' ? 'wrapped' : 'bare'}`);
      await client.close();
    });
  }
}

test('a factory that asks for nothing is served by the engine alone', async () => {
  const client = new Client(about);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [child], env: process.env }));
  assert.equal((await client.callTool({ name: 'era' })).content[0].text, 'unasked bare');
  await client.close();
});

test('standard streams that refuse the legacy era say which revisions there are', async () => {
  const client = new official.Client(about, { versionNegotiation: { mode: 'legacy' } });
  const transport = new OfficialStdio({ command: process.execPath, args: [child, '{"legacy":"reject"}'], env: process.env });
  await assert.rejects(client.connect(transport), (error) => error.code === -32022 && error.data.supported.includes('2026-07-28'));
  await client.close();
});

test('listening clients are told what the handler publishes, and how it ends', async () => {
  const handler = createMcpHandler(() => {
    const server = small();
    server.registerResource('r', 'test://r', {}, (uri) => ({ contents: [{ uri: uri.href, text: '' }] }));
    server.server.registerCapabilities({ resources: { subscribe: true, listChanged: true } });
    return server;
  });
  await web(toNodeHandler(handler), async (url) => {
    for (const [who, AnyClient, Transport] of [
      ['ours', Client, StreamableHTTPClientTransport],
      ['official', official.Client, official.StreamableHTTPClientTransport],
    ]) {
      const client = new AnyClient(about, { versionNegotiation: { mode: 'auto' } });
      const changed = event();
      const updated = event();
      client.setNotificationHandler('notifications/tools/list_changed', () => changed.happened(true));
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated.happened(params.uri));
      await client.connect(new Transport(url));
      const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ['test://r'] });
      assert.deepEqual(subscription.honoredFilter, { toolsListChanged: true, resourceSubscriptions: ['test://r'] }, who);
      handler.notify.toolsChanged();
      handler.notify.resourceUpdated('test://other');
      handler.notify.resourceUpdated('test://r');
      assert.equal(await soon(changed.promise, 'change'), true, who);
      assert.equal(await soon(updated.promise, 'update'), 'test://r', who);
      await subscription.close();
      assert.equal(await soon(subscription.closed, 'end'), 'local', who);
      await client.close();
    }
  });
});

test('a handler that is closed ends those who listen, in good order', async () => {
  const handler = createMcpHandler(() => small());
  await web(toNodeHandler(handler), async (url) => {
    const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url));
    const subscription = await client.listen({ toolsListChanged: true });
    await handler.close();
    assert.equal(await soon(subscription.closed, 'end'), 'graceful');
    await assert.rejects(handler.fetch(new Request(url)), /closed/);
    await client.close();
  });
});

test('listening is refused on the legacy era, with what to do instead', async () => {
  const [one, other] = InMemoryTransport.createLinkedPair();
  await small().connect(one);
  const client = new Client(about);
  await client.connect(other);
  await assert.rejects(client.listen({}), (error) => error instanceof SdkError && error.code === SdkErrorCode.MethodNotSupportedByProtocolVersion);
  await client.close();
});

test('each request has a server of its own, with who sent it and the request', async () => {
  const contexts = [];
  const handler = createMcpHandler((context) => {
    contexts.push([context.era, context.authInfo?.clientId, new URL(context.requestInfo.url).pathname]);
    const server = small();
    server.registerTool('who', {}, (ctx) => text(`${ctx.http.authInfo.clientId} ${ctx.http.req.headers.get('x-own')}`));
    return server;
  });
  const adapted = toNodeHandler(handler);
  const signedIn = (req, res) => adapted(Object.assign(req, { auth: { token: 't', clientId: 'me', scopes: [] } }), res);
  await web(signedIn, async (url) => {
    for (const mode of ['legacy', 'auto']) {
      const client = new Client(about, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-own': mode } } }));
      assert.equal((await client.callTool({ name: 'who' })).content[0].text, `me ${mode}`);
      await client.close();
    }
  });
  assert.deepEqual(new Set(contexts.map(String)), new Set(['legacy,me,/mcp', 'modern,me,/mcp']));
});

/** Answers of both packages to the same requests. */
async function both(options, requests) {
  const handlers = [createMcpHandler(() => small(), options), officialServer.createMcpHandler(() => officialSmall(), options)];
  const answers = await Promise.all(
    handlers.map((handler) =>
      Promise.all(
        requests.map(async ([method, body, headers]) => {
          const init = { method, headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }, ...(body !== undefined && { body }) };
          const response = await handler.fetch(new Request('http://localhost/mcp', init));
          return [response.status, await response.text()];
        }),
      ),
    ),
  );
  return answers;
}

function officialSmall() {
  const server = new officialServer.McpServer({ name: 'small', version: '1.0.0' });
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, (args) => text(args.text));
  return server;
}

test('what an endpoint refuses, it refuses with the status and code of the official one', async () => {
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: about } });
  const future = { 'io.modelcontextprotocol/protocolVersion': '2199-01-01', 'io.modelcontextprotocol/clientCapabilities': {} };
  const requests = [
    ['POST', '{', {}],
    ['POST', initialize, { 'content-type': 'text/plain' }],
    ['POST', 'x'.repeat(2000), {}],
    ['GET', undefined, {}],
    ['DELETE', undefined, {}],
    ['POST', JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: future } }), { 'mcp-protocol-version': '2199-01-01' }],
    ['POST', initialize, {}],
    ...['[]', 'null', '5', '"x"', '{"a":1}', '{"jsonrpc":"1.0","id":1,"method":"ping"}', `[${initialize}]`, '[{"jsonrpc":"2.0","id":3,"method":"tools/list"}]'].map((body) => ['POST', body, {}]),
    ['POST', '{"jsonrpc":"2.0","id":1,"result":{}}', {}],
    ['POST', '{"jsonrpc":"2.0","method":"notifications/initialized"}', {}],
  ];
  const codeOf = (body) => {
    const json = body.startsWith('{') ? body : (/^data: (.*)$/m.exec(body)?.[1] ?? '{}');
    const { error, id } = JSON.parse(json);
    return [error?.code, id];
  };
  for (const options of [{ maxRequestBodySize: 1000 }, { maxRequestBodySize: 1000, legacy: 'reject' }]) {
    const [ours, theirs] = await both(options, requests);
    ours.forEach(([status, body], index) => {
      const [theirStatus, theirBody] = theirs[index];
      assert.deepEqual([status, codeOf(body)], [theirStatus, codeOf(theirBody)], `${JSON.stringify(options)} request ${index}: ${body} / ${theirBody}`);
    });
  }
});

test('whoever watches an endpoint is told which revision was wanted', async () => {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2199-01-01', 'io.modelcontextprotocol/clientCapabilities': {} };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: meta } });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2199-01-01' };
  const told = async ({ createMcpHandler: anyHandler, McpServer: AnyServer }) => {
    const errors = [];
    const handler = anyHandler(() => new AnyServer(about), { onerror: ({ name, code, message, data }) => errors.push({ name, code, message, data }) });
    assert.equal((await handler.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }))).status, 400);
    await handler.close();
    return errors;
  };
  const ours = await told({ createMcpHandler, McpServer });
  assert.deepEqual(ours, await told(officialServer));
  assert.equal(ours[0].data.requested, '2199-01-01');
});

test('requests of both eras are told apart without losing their body', async () => {
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const post = (body) => new Request('http://localhost/mcp', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const modern = post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } });
  assert.equal(await isLegacyRequest(modern), false);
  assert.equal((await modern.json()).id, 1);
  assert.equal(await isLegacyRequest(post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })), true);
});

test('a request without the scopes of its tool is answered with a challenge', async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'scoped', version: '1.0.0' });
    server.registerTool('danger', { scopeChallenge: requireScopes('danger') }, () => text('done'));
    return server;
  });
  const call = (scopes) =>
    handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'danger' } }),
      }),
      { authInfo: { token: 't', clientId: 'c', scopes } },
    );
  const refused = await call([]);
  assert.equal(refused.status, 403);
  assert.match(refused.headers.get('www-authenticate'), /error="insufficient_scope".*scope="danger"/);
  assert.match(await (await call(['danger'])).text(), /done/);
});

test('a state that is signed comes back to any server of the endpoint; a changed one does not', async () => {
  const codec = createRequestStateCodec({ key: 'k'.repeat(32) });
  const make = () => {
    const server = new McpServer({ name: 'stateful', version: '1.0.0' }, { requestState: { verify: codec.verify } });
    server.registerTool('ask', {}, async (ctx) => {
      const said = acceptedContent(ctx.mcpReq.inputResponses, 'q');
      if (said !== undefined) return text(JSON.stringify([said, ctx.mcpReq.requestState()]));
      const q = inputRequired.elicit({ message: '?', requestedSchema: { type: 'object', properties: {} } });
      return inputRequired({ inputRequests: { q }, requestState: await codec.mint({ round: 1 }, ctx) });
    });
    return server;
  };
  await web(toNodeHandler(createMcpHandler(make)), async (url) => {
    const client = new Client(about, { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { ok: true } }));
    await client.connect(new StreamableHTTPClientTransport(url));
    assert.equal((await client.callTool({ name: 'ask' })).content[0].text, '[{"ok":true},{"round":1}]');
    const asked = await client.callTool({ name: 'ask' }, { allowInputRequired: true });
    assert.equal(asked.resultType, 'input_required');
    const answer = { inputResponses: { q: { action: 'accept', content: {} } }, requestState: `${asked.requestState}x` };
    await assert.rejects(client.request({ method: 'tools/call', params: { name: 'ask', ...answer } }), (error) => error.code === -32602);
    await client.close();
  });
});

test('of many replays of one confirmation one runs, unless states are reusable', async () => {
  for (const reusable of [false, true]) {
    let ran = 0;
    // As programs do that make everything anew for each request.
    const make = () => {
      const codec = createRequestStateCodec({ key: 'k'.repeat(32), reusable });
      const server = new McpServer({ name: 'once', version: '1.0.0' }, { requestState: { verify: codec.verify } });
      server.registerTool('delete', {}, async (ctx) => {
        if (ctx.mcpReq.requestState() === undefined) return inputRequired({ requestState: await codec.mint('sure', ctx) });
        ran += 1;
        return text('deleted');
      });
      return server;
    };
    await web(toNodeHandler(createMcpHandler(make)), async (url) => {
      const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
      await client.connect(new StreamableHTTPClientTransport(url));
      const { requestState } = await client.callTool({ name: 'delete' }, { allowInputRequired: true });
      const confirm = () => client.request({ method: 'tools/call', params: { name: 'delete', requestState } });
      const said = await Promise.allSettled(Array.from({ length: 30 }, confirm));
      const refused = said.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
      assert.deepEqual([ran, refused.length], reusable ? [30, 0] : [1, 29]);
      for (const { code, message, data } of refused) {
        assert.equal(code, -32602);
        assert.match(message, /already used.*again without it/);
        assert.deepEqual(data, { reason: 'invalid_request_state' });
      }
      await client.close();
    });
  }
});

test('what a client did not declare is not asked', async () => {
  const make = () => {
    const server = new McpServer({ name: 'asking', version: '1.0.0' });
    server.registerTool('ask', {}, () => inputRequired({ inputRequests: { r: inputRequired.listRoots() } }));
    return server;
  };
  await web(toNodeHandler(createMcpHandler(make)), async (url) => {
    const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url));
    await assert.rejects(client.callTool({ name: 'ask' }), (error) => error.code === -32021 && 'roots' in error.data.requiredCapabilities);
    await client.close();
  });
});

test('asking in the middle of a call works where the call stays, and says what to do where it does not', async () => {
  const make = () => {
    const server = new McpServer({ name: 'asking', version: '1.0.0' });
    server.registerTool('ask', {}, async (ctx) => {
      const { action, content } = await ctx.mcpReq.elicitInput({ message: '?', requestedSchema: { type: 'object', properties: {} } });
      return text(`${action} ${JSON.stringify(content)}`);
    });
    return server;
  };
  const ask = async (mode, transport) => {
    const client = new Client(about, { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { ok: true } }));
    await client.connect(transport);
    const { content } = await client.callTool({ name: 'ask' });
    await client.close();
    return content[0].text;
  };
  for (const mode of ['legacy', 'auto']) {
    const [one, other] = InMemoryTransport.createLinkedPair();
    await make().connect(one);
    assert.equal(await ask(mode, other), 'accept {"ok":true}', mode);
  }
  await web(toNodeHandler(createMcpHandler(make)), async (url) => {
    assert.match(await ask('auto', new StreamableHTTPClientTransport(url)), /Return inputRequired/);
  });
});

test('log messages of a call reach the client that wants them', async () => {
  const make = () => {
    const server = new McpServer({ name: 'logging', version: '1.0.0' }, { capabilities: { logging: {} } });
    server.registerTool('log', {}, async (ctx) => {
      await ctx.mcpReq.log('debug', 'too little');
      await ctx.mcpReq.log('error', { wrong: true }, 'own');
      return text('done');
    });
    return server;
  };
  const seen = [];
  const [one, other] = InMemoryTransport.createLinkedPair();
  await make().connect(one);
  const client = new Client(about);
  client.setNotificationHandler('notifications/message', ({ params }) => void seen.push(params));
  await client.connect(other);
  await client.setLoggingLevel('warning');
  await client.callTool({ name: 'log' });
  assert.deepEqual(seen, [{ level: 'error', logger: 'own', data: { wrong: true } }]);
  await client.close();
});

test('a program that waits for an answer of its own endpoint lives until it is there', () => {
  const program = `
    import { createMcpHandler, McpServer } from 'mcpbolt/v2/server';
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: 'alone', version: '1.0.0' });
      server.registerTool('echo', {}, async () => ({ content: [] }));
      return server;
    });
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    const ask = (params, headers) => handler.fetch(new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', ...params } }),
    })).then((response) => response.text());
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };
    for (let count = 0; count < 50; count++) {
      await ask({ _meta: meta }, modern);
      await ask({}, { 'mcp-protocol-version': '2025-06-18' });
    }
    console.log('answered');`;
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
  assert.equal(said, 'answered\n');
});

test('Express, Hono and Fastify serve an endpoint, and refuse foreign hosts', async () => {
  const { createMcpExpressApp } = await import('mcpbolt/v2/express');
  const { createMcpHonoApp } = await import('mcpbolt/v2/hono');
  const { createMcpFastifyApp } = await import('mcpbolt/v2/fastify');
  const { getRequestListener } = await import('@hono/node-server');
  const handler = createMcpHandler(() => small());
  const node = toNodeHandler(handler);
  const express = createMcpExpressApp();
  express.all('/mcp', node);
  const hono = createMcpHonoApp();
  hono.all('/mcp', (c) => handler.fetch(c.req.raw, { parsedBody: c.get('parsedBody') }));
  const fastify = createMcpFastifyApp();
  fastify.all('/mcp', (request, reply) => {
    reply.hijack();
    return node(request.raw, reply.raw, request.body);
  });
  await fastify.ready();
  const apps = { express, hono: getRequestListener(hono.fetch), fastify: (req, res) => fastify.routing(req, res) };
  for (const [name, app] of Object.entries(apps)) {
    await web(app, async (url) => {
      for (const mode of ['legacy', 'auto']) {
        const client = new Client(about, { versionNegotiation: { mode } });
        await client.connect(new StreamableHTTPClientTransport(url));
        const { content } = await client.callTool({ name: 'echo', arguments: { text: name } });
        assert.equal(content[0].text, name, `${name} ${mode}`);
        await client.close();
      }
      const answer = event();
      httpRequest(url, { method: 'POST', headers: { host: 'evil.example', 'content-type': 'application/json' } }, answer.happened).end('{}');
      const { statusCode } = await soon(answer.promise, 'answer');
      assert.equal(statusCode, 403, name);
    });
  }
  await fastify.close();
});

test('a message can be answered without a session by a transport of its own', async () => {
  const transport = new PerRequestHTTPServerTransport({ classification: { era: 'modern', revision: '2026-07-28' } });
  await small().connect(transport);
  const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
  const response = await transport.handleMessage({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' }, _meta: meta } });
  const { id, result } = await response.json();
  assert.deepEqual([response.status, id, result.content[0].text], [200, 5, 'x']);
});

test('a tool lists the object that its arguments are read as, whatever is around it', async () => {
  const object = z.object({ a: z.string(), n: z.number().default(3) });
  const other = z.object({ b: z.string() });
  const schemas = {
    preprocess: z.preprocess((value) => value, object),
    twice: z.preprocess((value) => value, z.preprocess((value) => value, object)),
    transform: object.transform((value) => value),
    union: z.union([object, other]),
    discriminated: z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]),
    intersection: object.and(other),
    lazy: z.lazy(() => object),
    readonly: object.readonly(),
    default: object.default({ a: 'x', n: 1 }),
    record: z.record(z.string(), z.number()),
  };
  const listed = async ({ McpServer: AnyServer, InMemoryTransport: Pair }) => {
    const server = new AnyServer(about);
    for (const [name, inputSchema] of Object.entries(schemas)) {
      // What a transformation makes has no JSON Schema.
      server.registerTool(name, { inputSchema, ...(name !== 'transform' && { outputSchema: inputSchema }) }, (args) => text(JSON.stringify(args)));
    }
    const [one, other] = Pair.createLinkedPair();
    await server.connect(one);
    const client = new Client(about);
    await client.connect(other);
    const { tools } = await client.listTools();
    const { content } = await client.callTool({ name: 'preprocess', arguments: { a: 'x' } });
    await client.close();
    return [tools.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })), content];
  };
  const ours = await listed({ McpServer, InMemoryTransport });
  assert.deepEqual(ours, await listed(officialServer));
  assert.equal(ours[0][0].inputSchema.required[0], 'a');
});
