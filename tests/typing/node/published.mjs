// The package as it is published, under publint and attw.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding, packageFolder } from './places.mjs';

const { exports } = JSON.parse(readFileSync(join(binding, 'package.json'), 'utf8'));

/** Whether programs can import what is in a folder. */
const isPublic = (folder) => exports[`${folder}/*`] !== null;

/** Every public subpath in the spelling with `.js`; attw does not follow patterns. */
function entrypoints(folder = join(binding, 'dist'), prefix = '.') {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}/${entry.name}`;
    if (entry.isDirectory()) return isPublic(path) ? entrypoints(join(folder, entry.name), path) : [];
    return entry.name.endsWith('.js') ? [path] : [];
  });
}

function stage(folder) {
  for (const name of ['package.json', 'README.md']) cpSync(join(binding, name), join(folder, name));
  for (const name of ['LICENSE-APACHE', 'LICENSE-MIT']) cpSync(join(binding, '..', name), join(folder, name));
  cpSync(join(binding, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(binding, 'dist'), join(folder, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.node') });
}

function run(args, cwd) {
  try {
    return { held: true, said: execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 180_000 }) };
  } catch (error) {
    return { held: false, said: `${error.stdout ?? ''}${error.stderr ?? error}` };
  }
}

/** A tool's program, as its package names it. */
function tool(name, file) {
  const path = join(packageFolder(name), file);
  if (!existsSync(path)) throw new Error(`${name} has no ${file}`);
  return path;
}

/** Both, strict. */
export function published() {
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-published-'));
  try {
    stage(folder);
    const faults = [];
    const lint = run([tool('publint', 'src/cli.js'), 'run', folder, '--strict'], folder);
    if (!lint.held || /(Error|Warning|Suggestion)s?:/.test(lint.said)) faults.push(`publint: ${lint.said.trim()}`);
    const all = ['.', './client', './server', './validation', './validation/ajv', './validation/cfworker', './experimental', './experimental/tasks', ...entrypoints()];
    const types = run([tool('@arethetypeswrong/cli', 'dist/index.js'), '--pack', folder, '--format', 'ascii', '--no-color', '--no-emoji', '--entrypoints', ...all], folder);
    if (!types.held) faults.push(`attw: ${types.said.trim()}`);
    return { note: `${all.length} subpaths`, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
