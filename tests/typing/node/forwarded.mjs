// The packages that stand in for the official ones, as a compiler sees them: their own
// declarations, and the same programs on them and on the official packages.
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FORWARDED, forwarding } from '../../../bindings-node/pack-forward.mjs';
import { tsc, ways } from './compile.mjs';
import { binding, here, packageFolder, root } from './places.mjs';

const place = join(root, '.cache', 'typing-alias');
/** The programs of `programs`, but for those that use what only this package has. */
const PROGRAMS = readdirSync(join(here, 'programs')).filter((name) => name !== 'own.mts');
/** What the programs import besides the packages that are compared. */
const BESIDE = ['zod', 'express', 'hono', 'fastify', '@types/node', '@types/express'];

function link(target, path) {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** A program with the official names in place of ours. */
function officially(text) {
  const names = [
    ['mcpbolt/v2/', '@modelcontextprotocol/'],
    ['mcpbolt/server-legacy', '@modelcontextprotocol/server-legacy'],
    ['mcpbolt/', '@modelcontextprotocol/sdk/'],
  ];
  return names.reduce((done, [ours, official]) => done.replaceAll(`from '${ours}`, `from '${official}`), text);
}

/** A folder with the programs, and packages under the official names: ours, or the official ones. */
function stage(which) {
  const folder = join(place, which);
  rmSync(folder, { recursive: true, force: true });
  const modules = join(folder, 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of PROGRAMS) writeFileSync(join(folder, name), officially(readFileSync(join(here, 'programs', name), 'utf8')));
  for (const name of BESIDE) link(packageFolder(name), join(modules, name));
  const names = [...Object.keys(FORWARDED), 'sdk'];
  if (which === 'official') {
    for (const name of names) link(packageFolder(`@modelcontextprotocol/${name}`), join(modules, '@modelcontextprotocol', name));
    return folder;
  }
  link(binding, join(modules, 'mcpbolt'));
  link(binding, join(modules, '@modelcontextprotocol', 'sdk'));
  const { version } = JSON.parse(readFileSync(join(binding, 'package.json'), 'utf8'));
  for (const { facts, files } of forwarding((name) => ({ name, version }))) {
    const at = join(modules, '@modelcontextprotocol', facts.name.slice('@mcpbolt/'.length));
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify(facts));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(at, file), text);
  }
  return folder;
}

/** A program that imports every subpath, so that all declarations behind it are checked. */
function everything(folder) {
  const subpaths = Object.entries(FORWARDED).flatMap(([name, paths]) => Object.keys(paths).map((path) => join('@modelcontextprotocol', name, path)));
  const lines = subpaths.map((path, at) => `import * as m${at} from '${path}';`);
  const file = join(folder, 'everything.mts');
  writeFileSync(file, `${lines.join('\n')}\nconsole.log(${subpaths.map((_, at) => `m${at}`).join(', ')});\n`);
  return file;
}

/** Declarations strict, nothing skipped; programs on ours and on the official packages. */
export async function forwarded() {
  const faults = [];
  const check = async (name, files, options) => {
    const said = await tsc(name, 'typescript', files, { ...ways.node16.options, ...options });
    faults.push(...said.split('\n').filter((line) => line.includes('error TS')).map((line) => `${name}: ${line}`));
  };
  for (const which of ['ours', 'official']) {
    const folder = stage(which);
    // The declarations of others are theirs to check.
    const options = { skipLibCheck: which === 'official', preserveSymlinks: false };
    const files = PROGRAMS.map((name) => join(folder, name));
    await check(`alias-${which}`, which === 'ours' ? [...files, everything(folder)] : files, options);
  }
  return { note: `${PROGRAMS.length} programs on ours and on the official packages, every subpath`, faults };
}
