// The scripts of tests/vectors/binding for servers, with the fast path and without: both
// ways the same messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault, MODERN, run, vectors } from './support/vector-script.mjs';
import { ServerSide } from './support/vector-server.mjs';

for (const vector of vectors('server')) {
  for (const revision of vector.revisions ?? ['2025-11-25', MODERN]) {
    test(`${vector.id} ${revision}`, async () => {
      const fast = await run(new ServerSide(true), vector, revision);
      if (vector.fast_path === undefined) assert.deepEqual(await run(new ServerSide(false), vector, revision), fast);
    });
  }
}

const call = (name, args) => ({ recv: { id: 1, method: 'tools/call', params: { name, arguments: args } } });
const CALL = call('echo', { text: 'hi' });
const ANSWER = { send: { id: 1, result: { content: [{ text: 'hi' }] } } };
const WRONG = [
  [CALL, CALL],
  [CALL, { quiet: true }],
  [CALL, { send: { id: 2 } }],
  [CALL, { send: { id: 1, result: '$absent' } }],
  [CALL, { send: { id: 1, result: { content: [{ text: '$contains:ho' }] } } }],
  [call('hang', {})],
  [{ do: { release: 'nobody' } }],
  [{ recv: '$get:nothing' }],
  [{ sends: 1 }],
];

test('a vector that does not hold is noticed', async () => {
  for (const revision of ['2025-11-25', MODERN]) {
    const told = await run(new ServerSide(true), { side: 'server', steps: [CALL, ANSWER] }, revision);
    assert.equal(told.length, revision === MODERN ? 1 : 2);
    for (const [at, steps] of WRONG.entries()) {
      await assert.rejects(run(new ServerSide(true), { side: 'server', steps }, revision), Fault, `${revision} ${at}`);
    }
  }
});
