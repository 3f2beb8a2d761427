/** An Express app for MCP. Owns: which guards it gets. Must not know: the routes. */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Express } from 'express';
import { loadExpress } from './express-load';
import { hostHeaderValidation, localhostHostValidation } from './host-header-validation';

/** Options of `createMcpExpressApp`. */
export interface CreateMcpExpressAppOptions {
  /**
   * The address the app will be bound to. For loopback addresses, foreign `Host` headers are
   * refused. Default: `127.0.0.1`.
   */
  host?: string;
  /** The values of `Host` to accept; IPv6 addresses in brackets. */
  allowedHosts?: string[];
}

/**
 * Creates an Express app that refuses foreign `Host` headers and parses JSON bodies.
 *
 * @param options - The address, and the allowed values of `Host` and `Origin`. Default: 127.0.0.1, and local
 *   ones.
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
  // After the guards, so that the body of a refused request is not read.
  app.use(express.json());
  return app;
}
