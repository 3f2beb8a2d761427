// Tools that become tasks (`task:`), for clients of 2025-11-25: the official 1.x client follows them in
// the form that they have there, on servers of both faces.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client as TheirClient } from '@modelcontextprotocol/sdk/client/index.js';
import { takeResult, toArrayAsync } from '@modelcontextprotocol/sdk/experimental/tasks';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { McpServer as McpServer1 } from 'mcpbolt/server/mcp.js';
import { ElicitResultSchema } from 'mcpbolt/types.js';
import { McpServer } from 'mcpbolt/v2/server';
import { about, event, soon, text } from './support/v2.mjs';

const FACES = { '2.x': McpServer, '1.x': McpServer1 };
const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const LASTS = { task: { ttl: 60_000 } };
const QUESTION = { message: 'Who?', requestedSchema: FORM };
const said = ({ content }) => content[0].text;

/** A server with a tool of each kind; `running` once its endless one is, `aborted` when that is stopped. */
function offering(Server) {
  const mcp = new Server(about, { engine: { 'tasks.poll_interval': 0.02 } });
  const [running, aborted] = [event(), event()];
  mcp.registerTool('maybe', { task: 'optional' }, () => text('done'));
  mcp.registerTool('must', { task: 'required' }, () => text('done'));
  mcp.registerTool('fail', { task: 'required' }, () => {
    throw new Error('the job failed');
  });
  mcp.registerTool('endless', { task: 'required' }, (ctx) => new Promise((_, reject) => {
    (ctx.signal ?? ctx.mcpReq.signal).addEventListener('abort', () => reject(aborted.happened()));
    running.happened();
  }));
  mcp.registerTool('ask', { task: 'required' }, async (ctx) => {
    const ask = ctx.mcpReq?.elicitInput ?? ((params) => ctx.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema));
    return text(`hello ${(await ask(QUESTION)).content.name}`);
  });
  return { mcp, running: running.promise, aborted: aborted.promise };
}

async function visiting(context, Server) {
  const { mcp, running, aborted } = offering(Server);
  const client = new TheirClient(about, { capabilities: { elicitation: { form: {} } } });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await mcp.connect(far);
  await client.connect(near);
  context.after(() => client.close());
  const { tasks } = client.experimental;
  const call = (name, options = LASTS) => tasks.callToolStream({ name, arguments: {} }, CallToolResultSchema, options);
  /** Starts a task; its id, and the steps that follow. */
  const start = async (name) => {
    const steps = call(name)[Symbol.asyncIterator]();
    const { value } = await soon(steps.next(), 'task');
    return { taskId: value.task.taskId, steps };
  };
  return { client, tasks, call, start, running, aborted };
}

for (const [face, Server] of Object.entries(FACES)) {
  test(`what is declared and listed says which calls may be tasks: ${face}`, async (context) => {
    const { client, call } = await visiting(context, Server);
    assert.deepEqual(client.getServerCapabilities().tasks, { cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name, execution }) => [name, execution?.taskSupport]), [
      ['maybe', 'optional'],
      ['must', 'required'],
      ['fail', 'required'],
      ['endless', 'required'],
      ['ask', 'required'],
    ]);
    const plain = (name) => client.request({ method: 'tools/call', params: { name, arguments: {} } }, CallToolResultSchema);
    assert.equal(said(await plain('maybe')), 'done');
    await assert.rejects(plain('must'), { code: -32601 });
    for (const name of ['maybe', 'must']) assert.equal(said(await soon(takeResult(call(name)))), 'done');
  });

  test(`a task is followed to its end, and its result is kept: ${face}`, async (context) => {
    const { tasks, call } = await visiting(context, Server);
    const steps = await soon(toArrayAsync(call('must')));
    const [first, last] = [steps[0], steps.at(-1)];
    assert.deepEqual([first.type, first.task.status, last.type, said(last.result)], ['taskCreated', 'working', 'result', 'done']);
    const { taskId } = first.task;
    const state = await tasks.getTask(taskId);
    assert.deepEqual([state.status, state.ttl], ['completed', LASTS.task.ttl]);
    const result = await tasks.getTaskResult(taskId, CallToolResultSchema);
    assert.deepEqual([said(result), result._meta['io.modelcontextprotocol/related-task']], ['done', { taskId }]);
    await assert.rejects(tasks.cancelTask(taskId), { code: -32602 });
    await assert.rejects(tasks.getTask('unknown'), { code: -32602 });
  });

  test(`a tool that fails has failed its task: ${face}`, async (context) => {
    const { tasks, start } = await visiting(context, Server);
    const { taskId, steps } = await start('fail');
    let last;
    for (let step = await soon(steps.next()); !step.done; step = await soon(steps.next())) last = step.value;
    assert.equal(last.type, 'error');
    assert.equal((await tasks.getTask(taskId)).status, 'failed');
    assert.equal((await tasks.getTaskResult(taskId, CallToolResultSchema)).isError, true);
  });

  test(`a task that is given up stops: ${face}`, async (context) => {
    const { tasks, start, running, aborted } = await visiting(context, Server);
    const { taskId } = await start('endless');
    // A task that is cancelled before its tool runs has nothing to stop.
    await soon(running, 'run');
    assert.equal((await tasks.cancelTask(taskId)).status, 'cancelled');
    await soon(aborted, 'abort');
    assert.equal((await tasks.getTask(taskId)).status, 'cancelled');
  });

  test(`what a task asks goes to the client that asks for its result: ${face}`, async (context) => {
    const { client, tasks, start } = await visiting(context, Server);
    const asked = [];
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push([params.message, params._meta['io.modelcontextprotocol/related-task']]);
      return { action: 'accept', content: { name: 'Ann' } };
    });
    const { taskId } = await start('ask');
    assert.equal(said(await soon(tasks.getTaskResult(taskId, CallToolResultSchema), 'result')), 'hello Ann');
    assert.deepEqual(asked, [['Who?', { taskId }]]);
  });
}
