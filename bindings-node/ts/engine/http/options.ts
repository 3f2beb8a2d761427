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

/** A refusal: 401 without a valid token, 403 if the token does not permit the request. */
export interface Denied {
  /** The HTTP status. */
  readonly status: 401 | 403;
  /** The value of `WWW-Authenticate`. */
  readonly challenge?: string;
}

/** Options of an HTTP endpoint. Times are in seconds unless the name says otherwise. */
export interface HttpHandlerOptions {
  /** Whether clients get sessions; with `none`, each request stands alone. Default: `stateful`. */
  sessions?: 'stateful' | 'none';
  /** The form of responses: `json` never uses streams, `sse` always does. Default: `auto`. */
  response?: 'auto' | 'json' | 'sse';
  /**
   * After how many milliseconds an undecided response becomes a stream. Default: 100; 0 is at once,
   * null means with its first message.
   */
  streamAfterMs?: number | null;
  /** Addresses and networks (`10.0.0.0/8`) whose `Forwarded` and `X-Forwarded-For` are trusted. */
  trustedProxies?: string[];
  /** How long clients should wait before they reconnect to a stream, in milliseconds. */
  retryMs?: number;
  /** Seconds between keep-alive comments on a stream. Default: 15; null turns them off. */
  keepAlive?: number | null;
  /** A path that responds with 200 while requests are accepted, for health checks. */
  health?: string;
  /** A path with counters in the text format of Prometheus. */
  metrics?: string;
  /** The values of `Host` to accept. */
  allowedHosts?: string[];
  /** The values of `Origin` to accept. */
  allowedOrigins?: string[];
  /** Whether to answer preflight requests and let pages of allowed origins read responses. */
  cors?: boolean;
  /** Whether to serve HTTP+SSE of 2024-11-05 as well. */
  sse?: boolean;
  /** The path of the HTTP+SSE stream. Default: `/sse`. */
  ssePath?: string;
  /** The path that HTTP+SSE clients post messages to. Default: `/messages`. */
  messagePath?: string;
  /** Seconds until a session ends that receives no request after it was opened. */
  halfOpen?: number;
  /** Seconds until a session ends that receives no requests. */
  idle?: number;
  /** Stores events, so that clients can resume streams. */
  eventStore?: EventStore;
  /**
   * Authenticates a request by its head. Returns what handlers find in `authInfo`, null for an
   * anonymous client, or a refusal.
   */
  verify?: (head: RequestHead) => AuthInfo | null | Denied | Promise<AuthInfo | null | Denied>;
  /** Further options of the engine, by the names of its limits, e.g. `{max_sessions: 100}`. */
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
  /** The paths of the files with the certificate and its key. */
  tls?: { certificate: string; key: string };
  /** Seconds that calls may continue after the listener is closed. Default: 10. */
  drain?: number;
  /** The number of threads that read and write. */
  ioThreads?: number;
  /** Handles requests for all other paths. */
  fallback?: (request: Request) => Response | Promise<Response>;
}

/** Options that are functions, or not meant for the HTTP server. */
const OWN = new Set(['eventStore', 'verify', 'engine', 'fallback']);

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
