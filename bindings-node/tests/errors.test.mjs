// Errors of the 1.x face beside the official ones.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as official from '@modelcontextprotocol/sdk/types.js';
import * as own from 'mcpbolt/types.js';

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
