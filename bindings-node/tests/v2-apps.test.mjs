// Pages of a server, for a host in 2.x: what a model is told of, what is shown and under which policy,
// what a page may call.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Client } from 'mcpbolt/v2/client';
import { AppError, AppsClient, showsApps } from 'mcpbolt/v2/client/apps';
import { extend } from 'mcpbolt/v2/client/extension';
import { McpServer } from 'mcpbolt/v2/server';
import { clientExtension } from 'mcpbolt/v2/server/extension';

const PAGE = 'ui://clock/app.html';
const TYPE = 'text/html;profile=mcp-app';
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const ui = (visibility) => ({ _meta: { ui: { resourceUri: PAGE, ...(visibility && { visibility }) } } });
const policy = (connect) =>
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  `font-src 'self'; media-src 'self' data:; connect-src ${connect}; frame-src 'none'; object-src 'none'; base-uri 'self';`;

function clock(connectDomains, mimeType = TYPE) {
  const server = new McpServer({ name: 'clock', version: '1' });
  server.registerTool('time', ui(), (ctx) => text(clientExtension(ctx, 'io.modelcontextprotocol/ui') ? 'with a page' : '12:00'));
  server.registerTool('again', ui(['app']), () => text('12:01'));
  server.registerTool('stop', ui(['model']), () => assert.fail('no page may call it'));
  server.registerTool('plain', {}, () => text('no page'));
  const meta = { ui: { permissions: { camera: {} }, prefersBorder: true, ...(connectDomains && { csp: { connectDomains } }) } };
  const contents = [{ uri: PAGE, mimeType, text: '<p id=time>', _meta: meta }];
  server.registerResource('clock', PAGE, { mimeType }, () => ({ contents }));
  return server;
}

async function visiting(server, versionNegotiation) {
  const client = new Client({ name: 'host', version: '1' }, { versionNegotiation });
  extend(client, showsApps());
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  const apps = new AppsClient(client);
  return { client, apps, tools: Object.fromEntries((await apps.modelTools()).map((tool) => [tool.name, tool])) };
}

for (const [era, versionNegotiation] of Object.entries({ legacy: {}, modern: { mode: 'auto' } })) {
  test(`a page is shown under the policy that the engine makes (${era})`, async () => {
    const origins = ['https://a.example', '*', 'https://b.example; script-src *'];
    const { client, apps, tools } = await visiting(clock(origins), versionNegotiation);
    assert.deepEqual(Object.keys(tools), ['time', 'stop', 'plain']);
    assert.equal((await client.callTool({ name: 'time' })).content[0].text, 'with a page');
    const shown = { uri: PAGE, html: '<p id=time>', policy: policy(origins[0]), allow: 'camera', ignored: origins.slice(1), domain: null, border: true };
    assert.deepEqual(await apps.page(tools.time), shown);
    assert.equal(await apps.page(tools.plain), undefined);
    await client.close();
  });

  test(`a page calls tools of its own server that are for pages (${era})`, async () => {
    const { client, apps, tools } = await visiting(clock(), versionNegotiation);
    assert.equal((await apps.page(tools.time)).policy, policy("'none'"));
    assert.equal((await apps.call('again', {})).content[0].text, '12:01');
    for (const [name, reason] of [['stop', 'not_for_apps'], ['tool_of_another', 'unknown']]) {
      const refused = await apps.call(name).catch((error) => error);
      assert.ok(refused instanceof AppError && refused.message.includes(name));
      assert.equal(refused.reason, reason);
    }
    await client.close();
  });
}

test('what is no page is not shown', async () => {
  const { client, apps, tools } = await visiting(clock(undefined, 'text/html'), {});
  await assert.rejects(apps.page(tools.time), { name: 'AppError', reason: 'page', message: /profile=mcp-app/ });
  await client.close();
});
