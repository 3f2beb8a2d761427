/**
 * What passes between the engine and its hosts: items, and the options of requests. Owns: their
 * types; the engine writes items with `encode_batch`. Must not know: what is done with them.
 */
import type { Failure } from './failure';
import type { Patience } from './timers';

/** Runs a function in the captured async context. */
export type Snapshot = <T>(body: () => T) => T;

export type RequestItem = [
  kind: 'request',
  call: number,
  connection: number,
  origin: number,
  method: string,
  name: string | null,
  params: unknown,
  invalid: unknown,
];
export type NotificationItem = [
  kind: 'notification',
  connection: number,
  origin: number,
  method: string,
  params: unknown,
];
export type ResponseItem = [
  kind: 'response',
  id: number,
  call: number,
  origin: number,
  result: unknown,
  failure: Failure | null,
];
/** An item of an exchange whose sockets the program has: `http_head`, `http_chunk`, `http_closed`. */
export type ExchangeItem = [kind: string, request: number, ...rest: unknown[]];
/**
 * An item such as `outgoing`, `subscription`, `log`, `closed`, `state`, `message` or `send_failed`;
 * see `encode_batch`.
 */
export type EventItem = [kind: string, connection: number, ...rest: unknown[]];
export type Item = RequestItem | NotificationItem | ResponseItem | ExchangeItem | EventItem;

/** What stands behind a connection: a server or a client. */
export interface Host {
  /** The async context for calls that have no other cause. */
  readonly snapshot: Snapshot;
  /** Answers a request with `finish`, `fail` or `ask`. Never throws. */
  request(item: RequestItem): void;
  /** Called when a call is cancelled. It still has to be completed. */
  cancelled(call: number, why: string, reason: string | null): void;
  notification(item: NotificationItem): void;
  /** Handles any other item of a connection. */
  event(item: EventItem): void;
}

/** Options of one request, by the engine's names. */
export interface Plan extends Patience {
  progress?: boolean;
  [option: string]: unknown;
}

/** A request that was sent, and its answer. */
export interface Pending {
  readonly id: number;
  readonly answer: Promise<ResponseItem>;
}
