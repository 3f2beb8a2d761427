// A program that goes on with a session which another process began: it says by the official
// package's names that the session is open, and who the client is. Both lines of the official
// package, and ours.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';

const KITS = {
  'official 1.x': ['@modelcontextprotocol/sdk/server/mcp.js', '@modelcontextprotocol/sdk/server/streamableHttp.js', 'StreamableHTTPServerTransport'],
  'ours, 1.x': ['mcpbolt/server/mcp.js', 'mcpbolt/server/streamableHttp.js', 'StreamableHTTPServerTransport'],
  'official 2.x': ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'NodeStreamableHTTPServerTransport'],
  'ours, 2.x': ['mcpbolt/v2/server', 'mcpbolt/v2/node', 'NodeStreamableHTTPServerTransport'],
};
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };

async function post(url, message, session) {
  const headers = { ...HEADERS, ...(session && { 'mcp-session-id': session }) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }) });
  return { status: answer.status, message: JSON.parse(await answer.text()) };
}

for (const [name, [servers, transports, Transport]] of Object.entries(KITS)) {
  test(`${name}: who the client of a session that goes on is`, async () => {
    const { McpServer } = await import(servers);
    const server = new McpServer({ name: 's', version: '1' });
    const who = () => [server.server.getClientCapabilities(), server.server.getClientVersion()];
    server.registerTool('who', {}, () => ({ content: [{ type: 'text', text: JSON.stringify(who()) }] }));
    const transport = new (await import(transports))[Transport]({ sessionIdGenerator: () => 'known', enableJsonResponse: true });
    await server.connect(transport);
    Object.assign(transport._webStandardTransport, { _initialized: true, sessionId: 'known' });
    server.server._clientCapabilities = { roots: {} };
    server.server._clientVersion = { name: 'earlier', version: '2' };
    const web = createServer((req, res) => transport.handleRequest(req, res));
    await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${web.address().port}/mcp`;
    const call = { method: 'tools/call', params: { name: 'who', arguments: {} } };
    const { status, message } = await post(url, call, 'known');
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(message.result.content[0].text), [{ roots: {} }, { name: 'earlier', version: '2' }]);
    assert.deepEqual(who(), [{ roots: {} }, { name: 'earlier', version: '2' }]);
    assert.deepEqual([server.server._clientCapabilities, server.server._clientVersion], who());
    assert.equal((await post(url, call, 'other')).status, 404);
    await server.close();
    web.closeAllConnections();
    web.close();
  });
}

test('what a client says of itself is true, whatever a program assigned', async () => {
  for (const line of ['', 'v2/']) {
    const { McpServer } = await import(line ? 'mcpbolt/v2/server' : 'mcpbolt/server/mcp.js');
    const { Client, InMemoryTransport } = line ? await import('mcpbolt/v2/client') : { ...(await import('mcpbolt/client/index.js')), ...(await import('mcpbolt/inMemory.js')) };
    const server = new McpServer({ name: 's', version: '1' });
    Object.assign(server.server, { _clientCapabilities: { sampling: {} }, _clientVersion: { name: 'earlier', version: '2' } });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(near);
    const client = new Client({ name: 'now', version: '3' }, { capabilities: { roots: {} } });
    await client.connect(far);
    assert.deepEqual([server.server.getClientCapabilities(), server.server.getClientVersion()], [{ roots: {} }, { name: 'now', version: '3' }]);
    await client.close();
    await server.close();
  }
});
