// Spans of requests and their context in `_meta`, where a program has OpenTelemetry; nothing of it where it has not.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { context, diag, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server/index.js';
import { Protocol } from 'mcpbolt/shared/protocol.js';
import { CallToolRequestSchema, ListRootsRequestSchema } from 'mcpbolt/types.js';
import * as v2 from 'mcpbolt/v2/client';
import { toNodeHandler } from 'mcpbolt/v2/node';
import { createMcpHandler } from 'mcpbolt/v2/server';
import { z } from 'zod';
import { START_BOUND } from './support/bounds.mjs';
import { faulty, forget, points, span, spans, turnOn, within } from './support/telemetry.mjs';
import { about, connected, FACES, idOf, lowLevel, parentOf, traced } from './support/traced.mjs';
import { web } from './support/v2.mjs';

const { CLIENT, INTERNAL, SERVER } = SpanKind;
const SENT = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'vendor=1' };

before(turnOn);
beforeEach(forget);

for (const [face, kit] of Object.entries(FACES)) {
  describe(`the face of ${face}`, () => {
    const session = (body) => connected(traced(kit), new kit.Client(about), body);

    test('a call is one trace from the program through client and server into the function', async () => {
      await session((client) => within('program', () => client.callTool({ name: 'inside' })));
      const [program, sent, got, inside] = [
        span(INTERNAL, 'program'),
        span(CLIENT, 'tools/call inside'),
        span(SERVER, 'tools/call inside'),
        span(INTERNAL, 'inside'),
      ];
      assert.deepEqual([sent, got, inside].map(parentOf), [program, sent, got].map(idOf));
      assert.equal(new Set([program, sent, got, inside].map((one) => one.spanContext().traceId)).size, 1);
      const attributes = {
        'mcp.method.name': 'tools/call',
        'mcp.protocol.version': '2025-11-25',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'inside',
        'jsonrpc.request.id': '2',
      };
      for (const one of [sent, got]) {
        assert.deepEqual(one.attributes, attributes);
        assert.equal(one.status.code, SpanStatusCode.UNSET);
        assert.deepEqual(one.links, []);
      }
    });

    test('spans and durations say what failed', async () => {
      await session(async (client) => {
        assert.equal((await client.callTool({ name: 'sorry' })).isError, true);
        await assert.rejects(client.getPrompt({ name: 'refuse' }));
      });
      for (const kind of [CLIENT, SERVER]) {
        const [sorry, refuse] = [span(kind, 'tools/call sorry'), span(kind, 'prompts/get refuse')];
        assert.equal(sorry.attributes['error.type'], 'tool_error');
        assert.equal(sorry.attributes['rpc.response.status_code'], undefined);
        assert.equal(sorry.status.code, SpanStatusCode.ERROR);
        assert.equal(refuse.attributes['error.type'], '-32099');
        assert.equal(refuse.attributes['rpc.response.status_code'], '-32099');
        assert.equal(refuse.attributes['gen_ai.prompt.name'], 'refuse');
        assert.equal(refuse.attributes['gen_ai.operation.name'], undefined);
        assert.equal(refuse.status.code, SpanStatusCode.ERROR);
        assert.match(refuse.status.message, /not you$/);
      }
      for (const side of ['client', 'server']) {
        const found = await points(`mcp.${side}.operation.duration`);
        const failures = found.map(({ attributes }) => [attributes['error.type'], attributes['rpc.response.status_code']]);
        assert.deepEqual(failures, [['tool_error', undefined], ['-32099', '-32099']]);
      }
    });
  });
}

test('the revision without a handshake: context goes into _meta beside what it needs there', async () => {
  const serving = toNodeHandler(createMcpHandler(() => traced(FACES['2.x'])));
  // What brings a message is linked to; who sent it is the parent.
  await web((req, res) => within('http', () => serving(req, res)), async (url) => {
    const client = new v2.Client(about, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new v2.StreamableHTTPClientTransport(url));
    await client.callTool({ name: 'inside' });
    await client.close();
  });
  const [sent, got, inside] = [span(CLIENT, 'tools/call inside'), span(SERVER, 'tools/call inside'), span(INTERNAL, 'inside')];
  assert.deepEqual([got, inside].map(parentOf), [sent, got].map(idOf));
  for (const one of [sent, got]) assert.equal(one.attributes['mcp.protocol.version'], '2026-07-28');
  // The engine gives it out, after the request has left JavaScript.
  assert.match(sent.attributes['jsonrpc.request.id'], /^\d+$/);
  assert.equal(sent.attributes['jsonrpc.request.id'], got.attributes['jsonrpc.request.id']);
  const http = spans(INTERNAL, 'http').map(idOf);
  assert.deepEqual(got.links.map(({ context }) => http.includes(context.spanId)), [true]);
});

test('context that the caller gave is the parent, and stays as it is', async () => {
  const seen = [];
  const handler = ({ params }) => {
    seen.push(params._meta);
    return { content: [] };
  };
  await lowLevel(handler, async (client) => {
    await within('program', () => client.callTool({ name: 'given', _meta: { ...SENT, own: 1 } }));
    await client.callTool({ name: 'alone', _meta: { own: 1 } });
  });
  const { traceparent, ...rest } = seen[1];
  assert.deepEqual([seen[0], rest], [{ ...SENT, own: 1 }, { own: 1 }]);
  const alone = span(CLIENT, 'tools/call alone').spanContext();
  assert.equal(traceparent, `00-${alone.traceId}-${alone.spanId}-01`);
  for (const kind of [CLIENT, SERVER]) {
    const given = span(kind, 'tools/call given');
    assert.equal(parentOf(given), 'b7ad6b7169203331');
    assert.equal(given.parentSpanContext.isRemote, true);
    assert.equal(given.parentSpanContext.traceState.serialize(), 'vendor=1');
  }
  const program = span(INTERNAL, 'program');
  assert.deepEqual(span(CLIENT, 'tools/call given').links.map(({ context }) => context.spanId), [idOf(program)]);
});

test('baggage goes along where the program takes it', async () => {
  const seen = [];
  const handler = ({ params }) => {
    seen.push([params._meta.baggage, propagation.getActiveBaggage()?.getAllEntries()]);
    return { content: [] };
  };
  await lowLevel(handler, async (client) => {
    const baggage = propagation.createBaggage({ user: { value: 'ann' } });
    await context.with(propagation.setBaggage(context.active(), baggage), () => client.callTool({ name: 'carried' }));
    await client.callTool({ name: 'given', _meta: { ...SENT, baggage: 'user=ben' } });
  });
  assert.deepEqual(seen.map(([text, entries]) => [text, entries.map(([name, { value }]) => [name, value])]), [
    ['user=ann', [['user', 'ann']]],
    ['user=ben', [['user', 'ben']]],
  ]);
});

test('a part of the program that fails fails no call', async () => {
  const failures = [];
  diag.setLogger({ error: (...words) => failures.push(words), warn() {}, info() {}, debug() {}, verbose() {} });
  faulty.isBroken = true;
  try {
    await lowLevel(() => ({ content: [] }), async (client) => assert.deepEqual(await client.callTool({ name: 'a' }), { content: [] }));
  } finally {
    faulty.isBroken = false;
    diag.disable();
  }
  assert.deepEqual(new Set(failures.map(([, { message }]) => message)), new Set(['a processor is broken']));
});

test('malformed context names nobody: the active span is the parent', async () => {
  const wrong = [
    'nonsense',
    17,
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ];
  const later = '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more';
  const calls = [...wrong, later].map((traceparent, number) => ({ name: `n${number}`, _meta: { traceparent } }));
  await lowLevel(() => ({ content: [] }), async (client) => {
    for (const params of calls) await client.callTool(params);
  });
  const parents = calls.map(({ name }) => parentOf(span(SERVER, `tools/call ${name}`)));
  // In memory the active span is that of the client.
  const sent = calls.map(({ name }) => idOf(span(CLIENT, `tools/call ${name}`)));
  assert.deepEqual(parents, [...sent.slice(0, wrong.length), 'b7ad6b7169203331']);
});

test('what a handler throws by mistake is named by its class, without its words', async () => {
  class Leak extends Error {}
  const handler = () => {
    throw new Leak('a secret');
  };
  await lowLevel(handler, (client) => assert.rejects(client.callTool({ name: 'leak' }), { code: -32603 }));
  const { attributes, status, events } = span(SERVER, 'tools/call leak');
  assert.deepEqual([attributes['error.type'], attributes['rpc.response.status_code']], ['Leak', '-32603']);
  assert.deepEqual([status, events], [{ code: SpanStatusCode.ERROR }, []]);
});

test('a request that is not answered fails by the class of its error', async () => {
  const handler = (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ content: [] })));
  await lowLevel(handler, (client) => assert.rejects(client.callTool({ name: 'slow' }, undefined, { timeout: 1 }), { code: -32001 }));
  const { attributes, status } = span(CLIENT, 'tools/call slow');
  assert.deepEqual([attributes['error.type'], attributes['rpc.response.status_code']], ['RequestTimeoutError', undefined]);
  assert.equal(status.code, SpanStatusCode.ERROR);
});

test('questions of a server are in the trace of the call, and so is who answers them', async () => {
  const server = new Server(about, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, async () => {
    await server.listRoots();
    return { content: [] };
  });
  const client = new Client(about, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => within('answering', async () => ({ roots: [] })));
  await connected(server, client, () => client.callTool({ name: 'asks' }));
  const [call, asked, answered] = [span(SERVER, 'tools/call asks'), span(CLIENT, 'roots/list'), span(SERVER, 'roots/list')];
  assert.deepEqual([asked, answered, span(INTERNAL, 'answering')].map(parentOf), [call, asked, answered].map(idOf));
});

test('a peer of the program\'s own has spans as well', async () => {
  class Peer extends Protocol {
    assertCapabilityForMethod() {}
    assertNotificationCapability() {}
    assertRequestHandlerCapability() {}
    assertTaskCapability() {}
    assertTaskHandlerCapability() {}
  }
  const [one, other] = [new Peer(), new Peer()];
  other.setRequestHandler(CallToolRequestSchema, () => within('inside', async () => ({ content: [] })));
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([one.connect(here), other.connect(there)]);
  await one.request({ method: 'tools/call', params: { name: 'peer' } }, z.object({}));
  await one.close();
  const [sent, got] = [span(CLIENT, 'tools/call peer'), span(SERVER, 'tools/call peer')];
  assert.deepEqual([got, span(INTERNAL, 'inside')].map(parentOf), [sent, got].map(idOf));
});

test('what is recorded belongs to this package', async () => {
  await lowLevel(() => ({ content: [] }), (client) => client.callTool({ name: 'scope' }));
  assert.equal(span(SERVER, 'tools/call scope').instrumentationScope.name, 'mcpbolt');
  assert.equal(trace.getActiveSpan(), undefined);
});

/** A program without a provider, which has a server and a client call each other. */
const UNTRACED = (beginning) => `
  ${beginning}
  import { createRequire } from 'node:module';
  import { Client } from 'mcpbolt/client/index.js';
  import { InMemoryTransport } from 'mcpbolt/inMemory.js';
  import { McpServer } from 'mcpbolt/server/mcp.js';
  const seen = [];
  const server = new McpServer({ name: 'x', version: '1' });
  server.registerTool('look', {}, ({ _meta }) => { seen.push(_meta); return { content: [] }; });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await server.connect(one);
  const client = new Client({ name: 'c', version: '1' });
  await client.connect(other);
  await client.callTool({ name: 'look' });
  await client.close();
  const loaded = Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('@opentelemetry'));
  console.log(JSON.stringify([seen, loaded]));
`;

describe('a program that has not turned it on', () => {
  const run = promisify(execFile);
  const cwd = new URL('.', import.meta.url);
  const output = async (beginning) => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', UNTRACED(beginning)], { cwd, timeout: START_BOUND });
    return JSON.parse(stdout);
  };

  test('loads nothing of it, and its messages are as before', async () => {
    assert.deepEqual(await output(''), [[null], false]);
  });

  test('has the package loaded without a provider: nothing is sent either', async () => {
    assert.deepEqual(await output(`import { diag } from '@opentelemetry/api'; diag.setLogger(console);`), [[null], true]);
  });
});
