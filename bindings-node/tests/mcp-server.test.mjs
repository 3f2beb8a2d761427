// McpServer does what the official one does: the same programs on both, answers compared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import * as mini from 'zod/mini';
import { official, ours, oursSlow } from './support/kits.mjs';
import { info, text, show, thrown, answers, call, same } from './support/same.mjs';
import { Wire } from './support/wire.mjs';

// Resources

same('resources: lists and reading', (kit) => {
  const server = kit.server(info);
  const contents = (note) => (uri, variables) => ({
    contents: [{ uri: uri.href, text: typeof variables === 'object' && !variables.signal ? `${note} ${JSON.stringify(variables)}` : note }],
  });
  server.registerResource('one', 'mem://one', { title: 'One', description: 'd', mimeType: 'text/plain' }, contents('one'));
  server.resource('two', 'mem://two', contents('two'));
  server.resource('three', 'mem://three', { description: 'old' }, contents('three'));
  const list = (extra) => ({ resources: [{ uri: 'mem://a/1', name: 'a1' }, { uri: 'mem://a/2', name: 'a2', description: 'own', more: typeof extra.signal }] });
  server.registerResource('a', new kit.ResourceTemplate('mem://a/{id}', { list }), { title: 'A', description: 'of all' }, contents('a'));
  server.resource('b', new kit.ResourceTemplate('mem://b/{x}/{y*}{?q,r}', { list: undefined }), contents('b'));
  server.resource('c', new kit.ResourceTemplate('file:///{+path}', { list: undefined }), { mimeType: 'text/x' }, contents('c'));
  const uris = [
    'mem://one', 'mem://two', 'mem://three', 'mem://a/1', 'mem://a/x%20y', 'mem://b/1/2?q=3&r=4',
    'file:///a/b/c.txt',
  ];
  return answers(server, [['resources/list'], ['resources/templates/list'], ...uris.map((uri) => ['resources/read', { uri }])]);
});

same('resources: what is refused', async (kit) => {
  const server = kit.server(info);
  const read = () => ({ contents: [] });
  server.registerResource('r', 'mem://r', {}, read);
  server.registerResource('t', new kit.ResourceTemplate('mem://t/{id}', { list: undefined }), {}, read);
  server.registerResource('fails', 'mem://fails', {}, () => { throw new Error('unreadable'); });
  server.registerResource('mcp', 'mem://mcp', {}, async () => { throw new kit.McpError(-32050, 'own', { a: 1 }); });
  return [
    thrown(() => server.registerResource('other', 'mem://r', {}, read)),
    thrown(() => server.resource('t', new kit.ResourceTemplate('mem://x/{id}', { list: undefined }), read)),
    thrown(() => new kit.ResourceTemplate('mem://{unclosed', { list: undefined })),
    ...(await answers(server, ['mem://fails', 'mem://mcp'].map((uri) => ['resources/read', { uri }]))),
  ];
});

// The official package answers -32602 without data; the protocol says -32002. (differs: unknown-resource)
test('resources: an unknown one is named, with the protocol code', async () => {
  for (const kit of [ours, oursSlow]) {
    const server = kit.server(info);
    server.registerResource('r', 'mem://r', {}, () => ({ contents: [] }));
    const [, { error }] = await answers(server, [['resources/read', { uri: 'mem://x' }]]);
    assert.deepEqual(error, { code: -32002, message: 'MCP error -32002: Resource mem://x not found', data: { uri: 'mem://x' } });
  }
});

test('resources: a URI is read as it was registered', async () => {
  const server = ours.server(info);
  server.registerResource('r', 'https://example.com', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'home' }] }));
  const [, { result }] = await answers(server, [['resources/read', { uri: 'https://example.com' }]]);
  assert.equal(result.contents[0].text, 'home');
});

// Prompts

for (const [release, zod] of [['zod 4', z], ['zod 3', z3]]) {
  same(`prompts, ${release}`, async (kit) => {
    const server = kit.server(info);
    const message = (value) => ({ messages: [{ role: 'user', content: { type: 'text', text: JSON.stringify(value) } }] });
    server.registerPrompt('p', { title: 'P', description: 'd', argsSchema: { who: zod.string().describe('the one'), n: zod.string().optional(), up: zod.string().default('x') } }, message);
    server.prompt('a', () => message(1));
    server.prompt('b', 'described', () => message(2));
    server.prompt('c', { x: zod.string().min(2) }, message);
    server.prompt('d', 'both', { x: zod.string() }, message);
    server.registerPrompt('fails', {}, () => { throw new Error('no prompt'); });
    server.registerPrompt('empty', { argsSchema: {} }, message);
    const get = (name, args) => ['prompts/get', { name, ...(args ? { arguments: args } : {}) }];
    return answers(server, [
      ['prompts/list'],
      get('p', { who: 'me' }),
      get('p', {}),
      get('p'),
      get('a'),
      get('b', { ignored: '1' }),
      get('c', { x: 'a' }),
      get('c', { x: 'ab' }),
      get('d', { x: 'y' }),
      get('fails'),
      get('empty', { any: '1' }),
      get('unknown'),
    ]);
  });
}

// Completions

same('completions', async (kit) => {
  const server = kit.server(info);
  const many = Array.from({ length: 150 }, (_, index) => `v${index}`);
  const message = () => ({ messages: [] });
  server.registerPrompt('p', {
    argsSchema: {
      team: kit.completable(z.string(), (value) => ['red', 'green'].filter((one) => one.startsWith(value))),
      member: kit.completable(z.string(), async (value, context) => [`${context?.arguments?.team ?? 'nobody'}/${value}`]),
      many: kit.completable(z.string(), () => many),
      fails: kit.completable(z.string(), () => { throw new Error('no idea'); }),
      plain: z.string(),
    },
  }, message);
  server.registerPrompt('none', {}, message);
  server.registerResource('t', new kit.ResourceTemplate('mem://{a}/{b}', {
    list: undefined,
    complete: { a: (value) => [`${value}1`, `${value}2`], b: async (_value, context) => [context?.arguments?.a ?? '-'] },
  }), {}, () => ({ contents: [] }));
  server.registerResource('r', 'mem://fixed', {}, () => ({ contents: [] }));
  const complete = (ref, name, value, context) => ['completion/complete', { ref, argument: { name, value }, ...(context ? { context } : {}) }];
  const p = { type: 'ref/prompt', name: 'p' };
  const t = { type: 'ref/resource', uri: 'mem://{a}/{b}' };
  return answers(server, [
    complete(p, 'team', 'r'),
    complete(p, 'member', 'x', { arguments: { team: 'red' } }),
    complete(p, 'member', 'x'),
    complete(p, 'many', ''),
    complete(p, 'fails', ''),
    complete(p, 'plain', ''),
    complete(p, 'absent', ''),
    complete({ type: 'ref/prompt', name: 'none' }, 'x', ''),
    complete({ type: 'ref/prompt', name: 'unknown' }, 'x', ''),
    complete(t, 'a', 'q'),
    complete(t, 'b', 'q', { arguments: { a: 'A' } }),
    complete(t, 'c', 'q'),
    complete({ type: 'ref/resource', uri: 'mem://fixed' }, 'a', ''),
    complete({ type: 'ref/resource', uri: 'mem://unknown' }, 'a', ''),
  ]);
});

test('completions: an argument may be optional on either side', async () => {
  const server = ours.server(info);
  const inside = ours.completable(z.string(), () => ['inside']).optional();
  const outside = ours.completable(z.string().optional(), () => ['outside']);
  server.registerPrompt('p', { argsSchema: { inside, outside } }, () => ({ messages: [] }));
  const ref = { type: 'ref/prompt', name: 'p' };
  const [, ...found] = await answers(server, ['inside', 'outside'].map((name) => ['completion/complete', { ref, argument: { name, value: '' } }]));
  assert.deepEqual(found.map(({ result }) => result.completion.values), [['inside'], ['outside']]);
});

// Capabilities

same('capabilities: what is declared', async (kit) => {
  const all = [];
  const read = () => ({ contents: [] });
  const programs = [
    () => {},
    (server) => server.registerTool('t', {}, show),
    (server) => server.registerResource('r', 'mem://r', {}, read),
    (server) => server.registerPrompt('p', {}, () => ({ messages: [] })),
    (server) => server.registerPrompt('p', { argsSchema: { a: kit.completable(z.string(), () => []) } }, () => ({ messages: [] })),
    (server) => server.registerResource('r', new kit.ResourceTemplate('m://{a}', { list: undefined, complete: { a: () => [] } }), {}, read),
  ];
  const options = [undefined, { capabilities: { tools: {}, logging: {} } }, { capabilities: { resources: { subscribe: true }, prompts: { listChanged: false } } }];
  for (const program of programs) {
    for (const option of options) {
      const server = kit.server(info, option);
      program(server);
      all.push(await answers(server, [['tools/list'], ['resources/list'], ['resources/templates/list'], ['prompts/list']]));
    }
  }
  return all.map((rows) => rows.map((row) => (row.error ? row.error.code : row)));
});

same('capabilities: after connecting', async (kit) => {
  const bare = kit.server(info);
  const declared = kit.server(info, { capabilities: { tools: {}, resources: {}, prompts: {} } });
  const seen = [];
  for (const server of [bare, declared]) {
    const wire = new Wire();
    await wire.open(server);
    seen.push(thrown(() => server.registerTool('t', {}, show)));
    seen.push(thrown(() => server.registerResource('r', 'mem://r', {}, () => ({ contents: [] }))));
    seen.push(thrown(() => server.registerPrompt('p', {}, () => ({ messages: [] }))));
    for (const method of ['tools/list', 'resources/list', 'prompts/list']) {
      const { result, error } = await wire.request(method);
      seen.push(result ?? error.code);
    }
    seen.push(server.isConnected());
    await server.close();
    seen.push(server.isConnected());
  }
  return seen;
});

same('capabilities: a handler that exists already', (kit) => {
  const server = kit.server(info, {});
  server.server.registerCapabilities({ tools: {}, resources: {}, prompts: {} });
  server.server.setRequestHandler(kit.ListToolsRequestSchema, () => ({ tools: [] }));
  server.server.setRequestHandler(kit.GetPromptRequestSchema, () => ({ messages: [] }));
  server.server.setRequestHandler(kit.ReadResourceRequestSchema, () => ({ contents: [] }));
  return Promise.resolve([
    thrown(() => server.registerTool('t', {}, show)),
    thrown(() => server.registerPrompt('p', {}, () => ({ messages: [] }))),
    thrown(() => server.registerResource('r', 'mem://r', {}, () => ({ contents: [] }))),
  ]);
});

same('capabilities: a handler that is replaced', (kit) => {
  const server = kit.server(info);
  server.registerTool('t', {}, () => text('t'));
  server.registerPrompt('p', {}, () => ({ messages: [] }));
  server.server.setRequestHandler(kit.ListToolsRequestSchema, () => ({ tools: [{ name: 'mine', inputSchema: { type: 'object' } }] }));
  server.server.setRequestHandler(kit.CallToolRequestSchema, (request) => text(`called ${request.params.name}`));
  return answers(server, [['tools/list'], call('t'), call('other'), ['prompts/list']]);
});

// What is told

test('changes of one tick are told once, to clients that were promised so', async () => {
  for (const kit of [ours, oursSlow]) {
    const server = kit.server(info, { capabilities: { tools: {} } });
    const wire = new Wire();
    await wire.open(server);
    const tools = Array.from({ length: 20 }, (_, index) => server.registerTool(`t${index}`, {}, show));
    for (const tool of tools) tool.update({ description: 'd' });
    await wire.told('notifications/tools/list_changed', 1);
    const { result } = await wire.request('tools/list');
    assert.equal(result.tools.length, 20);
    assert.equal(result.tools[19].description, 'd');
    assert.equal(wire.notifications.length, 1);
    tools[0].remove();
    await wire.told('notifications/tools/list_changed', 2);
    await server.close();
  }
});

test('names of inherited members are names like others', async () => {
  const server = ours.server(info);
  for (const name of ['constructor', '__proto__', 'toString']) server.registerTool(name, {}, () => text(name));
  const [, { result }, ...called] = await answers(server, [['tools/list'], call('__proto__'), call('constructor'), call('valueOf')]);
  assert.deepEqual(result.tools.map((tool) => tool.name), ['constructor', '__proto__', 'toString']);
  assert.deepEqual(called.map((one) => one.result.content[0].text), ['__proto__', 'constructor', 'MCP error -32602: Tool valueOf not found']);
});

same('handlers get the call as `extra`', async (kit) => {
  const server = kit.server(info);
  const look = (extra) => ({ id: extra.requestId, signal: extra.signal instanceof AbortSignal, meta: extra._meta, send: typeof extra.sendNotification });
  server.registerTool('t', { inputSchema: { a: z.string() } }, (args, extra) => show({ args, ...look(extra) }));
  server.registerTool('n', {}, (extra) => show(look(extra)));
  server.registerPrompt('p', {}, (extra) => ({ messages: [], description: JSON.stringify(look(extra)) }));
  server.registerResource('r', 'mem://r', {}, (uri, extra) => ({ contents: [{ uri: uri.href, text: JSON.stringify(look(extra)) }] }));
  const _meta = { k: 'v' };
  return answers(server, [
    ['tools/call', { name: 't', arguments: { a: 'x' }, _meta }],
    ['tools/call', { name: 'n', _meta }],
    ['prompts/get', { name: 'p', _meta }],
    ['resources/read', { uri: 'mem://r', _meta }],
  ]);
});

same('tools that run as tasks', (kit) => {
  const server = kit.server(info);
  const handler = { createTask: async () => ({ task: {} }), getTask: async () => ({}), getTaskResult: async () => text('done') };
  const { tasks } = server.experimental;
  const refused = thrown(() => tasks.registerToolTask('never', { execution: { taskSupport: 'forbidden' } }, handler));
  tasks.registerToolTask('required', { title: 'R', inputSchema: { a: z.string() } }, handler);
  tasks.registerToolTask('optional', { execution: { taskSupport: 'optional' } }, handler);
  return answers(server, [['tools/list'], call('required', { a: 'x' }), call('optional'), call('never')]).then((all) => [refused, ...all]);
});

test('one server, many connections', async () => {
  for (const kit of [ours, oursSlow]) {
    const server = kit.server(info);
    const tool = server.registerTool('t', { inputSchema: { a: z.string() } }, ({ a }, extra) => text(`${a} ${extra.requestId}`));
    const wires = [new Wire(), new Wire(), new Wire()];
    for (const wire of wires) await wire.open(server);
    const said = await Promise.all(wires.map((wire, at) => wire.request('tools/call', { name: 't', arguments: { a: `for ${at}` } })));
    assert.deepEqual(said.map(({ result }) => result.content[0].text), ['for 0 2', 'for 1 2', 'for 2 2']);
    tool.update({ description: 'new' });
    for (const wire of wires) {
      await wire.told('notifications/tools/list_changed', 1);
      assert.equal((await wire.request('tools/list')).result.tools[0].description, 'new');
    }
    await server.close();
    assert.equal(server.isConnected(), false);
  }
});

test('a log message goes out if logging is declared', async () => {
  for (const kit of [official, ours, oursSlow]) {
    const server = kit.server(info, { capabilities: { logging: {} } });
    const wire = new Wire();
    await wire.open(server);
    await server.sendLoggingMessage({ level: 'info', data: { a: 1 }, logger: 'l' });
    await wire.told('notifications/message', 1);
    assert.deepEqual(wire.notifications.at(-1).params, { level: 'info', data: { a: 1 }, logger: 'l' });
    await server.close();
  }
});

same('closing and connecting again', async (kit) => {
  const server = kit.server(info);
  server.registerTool('a', { inputSchema: { type: z.string() } }, show);
  const seen = [];
  for (const name of ['b', 'c']) {
    const wire = new Wire();
    seen.push(await wire.open(server), await wire.request('tools/list'), await wire.request(...call('a', { type: 'x' })));
    await server.close();
    seen.push(server.isConnected());
    server.registerTool(name, {}, show);
    if (name === 'b') server.registerPrompt('p', {}, () => ({ messages: [] }));
  }
  return seen;
});

same('a whole schema in the old function is refused', (kit) => {
  const server = kit.server(info);
  const wrong = [z.object({ a: z.string() }), mini.object({ a: mini.string() }), z3.object({ a: z3.string() }), z3.string(), { a: { type: 'string' } }, { properties: { a: {} } }];
  return Promise.resolve(wrong.map((schema) => thrown(() => server.tool('t', schema, show))));
});
