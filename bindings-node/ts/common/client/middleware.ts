/** Middleware for `fetch`. Owns: combining middleware, logging, credentials. Must not know: transports. */
import { UnauthorizedError } from '../../protocol/mcp-error';
import { extractWWWAuthenticateParams } from '../oauth/challenge';
import { authorize } from './authorize';
import { proving } from './credentials';
import type { FetchLike } from '../../protocol/transport';
import type { OAuthClientProvider } from '../oauth/client';

/** The words of the error when the user has to sign in first. */
const REDIRECTED = 'Authentication requires user authorization - redirect initiated';

/** Wraps one `fetch` function in another. */
export type Middleware = (next: FetchLike) => FetchLike;

/**
 * Returns middleware that sends a provider's token with each request. When a server answers that
 * the token is not accepted, it is renewed once and the request repeated.
 *
 * @param provider - Where tokens are stored.
 * @param baseUrl - The URL of the server that tokens are for. Default: the origin of each request.
 */
export const withOAuth =
  (provider: OAuthClientProvider, baseUrl?: string | URL): Middleware =>
  (next) => {
    const carry = proving(provider, next);
    const send: FetchLike = async (input, init) => {
      const headers = new Headers(init?.headers);
      const tokens = await provider.tokens();
      if (tokens) headers.set('Authorization', `Bearer ${tokens.access_token}`);
      return carry(input, { ...init, headers });
    };
    const renew = async (input: string | URL, response: Response) => {
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      const serverUrl = baseUrl ?? new URL(input).origin;
      try {
        await authorize(provider, { serverUrl, resourceMetadataUrl, scope, fetchFn: next }, REDIRECTED);
      } catch (error) {
        if (error instanceof UnauthorizedError) throw error;
        const words = error instanceof Error ? error.message : String(error);
        throw new UnauthorizedError(`Failed to re-authenticate: ${words}`);
      }
    };
    return async (input, init) => {
      const first = await send(input, init);
      if (first.status !== 401) return first;
      await renew(input, first);
      const second = await send(input, init);
      if (second.status === 401) throw new UnauthorizedError(`Authentication failed for ${input}`);
      return second;
    };
  };

/** Called with each request that is logged. */
export type RequestLogger = (input: {
  /** The request's method. */
  method: string;
  /** The request's URL. */
  url: string | URL;
  /** The status of the response; 0 if there was none. */
  status: number;
  /** The status text of the response. */
  statusText: string;
  /** How long the request took, in milliseconds. */
  duration: number;
  /** The request's headers, if `includeRequestHeaders` is set. */
  requestHeaders?: Headers;
  /** The response's headers, if `includeResponseHeaders` is set. */
  responseHeaders?: Headers;
  /** Why the request failed, if there was no response. */
  error?: Error;
}) => void;

/** Options of `withLogging`. */
export type LoggingOptions = {
  /** Called with each logged request; by default it is printed with `console`. */
  logger?: RequestLogger;
  /** Whether to include the headers of requests. Default: false. */
  includeRequestHeaders?: boolean;
  /** Whether to include the headers of responses. Default: false. */
  includeResponseHeaders?: boolean;
  /** Responses with a lower status are not logged. Default: 0, which logs all. */
  statusLevel?: number;
};

const shown = (headers: Headers) => [...headers.entries()].map(([name, value]) => `${name}: ${value}`).join(', ');

const toConsole: RequestLogger = ({ method, url, status, statusText, duration, requestHeaders, responseHeaders, error }) => {
  const outcome = error === undefined ? `${status} ${statusText}` : `failed: ${error.message}`;
  let text = `HTTP ${method} ${url} ${outcome} (${duration}ms)`;
  if (requestHeaders !== undefined) text += `\n  Request Headers: {${shown(requestHeaders)}}`;
  if (responseHeaders !== undefined) text += `\n  Response Headers: {${shown(responseHeaders)}}`;
  (error !== undefined || status >= 400 ? console.error : console.log)(text);
};

/**
 * Returns middleware that logs requests. The default logger may write to stdout, so a stdio server
 * needs a `logger` of its own.
 * @param options - Which requests to log, and a logger. Default: all requests, on the console.
 */
export const withLogging = (options: LoggingOptions = {}): Middleware => {
  const { logger = toConsole, includeRequestHeaders = false, includeResponseHeaders = false, statusLevel = 0 } = options;
  return (next) => async (input, init) => {
    const began = performance.now();
    const about = {
      method: init?.method ?? 'GET',
      url: typeof input === 'string' ? input : input.toString(),
      requestHeaders: includeRequestHeaders ? new Headers(init?.headers) : undefined,
    };
    try {
      const response = await next(input, init);
      const { status, statusText, headers } = response;
      if (status >= statusLevel) {
        const duration = performance.now() - began;
        logger({ ...about, status, statusText, duration, responseHeaders: includeResponseHeaders ? headers : undefined });
      }
      return response;
    } catch (error) {
      const duration = performance.now() - began;
      logger({ ...about, status: 0, statusText: 'Network Error', duration, error: error as Error });
      throw error;
    }
  };
};

/**
 * Combines several middleware into one. The first wraps `fetch` itself, the last is outermost.
 *
 * @param middleware - The middleware, innermost first.
 * @example
 * ```ts
 * const fetchLogged = applyMiddlewares(withOAuth(provider), withLogging({ statusLevel: 400 }))(fetch);
 * ```
 */
export const applyMiddlewares =
  (...middleware: Middleware[]): Middleware =>
  (next) =>
    middleware.reduce((inner, wrap) => wrap(inner), next);

/**
 * Makes middleware from one function, which gets the next `fetch` and the request.
 * @param handler - Sends the request, with the next `fetch`.
 */
export const createMiddleware =
  (handler: (next: FetchLike, input: string | URL, init?: RequestInit) => Promise<Response>): Middleware =>
  (next) =>
  (input, init) =>
    handler(next, input, init);
