// The examples that sign in with a browser of the user's, in Chromium: their own page is the last.
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../examples');
const ASKS = 'To sign in, open ';

/** What starts each example; `options` are those of `run.mjs`. */
export function examplesOf({ python }) {
  const rows = [
    { language: 'python', program: python && [python, join(folder, 'python/sign_in.py')] },
    { language: 'node', program: [process.execPath, join(folder, 'node/sign-in.mjs')] },
  ];
  return rows.filter(({ program }) => program !== undefined).map((row) => ({ ...row, lacks: [] }));
}

/** A scenario of its own: the browser comes back to the program itself. */
export const EXAMPLE = {
  name: 'example',
  says: 'the example signs in with a browser, which comes back to it',
  tokens: 'jwt',
  only: 'keycloak',
  arguments: (resource) => ['--no-browser', '--call', 'whoami', resource],
  async converse(client, turn) {
    const said = [];
    for await (const line of { [Symbol.asyncIterator]: () => client.lines }) {
      said.push(line);
      if (!line.startsWith(ASKS)) continue;
      const url = line.slice(ASKS.length);
      const page = await turn.visit(url, new URL(url).searchParams.get('redirect_uri'));
      assert.match(page, /You can close this window/);
      assert.doesNotMatch(page, /code=|state=/);
    }
    return said;
  },
  check({ said }) {
    assert.equal(said.filter((line) => line.startsWith(ASKS)).length, 1, 'times the browser was opened');
    assert.ok(said.some((line) => line.startsWith('tool whoami: ')), 'the tools are listed');
    assert.ok(said.some((line) => line.startsWith('whoami: ann may ')), 'the tool is called');
  },
};
