// Programs of the 1.x face compile with this package, under two compilers, and with the
// official one: no line of them is ours alone.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'es2022',
  module: 'node16',
  moduleResolution: 'node16',
  types: ['node'],
  typeRoots: [join(dirname(require.resolve('@types/node/package.json')), '..')],
  skipLibCheck: true,
};

/** What a compiler prints for a text, and how many types it needs. */
async function tsc(compiler, text) {
  const folder = mkdtempSync(join(here, 'types', '.run-'));
  try {
    writeFileSync(join(folder, 'program.mts'), text);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
    const bin = join(dirname(require.resolve(`${compiler}/package.json`)), 'bin', 'tsc');
    const run = [bin, '-p', folder, '--pretty', 'false', '--extendedDiagnostics'];
    const said = await new Promise((resolve) => execFile(process.execPath, run, { timeout: 120_000 }, (_, stdout) => resolve(stdout)));
    return { errors: said.split('\n').filter((line) => /error TS|^ {2,}\S/.test(line) && !/^ *[\w/ ]+:/.test(line)), types: Number(/^Types:\s+(\d+)$/m.exec(said)?.[1]) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const program = readFileSync(join(here, 'types', 'program.mts'), 'utf8');
const official = program.replaceAll("from 'mcpbolt/", "from '@modelcontextprotocol/sdk/");

for (const compiler of ['typescript', 'typescript5']) {
  test(`a program of the 1.x face compiles, ${compiler}`, async () => {
    const found = await tsc(compiler, program);
    assert.ok(found.types > 100, 'it ran');
    assert.deepEqual(found.errors, []);
  });
}

test('the same program compiles with the official package, and takes more types there', async () => {
  const [own, theirs] = await Promise.all([tsc('typescript5', program), tsc('typescript5', official)]);
  assert.deepEqual(theirs.errors, []);
  assert.ok(own.types * 3 < theirs.types, `${own.types} types here, ${theirs.types} there`);
});

test('a program that derives from our classes compiles, with both packages', async () => {
  const text = readFileSync(join(here, 'types', 'derived.mts'), 'utf8');
  for (const one of [text, text.replaceAll("from 'mcpbolt/", "from '@modelcontextprotocol/sdk/")]) {
    const found = await tsc('typescript5', one);
    assert.ok(found.types > 100, 'it ran');
    assert.deepEqual(found.errors, []);
  }
});
