/**
 * How often an endpoint may be asked, and by scripts of which pages. Owns: counting, and
 * the headers of both. Must not know: what is asked.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Options of a rate limit, by the names of `express-rate-limit`. */
export interface RateLimitOptions {
  /** Length of a window, in milliseconds. */
  windowMs?: number;
  /** Most requests of one client in a window. */
  max?: number;
  /** The same. */
  limit?: number;
  /** What is answered beyond it. */
  message?: unknown;
  /** And with which status. */
  statusCode?: number;
  /** Whether `RateLimit-*` headers are sent. */
  standardHeaders?: boolean;
  /** Who asks; the address by default. */
  keyGenerator?: (req: IncomingMessage & { ip?: string }) => string | Promise<string>;
  /** Requests that do not count. */
  skip?: (req: IncomingMessage) => boolean | Promise<boolean>;
}

type Request = IncomingMessage & { ip?: string };
type Response = ServerResponse & { send(body: unknown): unknown; status(code: number): { send(body: unknown): unknown } };
type Next = (error?: unknown) => void;

/** Clients that are counted at most; a window that is over makes room. */
const MAX_CLIENTS = 100_000;

/** An address; of the newer kind, the network it is in. */
function addressOf(req: Request): string {
  const address = req.ip ?? req.socket?.remoteAddress ?? '';
  return address.includes(':') && !address.startsWith('::ffff:') ? address.split(':').slice(0, 4).join(':') : address;
}

/** A middleware that refuses clients which ask too often. */
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

/** A middleware that lets scripts of any page read the answers, and answers what browsers ask before. */
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
