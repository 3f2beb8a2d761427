// What a listening server says to clients that are not connected at that moment.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { ElicitRequestSchema, ElicitResultSchema } from 'mcpbolt/types.js';

const timeout = 60_000;
const URI = 'test://thing';

function makeServer() {
  const server = new McpServer({ name: 'announcer', version: '1' }, { capabilities: { resources: { subscribe: true } } });
  server.registerResource('thing', URI, {}, () => ({ contents: [] }));
  server.registerTool('confirm', {}, async (extra) => {
    const params = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };
    const { action } = await extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema);
    await server.server.sendResourceUpdated({ uri: URI });
    return { content: [{ type: 'text', text: action }] };
  });
  return server;
}

for (const protocol of ['legacy', 'modern']) {
  test(`a handler announces changes after a question, ${protocol}`, { timeout }, async (t) => {
    const listener = await makeServer().listen();
    t.after(() => listener.close());
    const client = new Client({ name: 'asked', version: '1' }, { protocol, capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
    await client.connect(new StreamableHTTPClientTransport(new URL(listener.url)));
    assert.deepEqual((await client.callTool({ name: 'confirm' })).content, [{ type: 'text', text: 'accept' }]);
    await client.close();
  });
}

test('changes may be announced when nobody is there, as long as somebody may come', { timeout }, async () => {
  const server = makeServer();
  await assert.rejects(server.server.sendResourceUpdated({ uri: URI }), /Not connected/);
  const listener = await server.listen();
  await server.server.sendResourceUpdated({ uri: URI });
  await server.server.sendResourceListChanged();
  await listener.close();
  await assert.rejects(server.server.sendResourceUpdated({ uri: URI }), /Not connected/);
});
