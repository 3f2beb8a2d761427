/**
 * What a transport is. Owns: the contract between a peer and whatever carries its
 * messages, and small helpers for those who use `fetch`. Must not know: what messages mean.
 */
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '../types';

/** Headers in any of the forms that `fetch` takes. */
type HeadersInit = NonNullable<RequestInit['headers']>;

/** A function like the global `fetch`. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Headers in any of their forms, as one plain object. */
export function normalizeHeaders(headers: HeadersInit | undefined): Record<string, string> {
  if (headers === undefined || headers === null) return {};
  if (headers instanceof Headers) return Object.fromEntries(headers.entries());
  if (Array.isArray(headers)) return Object.fromEntries(headers as [string, string][]);
  return { ...(headers as Record<string, string>) };
}

/**
 * A `fetch` whose requests begin with `baseInit`; what a call says itself wins, header by
 * header.
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
  /** The request of the other side that this message is about. */
  relatedRequestId?: RequestId | undefined;
  /** Where a broken stream is to go on, if the transport can do that. */
  resumptionToken?: string | undefined;
  /** Called with the new token whenever it changes. */
  onresumptiontoken?: ((token: string) => void) | undefined;
};

/** What carries messages between two peers. Anyone may write one. */
export interface Transport {
  /**
   * Begins. The callbacks are set by then. `connect` of a server or client calls it.
   */
  start(): Promise<void>;
  /** Sends one message. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  /** Ends the connection; `onclose` is called. */
  close(): Promise<void>;
  /** Called when the connection is over, whichever side ended it. */
  onclose?: (() => void) | undefined;
  /** Called with what goes wrong; not all of it is the end. */
  onerror?: ((error: Error) => void) | undefined;
  /** Called with each message, and with what is known of the request that brought it. */
  onmessage?: (<T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void) | undefined;
  /** The session's id, if there is one. */
  sessionId?: string | undefined;
  /** Called with the protocol revision once it is agreed on. */
  setProtocolVersion?: ((version: string) => void) | undefined;
}
