/**
 * Rate limits and cross-origin access of an endpoint. Owns: counting requests, and the headers of
 * both. Must not know: what is requested.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Options of a rate limit, by the names of `express-rate-limit`. */
export interface RateLimitOptions {
  /** The length of a window, in milliseconds. Default: 60,000. */
  windowMs?: number;
  /** The number of requests a client may send within a window. Default: 5. */
  max?: number;
  /** The newer name of `max`; it takes precedence. */
  limit?: number;
  /** The body of the response to a client that exceeds the limit. Default: "Too many requests, please try again later." */
  message?: unknown;
  /** The status of the response to a client that exceeds the limit. Default: 429. */
  statusCode?: number;
  /** Whether to send `RateLimit-*` headers. Default: true. */
  standardHeaders?: boolean;
  /** Returns the key by which a client is counted. Default: its address; for IPv6, its /64 network. */
  keyGenerator?: (req: IncomingMessage & { ip?: string }) => string | Promise<string>;
  /** Returns whether a request is not counted. Default: all are. */
  skip?: (req: IncomingMessage) => boolean | Promise<boolean>;
}

type Request = IncomingMessage & { ip?: string };
type Response = ServerResponse & { send(body: unknown): unknown; status(code: number): { send(body: unknown): unknown } };
type Next = (error?: unknown) => void;

/** How many clients are counted at the same time; beyond that the oldest is dropped. */
const MAX_CLIENTS = 100_000;

/** The client's address; for IPv6, the network it is in. */
function addressOf(req: Request): string {
  const address = req.ip ?? req.socket?.remoteAddress ?? '';
  return address.includes(':') && !address.startsWith('::ffff:') ? address.split(':').slice(0, 4).join(':') : address;
}

/** Returns middleware that refuses clients which exceed the rate limit. */
export function rateLimit(options: RateLimitOptions): (req: Request, res: Response, next: Next) => Promise<void> {
  const { windowMs = 60_000, statusCode = 429, message = 'Too many requests, please try again later.' } = options;
  const limit = options.limit ?? options.max ?? 5;
  const windows = new Map<string, { count: number; end: number }>();
  const countOf = (key: string): { count: number; end: number } => {
    const now = Date.now();
    let window = windows.get(key);
    if (window === undefined || window.end <= now) {
      windows.delete(key);
      windows.set(key, (window = { count: 0, end: now + windowMs }));
      if (windows.size > MAX_CLIENTS) windows.delete(windows.keys().next().value as string);
    }
    window.count += 1;
    return window;
  };
  return async (req, res, next) => {
    try {
      if (await options.skip?.(req)) return next();
      const { count, end } = countOf((await options.keyGenerator?.(req)) ?? addressOf(req));
      const seconds = String(Math.max(0, Math.ceil((end - Date.now()) / 1000)));
      if (options.standardHeaders !== false) {
        res.setHeader('RateLimit-Policy', `${limit};w=${Math.ceil(windowMs / 1000)}`);
        res.setHeader('RateLimit-Limit', String(limit));
        res.setHeader('RateLimit-Remaining', String(Math.max(0, limit - count)));
        res.setHeader('RateLimit-Reset', seconds);
      }
      if (count <= limit) return next();
      res.setHeader('Retry-After', seconds);
      res.status(statusCode).send(message);
    } catch (error) {
      next(error);
    }
  };
}

/** Middleware that allows pages of any origin to read responses, and answers their preflight requests. */
export function anyOrigin(req: IncomingMessage, res: ServerResponse, next: Next): void {
  res.setHeader('Access-Control-Allow-Origin', '*');
  if (req.method !== 'OPTIONS') return next();
  res.setHeader('Access-Control-Allow-Methods', 'GET,HEAD,PUT,PATCH,POST,DELETE');
  res.appendHeader('Vary', 'Access-Control-Request-Headers');
  const wanted = req.headers['access-control-request-headers'];
  if (wanted) res.setHeader('Access-Control-Allow-Headers', wanted);
  res.statusCode = 204;
  res.setHeader('Content-Length', '0');
  res.end();
}
