// Handlers of web-standard requests on `node:http` and HTTP/2, beside the official adapter.
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { test } from 'node:test';
import * as official from '@modelcontextprotocol/node';
import { createMcpHandler as officialHandler } from '@modelcontextprotocol/server';
import * as ours from 'mcpbolt/v2/node';
import { createMcpHandler } from 'mcpbolt/v2/server';
import { event, small, soon, web } from './support/v2.mjs';

/** A request as an adapter sees it, with these parts of a body. */
function requestOf({ method = 'POST', url = '/mcp', headers = {}, parts = [] }) {
  return Object.assign((async function* () { yield* parts; })(), { method, url, headers });
}

const shown = async (request) => ({
  method: request.method,
  url: request.url,
  headers: Object.fromEntries(request.headers.entries()),
  body: await request.text(),
});

const failure = ({ name, status, message }) => ({ name, status, message });

async function same(script) {
  const theirs = await script(official, officialHandler);
  assert.deepEqual(await script(ours, createMcpHandler), theirs);
  return theirs;
}

const JSON_TYPE = { 'content-type': 'application/json' };

test('requests of HTTP/2 and those whose body was parsed become web-standard requests', async () => {
  const pseudo = { ':method': 'POST', ':path': '/mcp', ':scheme': 'https', ':authority': 'example.com:8443' };
  const coded = { ...JSON_TYPE, host: 'a.example', 'content-length': '3', 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' };
  const cases = [
    [{ headers: { ...pseudo, ...JSON_TYPE }, parts: ['{"a":', Buffer.from('"é"}')] }],
    [{ headers: coded }, { a: 'é' }],
    [{ headers: coded }, null],
    [{ headers: { ...JSON_TYPE, host: 'a.example', 'x-two': ['one', 'two'] }, url: '//b.example/mcp?q=1' }, {}],
    [{ method: 'get', headers: { host: 'a.example' } }],
    [{ method: 'DELETE', headers: { host: 'a.example' } }],
  ];
  const requests = await same(async ({ toWebRequest }) => {
    const all = [];
    for (const [req, parsed] of cases) all.push(await shown(await toWebRequest(requestOf(req), parsed)));
    return all;
  });
  assert.equal(requests[0].url, 'http://example.com:8443/mcp');
  assert.equal(requests[1].headers['content-length'], '10');
});

test('bodies beyond the limit are refused before and while they are read', async () => {
  const refused = await same(async ({ toWebRequest, toNodeHandler }) => {
    const outcomes = [];
    for (const headers of [{ ...JSON_TYPE, 'content-length': '100' }, JSON_TYPE]) {
      const request = requestOf({ headers, parts: ['x'.repeat(60), 'x'.repeat(40)] });
      outcomes.push(await toWebRequest(request, undefined, { maxRequestBodySize: 64 }).catch(failure));
    }
    const errors = [];
    const handler = toNodeHandler({ fetch: async () => new Response() }, { maxRequestBodySize: 64, onerror: (error) => errors.push(error) });
    await web(handler, async (url) => {
      const response = await fetch(url, { method: 'POST', headers: JSON_TYPE, body: 'x'.repeat(100) });
      outcomes.push([response.status, response.headers.get('connection'), await response.json()]);
    });
    assert.throws(() => toNodeHandler({ fetch: async () => new Response() }, { maxRequestBodySize: 0 }), RangeError);
    return [outcomes, errors.length];
  });
  assert.equal(refused[0][2][0], 413);
});

test('the limit of the adapter holds for our own endpoint too', () =>
  same(async ({ toNodeHandler }, create) => {
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x'.repeat(100) } });
    const outcome = event();
    await web(toNodeHandler(create(() => small()), { maxRequestBodySize: 64 }), async (url) => {
      const response = await fetch(url, { method: 'POST', headers: JSON_TYPE, body: call });
      outcome.happened([response.status, await response.json()]);
    });
    return outcome.promise;
  }));

test('a handler that fails is answered for, whatever onerror does', async () => {
  const answers = await same(async ({ toNodeHandler }) => {
    const results = [];
    const errors = [];
    const onerror = (error) => {
      errors.push([error instanceof Error, error.message]);
      throw new Error('the callback fails too');
    };
    for (const [fault, body] of [
      [new Error('down'), { jsonrpc: '2.0', id: 7, method: 'tools/list' }],
      ['a text', { jsonrpc: '2.0', id: 7, result: {} }],
      [new Error('down'), [1]],
    ]) {
      const handler = toNodeHandler({ fetch: async () => Promise.reject(fault) }, { onerror });
      await web((req, res) => handler(req, res, body), async (url) => {
        const response = await fetch(url, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
        results.push([response.status, response.headers.get('content-type'), await response.json()]);
      });
    }
    return [results, errors];
  });
  assert.deepEqual(answers[0][0], [500, 'application/json', { jsonrpc: '2.0', error: { code: -32603, message: 'Internal server error' }, id: 7 }]);
});

test('a closed endpoint is answered for', () =>
  same(async ({ toNodeHandler }, create) => {
    const handler = create(() => small());
    await handler.close();
    const outcome = event();
    await web(toNodeHandler(handler), async (url) => {
      const response = await fetch(url, { method: 'POST', headers: JSON_TYPE, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
      outcome.happened([response.status, await response.json()]);
    });
    return outcome.promise;
  }));

/** A response that says after each part whether it takes more, and when it does again. */
class Slow {
  parts = [];
  heads = [];
  listeners = { close: [], drain: [] };
  full = event();
  ended = event();
  writeHead(...head) {
    this.heads.push(head);
  }
  write(part) {
    this.parts.push(Buffer.from(part).toString());
    this.full.happened();
    return false;
  }
  end() {
    this.ended.happened();
  }
  on(name, listener) {
    this.listeners[name]?.push(listener);
  }
  emit(name) {
    this.full = event();
    for (const listener of this.listeners[name]) listener();
  }
}

/** A stream that counts what was taken from it. */
function counted(parts) {
  let pulled = 0;
  let cancelled = false;
  const stream = new ReadableStream(
    {
      pull(controller) {
        if (pulled === parts.length) return controller.close();
        controller.enqueue(Buffer.from(parts[pulled++]));
      },
      cancel: () => void (cancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { stream, state: () => [pulled, cancelled] };
}

test('a response is read no faster than its client takes it, and no longer than it stays', () =>
  same(async ({ toNodeHandler }) => {
    const states = [];
    const { stream, state } = counted(['a', 'b', 'c', 'd']);
    const res = new Slow();
    const signals = [];
    const fetch = async (request) => {
      signals.push(request.signal);
      return new Response(stream, { headers: { 'x-own': '1' } });
    };
    const served = toNodeHandler({ fetch })(requestOf({ method: 'GET', headers: { host: 'a.example' } }), res);
    for (let round = 0; round < 3; round++) {
      await soon(res.full.promise, 'part');
      await new Promise(setImmediate);
      states.push([...res.parts], state());
      if (round < 2) res.emit('drain');
    }
    res.emit('close');
    await soon(served, 'end');
    states.push(state()[1], signals[0].aborted, res.heads);
    return states;
  }));

test('a response that is complete aborts nothing', () =>
  same(async ({ toNodeHandler }) => {
    const res = new Slow();
    const signals = [];
    const fetch = async ({ signal }) => {
      signals.push(signal);
      return new Response(null, { status: 202 });
    };
    await toNodeHandler({ fetch })(requestOf({ method: 'GET', headers: { host: 'a.example' } }), res);
    res.emit('close');
    return [signals[0].aborted, res.heads];
  }));

test('each cookie is a header of its own', async () => {
  const headers = new Headers({ 'x-own': '1' });
  headers.append('set-cookie', 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT');
  headers.append('set-cookie', 'b=2');
  await web(ours.toNodeHandler({ fetch: async () => new Response('x', { headers }) }), async (url) => {
    const response = await fetch(url);
    assert.deepEqual(response.headers.getSetCookie(), ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2']);
  });
});

test('an HTTP/2 server answers through both ways', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const handler of [createMcpHandler(() => small()), { fetch: async (request) => Response.json({ url: request.url, body: await request.json() }) }]) {
    const server = http2.createServer(ours.toNodeHandler(handler));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address();
    const client = http2.connect(`http://127.0.0.1:${port}`);
    const accept = 'application/json, text/event-stream';
    const stream = client.request({ ':method': 'POST', ':path': '/mcp', ...JSON_TYPE, accept, 'mcp-protocol-version': '2025-06-18' });
    const answered = event();
    let text = '';
    stream.setEncoding('utf8').on('data', (part) => (text += part)).on('end', answered.happened);
    stream.end(JSON.stringify(list));
    await soon(answered.promise, 'answer');
    assert.match(text, text.includes('"url"') ? new RegExp(`"url":"http://127.0.0.1:${port}/mcp"`) : /"echo"/);
    client.close();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('a body that nobody has read is read, whatever a middleware set in its place', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { ...JSON_TYPE, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  const ask = (handler) =>
    web(handler, async (url) => {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(list) });
      return [response.status, /"echo"/.test(await response.text())];
    });
  const unread = await same(({ toNodeHandler }, create) => {
    const handler = toNodeHandler(create(() => small()));
    // As a parser of forms does with a type that is not its own.
    return ask((req, res) => handler(Object.assign(req, { body: {} }), res));
  });
  assert.deepEqual(unread, [200, true]);
  const handler = ours.toNodeHandler(createMcpHandler(() => small()));
  const read = async (req, res) => {
    const parts = await req.toArray();
    return handler(Object.assign(req, { body: JSON.parse(Buffer.concat(parts)) }), res);
  };
  assert.deepEqual(await ask(read), [200, true]);
});
