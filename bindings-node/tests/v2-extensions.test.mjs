// Extensions of a program's own in 2.x: rows of methods, hooks, what peers get that did not declare
// one; and the same extension in the other languages.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Client } from 'mcpbolt/v2/client';
import { extend as extendClient, serverExtension } from 'mcpbolt/v2/client/extension';
import { McpServer, ProtocolError } from 'mcpbolt/v2/server';
import { clientExtension, extend, extensionMethod, requireClientExtension } from 'mcpbolt/v2/server/extension';
import { z } from 'zod';

const ID = 'com.example/colours';
const MIX = 'com.example/mix';
const GUESS = 'com.example/guess';
const ERAS = { legacy: {}, modern: { mode: 'auto' } };
const EXAMPLE = fileURLToPath(new URL('../../examples/node/colours.mjs', import.meta.url));
const run = promisify(execFile);
// Commands of the same program in other languages.
const PEERS = JSON.parse(process.env.MCPBOLT_TEST_COLOURS ?? '[]');
const SAYS = 'depth 8: a purple sky, signed\n';

const params = z.object({ name: z.string().optional(), colours: z.array(z.string()).default([]) });
const mix = extensionMethod({ params, namedBy: 'name', answer: ({ colours }) => ({ mixed: colours }) });

function studio(seen = [], options = {}) {
  const server = new McpServer({ name: 'studio', version: '1' }, options);
  const watch = async (request, ctx, next) => {
    seen.push([request.method, clientExtension(ctx, ID)?.wants]);
    if (request.params?.name === 'forbidden') throw new ProtocolError(-9, 'not through here');
    return { ...(await next()), _meta: { 'com.example/signed': true } };
  };
  const guess = {
    params,
    undeclared: 'serve',
    answer: ({ colours }, ctx) => {
      if (colours[0] === 'secret') requireClientExtension(ctx, 'com.example/secrets');
      return { mixed: colours };
    },
  };
  extend(server, {
    id: ID,
    settings: { depth: 8 },
    methods: { [MIX]: mix, [GUESS]: guess },
    hooks: { 'tools/call': watch, 'tools/list': watch },
    offer: (offering) => {
      offering.registerTool('paint', { inputSchema: z.object({ colour: z.string() }) }, ({ colour }) => ({ content: [{ type: 'text', text: colour }] }));
      offering.registerTool('forbidden', {}, () => assert.fail('the hook lets nobody through'));
    },
  });
  return server;
}

async function connected(server, versionNegotiation, extension) {
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation });
  if (extension) extendClient(client, extension);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  return client;
}

const any = z.looseObject({});
const ask = (client, method, given = {}) => client.request({ method, params: given }, any);

for (const [era, versionNegotiation] of Object.entries(ERAS)) {
  test(`a row says who may send its method (${era})`, async () => {
    const declared = { id: ID, methods: { [MIX]: { namedBy: 'name' } } };
    const client = await connected(studio(), versionNegotiation, declared);
    assert.deepEqual(serverExtension(client, ID), { depth: 8 });
    assert.deepEqual((await ask(client, MIX, { colours: ['red'] })).mixed, ['red']);
    await client.close();

    const plain = await connected(studio(), versionNegotiation);
    const refused = await ask(plain, MIX).catch((error) => error);
    // The legacy era has no such code.
    assert.equal(refused.code, era === 'legacy' ? -32600 : -32021);
    assert.deepEqual(refused.data, { requiredCapabilities: { extensions: { [ID]: {} } } });
    assert.deepEqual((await ask(plain, GUESS, { colours: ['blue'] })).mixed, ['blue']);
    const secret = await ask(plain, GUESS, { colours: ['secret'] }).catch((error) => error);
    assert.deepEqual(secret.data, { requiredCapabilities: { extensions: { 'com.example/secrets': {} } } });
    await plain.close();
  });

  test(`hooks see requests and results of others (${era})`, async () => {
    const seen = [];
    const client = await connected(studio(seen), versionNegotiation, { id: ID, settings: { wants: 'oil' } });
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ['paint', 'forbidden']);
    const painted = await client.callTool({ name: 'paint', arguments: { colour: 'red' } });
    assert.deepEqual([painted.content[0].text, painted._meta['com.example/signed']], ['red', true]);
    const refused = await client.callTool({ name: 'forbidden' }).catch((error) => error);
    assert.deepEqual([refused.code, refused.message.includes('not through here')], [-9, true]);
    assert.deepEqual(seen, [['tools/list', 'oil'], ['tools/call', 'oil'], ['tools/call', 'oil']]);
    await client.close();
  });

  test(`a client sends what its hooks let through, to servers that have it (${era})`, async () => {
    const extension = {
      id: ID,
      methods: { [MIX]: { namedBy: 'name' }, [GUESS]: {} },
      requestHooks: {
        [MIX]: (given) => {
          if (!given.colours) throw new Error('say which colours');
          return { ...given, colours: [...given.colours, 'white'] };
        },
      },
      resultHooks: {
        [MIX]: ({ mixed }) => {
          if (mixed[0] === 'mud') throw new Error('nobody wants that');
        },
      },
    };
    const client = await connected(studio(), versionNegotiation, extension);
    assert.deepEqual((await ask(client, MIX, { colours: ['red'] })).mixed, ['red', 'white']);
    await assert.rejects(ask(client, MIX), /which colours/);
    await assert.rejects(ask(client, MIX, { colours: ['mud'] }), /nobody wants/);
    await client.close();
    const other = await connected(new McpServer({ name: 'plain', version: '1' }), versionNegotiation, extension);
    await assert.rejects(ask(other, GUESS), /did not declare/);
    await other.close();
  });
}

test('a result in the shape of an extension becomes the complete one', async () => {
  const server = new McpServer({ name: 'tickets', version: '1' });
  const redeem = { params: z.object({ ticket: z.string() }), answer: ({ ticket }) => ({ content: [{ type: 'text', text: ticket }] }) };
  const id = 'com.example/tickets';
  const sell = { 'tools/call': () => ({ resultType: 'ticket', ticket: 'A7' }) };
  extend(server, { id, methods: { 'com.example/redeem': redeem }, hooks: sell, offer: (mcp) => mcp.registerTool('show', {}, () => assert.fail()) });
  const results = { ticket: ({ ticket }, client) => ask(client, 'com.example/redeem', { ticket }) };
  const client = await connected(server, ERAS.modern, { id, methods: { 'com.example/redeem': {} }, results });
  assert.equal((await client.callTool({ name: 'show' })).content[0].text, 'A7');
  await client.close();
});

test('access rules and records know the methods', async () => {
  const [asked, records] = [[], []];
  const authorize = (asker, action) => {
    asked.push([action.verb, action.thing, action.name]);
    return action.name === GUESS ? 'hide' : 'allow';
  };
  const server = studio([], { authorize, audit: (record) => records.push([record.method, record.name]) });
  const client = await connected(server, ERAS.modern, { id: ID, methods: { [MIX]: { namedBy: 'name' }, [GUESS]: {} } });
  await ask(client, MIX, { name: 'sky' });
  const hidden = await ask(client, GUESS).catch((error) => error);
  assert.equal(hidden.code, -32601);
  assert.deepEqual(asked, [['call', 'method', MIX], ['call', 'method', GUESS]]);
  await client.close();
  await server.close();
  assert.deepEqual(records.filter(([method]) => method.startsWith('com.example/')), [[MIX, 'sky'], [GUESS, null]]);
});

test('what is wrong with an extension is said when it is added', async () => {
  const server = studio();
  assert.throws(() => extend(server, { id: ID }), /already/);
  assert.throws(() => extend(server, { id: 'com.example/other', methods: { [MIX]: mix } }), /already/);
  assert.throws(() => extend(server.server, { id: 'com.example/tools', offer: () => {} }), /McpServer/);
  const nameless = new McpServer({ name: 'x', version: '1' });
  extend(nameless, { id: 'colours' });
  await assert.rejects(connected(nameless, {}), /com\.example\/colours/);
});

test('the example visits itself, and those in other languages', async () => {
  const ours = [process.execPath, EXAMPLE];
  const visit = async (client, server) => (await run(client[0], [...client.slice(1), '--', ...server])).stdout;
  assert.equal(await visit(ours, ours), SAYS);
  for (const other of PEERS) {
    assert.equal(await visit(ours, other), SAYS, `on ${basename(other.at(-1))}`);
    assert.equal(await visit(other, ours), SAYS, `of ${basename(other.at(-1))}`);
  }
});
