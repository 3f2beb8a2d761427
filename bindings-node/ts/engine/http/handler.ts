/**
 * An endpoint for the program's web server. Owns: recognizing the calling framework, and the
 * endpoint's lifetime. Must not know: how an exchange is answered.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo } from '../../protocol/auth-info';
import { carry, MOUNT_PATH, principalOf } from './carry';
import { Endpoint, type Served, type ServerStats } from './endpoint';
import { aboutOf, type Exchange } from './exchange';
import { FetchExchange } from './fetch';
import { NodeExchange } from './node';
import { httpText, type HttpHandlerOptions } from './options';
import type { NativeMount } from '../native';
import { checked } from '../server/host';

/** A request of `node:http`, with the members that middleware adds. */
export type NodeRequest = IncomingMessage & { auth?: AuthInfo; body?: unknown; originalUrl?: string };

/** The members of a Fastify request that are used. */
export interface FastifyLikeRequest {
  /** The request of Node. */
  readonly raw: IncomingMessage;
  /** The body, as Fastify parsed it. */
  readonly body?: unknown;
}

/** The members of a Fastify reply that are used. */
export interface FastifyLikeReply {
  /** The response of Node. */
  readonly raw: ServerResponse;
  hijack(): unknown;
}

/** The members of a Hono context that are used. */
export interface HonoLikeContext {
  /** The request; its `json` returns a body that was read before. */
  readonly req: { readonly raw: Request; json?(): Promise<unknown> };
}

/** Options of one web-standard request. */
export interface FetchOptions {
  /** What is known of the verified token. */
  authInfo?: AuthInfo | undefined;
  /** The body, if it was parsed. */
  parsedBody?: unknown;
}

/** A server behind the program's web server; both eras on one address. */
export interface HttpHandler {
  /** Handles requests of Express (`app.all('/mcp', handler)`) and of `http.createServer(handler)`. */
  (req: NodeRequest, res: ServerResponse, next?: unknown): Promise<void>;
  /** Handles requests of Fastify: `app.all('/mcp', handler)`. */
  (request: FastifyLikeRequest, reply: FastifyLikeReply): Promise<void>;
  /** Handles requests of Hono: `app.all('/mcp', handler)`. */
  (context: HonoLikeContext, next?: unknown): Promise<Response>;
  /** Handles a web-standard request and returns the response. */
  (request: Request, options?: FetchOptions): Promise<Response>;
  /**
   * Handles a web-standard request, so that the handler can be a worker's default export.
   * @param request - The request.
   * @param options - The verified token, and the body if it has been parsed. Default: neither.
   */
  fetch(request: Request, options?: FetchOptions): Promise<Response>;
  /** The number of open sessions. */
  sessions(): number;
  /** The counters of its sessions and calls. */
  stats(): ServerStats;
  /** Ends all sessions and cancels running calls. */
  close(): Promise<void>;
}

/** Creates a handler that serves a server behind the program's web server. */
export function createHandler(server: Served, options: HttpHandlerOptions = {}): HttpHandler {
  const serving = new Serving(server, options);
  const handler = (first: unknown, second?: unknown): Promise<unknown> => serving.any(first, second);
  return Object.assign(handler, {
    fetch: (request: Request, given?: FetchOptions) => serving.fetch(request, given),
    sessions: () => serving.mount.sessions(),
    stats: () => serving.endpoint.stats(),
    close: () => serving.endpoint.close(),
  }) as HttpHandler;
}

class Serving {
  readonly endpoint: Endpoint;
  readonly mount: NativeMount;
  /** Paths that the engine handles specially; all others are the endpoint. */
  readonly #paths: Set<string | undefined>;

  constructor(server: Served, options: HttpHandlerOptions) {
    const { allowedHosts, allowedOrigins, sse, ssePath = '/sse', messagePath = '/messages' } = options;
    const { health, ready, metrics } = options;
    const guard = allowedHosts !== undefined || allowedOrigins !== undefined;
    const text = JSON.stringify({ path: MOUNT_PATH, guard, ...httpText(options) });
    this.#paths = new Set([health, ready, metrics, ...(sse ? [ssePath, messagePath] : [])]);
    this.endpoint = new Endpoint(server, options, async () => this.mount.close());
    this.mount = checked(() => this.endpoint.host.engine.mount(text, this.endpoint.driver.inbox));
  }

  any(first: unknown, second: unknown): Promise<unknown> {
    if (first instanceof Request || isFetchRequest(first)) return this.fetch(first as Request, second as FetchOptions);
    const { raw, req } = first as { raw?: IncomingMessage; req?: HonoLikeContext['req'] };
    if (req?.raw !== undefined && !('socket' in (first as object))) return this.hono(req);
    if (raw === undefined || (second as FastifyLikeReply).raw === undefined) {
      const request = first as NodeRequest;
      return this.node(request, second as ServerResponse, parsedOf(request), request.originalUrl);
    }
    const reply = second as FastifyLikeReply;
    reply.hijack();
    return this.node(raw as NodeRequest, reply.raw, (first as FastifyLikeRequest).body);
  }

  private async hono(req: HonoLikeContext['req']): Promise<Response> {
    // What was read through the context is kept there.
    const isKept = req.raw.bodyUsed && req.json !== undefined;
    const parsedBody = isKept ? await req.json!().catch(() => undefined) : undefined;
    return this.fetch(req.raw, { parsedBody });
  }

  async fetch(request: Request, given: FetchOptions = {}): Promise<Response> {
    const exchange = new FetchExchange(request, given.parsedBody, principalOf(given.authInfo));
    await this.answer(exchange, new URL(request.url).pathname, given.authInfo);
    return exchange.response;
  }

  private async node(req: NodeRequest, res: ServerResponse, body: unknown, url = req.url): Promise<void> {
    const exchange = new NodeExchange(req, res, body ?? undefined, principalOf(req.auth));
    const path = (url ?? '/').split('?', 1)[0] as string;
    await this.answer(exchange, path, req.auth);
    await exchange.done();
  }

  private async answer(exchange: Exchange, path: string, auth: AuthInfo | undefined): Promise<void> {
    const inside = this.#paths.has(path) ? path : MOUNT_PATH;
    await carry(this.endpoint.host, this.mount, exchange, aboutOf(exchange, auth), { path: inside });
  }
}

/** Whether a value is a `Request`, even of another realm. */
function isFetchRequest(value: unknown): boolean {
  const { headers, arrayBuffer } = value as { headers?: { get?: unknown }; arrayBuffer?: unknown };
  return typeof headers?.get === 'function' && typeof arrayBuffer === 'function';
}

/** The body as a middleware parsed it; `undefined` if it can still be read. */
function parsedOf(req: NodeRequest): unknown {
  return req.readableEnded || req.readableDidRead ? req.body : undefined;
}
