// URIs in another spelling than that of the resource: who decides on them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server } from 'mcpbolt/server/index.js';
import { McpServer, ResourceTemplate } from 'mcpbolt/server/mcp.js';
import { ReadResourceRequestSchema, SubscribeRequestSchema } from 'mcpbolt/types.js';
import * as v2 from 'mcpbolt/v2/server';
import * as guest from './support/guest.mjs';

const OTHERS = ['file:///public/../secret/a', 'file:///public/%2e%2e/secret/a', 'FILE:///secret/a', 'file://localhost/secret/./a'];
const info = { name: 'spelled', version: '1' };

const onlyPublic = (_, { thing, name }) => (thing !== 'resource' || name.startsWith('file:///public/') ? 'allow' : 'hide');

/** Servers with a resource, each made in its way; what is read is told. */
const KINDS = {
  server: (options, read) => high(new McpServer(info, options), read),
  'server of 2.x': (options, read) => high(new v2.McpServer(info, options), read),
  template: (options, read) => {
    const server = new McpServer(info, options);
    server.registerResource('secret', new ResourceTemplate('file:///secret/{name}', { list: undefined }), {}, read);
    return server;
  },
  'server by method': (options, read) => {
    const server = new Server(info, { capabilities: { resources: { subscribe: true } }, ...options });
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => read(new URL(params.uri)));
    server.setRequestHandler(SubscribeRequestSchema, ({ params }) => (read(new URL(params.uri)), {}));
    return server;
  },
};

function high(server, read) {
  server.registerResource('secret', 'file:///secret/a', {}, read);
  return server;
}

const connected = (server, protocol, work) => guest.connected(server, work, { protocol });

for (const kind of Object.keys(KINDS)) {
  for (const protocol of ['legacy', 'modern']) {
    const made = (authorize) => {
      const reached = [];
      const read = ({ href }) => (reached.push(href), { contents: [{ uri: href, text: 'secret' }] });
      return [KINDS[kind]({ authorize }, read), reached];
    };

    test(`no spelling of a URI gets past a verdict: ${kind}, ${protocol}`, () => {
      const [server, reached] = made(onlyPublic);
      return connected(server, protocol, async (client) => {
        for (const uri of ['file:///secret/a', ...OTHERS]) await assert.rejects(client.readResource({ uri }), undefined, uri);
        assert.deepEqual(reached, []);
      });
    });

    test(`either spelling can be denied: ${kind}, ${protocol}`, () => {
      const [server, reached] = made((_, { name }) => (name === 'file:///secret/a' || name.includes('..') ? { deny: 'members only' } : 'allow'));
      return connected(server, protocol, async (client) => {
        for (const uri of OTHERS) await assert.rejects(client.readResource({ uri }), /denied: members only/, uri);
        assert.deepEqual(reached, []);
      });
    });
  }
}

test('a subscription in another spelling does not reach the handler', () => {
  const reached = [];
  const server = KINDS['server by method']({ authorize: onlyPublic }, ({ href }) => reached.push(href));
  return connected(server, 'legacy', async (client) => {
    // As for what does not exist, the answer is yes.
    for (const uri of OTHERS) await client.subscribeResource({ uri });
    assert.deepEqual(reached, []);
    await client.subscribeResource({ uri: 'file:///public/b' });
    assert.deepEqual(reached, ['file:///public/b']);
  });
});

for (const [kind, McpServerOf] of [['server', McpServer], ['server of 2.x', v2.McpServer]]) {
  for (const protocol of ['legacy', 'modern']) {
    test(`hidden and absent are told apart in no spelling: ${kind}, ${protocol}`, () => {
      const server = new McpServerOf(info, { authorize: (_, { name }) => (name.includes('secret') ? 'hide' : 'allow') });
      server.registerResource('secret', 'note://secret', {}, () => assert.fail('it is hidden'));
      return connected(server, protocol, async (client) => {
        const learned = async (uri) => {
          const { code, message, data } = await client.readResource({ uri }).catch((error) => error);
          return JSON.stringify({ code, message, data }).replaceAll('absent', 'secret');
        };
        for (const place of ['note://', 'NOTE://', 'note://x/../']) {
          assert.equal(await learned(`${place}secret`), await learned(`${place}absent`), place);
          // The engine has the lists from here on.
          await client.listResources();
          await client.listResourceTemplates();
          assert.equal(await learned(`${place}secret`), await learned(`${place}absent`), place);
        }
      });
    });
  }
}
