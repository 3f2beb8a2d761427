// A type of ours goes where the official one is asked for, and the other way round: code
// that was written against one compiles against the other.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const ts = require('typescript5');
const here = dirname(fileURLToPath(import.meta.url));
const official = require.resolve('@modelcontextprotocol/sdk/types.js').replace(/\.js$/, '.d.ts');
const own = join(here, '..', 'dist', 'types.d.ts');
const GENERIC = ['ListChangedOptions', 'ListChangedCallback'];

const OPTIONS = {
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  types: ['node'],
  typeRoots: [join(dirname(require.resolve('@types/node/package.json')), '..')],
};

/** What the compiler says of a text that stands in the folder of the tests. */
function complaints(text) {
  const file = join(here, 'assignable.mts');
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, version) => (name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version));
  const program = ts.createProgram([file], OPTIONS, host);
  const checked = program.getSourceFile(file);
  return [program, [...program.getSyntacticDiagnostics(checked), ...program.getSemanticDiagnostics(checked)]];
}

function typeNames(program, file) {
  const checker = program.getTypeChecker();
  const found = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
  return found.filter((each) => each.flags & ts.SymbolFlags.Type && !(each.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Enum))).map((each) => each.name);
}

const imports = `import type * as theirs from ${JSON.stringify(official.replace(/\.d\.ts$/, '.js'))};\nimport type * as ours from ${JSON.stringify(own.replace(/\.d\.ts$/, '.js'))};\n`;

const HELPERS = `
type Known<T> = 0 extends 1 & T ? never : true;
type Named<T> = { [K in keyof T as string extends K ? never : number extends K ? never : K]: 1 };
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
`;

test('every type is assignable to and from the official type of its name', () => {
  const names = typeNames(complaints(imports)[0], official).filter((name) => !GENERIC.includes(name));
  assert.ok(names.length > 150, String(names.length));
  const lines = names.flatMap((name) => [
    `export const to_${name}: (value: theirs.${name}) => ours.${name} = (value) => value;`,
    `export const known_${name}: Known<theirs.${name}> & Known<ours.${name}> = true;`,
    `export const keys_${name}: Same<keyof Named<theirs.${name}>, keyof Named<ours.${name}>> = true;`,
    `export const from_${name}: (value: ours.${name}) => theirs.${name} = (value) => value;`,
  ]);
  // Anything fits `any`: then nothing would be proved.
  const head = `${imports}${HELPERS}`;
  const [, found] = complaints(head + lines.join('\n'));
  const line = (each) => each.file.text.slice(0, each.start).split('\n').at(-1);
  const said = found.map((each) => `${line(each)}: ${ts.flattenDiagnosticMessageText(each.messageText, '\n').slice(0, 900)}`);
  assert.deepEqual(said, []);
});
