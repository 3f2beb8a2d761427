// What those who watch a server over HTTP see: health, readiness, metrics.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { McpServer } from 'mcpbolt/server/mcp.js';

const PAGES = { health: '/healthz', ready: '/readyz', metrics: '/metrics' };

function server() {
  const made = new McpServer({ name: 'watched', version: '1' });
  made.registerTool('work', {}, () => ({ content: [{ type: 'text', text: 'done' }] }));
  return made;
}

/** The samples of a page in the text format of Prometheus; every line has to be one, or a comment. */
function samples(text) {
  const found = new Map();
  for (const line of text.trimEnd().split('\n')) {
    const comment = /^# (?:HELP [a-zA-Z_:][\w:]* .*|TYPE [a-zA-Z_:][\w:]* (?:counter|gauge|histogram))$/;
    const sample = /^([a-zA-Z_:][\w:]*(?:\{(?:[a-zA-Z_]\w*="[^"\\\n]*",?)+\})?) (\S+)$/;
    if (comment.test(line)) continue;
    const [, name, value] = sample.exec(line) ?? assert.fail(`no sample: ${line}`);
    assert.ok(!Number.isNaN(Number(value)) && !found.has(name), line);
    found.set(name, Number(value));
  }
  return found;
}

test('a listener that is closed says so before it no longer accepts', async () => {
  const listener = await server().listen({ ...PAGES, shutdownDelay: 2 });
  const root = listener.url.replace('/mcp', '');
  const status = async (path) => (await fetch(root + path)).status;
  assert.deepEqual(await Promise.all(['/healthz', '/readyz', '/livez'].map(status)), [200, 200, 404]);
  const client = new Client({ name: 'caller', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(listener.url)));
  await client.callTool({ name: 'work' });
  const closing = listener.close();
  while ((await status('/readyz')) !== 503);
  assert.equal(await status('/healthz'), 503);
  assert.equal((await client.callTool({ name: 'work' })).content[0].text, 'done');
  const page = await fetch(`${root}/metrics`);
  assert.match(page.headers.get('content-type'), /^text\/plain; version=0\.0\.4/);
  assert.equal(samples(await page.text()).get('mcpbolt_calls_total{method="tools/call",outcome="ok"}'), 2);
  await client.close();
  await closing;
  await assert.rejects(fetch(`${root}/readyz`));
});

test('pages are off by default', async () => {
  const listener = await server().listen();
  const paths = Object.values(PAGES).map((path) => listener.url.replace('/mcp', path));
  assert.deepEqual(await Promise.all(paths.map(async (url) => (await fetch(url)).status)), [404, 404, 404]);
  await listener.close();
});

test('a handler in a web server of the program’s answers at the same paths', async () => {
  const handler = createHttpHandler(server(), { ...PAGES, verify: () => ({ status: 401 }) });
  const status = async (path) => (await handler.fetch(new Request(`http://localhost${path}`))).status;
  assert.deepEqual(await Promise.all(Object.values(PAGES).map(status)), [200, 200, 401]);
  await handler.close();
});

test('paths that cannot be told apart are refused by name', async () => {
  const refused = (options, words) => assert.rejects(server().listen(options), words);
  await refused({ health: 'healthz' }, /health: "healthz" .* begins with a slash/);
  await refused({ ready: '/mcp' }, /ready: "\/mcp" is the path of `path` too/);
  await refused({ health: '/z', metrics: '/z' }, /metrics: "\/z" is the path of `health` too/);
});
