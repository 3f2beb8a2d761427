// McpServer does what the official one does: the same programs on both, answers compared.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import * as mini from 'zod/mini';
import { official, ours, oursSlow } from './support/kits.mjs';
import { Wire } from './support/wire.mjs';

const info = { name: 's', version: '1' };
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const show = (args) => text(JSON.stringify(args));

/** What a function throws, as data. */
const thrown = (run) => {
  try {
    run();
    return 'nothing';
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

/** What is printed to standard error meanwhile. */
const warned = (run) => {
  const lines = [];
  const before = console.warn;
  console.warn = (...parts) => lines.push(parts.join(' '));
  try {
    run();
  } finally {
    console.warn = before;
  }
  return lines;
};

/** Connects a server and gives its answers to a list of requests, in order. */
async function answers(server, requests) {
  const wire = new Wire();
  const hello = await wire.open(server);
  // The engine has an order of its own here.
  const all = [Object.fromEntries(Object.entries(hello.capabilities).sort())];
  for (const [method, params] of requests) all.push(await wire.request(method, params));
  await server.close();
  return all;
}

const call = (name, args) => ['tools/call', { name, ...(args === undefined ? {} : { arguments: args }) }];

/** Runs a program on the official package and on ours, both ways. */
function same(name, program) {
  test(name, async () => {
    const expected = await program(official);
    const [fast, slow] = [await program(ours), await program(oursSlow)];
    assert.deepEqual(fast, expected);
    assert.equal(JSON.stringify(slow), JSON.stringify(fast), 'fast_path changes what is said');
  });
}

// Tools

for (const [release, zod] of [['zod 4', z], ['zod 3', z3]]) {
  same(`tools: arguments, ${release}`, (kit) => {
    const server = kit.server(info);
    const shape = {
      n: zod.number().min(1),
      name: zod.string().default('you'),
      tags: zod.array(zod.string()).optional(),
      deep: zod.object({ list: zod.array(zod.object({ x: zod.number() })) }).optional(),
      when: zod.string().transform((s) => s.length).optional(),
      late: zod.string().refine(async (s) => s !== 'no', 'must not be no').optional(),
    };
    server.registerTool('shape', { inputSchema: shape }, show);
    server.registerTool('object', { inputSchema: zod.object(shape).strict() }, show);
    server.registerTool('loose', { inputSchema: zod.object({ a: zod.any(), u: zod.unknown() }).passthrough() }, show);
    server.registerTool('whole', { inputSchema: zod.object({ a: zod.number(), b: zod.number() }).refine((v) => v.a < v.b, 'a < b') }, show);
    server.registerTool('union', { inputSchema: zod.union([zod.object({ a: zod.string() }), zod.object({ b: zod.number() })]) }, show);
    server.registerTool('transformed', { inputSchema: zod.object({ a: zod.string() }).transform((v) => v.a) }, show);
    server.tool('old', { n: zod.coerce.number() }, show);
    server.tool('empty', {}, show);
    server.tool('none', (...parts) => text(parts.length));
    return answers(server, [
      call('shape', { n: 1 }),
      call('shape', { n: 2, name: 'me', tags: ['a'], when: 'abc', extra: true, late: 'yes' }),
      call('shape', { n: 0 }),
      call('shape', {}),
      call('shape'),
      call('shape', { n: 'x', tags: [1, 'a', 2], deep: { list: [{ x: 1 }, { x: 'y' }] } }),
      call('shape', { n: 1, late: 'no' }),
      call('shape', { n: null, name: null, deep: [] }),
      call('object', { n: 1, extra: 1 }),
      call('object', { n: 1 }),
      call('loose', { a: 1, u: 2, more: 3 }),
      call('loose', {}),
      call('whole', { a: 1, b: 2 }),
      call('whole', { a: 2, b: 1 }),
      call('union', { b: 5 }),
      call('union', { c: 5 }),
      call('transformed', { a: 'x' }),
      call('old', { n: '5' }),
      call('old', { n: 'x' }),
      call('empty', { any: 1 }),
      call('none', { any: 1 }),
      ['tools/list'],
    ]);
  });
}

same('tools: arguments, zod mini', (kit) => {
  const server = kit.server(info);
  server.registerTool('t', { inputSchema: { a: mini.string().check(mini.minLength(2)), b: mini.optional(mini.number()) } }, show);
  return answers(server, [call('t', { a: 'ab' }), call('t', { a: 'a' }), call('t', { b: 'x' }), ['tools/list']]);
});

same('tools: members that may be missing', (kit) => {
  const server = kit.server(info);
  const shape = {
    any: z.any().optional(),
    caught: z.string().catch('caught'),
    preset: z.string().optional().default('preset'),
    early: z.preprocess((v) => v ?? 'pre', z.string()),
    piped: z.string().default('5').transform(Number).pipe(z.number()),
    inner: z.object({ a: z.number().default(1) }).prefault({}),
    nothing: z.undefined().optional(),
    nullable: z.string().nullish(),
    sure: z.string().optional().transform((v) => v ?? 'none'),
  };
  server.registerTool('shape', { inputSchema: shape }, show);
  server.registerTool('keys', { inputSchema: shape }, (args) => text(Object.keys(args)));
  return answers(server, [
    call('shape', {}),
    call('keys', {}),
    call('keys', { any: null, nullable: null, sure: 'x' }),
    call('shape', { caught: 5, preset: 5 }),
  ]);
});

same('tools: what a handler does', (kit) => {
  const server = kit.server(info);
  const tool = (name, handler, config = {}) => server.registerTool(name, config, handler);
  tool('error', () => { throw new Error('broken'); });
  tool('type', () => { throw new TypeError('wrong type'); });
  tool('text', () => { throw 'just text'; });
  tool('object', () => { throw { some: 'thing' }; });
  tool('undefined', () => { throw undefined; });
  tool('mcp', () => { throw new kit.McpError(-32001, 'timed out', { a: 1 }); });
  tool('rejects', async () => { throw new Error('later'); });
  tool('url', () => {
    throw new kit.UrlElicitationRequiredError([{ mode: 'url', message: 'go', url: 'https://example.com', elicitationId: '1' }]);
  });
  tool('urlCode', async () => { throw new kit.McpError(kit.ErrorCode.UrlElicitationRequired, 'by code', { elicitations: [] }); });
  tool('soon', async () => text('soon'));
  tool('isError', () => ({ ...text('bad'), isError: true }));
  tool('meta', () => ({ ...text('m'), _meta: { k: 1 } }));
  tool('structured', () => ({ content: [], structuredContent: { a: 1 } }));
  tool('structuredOnly', () => ({ structuredContent: { a: 1 } }));
  tool('nothing', () => ({}));
  return answers(server, [
    ...['error', 'type', 'text', 'object', 'undefined', 'mcp', 'rejects', 'url', 'urlCode', 'soon'].map((name) => call(name)),
    ...['isError', 'meta', 'structured', 'structuredOnly', 'nothing', 'absent'].map((name) => call(name)),
    call('toString'.repeat(2)),
    ['tools/list'],
  ]);
});

same('tools: a result that is none', async (kit) => {
  const server = kit.server(info);
  server.registerTool('number', {}, () => 5);
  server.registerTool('badContent', {}, () => ({ content: [{ type: 'text' }] }));
  server.registerTool('badType', {}, () => ({ content: 'x' }));
  const all = await answers(server, [call('number'), call('badContent'), call('badType')]);
  // What is wrong in detail is said in the words of whoever looked.
  return all.map(({ error }) => (error ? { code: error.code, head: error.message.split('\n')[0].slice(0, 40) } : 'ok'));
});

for (const [release, zod] of [['zod 4', z], ['zod 3', z3]]) {
  same(`tools: output schema, ${release}`, (kit) => {
    const server = kit.server(info);
    const tool = (name, result) =>
      server.registerTool(name, { outputSchema: { total: zod.number(), note: zod.string().optional() } }, () => result);
    tool('good', { content: [], structuredContent: { total: 1 } });
    tool('more', { content: [], structuredContent: { total: 1, more: 2 } });
    tool('missing', text('x'));
    tool('wrong', { content: [], structuredContent: { total: 'x' } });
    tool('empty', { content: [], structuredContent: {} });
    tool('error', { ...text('failed'), isError: true });
    tool('noContent', { structuredContent: { total: 'x' } });
    server.registerTool('object', { outputSchema: zod.object({ a: zod.string() }) }, () => ({ content: [], structuredContent: { a: 1 } }));
    const names = ['good', 'more', 'missing', 'wrong', 'empty', 'error', 'noContent', 'object'];
    return answers(server, [...names.map((name) => call(name)), ['tools/list']]);
  });
}

same('tools: too many elements', async (kit) => {
  const server = kit.server(info, { maxToolInputElements: 3 });
  server.registerTool('t', { inputSchema: { list: z.array(z.number()).optional(), deep: z.any() } }, show);
  server.registerTool('none', {}, () => text('ok'));
  return [
    ...(await answers(server, [
      call('t', { list: [1, 2] }),
      call('t', { list: [1, 2, 3] }),
      call('t', { deep: { a: { b: 1 } } }),
      call('none', { a: 1, b: 2, c: 3, d: 4 }),
    ])),
    ...[0, -1, NaN, '5', 0.5].map((value) => thrown(() => kit.server(info, { maxToolInputElements: value }))),
    thrown(() => kit.server(info, { maxToolInputElements: Infinity })),
  ];
});

same('tools: the old function', (kit) => {
  const server = kit.server(info);
  server.tool('a', () => text(1));
  server.tool('b', 'described', () => text(2));
  server.tool('c', { x: z.string() }, show);
  server.tool('d', { readOnlyHint: true }, () => text(4));
  server.tool('e', 'both', { x: z.string() }, { destructiveHint: false, title: 'E' }, show);
  server.tool('f', { x: z.string() }, { idempotentHint: true }, show);
  server.tool('g', 'annotated', { title: 'G' }, () => text(7));
  server.tool('h', 'empty', {}, { title: 'H' }, show);
  return answers(server, [['tools/list'], ...['a', 'b', 'd', 'g'].map((name) => call(name)), call('e', { x: 'y' })]);
});

same('tools: the list has everything in its order', (kit) => {
  const server = kit.server(info);
  const annotations = { title: 'T', readOnlyHint: true };
  server.registerTool('z', { title: 'Z', description: 'd', annotations, _meta: { ui: { a: 1 } }, inputSchema: { b: z.string(), a: z.number() } }, show);
  server.registerTool('10', { description: '' }, show);
  server.registerTool('a', { inputSchema: {}, outputSchema: { r: z.string() } }, show);
  server.registerTool('2', {}, show);
  return answers(server, [['tools/list'], ['tools/list', {}]]);
});

test('lists are the same text, which programs pin by hash', async () => {
  const texts = [];
  for (const kit of [official, ours, oursSlow]) {
    const server = kit.server(info);
    const annotations = { title: 'T', readOnlyHint: true };
    server.registerTool('z', { title: 'Z', description: 'd', annotations, _meta: { u: 1 }, inputSchema: { b: z.string(), a: z.number() }, outputSchema: { r: z3.string() } }, show);
    server.registerTool('a', { inputSchema: { b: z3.string(), 2: z3.number(), 1: z3.number() } }, show);
    server.registerResource('r', 'mem://r', { mimeType: 'text/x', title: 'R', description: 'd' }, () => ({ contents: [] }));
    server.registerResource('t', new kit.ResourceTemplate('mem://{a}', { list: undefined }), { title: 'T' }, () => ({ contents: [] }));
    server.registerPrompt('p', { description: 'd', title: 'P', argsSchema: { b: z.string().describe('B'), a: z.string().optional() } }, () => ({ messages: [] }));
    const [, ...lists] = await answers(server, ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'].map((method) => [method]));
    texts.push(JSON.stringify(lists));
  }
  assert.equal(texts[1], texts[0]);
  assert.equal(texts[2], texts[0]);
});

same('tools: what is refused', (kit) => {
  const server = kit.server(info);
  server.registerTool('t', {}, show);
  server.registerPrompt('p', {}, () => ({ messages: [] }));
  const connected = [
    () => server.registerTool('t', {}, show),
    () => server.tool('t', () => text(1)),
    () => server.registerTool('bad', { inputSchema: { a: 5 } }, show),
    () => server.registerTool('bad', { outputSchema: [1] }, show),
    () => server.registerTool('bad', { inputSchema: { a: z.string(), b: z3.string() } }, show),
    () => server.tool('bad', { a: { type: 'string' } }, show),
    () => server.tool('bad', 'd', { properties: {} }, show),
    () => server.registerPrompt('p', {}, () => ({ messages: [] })),
    () => server.prompt('p', () => ({ messages: [] })),
  ];
  return Promise.resolve(connected.map(thrown));
});

same('tools: names that are warned about', (kit) => {
  const server = kit.server(info);
  const names = ['fine', 'with space', 'a,b', '-dash', 'dot.', 'ünïcode/x', '', 'x'.repeat(129)];
  return Promise.resolve(names.map((name) => warned(() => server.registerTool(name, {}, show))));
});

// Handles

same('handles: tools', async (kit) => {
  const server = kit.server(info);
  const a = server.registerTool('a', { description: 'A' }, () => text('a'));
  const b = server.registerTool('b', { inputSchema: { x: z.string() } }, show);
  const wire = new Wire();
  await wire.open(server);
  const seen = [];
  const look = async (...requests) => {
    for (const [method, params] of [['tools/list'], ...requests]) seen.push(await wire.request(method, params));
    seen.push([a.enabled, b.enabled]);
  };
  await look();
  a.disable();
  await look(call('a'));
  a.enable();
  b.update({ paramsSchema: { y: z.number() }, description: 'new', callback: ({ y }) => text(y * 2), annotations: { title: 'B' } });
  await look(call('b', { y: 4 }), call('b', { x: 'x' }));
  a.update({ name: 'renamed', title: 'R', _meta: { k: 1 } });
  await look(call('a'), call('renamed'));
  b.update({ outputSchema: { y: z.number() } });
  await look(call('b', { y: 4 }));
  b.remove();
  await look(call('b'));
  server.registerTool('late', {}, () => text('late'));
  await look(call('late'));
  server.registerTool('b', {}, () => text('again'));
  await look(call('b'));
  await wire.told('notifications/tools/list_changed', 7);
  await server.close();
  return seen;
});

same('handles: written to directly', async (kit) => {
  const server = kit.server(info);
  const tool = server.registerTool('a', { description: 'A' }, () => text('a'));
  const prompt = server.registerPrompt('p', {}, () => ({ messages: [] }));
  const resource = server.registerResource('r', 'mem://r', {}, () => ({ contents: [] }));
  const wire = new Wire();
  await wire.open(server);
  const seen = [];
  const look = async () => {
    for (const method of ['tools/list', 'prompts/list', 'resources/list']) seen.push(await wire.request(method));
  };
  await look();
  tool.description = 'changed';
  prompt.title = 'changed';
  resource.metadata = { title: 'changed' };
  await look();
  tool.enabled = false;
  prompt.enabled = false;
  resource.enabled = false;
  await look();
  // Programs reach into the tables, too.
  server._registeredTools.b = { ...tool, enabled: true, description: 'put there' };
  delete server._registeredPrompts.p;
  seen.push(Object.keys(server._registeredTools), Object.keys(server._registeredPrompts), 'a' in server._registeredTools);
  await look();
  await server.close();
  return seen;
});

same('handles: resources and prompts', async (kit) => {
  const server = kit.server(info);
  const contents = (note) => (uri) => ({ contents: [{ uri: uri.href, text: note }] });
  const r = server.registerResource('r', 'mem://r', { title: 'R' }, contents('r'));
  const t = server.registerResource('t', new kit.ResourceTemplate('mem://t/{id}', { list: undefined }), {}, contents('t'));
  const p = server.registerPrompt('p', { argsSchema: { a: z.string() } }, ({ a }) => ({ messages: [{ role: 'user', content: { type: 'text', text: a } }] }));
  const wire = new Wire();
  await wire.open(server);
  const seen = [];
  const look = async (...requests) => {
    const lists = ['resources/list', 'resources/templates/list', 'prompts/list'].map((method) => [method]);
    for (const [method, params] of [...lists, ...requests]) {
      const { result, error } = await wire.request(method, params);
      // An unknown resource has another code here; see below.
      seen.push(result ?? error.message.replace(/-32\d+/, 'code'));
    }
  };
  const read = (uri) => ['resources/read', { uri }];
  r.disable();
  await look(read('mem://r'));
  r.enable();
  r.update({ uri: 'mem://moved', name: 'moved', metadata: { description: 'd' }, callback: contents('new') });
  await look(read('mem://r'), read('mem://moved'));
  t.update({ template: new kit.ResourceTemplate('mem://u/{id}', { list: undefined }), name: 'u', metadata: { mimeType: 'text/plain' } });
  await look(read('mem://t/1'), read('mem://u/1'));
  p.update({ argsSchema: { b: z.string().optional() }, title: 'P', callback: ({ b }) => ({ messages: [], description: b ?? 'none' }) });
  await look(['prompts/get', { name: 'p' }], ['prompts/get', { name: 'p', arguments: { b: 'B' } }]);
  p.disable();
  t.remove();
  await look(['prompts/get', { name: 'p' }], read('mem://u/1'));
  p.enable();
  p.update({ name: 'q' });
  r.remove();
  await look(['prompts/get', { name: 'p' }], ['prompts/get', { name: 'q' }], read('mem://moved'));
  p.remove();
  await look();
  await server.close();
  return seen;
});

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

// P16: the official package answers -32602 without data; the protocol says -32002.
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
