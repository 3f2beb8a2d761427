/**
 * One connection of the engine's to one server, from its opening to its end.
 *
 * Owns: the engine's client behind it, what is open on it, and why it ended. Must not
 * know: schemas, classes of errors, transports of the program's.
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
} from './driver';
import { failureOf, type Failure } from './failure';
import { native, type NativeClient, type NativeServer } from './native';
import { FEW, Slots } from './slots';

/** What a connection says of itself; see `describe_connection`. */
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

/** The server's request that the running code answers: the engine counts sampling inside of sampling. */
export const served = new AsyncLocalStorage<number>();

/** Who hears what comes of a connection. */
export interface ConnectionPeer {
  /** Answers a request of the server, with `finish` or `fail` of the driver. Never throws. */
  serverRequest(item: RequestItem): void;
  /** A request of the server is no longer wanted. */
  serverCancelled(call: number, reason: string | null): void;
  /** The server said something. */
  serverNotification(method: string, params: unknown): void;
  /** Something that belongs to no request: a kind in one word, and a sentence. */
  remark(kind: string, words: string): void;
  /** The connection is somewhere else: `connecting`, `ready`, `reconnecting`. */
  stateChanged(state: string): void;
  /** It is over. */
  closed(failure: Failure | null): void;
}

/** Longest wait for a polite end; the engine gives up before. */
const CLOSE_MILLISECONDS = 20_000;

/** A connection to one server. */
export class ClientConnection implements Host {
  readonly snapshot: Snapshot = (body) => this.#context.runInAsyncScope(body);
  readonly driver: Driver = driver();
  readonly engine: NativeClient;
  /** Resolves when the connection is over. */
  readonly over: Promise<void>;
  /** Its number, once it is open. */
  number = 0;
  /** Why it ended; `null` when it was closed in good order. */
  failure: Failure | null = null;
  isOver = false;
  /** The program has asked for the end. */
  isClosing = false;
  /** Takes the notifications of requests that stay open, by their numbers. */
  readonly streams = new Slots<(method: string, params: unknown) => void>(FEW);
  /** What a transport of the program's has to send; see `client-carry`. */
  onOutgoing: (() => void) | undefined;
  readonly #context = new AsyncResource('MCPBOLT', { requireManualDestroy: true });
  readonly #peer: ConnectionPeer;
  #ended!: () => void;
  #held = false;
  #isOverHttp = false;
  #last: ConnectionFacts = {};
  #counted: Record<string, unknown> = {};

  /** A connection that is not open yet. Throws what the addon throws. */
  constructor(peer: ConnectionPeer, options: object) {
    this.#peer = peer;
    this.over = new Promise((resolve) => (this.#ended = resolve));
    this.engine = new native.Client(JSON.stringify(options), this.driver.inbox);
  }

  // Life

  /** Starts a process or prepares a URL. */
  open(target: object): void {
    this.#isOverHttp = 'url' in target;
    this.opened(this.engine.open(JSON.stringify(target)));
  }

  /** A connection whose messages the caller carries. */
  openFed(): void {
    this.opened(this.engine.openFed(false));
  }

  /** A connection to a server of this process. */
  openMemory(server: NativeServer): void {
    this.opened(this.engine.openMemory(server));
  }

  private opened(number: number): void {
    this.number = number;
    this.driver.serve(number, this);
  }

  /** Keeps the program alive as long as this is open. */
  hold(): void {
    if (this.#held || this.isOver) return;
    this.#held = true;
    this.driver.hold();
  }

  /** Shakes hands; the `response` item. */
  async handshake(protocol: string | undefined): Promise<ResponseItem> {
    let failure: Failure | undefined;
    try {
      const item = await this.driver.answer(this.engine.initialize(this.number, protocol));
      if (item[5]?.kind !== 'usage' || this.describe().state !== 'closed') return item;
      failure = item[5];
    } catch (error) {
      failure = failureOf(error);
      if (failure === undefined) throw error;
    }
    // The server was gone before anything was said; its end says why.
    if (this.describe().state === 'closed') await this.over;
    return ['response', 0, 0, 0, null, this.failure ?? failure];
  }

  /** What the engine knows of it; after its end, what was known last. */
  describe(): ConnectionFacts {
    if (this.number === 0) return this.#last;
    const text = this.driver.inbox.describeConnection(this.number);
    // What the engine has forgotten is over, though its end may not have been heard of.
    this.#last = text === null ? { ...this.#last, state: 'closed' } : (JSON.parse(text) as ConnectionFacts);
    return this.#last;
  }

  /** What was counted so far. */
  stats(): Record<string, unknown> {
    const text = this.driver.inbox.connectionStats(this.number);
    if (text !== null) this.#counted = JSON.parse(text) as Record<string, unknown>;
    return this.#counted;
  }

  /** Ends it politely: what waits for an answer fails. Idempotent, bounded. */
  async close(): Promise<void> {
    if (this.isOver || this.number === 0) return;
    this.describe();
    if (!this.driver.inbox.closeConnection(this.number)) return this.end(null);
    this.driver.drain();
    this.driver.hold();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_MILLISECONDS);
    });
    await Promise.race([this.over, late]);
    clearTimeout(timer);
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

  // What is sent

  /** Asks the server. */
  ask(method: string, params: string | undefined, plan: Plan | undefined, onProgress?: (params: any) => void): Pending {
    return this.driver.request(this.number, method, params, plan, onProgress);
  }

  /** Asks with a request that stays open; what comes on it goes to `take`. */
  listen(method: string, params: string, take: (method: string, params: unknown) => void): Pending {
    const pending = this.ask(method, params, { timeout: null, max: null });
    this.streams.set(pending.id, take);
    void pending.answer.then(() => this.streams.delete(pending.id));
    return pending;
  }

  /**
   * Tells the server something, by itself or about one of its calls; why the server did not
   * take it. Over other transports than HTTP all that is known is that it was sent.
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
      case 'closed':
        return this.snapshot(() => this.end((item[2] as Failure | undefined) ?? null));
    }
  }
}
