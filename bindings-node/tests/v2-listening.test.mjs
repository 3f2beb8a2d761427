// Places of subscriptions at an endpoint of the 2.x face: who has one, and when it is free again.
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { toNodeHandler } from 'mcpbolt/v2/node';
import { createMcpHandler } from 'mcpbolt/v2/server';
import { about, event, small, soon, web } from './support/v2.mjs';

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'subscriptions/listen',
};
const CHANGES = { notifications: { toolsListChanged: true } };

const bodyOf = (params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { ...params, _meta: META } });
const listening = (params, signal) => new Request('http://localhost/mcp', { method: 'POST', headers: HEADERS, body: bodyOf(params), signal });

/** The first event of a subscription, and the rest of it. */
async function begun(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await soon(reader.read(), 'event');
  return [value, reader];
}

test('a subscription that is refused keeps no place', async () => {
  const handler = createMcpHandler(() => small(), { maxSubscriptions: 1 });
  const refused = await handler.fetch(listening({}));
  assert.match(await refused.text(), /-32602/);
  await web(toNodeHandler(handler), async (url) => {
    const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(url));
    const subscription = await soon(client.listen({ toolsListChanged: true }), 'subscription');
    await handler.close();
    assert.equal(await soon(subscription.closed, 'end'), 'graceful');
    await client.close();
  });
});

test('of subscriptions that come together no more are taken than may be open', async () => {
  const handler = createMcpHandler(async () => small(), { maxSubscriptions: 1 });
  const left = new AbortController();
  const responses = await Promise.all([0, 1, 2].map(() => handler.fetch(listening(CHANGES, left.signal))));
  const begins = await Promise.all(responses.map(async (response) => (await begun(response))[0]));
  assert.deepEqual(begins.map((text) => /Too many open subscriptions/.test(text)).sort(), [false, true, true]);
  left.abort();
  const [again] = await begun(await handler.fetch(listening(CHANGES)));
  assert.match(again, /acknowledged/);
  await handler.close();
});

test('a subscription whose server is still being made when the endpoint is closed ends as the others do', async () => {
  const [entered, release] = [event(), event()];
  const handler = createMcpHandler(async () => {
    entered.happened();
    await release.promise;
    return small();
  });
  const coming = handler.fetch(listening(CHANGES));
  await soon(entered.promise, 'factory');
  await handler.close();
  release.happened();
  const response = await soon(coming, 'response');
  assert.match(await soon(response.text(), 'end of the stream'), /"result"/);
});

test('who leaves while the server is being made keeps no place', async () => {
  const [entered, release, left] = [event(), event(), event()];
  const handler = createMcpHandler(
    async () => {
      entered.happened();
      await release.promise;
      return small();
    },
    { maxSubscriptions: 1 },
  );
  const adapted = toNodeHandler(handler);
  const app = (req, res) => {
    res.on('close', left.happened);
    return adapted(req, res);
  };
  await web(app, async (url) => {
    const asked = httpRequest(url, { method: 'POST', headers: HEADERS }).on('error', () => undefined);
    asked.end(bodyOf(CHANGES));
    await soon(entered.promise, 'factory');
    asked.destroy();
    await soon(left.promise, 'end of the request');
    release.happened();
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    const [first] = await begun(await handler.fetch(listening(CHANGES)));
    assert.match(first, /acknowledged/);
  });
  await handler.close();
});
