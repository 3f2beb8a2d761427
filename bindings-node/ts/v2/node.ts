/**
 * The 2.x face on `node:http` and frameworks on it, such as Express, and Fastify's raw request and
 * reply. Owns: adapters. Must not know: what is answered.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '../common/server/streamable-http';
import type { AuthInfo } from '../protocol/auth-info';
import { NodeExchange } from '../engine/http/node';
import { resolveMaxRequestBodySize } from '../engine/http/request-body';
import { EXCHANGES, type ExchangeHandler, type McpHandlerRequestOptions } from './internal/endpoint';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  refusal,
  validateHostHeader,
  validateOriginHeader,
} from '../common/server/hosts';
import {
  failedResponse,
  isTooLarge,
  toResponse,
  webRequest,
  type NodeIncomingMessageLike,
  type NodeServerResponseLike,
} from './internal/node-web';

export type { NodeIncomingMessageLike, NodeServerResponseLike } from './internal/node-web';
export type { StreamableHTTPServerTransportOptions } from '../common/server/streamable-http';

/** Server transport for one session over `node:http`; without `sessionIdGenerator`, for one request. */
export const NodeStreamableHTTPServerTransport = StreamableHTTPServerTransport;
/** Server transport for one session over `node:http`; without `sessionIdGenerator`, for one request. */
export type NodeStreamableHTTPServerTransport = StreamableHTTPServerTransport;

/** Checks a request. Returns whether it may pass; if not, the response has been sent. */
export type NodeGuard = (req: IncomingMessage, res: ServerResponse) => boolean;

function guard(judge: (req: IncomingMessage) => { ok: boolean; message?: string }): NodeGuard {
  return (req, res) => {
    const result = judge(req);
    if (result.ok) return true;
    res.writeHead(403, { 'Content-Type': 'application/json' }).end(JSON.stringify(refusal(result.message ?? '')));
    return false;
  };
}

/**
 * Returns a guard that refuses requests whose `Host` is not one of these names.
 * @param allowedHostnames - The names of hosts that are allowed, without ports.
 */
export function hostHeaderValidation(allowedHostnames: string[]): NodeGuard {
  return guard((req) => validateHostHeader(req.headers.host, allowedHostnames));
}

/** Returns a guard that refuses requests whose `Host` is not a loopback name of this machine. */
export function localhostHostValidation(): NodeGuard {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/**
 * Returns a guard that refuses requests whose `Origin` is not on one of these hosts; no `Origin`
 * passes.
 * @param allowedOriginHostnames - The names of hosts whose pages are allowed, without ports.
 */
export function originValidation(allowedOriginHostnames: string[]): NodeGuard {
  return guard((req) => validateOriginHeader(req.headers.origin, allowedOriginHostnames));
}

/** Returns a guard that refuses requests whose `Origin` is not on this machine; no `Origin` passes. */
export function localhostOriginValidation(): NodeGuard {
  return originValidation(localhostAllowedOrigins());
}

/** A handler of web-standard requests, such as `createMcpHandler` returns. */
export interface FetchLikeMcpHandler {
  /** Handles a request and returns the response. */
  fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
}

/** Handles requests of `node:http`; `parsedBody` is the body if a middleware has parsed it. */
export type NodeMcpRequestHandler = (
  req: NodeIncomingMessageLike,
  res: NodeServerResponseLike,
  parsedBody?: unknown,
) => Promise<void>;

/** Options of `toNodeHandler`. */
export interface ToNodeHandlerOptions {
  /** Called with each error. Default: errors are ignored. */
  onerror?: (error: Error) => void;
  /** The largest body, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/** Options of `toWebRequest`. */
export interface ToWebRequestOptions {
  /** The signal of the request, aborted when the client disconnects. Default: none. */
  signal?: AbortSignal;
  /** The largest body, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/**
 * Converts a request of `node:http` to a web-standard one.
 * @param req - The request.
 * @param parsedBody - The body, if it has been parsed. Default: it is read from the request.
 * @param options - An abort signal, and the largest body. Default: none, and 4 MiB.
 */
export async function toWebRequest(
  req: NodeIncomingMessageLike,
  parsedBody?: unknown,
  options: ToWebRequestOptions = {},
): Promise<Request> {
  return webRequest(req, parsedBody, options);
}

/** What answers a request; rejects if there is no response yet. */
type Answer = (req: NodeIncomingMessageLike, res: NodeServerResponseLike, parsed: unknown, left: AbortSignal) => Promise<void>;

/**
 * Adapts a handler of web-standard requests to `node:http`, Express and similar frameworks. Passes
 * on `req.auth` and, if a middleware parsed the body, `req.body`.
 * @param handler - Answers web-standard requests.
 * @param opts - A function that is called with errors, and the largest body. Default: none, and 4 MiB.
 */
export function toNodeHandler(handler: FetchLikeMcpHandler, opts: ToNodeHandlerOptions = {}): NodeMcpRequestHandler {
  const maxRequestBodySize = resolveMaxRequestBodySize(opts.maxRequestBodySize);
  const ours = (handler as Partial<ExchangeHandler>)[EXCHANGES];
  const answer = ours === undefined ? byFetch(handler, maxRequestBodySize) : byExchange(ours, maxRequestBodySize);
  return async (req, res, parsedBody) => {
    // Express passes `next` as the third argument.
    const given = (typeof parsedBody === 'function' ? undefined : parsedBody) ?? readBody(req);
    const left = new AbortController();
    let isOver = false;
    res.on('close', () => {
      if (!isOver) left.abort();
    });
    if (res.destroyed === true) left.abort();
    try {
      await answer(req, res, given, left.signal);
    } catch (error) {
      if (!isTooLarge(error)) report(opts.onerror, error);
      if ((res as { headersSent?: boolean }).headersSent) res.end();
      else await toResponse(failedResponse(error, given), res, left.signal);
    } finally {
      isOver = true;
    }
  };
}

/** The body that a middleware has read; those that parse other types set `body` without reading it. */
function readBody(req: NodeIncomingMessageLike): unknown {
  const { body, _body: isParsed, readableEnded } = req as { body?: unknown; _body?: boolean; readableEnded?: boolean };
  return isParsed === true || readableEnded === true ? body : undefined;
}

/** Calls `onerror`; a callback that throws does not keep the response from the client. */
function report(onerror: ToNodeHandlerOptions['onerror'], error: unknown): void {
  try {
    onerror?.(error instanceof Error ? error : new Error(String(error)));
  } catch {
    // Nobody is left to receive the error.
  }
}

/** Answers through our own endpoint directly, without converting to `Request` and `Response`. */
function byExchange(serve: ExchangeHandler[typeof EXCHANGES], maxBody: number): Answer {
  return async (req, res, parsedBody) => {
    const exchange = new NodeExchange(req as unknown as IncomingMessage, res as unknown as ServerResponse, parsedBody);
    if (!exchange.hasHost()) return exchange.respond(400, [], '', true);
    const { auth } = req as { auth?: AuthInfo };
    let made: Request | undefined;
    const request = (): Request => (made ??= new Request(exchange.url(), { method: exchange.method, headers: exchange.headers() }));
    await serve(exchange, request, { ...(auth !== undefined && { authInfo: auth }), parsedBody, maxBody });
    await exchange.done();
  };
}

function byFetch(handler: FetchLikeMcpHandler, maxRequestBodySize: number): Answer {
  return async (req, res, parsed, signal) => {
    const request = await webRequest(req, parsed, { maxRequestBodySize, signal });
    const { auth } = req as { auth?: AuthInfo };
    const response = await handler.fetch(request, {
      ...(auth !== undefined && { authInfo: auth }),
      ...(parsed !== undefined && { parsedBody: parsed }),
    });
    await toResponse(response, res, signal);
  };
}
