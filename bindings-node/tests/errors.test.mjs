// Errors of the 1.x face beside the official ones.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as official from '@modelcontextprotocol/sdk/types.js';
import { Client } from 'mcpbolt/client';
import { InMemoryTransport } from 'mcpbolt/inMemory.js';
import { Server } from 'mcpbolt/server';
import * as own from 'mcpbolt/types.js';
import { z } from 'zod';

const facts = (error) => ({ ...error, message: error.message, text: String(error), elicitations: error.elicitations });
const elicitation = { mode: 'url', message: 'go', elicitationId: '1', url: 'https://example.com/' };

const MADE = [
  ['a code and a message', ({ McpError }) => new McpError(-32602, 'no')],
  ['data', ({ McpError, ErrorCode }) => new McpError(ErrorCode.InternalError, 'no', { a: 1 })],
  ['a code of the program', ({ McpError }) => McpError.fromError(7, 'own', 'data')],
  ['a URL to visit', ({ UrlElicitationRequiredError }) => new UrlElicitationRequiredError([elicitation])],
  ['URLs to visit', ({ UrlElicitationRequiredError }) => new UrlElicitationRequiredError([elicitation, elicitation], 'both')],
  ['a URL from the wire', ({ McpError }) => McpError.fromError(-32042, 'go', { elicitations: [elicitation] })],
  ['no URL from the wire', ({ McpError }) => McpError.fromError(-32042, 'go', {})],
];

for (const [what, make] of MADE) {
  test(`an error of ${what} is what the official package makes`, () => {
    const [ours, theirs] = [make(own), make(official)];
    assert.deepEqual(facts(ours), facts(theirs));
    assert.equal(ours.constructor.name, theirs.constructor.name);
    assert.ok(ours instanceof own.McpError && ours instanceof Error);
  });
}

test('codes are the official ones, by name and by number', () => {
  assert.deepEqual({ ...own.ErrorCode }, { ...official.ErrorCode });
});

test('an error knows its kind, and that a peer said it', () => {
  const kinds = [-32700, -32600, -32601, -32602, -32603, -32042, 7].map((code) => new own.McpError(code, '').kind);
  assert.deepEqual(kinds, ['parse', 'invalid_request', 'method_not_found', 'invalid_params', 'internal', 'url_elicitation_required', 'peer']);
  assert.equal(new own.McpError(-32603, '').local, false);
});

const round = {};
round.round = round;
const hostile = new Proxy({}, { get: () => { throw new Error('hands off'); } });
const THROWN = [
  ['text', 'broken', { code: -32603, message: /broken/ }],
  ['nothing', undefined, { code: -32603, message: /Internal error/ }],
  ['a number', 7, { code: -32603, message: /Internal error/ }],
  ['a plain object', { code: 12, message: 'own', data: [1] }, { code: 12, message: /own/, data: [1] }],
  ['data that is no JSON', new own.McpError(12, 'kept', 1n), { code: 12, message: /kept/ }],
  ['data that never ends', Object.assign(new Error('kept'), { data: round }), { code: -32603, message: /kept/ }],
  ['an object that throws when it is looked at', hostile, { code: -32603, message: /Internal error/ }],
];

for (const [what, thrown, expected] of THROWN) {
  test(`${what} that a handler throws becomes an error at the client`, async () => {
    const server = new Server({ name: 's', version: '1' }, { capabilities: {} });
    const Ask = z.object({ method: z.literal('own/ask') });
    server.setRequestHandler(Ask, () => {
      throw thrown;
    });
    const client = new Client({ name: 'c', version: '1' });
    const [one, other] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(one), client.connect(other)]);
    await assert.rejects(client.request({ method: 'own/ask' }, z.object({})), (error) => {
      assert.ok(error instanceof own.McpError);
      assert.equal(error.code, expected.code);
      assert.match(error.message, expected.message);
      assert.deepEqual(error.data, expected.data);
      return true;
    });
    await client.close();
    await server.close();
  });
}
