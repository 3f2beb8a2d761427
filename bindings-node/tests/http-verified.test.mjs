// What handlers are told of a token that `verify` has accepted: of theirs, whoever else comes meanwhile.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { Client, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { TasksClient } from 'mcpbolt/v2/client/ext/tasks';
import { HEADERS, makeServer, messagesOf, opening, ours, within } from './support/http.mjs';
import { event } from './support/v2.mjs';

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const MODERN = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'x' };

/** All tokens are of one client; what is behind each differs. */
const verify = ({ headers }) => {
  const token = headers.get('authorization').slice('Bearer '.length);
  return { token, clientId: 'shared', scopes: [`scope-${token}`], extra: { tenant: token } };
};

/** A server whose calls wait for each other before they say what they know. */
function meeting() {
  const server = makeServer(ours);
  const [first, second] = [event(), event()];
  server.setRequestHandler(ours.CallToolRequestSchema, async ({ params }, extra) => {
    if (params.arguments.waits) {
      first.happened();
      await second.promise;
    } else second.happened();
    const { token, scopes, extra: more } = extra.authInfo;
    return { content: [{ type: 'text', text: JSON.stringify([token, scopes, more]) }] };
  });
  return { server, entered: first.promise };
}

const WAYS = {
  'the own listener': async (server, options) => {
    const listener = await server.listen({ verify, ...options });
    return [(init) => fetch(listener.url, init), () => listener.close()];
  },
  'a handler': async (server, options) => {
    const handler = createHttpHandler(server, { verify, ...options });
    return [(init) => handler.fetch(new Request('http://any/mcp', init)), () => handler.close()];
  },
};

for (const [way, serve] of Object.entries(WAYS)) {
  describe(`calls of one client with several tokens: ${way}`, () => {
    const told = (token) => JSON.stringify([token, [`scope-${token}`], { tenant: token }]);

    it('without sessions', async () => {
      const { server, entered } = meeting();
      const [send, close] = await serve(server, { sessions: 'none', response: 'json' });
      const call = async (token, waits) => {
        const params = { name: 'x', arguments: { waits }, _meta: META };
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
        const response = await send({ method: 'POST', headers: { ...HEADERS, ...MODERN, authorization: `Bearer ${token}` }, body });
        return (await response.json()).result.content[0].text;
      };
      const one = call('one', true);
      await within(entered, 'the first call');
      assert.equal(await within(call('two', false)), told('two'));
      assert.equal(await within(one), told('one'));
      await close();
    });

    it('in one session', async () => {
      const { server, entered } = meeting();
      const [send, close] = await serve(server, { response: 'json' });
      const post = (token, message, more) => send({ method: 'POST', headers: { ...HEADERS, authorization: `Bearer ${token}`, ...more }, body: JSON.stringify(message) });
      const opened = await post('zero', opening());
      const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
      await post('zero', { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
      const call = async (token, id, waits) => {
        const response = await post(token, { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x', arguments: { waits } } }, session);
        const text = await response.text();
        const [{ result }] = text.startsWith('{') ? [JSON.parse(text)] : messagesOf(text);
        return result.content[0].text;
      };
      const one = call('one', 1, true);
      await within(entered, 'the first call');
      assert.equal(await within(call('two', 2, false)), told('two'));
      assert.equal(await within(one), told('one'));
      await close();
    });
  });
}

it('a call that has become a task is told of its token, too', async (context) => {
  const server = new McpServer({ name: 'tasks', version: '1' }, { engine: { 'tasks.poll_interval': 0.02 } });
  server.registerTool('must', { task: 'required' }, (extra) => ({ content: [{ type: 'text', text: String(extra.authInfo?.token) }] }));
  const listener = await server.listen({ verify });
  context.after(() => listener.close());
  const told = async (token) => {
    const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    new TasksClient(client);
    await client.connect(new StreamableHTTPClientTransport(new URL(listener.url), { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
    const { content } = await client.callTool({ name: 'must' });
    await client.close();
    return content[0].text;
  };
  assert.deepEqual(await within(Promise.all([told('one'), told('two')])), ['one', 'two']);
});
