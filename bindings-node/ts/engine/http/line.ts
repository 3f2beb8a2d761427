/**
 * A stream of events to one client. Owns: its head, keep-alive and end, and disconnecting readers
 * that are too slow. Must not know: messages.
 */
import type { Exchange, HeaderPairs } from './exchange';
import { armSseKeepAlive, KEEP_ALIVE } from './keep-alive';
import { runtime } from '../timers';

/** How long to hold the head back for the first event, so that both are sent together. */
const HEAD_MILLISECONDS = 5;
/** How long a reader may take nothing; below, the largest number of bytes that may wait for it. */
const SLOW_READER_MILLISECONDS = 30_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** The headers of a stream of events. */
export const PLAIN_EVENTS: HeaderPairs = [
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-cache, no-transform'],
  ['connection', 'keep-alive'],
];
/** The headers of a stream of events, for proxies that would otherwise buffer it. */
export const EVENTS: HeaderPairs = [...PLAIN_EVENTS, ['x-accel-buffering', 'no']];

/** Formats a message as one event. */
export function event(text: string, id?: string): string {
  return id === undefined || id === '' ? `event: message\ndata: ${text}\n\n` : `event: message\nid: ${id}\ndata: ${text}\n\n`;
}

/** What a line needs to know. */
export interface LineOptions {
  readonly headers: HeaderPairs;
  readonly keepAliveMs: number;
  /** Called once when the line is over: by the client, or by `end`. */
  over(line: Line): void;
}

/** An open stream. */
export class Line {
  /** The ids of events that a replay has delivered. */
  replayed: Set<string> | undefined;
  /** Resolves when the client has taken what was written; `undefined` if it has. */
  room: Promise<void> | undefined;
  #open = true;
  #said = false;
  #head: NodeJS.Timeout | undefined;
  #keepAlive: NodeJS.Timeout | undefined;
  #slow: NodeJS.Timeout | undefined;
  #waiting = 0;

  constructor(
    readonly exchange: Exchange,
    private readonly options: LineOptions,
  ) {
    exchange.onClosed(() => this.close());
  }

  /** Whether the stream is still open. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Sends the head now, together with `events`. */
  begin(events = ''): void {
    if (!this.#open || this.#said) return;
    this.#said = true;
    runtime.clearTimeout(this.#head);
    this.exchange.respond(200, this.options.headers, events, false);
    this.#keepAlive = armSseKeepAlive(this.options.keepAliveMs, () => this.write(KEEP_ALIVE));
  }

  /** Sends the head soon, unless an event is written before. */
  beginSoon(): void {
    if (this.#open && !this.#said) this.#head = runtime.setTimeout(() => this.begin(), HEAD_MILLISECONDS);
  }

  /** Writes events. Returns `false` if the client is gone. */
  write(events: string): boolean {
    if (!this.#open) return false;
    if (!this.#said) this.begin(events);
    else this.push(events);
    return this.#open;
  }

  /** Writes the last events, and ends the stream. */
  end(events = ''): void {
    if (!this.#open) return;
    const { exchange } = this;
    if (this.#said) exchange.write(events, true);
    else exchange.respond(200, this.options.headers, events, true);
    this.close();
  }

  /** Closes the line. If nothing was sent, another response can still be sent. */
  forget(): void {
    if (this.#said) this.end();
    else this.close();
  }

  private push(events: string): void {
    // Senders do not wait for room, so a client that falls too far behind is disconnected.
    if (this.#waiting > MAX_WAITING_BYTES) return this.exchange.cut();
    const room = this.exchange.write(events, false);
    if (room === true) return;
    this.#waiting += events.length;
    this.#slow ??= runtime.setTimeout(() => this.exchange.cut(), SLOW_READER_MILLISECONDS).unref();
    const free = room.then(() => {
      this.#waiting = 0;
      runtime.clearTimeout(this.#slow);
      this.#slow = undefined;
      if (this.room === free) this.room = undefined;
    });
    this.room = free;
  }

  private close(): void {
    if (!this.#open) return;
    this.#open = false;
    runtime.clearTimeout(this.#head);
    clearInterval(this.#keepAlive);
    runtime.clearTimeout(this.#slow);
    this.options.over(this);
  }
}
