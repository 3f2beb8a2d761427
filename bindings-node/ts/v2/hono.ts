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
} from '../internal/v2/hosts';
import { guardsFor, peer } from '../internal/v2/peers';
import { readRequestBody, requestBodyTooLargeMessage, resolveMaxRequestBodySize } from '../server/requestBody';
import { isJsonContentType } from '../shared/mediaType';

/** Options of `createMcpHonoApp`. */
export interface CreateMcpHonoAppOptions {
  /** The address the app will be bound to; `127.0.0.1` by default. */
  host?: string;
  /** Host names that requests may have in `Host`. */
  allowedHosts?: string[];
  /** Host names that requests may have in `Origin`. */
  allowedOrigins?: string[];
  /** Largest body, in bytes. */
  maxRequestBodySize?: number;
}

/** Refuses requests whose `Host` is not one of these names. */
export function hostHeaderValidation(allowedHostnames: string[]): MiddlewareHandler {
  return async (c, next) => {
    const result = validateHostHeader(c.req.header('host'), allowedHostnames);
    return result.ok ? next() : c.json(refusal(result.message), 403);
  };
}

/** Refuses requests whose `Host` is not this machine. */
export function localhostHostValidation(): MiddlewareHandler {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Refuses requests whose `Origin` is not one of these names. */
export function originValidation(allowedOriginHostnames: string[]): MiddlewareHandler {
  return async (c, next) => {
    const result = validateOriginHeader(c.req.header('origin'), allowedOriginHostnames);
    return result.ok ? next() : c.json(refusal(result.message), 403);
  };
}

/** Refuses requests whose `Origin` is not this machine. */
export function localhostOriginValidation(): MiddlewareHandler {
  return originValidation(localhostAllowedOrigins());
}

/** Puts the parsed body where the endpoint is given it from. */
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

/** An app that refuses foreign hosts and origins, and parses JSON into `parsedBody`. */
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
