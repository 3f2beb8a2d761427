// Requests that the connection's revision does not have, beside the official 2.x packages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as official from '@modelcontextprotocol/client';
import * as ours from 'mcpbolt/v2/client';
import { z } from 'zod';
import { within } from './support/bounds.mjs';
import { Played } from './support/played.mjs';

const MODERN = '2026-07-28';
const self = { name: 'x', version: '1' };
const discovered = { resultType: 'complete', supportedVersions: [MODERN], capabilities: { logging: {}, tools: {} }, ttlMs: 0, cacheScope: 'private' };
const welcome = { protocolVersion: '2025-11-25', capabilities: { logging: {}, tools: {} }, serverInfo: self };

/** A server of both eras, which answers each other request with an error of its own. */
function play({ method }) {
  if (method === 'server/discover') return { result: discovered };
  return method === 'initialize' ? { result: welcome } : { error: { code: 77, message: 'it was sent' } };
}

/** How requests end on a connection, and which were sent. */
async function endings(kit, options, asks) {
  const client = new kit.Client(self, options);
  const transport = new Played(play);
  await client.connect(transport);
  const before = transport.sent.length;
  const ends = [];
  for (const ask of asks) {
    const error = await within(ask(client).then(() => assert.fail('it did not fail'), (thrown) => thrown));
    ends.push([error.constructor.name, error.code, error.message, error.data]);
  }
  const sent = transport.sent.slice(before).map(({ method }) => method);
  await client.close();
  return { ends, sent };
}

const asking = (method) => async (client) => client.request({ method, params: {} }, z.any());

const ERAS = {
  [MODERN]: [
    { versionNegotiation: { mode: { pin: MODERN } } },
    ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe', 'tasks/list', 'tasks/result'],
    ['sampling/createMessage', 'elicitation/create', 'roots/list'],
  ],
  '2025-11-25': [{}, ['server/discover', 'subscriptions/listen'], []],
};

for (const [era, [options, older, ofServers]] of Object.entries(ERAS)) {
  test(`requests that ${era} does not have are refused with their name`, async () => {
    const verbs = era === MODERN ? [async (client) => client.ping(), async (client) => client.setLoggingLevel('info')] : [];
    const asks = [...[...older, ...ofServers].map(asking), ...verbs];
    const [theirs, mine] = [await endings(official, options, asks), await endings(ours, options, asks)];
    assert.deepEqual(mine, theirs);
    assert.deepEqual(mine.sent, []);
    for (const [, code, , data] of mine.ends) assert.deepEqual([code, data.era], [ours.SdkErrorCode.MethodNotSupportedByProtocolVersion, era]);
  });
}

test('a request that only servers send is a mistake of another kind before 2026-07-28', async () => {
  const { ends, sent } = await endings(ours, {}, [asking('sampling/createMessage')]);
  assert.deepEqual(ends.map(([kind, code]) => [kind, code]), [['SdkError', ours.SdkErrorCode.SendFailed]]);
  assert.deepEqual(sent, []);
});
