// The 2.x face beside the official 2.x packages: the same server program and the same
// client program on both, every pairing, both eras, in memory and over HTTP.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import * as ourServer from 'mcpbolt/v2/server';
import * as ourClient from 'mcpbolt/v2/client';
import * as ourNode from 'mcpbolt/v2/node';
import * as theirServer from '@modelcontextprotocol/server';
import * as theirClient from '@modelcontextprotocol/client';
import * as theirNode from '@modelcontextprotocol/node';
import { z } from 'zod';

const servers = { ours: { ...ourServer, ...ourNode }, theirs: { ...theirServer, ...theirNode } };
const clients = { ours: ourClient, theirs: theirClient };

/** A server program of 2.x. */
function program({ McpServer, ResourceTemplate, inputRequired, acceptedContent, fromJsonSchema, ProtocolError, completable }) {
  const server = new McpServer(
    { name: 'peer', version: '1.0.0' },
    { capabilities: { logging: {}, prompts: {} }, instructions: 'be nice' },
  );
  const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
  server.registerTool('add', { title: 'Add', inputSchema: z.object({ a: z.number(), b: z.number().default(2) }) }, ({ a, b }) => text(a + b));
  const plain = fromJsonSchema({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] });
  server.registerTool('greet', { inputSchema: plain, annotations: { readOnlyHint: true } }, ({ name }, ctx) => text(`${name} ${ctx.mcpReq.method}`));
  server.registerTool('structured', { outputSchema: z.object({ n: z.number() }) }, () => ({ ...text('x'), structuredContent: { n: 1 } }));
  server.registerTool('wrong', { outputSchema: z.object({ n: z.number() }) }, () => ({ ...text('x'), structuredContent: { n: 'one' } }));
  server.registerTool('throws', {}, () => {
    throw new Error('broken');
  });
  server.registerTool('refuses', {}, () => {
    throw new ProtocolError(-32050, 'not today', { why: 'Sunday' });
  });
  server.registerTool('ask', {}, (ctx) => {
    const said = acceptedContent(ctx.mcpReq.inputResponses, 'sure');
    if (said !== undefined) return text(`${JSON.stringify(said)} ${ctx.mcpReq.requestState()}`);
    const question = inputRequired.elicit({ message: 'Sure?', requestedSchema: z.object({ ok: z.boolean().default(true) }) });
    return inputRequired({ inputRequests: { sure: question }, requestState: 'round 1' });
  });
  server.registerResource('fixed', 'test://fixed', { mimeType: 'text/plain' }, (uri) => ({ contents: [{ uri: uri.href, text: 'fixed' }] }));
  const template = new ResourceTemplate('test://{id}/item', { list: undefined, complete: { id: () => ['one', 'two'] } });
  server.registerResource('items', template, {}, (uri, { id }) => ({ contents: [{ uri: uri.href, text: String(id) }] }));
  const args = z.object({ name: completable(z.string(), (value) => [`${value}!`]) });
  server.registerPrompt('hello', { argsSchema: args }, ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: name } }] }));
  return server;
}

/** What an error is for a program. */
async function outcome(promise) {
  try {
    return await promise;
  } catch (error) {
    return { error: error.constructor.name, code: error.code, message: error.message, data: error.data };
  }
}

/** A client program of 2.x: everything it sees, in order. */
async function talk({ Client }, transport, mode) {
  const client = new Client(
    { name: 'caller', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', (request) => ({ action: 'accept', content: { ok: request.params.message === 'Sure?' } }));
  await client.connect(transport);
  const call = (name, args) => outcome(client.callTool({ name, ...(args && { arguments: args }) }));
  const seen = {
    era: client.getProtocolEra(),
    capabilities: client.getServerCapabilities(),
    version: client.getServerVersion(),
    instructions: client.getInstructions(),
    tools: (await client.listTools()).tools,
    add: await call('add', { a: 1 }),
    badArguments: await call('add', { a: 'x' }),
    greet: await call('greet', { name: 'you' }),
    structured: await call('structured'),
    wrong: await call('wrong'),
    throws: await call('throws'),
    refuses: await call('refuses'),
    ask: await call('ask'),
    unknown: await call('nothing'),
    resources: (await client.listResources()).resources,
    templates: (await client.listResourceTemplates()).resourceTemplates,
    fixed: (await client.readResource({ uri: 'test://fixed' })).contents,
    item: (await client.readResource({ uri: 'test://7/item' })).contents,
    missing: await outcome(client.readResource({ uri: 'test://none' })),
    prompts: (await client.listPrompts()).prompts,
    hello: (await client.getPrompt({ name: 'hello', arguments: { name: 'you' } })).messages,
    unknownPrompt: await outcome(client.getPrompt({ name: 'nothing' })),
    completed: (await client.complete({ ref: { type: 'ref/prompt', name: 'hello' }, argument: { name: 'name', value: 'a' } })).completion,
  };
  await client.close();
  return seen;
}

/** What may differ: `_meta` of results, and words that are the engine's own. (differs: result-meta) */
function comparable(seen) {
  const copy = JSON.parse(JSON.stringify(seen, (key, value) => (key === '_meta' || key === 'ttlMs' || key === 'cacheScope' ? undefined : value)));
  delete copy.wrong;
  // An unknown resource is -32002 on revisions that have that code, and -32602 after; the official package says -32602 everywhere.
  // (differs: unknown-resource-2)
  for (const name of ['missing']) delete copy[name].code;
  return copy;
}

async function inMemory(server, client, mode) {
  // Either package has a transport of its own; whose it is must not matter.
  const [one, other] = server.InMemoryTransport.createLinkedPair();
  const [served] = await Promise.all([program(server).connect(one), undefined]);
  void served;
  return talk(client, other, mode);
}

async function overHttp(server, client, mode) {
  const handler = server.createMcpHandler(() => program(server));
  const web = createServer(server.toNodeHandler(handler));
  await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
  try {
    const url = new URL(`http://127.0.0.1:${web.address().port}/mcp`);
    return await talk(client, new client.StreamableHTTPClientTransport(url), mode);
  } finally {
    await handler.close();
    web.closeAllConnections();
    web.close();
  }
}

for (const [way, run, mode] of [
  ['in memory, legacy', inMemory, 'legacy'],
  ['over HTTP, modern', overHttp, 'auto'],
]) {
  test(`every pairing of servers and clients shows a program the same, ${way}`, async () => {
    const expected = comparable(await run(servers.theirs, clients.theirs, mode));
    for (const [server, client] of [['ours', 'theirs'], ['theirs', 'ours'], ['ours', 'ours']]) {
      const seen = comparable(await run(servers[server], clients[client], mode));
      assert.deepEqual(seen, expected, `server: ${server}, client: ${client}`);
    }
  });
}

test('what a server answers over HTTP that is no answer is told apart as the official client does', async () => {
  const answers = {
    500: (res) => res.writeHead(500).end('oops'),
    404: (res) => res.writeHead(404).end(),
    400: (res) => res.writeHead(400, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"bad"}}'),
    html: (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    silence: () => undefined,
  };
  for (const [name, answer] of Object.entries(answers)) {
    const web = createServer((req, res) => req.resume().on('end', () => answer(res)));
    await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
    const url = new URL(`http://127.0.0.1:${web.address().port}/mcp`);
    const seen = [];
    for (const { Client, StreamableHTTPClientTransport } of [ourClient, theirClient]) {
      const client = new Client({ name: 'caller', version: '1.0.0' });
      const error = await client.connect(new StreamableHTTPClientTransport(url), { timeout: 300 }).catch((thrown) => thrown);
      seen.push([error.name, error.code, error.status, error.statusText]);
      await client.close().catch(() => undefined);
    }
    assert.deepEqual(seen[0], seen[1], name);
    web.closeAllConnections();
    web.close();
  }
});

test('arguments that a prompt refuses, and a stream that there is none of, are told as the official server does', async () => {
  const runs = [];
  for (const kit of [servers.theirs, servers.ours]) {
    const heard = [];
    const make = () => {
      const server = new kit.McpServer({ name: 's', version: '1' });
      server.registerPrompt('p', { argsSchema: z.object({ n: z.string() }) }, ({ n }) => ({ messages: [{ role: 'user', content: { type: 'text', text: n } }] }));
      return server;
    };
    const handler = kit.createMcpHandler(make, { onerror: ({ message }) => heard.push(message) });
    const client = new theirClient.Client({ name: 'caller', version: '1.0.0' });
    const fetch = (url, init) => handler.fetch(new Request(url, init));
    await client.connect(new theirClient.StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }));
    const { status } = await fetch('http://localhost/mcp', { headers: { accept: 'text/event-stream' } });
    const { code, message } = await client.getPrompt({ name: 'p', arguments: {} }).catch((error) => error);
    await client.close();
    await handler.close();
    runs.push([status, code, message, heard]);
  }
  assert.deepEqual(runs[1], runs[0]);
});
