// Programs of 2.x that wrap `send` of a transport: what goes with a message goes through them,
// beside the official package, against a server that a test plays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as official from '@modelcontextprotocol/client';
import * as ours from 'mcpbolt/v2/client';
import { json, rawServer, stream } from './support/raw-http.mjs';
import { about, event, soon } from './support/v2.mjs';

const META = { 'io.modelcontextprotocol/serverInfo': { name: 'raw', version: '1' } };
const whole = (result) => ({ resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...result });
const schema = { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' }, day: { type: 'string' } } };

/** A server of 2026-07-28 with one tool; its calls are left open if the day is "never". */
function play({ id, method, params }, _, res) {
  if (method === 'server/discover') {
    return json(res, whole({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, _meta: META }), id) ?? true;
  }
  if (method === 'tools/list') return json(res, whole({ tools: [{ name: 'weather', inputSchema: schema }] }), id) ?? true;
  if (method !== 'tools/call') return false;
  if (params.arguments.day === 'never') return stream(res);
  return json(res, whole({ content: [{ type: 'text', text: 'rain' }] }), id) ?? true;
}

/** A client on a transport whose `send` a program has wrapped; what that was given is in `sent`. */
async function wrapped({ Client, StreamableHTTPClientTransport }, options, answer = play) {
  const raw = await rawServer({ play: answer });
  const transport = new StreamableHTTPClientTransport(raw.url, options);
  const [sent, send] = [[], transport.send];
  transport.send = function (message, ...more) {
    sent.push({ message, options: more[0] });
    return send.call(this, message, ...more);
  };
  const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
  await soon(client.connect(transport), 'connection');
  await soon(client.listTools(), 'list');
  const calls = () => sent.filter(({ message }) => message.method === 'tools/call');
  return { client, raw, sent, calls };
}

for (const [name, kit] of Object.entries({ official, ours })) {
  test(`headers that repeat arguments pass through a wrapped send (${name})`, async () => {
    const { client, raw, calls } = await wrapped(kit);
    const result = await soon(client.callTool({ name: 'weather', arguments: { city: 'Reykjavík', day: 'today' } }), 'answer');
    assert.equal(result.content[0].text, 'rain');
    await client.callTool({ name: 'weather', arguments: { day: 'today' } });
    const wanted = `=?base64?${Buffer.from('Reykjavík').toString('base64')}?=`;
    const [one, other] = calls().map(({ options }) => options);
    assert.deepEqual(one.headers, { 'Mcp-Param-City': wanted });
    assert.ok(one.requestSignal instanceof AbortSignal && !one.requestSignal.aborted);
    assert.deepEqual(other?.headers ?? {}, {});
    const heads = raw.requests.filter(({ message }) => message?.method === 'tools/call').map(({ headers }) => headers);
    assert.deepEqual(heads.map((headers) => headers['mcp-param-city']), [wanted, undefined]);
    assert.deepEqual(heads.map((headers) => [headers['mcp-method'], headers['mcp-name']]), [['tools/call', 'weather'], ['tools/call', 'weather']]);
    await client.close();
  });

  test(`a request that is given up closes its own stream, and says nothing else (${name})`, async () => {
    const { client, raw, sent, calls } = await wrapped(kit);
    const { promise, happened } = event();
    raw.server.on('request', (req, res) => res.on('close', () => res.writableFinished || happened()));
    const faults = [];
    client.onerror = (error) => faults.push(error.message);
    const stop = new AbortController();
    const call = client.callTool({ name: 'weather', arguments: { city: 'Rome', day: 'never' } }, { signal: stop.signal });
    await soon(new Promise((resolve) => raw.server.once('request', resolve)), 'request');
    stop.abort('enough');
    await assert.rejects(soon(call, 'end'), /enough/);
    await soon(promise, 'end of the stream');
    assert.equal(calls()[0].options.requestSignal.aborted, true);
    assert.equal(sent.some(({ message }) => message.method === 'notifications/cancelled'), false);
    assert.deepEqual(faults, []);
    await client.close();
  });
}

for (const [name, kit] of Object.entries({ official, ours })) {
  test(`a refusal that answers the request is its error (${name})`, async () => {
    const refuses = ({ id, method }, _, res) => {
      if (method !== 'tools/call') return play({ id, method }, _, res);
      const error = { code: -32020, message: 'Header mismatch: no' };
      res.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      return true;
    };
    const { client } = await wrapped(kit, {}, refuses);
    const faults = [];
    client.onerror = (error) => faults.push(error.message);
    const failed = await soon(client.request({ method: 'tools/call', params: { name: 'other', arguments: {} } }).catch((error) => error), 'error');
    assert.deepEqual([failed.constructor.name, failed.code, failed.message], ['ProtocolError', -32020, 'Header mismatch: no']);
    assert.deepEqual(faults, []);
    await client.close();
  });

  test(`a request whose stream the program would resume is sent like any other (${name})`, async () => {
    const { Client, StreamableHTTPClientTransport } = kit;
    const raw = await rawServer({ play });
    const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
    await soon(client.connect(new StreamableHTTPClientTransport(raw.url)), 'connection');
    const tokens = [];
    const options = { onresumptiontoken: (token) => tokens.push(token) };
    const result = await soon(client.callTool({ name: 'weather', arguments: { day: 'today' } }, options), 'answer');
    assert.deepEqual([result.content[0].text, tokens], ['rain', []]);
    assert.equal(raw.requests.at(-1).headers['mcp-protocol-version'], '2026-07-28');
    await client.close();
  });

  test(`the end of a subscription's stream ends the subscription (${name})`, async () => {
    let last;
    const acknowledges = ({ id, method, params }, _, res) => {
      if (method !== 'subscriptions/listen') return play({ id, method, params }, _, res);
      last = stream(res);
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      const told = { jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications: { toolsListChanged: true } } };
      res.write(`data: ${JSON.stringify(told)}\n\n`);
      return true;
    };
    const { client } = await wrapped(kit, {}, acknowledges);
    const { honoredFilter, closed } = await soon(client.listen({ toolsListChanged: true }), 'acknowledgement');
    assert.deepEqual(honoredFilter, { toolsListChanged: true });
    last.end();
    assert.equal(await soon(closed, 'end'), 'remote');
    await client.close();
  });
}

for (const [name, kit] of Object.entries({ official, ours })) {
  for (const way of ['as it is', 'wrapped', 'with a fetch']) {
    test(`headers of one request (${name}, a transport ${way})`, async () => {
      const { Client, StreamableHTTPClientTransport } = kit;
      const raw = await rawServer({ play });
      const transport = new StreamableHTTPClientTransport(raw.url, way === 'with a fetch' ? { fetch: (...parts) => fetch(...parts) } : {});
      if (way === 'wrapped') transport.onmessage = () => undefined;
      const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
      await soon(client.connect(transport), 'connection');
      await soon(client.listTools(), 'list');
      const headers = { 'x-trace': 'one', 'Mcp-Method': 'forged', 'mcp-param-city': 'forged' };
      await soon(client.callTool({ name: 'weather', arguments: { city: 'Rome', day: 'today' } }, { headers }), 'answer');
      await soon(client.callTool({ name: 'weather', arguments: { day: 'today' } }), 'answer');
      const heads = raw.requests.filter(({ message }) => message?.method === 'tools/call').map(({ headers: sent }) => sent);
      const shown = heads.map((sent) => [sent['x-trace'], sent['mcp-method'], sent['mcp-param-city']?.split(', ').at(-1)]);
      assert.deepEqual(shown, [['one', 'tools/call', 'Rome'], [undefined, 'tools/call', undefined]]);
      await client.close();
    });
  }
}
