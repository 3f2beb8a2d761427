/**
 * The driver: one inbox per thread of JavaScript, and what waits on it.
 *
 * Owns: taking items, starting the code that answers each request in the context that
 * brought it, handing back what is finished, one batch at a time. Must not know: what a
 * server or a client does with an item; that is a `Host`'s business. Nothing exists
 * before the driver is asked for.
 */
import { AsyncResource } from 'node:async_hooks';
import type { Failure } from './failure';
import { native, type NativeInbox } from './native';
import { AT_ONCE, Slots } from './slots';

// How much one drain takes, and how much it may start before it lets others run.
const MAX_ITEMS = 256;
const MAX_BYTES = 1 << 20;
const MAX_STARTED = 64;
const MAX_MILLISECONDS = 1;
/** Longest time a timer takes: this one only keeps the program alive. */
const FOREVER = 0x7fffffff;

/** Runs a function in the context that was captured. */
export type Snapshot = <T>(body: () => T) => T;

/** The context that is current now. Made often: `AsyncLocalStorage.snapshot` costs a hundred times as much. */
export function snapshot(): Snapshot {
  const resource = new AsyncResource('MCPBOLT', { requireManualDestroy: true });
  return (body) => resource.runInAsyncScope(body);
}

/** What is known of a cause. */
interface Cause {
  readonly context: AsyncResource;
  /** Who answers what it brings on connections that were not heard of before. */
  readonly host: Host | undefined;
  readonly about: unknown;
}

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
/** Of an exchange whose sockets the program has: `http_head`, `http_chunk`, `http_closed`. */
export type ExchangeItem = [kind: string, request: number, ...rest: unknown[]];
/** `outgoing`, `subscription`, `log`, `closed`, `state`, `message`, `send_failed`; see `encode_batch`. */
export type EventItem = [kind: string, connection: number, ...rest: unknown[]];
export type Item = RequestItem | NotificationItem | ResponseItem | ExchangeItem | EventItem;

/** What stands behind a connection. */
export interface Host {
  /** The context its calls run in unless something else caused them. */
  readonly snapshot: Snapshot;
  /** Answers a request, and says so with `finish`, `fail` or `ask`. Never throws. */
  request(item: RequestItem): void;
  /** A call is no longer wanted. It still has to be completed. */
  cancelled(call: number, why: string, reason: string | null): void;
  notification(item: NotificationItem): void;
  /** Takes anything else that concerns a connection. */
  event(item: EventItem): void;
}

/** Options of one request; the verb's own names. */
export interface Plan {
  /** Seconds; `null` means no limit. */
  timeout?: number | null;
  progress?: boolean;
  [option: string]: unknown;
}

/** A request that was sent. */
export interface Pending {
  readonly id: number;
  readonly answer: Promise<ResponseItem>;
}

export class Driver {
  readonly inbox: NativeInbox = new native.Inbox();
  readonly hosts = new Slots<Host>(AT_ONCE);
  /** Services the engine may ask for: payload and the ask's number in, JSON text out. */
  readonly services = new Map<string, (payload: any, number: number) => Promise<string>>();
  /** Exchanges of HTTP by number. */
  readonly exchanges = new Slots<(item: ExchangeItem) => void>(AT_ONCE);
  /** Takes requests of paths that are the program's. */
  pages: ((item: ExchangeItem) => void) | undefined;
  /** Answers on connections that were not registered. */
  fallback: Host | undefined;
  readonly #causes = new Slots<Cause>(AT_ONCE);
  readonly #owners = new Slots<Host>(AT_ONCE);
  readonly #waiting = new Slots<(item: any) => void>(AT_ONCE);
  readonly #progress = new Slots<(params: any) => void>(AT_ONCE);
  #later: Item[] = [];
  #done: string[] = [];
  #after: (() => void)[] = [];
  #soon = false;
  #draining = false;
  #flushing = false;
  #parking = false;
  #lastOrigin = 0;
  #holders = 0;
  #keeper: NodeJS.Timeout | undefined;

  constructor() {
    this.inbox.onReady(() => this.drain());
  }

  // Life

  /** Keeps the program alive until `release`: something is open. */
  hold(): void {
    if (this.#holders++ === 0) this.#keeper = setInterval(() => undefined, FOREVER);
  }

  /** The opposite of `hold`. */
  release(): void {
    if (--this.#holders === 0) clearInterval(this.#keeper);
  }

  /** Sends what comes from a connection to a host. */
  serve(connection: number, host: Host): void {
    this.hosts.set(connection, host);
  }

  /** The opposite of `serve`. */
  leave(connection: number): void {
    this.hosts.delete(connection);
  }

  /**
   * A number for a cause; the calls it brings run in the context that is current now, and
   * are answered by `host` if they come on a connection that was not registered. `about` is kept
   * as long as the cause lives.
   */
  newOrigin(host?: Host, about?: unknown): number {
    const context = new AsyncResource('MCPBOLT', { requireManualDestroy: true });
    this.#causes.set(++this.#lastOrigin, { context, host, about });
    return this.#lastOrigin;
  }

  /** What `newOrigin` was told. */
  aboutOrigin(origin: number): unknown {
    return this.#causes.get(origin)?.about;
  }

  // Items

  /** Acts on what waits. Called by the engine's wake; other callers may, too. */
  drain(): void {
    if (this.#draining) return;
    if (this.#later.length === 0) this.#later = JSON.parse(this.inbox.take(MAX_ITEMS, MAX_BYTES)) as Item[];
    this.act(this.#later);
  }

  /** As `drain`, once the code that runs now has ended. */
  drainSoon(): void {
    if (this.#soon) return;
    this.#soon = true;
    queueMicrotask(() => {
      this.#soon = false;
      this.drain();
    });
  }

  /** Acts on items that a verb returned. */
  actOn(text: string): void {
    const items = JSON.parse(text) as Item[];
    if (this.#draining || this.#later.length > 0) this.#later.push(...items);
    else this.act((this.#later = items));
  }

  private act(items: Item[]): void {
    const end = performance.now() + MAX_MILLISECONDS;
    let started = 0;
    let at = 0;
    this.#draining = true;
    try {
      while (at < items.length) {
        const item = items[at++]!;
        if (item[0] === 'request') started += 1;
        this.one(item);
        if (started >= MAX_STARTED && performance.now() > end) break;
      }
    } finally {
      this.#draining = false;
      this.#later = at < items.length ? items.slice(at) : [];
      // What waits is looked at although nothing else may keep the program alive.
      if (this.#later.length > 0 || (items.length > 0 && this.inbox.waiting() > 0)) setImmediate(() => this.drain());
      if (this.#done.length > 0) this.flushSoon();
    }
  }

  private one(item: Item): void {
    const number = item[1] as number;
    switch (item[0]) {
      case 'request':
        return this.start(item as RequestItem);
      case 'notification':
        return this.notify(item as NotificationItem);
      case 'response':
        this.#progress.delete(number);
        return this.settle(number, item);
      case 'writable':
        return this.settle(number, item);
      case 'progress':
        return this.#progress.get(number)?.(item[2]);
      case 'cancel':
        return this.#owners.get(number)?.cancelled(number, item[2] as string, item[3] as string | null);
      case 'origin_closed':
        // Code that counts resources, such as a test runner, has to hear of the end.
        this.#causes.get(number)?.context.emitDestroy();
        this.#causes.delete(number);
        return;
      case 'http_head':
      case 'http_chunk':
      case 'http_closed':
        return this.exchanges.get(number)?.(item as ExchangeItem);
      case 'http_request':
        return this.pages?.(item as ExchangeItem);
      case 'ask':
        return this.asked(number, item[2] as string, item[3]);
      default:
        return this.hostOf(number, 0)?.event(item as EventItem);
    }
  }

  private hostOf(connection: number, origin: number): Host | undefined {
    const known = this.hosts.get(connection);
    if (known !== undefined) return known;
    const host = this.#causes.get(origin)?.host;
    if (host === undefined) return this.fallback;
    this.hosts.set(connection, host);
    return host;
  }

  /** Runs `body` in the context of a cause; in that of `host` if it has none. */
  private within(origin: number, host: Host, body: () => void): void {
    const cause = this.#causes.get(origin);
    if (cause !== undefined) cause.context.runInAsyncScope(body);
    else host.snapshot(body);
  }

  private start(item: RequestItem): void {
    const host = this.hostOf(item[2], item[3]);
    if (host === undefined) {
      this.fail(item[1], { kind: 'closed', code: -32000, message: 'the connection is closed' });
      return;
    }
    this.#owners.set(item[1], host);
    this.within(item[3], host, () => host.request(item));
  }

  private notify(item: NotificationItem): void {
    const host = this.hostOf(item[1], item[2]);
    if (host !== undefined) this.within(item[2], host, () => host.notification(item));
  }

  private settle(number: number, item: Item): void {
    const resolve = this.#waiting.get(number);
    this.#waiting.delete(number);
    resolve?.(item);
  }

  private asked(number: number, name: string, payload: unknown): void {
    // The code that asks brought a context along.
    const origin = (payload as { asker?: { origin?: number } } | null)?.asker?.origin;
    const cause = origin === undefined ? undefined : this.#causes.get(origin);
    const begin = (): void => void this.ask(number, name, payload);
    if (cause === undefined) begin();
    else cause.context.runInAsyncScope(begin);
  }

  private async ask(number: number, name: string, payload: unknown): Promise<void> {
    const service = this.services.get(name);
    try {
      if (service === undefined) throw new Error(`there is no service ${name}`);
      this.finish(number, await service(payload, number));
    } catch (error) {
      const kind = name.startsWith('client.') ? 'transport' : 'store';
      this.fail(number, { kind, code: -32603, message: String((error as Error)?.message ?? error) });
    }
  }

  // What hosts call

  /** Completes a call with a result, which is JSON text. */
  finish(call: number, result: string): void {
    this.end(call, `{"id":${call},"result":${result}}`);
  }

  /** Completes a call with an error. */
  fail(call: number, failure: Failure): void {
    this.end(call, `{"id":${call},"error":${JSON.stringify(failure)}}`);
  }

  /** Ends a call with questions (key, method, params); it comes again with the answers. */
  askInput(call: number, questions: [string, string, unknown][], state?: string): void {
    this.end(call, `{"id":${call},"input":${JSON.stringify({ questions, state })}}`);
  }

  private end(call: number, row: string): void {
    this.#owners.delete(call);
    this.#done.push(row);
    if (!this.#draining) this.flushSoon();
  }

  private flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => this.flush());
  }

  /** Has something done once what is finished has been handed back. */
  afterFlush(body: () => void): void {
    this.#after.push(body);
  }

  /** Hands back what is finished. */
  flush(): void {
    this.#flushing = false;
    const rows = this.#done;
    if (rows.length === 0) return;
    const after = this.#after;
    this.#done = [];
    this.#after = [];
    try {
      this.inbox.complete(`[${rows.join(',')}]`);
    } catch {
      for (const row of rows) this.completeAlone(row);
    }
    for (const body of after) body();
  }

  /** One row that cannot be sent fails only its own call. */
  private completeAlone(row: string): void {
    try {
      this.inbox.complete(`[${row}]`);
    } catch {
      const error = { kind: 'internal', code: -32603, message: 'the result is no JSON value that can be sent' };
      const id = Number(/^\{"id":(\d+)/.exec(row)?.[1]);
      this.inbox.complete(`[{"id":${id},"error":${JSON.stringify(error)}}]`);
    }
  }

  /** Sends a notification; waits while the peer's queue is full. `false` if it is gone. */
  async send(target: number, method: string, params?: string): Promise<boolean> {
    // What was answered before is sent before.
    if (this.#done.length > 0) this.flush();
    for (;;) {
      const sent = this.inbox.send(target, method, params);
      if (sent !== 'full') return sent === 'sent';
      await this.writable(target);
    }
  }

  /** Until more can be sent to a call, a connection or a page. */
  writable(target: number): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#waiting.get(target);
      this.#waiting.set(target, (item) => {
        before?.(item);
        resolve();
      });
    });
  }

  /** Asks the peer of a call or a connection. */
  request(
    target: number,
    method: string,
    params?: string,
    plan?: Plan,
    onProgress?: (params: any) => void,
  ): Pending {
    if (this.#done.length > 0) this.flush();
    const every = onProgress === undefined ? plan : { ...plan, progress: true };
    const id = this.inbox.request(target, method, params, every && JSON.stringify(every));
    if (onProgress !== undefined) this.#progress.set(id, onProgress);
    if (!this.#parking) {
      this.#parking = true;
      setImmediate(() => {
        this.#parking = false;
        this.inbox.drained();
      });
    }
    return { id, answer: this.answer(id) };
  }

  /** Waits for the `response` item with this number; the program lives until it is there. */
  answer(id: number): Promise<ResponseItem> {
    this.hold();
    return new Promise((resolve) => {
      this.#waiting.set(id, (item: ResponseItem) => {
        this.release();
        resolve(item);
      });
    });
  }

  /** How much is open, for tests: calls that are running, and requests without an answer. */
  counts(): { calls: number; waiting: number; contexts: number; connections: number } {
    return {
      calls: this.#owners.size,
      waiting: this.#waiting.size,
      contexts: this.#causes.size,
      connections: this.hosts.size,
    };
  }
}

let current: Driver | undefined;

/** The driver of this thread. */
export function driver(): Driver {
  return (current ??= new Driver());
}
