/** Loading Express from the program. Owns: finding it. Must not know: what it is used for. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
/** @ts-ignore Express is a peer that a program may do without. */
import type { Express, Router, RequestHandler } from 'express';

/** The members of Express that are used. */
export interface ExpressModule {
  (): Express;
  Router(): Router;
  json(): RequestHandler;
  urlencoded(options: { extended: boolean }): RequestHandler;
}

/**
 * Loads Express from beside this package, or from the program.
 *
 * @throws if it is not installed; the error says that `who` needs it.
 */
export function loadExpress(who: string): ExpressModule {
  for (const from of [__filename, join(process.cwd(), 'index.js')]) {
    try {
      return createRequire(from)('express') as ExpressModule;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error(`${who} needs Express: npm install express`);
}
