/**
 * The 2.x face in Express. Owns: guards, tokens and documents as middleware. Must not
 * know: the endpoint; mount it with `toNodeHandler` of `mcpbolt/v2/node`.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Express, RequestHandler, Router } from 'express';
import { bearerAuthChallengeResponse, verifyBearerToken, type VerifyBearerTokenOptions } from '../internal/v2/bearer';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  refusal,
  validateHostHeader,
  validateOriginHeader,
} from '../internal/v2/hosts';
import { oauthMetadataResponse, buildOAuthProtectedResourceMetadata, type AuthMetadataOptions } from '../internal/v2/metadata';
import { guardsFor, peer } from '../internal/v2/peers';

export { getOAuthProtectedResourceMetadataUrl, type AuthMetadataOptions } from '../internal/v2/metadata';
export type { OAuthTokenVerifier } from '../internal/v2/bearer';

/** What `requireBearerAuth` asks of a token. */
export type BearerAuthMiddlewareOptions = VerifyBearerTokenOptions;

/** Options of `createMcpExpressApp`. */
export interface CreateMcpExpressAppOptions {
  /** The address the app will be bound to; `127.0.0.1` by default. */
  host?: string;
  /** Host names that requests may have in `Host`. */
  allowedHosts?: string[];
  /** Host names that requests may have in `Origin`. */
  allowedOrigins?: string[];
  /** Largest body, in the words of Express; its own limit if nothing is said. */
  jsonLimit?: string;
}

interface Loaded {
  (): Express;
  json(options?: { limit: string }): RequestHandler;
  Router(): Router;
}

const load = (): Loaded => peer<Loaded>('express', 'mcpbolt/v2/express');

/** Refuses requests whose `Host` is not one of these names. */
export function hostHeaderValidation(allowedHostnames: string[]): RequestHandler {
  return (req, res, next) => {
    const result = validateHostHeader(req.headers.host, allowedHostnames);
    if (result.ok) next();
    else res.status(403).json(refusal(result.message));
  };
}

/** Refuses requests whose `Host` is not this machine. */
export function localhostHostValidation(): RequestHandler {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Refuses requests whose `Origin` is not one of these names. */
export function originValidation(allowedOriginHostnames: string[]): RequestHandler {
  return (req, res, next) => {
    const result = validateOriginHeader(req.headers.origin, allowedOriginHostnames);
    if (result.ok) next();
    else res.status(403).json(refusal(result.message));
  };
}

/** Refuses requests whose `Origin` is not this machine. */
export function localhostOriginValidation(): RequestHandler {
  return originValidation(localhostAllowedOrigins());
}

/**
 * An app that refuses foreign hosts and origins, and parses JSON.
 *
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
  // After the guards: a refused request's body is not read.
  app.use(express.json(options.jsonLimit ? { limit: options.jsonLimit } : undefined));
  return app;
}

/** Lets through requests with a good token; `req.auth` is what it stands for. */
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

/** Serves the two documents by which clients find out who gives tokens. */
export function mcpAuthMetadataRouter(options: AuthMetadataOptions): Router {
  // A bad issuer is told at once.
  buildOAuthProtectedResourceMetadata(options);
  const router = load().Router();
  router.use(async (req, res, next) => {
    const url = `http://localhost${req.originalUrl}`;
    const request = new Request(url, { method: req.method, headers: req.headers as Record<string, string> });
    const answer = oauthMetadataResponse(request, options);
    if (answer === undefined) return next();
    res.status(answer.status);
    answer.headers.forEach((value, name) => res.set(name, value));
    res.end(Buffer.from(await answer.arrayBuffer()));
  });
  return router;
}
