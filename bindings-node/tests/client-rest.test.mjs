// How long a client that is not closed keeps its process alive, beside the official package.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Program } from './support/process.mjs';
import { event, json, rawServer, stream } from './support/raw-http.mjs';

const play = ({ method, id }, _, res) => method === 'ping' && (json(res, {}, id), true);
const PACKAGES = { official: '@modelcontextprotocol/sdk', ours: 'mcpbolt' };

/** A program that connects, prints a line, does nothing more, and prints what the server says by itself. */
const program = (name, url) => `
  import { Client } from '${name}/client/index.js';
  import { StreamableHTTPClientTransport } from '${name}/client/streamableHttp.js';
  const client = new Client({ name: 'c', version: '1' });
  client.fallbackNotificationHandler = async ({ method }) => {
    console.log(method);
    process.exit(3);
  };
  await client.connect(new StreamableHTTPClientTransport(new URL('${url}')));
  await client.ping();
  console.log('pinged');`;

for (const [whose, name] of Object.entries(PACKAGES)) {
  for (const sessionId of ['s', undefined]) {
    const server = sessionId === undefined ? 'without sessions' : 'with sessions';
    test(`a program ends when the server ${server} can say nothing by itself (${whose})`, async () => {
      const { url } = await rawServer({ play, sessionId, get: (_, res) => res.writeHead(405).end() });
      const ran = new Program(program(name, url));
      await ran.until(() => ran.lines.includes('pinged'));
      assert.deepEqual(await ran.end(), { code: 0, signal: null }, ran.errors);
      assert.deepEqual(ran.lines, ['pinged']);
    });
  }

  test(`a program stays while a server may say something by itself (${whose})`, async () => {
    let say;
    const { url } = await rawServer({ play, sessionId: 's', get: (_, res) => (say = stream(res)) });
    const ran = new Program(program(name, url));
    await ran.until(() => ran.lines.includes('pinged') && say !== undefined);
    event(say, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    assert.deepEqual(await ran.end(), { code: 3, signal: null }, ran.errors);
    assert.deepEqual(ran.lines, ['pinged', 'notifications/tools/list_changed']);
  });
}
