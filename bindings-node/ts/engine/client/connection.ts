/**
 * One connection of the engine to one server, from its opening to its end.
 *
 * Owns: the engine's client behind it, what is open on it, and why it ended. Must not know:
 * schemas, error classes, the program's own transports.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import {
  driver,
  type Driver,
  type EventItem,
  type Host,
  type NotificationItem,
  type Pending,
  type Plan,
  type RequestItem,
  type ResponseItem,
  type Snapshot,
} from '../driver';
import { failureOf, type Failure } from '../failure';
import { native, type NativeClient, type NativeServer } from '../native';
import type { Pieces } from '../pieces';
import { FEW, Slots } from '../slots';
import { areReplaced, runtime } from '../timers';

/** Facts about a connection; the engine's `describe_connection` returns them. */
export interface ConnectionFacts {
  state?: string;
  transport?: string;
  sessionId?: string | null;
  process?: number | null;
  inFlight?: number;
  revision?: string;
  era?: 'legacy' | 'modern';
  serverInfo?: unknown;
  capabilities?: unknown;
  instructions?: string | null;
}

/** The server's request that the running code answers. The engine uses it to count nested sampling. */
export const served = new AsyncLocalStorage<number>();

/** Receives the events of a connection. */
export interface ConnectionPeer {
  /** Answers a request of the server, with `finish` or `fail` of the driver. Never throws. */
  serverRequest(item: RequestItem): void;
  /** Called when the server cancels one of its requests. */
  serverCancelled(call: number, reason: string | null): void;
  /** Called with each notification of the server. */
  serverNotification(method: string, params: unknown): void;
  /** Called with what belongs to no request: a kind in one word, and a sentence. */
  remark(kind: string, words: string): void;
  /** Called with each new state: `connecting`, `ready` or `reconnecting`. */
  stateChanged(state: string): void;
  /** Called when the connection is over. */
  closed(failure: Failure | null): void;
}

/** How long to wait for a clean end; the engine gives up earlier. */
const CLOSE_MILLISECONDS = 20_000;

/** A connection to one server. */
export class ClientConnection implements Host {
  readonly snapshot: Snapshot = (body) => this.#context.runInAsyncScope(body);
  readonly driver: Driver = driver();
  readonly engine: NativeClient;
  /** Resolves when the connection is over. */
  readonly over: Promise<void>;
  /** The engine's number of the connection; 0 before it is opened. */
  number = 0;
  /** Why the connection ended; `null` if it was closed normally. */
  failure: Failure | null = null;
  isOver = false;
  /** Whether the program has closed the connection. */
  isClosing = false;
  /** Handlers for notifications of requests that stay open, by request number. */
  readonly streams = new Slots<(method: string, params: unknown) => void>(FEW);
  /** Called when a message waits to be sent over the program's own transport; see `carry`. */
  onOutgoing: (() => void) | undefined;
  readonly #context = new AsyncResource('MCPBOLT', { requireManualDestroy: true });
  readonly #peer: ConnectionPeer;
  #ended!: () => void;
  #held = false;
  #isDeaf = false;
  #isOverHttp = false;
  #last: ConnectionFacts = {};
  #counted: Record<string, unknown> = {};

  /** Creates a connection that is not open yet. Throws errors of the addon. */
  constructor(peer: ConnectionPeer, options: object) {
    this.#peer = peer;
    this.over = new Promise((resolve) => (this.#ended = resolve));
    this.engine = new native.Client(JSON.stringify(options), this.driver.inbox);
  }

  // Opening and closing

  /** Starts a process or prepares a URL. */
  open(target: object): void {
    this.#isOverHttp = 'url' in target;
    this.opened(this.engine.open(JSON.stringify(target)));
  }

  /** Opens a connection whose messages the caller carries. */
  openFed(): void {
    this.opened(this.engine.openFedHttp());
  }

  /** Opens a connection to a server in this process. */
  openMemory(server: NativeServer): void {
    this.opened(this.engine.openMemory(server));
  }

  private opened(number: number): void {
    this.number = number;
    this.driver.serve(number, this);
  }

  /** Keeps the process alive while this connection is open, and its server may say something by itself. */
  hold(): void {
    if (this.#held || this.#isDeaf || this.isOver) return;
    this.#held = true;
    this.driver.hold();
  }

  /** Whether there is a stream for what a server says by itself: without it nothing is to be waited for. */
  private listens(on: boolean): void {
    this.#isDeaf = !on;
    if (on) return this.hold();
    if (!this.#held) return;
    this.#held = false;
    this.driver.release();
  }

  /** Performs the handshake, within this many seconds; returns the `response` item. */
  async handshake(protocol: string | undefined, timeout: number | null): Promise<ResponseItem> {
    let failure: Failure | undefined;
    try {
      const number = this.engine.initialize(this.number, protocol);
      const answer = this.driver.answer(number);
      if (areReplaced()) this.driver.limit(number, { timeout, max: timeout }, answer);
      const item = await answer;
      if (item[5]?.kind !== 'usage' || this.describe().state !== 'closed') return item;
      failure = item[5];
    } catch (error) {
      failure = failureOf(error);
      if (failure === undefined) throw error;
    }
    // The server was gone before anything was sent; the end of the connection says why.
    if (this.describe().state === 'closed') await this.over;
    return ['response', 0, 0, 0, null, this.failure ?? failure];
  }

  /** The engine's facts about the connection; after its end, the last ones. */
  describe(): ConnectionFacts {
    if (this.number === 0) return this.#last;
    const text = this.driver.inbox.describeConnection(this.number);
    // A connection that the engine has forgotten is closed, even if `closed` has not arrived yet.
    this.#last = text === null ? { ...this.#last, state: 'closed' } : (JSON.parse(text) as ConnectionFacts);
    return this.#last;
  }

  /** The counters so far. */
  stats(): Record<string, unknown> {
    const text = this.driver.inbox.connectionStats(this.number);
    if (text !== null) this.#counted = JSON.parse(text) as Record<string, unknown>;
    return this.#counted;
  }

  /** Closes the connection within a bounded time; may be called again. Requests that wait for an answer fail. */
  async close(): Promise<void> {
    if (this.isOver || this.number === 0) return;
    this.describe();
    if (!this.driver.inbox.closeConnection(this.number)) return this.end(null);
    this.driver.drain();
    this.driver.hold();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = runtime.setTimeout(resolve, CLOSE_MILLISECONDS);
    });
    await Promise.race([this.over, late]);
    runtime.clearTimeout(timer);
    this.driver.release();
    this.end(null);
  }

  private end(failure: Failure | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.failure = this.isClosing ? null : failure;
    this.#last = { ...this.#last, state: 'closed', inFlight: 0 };
    this.driver.leave(this.number);
    if (this.#held) this.driver.release();
    this.streams.clear();
    this.#ended();
    this.#peer.closed(this.failure);
    this.#context.emitDestroy();
  }

  // Sending

  /** Sends a request. */
  ask(method: string, params: string | Pieces | undefined, plan: Plan | undefined, onProgress?: (params: any) => void): Pending {
    return this.driver.request(this.number, method, params, plan, onProgress);
  }

  /**
   * Sends a request that stays open; notifications on it go to `take`. With `renew` the engine sends it again
   * whenever it ends, once the server has agreed to it; notifications then say that what it is about has changed.
   */
  listen(method: string, params: string, take: (method: string, params: unknown) => void, renew = false): Pending {
    const pending = this.ask(method, params, { timeout: null, max: null, renew });
    this.streams.set(pending.id, take);
    void pending.answer.then(() => this.streams.delete(pending.id));
    return pending;
  }

  /**
   * Sends a notification, on its own or related to one of the server's requests. Returns why the
   * server did not accept it, which only HTTP can tell; otherwise `null` once it is sent.
   */
  async notify(target: number, method: string, params: string | undefined): Promise<Failure | null> {
    if (!this.#isOverHttp) return (await this.driver.send(target, method, params)) ? null : this.gone();
    const item = await this.driver.request(target, method, params, { notification: true }).answer;
    return item[5];
  }

  /** Why nothing can be sent any more; `null` if something can. */
  private gone(): Failure | null {
    if (this.describe().state !== 'closed') return null;
    return { kind: 'closed', code: -32000, message: 'the connection is closed' };
  }

  // Items

  request(item: RequestItem): void {
    served.run(item[1], () => this.#peer.serverRequest(item));
  }

  cancelled(call: number, _why: string, reason: string | null): void {
    this.#peer.serverCancelled(call, reason);
  }

  notification(item: NotificationItem): void {
    const stream = this.streams.get(item[2]);
    if (stream !== undefined) stream(item[3], item[4]);
    else this.#peer.serverNotification(item[3], item[4]);
  }

  event(item: EventItem): void {
    switch (item[0]) {
      case 'outgoing':
        return this.onOutgoing?.();
      case 'log':
        return this.snapshot(() => this.#peer.remark(item[2] as string, item[3] as string));
      case 'state':
        return this.snapshot(() => this.#peer.stateChanged(item[2] as string));
      case 'listening':
        return this.listens(item[2] as boolean);
      case 'closed':
        return this.snapshot(() => this.end((item[2] as Failure | undefined) ?? null));
    }
  }
}
