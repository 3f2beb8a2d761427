/**
 * What one `connect` of a client makes: a connection of the engine's, and the transport it
 * stands for or is carried by.
 *
 * Owns: opening it, what the server asks and tells on it, its end. Must not know: verbs,
 * schemas of results.
 */
import type { Transport, TransportSendOptions } from '../shared/transport';
import type { RequestId } from '../types';
import { Carry } from './client-carry';
import { ClientConnection, type ConnectionPeer } from './client-connection';
import { REACH, reachOf, type Reach, type Reachable } from './client-reach';
import type { RequestItem, ResponseItem } from './driver';
import { errorFrom, ErrorCode } from './errors';
import { failureOf, type Failure } from './failure';
import { FEW, Slots } from './slots';

/** The client behind a link. */
export interface LinkOwner {
  /** Answers a request of the server. Never throws. */
  answer(call: ServerCall): void;
  /** Takes a notification. */
  notified(method: string, params: unknown): void;
  /** Takes what belongs to no request. */
  fault(error: Error): void;
  /** The link is somewhere else. */
  moved(state: string): void;
  /** The link is over. */
  ended(): void;
  /** Whether a request of this method has a handler that the engine was not told of. */
  handles(method: string): boolean;
}

/** A request of the server, or its withdrawal. */
interface Question {
  id?: RequestId;
  method: string;
  params?: { requestId?: unknown; reason?: unknown };
}

/** What the engine remarks that a program wants to know of. */
const FAULTS = new Set(['malformed', 'unexpected', 'unknown_reply', 'not_sent', 'stream']);

/** A request of the server that is being answered. */
export class ServerCall {
  readonly #controller = new AbortController();

  constructor(
    readonly link: ClientLink,
    /** Its number below the boundary. */
    readonly call: number,
    readonly method: string,
    readonly params: Record<string, unknown> | undefined,
  ) {}

  /** The id the server gave it. */
  get id(): string | number {
    const text = this.link.connection.driver.inbox.describe(this.call);
    const { id } = (text === null ? {} : JSON.parse(text)) as { id?: string | number };
    return id ?? this.call;
  }

  /** Aborted when it is no longer wanted. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Gives up on the request. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  /** Ends it with a result. */
  finish(result: unknown): void {
    if (!this.link.forget(this)) return;
    let text: string | undefined;
    try {
      text = JSON.stringify(result ?? {});
    } catch (error) {
      this.link.connection.driver.fail(this.call, { kind: '', code: ErrorCode.InternalError, message: String(error) });
      return this.pumpLater();
    }
    this.link.connection.driver.finish(this.call, text);
    this.pumpLater();
  }

  /** Ends it with an error. */
  fail(failure: Failure): void {
    if (!this.link.forget(this)) return;
    this.link.connection.driver.fail(this.call, failure);
    this.pumpLater();
  }

  /** The answer goes out in this very turn: over the program's own transport nothing may keep it alive for another. */
  private pumpLater(): void {
    const { carry, connection } = this.link;
    if (carry !== undefined) connection.driver.afterFlush(() => carry.flush());
  }
}

/** One connection of a client. */
export class ClientLink implements ConnectionPeer {
  readonly transport: Transport;
  readonly connection: ClientConnection;
  readonly carry: Carry | undefined;
  readonly reach: Reach | undefined;
  state = 'open';
  readonly #owner: LinkOwner;
  readonly #target: object | undefined;
  readonly #calls = new Slots<ServerCall>(FEW);
  /** Requests that the engine does not have, by their ids. */
  readonly #foreign = new Map<RequestId, ServerCall>();
  readonly #end = new AbortController();
  /** Whether the handshake is over. */
  #isOpen = false;
  /** What the handshake ended with, if that was told already. */
  #openingError: Error | undefined;

  /** A link that is not open yet; options are the engine's. `timeout`: what it was told, in milliseconds. */
  constructor(
    owner: LinkOwner,
    transport: Transport,
    options: object,
    readonly timeout: number,
    /** The requests of servers that the engine passes on. */
    readonly told: ReadonlySet<string>,
  ) {
    this.#owner = owner;
    this.transport = transport;
    this.connection = new ClientConnection(this, options);
    const way = reachOf(transport);
    this.reach = way?.reach;
    this.#target = way?.target;
    if (way === undefined) {
      this.carry = new Carry(this.connection, transport, {
        fault: (error) => this.#owner.fault(error),
        lost: () => this.over(),
        took: (message) => this.took(message as Question),
      });
    }
  }

  /** The session it belongs to, if the server has sessions. */
  get sessionId(): string | undefined {
    return this.connection.describe().sessionId ?? this.transport.sessionId;
  }

  /** Aborted when the link is over. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  // Life

  /** Reaches the server; nothing is said yet. */
  async open(): Promise<void> {
    if (this.reach === undefined) {
      this.connection.openFed();
      this.carry!.resumes = this.transport.sessionId !== undefined;
      return this.carry!.start();
    }
    try {
      this.connection.open(this.#target!);
    } catch (thrown) {
      const failure = failureOf(thrown);
      const error = failure === undefined ? (thrown as Error) : (this.reach.openError?.(failure) ?? errorFrom(failure));
      this.transport.onerror?.(error);
      this.#owner.fault(error);
      throw error;
    }
    this.reach.adopted(this.connection, (error) => this.#owner.fault(error));
  }

  /** Shakes hands; what the server said of itself. */
  async handshake(protocol: string | undefined): Promise<ResponseItem> {
    const item = await this.connection.handshake(protocol);
    if (item[5] !== null) return item;
    this.#isOpen = true;
    const { revision } = this.connection.describe();
    this.reach?.agreed(this.connection, revision);
    if (this.carry !== undefined && revision !== undefined && !this.carry.resumes) {
      this.transport.setProtocolVersion?.(revision);
    }
    // What a server says before it knows that the handshake is over may be lost.
    await this.carry?.opening;
    return item;
  }

  /** Ends it. */
  async close(): Promise<void> {
    this.connection.isClosing = true;
    if (this.carry !== undefined) {
      await this.transport.close();
      // A program may have put something else in the place of our `close`.
      await (this.transport as Partial<Reachable>)[REACH]?.left?.();
      // Not every transport says so itself.
      return this.carry.lost();
    }
    await this.connection.close();
    await this.reach?.goodbye?.();
  }

  private over(failure?: Failure): void {
    if (this.ended.aborted) return;
    if (failure !== undefined && !this.connection.isClosing) this.connection.failure = failure;
    this.state = 'closed';
    for (const calls of [this.#calls, this.#foreign]) {
      for (const call of calls.values()) call.abort();
      calls.clear();
    }
    this.reach?.ended();
    this.#owner.ended();
    this.#end.abort();
  }

  /** A call is answered; `false` if it was answered before, or was cancelled. */
  forget(call: ServerCall): boolean {
    return this.#calls.delete(call.call) || call.signal.aborted;
  }

  // What is sent

  /** Hands a request over that was just made. */
  asked(number: number, method: string, options?: TransportSendOptions): void {
    this.carry?.asked(number, method, options);
  }

  /** Withdraws a request. */
  withdraw(number: number, reason: string): void {
    this.connection.driver.inbox.cancel(number);
    this.carry?.withdrawn(number, reason);
    this.connection.driver.drain();
  }

  /** Tells the server something, about one of its calls or by itself. */
  async tell(target: number, method: string, params: unknown, options?: TransportSendOptions): Promise<void> {
    const text = params === undefined ? undefined : JSON.stringify(params);
    this.carry?.flush();
    const failure = await this.connection.notify(target, method, text);
    await this.carry?.told(method, options);
    if (failure === null) return;
    // What the revision does not have is dropped, as a server that does not know it would.
    if (failure.kind === 'usage') return this.remark('not_sent', failure.message);
    throw this.carrierError(failure) ?? errorFrom(failure);
  }

  /** Whether a request that ended as closed says that all is: over HTTP it may only be the session. */
  private isEnding(): boolean {
    const { state, transport } = this.connection.describe();
    return state === 'closed' || (transport === 'stdio' && !this.reach?.comesBack);
  }

  /** Shows the client what belongs to no request. */
  fault(error: Error): void {
    this.#owner.fault(error);
  }

  /** The error a request ends with, where it is not the failure's own. */
  errorFor(number: number, failure: Failure): unknown {
    const own = this.carry?.errors.get(number);
    if (own !== undefined) {
      this.carry!.errors.delete(number);
      return own;
    }
    // The program hears of the end before it hears what that ended.
    if (failure.kind === 'closed' && this.isEnding()) this.over(failure);
    return this.carrierError(failure);
  }

  /** The transport's own error for a failure. Listeners for errors hear of it as well, before the end. */
  carrierError(failure: Failure): Error | undefined {
    const error = this.#openingError ?? this.reach?.error?.(failure);
    if (error === undefined || error === this.#openingError) return error;
    this.transport.onerror?.(error);
    this.#owner.fault(error);
    return error;
  }

  // What comes

  /** Takes what the engine would refuse, as far as the program wants it: its own requests, and their withdrawals. */
  private took(message: Question): boolean {
    if (message.method === 'notifications/cancelled') {
      const call = this.#foreign.get(message.params?.requestId as RequestId);
      call?.abort(message.params?.reason);
      return call !== undefined;
    }
    if (message.id === undefined || !this.#owner.handles(message.method)) return false;
    // Servers of the modern era ask in another way.
    if (this.connection.describe().era === 'modern') return false;
    const { CallByHand } = require('./client-by-hand') as typeof import('./client-by-hand');
    const { id } = message;
    const call = new CallByHand(this, message as never, (answer) => {
      if (this.#foreign.delete(id) && !call.signal.aborted) this.carry!.answer(answer);
    });
    this.#foreign.set(id, call);
    this.#owner.answer(call);
    return true;
  }

  /** Has the client answer a request of the server. */
  ask(call: ServerCall): void {
    this.#owner.answer(call);
  }

  serverRequest(item: RequestItem): void {
    const call = new ServerCall(this, item[1], item[4], (item[6] as Record<string, unknown> | null) ?? undefined);
    this.#calls.set(call.call, call);
    this.#owner.answer(call);
  }

  serverCancelled(number: number, reason: string | null): void {
    const call = this.#calls.get(number);
    if (call === undefined) return;
    call.abort(reason ?? undefined);
    // It has to be completed, though the answer is not read.
    call.fail({ kind: 'cancelled', code: ErrorCode.InternalError, message: 'cancelled' });
  }

  serverNotification(method: string, params: unknown): void {
    this.#owner.notified(method, params);
  }

  remark(kind: string, words: string): void {
    if (this.reach?.remark(kind, words)) return;
    if (!FAULTS.has(kind)) return;
    const error = new Error(words);
    if (this.reach !== undefined) this.transport.onerror?.(error);
    this.#owner.fault(error);
  }

  stateChanged(state: string): void {
    this.state = state;
    this.#owner.moved(state);
  }

  closed(): void {
    const { failure, isClosing } = this.connection;
    if (!this.#isOpen && !isClosing && failure) this.#openingError = this.carrierError(failure);
    this.over();
  }
}
