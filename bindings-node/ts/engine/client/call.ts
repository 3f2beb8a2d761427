/**
 * Requests of the server that are being answered, and the connection they came on as requests see
 * it. Owns: answering once, by the engine or on the program's own transport. Must not know: handlers,
 * or how the connection was opened.
 */
import type { TransportSendOptions } from '../../protocol/transport';
import type { JSONRPCMessage, RequestId } from '../../protocol/types';
import type { Carry } from './carry';
import type { ClientConnection } from './connection';
import type { Reach } from './reach';
import { ErrorCode } from '../errors';
import type { Failure } from '../failure';
import { written, type Pieces } from '../pieces';
import type { Operation } from '../telemetry/operation';

/** A message as it arrived. */
export type Wire = JSONRPCMessage & { id?: RequestId; method?: string; params?: any; result?: unknown; error?: Failure };

/** One connection of a client, for requests in either direction. */
export interface Link {
  readonly connection: ClientConnection;
  /** Carries the messages, if the transport is the program's own. */
  readonly carry: Carry | undefined;
  /** How the engine reaches the server, if it took over the transport. */
  readonly reach: Reach | undefined;
  /** The timeout of the handshake, in milliseconds. */
  readonly timeout: number;
  /** The timeout of requests that have none of their own, in milliseconds. */
  readonly patience: number;
  /** The session id, if the server has sessions. */
  readonly sessionId: string | undefined;
  /** Whether a method is one of the client's extensions. */
  declares(method: string): boolean;
  /** Called when a request was just passed to the engine. Returns the id it was sent with, if JavaScript carries the messages. */
  asked(number: number, method: string, options?: TransportSendOptions): RequestId | undefined;
  /** Cancels a request. */
  withdraw(number: number, reason: string): void;
  /** The transport's own error for a request, if there is one. */
  errorFor(number: number, failure: Failure): unknown;
  /** Sends a notification, on its own or related to one of the server's requests. */
  tell(target: number, method: string, params: unknown, options?: TransportSendOptions): Promise<void>;
  /** Reports an error that belongs to no request to the client. */
  fault(error: Error): void;
  /** Removes an answered call; returns `false` if it was answered before. */
  forget(call: ServerCall): boolean;
  /** Whether the program has a handler of its own for a notification. */
  hears(method: string): boolean;
  /** Handles a notification of the server. */
  serverNotification(method: string, params: unknown): void;
}

/** A request of the server that is being answered. */
export class ServerCall {
  /** What OpenTelemetry records of the request, if it is on. */
  operation: Operation | undefined;
  readonly #controller = new AbortController();

  constructor(
    readonly link: Link,
    /** The engine's number of the call. */
    readonly call: number,
    readonly method: string,
    readonly params: Record<string, unknown> | undefined,
  ) {}

  /** The id that the server gave the request. */
  get id(): string | number {
    const text = this.link.connection.driver.inbox.describe(this.call);
    const { id } = (text === null ? {} : JSON.parse(text)) as { id?: string | number };
    return id ?? this.call;
  }

  /** Aborted when the request is cancelled. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Marks the request as cancelled. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  /** Answers with a result. */
  finish(result: unknown): void {
    if (!this.link.forget(this)) return;
    let text: string | Pieces;
    try {
      text = written(result ?? {}) ?? '{}';
    } catch (error) {
      const failure = { kind: '', code: ErrorCode.InternalError, message: String(error) };
      this.operation?.refused(error, failure);
      this.link.connection.driver.fail(this.call, failure);
      return this.pumpLater();
    }
    this.operation?.answered(result);
    this.link.connection.driver.finish(this.call, text);
    this.pumpLater();
  }

  /** Answers with an error; `thrown` is what the handler threw, if it did. */
  fail(failure: Failure, thrown: unknown = failure): void {
    if (!this.link.forget(this)) return;
    this.operation?.refused(thrown, failure);
    this.link.connection.driver.fail(this.call, failure);
    this.pumpLater();
  }

  /**
   * Sends the answer in the current turn of the event loop: with the program's own transport,
   * nothing may keep the process alive for another.
   */
  private pumpLater(): void {
    const { carry, connection } = this.link;
    if (carry !== undefined) connection.driver.afterFlush(() => carry.flush());
  }
}

/** A request of the server that the engine does not know, answered on the program's own transport. */
export class CallByHand extends ServerCall {
  readonly #given: RequestId;
  readonly #send: (message: JSONRPCMessage) => void;

  constructor(link: Link, { id, method, params }: Wire, send: (message: JSONRPCMessage) => void) {
    super(link, link.connection.number, method!, params);
    this.#given = id!;
    this.#send = send;
  }

  override get id(): RequestId {
    return this.#given;
  }

  override finish(result: unknown): void {
    this.operation?.answered(result);
    this.#send({ jsonrpc: '2.0', id: this.#given, result: result ?? {} } as JSONRPCMessage);
  }

  override fail({ code, message, data }: Failure, thrown: unknown = { code }): void {
    this.operation?.refused(thrown, { code, message });
    this.#send({ jsonrpc: '2.0', id: this.#given, error: { code, message, data } } as JSONRPCMessage);
  }
}
