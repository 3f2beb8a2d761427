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

const known = new Map();

/** What a compiler says of a program, with this package or with the official one; asked once. */
function said(compiler, file, isOfficial = false) {
  const key = `${compiler} ${file} ${isOfficial}`;
  if (!known.has(key)) known.set(key, tsc(compiler, isOfficial ? officially(read(file)) : read(file)));
  return known.get(key);
}

/** What a compiler prints for a text, and how many types it needs. */
async function tsc(compiler, text) {
  const folder = mkdtempSync(join(here, 'types', '.run-'));
  try {
    writeFileSync(join(folder, 'program.mts'), text);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
    const bin = join(dirname(require.resolve(`${compiler}/package.json`)), 'bin', 'tsc');
    const run = [bin, '-p', folder, '--pretty', 'false', '--extendedDiagnostics'];
    const printed = await new Promise((resolve) => execFile(process.execPath, run, { timeout: 120_000 }, (_, stdout) => resolve(stdout)));
    return { errors: printed.split('\n').filter((line) => /error TS|^ {2,}\S/.test(line) && !/^ *[\w/ ]+:/.test(line)), types: Number(/^Types:\s+(\d+)$/m.exec(printed)?.[1]) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const read = (file) => readFileSync(join(here, 'types', file), 'utf8');
const officially = (text) => text.replaceAll("from 'mcpbolt/", "from '@modelcontextprotocol/sdk/");

for (const file of ['program.mts', 'composed.mts']) {
  for (const compiler of ['typescript', 'typescript5']) {
    test(`${file} compiles, ${compiler}`, async () => {
      const found = await said(compiler, file);
      assert.ok(found.types > 100, 'it ran');
      assert.deepEqual(found.errors, []);
    });
  }

  test(`${file} compiles with the official package`, async () => {
    assert.deepEqual((await said('typescript', file, true)).errors, []);
  });
}

test('a program that signs in compiles', async () => {
  assert.deepEqual((await said('typescript', 'sign-in.mts')).errors, []);
});

test('a program takes a fifth of the types it takes with the official package', async () => {
  const [own, theirs] = await Promise.all([said('typescript', 'program.mts'), said('typescript', 'program.mts', true)]);
  assert.ok(own.types * 5 < theirs.types, `${own.types} types here, ${theirs.types} there`);
});

test('a program that derives from our classes compiles, with both packages', async () => {
  const text = readFileSync(join(here, 'types', 'derived.mts'), 'utf8');
  for (const one of [text, text.replaceAll("from 'mcpbolt/", "from '@modelcontextprotocol/sdk/")]) {
    const found = await tsc('typescript5', one);
    assert.ok(found.types > 100, 'it ran');
    assert.deepEqual(found.errors, []);
  }
});
