/**
 * What the endpoints of an authorization server share. Owns: the order of their guards, which is
 * that of the official package. Must not know: what an endpoint responds.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Request, Response, Router } from 'express';
import { TooManyRequestsError } from '../../common/oauth/errors';
import { allowedMethods } from './allowed-methods';
import { anyOrigin, rateLimit, type RateLimitOptions } from './limits';
import { loadExpress } from '../express-load';

/** The guards of an endpoint. */
export interface Guards {
  /** The HTTP methods it supports. */
  readonly methods: string[];
  /** The encoding of its body. */
  readonly body?: 'json' | 'form';
  /** Whether pages of any origin may send requests. */
  readonly anyOrigin: boolean;
  /** The default rate limit. */
  readonly limit?: { readonly windowMs: number; readonly max: number; readonly what: string };
}

const MINUTE = 60_000;

/** Lengths of rate limit windows in milliseconds: 15 minutes and one hour. */
export const WINDOWS: { readonly quarter: number; readonly hour: number } = { quarter: 15 * MINUTE, hour: 60 * MINUTE };

/** Creates a router with these guards; `configured` is the program's own rate limit. */
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

/** Wraps a handler and tells clients not to cache the response. */
export function unkept(handle: (req: Request, res: Response) => Promise<void>): (req: Request, res: Response) => Promise<void> {
  return (req, res) => {
    res.setHeader('Cache-Control', 'no-store');
    return handle(req, res);
  };
}
