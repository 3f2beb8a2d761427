/**
 * The driver: one inbox per JavaScript thread, and what waits on it.
 *
 * Owns: taking items, running the code that answers each request in the async context that brought
 * it, and handing back finished calls, one batch at a time. Must not know: what a server or a
 * client does with an item; that is the `Host`'s part. Nothing exists before the driver is first
 * asked for.
 */
import { AsyncResource } from 'node:async_hooks';
import { ServiceError, type Failure } from './failure';
import type { EventItem, ExchangeItem, Host, Item, NotificationItem, Pending, Plan, RequestItem, ResponseItem, Snapshot } from './items';
import { native, type NativeInbox } from './native';
import { Outcomes } from './outcomes';
import { itemsOf, type Pieces } from './pieces';
import { AT_ONCE, FEW, Slots } from './slots';
import { areReplaced, LONGEST, runtime, startTimeout } from './timers';

export type * from './items';

// How much one drain takes, and how much it may start before it lets other code run.
const MAX_ITEMS = 256;
const MAX_BYTES = 1 << 20;
const MAX_STARTED = 64;
const MAX_MILLISECONDS = 1;

/** Nothing comes out of an inbox that is closed. */
const NOBODY = (): void => undefined;

/** Captures the current async context. Called often: `AsyncLocalStorage.snapshot` costs a hundred times as much. */
export function snapshot(): Snapshot {
  const resource = new AsyncResource('MCPBOLT', { requireManualDestroy: true });
  return (body) => resource.runInAsyncScope(body);
}

/** What is stored about a cause. */
interface Cause {
  readonly context: AsyncResource;
  /** Answers what the cause brings on connections that are not registered. */
  readonly host: Host | undefined;
  readonly about: unknown;
}

export class Driver {
  readonly inbox: NativeInbox = new native.Inbox();
  readonly hosts = new Slots<Host>(AT_ONCE);
  /**
   * Services that the engine may call, by name: they get a payload and the number of the question,
   * and return JSON text.
   */
  readonly services = new Map<string, (payload: any, number: number) => Promise<string>>();
  /** Handlers of HTTP exchanges, by number. */
  readonly exchanges = new Slots<(item: ExchangeItem) => void>(AT_ONCE);
  /** Called with the ids of events that a request's stream can be resumed after, by its number. */
  readonly eventIds = new Slots<(id: string) => void>(FEW);
  /** Called with the JSON-RPC ids under which a request is sent whose plan has `sent`, by its number. */
  readonly sentIds = new Slots<(id: string) => void>(FEW);
  /** Handles requests for paths that are the program's. */
  pages: ((item: ExchangeItem) => void) | undefined;
  /** Answers on connections that are not registered. */
  fallback: Host | undefined;
  readonly #causes = new Slots<Cause>(AT_ONCE);
  readonly #owners = new Slots<Host>(AT_ONCE);
  readonly #waiting = new Slots<(item: any) => void>(AT_ONCE);
  readonly #progress = new Slots<(params: any) => void>(AT_ONCE);
  #later: Item[] = [];
  readonly #done = new Outcomes();
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

  // Lifetime and registration

  /** Closes the inbox. It forgets whom to call then: as long as it knows, it keeps this driver in memory, and is kept by it. */
  close(): void {
    this.inbox.close();
    this.inbox.onReady(NOBODY);
  }

  /** Keeps the process alive until `release`, because something is open. */
  hold(): void {
    if (this.#holders++ === 0) this.#keeper = runtime.setInterval(() => undefined, LONGEST);
  }

  /** Undoes one `hold`. */
  release(): void {
    if (--this.#holders === 0) runtime.clearInterval(this.#keeper);
  }

  /** Registers the host of a connection. */
  serve(connection: number, host: Host): void {
    this.hosts.set(connection, host);
  }

  /** Removes the host of a connection. */
  leave(connection: number): void {
    this.hosts.delete(connection);
  }

  /**
   * Returns the number of a new cause. The calls it brings run in the current async context; `host`
   * answers those on connections that are not registered. `about` is kept for as long as the cause
   * exists.
   */
  newOrigin(host?: Host, about?: unknown): number {
    const context = new AsyncResource('MCPBOLT', { requireManualDestroy: true });
    this.#causes.set(++this.#lastOrigin, { context, host, about });
    return this.#lastOrigin;
  }

  /** The `about` of a cause. */
  aboutOrigin(origin: number): unknown {
    return this.#causes.get(origin)?.about;
  }

  // Items

  /** Handles the items that wait. The engine's wake calls it; other code may, too. */
  drain(): void {
    if (this.#draining) return;
    if (this.#later.length === 0) this.#later = itemsOf(this.inbox.take(MAX_ITEMS, MAX_BYTES)) as Item[];
    this.act(this.#later);
  }

  /** Same as `drain`, after the code that is running now. */
  drainSoon(): void {
    if (this.#soon) return;
    this.#soon = true;
    runtime.queueMicrotask(() => {
      this.#soon = false;
      this.drain();
    });
  }

  /** Handles items that a verb returned. */
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
      // Looks at waiting items even if nothing else keeps the process alive.
      if (this.#later.length > 0 || (items.length > 0 && this.inbox.waiting() > 0)) runtime.setImmediate(() => this.drain());
      if (!this.#done.isEmpty) this.flushSoon();
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
      case 'sent':
        return this.sentIds.get(number)?.(item[2] as string);
      case 'event_id':
        return this.eventIds.get(number)?.(item[2] as string);
      case 'cancel':
        return this.#owners.get(number)?.cancelled(number, item[2] as string, item[3] as string | null);
      case 'cause_closed':
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

  /** Runs `body` in the async context of a cause, or of `host` if there is no cause. */
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
    const origin = (payload as { asker?: { cause?: number } } | null)?.asker?.cause;
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
      const data = error instanceof ServiceError ? error.data : undefined;
      this.fail(number, { kind, code: -32603, message: String((error as Error)?.message ?? error), data });
    }
  }

  // Called by hosts

  /** Completes a call with a result, given as JSON text. */
  finish(call: number, result: string | Pieces): void {
    this.#done.result(call, result);
    this.ended(call);
  }

  /** Completes a call with an error. */
  fail(call: number, failure: Failure): void {
    this.#done.failure(call, failure);
    this.ended(call);
  }

  /** Ends a call with questions, given as JSON text: a row of key, method and params for each; it starts again with the answers. */
  askInput(call: number, questions: string): void {
    this.#done.questions(call, questions);
    this.ended(call);
  }

  private ended(call: number): void {
    this.#owners.delete(call);
    // Nothing can be sent to a call that has ended: who waits for room learns it once the engine knows.
    if (this.#waiting.get(call) !== undefined) this.afterFlush(() => this.wake(call));
    if (!this.#draining) this.flushSoon();
  }

  private flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    runtime.setImmediate(() => this.flush());
  }

  /** Calls a function after finished calls have been handed back. */
  afterFlush(body: () => void): void {
    this.#after.push(body);
  }

  /** Hands finished calls back to the engine. */
  flush(): void {
    this.#flushing = false;
    if (this.#done.isEmpty) return;
    const after = this.#after;
    this.#after = [];
    this.#done.handBack(this.inbox);
    for (const body of after) body();
  }

  /** Sends a notification, waiting while the peer's queue is full. Resolves to `false` if the peer is gone. */
  async send(target: number, method: string, params?: string): Promise<boolean> {
    // Keeps the order: earlier answers are sent first.
    if (!this.#done.isEmpty) this.flush();
    for (;;) {
      const sent = this.inbox.send(target, method, params);
      if (sent !== 'full') return sent === 'sent';
      await this.writable(target);
    }
  }

  /** Resolves when more can be sent to a call, a connection or a page. */
  writable(target: number): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#waiting.get(target);
      this.#waiting.set(target, (item) => {
        before?.(item);
        resolve();
      });
    });
  }

  /** Lets those who wait in `writable` look again. */
  wake(target: number): void {
    this.settle(target, ['writable', target]);
  }

  /** Sends a request to the peer of a call or a connection. */
  request(
    target: number,
    method: string,
    params?: string | Pieces,
    plan?: Plan,
    onProgress?: (params: any) => void,
  ): Pending {
    if (!this.#done.isEmpty) this.flush();
    const isOurs = plan !== undefined && areReplaced();
    const every = onProgress === undefined ? plan : { ...plan, progress: true };
    const text = every && JSON.stringify(isOurs ? { ...every, timeout: null, max: null } : every);
    const id =
      typeof params === 'object'
        ? this.inbox.requestInPieces(target, method, params.texts, params.strings, text)
        : this.inbox.requestInTurn(target, method, params, text);
    const answer = this.answer(id);
    if (isOurs) this.limit(id, plan, answer, onProgress);
    else if (onProgress !== undefined) this.#progress.set(id, onProgress);
    if (!this.#parking) {
      this.#parking = true;
      runtime.setImmediate(() => {
        this.#parking = false;
        this.inbox.drained();
      });
    }
    return { id, answer };
  }

  /** Ends a request in time by the timers that the program has put in the place of the runtime's. */
  limit(id: number, plan: Plan, answer: Promise<ResponseItem>, onProgress?: (params: any) => void): void {
    const timeout = startTimeout(plan, () => {
      this.inbox.cancel(id);
      this.settle(id, ['response', id, 0, 0, null, { kind: 'timeout', code: 0, message: 'timed out' }]);
      this.drainSoon();
    });
    this.#progress.set(id, (params) => {
      timeout.renew();
      onProgress?.(params);
    });
    void answer.then(() => timeout.stop());
  }

  /** Waits for the `response` item with this number, keeping the process alive. */
  answer(id: number): Promise<ResponseItem> {
    this.hold();
    return new Promise((resolve) => {
      this.#waiting.set(id, (item: ResponseItem) => {
        this.release();
        resolve(item);
      });
    });
  }

  /** What is open, for tests: running calls, requests without an answer, and more. */
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
