// Builds the package into dist/: compiles ts/, puts the addon beside it, writes the ESM
// side, which only names what the CommonJS side has: there is one copy of every class.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const require = createRequire(import.meta.url);
const tools = process.env.MCPBOLT_NODE_TOOLS ?? here;

/** Every public module of the package, by its path below dist/. */
function modules(folder = dist) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'internal' ? [] : modules(path);
    return entry.name.endsWith('.js') ? [path] : [];
  });
}

function wrap(path) {
  const names = Object.keys(require(path)).filter((name) => name !== '__esModule' && name !== 'default');
  const file = `./${path.slice(dirname(path).length + 1)}`;
  const lines = names.length > 0 ? [`import cjs from '${file}';`, `export const { ${names.join(', ')} } = cjs;`] : ['export {};'];
  writeFileSync(path.replace(/\.js$/, '.mjs'), `${lines.join('\n')}\n`);
  writeFileSync(path.replace(/\.js$/, '.d.mts'), `export * from '${file}';\n`);
}

function compile() {
  const tsc = join(tools, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', here, '--typeRoots', join(tools, 'node_modules', '@types')], { stdio: 'inherit' });
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
compile();
if (process.argv[2] !== undefined) copyFileSync(process.argv[2], join(dist, 'mcpbolt.node'));
for (const path of modules()) wrap(path);
const size = modules().reduce((sum, path) => sum + statSync(path).size, 0);
console.log(`dist: ${modules().length} modules, ${Math.round(size / 1024)} KiB of JavaScript for ${relative(process.cwd(), here) || '.'}`);
void readFileSync;
