// Long strings pass the boundary by themselves: what arrives is what JSON would have carried.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server/index.js';
import { CallToolRequestSchema } from 'mcpbolt/types.js';
import { within } from './support/peer.mjs';

const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join('');
const long = (part) => part.repeat(Math.ceil(5000 / part.length));

const TEXTS = {
  'plain text': long('the quick brown fox '),
  'what is escaped': long(`${controls}"\\/\u007f\u2028`),
  'one byte a character': long('größere Pausen, à la carte\n'),
  'two bytes a character': long('長い文字列, и ещё\t'),
  'pairs of surrogates': long('a😀b👩‍👩‍👧'),
  'surrogates that stand alone': long('x\ud83d') + long('\ude00y') + '\ud83d',
  'what looks like JSON': long('","b":[{"\\u0000\\"'),
  'one wide character at the end': `${'é'.repeat(5000)}€`,
  'just as long as it takes': 'ü'.repeat(4096),
  'one character less': 'ü'.repeat(4095),
};
// Each character stands at each place of what is looked at together.
for (let before = 0; before <= 16; before++) TEXTS[`shifted by ${before}`] = 'x'.repeat(before) + long('é\n😀\u20ac0123456789abcd"');

/** A server that answers with what `answer` makes of the arguments, and a client of it. */
async function pair(answer) {
  const server = new Server({ name: 'long', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => answer(params.arguments));
  const client = new Client({ name: 'long', version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return { call: (args) => within(client.callTool({ name: 'any', arguments: args })), close: () => client.close() };
}

test('a long string arrives as it was, there and back', async () => {
  const asked = [];
  const { call, close } = await pair((args) => {
    asked.push(args);
    return { content: [{ type: 'text', text: args.text }] };
  });
  for (const [what, text] of Object.entries(TEXTS)) {
    const { content } = await call({ text, [text.slice(0, 20)]: [1, text, { deep: [text] }] });
    // Not assert.equal: it would print both.
    assert.ok(content[0].text === text, `back: ${what}`);
    const got = asked.pop();
    const [, inList, { deep }] = got[text.slice(0, 20)];
    assert.ok(got.text === text && inList === text && deep[0] === text, `there: ${what}`);
  }
  await close();
});

test('a result with long strings is what JSON.stringify makes of it', async () => {
  const text = TEXTS['one byte a character'];
  class Point {
    x = 1;
    note = text;
  }
  const shared = { text, n: -0 };
  const answers = [
    { content: [], structuredContent: { result: text } },
    { content: [{ type: 'resource', resource: { uri: 'a:b', text, mimeType: undefined } }], _meta: { text, at: new Date(0) } },
    { content: [{ type: 'text', text }, { type: 'text', text: 'short' }], structuredContent: { a: [undefined, () => 1, text, [shared, shared]], skipped: undefined } },
    { content: [], structuredContent: { point: new Point(), boxed: new String(text), own: { toJSON: () => ({ text }) } } },
    { content: [], structuredContent: Object.defineProperty({ [`"${text}`]: text }, '__proto__', { value: text, enumerable: true }) },
    { content: [], structuredContent: { deeper: { and: { deeper: { and: { deeper: [text] } } } } } },
  ];
  let next;
  const { call, close } = await pair(() => next);
  for (next of answers) {
    const { content, structuredContent, _meta } = await call({});
    assert.deepEqual({ content, structuredContent, _meta }, { structuredContent: undefined, _meta: undefined, ...JSON.parse(JSON.stringify(next)) });
  }
  await close();
});

test('a result that is no JSON value fails alone, also with long strings', async () => {
  const text = TEXTS['plain text'];
  const circle = { text };
  circle.circle = circle;
  const { call, close } = await pair(({ how }) => ({ content: [{ type: 'text', text }], structuredContent: how === 'circle' ? circle : { n: how === 'big' ? 1n : 1 } }));
  const [good, ...bad] = await Promise.allSettled([call({ how: 'well' }), call({ how: 'circle' }), call({ how: 'big' })]);
  assert.ok(good.value.content[0].text === text);
  assert.deepEqual(bad.map(({ status, reason }) => [status, reason.code]), [['rejected', -32603], ['rejected', -32603]]);
  await close();
});

test('a result that nests too deeply fails alone, and says so', async () => {
  const nested = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`);
  const { call, close } = await pair(({ deep, text = '' }) => ({ content: [{ type: 'text', text }], structuredContent: { n: deep ? nested : [] } }));
  const [good, ...bad] = await Promise.allSettled([call({}), call({ deep: true }), call({ deep: true, text: long('x') })]);
  assert.deepEqual(good.value.structuredContent, { n: [] });
  const words = 'MCP error -32603: the result is no JSON value that can be sent: JSON nests deeper than 128 levels';
  assert.deepEqual(bad.map(({ reason }) => [reason.code, reason.message]), [[-32603, words], [-32603, words]]);
  await close();
});
