/**
 * The 2.x face in Fastify. Owns: guards as hooks. Must not know: the endpoint; mount it
 * with `toNodeHandler(handler)(request.raw, reply.raw, request.body)`.
 */
/** @ts-ignore Fastify is a peer that a program may do without. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  refusal,
  validateHostHeader,
  validateOriginHeader,
} from '../common/server/hosts';
import { guardsFor, peer } from './internal/peers';

/** Options of `createMcpFastifyApp`. */
export interface CreateMcpFastifyAppOptions {
  /** The address the app will be bound to. Default: `127.0.0.1`. */
  host?: string;
  /** The host names to accept in `Host`, without ports. Default: loopback names if `host` is one, otherwise any. */
  allowedHosts?: string[];
  /** The host names to accept in `Origin`, without ports. Default: loopback names if `host` is one, otherwise any. */
  allowedOrigins?: string[];
}

/** A Fastify hook for `onRequest`. */
type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Returns a hook that refuses requests whose `Host` is not one of these names.
 * @param allowedHostnames - The names of hosts that are allowed, without ports.
 */
export function hostHeaderValidation(allowedHostnames: string[]): Hook {
  return async (request, reply) => {
    const result = validateHostHeader(request.headers.host, allowedHostnames);
    if (!result.ok) await reply.code(403).send(refusal(result.message));
  };
}

/** Returns a hook that refuses requests whose `Host` is not a loopback name of this machine. */
export function localhostHostValidation(): Hook {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/**
 * Returns a hook that refuses requests whose `Origin` is not on one of these hosts; no `Origin`
 * passes.
 * @param allowedOriginHostnames - The names of hosts whose pages are allowed, without ports.
 */
export function originValidation(allowedOriginHostnames: string[]): Hook {
  return async (request, reply) => {
    const result = validateOriginHeader(request.headers.origin, allowedOriginHostnames);
    if (!result.ok) await reply.code(403).send(refusal(result.message));
  };
}

/** Returns a hook that refuses requests whose `Origin` is not on this machine; no `Origin` passes. */
export function localhostOriginValidation(): Hook {
  return originValidation(localhostAllowedOrigins());
}

/**
 * Creates a Fastify app that refuses foreign hosts and origins.
 * @param options - The address, and the allowed values of `Host` and `Origin`. Default: 127.0.0.1, and local
 *   ones.
 */
export function createMcpFastifyApp(options: CreateMcpFastifyAppOptions = {}): FastifyInstance {
  const { hosts, origins, warning } = guardsFor(options, localhostAllowedHostnames());
  const app = peer<() => FastifyInstance>('fastify', 'mcpbolt/v2/fastify')();
  if (hosts !== undefined) app.addHook('onRequest', hostHeaderValidation(hosts));
  if (warning !== undefined) app.log.warn(warning);
  if (origins !== undefined) app.addHook('onRequest', originValidation(origins));
  return app;
}
