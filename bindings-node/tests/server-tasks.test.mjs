// Servers that keep tasks, beside the official one: the same frames.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { InMemoryTaskMessageQueue as TheirQueue, InMemoryTaskStore as TheirStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { McpServer as TheirMcp } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from 'mcpbolt/experimental/tasks';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';
import { ours, theirs } from './support/server-kits.mjs';
import { Peer } from './support/peer.mjs';

const KITS = [
  { ...theirs, Mcp: TheirMcp, Store: TheirStore, Queue: TheirQueue },
  { ...ours, Mcp: McpServer, Store: InMemoryTaskStore, Queue: InMemoryTaskMessageQueue },
];
const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } }, list: {}, cancel: {} } };
const ALL = { elicitation: { form: {} }, tasks: { requests: { elicitation: { create: {} } } } };
const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

/** Frames without what is different each time. */
function comparable(frames) {
  const names = new Map();
  const name = (id) => names.get(id) ?? names.set(id, `task ${names.size}`).get(id);
  const words = JSON.stringify(frames)
    .replace(/[0-9a-f]{32}/g, name)
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then');
  const ids = new Map();
  return JSON.parse(words).map((frame) => {
    if (frame.method === undefined || frame.id === undefined) return frame;
    if (!ids.has(frame.id)) ids.set(frame.id, `question ${ids.size}`);
    return { ...frame, id: ids.get(frame.id) };
  });
}

/** Until so much is noted. */
async function several(noted, count) {
  for (let turns = 0; noted.length < count; turns += 1) {
    assert.ok(turns < 100_000, `only ${noted}`);
    await turn();
  }
}

/** A program with a tool that makes tasks; `work` is what a task does. */
function program(kit, { work, queue = true, declared = capabilities, ...more }) {
  const taskStore = new kit.Store();
  const options = { capabilities: declared, taskStore, ...(queue ? { taskMessageQueue: new kit.Queue() } : {}), defaultTaskPollInterval: 5, ...more };
  const server = new kit.Server({ name: 'tasks', version: '1' }, options);
  const noted = [];
  server.onerror = (error) => noted.push(error.message);
  server.setRequestHandler(kit.CallToolRequestSchema, async (request, extra) => {
    if (request.params.task === undefined) return text([extra.taskId, extra.taskRequestedTtl, typeof extra.taskStore]);
    const task = await extra.taskStore.createTask({ ttl: extra.taskRequestedTtl ?? 60_000, pollInterval: 5 });
    const { taskStore: store } = extra;
    // Once the client knows of it: the official store goes on using the object it gave. (differs: stored-tasks)
    setImmediate(() => work?.({ task, extra, server, kit, store, noted }).catch((error) => noted.push(error.message)));
    return { task };
  });
  return { server, taskStore, noted };
}

async function run(kit, what) {
  const { server, taskStore, noted } = program(kit, what);
  const [far, near] = kit.InMemoryTransport.createLinkedPair();
  await server.connect(near);
  const peer = new Peer(far);
  await peer.open({ capabilities: ALL });
  const make = async (name = 'work', task = { ttl: 60_000 }) => (await peer.result('tools/call', { name, arguments: {}, task })).task.taskId;
  await what.script({ peer, make, noted });
  await peer.close();
  await server.close();
  taskStore.cleanup();
  const frames = comparable(peer.frames);
  // Which of two answers is first is a matter of luck.
  const order = (frame) => (typeof frame.id === 'number' ? frame.id : 0);
  return { frames: what.race ? frames.sort((a, b) => order(a) - order(b)) : frames, noted: comparable(noted) };
}

const CASES = {
  'a task that is done': {
    work: async ({ store, task }) => store.storeTaskResult(task.taskId, 'completed', text('done')),
    script: async ({ peer, make }) => {
      const taskId = await make();
      await peer.until(() => peer.frames.some(({ method }) => method === 'notifications/tasks/status'));
      await peer.result('tasks/get', { taskId });
      await peer.result('tasks/result', { taskId });
      await peer.result('tasks/list');
      await peer.request('tasks/cancel', { taskId });
    },
  },
  'a task that goes on until it is cancelled': {
    race: true,
    work: async ({ store, task }) => store.updateTaskStatus(task.taskId, 'working', 'half'),
    script: async ({ peer, make }) => {
      const taskId = await make();
      await peer.until(() => peer.frames.some(({ method }) => method === 'notifications/tasks/status'));
      const result = peer.request('tasks/result', { taskId });
      await peer.result('tasks/cancel', { taskId });
      await result;
      await peer.request('tasks/cancel', { taskId });
    },
  },
  'tasks that are not there, and requests that are none': {
    script: async ({ peer }) => {
      for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
        await peer.request(method, { taskId: 'nothing' });
        await peer.request(method, {});
      }
      await peer.request('tasks/list', { cursor: 'nonsense' });
      await peer.call('plain');
    },
  },
  'questions of a task wait for somebody who asks for its result': {
    work: async ({ store, task, extra, kit }) => {
      const params = { mode: 'form', message: 'who?', requestedSchema: FORM };
      const relatedTask = { taskId: task.taskId };
      const { content } = await extra.sendRequest({ method: 'elicitation/create', params }, kit.ElicitResultSchema, { relatedTask });
      await store.storeTaskResult(task.taskId, 'completed', text(content.name));
    },
    script: async ({ peer, make }) => {
      const taskId = await make();
      peer.answer = () => ({ action: 'accept', content: { name: 'Ann' } });
      await peer.until(() => peer.frames.some(({ params }) => params?.status === 'input_required'));
      assert.ok(!peer.frames.some(({ method }) => method === 'elicitation/create'));
      await peer.result('tasks/result', { taskId });
    },
  },
  'a question of a task that is cancelled': {
    work: async ({ task, server, noted }) => {
      const relatedTask = { taskId: task.taskId };
      noted.push('asking');
      await server.request({ method: 'acme/ask' }, z.any(), { relatedTask }).catch((error) => noted.push(error.message));
    },
    script: async ({ peer, make, noted }) => {
      const taskId = await make();
      await several(noted, 1);
      await peer.result('tasks/cancel', { taskId });
      await several(noted, 2);
    },
  },
  'no queue': {
    queue: false,
    work: ({ task, server }) => server.request({ method: 'acme/ask' }, z.any(), { relatedTask: { taskId: task.taskId } }),
    script: async ({ make, noted }) => {
      await make();
      await several(noted, 1);
    },
  },
  'tasks that were not declared': {
    declared: { tools: {}, tasks: { list: {} } },
    script: async ({ peer }) => {
      await peer.request('tools/call', { name: 'work', task: {} });
      await peer.call('plain');
    },
  },
  'states that may not be': {
    work: async ({ store, task, noted }) => {
      await store.storeTaskResult(task.taskId, 'failed', { ...text('no'), isError: true });
      await store.updateTaskStatus(task.taskId, 'working').catch((error) => noted.push(error.message));
      await store.updateTaskStatus('nothing', 'working').catch((error) => noted.push(error.message));
      await store.getTask('nothing').catch((error) => noted.push(error.message));
    },
    script: async ({ peer, make, noted }) => {
      const taskId = await make();
      await several(noted, 3);
      await peer.result('tasks/result', { taskId });
    },
  },
};

for (const [name, what] of Object.entries(CASES)) {
  test(name, async () => {
    const [their, our] = [await run(KITS[0], what), await run(KITS[1], what)];
    assert.deepEqual(our.frames, their.frames);
    assert.deepEqual(our.noted, their.noted);
  });
}

test('tools that are tasks, on the high-level server', async () => {
  const runs = [];
  for (const kit of KITS) {
    const taskStore = new kit.Store();
    const mcp = new kit.Mcp({ name: 'tasks', version: '1' }, { capabilities, taskStore, taskMessageQueue: new kit.Queue() });
    mcp.experimental.tasks.registerToolTask(
      'later',
      { inputSchema: { text: z.string() }, execution: { taskSupport: 'optional' } },
      {
        async createTask(args, { taskStore: store, taskRequestedTtl }) {
          const task = await store.createTask({ ttl: taskRequestedTtl, pollInterval: 5 });
          setImmediate(() => store.storeTaskResult(task.taskId, 'completed', text(args.text)));
          return { task };
        },
        getTask: (_, { taskId, taskStore: store }) => store.getTask(taskId),
        getTaskResult: (_, { taskId, taskStore: store }) => store.getTaskResult(taskId),
      },
    );
    const [far, near] = kit.InMemoryTransport.createLinkedPair();
    await mcp.connect(near);
    const peer = new Peer(far);
    await peer.open();
    await peer.result('tools/list');
    const params = { name: 'later', arguments: { text: 'hi' } };
    await peer.result('tools/call', params);
    const { task } = await peer.result('tools/call', { ...params, task: { ttl: 1000 } });
    await peer.result('tasks/result', { taskId: task.taskId });
    await mcp.close();
    taskStore.cleanup();
    runs.push(comparable(peer.frames));
  }
  assert.deepEqual(runs[1], runs[0]);
});

test('what a task asks outlives the call that made it', async () => {
  const runs = [];
  for (const kit of KITS) {
    const { server, taskStore } = program(kit, {});
    const answered = [];
    server.setRequestHandler(kit.CallToolRequestSchema, async (request, extra) => {
      const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 5 });
      // Begun before the call is answered, and not waited for.
      const asked = server.elicitInput({ message: 'who?', requestedSchema: FORM });
      void asked.then(({ content }) => answered.push(content.name), (error) => answered.push(error.message));
      return { task };
    });
    const [far, near] = kit.InMemoryTransport.createLinkedPair();
    await server.connect(near);
    const peer = new Peer(far);
    await peer.open({ capabilities: ALL });
    let say;
    peer.answer = () => new Promise((resolve) => (say = resolve));
    await peer.result('tools/call', { name: 'a', task: { ttl: 1000 } });
    await peer.result('ping');
    say({ action: 'accept', content: { name: 'Ann' } });
    await several(answered, 1);
    await server.close();
    taskStore.cleanup();
    runs.push([answered, comparable(peer.frames)]);
  }
  assert.deepEqual(runs[1], runs[0]);
});
