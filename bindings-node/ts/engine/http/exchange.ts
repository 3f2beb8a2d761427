/**
 * One HTTP request and its response: bytes and headers in; status, headers and a stream out.
 *
 * Owns: the interface between the program's web server and the code that answers. Must not know:
 * MCP. Adapters: `node` (Express, Fastify, plain `node:http`), `fetch` (`Request` and
 * `Response`: Hono, Bun, Deno, Workers).
 */

import type { AuthInfo } from '../../protocol/auth-info';
import type { MessageExtraInfo } from '../../protocol/types';

/** A part of a body. */
export type Chunk = Uint8Array | string;

/** Header names and values, in order. */
export type HeaderPairs = [name: string, value: string][];

/** The head of a request. */
export interface ExchangeHead {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: HeaderPairs;
  /** `address:port` of the client, if it is known. */
  readonly peer?: string | undefined;
  /** The authenticated sender, if a middleware verified it. */
  readonly principal?: string | undefined;
}

/** One request and its response. */
export interface Exchange {
  readonly head: ExchangeHead;
  /** The body, if there is one. A body that a framework parsed is serialized again. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Reads the whole body; stops as soon as it exceeds the limit. */
  read(maxBytes: number): Promise<Body>;
  /** The method in upper case. */
  readonly method: string;
  /** A header of the request; the name is in lower case. */
  header(name: string): string | undefined;
  /** All headers, in the form of 1.x. */
  headers(): Record<string, string>;
  /** The full URL. */
  url(): URL;
  /** Sends the head of the response, and with `end` all of it. */
  respond(status: number, headers: HeaderPairs, body: Chunk, end: boolean): void;
  /** Sends a part of the body. Returns `true`, or a promise that resolves when more can be sent. */
  write(chunk: Chunk, end: boolean): true | Promise<void>;
  /** Aborts the response. */
  cut(): void;
  /** Calls a function when the client disconnects before the end, or now if it has. */
  onClosed(body: () => void): void;
}

/** The bytes of a body, or why it could not be read. */
export type Body = Uint8Array | 'tooLarge' | 'broken';

/** An exchange whose body was already read. */
export function withBody(exchange: Exchange, bytes: Uint8Array): Exchange {
  Object.defineProperty(exchange, 'body', { value: bytes, configurable: true });
  Object.defineProperty(exchange, 'read', { value: async () => bytes, configurable: true });
  return exchange;
}

/** Whether responses with a status have no body. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304 || (status >= 100 && status < 200);
}

/** What is known about the request that brought a message; headers and URL are computed when read. */
export function aboutOf(exchange: Exchange, authInfo: AuthInfo | undefined, more?: MessageExtraInfo): MessageExtraInfo {
  let info: MessageExtraInfo['requestInfo'];
  return {
    authInfo,
    get requestInfo() {
      return (info ??= { headers: exchange.headers(), url: exchange.url() });
    },
    ...more,
  };
}
