// Tasks of 2026-07-28: servers of both faces whose tools become tasks, a client that waits for them or
// holds them, and a file that outlasts the process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { McpServer as McpServer1 } from 'mcpbolt/server/mcp.js';
import { Client, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { Task, TasksClient } from 'mcpbolt/v2/client/ext/tasks';
import { InMemoryTransport, McpServer } from 'mcpbolt/v2/server';
import { beginTask } from 'mcpbolt/v2/server/ext/tasks';
import { z } from 'zod';
import { about, event, soon } from './support/v2.mjs';

const program = fileURLToPath(new URL('./programs/tasks-server.mjs', import.meta.url));
const MISSING_CAPABILITY = -32021;
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const often = { engine: { 'tasks.poll_interval': 0.02 } };
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const said = ({ content }) => content[0].text;

/** A server whose tool waits until the test lets it go. */
function gates(Server = McpServer, options = often) {
  const mcp = new Server(about, options);
  const [free, running, aborted] = [event(), event(), event()];
  const wait = async (ctx) => {
    (ctx.signal ?? ctx.mcpReq.signal).addEventListener('abort', aborted.happened);
    running.happened();
    await free.promise;
    return text('done');
  };
  mcp.registerTool('gate', { task: 'optional' }, wait);
  mcp.registerTool('must', { task: 'required' }, () => text('a task'));
  return { mcp, go: free.happened, running: running.promise, aborted: aborted.promise };
}

async function connected(mcp, options = modern, prepare = (client) => new TasksClient(client)) {
  const client = new Client(about, options);
  const tasks = prepare(client);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  await client.connect(near);
  return { client, tasks };
}

for (const [face, Server] of [['2.x', McpServer], ['1.x', McpServer1]]) {
  test(`a call waits for its task, or holds it: ${face}`, async () => {
    const { mcp, go } = gates(Server);
    const { client, tasks } = await connected(mcp);
    let over = false;
    const call = client.callTool({ name: 'gate' }).then((result) => ((over = true), result));
    const started = await tasks.startTool({ name: 'gate' });
    assert.ok(started instanceof Task);
    assert.equal((await started.get()).status, 'working');
    assert.equal(over, false);
    go();
    assert.equal(said(await soon(call)), 'done');
    assert.equal(said(await soon(started.wait())), 'done');
    const state = await started.get();
    assert.equal(state.status, 'completed');
    assert.equal(said(state.result), 'done');
    await client.close();
  });

  test(`clients that did not declare tasks get the result or are refused: ${face}`, async () => {
    const { mcp, go } = gates(Server);
    go();
    const { client } = await connected(mcp, modern, () => undefined);
    assert.equal(said(await client.callTool({ name: 'gate' })), 'done');
    await assert.rejects(client.callTool({ name: 'must' }), { code: MISSING_CAPABILITY });
    await client.close();
  });
}

test('a task that is given up stops, and an unknown one is refused', async () => {
  const { mcp, running, aborted } = gates();
  const { client, tasks } = await connected(mcp);
  const started = await tasks.startTool({ name: 'gate' });
  const waiting = started.wait();
  // A task that is cancelled before its tool runs has nothing to stop.
  await soon(running, 'run');
  await started.cancel();
  await assert.rejects(soon(waiting));
  assert.equal((await started.get()).status, 'cancelled');
  await soon(aborted, 'abort');
  await assert.rejects(tasks.task('unknown').get(), { code: -32602 });
  await client.close();
});

test('what a task asks goes to the handlers, or is answered by hand', async () => {
  const mcp = new McpServer(about, often);
  const form = { type: 'object', properties: { name: { type: 'string' } } };
  mcp.registerTool('ask', { task: 'required', inputSchema: z.object({}) }, async (_, ctx) => {
    const one = await ctx.mcpReq.elicitInput({ message: 'Who?', requestedSchema: form });
    const two = await ctx.mcpReq.elicitInput({ message: 'Who else?', requestedSchema: form });
    return text(`${one.content.name} ${two.content.name}`);
  });
  const options = { ...modern, capabilities: { elicitation: { form: {} } } };
  const { client, tasks } = await connected(mcp, options);
  const asked = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: { name: `n${asked.length}` } };
  });
  assert.equal(said(await soon(client.callTool({ name: 'ask', arguments: {} }))), 'n1 n2');
  assert.deepEqual(asked, ['Who?', 'Who else?']);
  const started = await tasks.startTool({ name: 'ask', arguments: {} });
  const steps = await tasks.watch([started.id, 'unknown']);
  assert.deepEqual(steps.taskIds, [started.id]);
  const states = steps[Symbol.asyncIterator]();
  let state = await started.get();
  for (const name of ['ann', 'bob']) {
    while (state.inputRequests === undefined) state = (await soon(states.next())).value;
    const [key] = Object.keys(state.inputRequests);
    await started.update({ [key]: { action: 'accept', content: { name } } });
    state = (await soon(states.next())).value;
  }
  while (state.status !== 'completed') state = (await soon(states.next())).value;
  assert.equal(said(state.result), 'ann bob');
  steps.close();
  await client.close();
});

test('a tool makes a task of its call by itself', async () => {
  const mcp = new McpServer(about, often);
  const ids = [];
  mcp.registerTool('later', {}, async (ctx) => {
    ids.push(await beginTask(ctx), await beginTask(ctx));
    return text('from a task');
  });
  const { client, tasks } = await connected(mcp);
  const started = await tasks.startTool({ name: 'later' });
  assert.equal(said(await soon(started.wait())), 'from a task');
  assert.deepEqual(ids, [started.id, started.id]);
  await client.close();
});

test('what is wrong is refused where it is written', async () => {
  assert.throws(() => new McpServer(about).registerTool('x', { task: 'always' }, () => text('')), /'required', got always/);
  const { mcp } = gates();
  const { client } = await connected(mcp);
  assert.throws(() => new TasksClient(client), /before|first/);
  await client.close();
});

test('the file of a server that was closed is free for the next', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-tasks-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const stores = `file:${join(folder, 'tasks.redb')}`;
  const first = gates(McpServer, { ...often, stores });
  const before = await connected(first.mcp);
  first.go();
  const ended = await before.tasks.startTool({ name: 'gate' });
  assert.equal(said(await soon(ended.wait())), 'done');
  await before.client.close();
  await first.mcp.close();

  const second = gates(McpServer, { ...often, stores });
  const after = await connected(second.mcp);
  assert.equal(said(await soon(after.tasks.task(ended.id).wait())), 'done');
  await after.client.close();
  await second.mcp.close();
  // Until here the first server was not collected.
  assert.equal(first.mcp.isConnected(), false);
});

/** A server that keeps its tasks in a file; its address. */
async function serving(store) {
  const child = spawn(process.execPath, [program, store], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await soon(once(createInterface(child.stdout), 'line'));
  return { child, url: new URL(line) };
}

async function reaching(url) {
  const client = new Client(about, modern);
  const tasks = new TasksClient(client);
  await client.connect(new StreamableHTTPClientTransport(url));
  return { client, tasks };
}

test('a result outlasts a process that is killed', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-tasks-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const store = join(folder, 'tasks.redb');
  const first = await serving(store);
  const one = await reaching(first.url);
  const quick = await one.tasks.startTool({ name: 'quick' });
  const endless = await one.tasks.startTool({ name: 'endless' });
  assert.equal(said(await soon(quick.wait())), 'kept');
  const gone = once(first.child, 'exit');
  first.child.kill('SIGKILL');
  assert.deepEqual(await soon(gone), [null, 'SIGKILL']);
  await one.client.close();
  const second = await serving(store);
  t.after(() => second.child.kill());
  const two = await reaching(second.url);
  assert.equal(said(await soon(two.tasks.task(quick.id).wait())), 'kept');
  const lost = await two.tasks.task(endless.id).get();
  assert.equal(lost.status, 'failed');
  assert.match(lost.error.message, /restarted/);
  await two.client.close();
});
