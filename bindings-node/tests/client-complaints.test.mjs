// What users of the official package complain about, each as a test.
import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Client } from 'mcpbolt/client/index.js';
import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { START_BOUND, within } from './support/bounds.mjs';
import { Lines, officialHttp, peer } from './support/start.mjs';
import { event, rawServer, stream } from './support/raw-http.mjs';

const info = { name: 'complaints', version: '1.0.0' };
const official = (...args) => ({ command: process.execPath, args: [peer('official-server.mjs'), ...args], stderr: 'ignore' });

async function connected(transport, options) {
  const client = new Client(info, options);
  await client.connect(transport);
  return client;
}

/** Whether a process is there, and no zombie. */
async function isAlive(pid) {
  const { readFile } = await import('node:fs/promises');
  try {
    const status = await readFile(`/proc/${pid}/stat`, 'utf8');
    return !/\) [ZX] /.test(status);
  } catch {
    return false;
  }
}

/** Waits for the end of a process that may be another's child. */
function gone(pid) {
  let looking;
  const ended = new Promise((resolve) => {
    looking = setInterval(async () => (await isAlive(pid)) || resolve(), 10);
  });
  return within(ended, `the end of process ${pid}`).finally(() => clearInterval(looking));
}

test('a client whose session the server forgot opens another and goes on', async () => {
  const server = await officialHttp('--http');
  const client = await connected(new StreamableHTTPClientTransport(server.url));
  const states = [];
  client.session.onStateChange((state) => states.push(state));
  const before = client.session.info.sessionId;
  assert.equal((await client.listTools()).tools[0].name, 'echo');
  await fetch(new URL('/sessions', server.url), { method: 'DELETE' });
  assert.equal((await client.listTools()).tools[0].name, 'echo');
  assert.notEqual(client.session.info.sessionId, before);
  assert.deepEqual((await client.callTool({ name: 'echo', arguments: { text: 'on' } })).content, [{ type: 'text', text: 'on' }]);
  const seen = await (await fetch(new URL('/seen', server.url))).json();
  assert.equal(seen.filter((line) => line === 'POST initialize').length, 2);
  assert.deepEqual(states, ['reconnecting', 'ready']);
  await client.close();
});

test('a tool that may change something is not called twice', async () => {
  const server = await officialHttp('--http');
  const client = await connected(new StreamableHTTPClientTransport(server.url));
  await fetch(new URL('/sessions', server.url), { method: 'DELETE' });
  await assert.rejects(client.callTool({ name: 'echo', arguments: { text: 'once' } }), {
    name: 'Error',
    code: 404,
    message: 'Streamable HTTP error: Error POSTing to endpoint: the server has ended the session',
  });
  assert.equal((await client.callTool({ name: 'echo', arguments: { text: 'next' } })).content[0].text, 'next');
  await client.close();
});

test('progress resets the timeout without a callback, for a token is sent', async () => {
  const client = await connected(new StdioClientTransport(official()));
  const slow = { name: 'slow', arguments: { steps: 8, wait: 60 } };
  const result = await client.callTool(slow, undefined, { timeout: 300, resetTimeoutOnProgress: true });
  assert.equal(result.content[0].text, 'done');
  await assert.rejects(client.callTool(slow, undefined, { timeout: 300 }), { code: -32001, data: { timeout: 300 }, kind: 'timeout' });
  await assert.rejects(client.callTool(slow, undefined, { timeout: 200, resetTimeoutOnProgress: true, maxTotalTimeout: 350 }), {
    message: 'MCP error -32001: Maximum total timeout exceeded',
  });
  await client.close();
});

test('a stream of events that breaks off is opened again, and nothing is lost', async () => {
  const streams = [];
  let opened;
  const again = new Promise((resolve) => (opened = resolve));
  const { url } = await rawServer({
    sessionId: 'one',
    get(req, res) {
      streams.push(req.headers['last-event-id']);
      stream(res);
      res.write('retry: 1\n\n');
      if (streams.length === 1) {
        event(res, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, 'a1');
        setImmediate(() => res.destroy());
      } else {
        event(res, { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'note://one' } }, 'a2');
        opened();
      }
    },
  });
  const client = new Client(info);
  const updated = new Promise((resolve) => {
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
  });
  await client.connect(new StreamableHTTPClientTransport(url));
  await within(again, 'the second stream');
  assert.equal(await within(updated), 'note://one');
  assert.deepEqual(streams.slice(0, 2), [undefined, 'a1']);
  await client.close();
});

test('an answer whose stream broke off is taken up where it was', async () => {
  let resumed;
  const { url } = await rawServer({
    play(message, _, res) {
      if (message.method !== 'tools/call') return false;
      stream(res);
      res.write('retry: 1\n\n');
      event(res, undefined, 'p1');
      setImmediate(() => res.destroy());
      resumed = message.id;
      return true;
    },
    get(req, res) {
      if (req.headers['last-event-id'] !== 'p1') return void res.writeHead(405).end();
      stream(res);
      event(res, { jsonrpc: '2.0', id: resumed, result: { content: [{ type: 'text', text: 'late' }] } }, 'p2');
    },
    sessionId: 'one',
  });
  const client = await connected(new StreamableHTTPClientTransport(url));
  assert.equal((await within(client.callTool({ name: 'x' }))).content[0].text, 'late');
  await client.close();
});

test('a server that falls silent is noticed when asked to', async () => {
  const script = `
    process.stdin.on('data', (chunk) => {
      const message = JSON.parse(chunk);
      if (message.method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'mute', version: '1' } } }));
    });`;
  const transport = new StdioClientTransport({ command: process.execPath, args: ['-e', script] });
  const client = await connected(transport, { keepAlive: { interval: 0.05, timeout: 0.05 } });
  const reason = await within(client.session.closed, 'the end');
  assert.equal(reason?.local, true);
});

test('closing ends the server and everything it started', async () => {
  const script = 'sleep 1000 & echo $! >&2; exec cat >/dev/null';
  const transport = new StdioClientTransport({ command: 'sh', args: ['-c', script], stderr: 'pipe' });
  const lines = new Lines(transport.stderr);
  await transport.start();
  const [, grandchild] = await lines.until(/(\d+)\n/);
  const { pid } = transport;
  assert.ok(await isAlive(pid));
  await within(transport.close(), 'close', 10_000);
  await gone(pid);
  await gone(Number(grandchild));
});

test('a server that ignores the end of its input and SIGTERM is killed', async () => {
  const transport = new StdioClientTransport({ command: 'sh', args: ['-c', 'trap "" TERM; echo up >&2; while :; do sleep 1; done'], stderr: 'pipe' });
  const lines = new Lines(transport.stderr);
  await transport.start();
  await lines.until(/up/);
  const { pid } = transport;
  await within(transport.close(), 'close', 10_000);
  await gone(pid);
});

test('no server outlives a program that ends without a word', async () => {
  const script = `
    import { Client } from 'mcpbolt/client/index.js';
    import { StdioClientTransport } from 'mcpbolt/client/stdio.js';
    const transport = new StdioClientTransport(${JSON.stringify(official())});
    await new Client({ name: 'x', version: '1' }).connect(transport);
    console.log(transport.pid);
    process.exit(0);`;
  const program = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: new URL('.', import.meta.url) });
  const lines = new Lines(program.stdout);
  const [pid] = await lines.until(/\d+/, START_BOUND);
  await gone(Number(pid));
});

test('no server outlives a thread that was ended', async () => {
  const worker = new Worker(new URL('support/worker-client.mjs', import.meta.url));
  const [[pid, text]] = await within(once(worker, 'message'), 'a word of the thread', START_BOUND);
  assert.equal(text, 'from a thread');
  await worker.terminate();
  await gone(pid);
});

test('a server that fills its standard error is not stuck, though nobody reads it', async () => {
  const script = `process.stderr.write('x'.repeat(200) + '\\n'); ${'for (let i = 0; i < 20000; i++) process.stderr.write("y".repeat(200) + "\\n");'}
    process.stdin.on('data', (chunk) => {
      for (const line of String(chunk).trim().split('\\n')) {
        const message = JSON.parse(line);
        const result = message.method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'loud', version: '1' } } : {};
        if (message.id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
      }
    });`;
  const transport = new StdioClientTransport({ command: process.execPath, args: ['-e', script], stderr: 'pipe' });
  const client = await within(connected(transport), 'connecting', 10_000);
  await within(client.ping());
  await client.close();
});

test('a signal that is used again and again gathers no listeners', async () => {
  const client = await connected(new StdioClientTransport(official()));
  const controller = new AbortController();
  const { signal } = controller;
  const warnings = [];
  const warned = (warning) => warnings.push(warning.name);
  process.on('warning', warned);
  await Promise.all(Array.from({ length: 200 }, () => client.ping({ signal })));
  await assert.rejects(client.callTool({ name: 'fail' }, undefined, { signal }));
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
  const hanging = [client.callTool({ name: 'hang' }, undefined, { signal }), client.callTool({ name: 'hang' }, undefined, { signal })];
  assert.equal(getEventListeners(signal, 'abort').length, 1);
  controller.abort(new Error('enough'));
  for (const one of hanging) await assert.rejects(one, { message: 'MCP error -32001: Error: enough' });
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', warned);
  assert.deepEqual(warnings, []);
  await client.close();
});

test('connecting again and again leaves nothing on client or transport', async () => {
  const { url } = await rawServer();
  const client = new Client(info);
  let closes = 0;
  client.onclose = () => (closes += 1);
  for (let round = 1; round <= 20; round++) {
    await client.connect(new StreamableHTTPClientTransport(url));
    await client.close();
    assert.equal(closes, round);
  }
});

test('a server that crashed is started again where that is wanted', async () => {
  const transport = new StdioClientTransport({ ...official(), restart: { max: 2, backoff: 1 } });
  const client = await connected(transport);
  const states = [];
  let back;
  const again = new Promise((resolve) => (back = resolve));
  client.session.onStateChange((state) => (states.push(state), state === 'ready' && back()));
  const before = client.session.info.pid;
  await assert.rejects(client.callTool({ name: 'exit' }), { kind: 'closed' });
  await within(again, 'the new server');
  assert.equal((await client.callTool({ name: 'echo', arguments: { text: 'again' } })).content[0].text, 'again');
  assert.notEqual(client.session.info.pid, before);
  assert.deepEqual(states, ['reconnecting', 'ready']);
  await client.close();
});
