// The programs of the READMEs run, and are the same everywhere.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const code = (file) => [...readFileSync(file, 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map((match) => match[1]);
const own = code(join(here, '..', 'README.md')).slice(0, 2);

test('the server and the client of the README talk to each other', () => {
  // Beside the tests, where the package is found by its own name.
  const folder = mkdtempSync(join(here, 'readme-'));
  try {
    const [server, client] = own;
    // Clients hand little of their environment on.
    const told = client.replace("args: ['server.mjs'] }", "args: ['server.mjs'], env: process.env }");
    writeFileSync(join(folder, 'server.mjs'), server);
    writeFileSync(join(folder, 'client.mjs'), told);
    const said = execFileSync(process.execPath, ['client.mjs'], { cwd: folder, encoding: 'utf8', timeout: 60_000 });
    assert.equal(said, "[ { type: 'text', text: '3' } ]\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every README begins with the same programs', () => {
  for (const name of ['README.md', 'README.zh-CN.md']) assert.deepEqual(code(join(here, '..', '..', name)), own, name);
});
