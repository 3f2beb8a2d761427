// The guide shows the code that the tests beside this file run, and names options that exist.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createHttpHandler } from 'mcpbolt/server/http.js';
import { McpServer } from 'mcpbolt/server/mcp.js';
import { chapters, fences, regions, sourceOf, textOf } from './snippets.mjs';

const ts = createRequire(import.meta.url)('typescript5');
const DIST = join(dirname(fileURLToPath(import.meta.url)), '../../dist');

for (const chapter of chapters()) {
  test(`chapter ${chapter} has the code of its tests`, () => {
    const [text, code] = [textOf(chapter), regions(sourceOf(chapter))];
    assert.equal(text.split('\n### Node\n').length, 2);
    assert.ok(code.length > 0, 'a chapter has at least one program');
    assert.deepEqual(fences(text), code, 'run `node bindings-node/tests/guide/snippets.mjs`');
  });
}

/** The code spans in the Node column of the table of practices. */
function options(chapter) {
  const rows = textOf(chapter).split('\n## Practices\n')[1].split('\n').filter((line) => line.startsWith('|'));
  assert.equal(rows[0], '| practice | in Node | in Python | in Rust |');
  const cells = rows.slice(2).map((row) => row.replace(/^\||\|$/g, '').split('|').at(-3) ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`(.*?)`/g)].map(([, span]) => span));
}

/** Everything the public modules declare: names, and the members of what has some. */
function declared() {
  const isPublic = (file) => file.endsWith('.d.ts') && !/^(internal|generated|v2|examples)[\\/]/.test(file);
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter(isPublic).map((file) => join(DIST, file));
  const kind = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 };
  const program = ts.createProgram(files, { ...kind, noLib: true, types: [] });
  const checker = program.getTypeChecker();
  const names = new Map();
  for (const file of files) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file));
    for (const symbol of module === undefined ? [] : checker.getExportsOfModule(module)) names.set(symbol.name, symbol);
  }
  const members = (symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return checker.getDeclaredTypeOfSymbol(target).getProperties().map(({ name }) => name);
  };
  return { has: (name) => names.has(name), members: (name) => members(names.get(name)) };
}

const known = declared();

/** Whether `Name`, `Name.member` or `engine.option` is there. */
function exists(option) {
  const [name, ...rest] = option.split('.');
  if (name === 'engine') return engineKnows(rest.join('.'));
  if (!known.has(name) || rest.length > 1) return false;
  return rest.length === 0 || known.members(name).includes(rest[0]);
}

/** The engine says which options it does not have; a wrong value is another complaint. */
function engineKnows(option) {
  try {
    createHttpHandler(new McpServer({ name: 'test', version: '1' }), { engine: { [option]: '?' } });
  } catch (error) {
    return !/there is no option/.test(String(error));
  }
  return false;
}

for (const chapter of chapters()) {
  test(`every option that chapter ${chapter} names exists`, () => {
    assert.ok(options(chapter).length > 0, 'a chapter names options');
    assert.deepEqual(options(chapter).filter((option) => !exists(option)), []);
  });
}

test('an option that does not exist would be found', () => {
  const wrong = ['Nothing', 'Client.fly', 'ListenOptions.colour', 'engine.max_colours', 'McpServer.server.fly', 'a b'];
  assert.deepEqual(wrong.filter(exists), []);
});
