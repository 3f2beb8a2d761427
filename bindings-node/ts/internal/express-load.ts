/**
 * Express, where a program has it. Owns: finding it. Must not know: what it is for.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
/** @ts-ignore Express is a peer that a program may do without. */
import type { Express, Router, RequestHandler } from 'express';

/** What is used of it. */
export interface ExpressModule {
  (): Express;
  Router(): Router;
  json(): RequestHandler;
  urlencoded(options: { extended: boolean }): RequestHandler;
}

/**
 * The Express that lies beside this package, or beside the program.
 *
 * @throws if Express is not installed; the message names `who` as what needs it.
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
