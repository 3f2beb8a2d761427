// Every module has the types of the official module of its name. (What they are at run time
// is a test of the package.)
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const ts = require('typescript5');
const own = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist');
const official = dirname(require.resolve('@modelcontextprotocol/sdk/types.js'));

/** Helpers of its transports that the official package happens to export. */
const PRIVATE = {
  'shared/transport.d.ts': ['fetchLeavingRedirects', 'fetchWithinOrigin', 'followWithinOrigin', 'isWithinOrigin', 'unfollowedRedirect'],
};

const modules = readdirSync(official, { recursive: true }).filter((file) => file.endsWith('.d.ts') && !file.startsWith('examples'));

/** The names that declaration files export, types among them. */
function declared(files) {
  const options = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16, noLib: true, types: [] };
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  return files.map((file) => {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
    return symbol === undefined ? [] : checker.getExportsOfModule(symbol).map((each) => each.name);
  });
}

test('every type of the official modules is there, under its name', () => {
  assert.ok(modules.length > 50, String(modules.length));
  const missing = modules.filter((module) => !existsSync(join(own, module)));
  assert.deepEqual(missing, []);
  const names = declared([own, official].flatMap((folder) => modules.map((module) => join(folder, module))));
  modules.forEach((module, at) => {
    const known = [...names[at], ...(PRIVATE[module] ?? [])];
    assert.deepEqual(names[at + modules.length].filter((name) => !known.includes(name)), [], `${module} lacks names`);
  });
});
