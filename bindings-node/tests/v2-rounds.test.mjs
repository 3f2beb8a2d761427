// Results of the newest revision that a client does not take as they are, and questions in the
// middle of a call, beside the official 2.x packages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as theirClient from '@modelcontextprotocol/client';
import * as theirServer from '@modelcontextprotocol/server';
import * as ourClient from 'mcpbolt/v2/client';
import * as ourServer from 'mcpbolt/v2/server';
import { z } from 'zod';
import { within } from './support/peer.mjs';
import { Played } from './support/played.mjs';

const THEIRS = { ...theirClient, ...theirServer };
const OURS = { ...ourClient, ...ourServer };
const self = { name: 'x', version: '1' };
const told = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const discovered = { ...told, supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: self };
const question = { method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object', properties: {} } } };
const asking = { resultType: 'input_required', inputRequests: { a: question }, requestState: 's' };

/** What came of it, in words that can be compared. */
async function outcome(kit, work) {
  try {
    return await within(work());
  } catch (error) {
    const kind = error instanceof kit.SdkError ? 'SdkError' : error instanceof kit.ProtocolError ? 'ProtocolError' : error.name;
    return { kind, code: error.code, message: error.message, data: error.data };
  }
}

/** A client whose server answers each request with the result for its method. */
async function connected(kit, results, options = {}) {
  const client = new kit.Client(self, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' }, ...options });
  const played = new Played(({ method }) => ({ result: method === 'server/discover' ? discovered : results[method] }));
  await client.connect(played);
  return { client, sent: () => played.sent.map(({ method, params }) => [method, params?.inputResponses]) };
}

async function same(script) {
  const [theirs, ours] = [await script(THEIRS), await script(OURS)];
  assert.ok(theirs.length > 0);
  assert.deepEqual(ours, theirs);
}

test('a result without its kind is not taken', () =>
  same(async (kit) => {
    const { client } = await connected(kit, { 'tools/list': { tools: [] }, 'tools/call': { content: [] }, 'acme/own': { n: 1 } });
    return [
      await outcome(kit, () => client.listTools()),
      await outcome(kit, () => client.callTool({ name: 'a' })),
      await outcome(kit, () => client.request({ method: 'tools/list' })),
    ];
  }));

test('a result with its kind is taken, without the kind', () =>
  same(async (kit) => {
    const { client } = await connected(kit, { 'tools/list': { ...told, tools: [] }, 'tools/call': { resultType: 'complete', content: [] } });
    const own = await outcome(kit, () => client.request({ method: 'tools/list' }, z.object({ tools: z.array(z.unknown()) })));
    return [await outcome(kit, () => client.callTool({ name: 'a' })), own];
  }));

test('without automatic answers, a question is an error but for programs that want it', () =>
  same(async (kit) => {
    const { client, sent } = await connected(kit, { 'tools/call': asking }, { inputRequired: { autoFulfill: false } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: {} }));
    return [
      await outcome(kit, () => client.callTool({ name: 'a' })),
      await outcome(kit, () => client.request({ method: 'tools/call', params: { name: 'a' } })),
      await outcome(kit, () => client.callTool({ name: 'a' }, { allowInputRequired: true })),
      sent(),
    ];
  }));

test('what a handler throws is what the call throws', () =>
  same(async (kit) => {
    const seen = [];
    for (const error of [new TypeError('broken'), new kit.ProtocolError(-32050, 'mine', { a: 1 })]) {
      const { client, sent } = await connected(kit, { 'tools/call': asking });
      client.setRequestHandler('elicitation/create', () => {
        throw error;
      });
      seen.push(await outcome(kit, () => client.callTool({ name: 'a' })), sent());
      seen.push(await outcome(kit, () => client.callTool({ name: 'a' }).catch((thrown) => ({ isTheSame: thrown === error }))));
    }
    return seen;
  }));

test('requests before connect are refused with a plain error', () =>
  same(async (kit) => {
    const client = new kit.Client(self);
    const server = new kit.Server(self, {});
    return [
      await outcome(kit, () => client.ping()),
      await outcome(kit, () => client.callTool({ name: 'a' })),
      await outcome(kit, () => client.request({ method: 'tools/list' })),
      await outcome(kit, () => server.ping()),
      await outcome(kit, () => client.notification({ method: 'notifications/roots/list_changed' })),
    ];
  }));

test('lists before connect are empty in the official packages, and refused here', async () => {
  // (differs: lists-before-connect)
  assert.deepEqual(await new theirClient.Client(self).listTools(), { tools: [] });
  await assert.rejects(new ourClient.Client(self).listTools(), { message: 'Not connected' });
});

test('output schemas of dialects that the validator does not know fail the call', async () => {
  const codes = async (kit, $schema) => {
    const tool = { name: 'a', inputSchema: { type: 'object' }, outputSchema: { $schema, type: 'object' } };
    const { client } = await connected(kit, { 'tools/list': { ...told, tools: [tool] }, 'tools/call': { resultType: 'complete', content: [], structuredContent: {} } });
    await client.listTools();
    const { code, message } = await outcome(kit, () => client.callTool({ name: 'a' }));
    return [code, message?.split(':')[0]];
  };
  for (const $schema of ['https://example.com/own', 'http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2019-09/schema']) {
    assert.deepEqual(await codes(OURS, $schema), await codes(THEIRS, $schema), $schema);
  }
  // (differs: draft-04)
  const old = 'http://json-schema.org/draft-04/schema#';
  assert.deepEqual(await codes(THEIRS, old), [-32602, "Tool 'a' has an invalid outputSchema"]);
  assert.deepEqual(await codes(OURS, old), [undefined, undefined]);
});

for (const mode of ['legacy', 'auto']) {
  test(`a question that cannot be sent fails its call, and the server goes on: ${mode}`, async () => {
    const answers = async (kit) => {
      const server = new kit.McpServer(self);
      const wrong = { none: undefined, big: { method: 'elicitation/create', params: { message: 1n } }, unnamed: { params: {} } };
      server.registerTool('ask', { inputSchema: z.object({ what: z.string() }) }, ({ what }) => {
        return what === 'nothing' ? { content: [] } : { resultType: 'input_required', inputRequests: { q: wrong[what] } };
      });
      const [one, other] = kit.InMemoryTransport.createLinkedPair();
      await server.connect(one);
      const client = new kit.Client(self, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } });
      await client.connect(other);
      const ask = (what) => outcome(kit, () => client.callTool({ name: 'ask', arguments: { what } }));
      const seen = { none: await ask('none'), unnamed: await ask('unnamed') };
      if (kit === OURS) assert.equal((await ask('big')).code, -32603);
      assert.deepEqual((await ask('nothing')).content, []);
      await client.close();
      return seen;
    };
    const [theirs, ours] = [await answers(THEIRS), await answers(OURS)];
    for (const what of ['none', 'unnamed']) assert.deepEqual([what, ours[what].code, ours[what].message], [what, theirs[what].code, theirs[what].message]);
  });
}
