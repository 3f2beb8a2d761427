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

/** A program of one text that stands in the folder of the tests; what another one read is not read again. */
function programOf(text, before) {
  const file = join(here, 'assignable.mts');
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, version) => (name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version));
  const program = ts.createProgram([file], OPTIONS, host, before);
  return { program, source: program.getSourceFile(file) };
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
  const schemas = found.filter((each) => each.name.endsWith('Schema') && each.flags & ts.SymbolFlags.Variable);
  return { types: types.map((each) => each.name), schemas: schemas.map((each) => each.name) };
}

const imports = MODULES.map(
  (module, at) => `import type * as theirs${at} from ${JSON.stringify(theirs(module))};\nimport type * as ours${at} from ${JSON.stringify(ours(module))};\n`,
).join('');

const HELPERS = `
type Known<T> = 0 extends 1 & T ? never : true;
type Named<T> = { [K in keyof T as string extends K ? never : number extends K ? never : K]: 1 };
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
`;

/** Statements that hold if two types fit each other. Anything fits `any`: that would prove nothing. */
const both = (name, there, here) => [
  `export const to_${name}: (value: ${there}) => ${here} = (value) => value;`,
  `export const known_${name}: Known<${there}> & Known<${here}> = true;`,
  `export const keys_${name}: Same<keyof Named<${there}>, keyof Named<${here}>> = true;`,
  `export const from_${name}: (value: ${here}) => ${there} = (value) => value;`,
];

test('types fit the official types of their names, both ways, and so does what schemas infer', () => {
  const { program } = programOf(imports);
  const lines = MODULES.flatMap((module, at) => {
    const { types, schemas } = exported(program, module);
    assert.ok(types.length > 3, `${module}: ${types}`);
    const infer = (side, name) => `(typeof ${side}${at}.${name})['_zod']['output']`;
    return [
      ...types.flatMap((name) => both(`${name}_${at}`, `theirs${at}.${name}`, `ours${at}.${name}`)),
      ...schemas.flatMap((name) => both(`${name}_${at}`, infer('theirs', name), infer('ours', name))),
    ];
  });
  assert.ok(lines.length > 1000, `${lines.length} statements`);
  const { program: checked, source } = programOf(imports + HELPERS + lines.join('\n'), program);
  const line = (each) => source.text.slice(0, each.start).split('\n').at(-1);
  const say = (each) => `${line(each)}: ${ts.flattenDiagnosticMessageText(each.messageText, '\n').slice(0, 900)}`;
  assert.deepEqual([...checked.getSyntacticDiagnostics(source), ...checked.getSemanticDiagnostics(source)].map(say), []);
});
