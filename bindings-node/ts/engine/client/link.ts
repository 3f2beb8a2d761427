/**
 * What one `connect` of a client creates: a connection of the engine, and the transport that it
 * replaces or uses.
 *
 * Owns: opening it, the server's requests and notifications, its end. Must not know: the typed
 * functions, schemas of results.
 */
import type { Transport, TransportSendOptions } from '../../protocol/transport';
import type { RequestId } from '../../protocol/types';
import { seconds } from './asking';
import { strayAnswer } from '../stray';
import { CallByHand, ServerCall, type Link } from './call';
import { Carry } from './carry';
import { ClientConnection, type ConnectionPeer } from './connection';
import { factsOf } from './ask';
import { REACH, reachOf, type Reach, type Reachable } from './reach';
import type { RequestItem, ResponseItem } from '../driver';
import { errorFrom, ErrorCode } from '../errors';
import { failureOf, type Failure } from '../failure';
import { FEW, Slots } from '../slots';
import { className } from '../telemetry/attributes';
import { sessionEnded } from '../telemetry/metrics';
import { handling } from '../telemetry/operation';

/** The client behind a link. */
export interface LinkOwner {
  /** Answers a request of the server. Never throws. */
  answer(call: ServerCall): void;
  /** Whether there is a handler for this notification. */
  hears(method: string): boolean;
  /** Handles a notification. */
  notified(method: string, params: unknown): void;
  /** Handles an error that belongs to no request. */
  fault(error: Error): void;
  /** Whether a method is one of the client's extensions. */
  declares(method: string): boolean;
  /** Called with each new state. */
  moved(state: string): void;
  /** Called when the link is closed. */
  ended(): void;
  /** Whether there is a handler for this method that the engine was not told about. */
  handles(method: string): boolean;
}

/** A request of the server, or its cancellation. */
interface Question {
  id?: RequestId;
  method: string;
  params?: { requestId?: unknown; reason?: unknown };
}

/** The kinds of the engine's remarks that are passed to programs. */
const FAULTS = new Set(['malformed', 'unexpected', 'unknown_reply', 'not_sent', 'stream']);

/** One connection of a client. */
export class ClientLink implements Link, ConnectionPeer {
  readonly transport: Transport;
  readonly connection: ClientConnection;
  readonly carry: Carry | undefined;
  readonly reach: Reach | undefined;
  state = 'open';
  readonly #owner: LinkOwner;
  readonly #target: object | undefined;
  readonly #calls = new Slots<ServerCall>(FEW);
  /** Requests that the engine does not know, by their ids. */
  readonly #foreign = new Map<RequestId, ServerCall>();
  /** Whether the handshake is complete. */
  #isOpen = false;
  #isOver = false;
  #began = 0;
  /** The error of the handshake, if it was reported already. */
  #openingError: Error | undefined;

  /**
   * Creates a link that is not open yet. `options` are the engine's; `timeout` is the one among
   * them, and `patience` that of requests which have none, in milliseconds.
   */
  constructor(
    owner: LinkOwner,
    transport: Transport,
    options: object,
    readonly timeout: number,
    readonly patience: number,
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

  /** Whether a method is one of the client's extensions. */
  declares(method: string): boolean {
    return this.#owner.declares(method);
  }

  /** Whether the program has a handler of its own for a notification. */
  hears(method: string): boolean {
    return this.#owner.hears(method);
  }

  /** The session id, if the server has sessions. */
  get sessionId(): string | undefined {
    return this.connection.describe().sessionId ?? this.transport.sessionId;
  }

  // Opening and closing

  /** Starts a process, prepares a URL or starts the transport; no message is sent yet. */
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

  /** Performs the handshake; returns what the server said about itself. */
  async handshake(protocol: string | undefined): Promise<ResponseItem> {
    this.#began = performance.now();
    const item = await this.connection.handshake(protocol, seconds(this.timeout));
    if (item[5] !== null) return item;
    this.#isOpen = true;
    const { revision } = this.connection.describe();
    this.reach?.agreed(this.connection, revision);
    if (this.carry !== undefined && revision !== undefined && !this.carry.resumes) {
      this.transport.setProtocolVersion?.(revision);
    }
    // Notifications that the server sends before it knows the handshake is complete may be lost.
    await this.carry?.opening;
    return item;
  }

  /** Closes the link. */
  async close(): Promise<void> {
    this.connection.isClosing = true;
    if (this.carry !== undefined) {
      await this.transport.close();
      // A program may have replaced `close` of our transport.
      await (this.transport as Partial<Reachable>)[REACH]?.left?.();
      // Not every transport calls `onclose` itself.
      return this.carry.lost();
    }
    await this.connection.close();
    await this.reach?.goodbye?.();
  }

  private over(failure?: Failure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (failure !== undefined && !this.connection.isClosing) this.connection.failure = failure;
    this.state = 'closed';
    if (this.#isOpen) {
      const why = this.connection.failure;
      sessionEnded('client', this.#began, this.connection.describe().revision, why === null ? undefined : className(errorFrom(why)));
    }
    for (const call of this.#calls.values()) this.giveUp(call);
    for (const call of this.#foreign.values()) call.abort();
    this.#foreign.clear();
    this.reach?.ended();
    this.#owner.ended();
  }

  /** Removes an answered call; returns `false` if it was answered before. */
  forget(call: ServerCall): boolean {
    return this.#calls.delete(call.call);
  }

  // Sending

  /** Sends a request that was just passed to the engine. */
  asked(number: number, method: string, options?: TransportSendOptions): RequestId | undefined {
    return this.carry?.asked(number, method, options);
  }

  /** Cancels a request. An empty reason is none. */
  withdraw(number: number, reason: string): void {
    this.connection.driver.inbox.cancel(number, reason || undefined);
    this.carry?.withdrawn(number, reason);
    this.connection.driver.drain();
  }

  /** Sends a notification, on its own or related to one of the server's requests. */
  async tell(target: number, method: string, params: unknown, options?: TransportSendOptions): Promise<void> {
    const text = params === undefined ? undefined : JSON.stringify(params);
    this.carry?.flush();
    const failure = await this.connection.notify(target, method, text);
    await this.carry?.told(method, options);
    if (failure === null) return;
    // What the revision does not define is dropped, as a server that does not know it would do.
    if (failure.kind === 'usage') return this.remark('not_sent', failure.message);
    throw this.carrierError(failure) ?? errorFrom(failure);
  }

  /** Whether a request that failed as closed means the end of the link: over HTTP only the session may be over. */
  private isEnding(): boolean {
    const { state, transport } = this.connection.describe();
    return state === 'closed' || (transport === 'stdio' && !this.reach?.comesBack);
  }

  /** Reports an error that belongs to no request to the client. */
  fault(error: Error): void {
    this.#owner.fault(error);
  }

  /** The transport's own error for a request, if there is one. */
  errorFor(number: number, failure: Failure): unknown {
    const own = this.carry?.errors.get(number);
    if (own !== undefined) {
      this.carry!.errors.delete(number);
      return own;
    }
    // The program learns of the end before its requests fail.
    if (failure.kind === 'closed' && this.isEnding()) this.over(failure);
    return this.carrierError(failure);
  }

  /** The transport's own error for a failure. It is also passed to `onerror`, before `onclose`. */
  carrierError(failure: Failure): Error | undefined {
    const error = this.#openingError ?? this.reach?.error?.(failure);
    if (error === undefined || error === this.#openingError) return error;
    this.transport.onerror?.(error);
    this.#owner.fault(error);
    return error;
  }

  // Receiving

  /**
   * Handles a message that the engine would refuse: requests of methods that the program added, and
   * their cancellation. Returns whether it did.
   */
  private took(message: Question): boolean {
    if (message.method === 'notifications/cancelled') {
      const call = this.#foreign.get(message.params?.requestId as RequestId);
      if (call === undefined) return false;
      call.abort(message.params?.reason);
      this.#owner.notified(message.method, message.params);
      return true;
    }
    if (message.id === undefined || !this.#owner.handles(message.method)) return false;
    // Servers of the modern era send no requests.
    if (this.connection.describe().era === 'modern') return false;
    const { id } = message;
    const call = new CallByHand(this, message as never, (answer) => {
      if (this.#foreign.delete(id) && !call.signal.aborted) this.carry!.answer(answer);
    });
    this.#foreign.set(id, call);
    this.answer(call);
    return true;
  }

  private answer(call: ServerCall): void {
    const operation = (call.operation = handling(call, () => ({ ...factsOf(this, call.method), id: call.id })));
    if (operation === undefined) this.#owner.answer(call);
    else operation.run(() => this.#owner.answer(call));
  }

  serverRequest(item: RequestItem): void {
    const call = new ServerCall(this, item[1], item[4], (item[6] as Record<string, unknown> | null) ?? undefined);
    this.#calls.set(call.call, call);
    this.answer(call);
  }

  serverCancelled(number: number, reason: string | null): void {
    const call = this.#calls.get(number);
    if (call !== undefined) this.giveUp(call, reason ?? undefined);
  }

  /** Aborts a call and completes it, for its handler may never answer; this answer is not sent. */
  private giveUp(call: ServerCall, reason?: string): void {
    call.abort(reason);
    const failure = { kind: 'cancelled', code: ErrorCode.InternalError, message: 'cancelled' };
    call.operation?.failed(errorFrom(failure));
    call.fail(failure);
  }

  serverNotification(method: string, params: unknown): void {
    this.#owner.notified(method, params);
  }

  remark(kind: string, words: string): void {
    if (this.reach?.remark(kind, words)) return;
    if (!FAULTS.has(kind)) return;
    const error = kind === 'unknown_reply' ? strayAnswer(this.carry?.taking) : new Error(words);
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
