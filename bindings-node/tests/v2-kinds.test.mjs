// What the names of 2.x are to a compiler: every subpath of the packages that stand in for the
// official ones, every name, and whether it is a class, a function, a value or a type. What comes
// later is listed in to-come.json, from which docs/differences.md is made: no more, no less.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FORWARDED } from '../pack-forward.mjs';

const require = createRequire(import.meta.url);
const ts = require('typescript5');
const here = dirname(fileURLToPath(import.meta.url));
const TO_COME = JSON.parse(readFileSync(join(here, 'to-come.json'), 'utf8'));
/** A function there, whose declaration only says that it exists. */
const KNOWN = ['addFormats: value there, function here'];
/** Subpaths that the official packages import themselves, each its own. (differs: private-subpaths) */
const PRIVATE = ['./_shims'];

/** The manifest of an official package, which closes its package.json. */
function manifest(name) {
  const folders = require.resolve.paths(name).map((folder) => join(folder, '@modelcontextprotocol', name));
  for (const folder of folders) {
    try {
      return { folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) };
    } catch {
      continue;
    }
  }
  throw new Error(`@modelcontextprotocol/${name} is not installed`);
}

const ROWS = Object.entries(FORWARDED).flatMap(([name, subpaths]) => {
  const { folder, exports } = manifest(name);
  return Object.entries(subpaths).map(([subpath, module]) => ({
    name: subpath === '.' ? name : `${name}/${subpath.slice(2)}`,
    theirs: join(folder, exports[subpath].import.types),
    ours: join(here, '..', 'dist', `${module}.d.ts`),
    module,
  }));
});

const program = ts.createProgram(
  ROWS.flatMap(({ theirs, ours }) => [theirs, ours]),
  {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    types: ['node'],
    typeRoots: [join(dirname(require.resolve('@types/node/package.json')), '..')],
  },
);
const checker = program.getTypeChecker();

function kindOf(symbol) {
  const found = [];
  if (symbol.flags & ts.SymbolFlags.Value) {
    const type = checker.getTypeOfSymbol(symbol);
    found.push(type.getConstructSignatures().length > 0 ? 'class' : type.getCallSignatures().length > 0 ? 'function' : 'value');
  }
  if (symbol.flags & ts.SymbolFlags.Type) found.push('type');
  return found.join(' and ');
}

/** What a module exports: each name with the kind of thing it is. */
function kinds(file) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  const meant = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, kindOf(meant(symbol))]));
}

test('every subpath of the official packages has a module', () => {
  for (const [name, subpaths] of Object.entries(FORWARDED)) {
    const missing = Object.keys(manifest(name).exports).filter((subpath) => !(subpath in subpaths) && !PRIVATE.includes(subpath));
    assert.deepEqual(missing, [], name);
  }
});

for (const { name, theirs, ours } of ROWS) {
  test(`${name} has every name of the official package, types among them, each the same kind of thing`, () => {
    const [wanted, found] = [kinds(theirs), kinds(ours)];
    const all = [...wanted].filter(([key, kind]) => found.get(key) !== kind);
    const wrong = all.map(([key, kind]) => `${key}: ${kind} there, ${found.get(key) ?? 'missing'} here`);
    assert.deepEqual(wrong.filter((said) => !KNOWN.includes(said)), []);
  });
}

const SENTENCE = 'is not in mcpbolt yet: it comes with';

/** Only what is known to throw is called. */
function functionSays(value) {
  const text = Function.prototype.toString.call(value);
  if (!text.includes('throw missing(name, part)')) return undefined;
  try {
    const made = text.startsWith('class') ? new value() : value();
    return made.then(undefined, (error) => error.message);
  } catch (error) {
    return error.message;
  }
}

function objectSays(value) {
  try {
    void value?.parse;
  } catch (error) {
    return error.message;
  }
  return undefined;
}

/** What is to come of a module, in the form of the list. */
async function toCome({ module, ours }) {
  const values = await import(`mcpbolt/${module}`);
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(ours)));
  const found = {};
  for (const symbol of exported) {
    const value = values[symbol.name];
    const said = typeof value === 'function' ? await functionSays(value) : objectSays(value);
    const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const mark = meant.flags & ts.SymbolFlags.Type && checker.getPropertyOfType(checker.getDeclaredTypeOfSymbol(meant), SENTENCE);
    const part = said?.split(`${symbol.name} ${SENTENCE} `)[1]?.split('. ')[0] ?? (mark && checker.getTypeOfSymbol(mark).value);
    if (part) ((found[part] ??= {})[value === undefined ? 'types' : 'values'] ??= []).push(symbol.name);
  }
  return found;
}

test('what comes later is what the list says, and it says so itself', async () => {
  const found = {};
  for (const row of ROWS) {
    for (const [part, names] of Object.entries(await toCome(row))) (found[part] ??= {})[row.name] = names;
  }
  const sorted = (value) => JSON.parse(JSON.stringify(value, (_, part) => (Array.isArray(part) ? part.toSorted() : part)));
  assert.deepEqual(sorted(found), sorted(TO_COME));
});
