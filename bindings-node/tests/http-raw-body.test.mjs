// Requests whose body the platform has read already and left in `rawBody`, as Firebase and Google Cloud
// Functions do: both lines of the official package, and ours.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { ask, HEADERS, listen, makeServer, messagesOf, opening, ours } from './support/http.mjs';

const KITS = {
  'official 1.x': ['@modelcontextprotocol/sdk/server/mcp.js', '@modelcontextprotocol/sdk/server/streamableHttp.js', 'StreamableHTTPServerTransport'],
  'ours, 1.x': ['mcpbolt/server/mcp.js', 'mcpbolt/server/streamableHttp.js', 'StreamableHTTPServerTransport'],
  'official 2.x': ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'NodeStreamableHTTPServerTransport'],
  'ours, 2.x': ['mcpbolt/v2/server', 'mcpbolt/v2/node', 'NodeStreamableHTTPServerTransport'],
};
const body = JSON.stringify(opening());
/** Without a length, as bodies come that are compressed on the way. */
const CHUNKED = { ...HEADERS, 'transfer-encoding': 'chunked' };

/** Serves requests once all of their body is read. */
const served = (handle) =>
  listen(async (req, res) => {
    const parts = [];
    for await (const part of req) parts.push(part);
    req.rawBody = Buffer.concat(parts);
    await handle(req, res);
  });

for (const [name, [servers, transports, Transport]] of Object.entries(KITS)) {
  test(`${name}: a body that was read already is taken from where it is`, async () => {
    const { McpServer } = await import(servers);
    for (const [headers, maxRequestBodySize, expected] of [[HEADERS, undefined, 200], [CHUNKED, body.length, 200], [CHUNKED, body.length - 1, 413]]) {
      const server = new McpServer({ name: 's', version: '1' });
      const transport = new (await import(transports))[Transport]({ sessionIdGenerator: () => 'one', maxRequestBodySize });
      await server.connect(transport);
      const { port, close } = await served((req, res) => transport.handleRequest(req, res));
      const answer = await ask(port, { headers, body });
      assert.equal(answer.status, expected);
      if (expected === 200) assert.equal(messagesOf(answer.body)[0].result.serverInfo.name, 's');
      await server.close();
      await close();
    }
  });
}

test('and by the handler of the package, small or large', async () => {
  const handler = createHttpHandler(makeServer(ours), { response: 'json' });
  const { port, close } = await served((req, res) => handler(req, res));
  const large = JSON.stringify({ ...opening(), padding: 'x'.repeat(300_000) });
  for (const [headers, text] of [[HEADERS, body], [CHUNKED, body], [HEADERS, large], [CHUNKED, large]]) {
    const answer = await ask(port, { headers, body: text });
    assert.equal(answer.status, 200, answer.body);
    assert.equal(JSON.parse(answer.body).result.serverInfo.name, 's');
  }
  await close();
});
