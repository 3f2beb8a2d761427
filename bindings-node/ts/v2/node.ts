/**
 * The 2.x face on `node:http` and frameworks on it, such as Express, and Fastify's raw request and
 * reply. Owns: adapters. Must not know: what is answered.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '../common/server/streamable-http';
import type { AuthInfo } from '../protocol/auth-info';
import { NodeExchange } from '../engine/http/node';
import { EXCHANGES, type ExchangeHandler, type McpHandlerRequestOptions } from './internal/endpoint';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  refusal,
  validateHostHeader,
  validateOriginHeader,
} from '../common/server/hosts';
import { toResponse, webRequest, type NodeIncomingMessageLike, type NodeServerResponseLike } from './internal/node-web';

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

/** Returns a guard that refuses requests whose `Host` is not one of these names. */
export function hostHeaderValidation(allowedHostnames: string[]): NodeGuard {
  return guard((req) => validateHostHeader(req.headers.host, allowedHostnames));
}

/** Returns a guard that refuses requests whose `Host` is not a loopback name of this machine. */
export function localhostHostValidation(): NodeGuard {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Returns a guard that refuses requests whose `Origin` is not on one of these hosts; no `Origin` passes. */
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

/** Handles requests of `node:http`; `parsedBody` is the body if a middleware parsed it. */
export type NodeMcpRequestHandler = (
  req: NodeIncomingMessageLike,
  res: NodeServerResponseLike,
  parsedBody?: unknown,
) => Promise<void>;

/** Options of `toNodeHandler`. */
export interface ToNodeHandlerOptions {
  /** Called with each error. */
  onerror?: (error: Error) => void;
  /** The largest body, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/** Options of `toWebRequest`. */
export interface ToWebRequestOptions {
  /** Aborted when the client disconnects. */
  signal?: AbortSignal;
  /** The largest body, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/** Converts a request of `node:http` to a web-standard one. */
export async function toWebRequest(
  req: NodeIncomingMessageLike,
  parsedBody?: unknown,
  options: ToWebRequestOptions = {},
): Promise<Request> {
  return webRequest(req, parsedBody, options);
}

/**
 * Adapts a handler of web-standard requests to `node:http`, Express and similar frameworks. Passes
 * on `req.auth` and, if a middleware parsed the body, `req.body`.
 */
export function toNodeHandler(handler: FetchLikeMcpHandler, opts: ToNodeHandlerOptions = {}): NodeMcpRequestHandler {
  const ours = (handler as Partial<ExchangeHandler>)[EXCHANGES];
  const answer = ours === undefined ? byFetch(handler, opts) : byExchange(ours);
  return async (req, res, parsedBody) => {
    // Express passes `next` as the third argument.
    const given = typeof parsedBody === 'function' ? undefined : parsedBody;
    try {
      await answer(req, res, given ?? (req as { body?: unknown }).body);
    } catch (error) {
      opts.onerror?.(error as Error);
      if (!(res as { headersSent?: boolean }).headersSent) res.writeHead(500);
      res.end();
    }
  };
}

type Answer = (req: NodeIncomingMessageLike, res: NodeServerResponseLike, parsed: unknown) => Promise<void>;

/** Answers through our own endpoint directly, without converting to `Request` and `Response`. */
function byExchange(serve: NonNullable<ExchangeHandler[typeof EXCHANGES]>): Answer {
  return async (req, res, parsed) => {
    const exchange = new NodeExchange(req as unknown as IncomingMessage, res as unknown as ServerResponse, parsed);
    if (!exchange.hasHost()) return exchange.respond(400, [], '', true);
    const options: McpHandlerRequestOptions = { authInfo: (req as { auth?: AuthInfo }).auth, parsedBody: parsed } as McpHandlerRequestOptions;
    let made: Request | undefined;
    const request = (): Request => (made ??= new Request(exchange.url(), { method: exchange.method, headers: exchange.headers() }));
    await serve(exchange, request, options);
    await exchange.done();
  };
}

function byFetch(handler: FetchLikeMcpHandler, opts: ToNodeHandlerOptions): Answer {
  return async (req, res, parsed) => {
    const left = new AbortController();
    res.on('close', () => left.abort());
    const request = await webRequest(req, parsed, { ...opts, signal: left.signal });
    const { auth } = req as { auth?: AuthInfo };
    const response = await handler.fetch(request, {
      ...(auth !== undefined && { authInfo: auth }),
      ...(parsed !== undefined && { parsedBody: parsed }),
    });
    await toResponse(response, res);
  };
}
