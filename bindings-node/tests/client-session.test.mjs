// What is beyond the official client: sessions that can be watched, hosts of many servers,
// a person in the loop.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client, ClientSession } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { Host } from 'mcpbolt/host.js';
import { askUnlessReadOnly, chooseModel, RejectedError, sampler } from 'mcpbolt/review.js';
import { McpError } from 'mcpbolt/types.js';
import { within } from './support/bounds.mjs';
import { CustomTransport } from './support/custom.mjs';
import { rawServer } from './support/raw-http.mjs';
import { officialHttp, peer } from './support/start.mjs';

const info = { name: 'session', version: '1.0.0' };
const program = (...args) => ({ command: process.execPath, args: [peer('official-server.mjs'), ...args] });
const stdio = (...args) => new StdioClientTransport({ ...program(...args), stderr: 'ignore' });

test('session_after_connect', async () => {
  const client = new Client(info);
  assert.equal(client.session, undefined);
  await client.connect(stdio());
  const { session } = client;
  assert.ok(session instanceof ClientSession);
  assert.equal(session.state, 'ready');
  assert.equal(session.client, client);
  assert.deepEqual([session.info.transport, session.info.era, session.info.protocolVersion], ['stdio', 'legacy', '2025-11-25']);
  assert.deepEqual([session.serverInfo.name, session.serverCapabilities.logging], ['official', {}]);
  assert.equal((await session.callTool({ name: 'echo', arguments: { text: 'hi' } })).content[0].text, 'hi');
  await assert.rejects(session.callTool({ name: 'fail' }));
  const { methods, bytesOut } = session.stats();
  assert.deepEqual(methods['tools/call'], { calls: 2, errors: 1 });
  assert.ok(bytesOut > 0);
  await session.close();
  assert.equal(await within(session.closed), undefined);
  await client.connect(stdio());
  assert.notEqual(client.session, session);
  assert.equal(session.state, 'closed');
  await assert.rejects(session.ping(), { message: 'Not connected' });
  await client.session.ping();
  await client.close();
});

test('the states of a session can be watched, and its end has a reason', async () => {
  const client = new Client(info);
  await client.connect(stdio());
  const { session } = client;
  const seen = [];
  const watching = (async () => {
    for await (const state of session.states()) seen.push(state);
  })();
  const heard = [];
  const stop = session.onStateChange((state) => heard.push(state));
  session.onStateChange(() => stop());
  await client.callTool({ name: 'exit' }).catch(() => undefined);
  const reason = await within(session.closed);
  await within(watching);
  assert.ok(reason instanceof McpError);
  assert.deepEqual([reason.kind, session.closeReason], ['closed', reason]);
  assert.deepEqual(seen, ['ready', 'closed']);
  assert.deepEqual(heard, ['closed']);
});

test('a host has the tools of all its servers in one list', async () => {
  const http = await officialHttp('--http', '--pages');
  const folder = mkdtempSync(join(tmpdir(), 'host-'));
  const file = join(folder, 'servers.json');
  const mcpServers = {
    first: program('--pages'),
    broken: { command: 'no-such-program' },
    second: { url: http.url.href, headers: { 'x-mine': 'yes' } },
    neither: {},
    off: { ...program(), disabled: true },
  };
  writeFileSync(file, JSON.stringify({ mcpServers }));
  const host = new Host(info, { capabilities: { roots: {} }, prepare: (client) => client.setRequestHandler('roots/list', () => ({ roots: [] })) });
  const failed = await host.addConfig(file);
  assert.deepEqual([...failed.keys()], ['broken', 'neither']);
  assert.equal(failed.get('broken').code, 'ENOENT');
  assert.deepEqual(host.servers(), ['first', 'second']);
  const names = host.tools().map(({ name }) => name);
  assert.ok(names.includes('first_echo') && names.includes('second_echo') && names.includes('second_last') && !names.includes('echo'));
  assert.equal(host.find('second_echo').server, 'second');
  assert.equal((await host.callTool('second_echo', { text: 'routed' })).content[0].text, 'routed');
  const { headers } = JSON.parse((await host.callTool('second_session').catch(() => host.session('second').callTool({ name: 'session' }))).content[0].text);
  assert.equal(headers['x-mine'], 'yes');
  await host.remove('first');
  assert.ok(host.tools().some(({ name }) => name === 'echo'));
  await assert.rejects(host.callTool('first_echo'), { kind: 'usage' });
  await host.close();
  assert.deepEqual(host.tools(), []);
  await assert.rejects(host.addConfig(join(folder, 'none.json')), { code: 'ENOENT' });
  await assert.rejects(host.addConfig({}), { kind: 'usage' });
});

test('a host follows list changes, and a server that goes takes its tools with it', async () => {
  let changed;
  const changes = [];
  const until = (ready) => within(new Promise((resolve) => (changed = () => ready() && resolve(), changed())), 'a change');
  const host = new Host(info, { onToolsChanged: (tools) => (changes.push(tools.length), changed?.()) });
  await host.add('one', new StdioClientTransport({ ...program(), stderr: 'ignore' }));
  const before = host.tools().length;
  await host.session('one').callTool({ name: 'grow' });
  await until(() => host.tools().length === before + 1);
  assert.equal(host.find('more0').server, 'one');
  await host.callTool('exit').catch(() => undefined);
  await until(() => host.tools().length === 0);
  await host.close();
});

/** A server that is started, and never answers. */
async function starting(host, name) {
  const transport = new StdioClientTransport({ command: process.execPath, args: ['-e', 'process.stdin.resume()'], stderr: 'ignore' });
  const adding = host.add(name, transport);
  adding.catch(() => undefined);
  while (!transport.pid) await new Promise(setImmediate);
  return { transport, adding };
}

for (const [how, end] of [['closed', (host) => host.close()], ['told to remove it', (host) => host.remove('slow')]]) {
  test(`a server that connects while its host is ${how} is let go`, async () => {
    const host = new Host(info);
    const { transport, adding } = await starting(host, 'slow');
    await within(end(host), 'the end');
    await assert.rejects(within(adding));
    assert.equal(transport.pid, null);
    assert.deepEqual([host.servers(), host.session('slow')], [[], undefined]);
  });
}

test('of two servers that are added under one name the first is let go, whichever is there first', async () => {
  const named = (name) => new CustomTransport({ 'tools/list': () => ({ tools: [{ name, inputSchema: { type: 'object' } }] }) });
  for (const isSlow of [true, false]) {
    const host = new Host(info);
    const [one, two] = [named('one'), named('two')];
    if (isSlow) one.answers.initialize = () => undefined;
    const adding = host.add('x', one);
    adding.catch(() => undefined);
    await within(host.add('x', two));
    await assert.rejects(within(adding));
    assert.deepEqual([one.closes > 0, two.closes], [true, 0]);
    assert.deepEqual([host.servers(), host.tools().map(({ name }) => name)], [['x'], ['two']]);
    await host.close();
    assert.equal(two.closes > 0, true);
  }
});

test('no server takes the place of another server\'s tool', async () => {
  const named = (server, ...tools) => new CustomTransport({
    'tools/list': () => ({ tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) }),
    'tools/call': () => ({ content: [{ type: 'text', text: server }] }),
  });
  const host = new Host(info);
  await host.add('new', named('new', 'git_status', 'status'));
  await host.add('git', named('git', 'status'));
  await host.add('svn', named('svn', 'status'));
  assert.deepEqual(host.tools().map(({ name }) => name), ['new_git_status', 'new_status', 'git_status', 'svn_status']);
  assert.equal((await host.callTool('git_status')).content[0].text, 'git');
  await host.close();
  await host.add('a', named('a', 'b_c', 'c'));
  await host.add('a_b', named('a_b', 'c', 'b_c'));
  assert.deepEqual(host.tools().map(({ name }) => name), ['a_c', 'a_b_b_c']);
  assert.equal(host.find('a_b_c'), undefined);
  await assert.rejects(host.callTool('a_b_c'), { kind: 'usage', message: /the servers a and a_b both have .* give one of these servers another/ });
  await host.close();
});

test('a server that never answers does not delay the others', async () => {
  const mute = await rawServer({ play: () => true });
  const host = new Host(info);
  const never = host.add('mute', new StreamableHTTPClientTransport(mute.url)).catch((error) => error.kind);
  await within(host.add('quick', new CustomTransport({ 'tools/list': () => ({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] }) })));
  assert.deepEqual(host.tools().map(({ name }) => name), ['a']);
  mute.stop();
  assert.ok(['transport', 'closed'].includes(await within(never)));
  assert.deepEqual(host.servers(), ['quick']);
  await host.close();
});

test('a host gives up on a list of tools that does not end', { timeout: 60_000 }, async () => {
  const host = new Host(info);
  let page = 0;
  const endless = new CustomTransport({ 'tools/list': () => ({ tools: [], nextCursor: `${++page}` }) });
  await assert.rejects(host.add('endless', endless), { kind: 'protocol' });
  const huge = Array.from({ length: 100_001 }, (_, at) => ({ name: `t${at}`, inputSchema: { type: 'object' } }));
  await assert.rejects(host.add('huge', new CustomTransport({ 'tools/list': () => ({ tools: huge }) })), { kind: 'protocol' });
  assert.deepEqual([host.servers(), host.tools()], [[], []]);
  await host.close();
});

test('a tool call that is denied sends no byte', async () => {
  const transport = new CustomTransport({ 'tools/list': () => ({ tools: [{ name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] }), 'tools/call': ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params) }] }) });
  const asked = [];
  const decisions = { rm: { deny: 'not that' }, edit: { edit: { path: 'b' } } };
  const reviewToolCall = askUnlessReadOnly((call) => (asked.push(call), decisions[call.tool] ?? 'allow'));
  const client = new Client(info, { reviewToolCall, trusted: true });
  await client.connect(transport);
  await client.listTools();
  const error = await client.callTool({ name: 'rm', arguments: { path: 'a' } }).catch((thrown) => thrown);
  assert.ok(error instanceof RejectedError);
  assert.deepEqual([error.kind, error.local, error.message], ['rejected', true, 'MCP error -1: not that']);
  const edited = await client.callTool({ name: 'edit', arguments: { path: 'a' } });
  assert.deepEqual(JSON.parse(edited.content[0].text), { name: 'edit', arguments: { path: 'b' } });
  await client.callTool({ name: 'read' });
  assert.deepEqual(asked.map(({ tool, arguments: args, trusted }) => [tool, args, trusted]), [['rm', { path: 'a' }, true], ['edit', { path: 'a' }, true]]);
  assert.deepEqual(transport.sent.filter(({ method }) => method === 'tools/call').map(({ params }) => params.name), ['edit', 'read']);
  await client.close();
});

test('a hint of a server that is not trusted is only a hint', async () => {
  const transport = new CustomTransport({ 'tools/list': () => ({ tools: [{ name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] }) });
  const client = new Client(info, { reviewToolCall: askUnlessReadOnly(() => ({ deny: 'asked' })) });
  await client.connect(transport);
  await client.listTools();
  await assert.rejects(client.callTool({ name: 'read' }), { kind: 'rejected' });
  await client.close();
});

const asked = { maxTokens: 100, systemPrompt: 'be brief', includeContext: 'thisServer', messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], modelPreferences: { hints: [{ name: 'son' }], intelligencePriority: 1 } };
const said = (text) => ({ role: 'assistant', model: 'm', content: { type: 'text', text } });

test('the five steps of sampling: asked, reviewed, chosen, made, reviewed', async () => {
  const steps = [];
  const answer = sampler({
    reviewRequest: (params) => (steps.push('request'), { allow: { ...params, maxTokens: 5000, includeContext: 'allServers', messages: [] } }),
    models: [{ name: 'opus', intelligence: 1 }, { name: 'sonnet', intelligence: 0.5 }],
    createMessage: (params, model) => (steps.push([model, params.maxTokens, params.includeContext, params.messages]), said('made')),
    reviewResult: (result) => (steps.push('result'), { allow: { ...result, content: { type: 'text', text: 'reviewed' } } }),
  });
  assert.equal((await answer({ params: asked })).content.text, 'reviewed');
  // What was asked may be reduced, never extended.
  assert.deepEqual(steps, ['request', ['sonnet', 100, 'thisServer', []], 'result']);
  for (const step of [{ reviewRequest: () => 'reject' }, { reviewResult: () => 'reject' }]) {
    const refusing = sampler({ createMessage: () => said('x'), ...step });
    await assert.rejects(refusing({ params: asked }), { code: -1, message: 'MCP error -1: User rejected sampling request' });
  }
  assert.equal(chooseModel({ costPriority: 1 }, [{ name: 'a', cheapness: 0.1 }, { name: 'b', cheapness: 0.9 }]).name, 'b');
  assert.equal(chooseModel(undefined, []), undefined);
});

test('a server asks the model no more than its budget', async () => {
  const limits = [];
  const answer = sampler({ createMessage: ({ maxTokens }) => (limits.push(maxTokens), said('x')), budget: { requestsPerMinute: 3, tokensPerSession: 120, maxTokens: 70 } });
  await answer({ params: asked });
  await answer({ params: asked });
  await assert.rejects(answer({ params: asked }), /all it may/);
  assert.deepEqual(limits, [70, 50]);
  const often = sampler({ createMessage: () => said('x'), budget: { requestsPerMinute: 1 } });
  await often({ params: asked });
  await assert.rejects(often({ params: asked }), /too often/);
});
