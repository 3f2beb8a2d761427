/**
 * An endpoint whose servers come from a factory. Owns: refusing requests before a server is made,
 * and the era in which a request is served. Must not know: any web framework.
 */
import type { AuthInfo } from '../../protocol/auth-info';
import { requestBodyTooLargeMessage, resolveMaxRequestBodySize } from '../../engine/http/request-body';
import { isJsonContentType } from '../../protocol/media-type';
import { withBody, type Exchange, type HeaderPairs } from '../../engine/http/exchange';
import { FetchExchange } from '../../engine/http/fetch';
import { LATEST_MODERN, MODERN_REVISIONS } from '../../generated/protocol';
import { claimOf, idOf, isModernRequest } from './era';
import { ProtocolErrorCode, UnsupportedProtocolVersionError } from './errors';
import { InMemoryServerEventBus, notifierOf, type ServerEventBus, type ServerNotifier } from './events';
import { McpServer } from './mcp';
import { takeRounds } from './rounds';
import { scopeResponse } from './scopes';
import { serveLegacy, serveModern, type Known, type Listening, type Manner, type Product } from './serving';

/** The member through which our adapters skip the conversion to `Request` and `Response`. */
export const EXCHANGES: unique symbol = Symbol('mcpbolt.exchanges');

const MAX_SUBSCRIPTIONS = 1024;

/** The argument of a server factory: about the request or connection that needs a server. */
export interface McpRequestContext {
  /** `legacy` for revisions up to 2025-11-25, `modern` from 2026-07-28 on. */
  era: 'legacy' | 'modern';
  /** The validated access token of the sender, if it was passed to the endpoint. */
  authInfo?: AuthInfo;
  /** The HTTP request; absent on standard streams. */
  requestInfo?: Request;
}

/** Makes a server for one request, or for one connection over standard streams. */
export type McpServerFactory = (ctx: McpRequestContext) => Product | Promise<Product>;

/** Options of one request. */
export interface McpHandlerRequestOptions {
  /** The validated access token of the sender. */
  authInfo?: AuthInfo;
  /** The parsed body, if something before read it. Default: it is read from the request. */
  parsedBody?: unknown;
}

/** Options of `createMcpHandler`. */
export interface CreateMcpHandlerOptions {
  /** How to serve clients of revisions before 2026-07-28: `stateless` (the default), without sessions, or `reject`. */
  legacy?: 'stateless' | 'reject';
  /** Called with errors that belong to no request, and with an error for each refused request. Default: they are ignored. */
  onerror?: (error: Error) => void;
  /** The form of responses: `json`, `sse`, or `auto` for a stream only where one is needed. Default: `auto`. */
  responseMode?: 'auto' | 'sse' | 'json';
  /** Distributes changes to subscribed clients; replace it to reach other processes. Default: within this process. */
  bus?: ServerEventBus;
  /** How many subscriptions may be open at once. Default: 1,024. */
  maxSubscriptions?: number;
  /** The interval between keep-alive comments on a stream, in milliseconds. */
  keepAliveMs?: number;
  /** The largest body, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/**
 * An endpoint. `fetch` handles requests; the object can be the default export that runtimes such as
 * Bun and Workers expect.
 */
export interface McpHttpHandler {
  /** Handles a request and returns the response. */
  fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  /** Stops answering and ends all subscriptions. */
  close: () => Promise<void>;
  /** Publishes changes to subscribed clients. */
  notify: ServerNotifier;
  /** Distributes changes to subscribed clients. */
  bus: ServerEventBus;
}

/** What our own adapters say about a request. */
export interface ExchangeOptions extends McpHandlerRequestOptions {
  /** The largest body that the adapter takes, in bytes, if that is less than the endpoint takes. */
  maxBody?: number;
}

/** An endpoint with the entry point for our own adapters. */
export interface ExchangeHandler extends McpHttpHandler {
  /** Answers an exchange. */
  [EXCHANGES]: (exchange: Exchange, request: () => Request, options?: ExchangeOptions) => Promise<void>;
}

const JSON_HEADERS: HeaderPairs = [['content-type', 'application/json']];

/** Responds with an error. */
function refuse(exchange: Exchange, status: number, code: number, message: string, data?: unknown, id: unknown = null): void {
  const error = { code, message, ...(data !== undefined && { data }) };
  const headers: HeaderPairs = status === 405 ? [...JSON_HEADERS, ['allow', 'POST']] : JSON_HEADERS;
  exchange.respond(status, headers, JSON.stringify({ jsonrpc: '2.0', error, id }), true);
}

/** What was read from a body. */
interface Read {
  readonly text: string;
  readonly value: unknown;
  readonly isJson: boolean;
}

class Endpoint {
  readonly bus: ServerEventBus;
  readonly manner: Manner;
  /** The open subscriptions, each with the function that ends it. */
  readonly #listening = new Set<{ end: () => void }>();
  #closed = false;

  constructor(
    private readonly factory: McpServerFactory,
    private readonly options: CreateMcpHandlerOptions,
  ) {
    const { bus, responseMode = 'auto', keepAliveMs, maxRequestBodySize, legacy } = options;
    if (typeof legacy === 'function') {
      throw new TypeError(
        "The 'legacy' option only accepts 'stateless' or 'reject'; put isLegacyRequest(request) in front of a handler with legacy: 'reject'.",
      );
    }
    this.bus = bus ?? new InMemoryServerEventBus((error) => this.report(error));
    this.manner = { responseMode, keepAliveMs, maxBody: resolveMaxRequestBodySize(maxRequestBodySize) };
  }

  private report(error: unknown): void {
    try {
      this.options.onerror?.(error instanceof Error ? error : new Error(String(error)));
    } catch {
      // Nobody is left to receive the error.
    }
  }

  private refused(exchange: Exchange, status: number, code: number, message: string, data?: unknown, id?: unknown): void {
    this.report(new Error(message));
    refuse(exchange, status, code, message, data, id);
  }

  /** Refuses a request for a revision that is not supported. */
  private unspoken(exchange: Exchange, error: UnsupportedProtocolVersionError, id: unknown): void {
    this.report(error);
    refuse(exchange, 400, error.code, error.message, error.data, id);
  }

  /** Answers an exchange. */
  async handle(exchange: Exchange, request: () => Request, given: ExchangeOptions): Promise<void> {
    if (this.#closed) throw new Error('This MCP handler has been closed');
    let id: unknown = null;
    try {
      if (exchange.method === 'POST' && !isJsonContentType(exchange.header('content-type'))) {
        return this.refused(exchange, 415, -32000, 'Unsupported Media Type: Content-Type must be application/json');
      }
      const body = await this.read(exchange, given);
      if (body === undefined) return;
      id = idOf(body.value);
      const fault = body.isJson ? misshapen(body.value) : undefined;
      if (fault !== undefined) return this.refused(exchange, 400, ProtocolErrorCode.InvalidRequest, fault, undefined, id);
      const modern = exchange.method === 'POST' && isModernRequest(body.value, exchange.header('mcp-protocol-version'));
      const known: Known = { authInfo: given.authInfo, request };
      await (modern ? this.modern(exchange, body, known) : this.legacy(exchange, body, known));
    } catch (error) {
      this.report(error);
      refuse(exchange, 500, ProtocolErrorCode.InternalError, 'Internal server error', undefined, id);
    }
  }

  private async read(exchange: Exchange, { parsedBody: parsed, maxBody }: ExchangeOptions): Promise<Read | undefined> {
    if (exchange.method !== 'POST') return { text: '', value: undefined, isJson: false };
    if (parsed !== undefined) return { text: JSON.stringify(parsed), value: parsed, isJson: true };
    const limit = Math.min(this.manner.maxBody, maxBody ?? Infinity);
    const body = await exchange.read(limit);
    if (body === 'tooLarge') {
      this.refused(exchange, 413, -32000, requestBodyTooLargeMessage(limit));
      return undefined;
    }
    if (body === 'broken') {
      this.refused(exchange, 400, ProtocolErrorCode.ParseError, 'Parse error: the request body could not be read');
      return undefined;
    }
    const text = Buffer.from(body).toString('utf8');
    try {
      return { text, value: JSON.parse(text), isJson: true };
    } catch {
      return { text, value: undefined, isJson: false };
    }
  }

  private context(era: 'legacy' | 'modern', known: Known): McpRequestContext {
    const { authInfo, request } = known;
    return {
      era,
      ...(authInfo !== undefined && { authInfo }),
      get requestInfo() {
        return request();
      },
    };
  }

  private async modern(exchange: Exchange, body: Read, known: Known): Promise<void> {
    const claim = claimOf(body.value) ?? LATEST_MODERN;
    const id = idOf(body.value);
    if (!MODERN_REVISIONS.includes(claim)) {
      const error = new UnsupportedProtocolVersionError({ supported: [...MODERN_REVISIONS], requested: claim });
      return this.unspoken(exchange, error, id);
    }
    const product = await this.factory(this.context('modern', known));
    if (await this.lacksScope(exchange, product, body.value, known)) return;
    const listens = (body.value as { method?: unknown }).method === 'subscriptions/listen';
    if (listens && this.#listening.size >= (this.options.maxSubscriptions ?? MAX_SUBSCRIPTIONS)) {
      return this.refused(exchange, 200, ProtocolErrorCode.InternalError, 'Too many open subscriptions', undefined, id);
    }
    const { rounds, text } = takeRounds(body.value, body.text);
    const serve = (listening?: Listening): Promise<() => void> =>
      serveModern(product, withBody(exchange, Buffer.from(text)), this.manner, { ...known, rounds }, listening);
    if (listens) await this.listen(serve);
    else await serve();
  }

  /** Serves a subscription, whose place is taken before anything is awaited and free once it is over. */
  private async listen(serve: (listening: Listening) => Promise<() => void>): Promise<void> {
    const place = { end: (): void => undefined };
    this.#listening.add(place);
    try {
      place.end = await serve({ bus: this.bus, over: () => this.#listening.delete(place) });
    } catch (error) {
      this.#listening.delete(place);
      throw error;
    }
    // Closed meanwhile, when there was nothing to end yet.
    if (this.#closed) place.end();
  }

  private async lacksScope(exchange: Exchange, product: Product, message: unknown, known: Known): Promise<boolean> {
    if (!(product instanceof McpServer)) return false;
    const { authInfo } = known;
    const context = { request: message as never, ...(authInfo !== undefined && { authInfo }) };
    const lacks = await product.resolveScopeChallenge(context);
    if (lacks === undefined) return false;
    const answer = scopeResponse(lacks, authInfo, idOf(message));
    exchange.respond(answer.status, [...answer.headers.entries()] as HeaderPairs, await answer.text(), true);
    return true;
  }

  private async legacy(exchange: Exchange, body: Read, known: Known): Promise<void> {
    if (this.options.legacy === 'reject') return this.strict(exchange, body);
    // Legacy clients try a GET stream once; refusing it is not an error.
    if (exchange.method !== 'POST') return refuse(exchange, 405, -32000, 'Method not allowed.');
    const product = await this.factory(this.context('legacy', known));
    if (body.isJson && !Array.isArray(body.value) && (await this.lacksScope(exchange, product, body.value, known))) return;
    await serveLegacy(product, withBody(exchange, Buffer.from(body.text)), this.manner, known, body.isJson ? body.value : undefined);
  }

  /** Refuses a legacy request, naming the supported revisions. */
  private strict(exchange: Exchange, { value, isJson }: Read): void {
    if (exchange.method !== 'POST') return this.refused(exchange, 405, -32000, 'Method not allowed.');
    if (!isJson) return this.refused(exchange, 400, ProtocolErrorCode.ParseError, 'Parse error: the request body is not valid JSON');
    const isAsked = !Array.isArray(value) && 'method' in (value as object);
    if (!isAsked) return this.refused(exchange, 400, ProtocolErrorCode.InvalidRequest, 'Bad Request: neither batches nor answers are taken here');
    const id = idOf(value);
    if (id === null) return exchange.respond(202, [], '', true);
    const wanted = (value as { params?: { protocolVersion?: unknown } })?.params?.protocolVersion;
    const requested = typeof wanted === 'string' ? wanted : (exchange.header('mcp-protocol-version') ?? 'unknown');
    const error = new UnsupportedProtocolVersionError({ supported: [...MODERN_REVISIONS], requested });
    this.unspoken(exchange, error, id);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const place of this.#listening) place.end();
    this.#listening.clear();
  }
}

/** Why a body is not valid JSON-RPC; `undefined` if it is valid. */
function misshapen(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? 'Bad Request: the batch is empty' : undefined;
  const message = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const isOne = message['jsonrpc'] === '2.0' && ['method', 'result', 'error'].some((name) => name in message);
  return isOne ? undefined : 'Bad Request: the body is no JSON-RPC message';
}

/**
 * Creates an endpoint that makes a server for each request.
 *
 * ```ts
 * const handler = createMcpHandler(() => newServer());
 * export default handler; // Bun, Deno, Workers
 * createServer(toNodeHandler(handler)).listen(3000);
 * ```
 * @param factory - Makes the server for a request.
 * @param options - Whether and how older revisions are served, limits, authorization and so on. Default: none.
 */
export function createMcpHandler(factory: McpServerFactory, options: CreateMcpHandlerOptions = {}): McpHttpHandler {
  const endpoint = new Endpoint(factory, options);
  const handler: ExchangeHandler = {
    fetch: async (request, given = {}) => {
      const exchange = new FetchExchange(request);
      await endpoint.handle(exchange, () => request, given);
      return exchange.response;
    },
    close: () => endpoint.close(),
    notify: notifierOf(endpoint.bus),
    bus: endpoint.bus,
    [EXCHANGES]: (exchange, request, given = {}) => endpoint.handle(exchange, request, given),
  };
  return handler;
}
