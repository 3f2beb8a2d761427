// Where things are. Owns: the folders of the checkout, and how its tools are found.
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '..', '..', '..');
export const binding = join(root, 'bindings-node');
/** Finds what bindings-node/tools pins; build.sh puts it where programs of the checkout look. */
export const require = createRequire(join(binding, 'tools', 'x.cjs'));

/** The folder of an installed package. */
export function packageFolder(name) {
  // Not resolved as a module: a package may close its package.json.
  const folders = require.resolve.paths(name).map((folder) => join(folder, name));
  const found = folders.find((folder) => existsSync(join(folder, 'package.json')));
  if (found === undefined) throw new Error(`${name} is not installed: run bindings-node/build.sh`);
  return realpathSync(found);
}
