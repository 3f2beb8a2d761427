/**
 * Web frameworks that a program may have installed. Owns: loading them, and the error that says how
 * to install them. Must not know: what they are used for.
 */
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';

/** Loads a package that the program has installed. */
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

/** The guards that an app gets, and a warning if it gets none. */
export interface Guards {
  /** The names to accept in `Host`. */
  hosts?: string[] | undefined;
  /** The names to accept in `Origin`. */
  origins?: string[] | undefined;
  /** A warning, if requests from every host are accepted. */
  warning?: string | undefined;
}

/** Chooses an app's guards by the address it is bound to. */
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
