/**
 * An app of Express that is ready for MCP. Owns: which guards it gets. Must not know: the
 * routes.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Express } from 'express';
import { loadExpress } from '../internal/express-load';
import { hostHeaderValidation, localhostHostValidation } from './middleware/hostHeaderValidation';

/** Options of `createMcpExpressApp`. */
export interface CreateMcpExpressAppOptions {
  /** The name it will be bound to; the names of this machine are guarded. `127.0.0.1` by default. */
  host?: string;
  /** Names that may stand in `Host`; IPv6 addresses in brackets. */
  allowedHosts?: string[];
}

/**
 * An app that parses JSON and refuses foreign `Host` headers.
 *
 * @example
 * const app = createMcpExpressApp();
 * app.post('/mcp', async (req, res) => { ... });
 */
export function createMcpExpressApp(options: CreateMcpExpressAppOptions = {}): Express {
  const { host = '127.0.0.1', allowedHosts } = options;
  const express = loadExpress('createMcpExpressApp');
  const app = express();
  if (allowedHosts) app.use(hostHeaderValidation(allowedHosts));
  else if (['127.0.0.1', 'localhost', '::1'].includes(host)) app.use(localhostHostValidation());
  else if (host === '0.0.0.0' || host === '::') {
    console.warn(
      `Warning: Server is binding to ${host} without DNS rebinding protection. ` +
        'Consider using the allowedHosts option to restrict allowed hosts, ' +
        'or use authentication to protect your server.',
    );
  }
  // After the guards: a refused request's body is not read.
  app.use(express.json());
  return app;
}
