// How long operations and sessions take, as histograms, where a program has OpenTelemetry.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { SpanKind } from '@opentelemetry/api';
import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { StreamableHTTPServerTransport } from 'mcpbolt/server/streamableHttp.js';
import * as v2 from 'mcpbolt/v2/client';
import { SkillsClient } from 'mcpbolt/v2/client/ext/skills';
import { extend as extendClient } from 'mcpbolt/v2/client/extension';
import { McpServer, Server } from 'mcpbolt/v2/server';
import { memorySkillFiles, SkillsExtension } from 'mcpbolt/v2/server/ext/skills';
import { extend } from 'mcpbolt/v2/server/extension';
import { z } from 'zod';
import { START_BOUND, within as bounded } from './support/bounds.mjs';
import { Program, stdioServer } from './support/process.mjs';
import { peer } from './support/start.mjs';
import { forget, points, span, spans, turnOn } from './support/telemetry.mjs';
import { about, connected, FACES, idOf, parentOf, traced } from './support/traced.mjs';
import { web } from './support/v2.mjs';

const { CLIENT, SERVER } = SpanKind;
const BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

before(turnOn);
beforeEach(forget);

for (const [name, kit] of Object.entries(FACES)) {
  test(`the face of ${name}: durations of operations and of sessions are histograms in seconds`, async () => {
    await connected(traced(kit), new kit.Client(about), async (client) => {
      await client.callTool({ name: 'inside' });
      await client.callTool({ name: 'inside' });
      await client.getPrompt({ name: 'greet' });
      await client.readResource({ uri: 'file:///readme' });
    });
    const revision = { 'mcp.protocol.version': '2025-11-25' };
    const expected = [
      [{ 'mcp.method.name': 'tools/call', ...revision, 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'inside' }, 2],
      [{ 'mcp.method.name': 'prompts/get', ...revision, 'gen_ai.prompt.name': 'greet' }, 1],
      [{ 'mcp.method.name': 'resources/read', ...revision }, 1],
    ];
    for (const side of ['client', 'server']) {
      const found = await points(`mcp.${side}.operation.duration`);
      assert.deepEqual(found.map(({ attributes, count }) => [attributes, count]), expected);
      const sessions = await points(`mcp.${side}.session.duration`);
      assert.deepEqual(sessions.map(({ attributes, count }) => [attributes, count]), [[revision, 1]]);
      for (const { descriptor, boundaries, sum } of [...found, ...sessions]) {
        assert.equal(descriptor.unit, 's');
        assert.deepEqual(boundaries, BOUNDARIES);
        assert.ok(sum > 0 && sum < 60, `${sum} s`);
      }
    }
    assert.equal(span(SERVER, 'resources/read').attributes['mcp.resource.uri'], 'file:///readme');
  });
}

/** Runs code with the URL of a server's endpoint: on the engine's own listener, and behind a web server of the program's. */
const ENDPOINTS = {
  async listen(server, options, body) {
    const listener = await server.listen({ port: 0, ...options });
    await body(new URL(listener.url));
    await listener.close();
  },
  async createHttpHandler(server, options, body) {
    const handler = createHttpHandler(server, options);
    await web(handler, body);
    await handler.close();
  },
};

for (const [name, serving] of Object.entries(ENDPOINTS)) {
  test(`${name}: handlers have spans, and sessions are measured where there are any`, async () => {
    for (const [sessions, measured] of [['stateful', [[{ 'mcp.protocol.version': '2025-11-25' }, 2]]], ['none', []]]) {
      await forget();
      await serving(traced(FACES['1.x']), { sessions }, async (url) => {
        for (const tool of ['inside', 'sorry']) {
          const client = new Client(about);
          const transport = new StreamableHTTPClientTransport(url);
          await client.connect(transport);
          await client.callTool({ name: tool });
          await transport.terminateSession();
          await client.close();
        }
        // The revision without sessions.
        const client = new Client(about, { protocol: '2026-07-28' });
        await client.connect(new StreamableHTTPClientTransport(url));
        await client.callTool({ name: 'inside' });
        await client.close();
      });
      assert.equal(parentOf(span(SERVER, 'tools/call sorry')), idOf(span(CLIENT, 'tools/call sorry')));
      const found = await points('mcp.server.session.duration');
      assert.deepEqual(found.map(({ attributes, count }) => [attributes, count]), measured, sessions);
      const all = (await points('mcp.client.session.duration')).reduce((sum, { count }) => sum + count, 0);
      assert.equal(all, 3);
    }
  });
}

test('the revision without sessions has none at a server', async () => {
  const client = new Client(about, { protocol: '2026-07-28' });
  await connected(traced(FACES['1.x']), client, () => client.callTool({ name: 'inside' }));
  assert.deepEqual(await points('mcp.server.session.duration'), []);
  assert.equal((await points('mcp.client.session.duration')).length, 1);
});

test('methods that the protocol does not have share one name', async () => {
  const server = new Server(about, {});
  const { params, result } = { params: z.object({}), result: z.object({}) };
  for (const method of ['own/one', 'constructor']) server.setRequestHandler(method, { params, result }, () => ({}));
  await connected(server, new v2.Client(about), async (client) => {
    await client.request({ method: 'own/one', params: { name: 'x' } }, result);
    await client.request({ method: 'constructor', params: { name: 'x' } }, result);
  });
  for (const side of ['client', 'server']) {
    const found = await points(`mcp.${side}.operation.duration`);
    assert.deepEqual(found.map(({ attributes, count }) => [attributes['mcp.method.name'], count]), [['_OTHER', 2]]);
  }
  assert.equal(spans(SERVER, '_OTHER').length, 2);
});

test('methods of extensions have their names on the side that declared them, and skills on both', async () => {
  const [id, MIX, MADE_UP] = ['com.example/colours', 'com.example/mix', 'com.example/made-up'];
  const anything = z.looseObject({});
  const skills = await SkillsExtension.load(memorySkillFiles({ 'tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies\n---\nGo.\n' }));
  const studio = () => {
    const server = new McpServer(about);
    skills.attach(server);
    extend(server, { id, methods: { [MIX]: { params: anything, undeclared: 'serve', answer: () => ({}) } } });
    server.server.fallbackRequestHandler = async () => ({});
    return server;
  };
  const visit = async (client) => {
    await client.request({ method: MIX, params: { name: 'sky' } }, anything);
    await client.request({ method: MADE_UP }, anything);
    await new SkillsClient(client).list();
  };
  const counted = async (side) => {
    const found = await points(`mcp.${side}.operation.duration`);
    return Object.fromEntries(found.map(({ attributes, count }) => [attributes['mcp.method.name'], count]));
  };
  const client = new v2.Client(about);
  extendClient(client, { id, methods: { [MIX]: {} } });
  await connected(studio(), client, visit);
  for (const kind of [CLIENT, SERVER]) for (const name of [MIX, '_OTHER', 'skills/list']) assert.equal(spans(kind, name).length, 1, name);
  for (const side of ['client', 'server']) assert.deepEqual(await counted(side), { [MIX]: 1, _OTHER: 1, 'skills/list': 1 });
  // A client without the extension makes the name up.
  await forget();
  await connected(studio(), new v2.Client(about), visit);
  assert.deepEqual(await counted('server'), { [MIX]: 1, _OTHER: 1, 'skills/list': 1 });
  assert.deepEqual(await counted('client'), { _OTHER: 2, 'skills/list': 1 });
});

test('a name that a client makes up becomes no series of its own', async () => {
  const server = new Server(about, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', ({ params }) => {
    throw new v2.ProtocolError(v2.ProtocolErrorCode.InvalidParams, `there is no ${params.name}`);
  });
  await connected(server, new v2.Client(about), async (client) => {
    for (const name of ['one', 'another']) await assert.rejects(client.callTool({ name }));
  });
  for (const side of ['client', 'server']) {
    const [{ attributes, count }, ...more] = await points(`mcp.${side}.operation.duration`);
    assert.deepEqual([attributes['error.type'], attributes['gen_ai.tool.name'], count, more], ['-32602', undefined, 2, []]);
  }
});

test('the session of a server on standard streams lasts as long as its input', async () => {
  const before = `const { points, turnOn } = await import('./support/telemetry.mjs'); turnOn();`;
  const after = `process.on('beforeExit', async () => {
    if (server.told) return;
    server.told = true;
    for (const { attributes, count } of await points('mcp.server.session.duration')) console.error(JSON.stringify([attributes, count]));
  });`;
  // What the engine answers by itself is part of a session, too.
  for (const call of [true, false]) {
    const program = new Program(stdioServer('return text(1)', { before, after }));
    await program.open();
    if (call) await program.call('a');
    program.child.stdin.end();
    assert.equal((await program.end(START_BOUND)).code, 0);
    const [attributes, count] = JSON.parse(program.errors);
    assert.equal(count, 1);
    // What was agreed is forgotten where input ends at once.
    if (call) assert.deepEqual(attributes, { 'mcp.protocol.version': '2025-11-25' });
  }
});

test('a session of a client that ended by an error says so', async () => {
  const client = new Client(about);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [peer('official-server.mjs')], stderr: 'ignore' }));
  const { closed } = client.session;
  await assert.rejects(client.callTool({ name: 'exit' }));
  await bounded(closed);
  const [{ attributes, count }] = await points('mcp.client.session.duration');
  assert.deepEqual([attributes, count], [{ 'mcp.protocol.version': '2025-11-25', 'error.type': 'ConnectionClosedError' }, 1]);
});

test('a session over HTTP lasts until the client closes it', async () => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 'one' });
  await traced(FACES['1.x']).connect(transport);
  await web((req, res) => transport.handleRequest(req, res), async (url) => {
    const client = new Client(about);
    await client.connect(new StreamableHTTPClientTransport(url));
    await client.callTool({ name: 'inside' });
    await client.close();
  });
  const [{ attributes, count }] = await points('mcp.server.session.duration');
  assert.deepEqual([attributes, count], [{ 'mcp.protocol.version': '2025-11-25' }, 1]);
  assert.equal(parentOf(span(SERVER, 'tools/call inside')), idOf(span(CLIENT, 'tools/call inside')));
});
