// Log messages of a handler that sends many at once: none is lost, as with the official package.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, test } from 'node:test';
import { Client } from 'mcpbolt/client/index.js';
import { StreamableHTTPClientTransport } from 'mcpbolt/client/streamableHttp.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { StreamableHTTPServerTransport } from 'mcpbolt/server/streamableHttp.js';
import { within } from './support/bounds.mjs';

const MANY = 3000;
/** So large that they do not all fit into what a stream holds. */
const WORDS = 'x'.repeat(500);

function server() {
  const made = new McpServer({ name: 's', version: '1' }, { capabilities: { logging: {} } });
  made.registerTool('talk', {}, async (extra) => {
    for (let data = 0; data < MANY; data++) {
      await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data, logger: WORDS } });
    }
    return { content: [] };
  });
  made.registerTool('say', {}, async () => {
    for (let data = 0; data < MANY; data++) await made.sendLoggingMessage({ level: 'info', data, logger: WORDS });
    return { content: [] };
  });
  return made;
}

const WAYS = {
  async memory() {
    const [own, other] = InMemoryTransport.createLinkedPair();
    await server().connect(other);
    return own;
  },
  async HTTP() {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => 's' });
    await server().connect(transport);
    const listener = http.createServer((req, res) => transport.handleRequest(req, res));
    await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));
    after(() => (listener.closeAllConnections(), listener.close()));
    return new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${listener.address().port}/`));
  },
};

// What belongs to no request goes over HTTP on a stream of its own, which a client opens when it likes.
for (const [name, way] of [['talk', 'memory'], ['say', 'memory'], ['talk', 'HTTP']]) {
  test(`all log messages of a tool arrive, however many they are (${name}, ${way})`, async () => {
    const client = new Client({ name: 'c', version: '1' });
    const heard = [];
    const all = new Promise((resolve) => {
      client.fallbackNotificationHandler = async ({ params }) => {
        heard.push(params);
        if (heard.length === MANY) resolve();
      };
    });
    await client.connect(await WAYS[way]());
    await within(client.callTool({ name }));
    await within(all, 'the rest of the messages');
    assert.deepEqual(heard.map(({ data }) => data), Array.from({ length: MANY }, (_, data) => data));
    assert.deepEqual(Object.keys(heard.at(-1)).sort(), ['data', 'level', 'logger']);
    await client.close();
  });
}
