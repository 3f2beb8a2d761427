// Packs what users install: the package itself, and the addon of this platform in a
// package of its own, which the first one depends on optionally.
//
//   node pack.mjs [--addon FILE] [--out FOLDER] [--use]
//
// Without --addon one is built in the release profile, which takes minutes. --use installs
// the packages into empty folders and runs programs there; see pack-use.mjs.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { forwarding } from './pack-forward.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
// The aim is 7,500,000 for an addon's package; docs/dependencies.md says what weighs how much.
const MAX_BYTES = 10_800_000;
const LICENSES = ['LICENSE-APACHE', 'LICENSE-MIT'];
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));

class Wrong extends Error {}

function demand(held, words) {
  if (!held) throw new Wrong(words);
}

/** Runs a command, and says what it said if it fails. */
function run(command, args, options = {}) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], ...options });
  } catch (error) {
    throw new Wrong(`${command} ${args.join(' ')} failed:\n${error.stdout ?? ''}${error.stderr ?? error}`);
  }
}

/** The environment that has the compiler build by what `cargo xtask bench profile` counted, if it did. */
function byProfile() {
  const folder = join(root, 'target', 'profile');
  const found = existsSync(folder) ? readdirSync(folder).find((name) => name.endsWith('.profdata')) : undefined;
  return found === undefined ? process.env : { ...process.env, RUSTFLAGS: `-Cprofile-use=${join(folder, found)}` };
}

/** The addon as it is released. */
function built() {
  // Where the benchmark builds too, so that what both need is compiled once.
  const target = join(root, 'target', 'bench');
  const flags = ['rustc', '--release', '--quiet', '--locked', '--lib', '-p', 'mcpbolt-node', '--target-dir', target];
  // A twentieth smaller; only the last step takes longer, nothing else is built again.
  run('cargo', [...flags, '--', '-C', 'lto=fat'], { cwd: root, env: byProfile() });
  const names = ['libmcpbolt_node.so', 'libmcpbolt_node.dylib', 'mcpbolt_node.dll'];
  return names.map((name) => join(target, 'release', name)).find((file) => existsSync(file));
}

/** This platform's name among those that have packages. */
function platform() {
  const { PLATFORMS } = createRequire(import.meta.url)('./dist/engine/platforms.js');
  const libc = process.platform === 'linux' ? (process.report.getReport().header.glibcVersionRuntime ? '-gnu' : '-musl') : '';
  const name = `${process.platform}-${process.arch}${libc}`;
  demand(PLATFORMS.includes(name), `there is no package for ${name}`);
  return { name, all: PLATFORMS };
}

/** What every package of ours says of itself. */
function common(name, description) {
  const { version, license, repository, engines } = manifest;
  return { name, version, description, license, repository, engines };
}

/** A folder with a manifest, the licenses and a README. */
function stage(folder, facts, readme) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(facts, null, 2)}\n`);
  for (const name of LICENSES) copyFileSync(join(root, name), join(folder, name));
  writeFileSync(join(folder, 'README.md'), readme);
  return folder;
}

function stageMain(folder, platforms) {
  const optionalDependencies = Object.fromEntries(platforms.map((name) => [`@mcpbolt/${name}`, manifest.version]));
  stage(folder, { ...manifest, optionalDependencies }, readFileSync(join(here, 'README.md'), 'utf8'));
  const addons = (path) => !path.includes('.node');
  cpSync(join(here, 'dist'), join(folder, 'dist'), { recursive: true, filter: addons });
  cpSync(join(here, 'bin'), join(folder, 'bin'), { recursive: true });
  return folder;
}

function stageAddon(folder, name, addon) {
  const [os, cpu, libc] = name.split('-');
  const only = { os: [os], cpu: [cpu], ...(libc && { libc: [libc === 'gnu' ? 'glibc' : 'musl'] }) };
  const facts = { ...common(`@mcpbolt/${name}`, `The engine of mcpbolt for ${name}`), main: 'mcpbolt.node', files: ['mcpbolt.node', ...LICENSES], ...only };
  stage(folder, facts, `# @mcpbolt/${name}\n\nThe engine of [mcpbolt](https://www.npmjs.com/package/mcpbolt) for ${name}. Install \`mcpbolt\`, which chooses the right one.\n`);
  copyFileSync(addon, join(folder, 'mcpbolt.node'));
  chmodSync(join(folder, 'mcpbolt.node'), 0o644);
  return folder;
}

/** The archive that npm makes of a folder. */
function pack(folder, out) {
  const said = JSON.parse(run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', out], { cwd: folder }));
  const { filename, files } = Array.isArray(said) ? said[0] : Object.values(said)[0];
  return { file: join(out, basename(filename)), names: files.map((file) => file.path) };
}

/** Sizes and contents. */
function look(main, addon, binary) {
  const size = ({ file }) => statSync(file).size;
  const all = size(main) + size(addon);
  console.log(`    ${basename(main.file)}: ${(size(main) / 1e6).toFixed(2)} MB, ${basename(addon.file)}: ${(size(addon) / 1e6).toFixed(2)} MB`);
  demand(all < MAX_BYTES, `the packages have ${all} bytes, at most ${MAX_BYTES} are allowed`);
  for (const name of [...LICENSES, 'README.md', 'bin/mcpbolt.js', 'dist/server/mcp.js', 'dist/server/mcp.mjs', 'dist/server/mcp.d.ts', 'dist/server/mcp.d.mts']) {
    demand(main.names.includes(name), `the package lacks ${name}`);
  }
  const strangers = main.names.filter((name) => !/^(bin\/|dist\/|package\.json|README|LICENSE)/.test(name) || name.endsWith('.node'));
  demand(strangers.length === 0, `the package has ${strangers.slice(0, 3)}`);
  for (const name of LICENSES) demand(addon.names.includes(name), `the addon's package lacks ${name}`);
  demand(!readFileSync(binary).includes(root), 'the addon names a folder of the machine that built it');
}

async function main() {
  const { values } = parseArgs({ options: { addon: { type: 'string' }, out: { type: 'string' }, use: { type: 'boolean' } } });
  const given = values.addon ?? built();
  const folder = mkdtempSync(join(tmpdir(), 'mcpbolt-pack-'));
  try {
    const out = resolve(values.out ?? folder);
    mkdirSync(out, { recursive: true });
    const { name, all } = platform();
    const packed = pack(stageMain(join(folder, 'main'), all), out);
    const addon = pack(stageAddon(join(folder, name), name, given), out);
    look(packed, addon, given);
    const forwarded = forwarding(common).map(({ name, facts, files }) => {
      const place = stage(join(folder, name), facts, `# ${facts.name}\n\n${facts.description}.\n`);
      for (const [file, text] of Object.entries(files)) writeFileSync(join(place, file), text);
      return pack(place, out).file;
    });
    if (values.use) {
      const { use } = await import('./pack-use.mjs');
      const tools = process.env.MCPBOLT_NODE_TOOLS ?? here;
      const readme = readFileSync(join(here, 'README.md'), 'utf8');
      const again = (place) => pack(place, folder).file;
      use({ main: packed.file, addon: addon.file, addonFolder: join(folder, name), forwarded, folder, tools, readme, run, demand, pack: again });
    }
    console.log(`    packed ${readdirSync(out).filter((file) => file.endsWith('.tgz')).length} archives`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.log(`    ${error instanceof Wrong ? error.message : error.stack}`);
  process.exitCode = 1;
});
