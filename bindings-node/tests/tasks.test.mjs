// Tasks of the official server, followed with our client; the stores beside the official ones.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as officialTasks from '@modelcontextprotocol/sdk/experimental/tasks';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Client } from 'mcpbolt/client';
import * as tasks from 'mcpbolt/experimental/tasks';
import { CallToolResultSchema } from 'mcpbolt/types.js';
import { z } from 'zod';

const capabilities = { tasks: { requests: { tools: { call: {} } }, list: {}, cancel: {} } };

/** An official server whose tools are tasks, and our client of it. */
async function connected(context) {
  const taskStore = new officialTasks.InMemoryTaskStore();
  const server = new McpServer({ name: 'slow', version: '1' }, { capabilities, taskStore });
  const handlers = (end) => ({
    async createTask({ text }, { taskStore: store, taskRequestedTtl }) {
      const task = await store.createTask({ ttl: taskRequestedTtl ?? 60_000, pollInterval: 10 });
      end(store, task.taskId, text);
      return { task };
    },
    getTask: (_, { taskStore: store, taskId }) => store.getTask(taskId),
    getTaskResult: (_, { taskStore: store, taskId }) => store.getTaskResult(taskId),
  });
  const said = (text) => ({ content: [{ type: 'text', text }] });
  const config = { inputSchema: { text: z.string() } };
  server.experimental.tasks.registerToolTask('later', config, handlers((store, id, text) => store.storeTaskResult(id, 'completed', said(text))));
  server.experimental.tasks.registerToolTask('never', config, handlers(() => undefined));
  server.experimental.tasks.registerToolTask('broken', config, handlers((store, id) => store.storeTaskResult(id, 'failed', { ...said('no'), isError: true })));
  const client = new Client({ name: 'patient', version: '1' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  context.after(async () => {
    await client.close();
    taskStore.cleanup();
  });
  return client;
}

test('a tool that is a task is called step by step', async (context) => {
  const client = await connected(context);
  await client.listTools();
  await assert.rejects(client.callTool({ name: 'later', arguments: { text: 'a' } }), /requires task-based execution/);
  const steps = await tasks.toArrayAsync(client.experimental.tasks.callToolStream({ name: 'later', arguments: { text: 'a' } }));
  assert.deepEqual(steps.map((step) => step.type), ['taskCreated', 'taskStatus', 'result']);
  assert.deepEqual(steps[2].result.content, [{ type: 'text', text: 'a' }]);
});

test('a task that fails ends with an error', async (context) => {
  const client = await connected(context);
  const stream = client.experimental.tasks.callToolStream({ name: 'broken', arguments: { text: 'a' } }, CallToolResultSchema, { task: { ttl: 5000 } });
  await assert.rejects(tasks.takeResult(stream), /Task [0-9a-f]{32} failed/);
});

test('tasks are listed, looked at and cancelled', async (context) => {
  const client = await connected(context);
  const { tasks: verbs } = client.experimental;
  const stream = verbs.callToolStream({ name: 'never', arguments: { text: 'a' } }, undefined, { task: {} });
  const { value } = await stream.next();
  assert.equal(value.type, 'taskCreated');
  const { taskId } = value.task;
  assert.deepEqual((await verbs.listTasks()).tasks.map((task) => task.taskId), [taskId]);
  assert.equal((await verbs.getTask(taskId)).status, 'working');
  assert.equal((await verbs.cancelTask(taskId)).status, 'cancelled');
  const rest = await tasks.toArrayAsync(stream);
  assert.equal(rest.at(-1).type, 'error');
  assert.match(rest.at(-1).error.message, /was cancelled/);
});

test('a request that is no task is one step', async (context) => {
  const client = await connected(context);
  const steps = await tasks.toArrayAsync(client.experimental.tasks.requestStream({ method: 'ping' }, z.object({})));
  assert.deepEqual(steps, [{ type: 'result', result: {} }]);
});

/** What a store says to the same calls; ids are numbered. */
async function told(store) {
  const seen = [];
  const ids = [];
  const plain = (value) => JSON.parse(JSON.stringify(value ?? null, (key, inner) => (/At$/.test(key) ? 'time' : ids.includes(inner) ? `id${ids.indexOf(inner)}` : inner)));
  const call = async (verb, ...args) => {
    try {
      const value = await store[verb](...args);
      if (value?.taskId && !ids.includes(value.taskId)) ids.push(value.taskId);
      seen.push([verb, plain(value)]);
    } catch (error) {
      seen.push([verb, ids.reduce((text, id, index) => text.replaceAll(id, `id${index}`), error.message)]);
    }
  };
  const request = { method: 'tools/call' };
  await call('createTask', {}, 1, request, 'mine');
  await call('createTask', { ttl: 60_000, pollInterval: 5 }, 2, request);
  for (const session of [undefined, 'mine', 'other']) {
    await call('getTask', ids[0], session);
    await call('listTasks', undefined, session);
  }
  await call('getTaskResult', ids[0]);
  await call('updateTaskStatus', ids[0], 'input_required', 'what?');
  await call('storeTaskResult', ids[0], 'completed', { content: [] }, 'other');
  await call('storeTaskResult', ids[0], 'completed', { content: [] });
  await call('storeTaskResult', ids[0], 'failed', {});
  await call('updateTaskStatus', ids[0], 'working');
  await call('updateTaskStatus', ids[1], 'cancelled');
  await call('getTaskResult', ids[0]);
  await call('getTask', 'nobody');
  for (let n = 0; n < 10; n++) await call('createTask', {}, n, request);
  await call('listTasks');
  await call('listTasks', ids[9]);
  await call('listTasks', 'nobody');
  await call('getAllTasks');
  store.cleanup();
  await call('listTasks');
  return seen;
}

test('the store answers as the official one', async () => {
  assert.deepEqual(await told(new tasks.InMemoryTaskStore()), await told(new officialTasks.InMemoryTaskStore()));
});

test('the queue is first in, first out, and says when it is full', async () => {
  for (const { InMemoryTaskMessageQueue } of [tasks, officialTasks]) {
    const queue = new InMemoryTaskMessageQueue();
    const message = (timestamp) => ({ type: 'notification', timestamp, message: { jsonrpc: '2.0', method: 'a' } });
    await queue.enqueue('t', message(1));
    await queue.enqueue('t', message(2), undefined, 2);
    await assert.rejects(queue.enqueue('t', message(3), undefined, 2), /overflow: queue size \(2\) exceeds maximum \(2\)/);
    assert.equal((await queue.dequeue('t')).timestamp, 1);
    assert.deepEqual((await queue.dequeueAll('t')).map((each) => each.timestamp), [2]);
    assert.equal(await queue.dequeue('t'), undefined);
  }
});

test('what the other side does not declare is refused in the official words', () => {
  const calls = [
    ['assertToolsCallTaskCapability', undefined, 'tools/call', 'Server'],
    ['assertToolsCallTaskCapability', { tools: {} }, 'tools/call', 'Server'],
    ['assertToolsCallTaskCapability', { tools: { call: {} } }, 'tools/call', 'Server'],
    ['assertClientRequestTaskCapability', {}, 'sampling/createMessage', 'Client'],
    ['assertClientRequestTaskCapability', {}, 'elicitation/create', 'Client'],
    ['assertClientRequestTaskCapability', {}, 'ping', 'Client'],
  ];
  const said = (from, [name, ...args]) => {
    try {
      return from[name](...args);
    } catch (error) {
      return error.message;
    }
  };
  for (const call of calls) assert.equal(said(tasks, call), said(officialTasks, call));
});
