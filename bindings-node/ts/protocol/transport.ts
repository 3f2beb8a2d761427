/**
 * Transports. Owns: the contract between a peer and what carries its messages, and helpers for
 * transports that use `fetch`. Must not know: what messages mean.
 */
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from './types';

/** Headers in any of the forms that `fetch` takes. */
type HeadersInit = NonNullable<RequestInit['headers']>;

/** A function like the global `fetch`. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Converts headers to a plain object.
 * @param headers - The headers.
 */
export function normalizeHeaders(headers: HeadersInit | undefined): Record<string, string> {
  if (headers === undefined || headers === null) return {};
  if (headers instanceof Headers) return Object.fromEntries(headers.entries());
  if (Array.isArray(headers)) return Object.fromEntries(headers as [string, string][]);
  return { ...(headers as Record<string, string>) };
}

/**
 * Returns a `fetch` that adds `baseInit` to each request. Options of a call take precedence;
 * headers are merged one by one.
 * @param baseFetch - Sends the requests. Default: the global `fetch`.
 * @param baseInit - The options to add to each request. Default: none.
 */
export function createFetchWithInit(baseFetch: FetchLike = fetch, baseInit?: RequestInit): FetchLike {
  if (baseInit === undefined) return baseFetch;
  return (url, init) => {
    const headers =
      init?.headers === undefined
        ? baseInit.headers
        : { ...normalizeHeaders(baseInit.headers), ...normalizeHeaders(init.headers) };
    return baseFetch(url, { ...baseInit, ...init, headers });
  };
}

/** Options for sending one message. */
export type TransportSendOptions = {
  /** The id of the incoming request that this message is about. */
  relatedRequestId?: RequestId | undefined;
  /** Where to resume a broken stream, if the transport supports it. */
  resumptionToken?: string | undefined;
  /** Called with a new resumption token whenever it changes. */
  onresumptiontoken?: ((token: string) => void) | undefined;
  /** Headers for the HTTP request that carries the message, such as `Mcp-Param-*`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Aborted when the request is given up; a transport with a stream per request closes that one. */
  requestSignal?: AbortSignal | undefined;
  /** Called when the stream of the request has ended, and is not opened again. */
  onRequestStreamEnd?: (() => void) | undefined;
};

/** Carries messages between two peers. Programs may implement it. */
export interface Transport {
  /** Starts the transport; its callbacks are set by then. `connect` of a server or client calls it. */
  start(): Promise<void>;
  /**
   * Sends one message.
   * @param message - The message.
   * @param options - The request that the message is related to, and how to resume a stream. Default: none.
   */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  /** Closes the connection and calls `onclose`. */
  close(): Promise<void>;
  /** Called when the connection is closed, by either side. */
  onclose?: (() => void) | undefined;
  /** Called with each error, whether or not it ends the connection. */
  onerror?: ((error: Error) => void) | undefined;
  /** Called with each message, and with what is known about the HTTP request that brought it. */
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined;
  /** The session's id, if there is one. */
  sessionId?: string | undefined;
  /** Whether each request has a stream of its own, which `requestSignal` closes. */
  readonly hasPerRequestStream?: boolean | undefined;
  /** Called with the protocol revision once it is negotiated. */
  setProtocolVersion?: ((version: string) => void) | undefined;
}
