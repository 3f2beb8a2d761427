/**
 * One HTTP request and its answer: bytes and headers in, status, headers and a stream out.
 *
 * Owns: the seam between whatever web server a program uses and the code that answers. Must not
 * know: MCP. Adapters: `http-node` (Express, Fastify, plain `node:http`), `http-fetch`
 * (`Request` and `Response`: Hono, Bun, Deno, Workers).
 */

import type { AuthInfo } from '../server/auth/types';
import type { MessageExtraInfo } from '../types';

/** A part of a body. */
export type Chunk = Uint8Array | string;

/** Names and values of headers, in order. */
export type HeaderPairs = [name: string, value: string][];

/** The head of a request. */
export interface ExchangeHead {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: HeaderPairs;
  /** `address:port` of the client, if it is known. */
  readonly peer?: string | undefined;
  /** Who sent it, if a middleware before us found that out. */
  readonly principal?: string | undefined;
}

/** One request and where its answer goes. */
export interface Exchange {
  readonly head: ExchangeHead;
  /** The body, if there is one; what a framework parsed already is bytes again. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** The whole body; reading stops where it turns out to be too large. */
  read(maxBytes: number): Promise<Body>;
  /** Method in capitals. */
  readonly method: string;
  /** A header of the request, its name in small letters. */
  header(name: string): string | undefined;
  /** All of them, as 1.x shows them. */
  headers(): Record<string, string>;
  /** The whole address. */
  url(): URL;
  /** Says the head of the answer, and with `end` all of it. */
  respond(status: number, headers: HeaderPairs, body: Chunk, end: boolean): void;
  /** Says more of it: `true`, or a promise until more can be said. */
  write(chunk: Chunk, end: boolean): true | Promise<void>;
  /** Breaks off. */
  cut(): void;
  /** Has something done when the client leaves before the end; at once if it has left. */
  onClosed(body: () => void): void;
}

/** The bytes of a body that was read, or why there are none. */
export type Body = Uint8Array | 'tooLarge' | 'broken';

/** Statuses without a body. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304 || (status >= 100 && status < 200);
}

/** What is known of the request that brought a message; headers and address are read when asked for. */
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
