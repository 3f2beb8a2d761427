/**
 * Messages over HTTP requests, as 1.x has them: which stream a message goes out on, the
 * session's id, events that are kept.
 *
 * Owns: everything between an exchange and a message. Must not know: what is done with a
 * message; whether the engine or a program's own code is on the other side.
 */
import { resolveMaxRequestBodySize } from './request-body';
import type { EventStore, WebStandardStreamableHTTPServerTransportOptions } from './transport-options';
import type { InitializeRequestParams, JSONRPCMessage, MessageExtraInfo, RequestId } from '../../protocol/types';
import { primesEvents } from '../../generated/protocol';
import { DEFAULT_NEGOTIATED_PROTOCOL_VERSION } from '../../protocol/types';
import { checkHost, checkMessages, checkPost, checkVersion, JSON_TYPE, LOST, readJson, Refusal } from './checks';
import { aboutOf, type Exchange, type HeaderPairs } from './exchange';
import { event, EVENTS, Line } from './line';
import { openingOf } from './message';
import { Posts, type Given, type Incoming, type PipeEngine, type Post } from './posts';

/** Where transports have their pipe. */
export const PIPE: unique symbol = Symbol('mcpbolt.pipe');

/** The name of the stream that belongs to no request. */
const STANDALONE = '_GET_stream';
const KEEP_ALIVE_MILLISECONDS = 15_000;

/** One session, or one stateless request. */
export class HttpPipe {
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
  readonly #lines = new Map<string, Line>();
  readonly #posts = new Posts();
  /** Streams that a client came back to. */
  readonly #resumed = new Set<string>();
  readonly #keepAliveMs: number;
  readonly #maxBody: number;
  #used = false;
  #busy = false;
  #streams = 0;

  constructor(readonly options: WebStandardStreamableHTTPServerTransportOptions) {
    this.#keepAliveMs = options.keepAliveMs ?? KEEP_ALIVE_MILLISECONDS;
    this.#maxBody = resolveMaxRequestBodySize(options.maxRequestBodySize);
  }

  private get store(): EventStore | undefined {
    return this.options.eventStore;
  }

  /** Whoever takes messages. */
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
    this.release();
  }

  /** Without sessions a transport is for one request: when it is answered nothing is left to carry. */
  private release(): void {
    const isOver = !this.#busy && this.#lines.size === 0 && this.#posts.isEmpty;
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

  private refuse(exchange: Exchange, why: Refusal, more: HeaderPairs = [], told = why !== LOST): void {
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
    const post = this.#posts.add(this.streamName(), ids);
    if (this.options.enableJsonResponse) {
      post.json = exchange;
      exchange.onClosed(() => (post.json = undefined));
    } else {
      const line = this.line(post.stream, exchange);
      const primed = this.prime(post, line, incoming[0]!.version);
      if (primed !== undefined) await primed;
      line.beginSoon();
    }
    try {
      for (const one of incoming) this.deliver(one, post, aboutOf(exchange, given.authInfo, this.closers(one)));
    } catch (error) {
      this.#posts.drop(post);
      const line = this.#lines.get(post.stream);
      this.#lines.delete(post.stream);
      line?.forget();
      throw error;
    }
  }

  /** A name that a store has for no other stream. */
  private streamName(): string {
    return this.store === undefined ? String(++this.#streams) : globalThis.crypto.randomUUID();
  }

  /** For clients that can come back to a stream that was closed early. */
  private closers({ message, kind, version }: Incoming): MessageExtraInfo {
    if (kind !== 'request' || this.store === undefined || !primesEvents(version)) return {};
    const { id } = message as { id: RequestId };
    return {
      closeSSEStream: () => this.closeStream(id),
      closeStandaloneSSEStream: () => this.closeStandalone(),
    };
  }

  private deliver(incoming: Incoming, post: Post | undefined, extra: MessageExtraInfo): void {
    // A program may have put itself between us and the engine.
    if (this.engine !== undefined && this.onmessage === undefined) this.engine.take(incoming, post, extra);
    else this.onmessage?.(incoming.message, extra);
  }

  private line(stream: string, exchange: Exchange): Line {
    const line = new Line(exchange, {
      headers: this.sessionId === undefined ? EVENTS : [...EVENTS, ['mcp-session-id', this.sessionId]],
      keepAliveMs: this.#keepAliveMs,
      over: (line) => {
        if (this.#lines.get(stream) === line) this.#lines.delete(stream);
        this.release();
      },
    });
    this.#lines.set(stream, line);
    return line;
  }

  /** An event without a message, so that the client has one to resume from. */
  private prime(post: Post, line: Line, version: string): Promise<void> | undefined {
    const { store } = this;
    if (store === undefined || !primesEvents(version)) return undefined;
    const { retryInterval } = this.options;
    return store.storeEvent(post.stream, {} as JSONRPCMessage).then((id) => {
      const retry = retryInterval === undefined ? '' : `retry: ${retryInterval}\n`;
      line.write(`id: ${id}\n${retry}data: \n\n`);
      post.resumable = true;
    });
  }

  // GET and DELETE

  private async get(exchange: Exchange): Promise<void> {
    if (!exchange.header('accept')?.includes('text/event-stream')) {
      throw new Refusal(406, -32000, 'Not Acceptable: Client must accept text/event-stream');
    }
    this.checkSession(exchange);
    checkVersion(exchange);
    const after = exchange.header('last-event-id');
    if (this.store !== undefined && after) return this.replay(exchange, this.store, after);
    if (this.#lines.has(STANDALONE)) {
      throw new Refusal(409, -32000, 'Conflict: Only one SSE stream is allowed per session');
    }
    this.line(STANDALONE, exchange).begin();
  }

  private async replay(exchange: Exchange, store: EventStore, after: string): Promise<void> {
    try {
      if (store.getStreamIdForEventId !== undefined) {
        const stream = await store.getStreamIdForEventId(after);
        if (!stream) throw new Refusal(400, -32000, 'Invalid event ID format');
        if (this.#lines.has(stream)) throw new Refusal(409, -32000, 'Conflict: Stream already has an active connection');
      }
      const replayed = new Set<string>();
      let events = '';
      let left = false;
      exchange.onClosed(() => (left = true));
      const stream = await store.replayEventsAfter(after, {
        send: async (id, message) => {
          events += event(JSON.stringify(message), id);
          replayed.add(id);
        },
      });
      if (this.closed || left) throw LOST;
      this.#lines.get(stream)?.end();
      const line = this.line(stream, exchange);
      line.replayed = replayed;
      line.begin(events);
      this.#resumed.add(stream);
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

  // Messages out

  /**
   * Sends a message; on the stream of the request it is about, else on the session's.
   *
   * @throws there is no such stream, and its client cannot come back for it.
   */
  async send(message: JSONRPCMessage, related?: RequestId): Promise<void> {
    const { id, method } = message as { id?: RequestId; method?: string };
    const isAnswer = method === undefined;
    const request = isAnswer ? id : related;
    if (request === undefined) {
      if (isAnswer) {
        throw new Error('Cannot send a response on a standalone SSE stream unless resuming a previous client request');
      }
      return this.say(STANDALONE, message);
    }
    const post = this.#posts.of(request);
    if (post === undefined) throw unconnected(request);
    const isKept = this.store !== undefined;
    if (!this.options.enableJsonResponse && (isKept || !isAnswer)) await this.say(post.stream, message, post);
    if (isAnswer) this.answered(post, request, JSON.stringify(message), isKept);
  }

  /** What brought a request, while it waits. */
  postOf(request: RequestId): Post | undefined {
    return this.#posts.of(request);
  }

  /** Keeps a message, and writes it if its stream is open. */
  private async say(stream: string, message: JSONRPCMessage, post?: Post): Promise<void> {
    const id = this.store === undefined ? undefined : await this.store.storeEvent(stream, message);
    // A client may have come back meanwhile, and have it already.
    const line = this.#lines.get(stream);
    if (line === undefined || (id !== undefined && line.replayed?.has(id))) return;
    if (line.write(event(JSON.stringify(message), id)) && id !== undefined && post !== undefined) post.resumable = true;
    if (line.room !== undefined) await line.room;
  }

  /** Writes what the engine says on a stream; whoever made it say so may wait for room. */
  said(post: Post | undefined, text: string, isRequest: boolean): Promise<void> | undefined {
    const stream = post === undefined || (post.json !== undefined && isRequest) ? STANDALONE : post.stream;
    const line = this.#lines.get(stream);
    line?.write(event(text));
    return line?.room;
  }

  /**
   * One request is answered; `text` is `undefined` if it will never be.
   *
   * @throws the client is gone.
   */
  answered(post: Post, request: RequestId, text: string | undefined, written = false): void {
    const at = post.ids.findIndex((id, at) => id === request && post.answers[at] === undefined);
    if (at < 0) return;
    post.answers[at] = text ?? '';
    post.left -= 1;
    const line = this.#lines.get(post.stream);
    const events = written || !text ? '' : event(text);
    if (post.left > 0) {
      if (events !== '') line?.write(events);
      return;
    }
    this.#posts.drop(post);
    const resumable = post.resumable || this.#resumed.delete(post.stream);
    if (post.json !== undefined) this.answerJson(post.json, post);
    else if (this.options.enableJsonResponse) this.release();
    else if (line !== undefined) line.end(events);
    else if (!this.closed && !resumable) {
      this.release();
      throw unconnected(request);
    }
  }

  private answerJson(exchange: Exchange, post: Post): void {
    const texts = post.answers.filter((text) => text);
    const headers: HeaderPairs = [JSON_TYPE];
    if (this.sessionId !== undefined) headers.push(['mcp-session-id', this.sessionId]);
    if (texts.length === 0) exchange.respond(202, [], '', true);
    else exchange.respond(200, headers, texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`, true);
    this.release();
  }

  // The end

  /** Closes the stream of a request; its client comes back for the rest. */
  closeStream(request: RequestId): void {
    const post = this.#posts.of(request);
    if (post !== undefined) this.#lines.get(post.stream)?.end();
  }

  /** Closes the session's own stream. */
  closeStandalone(): void {
    this.#lines.get(STANDALONE)?.end();
  }

  /** Ends it. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    for (const line of [...this.#lines.values()]) line.end();
    this.#lines.clear();
    for (const post of this.#posts.clear()) if (post.json !== undefined) this.refuse(post.json, LOST);
    this.#resumed.clear();
    // The program that made the transport hears of it before the server does.
    try {
      this.onclose?.();
    } finally {
      this.engine?.closed();
    }
  }
}

function unconnected(request: RequestId): Error {
  return new Error(`No connection established for request ID: ${String(request)}`);
}
