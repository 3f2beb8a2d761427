// `Protocol`, derived from by a program, beside the official one: the same on both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { ours, theirs } from './support/server-kits.mjs';
import { Peer, within } from './support/peer.mjs';

const Any = z.any();
const Ask = z.object({ method: z.literal('acme/ask'), params: z.object({ n: z.number() }).optional() });

/** A peer of a program's own. */
function make(kit, note, options) {
  class Own extends kit.Protocol {
    assertCapabilityForMethod(method) {
      note('may ask', method);
      if (method === 'acme/forbidden') throw new Error('not declared');
    }
    assertNotificationCapability(method) {
      note('may tell', method);
    }
    assertRequestHandlerCapability(method) {
      this.own?.push(method);
    }
    assertTaskCapability() {}
    assertTaskHandlerCapability() {}
  }
  const peer = new Own(options);
  peer.onerror = ({ message }) => note('error', message.replace(/\{.*/, ''));
  peer.onclose = () => note('closed');
  return peer;
}

async function run(kit, { options, program, script }) {
  const noted = [];
  const note = (...what) => noted.push(what);
  const own = make(kit, note, options);
  program?.(own, kit, note);
  const [far, near] = kit.InMemoryTransport.createLinkedPair();
  await own.connect(near);
  await far.start();
  const peer = new Peer(far);
  await script(peer, own, kit, note);
  await own.close();
  await turn();
  // The official one asks about a task as if that was to become one, too. (differs: tasks-as-tasks)
  for (const { method, params } of peer.frames) if (method?.startsWith('tasks/')) delete params?.task;
  return { frames: JSON.parse(JSON.stringify(peer.frames)), noted };
}

const failure = (promise, note) => within(promise.then((value) => note('fine', value), (error) => note(error.code, error.message, error.data)));

const CASES = {
  'requests, answers, errors': {
    program: (own) =>
      own.setRequestHandler(Ask, ({ params }, extra) => {
        if (params === undefined) throw Object.assign(new Error('no params'), { code: 77, data: [1] });
        return { n: params.n, id: extra.requestId, meta: extra._meta };
      }),
    script: async (peer) => {
      await peer.request('acme/ask', { n: 1 });
      await peer.request('acme/ask', { n: 'x' });
      await peer.request('acme/ask');
      await peer.request('acme/other');
      await peer.request('ping');
    },
  },
  'requests of its own': {
    script: async (peer, own, _kit, note) => {
      peer.answer = ({ method, params }) => (method === 'acme/refused' ? Object.assign(new Error('no'), { code: 5, data: 'why' }) : { params });
      await failure(own.request({ method: 'acme/a', params: { a: 1 } }, Any), note);
      await failure(own.request({ method: 'acme/refused' }, Any), note);
      await failure(own.request({ method: 'acme/wrong' }, z.object({ b: z.string() })), note);
      await failure(own.request({ method: 'acme/forbidden' }, Any), note);
    },
  },
  'requests step by step, and tasks of the other side': {
    script: async (peer, own, _kit, note) => {
      const then = '2026-01-01T00:00:00Z';
      const task = { taskId: 't', status: 'completed', createdAt: then, lastUpdatedAt: then, ttl: null, pollInterval: 1 };
      const answers = { 'acme/a': { a: 1 }, 'acme/task': { task }, 'tasks/get': task, 'tasks/result': { b: 2 }, 'tasks/list': { tasks: [task] }, 'tasks/cancel': { ...task, status: 'cancelled' } };
      peer.answer = ({ method }) => answers[method] ?? Object.assign(new Error('no'), { code: 5 });
      const steps = async (...asked) => {
        for await (const { type, error, ...step } of own.requestStream(...asked)) note(type, error?.code, JSON.parse(JSON.stringify(step)));
      };
      await steps({ method: 'acme/a' }, Any);
      await steps({ method: 'acme/refused' }, Any);
      await steps({ method: 'acme/task' }, Any, { task: { ttl: 5 } });
      await failure(own.getTask({ taskId: 't' }), note);
      await failure(own.getTaskResult({ taskId: 't' }, Any), note);
      await failure(own.listTasks(), note);
      await failure(own.cancelTask({ taskId: 't' }), note);
    },
  },
  'strict capabilities': {
    options: { enforceStrictCapabilities: true },
    script: (_peer, own, _kit, note) => failure(own.request({ method: 'acme/forbidden' }, Any), note),
  },
  'time, and progress that gives it back': {
    script: async (peer, own, _kit, note) => {
      await failure(own.request({ method: 'acme/a' }, Any, { timeout: 15 }), note);
      const token = 1;
      const onprogress = (progress) => note('progress', progress);
      const asked = failure(own.request({ method: 'acme/b', params: { _meta: { x: 1 } } }, Any, { timeout: 200, onprogress, resetTimeoutOnProgress: true }), note);
      await peer.notify('notifications/progress', { progressToken: token, progress: 1, total: 2 });
      await peer.notify('notifications/progress', { progressToken: token, progress: 2, total: 2, message: 'm' });
      await turn();
      await peer.send({ id: token, result: { done: true } });
      await asked;
      await peer.notify('notifications/progress', { progressToken: 99, progress: 1 });
      await turn();
    },
  },
  'the longest time in all': {
    script: async (peer, own, _kit, note) => {
      const onprogress = (progress) => note('progress', progress);
      const asked = own.request({ method: 'acme/a' }, Any, { timeout: 1000, onprogress, resetTimeoutOnProgress: true, maxTotalTimeout: 1 });
      const ended = asked.catch((error) => note(error.code, error.message, Object.keys(error.data)));
      const begun = Date.now();
      while (Date.now() - begun < 3) await turn();
      await peer.notify('notifications/progress', { progressToken: 0, progress: 1 });
      await within(ended);
    },
  },
  'giving up': {
    script: async (_peer, own, kit, note) => {
      const controller = new AbortController();
      const asked = failure(own.request({ method: 'acme/a' }, Any, { signal: controller.signal }), note);
      controller.abort('enough');
      await asked;
      await failure(own.request({ method: 'acme/b' }, Any, { signal: AbortSignal.abort(new kit.McpError(9, 'mine')) }), note);
    },
  },
  'cancelled by the other side': {
    program: (own, _kit, note) =>
      own.setRequestHandler(Ask, (_request, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(note('aborted', signal.reason))))),
    script: async (peer) => {
      peer.request('acme/ask', {}, { id: 'x' }).catch(() => undefined);
      await turn();
      await peer.notify('notifications/cancelled', { requestId: 'x', reason: 'enough' });
      await turn();
    },
  },
  'what is asked and told about a request': {
    program: (own) =>
      own.setRequestHandler(Ask, async (_request, extra) => {
        await extra.sendNotification({ method: 'acme/told', params: { a: 1 } });
        return extra.sendRequest({ method: 'acme/back' }, Any);
      }),
    script: async (peer) => {
      peer.answer = () => ({ back: true });
      await peer.request('acme/ask', { n: 1 });
    },
  },
  'notifications, one for several': {
    options: { debouncedNotificationMethods: ['acme/often'] },
    script: async (_peer, own) => {
      for (let times = 0; times < 3; times += 1) {
        own.notification({ method: 'acme/often' });
        own.notification({ method: 'acme/often', params: { times } });
        own.notification({ method: 'acme/each' });
      }
      await turn();
      await own.notification({ method: 'acme/often' });
      await turn();
    },
  },
  'notifications that come': {
    program: (own, _kit, note) => {
      own.setNotificationHandler(z.object({ method: z.literal('acme/a'), params: z.object({ a: z.number() }) }), ({ params }) => note('a', params));
      own.setNotificationHandler(z.object({ method: z.literal('acme/b') }), () => Promise.reject(new Error('async')));
      own.fallbackNotificationHandler = async ({ method }) => note('fallback', method);
      own.fallbackRequestHandler = async ({ method, id }) => ({ method, id });
    },
    script: async (peer, own) => {
      await peer.notify('acme/a', { a: 1 });
      await peer.notify('acme/a', { a: 'x' });
      await peer.notify('acme/b');
      await peer.notify('acme/c');
      await peer.request('acme/fallback');
      own.removeNotificationHandler('acme/a');
      await peer.notify('acme/a', { a: 2 });
      await turn();
    },
  },
  'what is no message': {
    script: async (peer) => {
      await peer.send({ id: 44, result: {} });
      await peer.send({ nonsense: 1 });
      await turn();
    },
  },
  'the end while something waits': {
    script: async (peer, own, _kit, note) => {
      const asked = failure(own.request({ method: 'acme/a' }, Any), note);
      await peer.close();
      await asked;
      await failure(own.request({ method: 'acme/a' }, Any), note);
      await failure(own.notification({ method: 'acme/a' }), note);
    },
  },
};

for (const [name, what] of Object.entries(CASES)) {
  test(name, async () => {
    const [their, our] = [await run(theirs, what), await run(ours, what)];
    // On one end of their pair `onclose` is called twice.
    const once = (noted) => noted.filter((row, at) => row[0] !== 'closed' || noted.findIndex((other) => other[0] === 'closed') === at);
    assert.deepEqual(our.frames, their.frames);
    assert.deepEqual(once(our.noted), once(their.noted));
  });
}

test('capabilities are merged one level deep', () => {
  const base = { tools: { listChanged: true }, logging: {}, experimental: { a: { b: 1 } } };
  const more = { tools: { x: 1 }, prompts: {}, experimental: { a: { c: 2 } }, logging: undefined };
  assert.deepEqual(ours.mergeCapabilities(base, more), theirs.mergeCapabilities(base, more));
});

test('connecting twice', async () => {
  for (const kit of [ours, theirs]) {
    const own = make(kit, () => undefined);
    const [, near] = kit.InMemoryTransport.createLinkedPair();
    await own.connect(near);
    await assert.rejects(own.connect(kit.InMemoryTransport.createLinkedPair()[0]), /^Error: Already connected to a transport/);
    await own.close();
    await own.connect(kit.InMemoryTransport.createLinkedPair()[0]);
    await own.close();
  }
});
