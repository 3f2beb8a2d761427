/**
 * What the endpoints of an authorization server have in common. Owns: the order of their
 * guards, which is that of the official package. Must not know: what an endpoint answers.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Request, Response, Router } from 'express';
import { TooManyRequestsError } from '../server/auth/errors';
import { allowedMethods } from '../server/auth/middleware/allowedMethods';
import { anyOrigin, rateLimit, type RateLimitOptions } from './auth-limits';
import { loadExpress } from './express-load';

/** What guards an endpoint. */
export interface Guards {
  /** Methods it takes. */
  readonly methods: string[];
  /** How its body is written. */
  readonly body?: 'json' | 'form';
  /** Whether scripts of any page may ask. */
  readonly anyOrigin: boolean;
  /** How often it may be asked, unless the program says otherwise. */
  readonly limit?: { readonly windowMs: number; readonly max: number; readonly what: string };
}

const MINUTE = 60_000;

/** 15 minutes, an hour. */
export const WINDOWS: { readonly quarter: number; readonly hour: number } = { quarter: 15 * MINUTE, hour: 60 * MINUTE };

/** A router with these guards; `configured` is what the program says of the limit. */
export function guardedRouter(guards: Guards, configured?: Partial<RateLimitOptions> | false): Router {
  const express = loadExpress('an authorization server');
  const router = express.Router();
  if (guards.anyOrigin) router.use(anyOrigin);
  router.use(allowedMethods(guards.methods));
  if (guards.body === 'json') router.use(express.json());
  if (guards.body === 'form') router.use(express.urlencoded({ extended: false }));
  const { limit } = guards;
  if (limit !== undefined && configured !== false) {
    const refused = new TooManyRequestsError(`You have exceeded the rate limit for ${limit.what} requests`);
    const { windowMs, max } = limit;
    router.use(rateLimit({ windowMs, max, message: refused.toResponseObject(), ...configured }));
  }
  return router;
}

/** A handler whose answer must not be cached. */
export function unkept(handle: (req: Request, res: Response) => Promise<void>): (req: Request, res: Response) => Promise<void> {
  return (req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    return handle(req, res);
  };
}
