/**
 * Options of the engine's HTTP server. Owns: their names, and which of them are functions of the
 * program. Must not know: sockets.
 */
import type { AuthInfo } from '../../protocol/auth-info';
import type { EventStore } from './transport-options';

/** The head of a request, before its body is read. */
export interface RequestHead {
  /** The HTTP method. */
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** The headers. */
  readonly headers: Headers;
}

/** A refusal of a request: 401 without a valid token, 403 if the token does not permit the request. */
export interface Denied {
  /** The HTTP status. */
  readonly status: 401 | 403;
  /** The value of `WWW-Authenticate`. Default: none. */
  readonly challenge?: string;
}

/** Options of an HTTP endpoint. Times are in seconds unless the name says otherwise. */
export interface HttpHandlerOptions {
  /** Whether clients get sessions; with `none`, any process can answer any request. Default: `stateful`. */
  sessions?: 'stateful' | 'none';
  /**
   * The form of responses. `auto`, the default: JSON, or a stream if something precedes the result. `json`:
   * always JSON; progress and log messages of a request are then not sent. `sse`: always a stream.
   */
  response?: 'auto' | 'json' | 'sse';
  /**
   * After how many milliseconds without a result a response becomes a stream, if `response` is `auto`;
   * null: only when there is something to send before the result. Default: 100.
   */
  streamAfterMs?: number | null;
  /** Addresses and networks (`10.0.0.0/8`) of proxies whose `Forwarded` or `X-Forwarded-For` is trusted. Default: none. */
  trustedProxies?: string[];
  /** How many milliseconds clients should wait before they reconnect to a stream that ended. Default: 1000. */
  retryMs?: number;
  /** Seconds between keep-alive comments on a stream. Default: 15; null turns them off. */
  keepAlive?: number | null;
  /**
   * The path of a health check, without credentials: 200, or 503 while the server shuts down. Its text says when
   * the store of sessions cannot be reached. It begins with a slash, as those below. Default: none.
   */
  health?: string;
  /**
   * The path of a readiness check, without credentials: 200 if new clients should be sent here, or 503 while the
   * server shuts down or the store of sessions cannot be reached. Default: none.
   */
  ready?: string;
  /** The path of the counters in the text format of Prometheus, behind `verify`. Default: none. */
  metrics?: string;
  /**
   * The allowed values of `Host`. Default: local names if the address is local, else all. A handler, which has no
   * address, checks nothing by default.
   */
  allowedHosts?: string[];
  /**
   * The allowed values of `Origin`. Default: local ones if the address is local, else none. A handler, which has no
   * address, checks nothing by default.
   */
  allowedOrigins?: string[];
  /** Whether to answer preflight requests, so that pages of allowed origins can read responses. Default: false. */
  cors?: boolean;
  /** Whether to serve the older transport, HTTP+SSE, too. Default: false. */
  sse?: boolean;
  /** The path of the HTTP+SSE stream. Default: `/sse`. */
  ssePath?: string;
  /** The path that HTTP+SSE clients post messages to. Default: `/messages`. */
  messagePath?: string;
  /** After how many seconds a session ends that gets no request after it was opened. Default: 30. */
  halfOpen?: number;
  /** After how many seconds without traffic a session ends. Default: 1800. */
  idle?: number;
  /**
   * Stores the messages of streams, so that clients that reconnect get what they missed. Default: the engine
   * keeps up to 1000 messages and 1 MiB for each session, in memory.
   */
  eventStore?: EventStore;
  /**
   * Authenticates a request by its head. Returns the `authInfo` for handlers, null for an anonymous
   * client, or a refusal. Default: all clients are anonymous.
   */
  verify?: (head: RequestHead) => AuthInfo | null | Denied | Promise<AuthInfo | null | Denied>;
  /** Further limits of the engine by name, e.g. `{max_sessions: 100}`. Default: none. */
  engine?: Record<string, unknown>;
}

/** Options of a listener. Times are in seconds unless the name says otherwise. */
export interface ListenOptions extends HttpHandlerOptions {
  /** The address to bind to. Default: `127.0.0.1`. */
  host?: string;
  /** The port to bind to. Default: any free port. */
  port?: number;
  /** The path of the endpoint. Default: `/mcp`. */
  path?: string;
  /** Whether `Host` and `Origin` are checked. Default: true. */
  guard?: boolean;
  /** The paths of PEM files with the certificate and its key. Default: plain HTTP. */
  tls?: { certificate: string; key: string };
  /** How many seconds calls may go on after the listener is closed. Default: 10. */
  drain?: number;
  /**
   * For how many seconds all is served on after `close`, while `health` and `ready` answer with 503 already; longer
   * than load balancers take to notice. Default: 0.
   */
  shutdownDelay?: number;
  /**
   * Whether people can look at the server and try it on a page of its own at `/docs`, which then is the
   * page's and not that of `fallback`. Its URL, which holds a key that is new at each start, is the `docs` of the
   * listener and is written to standard error once. Throws `UsageError` on an address that other machines reach unless
   * there is `verify`, with `tls`, and where another path is at or below `/docs`. Default: false.
   */
  docs?: boolean;
  /** The number of threads that read and write sockets. Default: the engine decides. */
  ioThreads?: number;
  /**
   * Handles requests for all other paths. An error of it, or of the body it returns, goes to `onerror` of the server; the
   * client gets 500, or the end of the response if that has begun. Default: they get 404.
   */
  fallback?: (request: Request) => Response | Promise<Response>;
}

/** Options that are functions, or not meant for the HTTP server. */
const OWN = new Set(['eventStore', 'verify', 'engine', 'fallback', 'idle']);

/** The limits of the engine that options name. */
export function limitsOf({ idle, engine }: HttpHandlerOptions): Record<string, unknown> {
  return { ...(idle !== undefined && { session_idle: idle }), ...engine };
}

/** Converts options to the engine's names. */
export function httpText(options: ListenOptions): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || OWN.has(name)) continue;
    told[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value;
  }
  if (options.eventStore !== undefined) told['event_store'] = true;
  if (options.verify !== undefined) told['verify'] = true;
  if (options.fallback !== undefined) told['fallback'] = true;
  return told;
}
