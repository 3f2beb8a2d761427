// The page of a server about itself, at `/docs`: off unless asked for, behind a key, a real session.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHttpHandler, UsageError } from 'mcpbolt';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { z } from 'zod';
import { McpServer as McpServer2 } from 'mcpbolt/v2/server';

const timeout = 60_000;
const signal = () => AbortSignal.timeout(timeout / 2);

function makeServer(Kind = McpServer) {
  const server = new Kind({ name: 'shown', version: '1' });
  const inputSchema = Kind === McpServer ? { a: z.number(), b: z.number() } : z.object({ a: z.number(), b: z.number() });
  server.registerTool('add', { inputSchema }, ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
  return server;
}

/** Listens with the page; gives back what was written to standard error meanwhile. */
async function listen(t, server, options) {
  const said = [];
  t.mock.method(process.stderr, 'write', (text) => said.push(String(text)));
  const listening = server instanceof McpServer2 ? server.server : server;
  const listener = await listening.listen({ docs: true, ...options }).finally(() => t.mock.restoreAll());
  t.after(() => listener.close());
  const [page, key] = listener.docs.split('#token=');
  return { listener, page, headers: { 'x-mcpbolt-page': key }, said: said.join('') };
}

/** The events of a page, each once. */
async function* events(page, headers) {
  const response = await fetch(`${page}events`, { headers, signal: signal() });
  let rest = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split('\n');
    rest = lines.pop();
    yield* lines.filter(Boolean).map((line) => JSON.parse(line));
  }
}

async function until(told, fits) {
  for (;;) {
    const { value, done } = await told.next();
    assert.ok(!done, 'the events ended');
    if (fits(value)) return value;
  }
}

const post = (url, headers, body) => fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: signal() });

for (const Kind of [McpServer, McpServer2]) {
  test(`who has the URL calls a tool, ${Kind === McpServer ? '1.x' : '2.x'}`, { timeout }, async (t) => {
    const { listener, page, headers, said } = await listen(t, makeServer(Kind));
    assert.equal(page, new URL('/docs/', listener.url).href);
    assert.ok(said.includes(listener.docs), said);
    const html = await fetch(page);
    assert.match(html.headers.get('content-security-policy'), /default-src 'none'/);
    await html.text();
    assert.equal((await post(`${page}messages`, {}, {})).status, 401);
    const told = events(page, headers);
    const ready = await until(told, (event) => event.state === 'ready');
    assert.equal(ready.server.serverInfo.name, 'shown');
    const call = { id: 'p-1', method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } };
    assert.equal((await post(`${page}messages`, headers, call)).status, 202);
    const answer = await until(told, (event) => event.kind === 'answer');
    assert.deepEqual(answer.result.content, [{ type: 'text', text: '3' }]);
    // An open page does not hold up the end.
    await listener.close();
    while (!(await told.next()).done);
  });
}

test('a verifier wants the token of the person, and lets other machines in', { timeout }, async (t) => {
  const verify = ({ headers }) =>
    headers.get('authorization') === 'Bearer s3cret' ? { token: 's3cret', clientId: 'ann', scopes: [] } : { status: 401, challenge: 'Bearer' };
  const { page, headers } = await listen(t, makeServer(), { verify });
  const told = events(page, headers);
  assert.equal((await until(told, (event) => event.state === 'failed')).failure.wantsToken, true);
  assert.equal((await post(`${page}connect`, headers, { token: 's3cret' })).status, 202);
  assert.equal((await until(told, (event) => event.state === 'ready')).server.serverInfo.name, 'shown');
});

test('a fallback has the other paths, and there is no page unless asked for', { timeout }, async (t) => {
  const fallback = (request) => new Response(new URL(request.url).pathname);
  const { listener, page } = await listen(t, makeServer(), { fallback });
  assert.equal(await (await fetch(new URL('/else', listener.url))).text(), '/else');
  assert.match(await (await fetch(page)).text(), /^<!doctype html>/);
  const without = await makeServer().listen();
  t.after(() => without.close());
  assert.equal(without.docs, undefined);
  assert.equal((await fetch(new URL('/docs/', without.url))).status, 404);
});

test('where it cannot be is said with a remedy', { timeout }, async () => {
  const refused = (options, words) =>
    assert.rejects(makeServer().listen({ docs: true, ...options }), (error) => error instanceof UsageError && words.test(error.message));
  await refused({ host: '0.0.0.0' }, /docs: 0\.0\.0\.0:\d+ can be reached from other machines.*listen on 127\.0\.0\.1/);
  await refused({ path: '/docs' }, /docs: .* path is there too/);
  assert.throws(() => createHttpHandler(makeServer(), { docs: true }), /docs: only a listener.*mcpbolt inspect URL/);
});
