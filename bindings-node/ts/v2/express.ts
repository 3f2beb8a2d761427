/**
 * The 2.x face in Express. Owns: guards, bearer tokens and metadata as middleware. Must not know:
 * the endpoint; mount it with `toNodeHandler` of `mcpbolt/v2/node`.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Express, RequestHandler, Router } from 'express';
import { bearerAuthChallengeResponse, verifyBearerToken, type VerifyBearerTokenOptions } from './internal/bearer';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  refusal,
  validateHostHeader,
  validateOriginHeader,
} from '../common/server/hosts';
import { documentAnswer, metadataDocuments, withoutSlash, type AuthMetadataOptions } from './internal/metadata';
import { guardsFor, peer } from './internal/peers';

export { getOAuthProtectedResourceMetadataUrl, type AuthMetadataOptions } from './internal/metadata';
export type { OAuthTokenVerifier } from './internal/bearer';

/** Options of `requireBearerAuth`. */
export type BearerAuthMiddlewareOptions = VerifyBearerTokenOptions;

/** Options of `createMcpExpressApp`. */
export interface CreateMcpExpressAppOptions {
  /** The address the app will be bound to. Default: `127.0.0.1`. */
  host?: string;
  /** The host names to accept in `Host`, without ports. Default: loopback names if `host` is one, otherwise any. */
  allowedHosts?: string[];
  /** The host names to accept in `Origin`, without ports. Default: loopback names if `host` is one, otherwise any. */
  allowedOrigins?: string[];
  /** The largest JSON body, e.g. `1mb`. Default: that of Express. */
  jsonLimit?: string;
}

interface Loaded {
  (): Express;
  json(options?: { limit: string }): RequestHandler;
  Router(): Router;
}

const load = (): Loaded => peer<Loaded>('express', 'mcpbolt/v2/express');

/**
 * Returns middleware that refuses requests whose `Host` is not one of these names.
 * @param allowedHostnames - The names of hosts that are allowed, without ports.
 */
export function hostHeaderValidation(allowedHostnames: string[]): RequestHandler {
  return (req, res, next) => {
    const result = validateHostHeader(req.headers.host, allowedHostnames);
    if (result.ok) next();
    else res.status(403).json(refusal(result.message));
  };
}

/** Returns middleware that refuses requests whose `Host` is not a loopback name of this machine. */
export function localhostHostValidation(): RequestHandler {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/**
 * Returns middleware that refuses requests whose `Origin` is not on one of these hosts; no `Origin`
 * passes.
 * @param allowedOriginHostnames - The names of hosts whose pages are allowed, without ports.
 */
export function originValidation(allowedOriginHostnames: string[]): RequestHandler {
  return (req, res, next) => {
    const result = validateOriginHeader(req.headers.origin, allowedOriginHostnames);
    if (result.ok) next();
    else res.status(403).json(refusal(result.message));
  };
}

/** Returns middleware that refuses requests whose `Origin` is not on this machine; no `Origin` passes. */
export function localhostOriginValidation(): RequestHandler {
  return originValidation(localhostAllowedOrigins());
}

/**
 * Creates an Express app that refuses foreign hosts and origins, and parses JSON bodies.
 *
 * @param options - The address, and the allowed values of `Host` and `Origin`. Default: 127.0.0.1, and local
 *   ones.
 * @example
 * const app = createMcpExpressApp();
 * app.all('/mcp', toNodeHandler(createMcpHandler(factory)));
 */
export function createMcpExpressApp(options: CreateMcpExpressAppOptions = {}): Express {
  const { hosts, origins, warning } = guardsFor(options, localhostAllowedHostnames());
  const express = load();
  const app = express();
  if (hosts !== undefined) app.use(hostHeaderValidation(hosts));
  if (warning !== undefined) console.warn(`Warning: ${warning}`);
  if (origins !== undefined) app.use(originValidation(origins));
  // After the guards, so that the body of a refused request is not read.
  app.use(express.json(options.jsonLimit ? { limit: options.jsonLimit } : undefined));
  return app;
}

/**
 * Returns middleware that lets requests with a valid access token pass and sets `req.auth`.
 * @param options - The verifier, the required scopes, and the URL of the resource's metadata.
 */
export function requireBearerAuth(options: BearerAuthMiddlewareOptions): RequestHandler {
  return async (req, res, next) => {
    try {
      (req as { auth?: unknown }).auth = await verifyBearerToken(req.headers.authorization, options);
    } catch (error) {
      const answer = bearerAuthChallengeResponse(error, options);
      const said = answer.headers.get('www-authenticate');
      if (said !== null) res.set('WWW-Authenticate', said);
      res.status(answer.status).json(await answer.json());
      return;
    }
    next();
  };
}

/**
 * Returns a router with two metadata documents: of the protected resource, and of the authorization
 * server that issues its tokens.
 * @param options - The metadata, and the URL of the resource.
 */
export function mcpAuthMetadataRouter(options: AuthMetadataOptions): Router {
  const documents = metadataDocuments(options);
  const router = load().Router();
  router.use((req, res, next) => {
    // Relative to where the router is mounted.
    const path = withoutSlash(req.path);
    if (!documents.has(path)) return next();
    const answer = documentAnswer(req.method, req.get('access-control-request-headers'), documents.get(path));
    res.status(answer.status).set(answer.headers);
    if (answer.json === undefined) res.end();
    else res.json(answer.json);
  });
  return router;
}
