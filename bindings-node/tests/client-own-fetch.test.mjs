// When requests of a client leave by the program's `fetch`, and when by the engine: as those of Node's `fetch` would.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { START_BOUND, within } from './support/bounds.mjs';
import { event, rawServer, stream, WELCOME } from './support/raw-http.mjs';
import { Lines } from './support/start.mjs';

const NAMES = ['mcpbolt', '@modelcontextprotocol/sdk'];
const [major, minor] = process.versions.node.split('.').map(Number);
/** Whether Node's `fetch` can be told to read `HTTP_PROXY`. */
const READS_PROXY = major >= 24 || (major === 22 && minor >= 21);

const http = await rawServer();
const sse = await rawServer({
  get: (_, res) => void stream((sse.open = res)).write('event: endpoint\ndata: /mcp\n\n'),
  play: (message, _, res) => {
    if (message.id !== undefined) event(sse.open, { jsonrpc: '2.0', id: message.id, result: message.method === 'initialize' ? WELCOME : {} });
    return res.writeHead(202).end();
  },
});

/** Runs a program that connects a client by `kind`, after `before` and once the package is imported `then`; what it printed. */
async function connects(name, kind, { before = '', then = '', env = {}, url = { http, sse }[kind].url }) {
  const [file, transport] = { http: ['streamableHttp', 'StreamableHTTPClientTransport'], sse: ['sse', 'SSEClientTransport'] }[kind];
  const program = `
    let calls = 0;
    ${before}
    const { Client } = await import('${name}/client/index.js');
    const { ${transport} } = await import('${name}/client/${file}.js');
    ${then}
    const client = new Client({ name: 'x', version: '1' });
    const failure = await client.connect(new ${transport}(new URL('${url}'))).then(() => undefined, (error) => error);
    console.log(failure === undefined ? 'connected' : 'failed', calls > 0);
    process.exit();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: new URL('.', import.meta.url),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, errors] = [new Lines(child.stdout), new Lines(child.stderr)];
  await within(once(child, 'close'), 'the end of a program', START_BOUND).finally(() => child.kill('SIGKILL'));
  return printed.text || errors.text;
}

const DISPATCHER = "Symbol.for('undici.globalDispatcher.1')";
/** An agent of Node's own class that notes each connection. */
const AGENT = `
  const { connect } = await import('node:net');
  await fetch('data:,');
  const { constructor: Agent } = globalThis[${DISPATCHER}];
  globalThis[${DISPATCHER}] = new Agent({
    connect: ({ hostname, port }, done) => {
      calls++;
      const socket = connect(Number(port), hostname, () => done(null, socket));
    },
  });`;
const WRAPPED = 'const own = globalThis.fetch; globalThis.fetch = (url, init) => (calls++, own(url, init));';

for (const kind of ['http', 'sse']) {
  for (const [what, when] of Object.entries({
    '`fetch` replaced before the import': { before: WRAPPED },
    '`fetch` replaced after the import': { then: WRAPPED },
    '`fetch` replaced by a bound function': { before: 'globalThis.fetch = ((own) => function (...args) { calls++; return own(...args); })(globalThis.fetch).bind(null);' },
    'an agent of Node with options': { before: AGENT },
    'an agent of Node with options, after the import': { then: AGENT },
  })) {
    test(`${kind}: ${what} is used`, async () => {
      for (const name of NAMES) assert.equal(await connects(name, kind, when), 'connected true\n', name);
    });
  }
}

test('Node\'s own `fetch`, used before, leaves requests to the engine', async () => {
  // Requests of the engine have no `sec-fetch-mode`.
  const mark = http.requests.length;
  assert.equal(await connects('mcpbolt', 'http', { before: "await fetch('data:,');", then: "await fetch('data:,');" }), 'connected false\n');
  assert.deepEqual(http.requests.slice(mark).map(({ headers }) => headers['sec-fetch-mode']).filter(Boolean), []);
});

const proxied = [];
const proxy = createServer((socket) => (proxied.push(socket), socket.on('error', () => undefined).destroy()));
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
after(() => proxy.close());
const dead = `http://127.0.0.1:${proxy.address().port}`;
const env = { HTTP_PROXY: dead, http_proxy: dead, ALL_PROXY: dead, NO_PROXY: '', no_proxy: '' };

test('`HTTP_PROXY` is not read, as Node\'s `fetch` does not read it', async () => {
  for (const kind of ['http', 'sse']) {
    // Only a proxy could know this name: those of this machine are never asked of one.
    for (const name of NAMES) assert.equal(await connects(name, kind, { env, url: 'http://nowhere.invalid/mcp' }), 'failed false\n', name);
  }
  assert.equal(proxied.length, 0);
});

test('`HTTP_PROXY` is read where Node\'s `fetch` is told to', { skip: !READS_PROXY && 'this Node cannot be told' }, async () => {
  for (const name of NAMES) assert.equal(await connects(name, 'http', { env: { ...env, NODE_USE_ENV_PROXY: '1' } }), 'failed false\n', name);
  assert.ok(proxied.length >= 2);
});
