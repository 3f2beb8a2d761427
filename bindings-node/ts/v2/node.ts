/**
 * The 2.x face on `node:http` and what stands on it: Express, Fastify's raw halves. Owns:
 * adapters. Must not know: what is answered.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '../server/streamableHttp';
import type { AuthInfo } from '../server/auth/types';
import { NodeExchange } from '../internal/http-node';
import { EXCHANGES, type ExchangeHandler, type McpHandlerRequestOptions } from '../internal/v2/endpoint';
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  refusal,
  validateHostHeader,
  validateOriginHeader,
} from '../internal/v2/hosts';
import { toResponse, webRequest, type NodeIncomingMessageLike, type NodeServerResponseLike } from '../internal/v2/node-web';

export type { NodeIncomingMessageLike, NodeServerResponseLike } from '../internal/v2/node-web';
export type { StreamableHTTPServerTransportOptions } from '../server/streamableHttp';

/** One session over `node:http`, or with no `sessionIdGenerator` one request. */
export const NodeStreamableHTTPServerTransport = StreamableHTTPServerTransport;
/** The type of `NodeStreamableHTTPServerTransport`. */
export type NodeStreamableHTTPServerTransport = StreamableHTTPServerTransport;

/** Looks at a request, and answers it if it is refused: then `false`. */
export type NodeGuard = (req: IncomingMessage, res: ServerResponse) => boolean;

function guard(judge: (req: IncomingMessage) => { ok: boolean; message?: string }): NodeGuard {
  return (req, res) => {
    const result = judge(req);
    if (result.ok) return true;
    res.writeHead(403, { 'Content-Type': 'application/json' }).end(JSON.stringify(refusal(result.message ?? '')));
    return false;
  };
}

/** Refuses requests whose `Host` is not one of these names. */
export function hostHeaderValidation(allowedHostnames: string[]): NodeGuard {
  return guard((req) => validateHostHeader(req.headers.host, allowedHostnames));
}

/** Refuses requests whose `Host` is not this machine. */
export function localhostHostValidation(): NodeGuard {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Refuses requests whose `Origin` is not one of these names. */
export function originValidation(allowedOriginHostnames: string[]): NodeGuard {
  return guard((req) => validateOriginHeader(req.headers.origin, allowedOriginHostnames));
}

/** Refuses requests whose `Origin` is not this machine. */
export function localhostOriginValidation(): NodeGuard {
  return originValidation(localhostAllowedOrigins());
}

/** What answers web-standard requests, such as `createMcpHandler` makes. */
export interface FetchLikeMcpHandler {
  /** Answers a request. */
  fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
}

/** Answers requests of `node:http`; `parsedBody` is what a middleware made of the body. */
export type NodeMcpRequestHandler = (
  req: NodeIncomingMessageLike,
  res: NodeServerResponseLike,
  parsedBody?: unknown,
) => Promise<void>;

/** Options of `toNodeHandler`. */
export interface ToNodeHandlerOptions {
  /** Told of what goes wrong. */
  onerror?: (error: Error) => void;
  /** Largest body, in bytes. */
  maxRequestBodySize?: number;
}

/** Options of `toWebRequest`. */
export interface ToWebRequestOptions {
  /** Aborted when the client leaves. */
  signal?: AbortSignal;
  /** Largest body, in bytes. */
  maxRequestBodySize?: number;
}

/** A request of `node:http` as a web-standard one. */
export async function toWebRequest(
  req: NodeIncomingMessageLike,
  parsedBody?: unknown,
  options: ToWebRequestOptions = {},
): Promise<Request> {
  return webRequest(req, parsedBody, options);
}

/**
 * An endpoint for `node:http`, Express and what is like them. `req.auth` and, behind a
 * parser, `req.body` are passed on.
 */
export function toNodeHandler(handler: FetchLikeMcpHandler, opts: ToNodeHandlerOptions = {}): NodeMcpRequestHandler {
  const ours = (handler as Partial<ExchangeHandler>)[EXCHANGES];
  const answer = ours === undefined ? byFetch(handler, opts) : byExchange(ours);
  return async (req, res, parsedBody) => {
    // Express hands over `next` there.
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

/** Our own endpoint: without a `Request` and a `Response` in between. */
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
