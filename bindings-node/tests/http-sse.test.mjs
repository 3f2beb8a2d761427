// The older HTTP transport: the same requests to the official one and to ours, and the
// official client on ours.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import express from 'express';
import { ask, listen, makeServer, mixed, official, opening, ours, oursWrapped, stripped, within } from './support/http.mjs';

const express4 = createRequire(import.meta.url)('express4');
const JSON_TYPE = { 'content-type': 'application/json' };
const ping = (id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });

/** A stream that is read as it comes. */
class Events {
  text = '';
  #watchers = [];

  constructor(port) {
    this.controller = new AbortController();
    this.begun = fetch(`http://127.0.0.1:${port}/sse`, { signal: this.controller.signal }).then((answer) => {
      this.status = answer.status;
      this.headers = answer.headers;
      this.read(answer.body).catch(() => undefined);
    });
  }

  async read(body) {
    const decoder = new TextDecoder();
    for await (const part of body) {
      this.text += decoder.decode(part, { stream: true });
      for (const watcher of this.#watchers) watcher();
    }
    this.ended = true;
    for (const watcher of this.#watchers) watcher();
  }

  until(test) {
    const found = new Promise((resolve) => {
      const look = () => test(this.text, this.ended) && resolve(this.text);
      this.#watchers.push(look);
      look();
    });
    return within(found, 'events');
  }
}

/** One session at a time, as in the tutorials. */
async function app(kit, options, gates = {}) {
  const server = makeServer(kit, gates);
  const failures = [];
  let transport;
  const listener = await listen((req, res) => {
    if (req.method === 'GET') {
      transport = kit.prepare(new kit.SSEServerTransport('/messages?x=1', res, options));
      transport.onerror = (error) => failures.push(error.name);
      void server.connect(transport);
    } else transport.handlePostMessage(req, res, gates.parsed).catch((error) => failures.push(error.message));
  });
  const events = new Events(listener.port);
  await events.begun;
  await events.until((text) => text.includes('\n\n'));
  const post = (body, headers = {}, more = {}) => ask(listener.port, { path: '/messages', headers: { ...JSON_TYPE, ...headers }, body, ...more });
  return { ...listener, server, events, post, failures, get transport() { return transport; } };
}

const SCENARIOS = [
  ['ping', [(app) => app.post(ping(1))], 1],
  ['a call', [(app) => app.post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'notify' } }))], 2],
  ['no JSON', [(app) => app.post('{')]],
  ['no message', [(app) => app.post('{"a":1}'), (app) => app.post('[]')]],
  ['text/plain', [(app) => app.post(ping(1), { 'content-type': 'text/plain' })]],
  ['no type', [(app) => ask(app.port, { path: '/messages', body: ping(1) })]],
  ['a type that is none', [(app) => app.post(ping(1), { 'content-type': 'json' })]],
  ['another charset', [(app) => app.post(Buffer.from(ping(1), 'utf16le'), { 'content-type': 'application/json; charset=utf-16le' })], 1],
  ['a charset nobody knows', [(app) => app.post(ping(1), { 'content-type': 'application/json; charset=nope' })]],
  ['too large', [(app) => app.post(`"${'x'.repeat(5 * 1024 * 1024)}"`)]],
  ['the guard', [(app) => app.post(ping(1), { host: 'evil' }), (app) => app.post(ping(1), { origin: 'http://evil' }), (app) => app.post(ping(2))], 1],
  ['closed', [async (app) => { await app.transport.close(); return app.post(ping(1)); }]],
];

async function run(kit, steps, answers) {
  const options = { enableDnsRebindingProtection: true, allowedHosts: [], allowedOrigins: ['http://good'] };
  const it = await app(kit, options);
  try {
    options.allowedHosts.push(`127.0.0.1:${it.port}`);
    await it.post(JSON.stringify(opening()));
    await it.events.until((text) => text.includes('serverInfo'));
    const seen = [];
    for (const step of steps) {
      const { status, body } = await step(it);
      seen.push({ status, body });
    }
    const text = await it.events.until((text) => text.split('\n\n').length > answers + 2);
    const about = [it.events.status, it.events.headers.get('content-type'), it.events.headers.get('cache-control')];
    return { seen, about, events: stripped(text), failures: it.failures.map((name) => name.replace(/^\w*Error$/, 'Error')) };
  } finally {
    it.events.controller.abort();
    await it.close();
  }
}

describe('the official SSE transport and ours', () => {
  for (const [name, steps, answers = 0] of SCENARIOS) {
    describe(name, () => {
      let expected;
      before(async () => (expected = await run(official, steps, answers)));
      for (const kit of [ours, oursWrapped, mixed]) {
        it(kit.name, async () => assert.deepEqual(await run(kit, steps, answers), expected));
      }
    });
  }
});

describe('the SSE server of the tutorials', () => {
  for (const [name, make] of [['Express 5', express], ['Express 4', express4]]) {
    it(name, async () => {
      const app = make();
      const server = makeServer(ours);
      let transport = null;
      app.get('/sse', (req, res) => {
        transport = new ours.SSEServerTransport('/messages', res);
        server.connect(transport);
      });
      app.post('/messages', (req, res) => {
        if (transport) transport.handlePostMessage(req, res);
      });
      const listener = await listen(app);
      const client = new Client({ name: 'c', version: '1' });
      await client.connect(new SSEClientTransport(new URL(`http://127.0.0.1:${listener.port}/sse`)));
      const result = await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
      assert.equal(result.content[0].text, 'hi');
      assert.equal((await client.listTools()).tools[0].name, 'echo');
      const over = new Promise((resolve) => (transport.onclose = resolve));
      await client.close();
      await within(over, 'onclose');
      await listener.close();
    });
  }
});
