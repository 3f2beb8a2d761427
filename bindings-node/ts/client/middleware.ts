/**
 * What wraps functions like `fetch`. Owns: putting wrappers together, logging, credentials.
 * Must not know: transports.
 */
import { UnauthorizedError } from '../internal/mcp-error';
import { extractWWWAuthenticateParams } from '../internal/oauth-challenge';
import { authorize } from '../internal/client-authorize';
import type { FetchLike } from '../shared/transport';
import type { OAuthClientProvider } from './auth';

/** A function that wraps one `fetch` in another. */
export type Middleware = (next: FetchLike) => FetchLike;

/**
 * A `fetch` whose requests carry the tokens of a provider, and that renews them once when
 * a server wants others.
 *
 * @param provider - Where tokens are.
 * @param baseUrl - The server they are for; the origin of each request by default.
 */
export const withOAuth =
  (provider: OAuthClientProvider, baseUrl?: string | URL): Middleware =>
  (next) => {
    const send: FetchLike = async (input, init) => {
      const headers = new Headers(init?.headers);
      const tokens = await provider.tokens();
      if (tokens) headers.set('Authorization', `Bearer ${tokens.access_token}`);
      return next(input, { ...init, headers });
    };
    const renew = async (input: string | URL, response: Response) => {
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      const serverUrl = baseUrl ?? new URL(input).origin;
      try {
        await authorize(provider, { serverUrl, resourceMetadataUrl, scope, fetchFn: next });
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

/** Logs one request. */
export type RequestLogger = (input: {
  /** Method of the request. */
  method: string;
  /** URL of the request. */
  url: string | URL;
  /** Status of the response; 0 without a response. */
  status: number;
  /** Status text of the response. */
  statusText: string;
  /** Duration of the request, in milliseconds. */
  duration: number;
  /** Headers of the request, if they are to be logged. */
  requestHeaders?: Headers;
  /** Headers of the response, if they are to be logged. */
  responseHeaders?: Headers;
  /** The error, if the request got no response. */
  error?: Error;
}) => void;

/** Options of `withLogging`. */
export type LoggingOptions = {
  /** Takes what is logged; the console by default. */
  logger?: RequestLogger;
  /** Whether headers of requests are wanted. */
  includeRequestHeaders?: boolean;
  /** Whether headers of answers are wanted. */
  includeResponseHeaders?: boolean;
  /** Responses below this status are not logged. */
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

/** A `fetch` that logs its requests. The default writes to stdout: not for stdio servers. */
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
 * One wrapper made of several, applied in their order: the last is outermost.
 *
 * @example
 * ```ts
 * const fetchLogged = applyMiddlewares(withOAuth(provider), withLogging({ statusLevel: 400 }))(fetch);
 * ```
 */
export const applyMiddlewares =
  (...middleware: Middleware[]): Middleware =>
  (next) =>
    middleware.reduce((inner, wrap) => wrap(inner), next);

/** A wrapper from one function that gets the request and what it wraps. */
export const createMiddleware =
  (handler: (next: FetchLike, input: string | URL, init?: RequestInit) => Promise<Response>): Middleware =>
  (next) =>
  (input, init) =>
    handler(next, input, init);
