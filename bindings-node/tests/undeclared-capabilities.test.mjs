// What a server's questions to a client end with that did not declare their capability, beside both official lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as officialClient2 from '@modelcontextprotocol/client';
import * as officialServer2 from '@modelcontextprotocol/server';
import * as ourClient2 from 'mcpbolt/v2/client';
import * as ourServer2 from 'mcpbolt/v2/server';
import { within } from './support/bounds.mjs';

const FILES = ['client/index.js', 'server/index.js', 'server/mcp.js', 'inMemory.js', 'types.js'];
const kit1 = async (name) => Object.assign({}, ...(await Promise.all(FILES.map((file) => import(`${name}/${file}`)))));
const LINES = {
  1.32: [await kit1('@modelcontextprotocol/sdk'), await kit1('mcpbolt')],
  2.4: [{ ...officialClient2, ...officialServer2 }, { ...ourClient2, ...ourServer2 }],
};
const info = { name: 'x', version: '1' };
const messages = [{ role: 'user', content: { type: 'text', text: 'x' } }];
const requestedSchema = { type: 'object', properties: {} };

const QUESTIONS = {
  sampling: (server) => server.createMessage({ messages, maxTokens: 1 }),
  'sampling with tools': (server) => server.createMessage({ messages, maxTokens: 1, tools: [{ name: 't', inputSchema: { type: 'object' } }] }),
  roots: (server) => server.listRoots(),
  'a form': (server) => server.elicitInput({ message: 'm', requestedSchema }),
  'a URL': (server) => server.elicitInput({ mode: 'url', message: 'm', url: 'https://example.com/', elicitationId: '1' }),
};

/** A server of either kind whose tool runs a function; the low-level server, to ask with, is its argument. */
function serverOf(kit, kind, options, run) {
  const server = new kit[kind](info, { capabilities: { tools: {} }, ...options });
  if (kind === 'McpServer') server.registerTool('ask', {}, () => run(server.server));
  else server.setRequestHandler(kit.CallToolRequestSchema ?? 'tools/call', () => run(server));
  return server;
}

/** Calls the tool of such a server, as a client that declared these capabilities. */
async function called(kit, kind, options, capabilities, run) {
  const server = serverOf(kit, kind, options, run);
  const [near, far] = kit.InMemoryTransport.createLinkedPair();
  await server.connect(near);
  const client = new kit.Client(info, { capabilities });
  await client.connect(far);
  const answer = await within(client.callTool({ name: 'ask', arguments: {} }).catch((error) => error));
  await client.close();
  return answer;
}

/** How each question ends: inside a call, and from outside on its connection. */
async function ends(kit, kind, options, capabilities) {
  const all = {};
  await called(kit, kind, options, capabilities, async (server) => {
    for (const [name, ask] of Object.entries(QUESTIONS)) {
      const error = await ask(server).then(() => assert.fail(`${name} was answered`), (thrown) => thrown);
      all[name] = { kind: error.constructor.name, code: error.code, message: error.message, data: error.data };
    }
    return { content: [] };
  });
  return all;
}

/** The words that the official client refuses with are not said of what was not asked. */
const withoutWords = ({ code, message, ...rest }) => ({ ...rest, code, ...(code !== -32601 && { message }) });
const comparable = (all) => Object.fromEntries(Object.entries(all).map(([name, end]) => [name, withoutWords(end)]));

for (const [line, [official, ours]] of Object.entries(LINES)) {
  for (const kind of ['McpServer', 'Server']) {
    for (const options of [{}, { enforceStrictCapabilities: true }]) {
      test(`${line} ${kind}: kinds and codes are the official ones, ${JSON.stringify(options)}`, async () => {
        for (const capabilities of [{}, { sampling: {} }, { elicitation: {} }]) {
          const [theirs, mine] = [await ends(official, kind, options, capabilities), await ends(ours, kind, options, capabilities)];
          assert.deepEqual(comparable(mine), comparable(theirs), JSON.stringify(capabilities));
        }
      });
    }
  }
}

test('a program that looks for the code goes on without the client, and is told what is missing', async () => {
  // differs: undeclared-requests
  const [theirs, mine] = await Promise.all(LINES[1.32].map((kit) => ends(kit, 'McpServer', {}, {})));
  assert.equal(theirs.sampling.message, 'MCP error -32601: Method not found');
  assert.equal(mine.sampling.message, 'MCP error -32601: Client does not support sampling (required for sampling/createMessage)');
  assert.equal(mine.roots.message, 'MCP error -32601: Client does not support listing roots (required for roots/list)');
  // differs: undeclared-requests-2
  const mine2 = await ends(LINES[2.4][1], 'McpServer', {}, {});
  assert.equal(mine2.sampling.message, 'Client does not support sampling (required for sampling/createMessage)');
});

for (const [line, kits] of Object.entries(LINES)) {
  test(`${line}: a refusal that nobody catches reaches the client as the official one`, async () => {
    for (const kind of ['McpServer', 'Server']) {
      const [theirs, mine] = await Promise.all(kits.map((kit) => called(kit, kind, {}, {}, QUESTIONS.roots)));
      assert.deepEqual([mine.isError, mine.code, mine.data], [theirs.isError, theirs.code, theirs.data], kind);
      assert.match(mine.message ?? mine.content[0].text, /Client does not support listing roots/);
    }
  });
}
