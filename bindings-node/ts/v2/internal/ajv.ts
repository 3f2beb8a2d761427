/**
 * Ajv as the program has installed it, under the names that 2.x exports. Owns: finding it. Must not
 * know: what is validated with it.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AjvLike } from '../../common/validation/ajv-provider';

type AddFormats = (ajv: AjvLike, options?: unknown) => AjvLike;

/** Loads a package from beside this one, or from the program. */
function load(name: string, user: string): unknown {
  for (const from of [__filename, join(process.cwd(), 'index.js')]) {
    try {
      const loaded = createRequire(from)(name) as { default?: unknown };
      return loaded.default ?? loaded;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error(`${user} is that of the package ${name}, which mcpbolt does not contain: npm install ${name}`);
}

/** Ajv for draft-07, from the package `ajv`, which the program has to install. */
export const Ajv = new Proxy(class {} as new (options?: object) => AjvLike, {
  construct: (_, options) => Reflect.construct(load('ajv', 'Ajv') as new () => AjvLike, options),
});

/** Adds formats to an Ajv instance, with the package `ajv-formats`, which the program has to install. */
export const addFormats: AddFormats = (ajv, options) => (load('ajv-formats', 'addFormats') as AddFormats)(ajv, options);
