/**
 * The 2.x face in Hono. Owns: guards and parsed bodies as middleware. Must not know: the
 * endpoint; its `fetch` takes `c.req.raw` and `{ parsedBody: c.get('parsedBody') }`.
 */
/** @ts-ignore Hono is a peer that a program may do without. */
import type { Hono, MiddlewareHandler } from 'hono';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  refusal,
  validateHostHeader,
  validateOriginHeader,
} from '../common/server/hosts';
import { guardsFor, peer } from './internal/peers';
import { readRequestBody, requestBodyTooLargeMessage, resolveMaxRequestBodySize } from '../engine/http/request-body';
import { isJsonContentType } from '../protocol/media-type';

/** Options of `createMcpHonoApp`. */
export interface CreateMcpHonoAppOptions {
  /** The address the app will be bound to. Default: `127.0.0.1`. */
  host?: string;
  /** The host names to accept in `Host`, without ports. Default: loopback names if `host` is one, otherwise any. */
  allowedHosts?: string[];
  /** The host names to accept in `Origin`, without ports. Default: loopback names if `host` is one, otherwise any. */
  allowedOrigins?: string[];
  /** The largest body, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/**
 * Returns middleware that refuses requests whose `Host` is not one of these names.
 * @param allowedHostnames - The names of hosts that are allowed, without ports.
 */
export function hostHeaderValidation(allowedHostnames: string[]): MiddlewareHandler {
  return async (c, next) => {
    const result = validateHostHeader(c.req.header('host'), allowedHostnames);
    return result.ok ? next() : c.json(refusal(result.message), 403);
  };
}

/** Returns middleware that refuses requests whose `Host` is not a loopback name of this machine. */
export function localhostHostValidation(): MiddlewareHandler {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/**
 * Returns middleware that refuses requests whose `Origin` is not on one of these hosts; no `Origin`
 * passes.
 * @param allowedOriginHostnames - The names of hosts whose pages are allowed, without ports.
 */
export function originValidation(allowedOriginHostnames: string[]): MiddlewareHandler {
  return async (c, next) => {
    const result = validateOriginHeader(c.req.header('origin'), allowedOriginHostnames);
    return result.ok ? next() : c.json(refusal(result.message), 403);
  };
}

/** Returns middleware that refuses requests whose `Origin` is not on this machine; no `Origin` passes. */
export function localhostOriginValidation(): MiddlewareHandler {
  return originValidation(localhostAllowedOrigins());
}

/** Parses JSON bodies and stores them as `parsedBody`, from where they are passed to the endpoint. */
function parsedBodies(limit: number): MiddlewareHandler {
  return async (c, next) => {
    if (c.get('parsedBody') !== undefined || !isJsonContentType(c.req.header('content-type'))) return next();
    const body = await readRequestBody(c.req.raw.clone(), limit);
    if (body.tooLarge) return c.json(refusal(requestBodyTooLargeMessage(limit)), 413);
    try {
      c.set('parsedBody', JSON.parse(body.text));
    } catch {
      return c.text('Invalid JSON', 400);
    }
    return next();
  };
}

/**
 * Creates a Hono app that refuses foreign hosts and origins, and parses JSON bodies into
 * `c.get('parsedBody')`.
 * @param options - The address, and the allowed values of `Host` and `Origin`. Default: 127.0.0.1, and local
 *   ones.
 */
export function createMcpHonoApp(options: CreateMcpHonoAppOptions = {}): Hono {
  const limit = resolveMaxRequestBodySize(options.maxRequestBodySize);
  const { hosts, origins, warning } = guardsFor(options, localhostAllowedHostnames());
  const loaded = peer<{ Hono: new () => Hono }>('hono', 'mcpbolt/v2/hono');
  const app = new loaded.Hono();
  if (hosts !== undefined) app.use('*', hostHeaderValidation(hosts));
  if (warning !== undefined) console.warn(`Warning: ${warning}`);
  if (origins !== undefined) app.use('*', originValidation(origins));
  app.use('*', parsedBodies(limit));
  return app;
}
