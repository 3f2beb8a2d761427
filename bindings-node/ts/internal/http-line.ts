/**
 * A stream of events to one client. Owns: its head, its keep-alive, its end, and what
 * becomes of a reader that takes nothing. Must not know: messages.
 */
import type { Exchange, HeaderPairs } from './http-exchange';

/** Longest interval of a timer. */
const MAX_DELAY = 2 ** 31 - 1;
/** How long a head waits for the first event, so that both leave together. */
const HEAD_MILLISECONDS = 5;
/** How long a reader may take nothing, and most bytes that wait for it. */
const SLOW_READER_MILLISECONDS = 30_000;
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** What the head of a stream of events says. */
export const PLAIN_EVENTS: HeaderPairs = [
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-cache, no-transform'],
  ['connection', 'keep-alive'],
];
/** The same, for proxies that would wait for more. */
export const EVENTS: HeaderPairs = [...PLAIN_EVENTS, ['x-accel-buffering', 'no']];

/** One event that is a message. */
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

/** A stream that is open. */
export class Line {
  /** Events that a replay has delivered. */
  replayed: Set<string> | undefined;
  /** Until the client has taken what was written; nothing if it has. */
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

  /** Whether more can be said. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Says the head now, and what follows it. */
  begin(events = ''): void {
    if (!this.#open || this.#said) return;
    this.#said = true;
    clearTimeout(this.#head);
    this.exchange.respond(200, this.options.headers, events, false);
    const { keepAliveMs } = this.options;
    if (!Number.isFinite(keepAliveMs) || keepAliveMs < 1) return;
    this.#keepAlive = setInterval(() => this.write(': keepalive\n\n'), Math.min(keepAliveMs, MAX_DELAY)).unref();
  }

  /** Says the head soon, unless something is written before. */
  beginSoon(): void {
    if (this.#open && !this.#said) this.#head = setTimeout(() => this.begin(), HEAD_MILLISECONDS);
  }

  /** Writes events. `false` if the client is gone. */
  write(events: string): boolean {
    if (!this.#open) return false;
    if (!this.#said) this.begin(events);
    else this.push(events);
    return this.#open;
  }

  /** Writes the last events, and ends. */
  end(events = ''): void {
    if (!this.#open) return;
    const { exchange } = this;
    if (this.#said) exchange.write(events, true);
    else exchange.respond(200, this.options.headers, events, true);
    this.close();
  }

  /** Ends it so that something else can still be answered, if nothing was said. */
  forget(): void {
    if (this.#said) this.end();
    else this.close();
  }

  private push(events: string): void {
    // Senders do not wait for room.
    if (this.#waiting > MAX_WAITING_BYTES) return this.exchange.cut();
    const room = this.exchange.write(events, false);
    if (room === true) return;
    this.#waiting += events.length;
    this.#slow ??= setTimeout(() => this.exchange.cut(), SLOW_READER_MILLISECONDS).unref();
    const free = room.then(() => {
      this.#waiting = 0;
      clearTimeout(this.#slow);
      this.#slow = undefined;
      if (this.room === free) this.room = undefined;
    });
    this.room = free;
  }

  private close(): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#head);
    clearInterval(this.#keepAlive);
    clearTimeout(this.#slow);
    this.options.over(this);
  }
}
