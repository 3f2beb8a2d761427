// The low-level server beside the official one: the same program on both, the same frames.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z as zod4 } from 'zod';
import { z as zod3 } from 'zod3';
import { ours, theirs } from './support/server-kits.mjs';
import { Peer, within } from './support/peer.mjs';

const ALL = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };
const FORM = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** Numbers of the server's requests by order: each package counts its own way. */
function comparable(frames) {
  const names = new Map();
  const nameOf = (id) => names.get(JSON.stringify(id)) ?? id;
  return frames.map((frame) => {
    const copy = JSON.parse(JSON.stringify(frame));
    if (copy.method !== undefined && copy.id !== undefined) {
      names.set(JSON.stringify(copy.id), `request ${names.size}`);
      copy.id = nameOf(copy.id);
    }
    const meta = copy.params?._meta;
    if (meta?.progressToken !== undefined) meta.progressToken = nameOf(meta.progressToken);
    if (copy.method === 'notifications/cancelled') copy.params = { requestId: nameOf(copy.params.requestId) };
    return copy;
  });
}

/** Runs a program on one package; what was sent and what the program noted. */
async function run(kit, { options, capabilities, revision, program, script }) {
  const noted = [];
  const note = (...what) => noted.push(what);
  const server = new kit.Server({ name: 'diff', version: '1' }, options ?? { capabilities: { tools: {}, logging: {} } });
  server.onerror = (error) => note('error', error.message);
  await program?.(server, kit, note);
  const [far, near] = kit.InMemoryTransport.createLinkedPair();
  await server.connect(near);
  const peer = new Peer(far);
  await peer.open({ capabilities: capabilities ?? ALL, revision });
  await script(peer, server, kit, note);
  await peer.close();
  await within(server.close(), 'closing');
  return { frames: comparable(peer.frames), noted };
}

const CASES = [];
const differential = (name, what) => CASES.push([name, what]);
const sorted = (value) => JSON.stringify(value, (_, part) => (part?.constructor === Object ? Object.fromEntries(Object.entries(part).sort()) : part));
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const tool = (handler) => (server, kit, note) =>
  server.setRequestHandler(kit.CallToolRequestSchema, (request, extra) => handler(request, extra, server, kit, note));

differential('introduction', {
  options: { capabilities: { tools: { listChanged: true }, experimental: { a: { b: 1 } } }, instructions: 'be kind' },
  script: (peer) => peer.result('ping'),
});
for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '1999-01-01']) {
  differential(`a client of ${revision}`, { revision, script: (peer) => peer.result('ping') });
}
differential('tools are listed and called', {
  program: (server, kit) => {
    server.setRequestHandler(kit.ListToolsRequestSchema, () => ({ tools: [{ name: 'a', inputSchema: { type: 'object', b: 1, a: 2 } }] }));
    server.setRequestHandler(kit.CallToolRequestSchema, async ({ params }) => text(params.arguments.x));
  },
  script: async (peer) => {
    await peer.result('tools/list', {});
    await peer.result('tools/list');
    await peer.call('a', { x: 'ä\n\u2028🦀' });
  },
});
differential('what a handler throws', {
  program: tool(({ params }, _extra, _server, kit) => {
    const values = {
      error: () => new Error('plain'),
      mcp: () => new kit.McpError(-32602, 'wrong', { a: [1, null] }),
      own: () => new kit.McpError(1234, 'own code'),
      coded: () => Object.assign(new Error('coded'), { code: -32042, data: 'more' }),
      text: () => Object.assign(new Error('node'), { code: 'ENOENT' }),
      half: () => Object.assign(new Error('half'), { code: 1.5 }),
      object: () => ({ code: 7, message: 'no error at all' }),
      empty: () => ({}),
      url: () => new kit.UrlElicitationRequiredError([{ mode: 'url', message: 'm', elicitationId: 'e', url: 'https://a.example/' }]),
    };
    if (params.arguments.late) return Promise.reject(values[params.name]());
    throw values[params.name]();
  }),
  script: async (peer) => {
    for (const name of ['error', 'mcp', 'own', 'coded', 'text', 'half', 'object', 'empty', 'url']) {
      await peer.call(name, {});
      await peer.call(name, { late: true });
    }
  },
});
differential('requests that do not fit their schema', {
  program: tool(() => text('never')),
  script: async (peer) => {
    await peer.request('tools/call', {});
    await peer.request('tools/call', { name: 5 });
    await peer.request('tools/call', { name: 'a', arguments: 'text' });
    await peer.request('tools/call');
  },
});
differential('results that are none', {
  program: tool(({ params }) => ({ none: undefined, wrong: { content: 'x' }, empty: {}, more: { content: [], extra: 1, isError: true, structuredContent: { a: 1 } } })[params.name]),
  script: async (peer) => {
    for (const name of ['none', 'wrong', 'empty', 'more']) await peer.call(name);
  },
});
differential('methods of the program, by zod 3, zod 4 and a fallback', {
  program: (server, _kit, note) => {
    const answer = (from) => (request) => {
      note(from, request);
      return { from };
    };
    server.setRequestHandler(zod4.object({ method: zod4.literal('acme/four'), params: zod4.object({ n: zod4.number().default(4) }) }), answer('four'));
    server.setRequestHandler(zod3.object({ method: zod3.literal('acme/three'), params: zod3.object({ n: zod3.string() }) }), answer('three'));
    server.fallbackRequestHandler = async (request) => answer('fallback')(request);
  },
  script: async (peer) => {
    await peer.result('acme/four', {});
    await peer.request('acme/three', { n: 'x' });
    await peer.result('acme/five', { a: 1 });
    await peer.result('prompts/other', {});
  },
});
differential('handlers that are taken away, replaced, patched', {
  program: (server, kit) => {
    server.removeRequestHandler('ping');
    server.setRequestHandler(kit.ListToolsRequestSchema, () => ({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] }));
    const inner = server._requestHandlers.get('tools/list');
    server._requestHandlers.set('tools/list', async (request, extra) => ({ ...(await inner(request, extra)), id: request.id }));
  },
  script: async (peer, server) => {
    assert.equal((await peer.request('ping')).error.code, -32601);
    await peer.result('tools/list', {}, { id: 'x' });
    server._requestHandlers.set('ping', () => ({ patched: true }));
    await peer.result('ping');
  },
});
differential('what a handler is given', {
  program: tool(async (request, extra, _server, _kit, note) => {
    note(request);
    note(Object.keys({ ...extra }).filter((name) => extra[name] !== undefined).sort());
    note(extra.requestId, extra._meta, extra.authInfo, extra.sessionId, extra.requestInfo, extra.signal.aborted);
    return text('ok');
  }),
  script: async (peer) => {
    const params = { name: 'a', arguments: { b: 1 }, _meta: { progressToken: 't', own: { x: 1 } } };
    await peer.request('tools/call', params, { id: 'id', authInfo: { token: 'secret', clientId: 'c', scopes: ['s'] } });
  },
});
differential('notifications about a request come before its answer', {
  program: tool(async (_request, extra) => {
    await extra.sendNotification({ method: 'notifications/progress', params: { progressToken: 5, progress: 1, total: 2, message: 'm' } });
    await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: { a: 1 }, logger: 'l' } });
    await extra.sendNotification({ method: 'notifications/acme', params: { a: 1 } });
    return text('ok');
  }),
  script: (peer) => peer.request('tools/call', { name: 'a', _meta: { progressToken: 5 } }),
});
differential('log messages by level', {
  program: tool(async (_request, _extra, server) => {
    for (const level of ['debug', 'warning', 'emergency']) await server.sendLoggingMessage({ level, data: level });
    return text('ok');
  }),
  script: async (peer) => {
    await peer.call('a');
    await peer.result('logging/setLevel', { level: 'warning' });
    await peer.call('a');
  },
});
differential('questions to the client', {
  capabilities: { ...ALL, sampling: { tools: {} } },
  program: tool(async ({ params }, extra, server, kit) => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }];
    const ask = {
      form: () => server.elicitInput({ message: 'who?', requestedSchema: FORM }),
      url: () => server.elicitInput({ mode: 'url', message: 'go', elicitationId: 'e', url: 'https://a.example/' }),
      sample: () => server.createMessage({ messages, maxTokens: 10 }),
      tools: () => server.createMessage({ messages, maxTokens: 10, tools: [{ name: 't', inputSchema: { type: 'object' } }] }),
      roots: () => server.listRoots(),
      extra: () => extra.sendRequest({ method: 'roots/list' }, kit.ListRootsResultSchema),
      ping: () => server.ping(),
      raw: () => server.request({ method: 'acme/ask', params: { a: 1 } }, zod4.object({ b: zod4.number() })),
    };
    return text(sorted(await ask[params.name]()));
  }),
  script: async (peer) => {
    const model = { role: 'assistant', model: 'm', content: { type: 'text', text: 'hello' } };
    const answers = {
      'elicitation/create': { action: 'accept', content: { name: 'Ann' } },
      'sampling/createMessage': model,
      'roots/list': { roots: [{ uri: 'file:///a' }] },
      ping: {},
      'acme/ask': { b: 2 },
    };
    peer.answer = ({ method }) => answers[method];
    for (const name of ['form', 'url', 'sample', 'tools', 'roots', 'extra', 'ping', 'raw']) await peer.call(name);
    answers['elicitation/create'] = { action: 'decline' };
    await peer.call('form');
    answers['roots/list'] = Object.assign(new Error('no disk'), { code: -32603, data: { a: 1 } });
    await peer.call('roots');
    answers['acme/ask'] = { b: 'text' };
    await peer.call('raw');
  },
});
let heard;
differential('how far the client is with a question', {
  program: tool(async ({ params }, extra, server, kit, note) => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }];
    const options = {
      onprogress: (progress) => {
        note('progress', progress);
        heard();
      },
    };
    const ask = {
      form: () => server.elicitInput({ message: 'who?', requestedSchema: FORM }, options),
      sample: () => server.createMessage({ messages, maxTokens: 10, _meta: { kept: 1 } }, options),
      extra: () => extra.sendRequest({ method: 'roots/list' }, kit.ListRootsResultSchema, options),
    };
    return text(sorted(await ask[params.name]()));
  }),
  script: async (peer) => {
    const answers = {
      'elicitation/create': { action: 'accept', content: { name: 'Ann' } },
      'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'hello' } },
      'roots/list': { roots: [] },
    };
    peer.answer = async ({ method, params }) => {
      const told = new Promise((resolve) => (heard = resolve));
      const report = { progressToken: params._meta.progressToken, progress: 1, total: 2, message: 'half' };
      await peer.send({ method: 'notifications/progress', params: report });
      await within(told, 'the progress');
      return answers[method];
    };
    for (const name of ['form', 'sample', 'extra']) await peer.call(name);
  },
});
differential('questions that may not be asked', {
  capabilities: { sampling: {} },
  program: tool(async ({ params }, _extra, server) => {
    const user = (content) => ({ role: 'user', content });
    const use = { role: 'assistant', content: { type: 'tool_use', id: 'u', name: 't', input: {} } };
    const result = (toolUseId) => ({ type: 'tool_result', toolUseId, content: [] });
    const say = (...messages) => server.createMessage({ messages, maxTokens: 1 });
    const ask = {
      form: () => server.elicitInput({ message: 'm', requestedSchema: FORM }),
      url: () => server.elicitInput({ mode: 'url', message: 'm', elicitationId: 'e', url: 'https://a.example/' }),
      notifier: () => server.createElicitationCompletionNotifier('e'),
      tools: () => server.createMessage({ messages: [], maxTokens: 1, tools: [] }),
      mixed: () => say(use, user([result('u'), { type: 'text', text: 'x' }])),
      alone: () => say(user(result('u'))),
      other: () => say(use, user(result('v'))),
    };
    return text(JSON.stringify(await ask[params.name]()));
  }),
  script: async (peer) => {
    for (const name of ['form', 'url', 'notifier', 'tools', 'mixed', 'alone', 'other']) await peer.call(name);
  },
});
differential('a strict server asks only what was declared', {
  capabilities: {},
  options: { capabilities: { tools: {} }, enforceStrictCapabilities: true },
  program: tool(async ({ params }, _extra, server) => text(await server[params.name]({ messages: [], maxTokens: 1 }))),
  script: async (peer) => {
    await peer.call('listRoots');
    await peer.call('createMessage');
  },
});
differential('a question that takes too long, or is given up', {
  program: tool(async ({ params }, _extra, server, kit, note) => {
    const controller = new AbortController();
    const options = { late: { timeout: 20 }, aborted: { signal: controller.signal }, before: { signal: AbortSignal.abort('early') } }[params.name];
    const asked = server.listRoots(undefined, options);
    controller.abort('enough');
    const error = await asked.then(() => undefined, (reason) => reason);
    note(params.name, error instanceof kit.McpError, error?.code, error?.message ?? error, error?.data);
    return text('ok');
  }),
  script: async (peer) => {
    for (const name of ['late', 'aborted', 'before']) await peer.call(name);
  },
});
differential('a cancelled call', {
  program: tool(({ params }, extra, _server, _kit, note) => {
    note('started', params.name);
    return new Promise((resolve) =>
      extra.signal.addEventListener('abort', () => {
        note('aborted', String(extra.signal.reason));
        resolve(text('too late'));
      }),
    );
  }),
  script: async (peer, _server, _kit, _note) => {
    void peer.call('a', {}, { id: 7 }).catch(() => undefined);
    await peer.result('ping');
    await peer.notify('notifications/cancelled', { requestId: 7, reason: 'enough' });
    await peer.result('ping');
  },
});
differential('notifications of the client', {
  program: (server, kit, note) => {
    server.setNotificationHandler(kit.RootsListChangedNotificationSchema, (notification) => note('roots', notification));
    server.setNotificationHandler(zod4.object({ method: zod4.literal('acme/told'), params: zod4.object({ a: zod4.number() }) }), () => {
      throw new Error('not mine');
    });
    server.fallbackNotificationHandler = async ({ method }) => note('fallback', method);
    server.oninitialized = () => note('initialized', server.getClientVersion(), server.getClientCapabilities());
  },
  script: async (peer) => {
    await peer.notify('notifications/roots/list_changed');
    await peer.notify('acme/told', { a: 1 });
    await peer.notify('acme/other');
    await peer.result('ping');
  },
});
differential('an elicitation that says nothing means forms', {
  capabilities: { elicitation: {} },
  program: (server, _kit, note) => (server.oninitialized = () => note(server.getClientCapabilities())),
  script: (peer) => peer.result('ping'),
});
differential('changes that were declared', {
  options: { capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true } } },
  script: async (_peer, server, _kit, note) => {
    await server.sendToolListChanged();
    await server.sendPromptListChanged();
    await server.sendResourceListChanged();
    await server.sendResourceUpdated({ uri: 'a://b' });
    await server.sendLoggingMessage({ level: 'info', data: 'not declared' });
    await server.notification({ method: 'notifications/message', params: { level: 'info', data: 1 } }).catch((error) => note(error.message));
  },
});
differential('misuse', {
  options: { capabilities: {} },
  program: (server, kit, note) => {
    const told = (body) => {
      try {
        body();
      } catch (error) {
        note(error.message);
      }
    };
    const schemas = ['CallTool', 'ListTools', 'GetPrompt', 'ListPrompts', 'ReadResource', 'ListResources', 'ListResourceTemplates', 'Complete', 'SetLevel'];
    for (const name of schemas) told(() => server.setRequestHandler(kit[`${name}RequestSchema`], () => ({})));
    told(() => server.setRequestHandler(zod4.object({ params: zod4.any() }), () => ({})));
    told(() => server.assertCanSetRequestHandler('ping'));
    told(() => server.assertCanSetRequestHandler('tools/list'));
  },
  script: async (_peer, server, _kit, note) => {
    for (const name of ['sendToolListChanged', 'sendPromptListChanged', 'sendResourceListChanged', 'sendResourceUpdated']) {
      await server[name]({ uri: 'a://b' }).catch((error) => note(error.message));
    }
    try {
      server.registerCapabilities({ tools: {} });
    } catch (error) {
      note(error.message);
    }
  },
});

for (const [name, what] of CASES) {
  test(name, async () => {
    const theirRun = await run(theirs, what);
    const ourRun = await run(ours, what);
    assert.deepEqual(ourRun.frames, theirRun.frames);
    assert.deepEqual(ourRun.noted, theirRun.noted);
  });
}
