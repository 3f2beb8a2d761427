// The scripts of tests/vectors/binding for clients, through the public names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientSide } from './support/vector-client.mjs';
import { Fault, MODERN, run, vectors } from './support/vector-script.mjs';

for (const vector of vectors('client')) {
  for (const revision of vector.revisions ?? ['2025-11-25', MODERN]) {
    test(`${vector.id} ${revision}`, () => run(new ClientSide(), vector, revision));
  }
}

test('a vector that does not hold is noticed', async () => {
  const call = { do: { call: 'tools/call', params: { name: 'x', arguments: {} }, as: 'a' } };
  const wrong = [[call], [call, { send: { method: 'tools/list' } }], [{ event: { asked: 'roots/list' } }], [{ acts: 1 }]];
  for (const steps of wrong) {
    // What it waits for never comes.
    await assert.rejects(run(new ClientSide(), { side: 'client', steps }, '2025-11-25', 500), Fault);
  }
});
