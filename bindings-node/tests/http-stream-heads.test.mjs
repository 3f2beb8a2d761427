// When the head of a stream leaves: before there is anything to say, and the stream goes on
// where it has no signs of life.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { Client, StreamableHTTPClientTransport } from 'mcpbolt/v2/client';
import { toNodeHandler } from 'mcpbolt/v2/node';
import { createMcpHandler } from 'mcpbolt/v2/server';
import { listen, official, ours, within } from './support/http.mjs';
import { about, event, small, soon } from './support/v2.mjs';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'held' } };

for (const kit of [official, ours]) {
  test(`the head of a stream leaves while the handler is at work: ${kit.name}`, async () => {
    const held = event();
    const { url, close } = await listen(async (req, res) => {
      const server = new kit.Server({ name: 'slow', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler(kit.CallToolRequestSchema, async () => ({ content: [{ type: 'text', text: await held.promise }] }));
      const transport = new kit.StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      await server.connect(transport);
      await transport.handleRequest(req, res);
    });
    const answer = await within(fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify(CALL) }), 'the head');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/event-stream');
    held.happened('released');
    const body = await within(answer.text(), 'the rest');
    assert.match(body, /^event: message\n/m);
    assert.match(body, /released/);
    await close();
  });
}

/** Listens at `url`, has `change` happen, and waits until it is told of. */
async function isTold(url, change) {
  const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
  const changed = event();
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.happened(true));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const subscription = await client.listen({ toolsListChanged: true });
  change();
  assert.equal(await soon(changed.promise, 'change'), true);
  await subscription.close();
  await client.close();
}

test('a stream without signs of life goes on: createMcpHandler', async () => {
  const handler = createMcpHandler(() => small(), { keepAliveMs: 0 });
  const { url, close } = await listen(toNodeHandler(handler));
  await isTold(url, () => handler.notify.toolsChanged());
  await close();
});

test('a stream without signs of life goes on: listen', async (t) => {
  const server = new McpServer({ name: 'quiet', version: '1' });
  const tool = server.registerTool('one', {}, () => ({ content: [] }));
  const listener = await server.listen({ keepAlive: null });
  t.after(() => listener.close());
  await isTold(listener.url, () => tool.update({ description: 'changed' }));
});
