// The module `types` has the names of the official package: every value and every type.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const ts = require('typescript5');
const OFFICIAL = '@modelcontextprotocol/sdk';

const MODULES = [
  'types.js',
  'spec.types.js',
  'experimental/index.js',
  'experimental/tasks/index.js',
  'experimental/tasks/interfaces.js',
  'experimental/tasks/stores/in-memory.js',
  'shared/auth.js',
  'shared/auth-utils.js',
  'validation/index.js',
  'validation/types.js',
  'validation/ajv-provider.js',
];

for (const module of MODULES) {
  test(`${module} exports the values of the official module`, async () => {
    const [own, official] = await Promise.all([import(`mcpbolt/${module}`), import(`${OFFICIAL}/${module}`)]);
    assert.deepEqual(Object.keys(own).sort(), Object.keys(official).sort());
  });
}

/** The names a declaration file exports, types among them. */
function declared(files) {
  const program = ts.createProgram(files, { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16, noLib: true, types: [] });
  const checker = program.getTypeChecker();
  return files.map((file) => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
    return checker.getExportsOfModule(symbol).map((each) => each.name).sort();
  });
}

test('every type of the official modules is there, under its name', () => {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const away = dirname(require.resolve(`${OFFICIAL}/types.js`));
  const file = (folder, module) => join(folder, module.replace(/\.js$/, '.d.ts'));
  const names = declared([...MODULES.map((module) => file(join(root, 'dist'), module)), ...MODULES.map((module) => file(away, module))]);
  MODULES.forEach((module, index) => {
    const missing = names[index + MODULES.length].filter((name) => !names[index].includes(name));
    assert.deepEqual(missing, [], `${module} lacks types`);
  });
});
