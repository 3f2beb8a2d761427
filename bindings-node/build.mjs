// Builds the package into dist/: compiles ts/, puts the addon beside it, and writes an
// ESM side that only names what the CommonJS side has, so that there is one copy of
// every class whichever way a program loads it. `node build.mjs [ADDON]`.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const here = dirname(fileURLToPath(import.meta.url));
// Made beside the old one, which whoever runs goes on with.
const dist = join(here, 'dist.next');
const tools = resolve(process.env.MCPBOLT_NODE_TOOLS ?? here);
const require = createRequire(join(tools, 'build.cjs'));
const lexer = require('cjs-module-lexer');

/** The folders that programs cannot import from, as package.json says. */
const { exports } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const PRIVATE = Object.keys(exports).filter((pattern) => exports[pattern] === null).map((pattern) => pattern.slice('./'.length, -'*'.length));

/** Every file that was compiled, by its path. */
function compiled(folder = dist) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return compiled(path);
    return entry.name.endsWith('.js') ? [path] : [];
  });
}

/** The types, with the documentation in them, and the JavaScript without it. */
function compile() {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  const types = join(dirname(require.resolve('@types/node/package.json')), '..');
  const flags = [tsc, '-p', here, '--outDir', dist, '--typeRoots', types];
  const code = [...flags, '--declaration', 'false', '--removeComments', '--noCheck'];
  const runs = [[...flags, '--emitDeclarationOnly'], code].map((args) => spawn(process.execPath, args, { stdio: 'inherit' }));
  return Promise.all(runs.map((run) => once(run, 'exit'))).then((exits) => {
    if (exits.some(([status]) => status !== 0)) process.exit(1);
  });
}

/**
 * The names a module exports, read as Node reads them when ESM imports CommonJS: a name
 * that is missing here would be missing there, too.
 */
function exported(path, known = new Map()) {
  if (known.has(path)) return known.get(path);
  const names = new Set();
  known.set(path, names);
  const found = lexer.parse(readFileSync(path, 'utf8'));
  for (const from of found.reexports) {
    const target = resolve(dirname(path), from);
    const file = [`${target}.js`, join(target, 'index.js')].find((candidate) => existsSync(candidate));
    if (file === undefined) throw new Error(`${path}: cannot read the names of ${from}`);
    for (const name of exported(file, known)) names.add(name);
  }
  for (const name of found.exports) names.add(name);
  names.delete('__esModule');
  return names;
}

function wrap(path) {
  const names = [...exported(path)];
  if (names.includes('default')) throw new Error(`${path}: a default export is another thing in ESM and CommonJS`);
  const file = `./${relative(dirname(path), path)}`;
  const lines = names.length > 0 ? [`import cjs from '${file}';`, `export const { ${names.join(', ')} } = cjs;`] : ['export {};'];
  writeFileSync(path.replace(/\.js$/, '.mjs'), `${lines.join('\n')}\n`);
  writeFileSync(path.replace(/\.js$/, '.d.mts'), `export * from '${file}';\n`);
}

/** The root names everything, and loads a module when the first of its names is used. */
function loadLate(path) {
  const early = /^(?:var|const) (\w+) = require\((".*?")\);$/gm;
  const text = readFileSync(path, 'utf8').replace(early, 'const $1 = late(() => require($2));');
  const late = 'const late = (load) => new Proxy({}, { get: (_, name) => load()[name] });';
  writeFileSync(path, text.replace('"use strict";', `"use strict";\n${late}`));
}

/** The addon that was given, or the one that was there. A new file each time: a process that has the old one loaded keeps it. */
function place(given) {
  const before = join(here, 'dist', 'mcpbolt.node');
  if (given !== undefined) copyFileSync(given, join(dist, 'mcpbolt.node'));
  else if (existsSync(before)) linkSync(before, join(dist, 'mcpbolt.node'));
}

/** What a build is made of. */
function digest(addon) {
  const hash = createHash('sha256');
  const add = (path) => hash.update(relative(here, path)).update(readFileSync(path));
  for (const name of ['build.mjs', 'bundle.mjs', 'tsconfig.json', 'package.json']) add(join(here, name));
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      entry.isDirectory() ? walk(path) : add(path);
    }
  };
  walk(join(here, 'ts'));
  if (addon !== undefined) add(resolve(addon));
  return hash.digest('hex');
}

const started = performance.now();
// Whoever asks for what is there already does not take it away from those that run on it.
const stamp = join(here, '.built');
const made = digest(process.argv[2]);
if (existsSync(stamp) && readFileSync(stamp, 'utf8') === made && existsSync(join(here, 'dist', 'index.js'))) {
  console.log('dist: built already');
  process.exit(0);
}
rmSync(stamp, { force: true });
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await compile();
place(process.argv[2]);
const root = join(dist, 'index.js');
if (existsSync(root)) loadLate(root);
const modules = compiled();
const open = modules.filter((path) => !PRIVATE.some((room) => relative(dist, path).replaceAll('\\', '/').startsWith(room)));
for (const path of open) wrap(path);
const size = modules.reduce((sum, path) => sum + readFileSync(path).length, 0);
bundle(dist, modules);
rmSync(join(here, 'dist'), { recursive: true, force: true });
renameSync(dist, join(here, 'dist'));
writeFileSync(stamp, made);
console.log(
  `dist: ${open.length} public modules, ${Math.round(size / 1024)} KiB of JavaScript, ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
