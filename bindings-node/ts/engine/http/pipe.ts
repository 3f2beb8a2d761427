/**
 * Messages over HTTP requests, as 1.x has them: from an exchange to the messages in it.
 *
 * Owns: which requests are refused, the session's id and its end. Must not know: what is done with a
 * message; whether the engine or a program's own code is on the other side.
 */
import { resolveMaxRequestBodySize } from './request-body';
import type { EventStore, WebStandardStreamableHTTPServerTransportOptions } from './transport-options';
import type { InitializeRequestParams, JSONRPCMessage, MessageExtraInfo, RequestId } from '../../protocol/types';
import { primesEvents } from '../../generated/protocol';
import { DEFAULT_NEGOTIATED_PROTOCOL_VERSION } from '../../protocol/types';
import { checkHost, checkMessages, checkPost, checkVersion, JSON_TYPE, LOST, readJson, Refusal } from './checks';
import { aboutOf, type Exchange, type HeaderPairs } from './exchange';
import { openingOf } from './message';
import type { Given, Incoming, PipeEngine, Post } from './posts';
import { SessionStreams, type StreamsOwner } from './streams';

/** Where transports have their pipe. */
export const PIPE: unique symbol = Symbol('mcpbolt.pipe');

/** One session, or one stateless request. */
export class HttpPipe implements StreamsOwner {
  sessionId: string | undefined;
  initialized = false;
  closed = false;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  /** What the client said when it opened the session elsewhere. */
  adopted: InitializeRequestParams | undefined;
  /** The engine, if it is on the other side. */
  engine: PipeEngine | undefined;
  readonly streams = new SessionStreams(this);
  readonly #maxBody: number;
  #used = false;
  #busy = false;

  constructor(readonly options: WebStandardStreamableHTTPServerTransportOptions) {
    this.#maxBody = resolveMaxRequestBodySize(options.maxRequestBodySize);
  }

  /** What takes messages: the callback that a program set, or the engine. */
  get receiver(): HttpPipe['onmessage'] {
    const { engine } = this;
    if (this.onmessage !== undefined || engine === undefined) return this.onmessage;
    return (message, extra) => engine.takeAgain(message, extra);
  }

  /** Goes on with a session that was opened elsewhere. */
  adopt(sessionId: string, opening: InitializeRequestParams | undefined): void {
    this.sessionId = sessionId;
    this.initialized = true;
    this.adopted = opening;
    if (opening !== undefined) this.engine?.adopt(opening);
  }

  // Requests

  /**
   * Answers a request.
   *
   * @throws the transport is of no session, and was used before.
   */
  async handle(exchange: Exchange, given: Given): Promise<void> {
    if (this.closed) return this.refuse(exchange, LOST);
    if (this.options.sessionIdGenerator === undefined && this.#used) {
      throw new Error('Stateless transport cannot be reused across requests. Create a new transport per request.');
    }
    this.#used = true;
    this.#busy = true;
    const { engine } = this;
    if (engine?.answers(exchange.header('mcp-protocol-version'))) return this.leave(engine, exchange, given);
    try {
      await this.answer(exchange, given);
    } finally {
      this.rest();
    }
  }

  /** Leaves a request to the engine. */
  private async leave(engine: PipeEngine, exchange: Exchange, given: Given): Promise<void> {
    try {
      checkHost(exchange, this.options);
      await engine.answer(exchange, given, () => this.rest());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refuse(exchange, error);
      this.rest();
    }
  }

  /** The request is answered, or waits for answers. */
  private rest(): void {
    this.#busy = false;
    this.rested();
  }

  /** Without sessions a transport is for one request: when it is answered nothing is left to carry. */
  rested(): void {
    const isOver = !this.#busy && this.streams.isIdle;
    if (isOver && this.options.sessionIdGenerator === undefined) this.engine?.release();
  }

  private async answer(exchange: Exchange, given: Given): Promise<void> {
    try {
      checkHost(exchange, this.options);
      if (exchange.method === 'POST') await this.post(exchange, given);
      else if (exchange.method === 'GET') await this.get(exchange);
      else if (exchange.method === 'DELETE') await this.delete(exchange);
      else this.refuse(exchange, new Refusal(405, -32000, 'Method not allowed.'), [['allow', 'GET, POST, DELETE']]);
    } catch (error) {
      if (error instanceof Refusal) this.refuse(exchange, error);
      else if (exchange.method !== 'POST') throw error;
      else {
        this.failed(error);
        this.refuse(exchange, new Refusal(400, -32700, 'Parse error', String(error)), [], false);
      }
    }
  }

  refuse(exchange: Exchange, why: Refusal, more: HeaderPairs = [], told = why !== LOST): void {
    if (told) this.failed(new Error(why.message));
    exchange.respond(why.status, [...more, JSON_TYPE], why.text(), true);
  }

  private failed(error: unknown): void {
    this.onerror?.(error as Error);
  }

  /** Refuses what is of no session, or another. */
  private checkSession(exchange: Exchange): void {
    if (this.options.sessionIdGenerator === undefined) return;
    if (!this.initialized) throw new Refusal(400, -32000, 'Bad Request: Server not initialized');
    const given = exchange.header('mcp-session-id');
    if (!given) throw new Refusal(400, -32000, 'Bad Request: Mcp-Session-Id header is required');
    if (given !== this.sessionId) throw new Refusal(404, -32001, 'Session not found');
  }

  // POST

  private async post(exchange: Exchange, given: Given): Promise<void> {
    checkPost(exchange);
    const [value, text] = given.parsedBody === undefined ? await readJson(exchange, this.#maxBody) : [given.parsedBody, undefined];
    const [batch, kinds] = checkMessages(value);
    if (this.closed) throw LOST;
    const opening = batch.map(openingOf).find((version) => version !== undefined);
    if (opening !== undefined) await this.open(batch.length);
    else {
      this.checkSession(exchange);
      checkVersion(exchange);
    }
    // It may have been closed while we waited.
    if (this.closed) throw LOST;
    const version = opening ?? exchange.header('mcp-protocol-version') ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
    const single = Array.isArray(value) ? undefined : text;
    const incoming = batch.map((message, at): Incoming => {
      return { message: message as JSONRPCMessage, kind: kinds[at]!, text: single, version };
    });
    await this.accept(exchange, given, incoming);
  }

  private async open(messages: number): Promise<void> {
    if (this.initialized && this.sessionId !== undefined) {
      throw new Refusal(400, -32600, 'Invalid Request: Server already initialized');
    }
    if (messages > 1) throw new Refusal(400, -32600, 'Invalid Request: Only one initialization request is allowed');
    this.sessionId = this.options.sessionIdGenerator?.();
    this.initialized = true;
    if (this.sessionId) await this.options.onsessioninitialized?.(this.sessionId);
  }

  private async accept(exchange: Exchange, given: Given, incoming: Incoming[]): Promise<void> {
    const ids = incoming.flatMap(({ kind, message }) => (kind === 'request' ? [(message as { id: RequestId }).id] : []));
    if (ids.length === 0) {
      for (const one of incoming) this.deliver(one, undefined, aboutOf(exchange, given.authInfo));
      exchange.respond(202, [], '', true);
      return;
    }
    const opened = this.streams.open(exchange, ids, incoming[0]!.version);
    // What need not wait is delivered in this turn.
    const post = opened instanceof Promise ? await opened : opened;
    try {
      for (const one of incoming) this.deliver(one, post, aboutOf(exchange, given.authInfo, this.closers(one)));
    } catch (error) {
      this.streams.forget(post);
      throw error;
    }
  }

  /** For clients that can come back to a stream that was closed early. */
  private closers({ message, kind, version }: Incoming): MessageExtraInfo {
    if (kind !== 'request' || this.options.eventStore === undefined || !primesEvents(version)) return {};
    const { id } = message as { id: RequestId };
    return {
      closeSSEStream: () => this.streams.closeStream(id),
      closeStandaloneSSEStream: () => this.streams.closeStandalone(),
    };
  }

  private deliver(incoming: Incoming, post: Post | undefined, extra: MessageExtraInfo): void {
    // A program may have put itself between us and the engine.
    if (this.engine !== undefined && this.onmessage === undefined) this.engine.take(incoming, post, extra);
    else this.onmessage?.(incoming.message, extra);
  }

  // GET and DELETE

  private async get(exchange: Exchange): Promise<void> {
    if (!exchange.header('accept')?.includes('text/event-stream')) {
      throw new Refusal(406, -32000, 'Not Acceptable: Client must accept text/event-stream');
    }
    this.checkSession(exchange);
    checkVersion(exchange);
    const after = exchange.header('last-event-id');
    const { eventStore } = this.options;
    if (eventStore !== undefined && after) return this.replay(exchange, eventStore, after);
    if (!this.streams.openStandalone(exchange)) {
      throw new Refusal(409, -32000, 'Conflict: Only one SSE stream is allowed per session');
    }
  }

  private async replay(exchange: Exchange, store: EventStore, after: string): Promise<void> {
    try {
      await this.streams.replay(exchange, store, after);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.failed(error);
      this.refuse(exchange, new Refusal(500, -32000, 'Error replaying events'), [], false);
    }
  }

  private async delete(exchange: Exchange): Promise<void> {
    this.checkSession(exchange);
    checkVersion(exchange);
    try {
      await this.options.onsessionclosed?.(this.sessionId as string);
    } finally {
      await this.close();
    }
    // Streams have ended by then: a client that leaves now cuts nothing.
    exchange.respond(200, [], '', true);
  }

  // The end

  /** Ends it. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.streams.close();
    // The program that made the transport hears of it before the server does.
    try {
      this.onclose?.();
    } finally {
      this.engine?.closed();
    }
  }
}
