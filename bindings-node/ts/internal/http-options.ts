/**
 * What the engine's HTTP half can be told. Owns: the names, and what of them is code of the
 * program's. Must not know: sockets.
 */
import type { AuthInfo } from '../server/auth/types';
import type { EventStore } from '../server/webStandardStreamableHttp';

/** A request, before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
}

/** The request is refused: 401 without a valid token, 403 without the permission. */
export interface Denied {
  readonly status: 401 | 403;
  /** Value of `WWW-Authenticate`. */
  readonly challenge?: string;
}

/** Options of an endpoint. Times are seconds unless the name says otherwise. */
export interface HttpHandlerOptions {
  /** `none`: clients that open sessions get none; each request stands alone. */
  sessions?: 'stateful' | 'none';
  /** `json`: answers are never streams; `sse`: always. */
  response?: 'auto' | 'json' | 'sse';
  /**
   * After how many milliseconds an undecided answer becomes a stream; 100 by default, 0 is at
   * once, null with its first message.
   */
  streamAfterMs?: number | null;
  /** Addresses and networks (`10.0.0.0/8`) whose `Forwarded` or `X-Forwarded-For` is believed. */
  trustedProxies?: string[];
  /** How long clients wait before they come back to a stream, in milliseconds. */
  retryMs?: number;
  /** Seconds between signs of life on a stream; 15 by default; null turns them off. */
  keepAlive?: number | null;
  /** Path that answers 200 as long as requests are taken. */
  health?: string;
  /** Path of counters in the text format of Prometheus. */
  metrics?: string;
  /** Values of `Host` that pass. */
  allowedHosts?: string[];
  /** Values of `Origin` that pass. */
  allowedOrigins?: string[];
  /** Answers preflight requests, and lets browsers of any allowed origin read. */
  cors?: boolean;
  /** HTTP+SSE of 2024-11-05, too. */
  sse?: boolean;
  /** Path of its stream; `/sse` by default. */
  ssePath?: string;
  /** Path of its messages; `/messages` by default. */
  messagePath?: string;
  /** How long a session may be without its first request after it was opened. */
  halfOpen?: number;
  /** How long a session may be without any. */
  idle?: number;
  /** Keeps events, so that clients can resume streams. */
  eventStore?: EventStore;
  /** Checks the credentials of a request. Returns what handlers find in `authInfo`, `null` for an anonymous request, or the refusal. */
  verify?: (head: RequestHead) => AuthInfo | null | Denied | Promise<AuthInfo | null | Denied>;
  /** Options of the engine's, by the names of its limits, e.g. `{max_sessions: 100}`. */
  engine?: Record<string, unknown>;
}

/** Options of a listener. */
export interface ListenOptions extends HttpHandlerOptions {
  /** `127.0.0.1` by default. */
  host?: string;
  /** Any free one by default. */
  port?: number;
  /** Path of the endpoint; `/mcp` by default. */
  path?: string;
  /** Whether `Host` and `Origin` are looked at; on by default. */
  guard?: boolean;
  /** Files of a certificate and its key. */
  tls?: { certificate: string; key: string };
  /** How long calls may go on once it is told to stop; 10 by default. */
  drain?: number;
  /** Threads that read and write. */
  ioThreads?: number;
  /** Answers requests to all other paths. */
  fallback?: (request: Request) => Response | Promise<Response>;
}

/** Those that are code, or not the HTTP half's. */
const OWN = new Set(['eventStore', 'verify', 'engine', 'fallback']);

/** The engine's names. */
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
