// Tasks that run in a client, or in a peer of a program's own, beside the official ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Client as TheirClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTaskMessageQueue as TheirQueue, InMemoryTaskStore as TheirStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from 'mcpbolt/experimental/tasks';
import { z } from 'zod';
import { ours, theirs } from './support/server-kits.mjs';
import { Peer, within } from './support/peer.mjs';

const THEIRS = { ...theirs, Client: TheirClient, Store: TheirStore, Queue: TheirQueue };
const OURS = { ...ours, Client, Store: InMemoryTaskStore, Queue: InMemoryTaskMessageQueue };
const self = { name: 'tasks', version: '1' };
const REQUESTS = { sampling: { createMessage: {} }, elicitation: { create: {} } };
const ABLE = { sampling: {}, elicitation: {}, tasks: { list: {}, cancel: {}, requests: REQUESTS } };
const QUESTION = { method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } };
const PROMPT = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } };
const ANSWER = { action: 'accept', content: { name: 'x' } };

/** Values without what is different each time. */
function comparable(noted) {
  const names = new Map();
  const name = (id) => names.get(id) ?? names.set(id, `task ${names.size}`).get(id);
  return JSON.parse(JSON.stringify(noted).replace(/[0-9a-f]{32}/g, name).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'then'));
}

/** What came of it, in words that can be compared. */
async function outcome(promise) {
  try {
    return await within(promise);
  } catch ({ name, code, message }) {
    // The engine names the method that nobody answers.
    return { name: code === undefined ? name : 'McpError', code, message: message.replace(/(Method not found): .*/, '$1') };
  }
}

/** A client of one kit, asked by a server of another. */
async function asked(clients, servers, { capabilities = ABLE, keeps = true, strict = false, script }) {
  const noted = [];
  const told = [];
  const note = (...what) => noted.push(what);
  const taskStore = new clients.Store();
  const client = new clients.Client(self, { capabilities, ...(keeps && { taskStore }) });
  const late = async (extra, result) => {
    const task = await extra.taskStore.createTask({ ttl: extra.taskRequestedTtl, pollInterval: 5 });
    // Once the server knows of it: the official store goes on using the object it gave.
    setImmediate(() => extra.taskStore.storeTaskResult(task.taskId, 'completed', result));
    return { task };
  };
  client.setRequestHandler(clients.ElicitRequestSchema, ({ params }, extra) => {
    note('asked', typeof extra.taskStore, extra.taskRequestedTtl, extra.taskId);
    return params.task === undefined || !keeps ? ANSWER : late(extra, ANSWER);
  });
  client.setRequestHandler(clients.CreateMessageRequestSchema, ({ params }, extra) => {
    const said = { model: 'm', role: 'assistant', content: { type: 'text', text: 'x' } };
    return params.task === undefined || !keeps ? said : late(extra, said);
  });
  const server = new servers.Server(self, { capabilities: {}, enforceStrictCapabilities: strict });
  server.setNotificationHandler(servers.TaskStatusNotificationSchema, ({ params }) => told.push(params));
  const [far, near] = clients.InMemoryTransport.createLinkedPair();
  await Promise.all([client.connect(far), server.connect(near)]);
  await script({ server, kit: servers, note, ask: (request, schema, task) => outcome(server.request(request, schema, { task })) });
  await client.close();
  taskStore.cleanup();
  // Whether it is told before the answer is read is a matter of luck.
  return comparable([...noted, told]);
}

const CLIENTS = {
  'a question becomes a task': {
    script: async ({ server, kit, note, ask }) => {
      const created = await ask(QUESTION, kit.CreateTaskResultSchema, { ttl: 60_000 });
      const { taskId } = created.task;
      const { tasks } = server.experimental;
      note(created, await outcome(tasks.getTaskResult(taskId, kit.ElicitResultSchema)));
      note(await outcome(tasks.getTask(taskId)), await outcome(tasks.listTasks()), await outcome(tasks.cancelTask(taskId)));
      for (const about of [tasks.getTask('none'), tasks.getTaskResult('none', kit.ElicitResultSchema), tasks.cancelTask('none')]) note(await outcome(about));
    },
  },
  'a prompt becomes a task, or does not': {
    script: async ({ server, kit, note, ask }) => {
      const created = await ask(PROMPT, kit.CreateTaskResultSchema, {});
      note(created, await outcome(server.experimental.tasks.getTaskResult(created.task.taskId, kit.CreateMessageResultSchema)));
      note(await outcome(server.createMessage(PROMPT.params)));
    },
  },
  'a question is followed step by step': {
    script: async ({ server, note }) => {
      const steps = server.experimental.tasks.elicitInputStream({ mode: 'form', ...QUESTION.params }, { task: { ttl: 1000 } });
      for await (const { type, result } of steps) if (type !== 'taskStatus') note(type, result);
    },
  },
  'no tasks were declared': {
    capabilities: { sampling: {}, elicitation: {} },
    script: async ({ kit, note, ask }) => note(await ask(QUESTION, kit.CreateTaskResultSchema, {})),
  },
  'only tasks of prompts were declared': {
    capabilities: { ...ABLE, tasks: { requests: { sampling: { createMessage: {} } } } },
    script: async ({ kit, note, ask }) => note(await ask(QUESTION, kit.CreateTaskResultSchema, {})),
  },
  'a client that keeps none': {
    keeps: false,
    script: async ({ server, kit, note, ask }) => note(await ask(QUESTION, kit.CreateTaskResultSchema, {}), await outcome(server.experimental.tasks.getTask('x'))),
  },
};

for (const [name, what] of Object.entries(CLIENTS)) {
  test(`tasks of a client: ${name}`, async () => {
    const official = await asked(THEIRS, THEIRS, what);
    assert.ok(official.length > 0);
    assert.deepEqual(await asked(OURS, OURS, what), official);
    assert.deepEqual(await asked(OURS, THEIRS, what), official);
    assert.deepEqual(await asked(THEIRS, OURS, what), official);
  });
}

test('a client that minds capabilities asks for no task that the server does not make', async () => {
  for (const capabilities of [{ tools: {} }, { tools: {}, tasks: { requests: {} } }, { tools: {}, tasks: { requests: { tools: { call: {} } } } }]) {
    const outcomes = [];
    for (const kit of [THEIRS, OURS]) {
      const server = new kit.Server(self, { capabilities });
      server.setRequestHandler(kit.CallToolRequestSchema, () => ({ content: [] }));
      const client = new kit.Client(self, { enforceStrictCapabilities: true });
      const [far, near] = kit.InMemoryTransport.createLinkedPair();
      await Promise.all([client.connect(far), server.connect(near)]);
      outcomes.push(await outcome(client.request({ method: 'tools/call', params: { name: 'x' } }, z.any(), { task: {} })));
      await client.close();
    }
    assert.deepEqual(outcomes[1], outcomes[0]);
  }
});

/** A peer of a program's own that keeps tasks, and the other end of its pair. */
async function own(kit, note) {
  class Own extends kit.Protocol {
    assertCapabilityForMethod() {}
    assertNotificationCapability() {}
    assertRequestHandlerCapability() {}
    assertTaskCapability() {}
    assertTaskHandlerCapability(method) {
      if (method === 'acme/never') throw new Error('never a task');
    }
  }
  const [taskStore, taskMessageQueue] = [new kit.Store(), new kit.Queue()];
  const peer = new Own({ taskStore, taskMessageQueue, maxTaskQueueSize: 2 });
  peer.onerror = ({ message }) => note('error', message);
  peer.listed = () => taskMessageQueue.dequeueAll('t').then((all) => all.map(({ type, message: { method } }) => [type, method]));
  const [far, near] = kit.InMemoryTransport.createLinkedPair();
  await peer.connect(near);
  await far.start();
  return { peer, far: new Peer(far), done: () => taskStore.cleanup() };
}

const ask = (name) => z.object({ method: z.literal(name), params: z.any() });

const PEERS = {
  'answers as tasks, and what is asked about them': async ({ peer, far, note }) => {
    peer.setRequestHandler(ask('acme/work'), async ({ params }, extra) => {
      note(typeof extra.taskStore, extra.taskRequestedTtl, extra.taskId);
      const task = await extra.taskStore.createTask({ ttl: 5000, pollInterval: 5 });
      setImmediate(() => extra.taskStore.storeTaskResult(task.taskId, 'completed', { n: params.n }));
      return { task };
    });
    peer.setRequestHandler(ask('acme/never'), () => note('called'));
    const { task } = await far.result('acme/work', { n: 1, task: { ttl: 7 } });
    await far.until(() => far.frames.some(({ method }) => method === 'notifications/tasks/status'));
    for (const [method, params] of [['tasks/get', task], ['tasks/result', task], ['tasks/cancel', task], ['tasks/list', {}], ['tasks/get', {}]]) {
      const { taskId } = params;
      note(method, (await far.request(method, { taskId })).error?.code ?? 'answered');
    }
    note((await far.request('acme/never', { task: {} })).error);
  },
  'what is about a task waits with it': async ({ peer, note }) => {
    await peer.notification({ method: 'acme/told', params: { a: 1 } }, { relatedTask: { taskId: 't' } });
    const answer = outcome(peer.request({ method: 'acme/asked' }, z.any(), { relatedTask: { taskId: 't' }, timeout: 20 }));
    note(await outcome(peer.notification({ method: 'acme/told' }, { relatedTask: { taskId: 't' } })));
    await turn();
    note(await peer.listed(), await answer);
  },
  'progress of a task goes on after the answer': async ({ peer, far, note }) => {
    far.answer = () => ({ task: { taskId: 't' } });
    note(await outcome(peer.request({ method: 'acme/work' }, z.any(), { task: {}, onprogress: (progress) => note(progress) })));
    for (const status of ['working', 'input_required']) {
      await far.notify('notifications/tasks/status', { taskId: 't', status });
      await far.notify('notifications/progress', { progressToken: 0, progress: 1 });
      await turn();
    }
  },
};

for (const [name, script] of Object.entries(PEERS)) {
  test(`tasks of a peer of a program's own: ${name}`, async () => {
    const results = [];
    for (const kit of [THEIRS, OURS]) {
      const noted = [];
      const note = (...what) => noted.push(what);
      const parts = await own(kit, note);
      await script({ ...parts, note });
      await parts.peer.close();
      parts.done();
      results.push(comparable(noted));
    }
    assert.ok(results[0].length > 0);
    assert.deepEqual(results[1], results[0]);
  });
}

test('who was told on asking that a task is over hears of no more progress', async () => {
  const heard = [];
  const { peer, far, done } = await own(OURS, () => undefined);
  const over = { taskId: 't', status: 'completed', ttl: null };
  far.answer = ({ method }) => (method === 'tasks/get' ? over : { task: { taskId: 't' } });
  const move = async (progress) => {
    await far.notify('notifications/progress', { progressToken: 0, progress });
    await turn();
  };
  await peer.request({ method: 'acme/work' }, z.any(), { task: {}, onprogress: ({ progress }) => heard.push(progress) });
  await move(1);
  await peer.request({ method: 'tasks/get', params: { taskId: 't' } }, z.any());
  await move(2);
  assert.deepEqual(heard, [1]);
  await peer.close();
  done();
});
