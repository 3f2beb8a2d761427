// Streams that are cut, resumed, read slowly or not at all; large bodies; what becomes of
// calls whose client is gone.
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, it } from 'node:test';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { ask, HEADERS, listen, makeServer, messagesOf, opening, ours, oursWrapped, single, Store, within } from './support/http.mjs';

const SESSION = { 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-11-25' };
const EVENTS = { accept: 'text/event-stream', ...SESSION };
const MIB = 1024 * 1024;
const call = (name, id = 1, given = {}) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
};
const modernCall = (name, given = {}) => ({ ...call(name, 1, given), params: { name, arguments: given, _meta: META } });
const modernHeaders = (name) => ({ ...HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name });

/** Something that is waited for. */
function gate() {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return { open, opened: (what = 'gate') => within(opened, what) };
}

/** A request whose answer is read part by part. */
class Reading {
  text = '';
  over = false;
  #watchers = new Set();

  constructor(port, { method = 'POST', headers, body, path = '/mcp' }) {
    this.head = within(
      new Promise((resolve, reject) => {
        this.request = http.request({ port, host: '127.0.0.1', method, headers, path, agent: false }, (answer) => {
          this.answer = answer;
          answer.setEncoding('utf8');
          answer.on('data', (part) => this.#changed((this.text += part)));
          answer.on('close', () => this.#changed((this.over = true)));
          answer.on('error', () => undefined);
          resolve(answer);
        });
        this.request.on('error', reject);
        this.request.end(body);
      }),
      'head',
    );
    this.head.catch(() => undefined);
  }

  #changed() {
    for (const watcher of this.#watchers) watcher();
  }

  until(test, what = 'text') {
    return within(
      new Promise((resolve) => {
        const look = () => test(this.text, this.over) && resolve(this.text);
        this.#watchers.add(look);
        look();
      }),
      what,
    );
  }

  cut() {
    this.request.destroy();
  }
}

/** A tool that waits, and what it sees of its end. */
function waiting() {
  const started = gate();
  const go = gate();
  const aborted = gate();
  const gates = {
    started: (extra) => {
      extra.signal.addEventListener('abort', () => aborted.open('aborted'));
      started.open(extra);
    },
    go: go.opened('go'),
  };
  return { gates, started, go, aborted };
}

describe('clients that leave', () => {
  for (const kit of [ours, oursWrapped]) {
    it(`a GET that is cut makes room for the next: ${kit.name}`, async () => {
      const app = await single(kit);
      await app.post(opening());
      const first = new Reading(app.port, { method: 'GET', headers: EVENTS });
      assert.equal((await first.head).statusCode, 200);
      assert.equal((await ask(app.port, { method: 'GET', headers: EVENTS })).status, 409);
      first.cut();
      for (let tries = 0; ; tries++) {
        const next = new Reading(app.port, { method: 'GET', headers: EVENTS });
        const { statusCode } = await next.head;
        next.cut();
        if (statusCode === 200) break;
        assert.ok(tries < 100);
      }
      await app.close();
    });

    it(`a legacy call goes on without its client: ${kit.name}`, async () => {
      const { gates, started, go, aborted } = waiting();
      const app = await single(kit, {}, gates);
      const said = gate();
      app.server.onerror = (error) => said.open(error.message);
      await app.post(opening());
      const reading = new Reading(app.port, { headers: { ...HEADERS, ...SESSION }, body: JSON.stringify(call('wait')) });
      await started.opened();
      await reading.head;
      const gone = new Promise((resolve) => app.web.on('connection', (socket) => socket.on('close', resolve)));
      reading.cut();
      assert.equal((await app.post({ jsonrpc: '2.0', id: 2, method: 'ping' }, SESSION)).status, 200);
      void gone;
      go.open();
      assert.match(await said.opened(), /No connection established for request ID: 1/);
      assert.equal(await Promise.race([aborted.opened(), Promise.resolve('not aborted')]), 'not aborted');
      await app.close();
    });
  }

  it('a modern call is cancelled with its stream: createHttpHandler', async () => {
    const { gates, started, aborted } = waiting();
    const server = makeServer(ours, gates);
    const handler = createHttpHandler(server);
    const web = await listen(handler);
    const reading = new Reading(web.port, { headers: modernHeaders('wait'), body: JSON.stringify(modernCall('wait')) });
    await started.opened();
    reading.head.catch(() => undefined);
    reading.cut();
    assert.equal(await aborted.opened('abort'), 'aborted');
    await server.close();
    await web.close();
  });

  it('a modern call is cancelled with its stream: a transport', async () => {
    const { gates, started, aborted } = waiting();
    const app = await single(ours, {}, gates);
    const reading = new Reading(app.port, { headers: modernHeaders('wait'), body: JSON.stringify(modernCall('wait')) });
    await started.opened();
    reading.cut();
    assert.equal(await aborted.opened('abort'), 'aborted');
    await app.close();
  });

  it('a modern call is cancelled with its stream: Response', async () => {
    const { gates, started, aborted } = waiting();
    const server = makeServer(ours, gates);
    const handler = createHttpHandler(server, { response: 'sse' });
    const controller = new AbortController();
    const init = { method: 'POST', headers: modernHeaders('wait'), body: JSON.stringify(modernCall('wait')), signal: controller.signal };
    void handler.fetch(new Request('http://any/mcp', init)).catch(() => undefined);
    await started.opened();
    controller.abort();
    assert.equal(await aborted.opened('abort'), 'aborted');
    await server.close();
  });

  it('a body that breaks off does no harm', async () => {
    const server = makeServer(ours);
    const handler = createHttpHandler(server);
    const app = await single(ours);
    const web = await listen(handler);
    for (const port of [web.port, app.port]) {
      for (const length of [100, 5 * MIB]) {
        await new Promise((resolve) => {
          const request = http.request({ port, method: 'POST', path: '/mcp', headers: { ...HEADERS, 'content-length': length }, agent: false });
          request.on('error', resolve);
          request.write('{"jsonrpc":', () => request.destroy(new Error('cut')));
        });
      }
      assert.equal((await ask(port, { method: 'PUT' })).status, 405);
    }
    assert.equal(handler.stats().inFlight, 0);
    await app.close();
    await server.close();
    await web.close();
  });

  it('a call that is cancelled ends its stream without an answer', async () => {
    for (const options of [{}, { enableJsonResponse: true }]) {
      const { gates, started, aborted } = waiting();
      const app = await single(ours, options, gates);
      await app.post(opening());
      const reading = new Reading(app.port, { headers: { ...HEADERS, ...SESSION }, body: JSON.stringify(call('wait')) });
      await started.opened();
      await app.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'enough' } }, SESSION);
      await aborted.opened('abort');
      await reading.until((_, over) => over, 'end');
      assert.deepEqual(messagesOf(reading.text), []);
      await app.close();
    }
  });
});

describe('resuming', () => {
  const kept = async (kit, gates) => {
    const store = new Store();
    const app = await single(kit, { eventStore: store, retryInterval: 10 }, gates);
    await app.post(opening());
    return { ...app, store, get: (after) => new Reading(app.port, { method: 'GET', headers: { ...EVENTS, 'last-event-id': after } }) };
  };

  for (const kit of [ours, oursWrapped]) {
    it(`a stream that was cut goes on where it stopped: ${kit.name}`, async () => {
      const { gates, started, go } = waiting();
      const app = await kept(kit, gates);
      const first = new Reading(app.port, { headers: { ...HEADERS, ...SESSION }, body: JSON.stringify(call('wait')) });
      await first.until((text) => text.includes('id: '));
      const [, primed] = /id: (.*)\n/.exec(first.text);
      await started.opened();
      first.cut();
      await within(until409Ends(app, primed), 'the cut');
      go.open();
      const next = app.get(primed);
      await next.until((text) => text.includes('"result"'), 'the answer');
      assert.equal(messagesOf(next.text)[0].result.content[0].text, 'done');
      next.cut();
      await app.close();
    });

    it(`a stream that the handler closed: ${kit.name}`, async () => {
      const { gates, started, go } = waiting();
      const app = await kept(kit, gates);
      const first = new Reading(app.port, { headers: { ...HEADERS, ...SESSION }, body: JSON.stringify(call('wait')) });
      const extra = await started.opened();
      await first.until((text) => text.includes('id: '));
      extra.closeSSEStream();
      await first.until((_, over) => over, 'end');
      const [, primed] = /id: (.*)\n/.exec(first.text);
      const next = app.get(primed);
      assert.equal((await next.head).statusCode, 200);
      go.open();
      await next.until((text) => text.includes('"result"'), 'the answer');
      await next.until((_, over) => over, 'end');
      await app.close();
    });

    it(`the session’s own stream: ${kit.name}`, async () => {
      const app = await kept(kit);
      const first = new Reading(app.port, { method: 'GET', headers: EVENTS });
      await first.head;
      await app.server.sendLoggingMessage({ level: 'info', data: 'alone' }, 'session-1');
      await first.until((text) => text.includes('alone'));
      const [, last] = /id: (.*)\n/.exec(first.text);
      app.transport.closeStandaloneSSEStream();
      await first.until((_, over) => over, 'end');
      await app.server.sendLoggingMessage({ level: 'info', data: 'while away' }, 'session-1');
      const next = app.get(last);
      await next.until((text) => text.includes('while away'), 'what was missed');
      await app.close();
    });
  }
});

describe('resuming what the engine serves', () => {
  for (const [name, start] of [
    ['a handler', async (server, options) => listen(createHttpHandler(server, options))],
    ['a listener', async (server, options) => server.listen(options)],
  ]) {
    it(`events that a program keeps: ${name}`, async () => {
      const { gates, started, go } = waiting();
      const server = makeServer(ours, gates);
      const store = new Store();
      const web = await start(server, { eventStore: store, response: 'sse', retryMs: 10 });
      const opened = await ask(web.port, { headers: HEADERS, body: JSON.stringify(opening()) });
      const session = { 'mcp-session-id': opened.headers['mcp-session-id'], 'mcp-protocol-version': '2025-11-25' };
      await ask(web.port, { headers: { ...HEADERS, ...session }, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
      const first = new Reading(web.port, { headers: { ...HEADERS, ...session }, body: JSON.stringify(call('wait')) });
      const extra = await started.opened();
      extra.closeSSEStream();
      await first.until((_, over) => over, 'end');
      const [, last] = /^id: (.*)$/m.exec(first.text);
      const headers = { accept: 'text/event-stream', ...session, 'last-event-id': last };
      const next = new Reading(web.port, { method: 'GET', headers });
      assert.equal((await next.head).statusCode, 200);
      go.open();
      await next.until((text) => text.includes('"done"'), 'the answer');
      assert.ok(store.events.some(({ message }) => message.result?.content?.[0].text === 'done'));
      next.cut();
      await server.close();
      if (web.web !== undefined) await web.close();
    });
  }
});

/** The server has heard that a stream was cut: it may be resumed. */
async function until409Ends(app, event) {
  for (;;) {
    const reading = new Reading(app.port, { method: 'GET', headers: { ...EVENTS, 'last-event-id': event } });
    const { statusCode } = await reading.head;
    if (statusCode === 200) {
      reading.cut();
      return;
    }
  }
}

describe('large bodies', () => {
  const text = 'ä'.repeat(5 * MIB);

  it('10 MiB up and down, by transport', async () => {
    for (const options of [{}, { enableJsonResponse: true }]) {
      const app = await single(ours, { maxRequestBodySize: 16 * MIB, ...options });
      await app.post(opening());
      const { body } = await app.post(call('echo', 1, { text }), SESSION);
      const [message] = options.enableJsonResponse ? [JSON.parse(body)] : messagesOf(body);
      assert.equal(message.result.content[0].text.length, text.length);
      await app.close();
    }
  });

  it('10 MiB up and down, by handler, Response and listener', async () => {
    const server = makeServer(ours);
    const handler = createHttpHandler(server);
    const web = await listen(handler);
    const listener = await server.listen();
    const init = { method: 'POST', headers: modernHeaders('echo'), body: JSON.stringify(modernCall('echo', { text })) };
    const answers = [fetch(web.url, init), handler.fetch(new Request('http://any/mcp', init)), fetch(listener.url, init)];
    for (const answer of answers) {
      const answered = await within(answer, 'answer', 20_000);
      const body = await within(answered.text(), 'body', 20_000);
      // What takes the server longer than a moment comes as a stream.
      const [{ result }] = body.startsWith('{') ? [JSON.parse(body)] : messagesOf(body);
      assert.equal(result.content[0].text.length, text.length);
    }
    await server.close();
    await web.close();
  });

  it('more than is taken is 413', async () => {
    const server = makeServer(ours);
    const handler = createHttpHandler(server, { engine: { max_message_bytes: { http_body: 1000 } } });
    const web = await listen(handler);
    const body = JSON.stringify(modernCall('echo', { text: 'x'.repeat(2000) }));
    const init = { method: 'POST', headers: modernHeaders('echo'), body };
    assert.equal((await fetch(web.url, init)).status, 413);
    assert.equal((await handler.fetch(new Request('http://any/mcp', init))).status, 413);
    await server.close();
    await web.close();
  });
});

describe('slow readers', () => {
  it('a handler waits for a client that does not read', async () => {
    const server = makeServer(ours);
    const data = 'x'.repeat(256 * 1024);
    const count = 200;
    let sent = 0;
    server.setRequestHandler(ours.CallToolRequestSchema, async (_, extra) => {
      // Logs would be dropped, progress would be replaced.
      for (; sent < count; sent++) await extra.sendNotification({ method: 'notifications/own', params: { data } });
      return { content: [] };
    });
    const handler = createHttpHandler(server, { response: 'sse' });
    const web = await listen(handler);
    const opened = await ask(web.port, { headers: HEADERS, body: JSON.stringify(opening()) });
    const headers = { ...HEADERS, 'mcp-session-id': opened.headers['mcp-session-id'] };
    await ask(web.port, { headers, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' });
    const reading = new Reading(web.port, { headers, body: JSON.stringify(call('x')) });
    const answer = await reading.head;
    answer.pause();
    let before = -1;
    while (before !== sent) {
      before = sent;
      for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    }
    const ahead = sent;
    answer.resume();
    await within(new Promise((resolve) => answer.on('end', resolve)), 'the rest', 20_000);
    assert.ok(ahead < count, `all ${count} messages were sent to somebody who does not read`);
    assert.equal(messagesOf(reading.text).length, count + 1);
    await server.close();
    await web.close();
  });
});

describe('slow readers of transports', () => {
  const data = 'x'.repeat(MIB);
  const COUNT = 100;

  /** A session whose tool sends a hundred messages, one after the other or all at once. */
  async function flooding(kit, waits) {
    const app = await single(kit);
    const state = { sent: 0, done: gate() };
    app.server.setRequestHandler(ours.CallToolRequestSchema, async (_, extra) => {
      for (; state.sent < COUNT; state.sent++) {
        const sent = extra.sendNotification({ method: 'notifications/own', params: { data } });
        if (waits) await sent;
      }
      state.done.open('done');
      return { content: [] };
    });
    await app.post(opening());
    await app.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, SESSION);
    const reading = new Reading(app.port, { headers: { ...HEADERS, ...SESSION }, body: JSON.stringify(call('x')) });
    return { app, state, reading };
  }

  for (const kit of [ours, oursWrapped]) {
    it(`are waited for: ${kit.name}`, async () => {
      const { app, state, reading } = await flooding(kit, true);
      const answer = await reading.head;
      answer.pause();
      let before = -1;
      while (before !== state.sent) {
        before = state.sent;
        for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
      }
      const ahead = state.sent;
      answer.resume();
      await within(new Promise((resolve) => answer.on('end', resolve)), 'the rest', 20_000);
      assert.ok(ahead < COUNT, `all ${COUNT} messages were sent to somebody who does not read`);
      assert.equal(messagesOf(reading.text).length, COUNT + 1);
      await app.close();
    });
  }

  it('are cut off where nobody waits for them', async () => {
    const warnings = [];
    const warned = ({ message }) => warnings.push(message);
    process.on('warning', warned);
    const { app, state, reading } = await flooding(ours, false);
    reading.head.catch(() => undefined);
    await state.done.opened('the flood');
    await within(new Promise((resolve) => reading.request.on('close', resolve)), 'the cut');
    assert.notEqual(reading.answer?.complete, true);
    assert.equal((await app.post({ jsonrpc: '2.0', id: 2, method: 'ping' }, SESSION)).status, 200);
    await app.close();
    process.off('warning', warned);
    assert.deepEqual(warnings, []);
  });
});

describe('the end', () => {
  it('streams end with the transport, and calls are cancelled', async () => {
    const { gates, started, aborted } = waiting();
    const app = await single(ours, {}, gates);
    await app.post(opening());
    const get = new Reading(app.port, { method: 'GET', headers: EVENTS });
    await get.head;
    const reading = new Reading(app.port, { headers: { ...HEADERS, ...SESSION }, body: JSON.stringify(call('wait')) });
    await started.opened();
    await app.transport.close();
    await get.until((_, over) => over, 'end of GET');
    await reading.until((_, over) => over, 'end of POST');
    await aborted.opened('abort');
    assert.equal((await app.post({ jsonrpc: '2.0', id: 2, method: 'ping' }, SESSION)).status, 404);
    await app.close();
  });

  it('a listener drains: what runs may finish', async () => {
    const { gates, started, go } = waiting();
    const server = makeServer(ours, gates);
    const listener = await server.listen({ drain: 5 });
    const answer = fetch(listener.url, { method: 'POST', headers: modernHeaders('wait'), body: JSON.stringify(modernCall('wait')) });
    await started.opened();
    const closed = listener.close();
    go.open();
    assert.equal((await (await within(answer, 'answer')).json()).result.content[0].text, 'done');
    await within(closed, 'closed');
  });
});
