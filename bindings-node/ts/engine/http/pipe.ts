/**
 * Messages over HTTP requests, as 1.x has them: from an exchange to the messages in it.
 *
 * Owns: the session's id and its end, and who is told of a refusal. Must not know: what is refused,
 * which the engine's rules say; what is done with a message; whether the engine or a program's own
 * code is on the other side.
 */
import { resolveMaxRequestBodySize } from './request-body';
import type { EventStore, WebStandardStreamableHTTPServerTransportOptions } from './transport-options';
import type { InitializeRequestParams, JSONRPCMessage, MessageExtraInfo, RequestId } from '../../protocol/types';
import { primesEvents } from '../../generated/protocol';
import { DEFAULT_NEGOTIATED_PROTOCOL_VERSION } from '../../protocol/types';
import { aboutOf, withBody, type Exchange } from './exchange';
import { openingOf } from './message';
import { messagesIn, readJson } from './json-body';
import type { Given, Incoming, PipeEngine, Post } from './posts';
import { HttpRules, JSON_TYPE, Refusal } from './rules';
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
  readonly #rules: HttpRules;
  #used = false;
  #busy = false;

  constructor(readonly options: WebStandardStreamableHTTPServerTransportOptions) {
    this.#maxBody = resolveMaxRequestBodySize(options.maxRequestBodySize);
    this.#rules = HttpRules.of(options);
  }

  /** What is refused; programs fill the lists of hosts once they know their port. */
  get rules(): HttpRules {
    return this.options.enableDnsRebindingProtection ? HttpRules.of(this.options) : this.#rules;
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
    if (this.closed) return this.refuse(exchange, this.rules.lost);
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
    let why = this.rules.guard(exchange.header('host'), exchange.header('origin'));
    if (why === undefined && exchange.method === 'POST') {
      const body = await exchange.read(this.#maxBody);
      if (body === 'tooLarge') why = this.rules.refusal('body_size');
      else if (body !== 'broken') withBody(exchange, body);
    }
    if (why === undefined) return engine.answer(exchange, given, () => this.rest());
    this.refuse(exchange, why);
    this.rest();
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
      const head = this.rules.head(exchange, this);
      if (exchange.method === 'POST') await this.post(exchange, given, head);
      else if (exchange.method === 'GET') await this.get(exchange);
      else await this.delete(exchange);
    } catch (error) {
      if (error instanceof Refusal) this.refuse(exchange, error);
      else if (exchange.method !== 'POST') throw error;
      else {
        this.failed(error);
        this.refuse(exchange, new Refusal(400, -32700, 'Parse error', String(error)), false);
      }
    }
  }

  refuse(exchange: Exchange, why: Refusal, told = why !== this.rules.lost): void {
    if (told) this.failed(new Error(why.message));
    const allow: [string, string][] = why.status === 405 ? [['allow', 'GET, POST, DELETE']] : [];
    exchange.respond(why.status, [...allow, JSON_TYPE], why.text(), true);
  }

  /** Asks for scopes that the token lacks. */
  private demand(exchange: Exchange, challenge: string): void {
    const why = new Refusal(403, -32000, 'Forbidden: the token lacks a scope that this needs');
    exchange.respond(403, [['www-authenticate', challenge], JSON_TYPE], why.text(), true);
  }

  private failed(error: unknown): void {
    this.onerror?.(error as Error);
  }

  // POST

  private async post(exchange: Exchange, given: Given, head: string): Promise<void> {
    const { rules } = this;
    const [value, text] = given.parsedBody === undefined ? await readJson(exchange, rules, this.#maxBody) : [given.parsedBody, undefined];
    const [batch, kinds] = messagesIn(value, rules);
    if (this.closed) throw rules.lost;
    // What is looked at is what the engine reads: the text as it came, of a batch each message anew.
    const single = Array.isArray(value) ? undefined : text;
    const challenge = this.engine?.lacks(single, value, given, exchange.header('authorization'));
    if (challenge !== undefined) return this.demand(exchange, challenge);
    const opening = batch.map(openingOf).find((version) => version !== undefined);
    if (opening !== undefined) await this.open(head, batch.length);
    else rules.message(head, this, false, batch.length);
    // It may have been closed while we waited.
    if (this.closed) throw rules.lost;
    const version = opening ?? exchange.header('mcp-protocol-version') ?? DEFAULT_NEGOTIATED_PROTOCOL_VERSION;
    const incoming = batch.map((message, at): Incoming => {
      return { message: message as JSONRPCMessage, kind: kinds[at]!, text: single, version };
    });
    await this.accept(exchange, given, incoming);
  }

  private async open(head: string, messages: number): Promise<void> {
    this.rules.message(head, this, true, messages);
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
    const after = exchange.header('last-event-id');
    const { eventStore } = this.options;
    if (eventStore !== undefined && after) return this.replay(exchange, eventStore, after);
    if (!this.streams.openStandalone(exchange)) throw this.rules.refusal('one_stream');
  }

  private async replay(exchange: Exchange, store: EventStore, after: string): Promise<void> {
    try {
      await this.streams.replay(exchange, store, after);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.failed(error);
      this.refuse(exchange, this.rules.refusal('replay'), false);
    }
  }

  private async delete(exchange: Exchange): Promise<void> {
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
