// Programs as users write them, under tsc; and what an import costs in types.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binding, here, packageFolder, root } from './places.mjs';

/** More types than this a trivial server may not add to the same file without imports. */
const MAX_TYPES = 1500;
const SECONDS = 120;

const common = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  skipLibCheck: false,
  esModuleInterop: true,
  exactOptionalPropertyTypes: false,
};
// Old resolution knows `typesVersions` only, and only the older compiler has it. Our own
// declarations are checked once.
export const ways = {
  node16: { compiler: 'typescript', options: { module: 'node16', moduleResolution: 'node16' } },
  bundler: { compiler: 'typescript', options: { module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true } },
  'typescript 5.9': { compiler: 'typescript5', options: { module: 'nodenext', moduleResolution: 'nodenext', skipLibCheck: true } },
  'node10, typescript 5.9': { compiler: 'typescript5', options: { module: 'esnext', moduleResolution: 'node10', skipLibCheck: true } },
};

/** What a compiler prints, with a configuration of its own. */
export function tsc(name, compiler, files, options, flags = []) {
  const folder = join(root, '.cache', 'typing-node');
  mkdirSync(folder, { recursive: true });
  const config = join(folder, `${name.replaceAll(/\W+/g, '-')}.json`);
  const typeRoots = [join(packageFolder('@types/node'), '..')];
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...common, typeRoots, ...options }, files }));
  const bin = join(packageFolder(compiler), 'bin', 'tsc');
  return new Promise((resolve, reject) => {
    const limits = { timeout: SECONDS * 1000, maxBuffer: 1 << 26, cwd: root };
    execFile(process.execPath, [bin, '-p', config, '--pretty', 'false', ...flags], limits, (error, stdout, stderr) => {
      if (error?.killed || (error && stdout === '')) reject(new Error(`tsc: ${stderr || error.message}`));
      else resolve(stdout);
    });
  });
}

/** The package of this checkout, whatever is installed beside it. */
function link() {
  const modules = join(here, 'node_modules');
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(modules);
  symlinkSync(binding, join(modules, 'mcpbolt'));
}

function sources(folder) {
  return readdirSync(join(here, folder)).filter((name) => /\.m?ts$/.test(name)).map((name) => join(here, folder, name));
}

/** The programs, strict, by every way to find the package's types. */
export async function programs() {
  link();
  const faults = [];
  const all = sources('programs');
  for (const [name, { compiler, options }] of Object.entries(ways)) {
    const said = await tsc(name, compiler, all, options);
    faults.push(...said.split('\n').filter((line) => line.includes('error TS')).map((line) => `${name}: ${line}`));
  }
  return { note: `${all.length} programs, ${Object.keys(ways).length} ways`, faults };
}

/** Where programs in JavaScript are: the examples, and what the guide shows. */
const SCRIPTS = ['examples/node', 'examples/cookbook/node', 'bindings-node/tests/guide', 'bindings-node/tests/guide/programs'];

/** The examples and the guide's programs, strict but for parameters without a type. */
export async function scripts() {
  const all = SCRIPTS.flatMap((folder) => {
    const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.mjs'));
    return names.map((name) => join(root, folder, name));
  });
  const options = { ...ways.node16.options, skipLibCheck: true, allowJs: true, checkJs: true, noImplicitAny: false };
  const said = await tsc('scripts', 'typescript', all, options);
  return { note: `${all.length} scripts`, faults: said.split('\n').filter((line) => line.includes('error TS')) };
}

async function types(file) {
  const said = await tsc(`cost-${file}`, 'typescript', [join(here, 'cost', file)], { ...ways.node16.options, skipLibCheck: true }, ['--extendedDiagnostics']);
  const errors = said.split('\n').filter((line) => line.includes('error TS'));
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return Number(/^Types:\s+(\d+)$/m.exec(said)?.[1]);
}

/** How many types a trivial server adds to an empty file. */
export async function cost() {
  link();
  const empty = await types('empty.mts');
  const faults = [];
  const notes = [];
  for (const file of ['server.mts', 'server-v2.mts']) {
    const added = (await types(file)) - empty;
    notes.push(`${file} adds ${added} types`);
    if (!(added < MAX_TYPES)) faults.push(`${file} adds ${added} types, at most ${MAX_TYPES} are allowed`);
  }
  return { note: notes.join(', '), faults };
}
