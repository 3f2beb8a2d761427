// The official client on our McpServer sees what it sees on the official one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as OfficialPair } from '@modelcontextprotocol/sdk/inMemory.js';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { z } from 'zod';
import { within } from './support/bounds.mjs';
import { official, ours, oursSlow } from './support/kits.mjs';

const settle = async (run) => {
  try {
    return await within(run(), 'a call');
  } catch (error) {
    return { error: error.constructor.name, code: error.code, message: error.message };
  }
};

/** A server of everything, seen by the official client. */
async function seen(kit, Pair) {
  const server = kit.server({ name: 's', version: '1', title: 'S' }, { instructions: 'be kind', capabilities: { logging: {} } });
  server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } }, async ({ a, b }, extra) => {
    await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'adding' } });
    return { content: [], structuredContent: { sum: a + b } };
  });
  server.registerTool('ask', {}, async (extra) => {
    const answer = await extra.sendRequest({ method: 'roots/list' }, kit.ListRootsResultSchema);
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
  });
  server.registerTool('far', { inputSchema: { steps: z.number() } }, async ({ steps }, extra) => {
    const progressToken = extra._meta?.progressToken;
    for (let progress = 1; progress <= steps; progress++) {
      await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: steps } });
    }
    return { content: [{ type: 'text', text: 'there' }] };
  });
  server.registerPrompt('p', { argsSchema: { who: kit.completable(z.string(), (v) => [`${v}!`]) } }, ({ who }) => ({ messages: [{ role: 'user', content: { type: 'text', text: who } }] }));
  const list = () => ({ resources: [{ name: 'one', uri: 'mem://1' }] });
  server.registerResource('t', new kit.ResourceTemplate('mem://{id}', { list }), { title: 'T' }, (uri, { id }) => ({ contents: [{ uri: uri.href, text: id }] }));

  const client = new Client({ name: 'c', version: '1' }, { capabilities: { roots: {} } });
  client.setRequestHandler(official.ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///r', name: 'r' }] }));
  const logs = [];
  client.setNotificationHandler(official.LoggingMessageNotificationSchema, ({ params }) => void logs.push(params));
  const [one, other] = Pair.createLinkedPair();
  await Promise.all([server.connect(other), client.connect(one)]);
  const progress = [];
  const results = [
    client.getServerVersion(),
    client.getInstructions(),
    client.getServerCapabilities(),
    await settle(() => client.listTools()),
    await settle(() => client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })),
    await settle(() => client.callTool({ name: 'add', arguments: { a: 1 } })),
    await settle(() => client.callTool({ name: 'ask' })),
    await settle(() => client.callTool({ name: 'far', arguments: { steps: 3 } }, undefined, { onprogress: (one) => progress.push(one) })),
    progress,
    await settle(() => client.listResources()),
    await settle(() => client.listResourceTemplates()),
    await settle(() => client.readResource({ uri: 'mem://7' })),
    await settle(() => client.getPrompt({ name: 'p', arguments: { who: 'me' } })),
    await settle(() => client.getPrompt({ name: 'none' })),
    await settle(() => client.complete({ ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'who', value: 'x' } })),
    await settle(() => client.ping()),
    logs,
  ];
  await client.close();
  await server.close();
  return JSON.parse(JSON.stringify(results));
}

test('the official client sees the same', async () => {
  const expected = await seen(official, OfficialPair);
  assert.deepEqual(await seen(ours, InMemoryTransport), expected);
  assert.deepEqual(await seen(oursSlow, InMemoryTransport), expected);
  // Either pair of transports will do.
  assert.deepEqual(await seen(ours, OfficialPair), expected);
});
