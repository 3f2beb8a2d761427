/**
 * Web frameworks that a program may have. Owns: finding the program's own, and saying how
 * to get it. Must not know: what is done with it.
 */
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';

/** A package of the program's. */
export function peer<T>(name: string, wanted: string): T {
  const places = [process.argv[1], __filename, join(process.cwd(), 'index.js')];
  for (const from of places.filter((place) => place !== undefined && isAbsolute(place))) {
    try {
      return createRequire(from!)(name) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new Error(`${wanted} needs the package ${name}: npm install ${name}`);
}

/** Which guards an app gets, and a word of warning where it gets none. */
export interface Guards {
  /** Names allowed in `Host`. */
  hosts?: string[] | undefined;
  /** Names allowed in `Origin`. */
  origins?: string[] | undefined;
  /** To be said where every host may talk to it. */
  warning?: string | undefined;
}

/** What an app is bound to decides what guards it needs. */
export function guardsFor(options: { host?: string; allowedHosts?: string[]; allowedOrigins?: string[] }, local: string[]): Guards {
  const { host = '127.0.0.1', allowedHosts, allowedOrigins } = options;
  const near = ['127.0.0.1', 'localhost', '::1'].includes(host);
  const everywhere = host === '0.0.0.0' || host === '::';
  return {
    hosts: allowedHosts ?? (near ? local : undefined),
    origins: allowedOrigins ?? (near ? local : undefined),
    warning:
      everywhere && allowedHosts === undefined
        ? `Server is binding to ${host} without DNS rebinding protection. Consider using the allowedHosts option ` +
          'to restrict allowed hosts, or use authentication to protect your server.'
        : undefined,
  };
}
