// Bundles the page: ts/ into dist/, which is committed. The same sources give the same bytes.
//
//   node build.mjs [FOLDER]     where to, instead of dist

import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, 'dist');
mkdirSync(out, { recursive: true });

await build({
  absWorkingDir: here,
  entryPoints: ['ts/page.tsx', 'ts/page.css'],
  entryNames: '[name]',
  outdir: out,
  bundle: true,
  minify: true,
  charset: 'utf8',
  format: 'esm',
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
});
copyFileSync(join(here, 'ts/index.html'), join(out, 'index.html'));

// What a test without Node compares the sources with.
const files = ['package.json', 'package-lock.json', 'build.mjs', ...under(join(here, 'ts'))].sort();
const hash = createHash('sha256');
for (const file of files) hash.update(`${file}\0${readFileSync(join(here, file), 'utf8')}\0`);
writeFileSync(join(out, 'sources.sha256'), `${hash.digest('hex')}\n`);

/** The files under a folder, by their paths from here. */
function under(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? under(path) : [relative(here, path).replaceAll('\\', '/')];
  });
}
