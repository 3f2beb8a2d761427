// What is refused on the 2.x face, and in which words, beside the official 2.x packages.
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
const MODERN = '2026-07-28';
const self = { name: 'x', version: '1' };
const handshake = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: self };

/** What came of it, in words that can be compared. */
async function outcome(kit, promise) {
  try {
    return await within(typeof promise === 'function' ? promise() : promise);
  } catch (error) {
    const kind = error instanceof kit.SdkError ? 'SdkError' : error instanceof kit.ProtocolError ? 'ProtocolError' : error.name;
    return { kind, code: error.code, message: error.message };
  }
}

async function same(script) {
  const [theirs, ours] = [await script(THEIRS), await script(OURS)];
  assert.ok(theirs.length > 0);
  assert.deepEqual(ours, theirs);
}

test('requests that are malformed reach no handler', () =>
  same(async (kit) => {
    const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
    const server = new kit.Server(self, { capabilities });
    const called = [];
    for (const [method, result] of [
      ['tools/call', { content: [] }],
      ['tools/list', { tools: [] }],
      ['prompts/get', { messages: [] }],
      ['completion/complete', { completion: { values: [] } }],
    ]) {
      server.setRequestHandler(method, () => {
        called.push(method);
        return result;
      });
    }
    const transport = new Played();
    await server.connect(transport);
    await transport.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: self });
    const codes = [];
    for (const [method, params] of [
      ['tools/call', {}],
      ['tools/call', { name: 3 }],
      ['tools/call', { name: 'a' }],
      ['tools/list', { cursor: 5 }],
      ['tools/list', { cursor: 'x' }],
      ['prompts/get', {}],
      ['completion/complete', { ref: { type: 'ref/prompt' }, argument: { name: 'a', value: 'b' } }],
    ]) {
      const { error } = await transport.ask(method, params);
      codes.push([method, error?.code, error?.message.split(':')[0].split('\n')[0]]);
    }
    await server.close();
    return [codes, called];
  }));

test('results that do not fit are told with the method', () =>
  same(async (kit) => {
    const client = new kit.Client(self);
    const transport = new Played(({ method }) => ({ result: method === 'initialize' ? handshake : { tools: 3 } }));
    await client.connect(transport);
    const results = [await outcome(kit, client.request({ method: 'acme/bad' }, z.object({ echoed: z.string() })))];
    const { kind, code, message } = await outcome(kit, client.request({ method: 'tools/list' }));
    results.push([kind, code, message.split(':')[0]]);
    await client.close();
    return results;
  }));

test('handlers for what was not declared', () =>
  same(async (kit) => {
    const server = new kit.Server(self, { capabilities: {} });
    const client = new kit.Client(self, { capabilities: {} });
    return [
      await outcome(kit, async () => server.setRequestHandler('tools/call', () => ({ content: [] }))),
      await outcome(kit, async () => client.setRequestHandler('roots/list', () => ({ roots: [] }))),
      await outcome(kit, async () => client.setRequestHandler('elicitation/create', () => ({ action: 'cancel' }))),
    ];
  }));

test('answers to questions are judged in the words of 2.x', () =>
  same(async (kit) => {
    const client = new kit.Client(self, { capabilities: { sampling: {}, elicitation: {} } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'perhaps' }));
    client.setRequestHandler('sampling/createMessage', () => ({ role: 'assistant' }));
    const transport = new Played(({ method }) => (method === 'initialize' ? { result: handshake } : undefined));
    await client.connect(transport);
    const words = [];
    for (const [method, params] of [
      ['elicitation/create', { mode: 'form', message: 'q', requestedSchema: { type: 'object', properties: {} } }],
      ['sampling/createMessage', { messages: [], maxTokens: 1 }],
    ]) {
      const { error } = await transport.ask(method, params);
      words.push([error.code, error.message.split('\n')[0]]);
    }
    await client.close();
    return words;
  }));

test('what was learned of a server before', () =>
  same(async (kit) => {
    const discover = { supportedVersions: [MODERN], capabilities: { tools: {} }, instructions: 'i' };
    const seen = [];
    for (const prior of [discover, { kind: 'modern' }, { kind: 'modern', discover: { supportedVersions: 3 } }, { kind: 'legacy', discover }, {}, 'modern', { kind: 'modern', discover }]) {
      const transport = new Played();
      const client = new kit.Client(self);
      seen.push(await outcome(kit, client.connect(transport, { prior })));
      seen.push([transport.sent.length, transport.versions, client.getDiscoverResult()]);
      await client.close();
      seen.push(client.getDiscoverResult());
    }
    return JSON.parse(JSON.stringify(seen));
  }));
