// Servers with clients of both official packages, in both eras: the same handlers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as types1 from '@modelcontextprotocol/sdk/types.js';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { askingServer } from './programs/asking-server.mjs';
import { Peer, within } from './support/peer.mjs';

const PROGRAM = fileURLToPath(new URL('programs/asking-server.mjs', import.meta.url));
const capabilities = { elicitation: { form: {} }, sampling: {}, roots: { listChanged: true } };
const info = { name: 'official', version: '1' };
const ANSWERS = {
  'elicitation/create': { action: 'accept', content: { name: 'Ann' } },
  'sampling/createMessage': { role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } },
  'roots/list': { roots: [{ uri: 'file:///a' }] },
};

function client1() {
  const client = new Client1(info, { capabilities });
  client.setRequestHandler(types1.ElicitRequestSchema, () => ANSWERS['elicitation/create']);
  client.setRequestHandler(types1.CreateMessageRequestSchema, () => ANSWERS['sampling/createMessage']);
  client.setRequestHandler(types1.ListRootsRequestSchema, () => ANSWERS['roots/list']);
  return client;
}

function client2(mode) {
  const client = new Client2(info, { capabilities, versionNegotiation: { mode } });
  for (const [method, answer] of Object.entries(ANSWERS)) client.setRequestHandler(method, () => answer);
  return client;
}

const CLIENTS = {
  '1.32': () => client1(),
  '2.4 legacy': () => client2('legacy'),
  '2.4 auto': () => client2('auto'),
  '2.4 modern': () => client2({ pin: '2026-07-28' }),
};

async function use(client) {
  assert.equal(client.getServerVersion?.()?.name ?? 'asking', 'asking');
  const call = async (name, options) => {
    const result = await within(client.callTool({ name, arguments: { text: 'hi' } }, ...options), name);
    return result.content[0].text;
  };
  const options = client instanceof Client1 ? [undefined, {}] : [{}];
  assert.ok((await client.listTools()).tools.length > 5);
  const found = {};
  for (const name of ['echo', 'elicit', 'sample', 'roots', 'extra', 'both', 'twice', 'client']) found[name] = await call(name, options);
  assert.deepEqual(found, {
    echo: 'hi',
    elicit: 'Ann',
    sample: 'hi',
    roots: 'file:///a',
    extra: 'accept',
    both: 'Ann 1',
    twice: 'Ann 1',
    client: 'official elicitation,roots,sampling',
  });
  // The clients forget progress that arrives together with the result: the tool waits.
  const step = await new Promise((resolve, reject) => {
    const held = client.callTool({ name: 'hold', arguments: {} }, ...options.slice(0, -1), { onprogress: resolve });
    held.catch(reject);
  });
  assert.deepEqual(step, { progress: 1, total: 1 });
  assert.equal(await call('release', options), '1 released');
  await assert.rejects(call('fail', options), /it broke/);
}

for (const [name, make] of Object.entries(CLIENTS)) {
  test(`a client of ${name} in memory`, async () => {
    const server = askingServer();
    const [far, near] = InMemoryTransport.createLinkedPair();
    await server.connect(near);
    const client = make();
    await within(client.connect(far), 'connecting');
    await use(client);
    await client.close();
    await server.close();
  });

  test(`a client of ${name} on standard streams`, async () => {
    const client = make();
    const Stdio = client instanceof Client1 ? Stdio1 : Stdio2;
    const env = { ...process.env };
    await within(client.connect(new Stdio({ command: process.execPath, args: [PROGRAM], env })), 'connecting');
    await use(client);
    await client.close();
  });
}

test('both eras at once on one connection', async () => {
  const server = askingServer();
  const [far, near] = InMemoryTransport.createLinkedPair();
  await server.connect(near);
  const peer = new Peer(far);
  await peer.open({ capabilities });
  peer.answer = ({ method }) => ANSWERS[method];
  const params = { name: 'elicit', arguments: {} };
  const _meta = Peer.envelope(capabilities);
  const [legacy, modern] = await Promise.all([peer.result('tools/call', params), peer.result('tools/call', { ...params, _meta })]);
  assert.equal(legacy.content[0].text, 'Ann');
  assert.equal(modern.resultType, 'input_required');
  const [key] = Object.keys(modern.inputRequests);
  const retry = { ...params, _meta, requestState: modern.requestState, inputResponses: { [key]: ANSWERS['elicitation/create'] } };
  assert.equal((await peer.result('tools/call', retry)).content[0].text, 'Ann');
  // A client that cannot be asked, while the other can.
  const poor = { ...params, _meta: Peer.envelope({}) };
  assert.match((await peer.request('tools/call', poor)).error.message, /Client does not support form elicitation/);
  await server.close();
});
