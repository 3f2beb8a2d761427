// Tools of McpServer do what the official ones do: the same programs on both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import * as mini from 'zod/mini';
import { official, ours, oursSlow } from './support/kits.mjs';
import { info, text, show, thrown, warned, answers, call, same } from './support/same.mjs';
import { Wire } from './support/wire.mjs';

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
  // What is wrong in detail is said in the words of the one that looked. (differs: schema-words)
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

/** A result as programs build one. */
class Built {
  #blocks = [];
  #failed;
  note = 'own';
  constructor(words, failed) {
    this.#blocks.push({ type: 'text', text: words });
    this.#failed = failed;
  }
  get content() {
    return this.#blocks;
  }
  get structuredContent() {
    return { blocks: this.#blocks.length };
  }
  get isError() {
    return this.#failed;
  }
}

same('tools: a result of a class has what its getters give', (kit) => {
  const server = kit.server(info);
  server.registerTool('built', {}, () => new Built('built', false));
  server.registerTool('checked', { outputSchema: { blocks: z.number() } }, async () => new Built('checked'));
  server.registerTool('failed', {}, () => new Built('failed', true));
  server.registerTool('long', {}, () => new Built('x'.repeat(5000)));
  server.registerTool('inherited', {}, () => Object.create(text('inherited')));
  return answers(server, ['built', 'checked', 'failed', 'long', 'inherited'].map((name) => call(name)));
});

same('tools: a result of a class is read in low-level servers too', (kit) => {
  const server = new kit.Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler(kit.CallToolRequestSchema, ({ params }) => new Built(params.name, true));
  return answers(server, [call('any')]);
});

// Steps of a call that programs replace by the names they have in the official package.

same('tools: a step of a call that a program puts its own in place of is heard', (kit) => {
  const server = kit.server(info);
  const steps = [];
  for (const step of ['validateToolInput', 'executeToolHandler', 'validateToolOutput', 'createToolError']) {
    const usual = server[step].bind(server);
    server[step] = (...parts) => {
      // The tool and what a handler is given besides are not for comparing.
      steps.push([step, parts.filter((part) => !part?.handler && !part?.signal)]);
      return usual(...parts);
    };
  }
  server.registerTool('shown', { inputSchema: { n: z.number().default(1) }, outputSchema: { n: z.number() } }, ({ n }) => ({ ...text(n), structuredContent: { n } }));
  server.registerTool('plain', {}, () => text('plain'));
  server.registerTool('wrong', { outputSchema: { n: z.number() } }, () => ({ ...text(''), structuredContent: {} }));
  server.registerTool('steps', {}, () => text(JSON.stringify(steps)));
  return answers(server, [call('shown', {}), call('shown', { n: 'x' }), call('plain'), call('wrong'), call('none'), call('steps')]);
});

same('tools: arguments that a program validates itself reach the tool as it gives them back', (kit) => {
  class Lenient extends kit.server(info).constructor {
    async validateToolInput(tool, args) {
      return { ...args, seen: true };
    }
    createToolError(message) {
      return { content: [{ type: 'text', text: `Sorry: ${message}` }], isError: true };
    }
  }
  const server = new Lenient(info);
  server.registerTool('shape', { inputSchema: { n: z.number() } }, show);
  server.registerTool('fails', {}, () => {
    throw new Error('broken');
  });
  return answers(server, [call('shape', { n: 'not a number' }), call('shape'), call('fails'), call('none')]);
});
