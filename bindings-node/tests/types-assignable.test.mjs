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
const MODULES = ['types', 'shared/auth', 'experimental/tasks/interfaces'];
const theirs = (module) => require.resolve(`@modelcontextprotocol/sdk/${module}.js`);
const ours = (module) => join(here, '..', 'dist', `${module}.js`);
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

/** The names a module exports: types without parameters, and schemas. */
function exported(program, module) {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(theirs(module).replace(/\.js$/, '.d.ts'));
  const found = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
  const isGeneric = (each) => each.declarations?.some((one) => one.typeParameters !== undefined);
  const wanted = ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface;
  // What a handler is given takes schemas: zod's there, any here.
  const takesSchemas = (each) => each.name.endsWith('HandlerExtra');
  const types = found.filter((each) => each.flags & wanted && !isGeneric(each) && !takesSchemas(each));
  return { types: types.map((each) => each.name), schemas: found.filter((each) => each.name.endsWith('Schema') && each.flags & ts.SymbolFlags.Variable).map((each) => each.name) };
}

const importsOf = (module) => `import type * as theirs from ${JSON.stringify(theirs(module))};\nimport type * as ours from ${JSON.stringify(ours(module))};\n`;

const HELPERS = `
type Known<T> = 0 extends 1 & T ? never : true;
type Named<T> = { [K in keyof T as string extends K ? never : number extends K ? never : K]: 1 };
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
`;

/** Statements that hold if two types fit each other. */
const both = (name, there, here) => [
  `export const to_${name}: (value: ${there}) => ${here} = (value) => value;`,
  `export const known_${name}: Known<${there}> & Known<${here}> = true;`,
  `export const keys_${name}: Same<keyof Named<${there}>, keyof Named<${here}>> = true;`,
  `export const from_${name}: (value: ${here}) => ${there} = (value) => value;`,
];

for (const module of MODULES) {
  test(`types of ${module} fit the official types of their names, both ways, and so do schemas`, () => {
    const { types, schemas } = exported(complaints(importsOf(module))[0], module);
    assert.ok(types.length > 3, String(types));
    const infer = (side, name) => `(typeof ${side}.${name})['_zod']['output']`;
    const lines = [
      ...types.flatMap((name) => both(name, `theirs.${name}`, `ours.${name}`)),
      ...schemas.flatMap((name) => both(name, infer('theirs', name), infer('ours', name))),
    ];
    // Anything fits `any`: then nothing would be proved.
    const [, found] = complaints(importsOf(module) + HELPERS + lines.join('\n'));
    const line = (each) => each.file.text.slice(0, each.start).split('\n').at(-1);
    const said = found.map((each) => `${line(each)}: ${ts.flattenDiagnosticMessageText(each.messageText, '\n').slice(0, 900)}`);
    assert.deepEqual(said, []);
  });
}
