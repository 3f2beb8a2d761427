// The boundary from Node, in memory and over a child's stdio. Run by check.sh.
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const { Inbox, Server } = createRequire(import.meta.url)(process.env.MCPBOLT_ADDON);
const user = new AsyncLocalStorage();
const FORM = JSON.stringify({ message: '?', requestedSchema: { type: 'object', properties: {} } });
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
const message = (id, method, params) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
const initialized = Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}');
const call = (id, args, more = {}) => message(id, 'tools/call', { name: 'echo', arguments: args, ...more });
const text = (value) => ({ content: [{ type: 'text', text: value }] });

function newServer(inbox, options = {}) {
  const server = new Server(JSON.stringify(options), inbox);
  const about = { serverInfo: { name: 'node', version: '1' }, capabilities: { tools: {} } };
  server.setSnapshot('server', 0, JSON.stringify(about));
  server.setSnapshot('tools', 0, JSON.stringify([{ tool: { name: 'echo', inputSchema: { type: 'object' } } }]));
  return server;
}

/** A small facade: two crossings per batch, whatever its size. */
class Loop {
  calls = new Map();
  waiting = new Map();
  contexts = new Map();
  done = [];
  other = [];
  #flushing = false;

  constructor(inbox) {
    this.inbox = inbox;
    // The callback is registered outside of every call's context.
    user.exit(() => inbox.onReady(() => this.drain()));
  }

  drain() {
    try {
      for (const item of JSON.parse(this.inbox.take(64, 1 << 20))) this.act(item);
    } finally {
      this.schedule();
    }
  }

  act(item) {
    const [kind, id] = item;
    if (kind === 'request') {
      const run = this.contexts.get(item[3]) ?? ((body) => user.exit(body));
      const abort = new AbortController();
      this.calls.set(id, abort);
      run(() => handler(this, item, abort.signal)).then(
        (result) => this.finish({ id, result }),
        (error) => this.finish({ id, error: { code: -32603, message: String(error) } }),
      );
    } else if (kind === 'cancel') {
      this.calls.get(id)?.abort();
    } else if (this.waiting.has(id)) {
      this.waiting.get(id)(item);
      this.waiting.delete(id);
    } else {
      this.other.push(item);
    }
  }

  finish(outcome) {
    this.calls.delete(outcome.id);
    this.done.push(outcome);
    this.schedule();
  }

  schedule() {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      const done = this.done.splice(0);
      if (done.length > 0) this.inbox.complete(JSON.stringify(done));
      this.inbox.drained();
    });
  }

  wait(id) {
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  async item(kind, signal) {
    while (!signal?.aborted) {
      const at = this.other.findIndex((item) => item[0] === kind);
      if (at >= 0) return this.other.splice(at, 1)[0];
      await turn();
    }
    return undefined;
  }
}

async function handler(host, [, id, , , , , params], signal) {
  const args = params.arguments ?? {};
  if (args.do === 'hang') await new Promise((done) => signal.addEventListener('abort', done));
  if (args.do === 'who') return text(user.getStore());
  if (args.do === 'ask') {
    const answer = await host.wait(host.inbox.request(id, 'elicitation/create', FORM));
    return text(answer[4].action);
  }
  if (args.do === 'flood') {
    let n = 0;
    const send = () => host.inbox.send(id, 'notifications/progress', JSON.stringify({ progress: n++, message: 'x'.repeat(99) }));
    while (send() === 'sent');
    await host.wait(id);
    assert.equal(send(), 'sent');
  }
  return text(args.text ?? '');
}

async function inMemory() {
  const inbox = new Inbox();
  const server = newServer(inbox, { send_queue: { bytes: 2000 } });
  const host = new Loop(inbox);
  const connection = server.connect(false);
  const feed = (bytes, origin = 0, on = connection) => server.feed(on, bytes, origin).map((m) => JSON.parse(m));
  const out = (on = connection) => server.takeOutgoing(on).map((m) => JSON.parse(m));
  const until = async (on = connection, id) => {
    for (;;) {
      const found = out(on).find((m) => id === undefined || m.id === id);
      if (found) return found;
      await turn();
    }
  };
  assert.equal(feed(message(0, 'initialize', hello))[0].result.serverInfo.name, 'node');
  feed(initialized);
  feed(call(1, { text: 'hi' }));
  assert.equal((await until()).result.content[0].text, 'hi');

  feed(call(2, { do: 'hang' }));
  feed(Buffer.from('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}'));
  feed(call(3, { do: 'hang' }));
  while (host.calls.size === 0) await turn();
  assert.equal(host.calls.size, 1);
  feed(Buffer.from('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}'));
  while (host.calls.size > 0) await turn();

  // A wait that is given up takes nothing with it.
  const waiting = new AbortController();
  const never = host.item('never', waiting.signal);
  waiting.abort();
  assert.equal(await never, undefined);
  feed(call(4, { text: 'kept' }));
  assert.equal((await until(connection, 4)).id, 4);

  feed(call(5, { do: 'flood' }, { _meta: { progressToken: 1 } }));
  assert.equal((await until(connection, 5)).id, 5);

  for (const [origin, name] of [[7, 'ann'], [8, 'bob']]) {
    host.contexts.set(origin, user.run(name, () => AsyncLocalStorage.snapshot()));
    feed(call(origin, { do: 'who' }), origin);
    assert.equal((await until(connection, origin)).result.content[0].text, name);
  }

  const other = server.connect(false);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  feed(call(1, { do: 'ask' }, { _meta }), 0, other);
  const { result } = await until(other);
  assert.equal(result.resultType, 'input_required');
  const inputResponses = Object.fromEntries(Object.keys(result.inputRequests).map((key) => [key, { action: 'decline' }]));
  feed(call(2, { do: 'ask' }, { _meta, inputResponses, requestState: result.requestState }), 0, other);
  assert.equal((await until(other)).result.content[0].text, 'decline');

  const asked = inbox.askHost('store.get', '{"key":"k"}');
  const ask = await host.item('ask');
  assert.deepEqual(ask.slice(2), ['store.get', { key: 'k' }]);
  assert.equal(inbox.complete(JSON.stringify([{ id: ask[1], result: 'value' }])), 1);
  assert.equal(asked.answered(), '"value"');

  server.disconnect(connection);
  await host.item('closed');
  assert.ok(inbox.settle(5000));
  console.log('ok: in memory');
}

function benchInMemory(total = 64_000) {
  const inbox = new Inbox();
  const server = newServer(inbox);
  const connection = server.connect(true);
  const newline = Buffer.from('\n');
  server.feed(connection, Buffer.concat([message(0, 'initialize', hello), newline, initialized, newline]), 0);
  inbox.take(64, 1 << 20);
  const lines = Buffer.concat(Array.from({ length: 64 }, (_, n) => Buffer.concat([call(n + 1, { text: 'hello' }), newline])));
  const start = performance.now();
  for (let round = 0; round < total / 64; round += 1) {
    server.feed(connection, lines, 0);
    const done = [];
    while (done.length < 64) {
      for (const item of JSON.parse(inbox.take(64, 1 << 20))) {
        if (item[0] === 'request') done.push({ id: item[1], result: text('hello') });
      }
    }
    inbox.complete(JSON.stringify(done));
    assert.equal(server.takeOutgoing(connection).length, 64);
  }
  const rate = total / ((performance.now() - start) / 1000);
  console.log(`bench: feed, take, complete: ${Math.round(rate).toLocaleString('en')} calls/s`);
}

async function child() {
  const inbox = new Inbox();
  const host = new Loop(inbox);
  const server = newServer(inbox);
  server.listenStdio();
  // The wake keeps nothing alive: an open connection does.
  const alive = setInterval(() => {}, 1 << 30);
  await new Promise((done) => {
    const act = host.act.bind(host);
    host.act = (item) => (item[0] === 'closed' ? done() : act(item));
  });
  clearInterval(alive);
  server.close(); // and until here nobody collects it
}

async function overStdio(total = 32_000) {
  const peer = spawn(process.execPath, [fileURLToPath(import.meta.url), 'child'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let replies = 0;
  let first = '';
  let wake = () => {};
  peer.stdout.on('data', (chunk) => {
    if (replies === 0) first += chunk;
    for (const byte of chunk) if (byte === 10) replies += 1;
    wake();
  });
  const until = async (count) => {
    while (replies < count) await new Promise((done) => (wake = done));
  };
  peer.stdin.write(`${message(0, 'initialize', hello)}\n${initialized}\n`);
  await until(1);
  assert.equal(JSON.parse(first).result.serverInfo.name, 'node');
  const lines = Array.from({ length: 64 }, (_, n) => `${call(n + 1, { text: 'hello' })}\n`).join('');
  const start = performance.now();
  for (let round = 0; round < total / 64; round += 1) {
    peer.stdin.write(lines);
    await until(1 + 64 * (round + 1));
  }
  const rate = total / ((performance.now() - start) / 1000);
  console.log(`bench: stdio, 64 in flight: ${Math.round(rate).toLocaleString('en')} calls/s`);
  peer.stdin.end();
  assert.equal(await new Promise((done) => peer.on('exit', done)), 0);
  console.log('ok: stdio');
}

if (process.argv[2] === 'child') {
  await child();
} else {
  await inMemory();
  benchInMemory();
  await overStdio();
}
