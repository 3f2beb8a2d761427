/**
 * The streams of one session, as 1.x has them: one per POST with requests, and the session's own.
 *
 * Owns: which stream a message goes out on, events that are kept and replayed, and answers that are
 * one JSON document. Must not know: who sends the messages, or which requests are refused.
 */
import { primesEvents } from '../../generated/protocol';
import type { JSONRPCMessage, RequestId } from '../../protocol/types';
import type { Exchange, HeaderPairs } from './exchange';
import { DEFAULT_SSE_KEEP_ALIVE_MS } from './keep-alive';
import { event, EVENTS, Line } from './line';
import { Posts, type Post } from './posts';
import { JSON_TYPE, type HttpRules, type Refusal } from './rules';
import type { EventStore, WebStandardStreamableHTTPServerTransportOptions } from './transport-options';

/** The name of the stream that belongs to no request. */
const STANDALONE = '_GET_stream';

/** The session that the streams belong to. */
export interface StreamsOwner {
  readonly options: WebStandardStreamableHTTPServerTransportOptions;
  readonly sessionId: string | undefined;
  readonly closed: boolean;
  readonly rules: HttpRules;
  /** Called when a stream or an answer is over. */
  rested(): void;
  refuse(exchange: Exchange, why: Refusal): void;
}

/** All streams of a session. */
export class SessionStreams {
  readonly #owner: StreamsOwner;
  readonly #lines = new Map<string, Line>();
  readonly #posts = new Posts();
  /** Streams that a client came back to. */
  readonly #resumed = new Set<string>();
  #last = 0;

  constructor(owner: StreamsOwner) {
    this.#owner = owner;
  }

  private get store(): EventStore | undefined {
    return this.#owner.options.eventStore;
  }

  /** Whether no stream is open and no request waits. */
  get isIdle(): boolean {
    return this.#lines.size === 0 && this.#posts.isEmpty;
  }

  /** What brought a request, while it waits. */
  postOf(request: RequestId): Post | undefined {
    return this.#posts.of(request);
  }

  // Opening

  /** Opens the stream of requests that came together, or keeps their exchange for one JSON document. */
  open(exchange: Exchange, ids: readonly RequestId[], version: string): Post | Promise<Post> {
    const post = this.#posts.add(this.name(), ids);
    if (this.#owner.options.enableJsonResponse) {
      post.json = exchange;
      exchange.onClosed(() => (post.json = undefined));
      return post;
    }
    const line = this.line(post.stream, exchange);
    const begin = (): Post => {
      line.beginSoon();
      return post;
    };
    return this.prime(post, line, version)?.then(begin) ?? begin();
  }

  /** Opens the session's own stream; returns `false` if it is open. */
  openStandalone(exchange: Exchange): boolean {
    if (this.#lines.has(STANDALONE)) return false;
    this.line(STANDALONE, exchange).begin();
    return true;
  }

  /** Forgets requests that could not be delivered; their exchange can still be refused. */
  forget(post: Post): void {
    this.#posts.drop(post);
    const line = this.#lines.get(post.stream);
    this.#lines.delete(post.stream);
    line?.forget();
  }

  /** A name that a store has for no other stream. */
  private name(): string {
    return this.store === undefined ? String(++this.#last) : globalThis.crypto.randomUUID();
  }

  private line(stream: string, exchange: Exchange): Line {
    const { sessionId, options } = this.#owner;
    const line = new Line(exchange, {
      headers: sessionId === undefined ? EVENTS : [...EVENTS, ['mcp-session-id', sessionId]],
      keepAliveMs: options.keepAliveMs ?? DEFAULT_SSE_KEEP_ALIVE_MS,
      over: (line) => {
        if (this.#lines.get(stream) === line) this.#lines.delete(stream);
        this.#owner.rested();
      },
    });
    // It is over at once if the client has left.
    if (line.isOpen) this.#lines.set(stream, line);
    return line;
  }

  /** An event without a message, so that the client has one to resume from. */
  private prime(post: Post, line: Line, version: string): Promise<void> | undefined {
    const { store } = this;
    if (store === undefined || !primesEvents(version)) return undefined;
    const { retryInterval } = this.#owner.options;
    return store.storeEvent(post.stream, {} as JSONRPCMessage).then((id) => {
      const retry = retryInterval === undefined ? '' : `retry: ${retryInterval}\n`;
      line.write(`id: ${id}\n${retry}data: \n\n`);
      post.resumable = true;
    });
  }

  /**
   * Opens a stream again for a client that came back.
   *
   * @throws a `Refusal`, or an error of the store.
   */
  async replay(exchange: Exchange, store: EventStore, after: string): Promise<void> {
    if (store.getStreamIdForEventId !== undefined) {
      const stream = await store.getStreamIdForEventId(after);
      if (!stream) throw this.#owner.rules.refusal('event');
      if (this.#lines.has(stream)) throw this.#owner.rules.refusal('one_reader');
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
    if (this.#owner.closed || left) throw this.#owner.rules.lost;
    this.#lines.get(stream)?.end();
    const line = this.line(stream, exchange);
    line.replayed = replayed;
    line.begin(events);
    this.#resumed.add(stream);
  }

  // Messages

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
    if (!this.#owner.options.enableJsonResponse && (isKept || !isAnswer)) await this.say(post.stream, message, post);
    if (isAnswer) this.answered(post, request, JSON.stringify(message), isKept);
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

  /** Writes a message of the engine on a stream; the promise resolves when the client can take more. */
  said(post: Post | undefined, text: string, isRequest: boolean): Promise<void> | undefined {
    const stream = post === undefined || (post.json !== undefined && isRequest) ? STANDALONE : post.stream;
    const line = this.#lines.get(stream);
    line?.write(event(text));
    return line?.room;
  }

  /**
   * One request is answered; `text` is `undefined` if it will never be.
   *
   * @throws the client that the text is for is gone.
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
    else if (this.#owner.options.enableJsonResponse) this.#owner.rested();
    else if (line !== undefined) line.end(events);
    else if (!this.#owner.closed && !resumable) {
      this.#owner.rested();
      // Of a cancelled request nothing is lost.
      if (text !== undefined) throw unconnected(request);
    }
  }

  private answerJson(exchange: Exchange, post: Post): void {
    const { sessionId } = this.#owner;
    const texts = post.answers.filter((text) => text);
    const headers: HeaderPairs = [JSON_TYPE];
    if (sessionId !== undefined) headers.push(['mcp-session-id', sessionId]);
    if (texts.length === 0) exchange.respond(202, [], '', true);
    else exchange.respond(200, headers, texts.length === 1 ? texts[0]! : `[${texts.join(',')}]`, true);
    this.#owner.rested();
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

  /** Ends all streams, and refuses the requests that wait for one JSON document. */
  close(): void {
    for (const line of [...this.#lines.values()]) line.end();
    this.#lines.clear();
    for (const post of this.#posts.clear()) if (post.json !== undefined) this.#owner.refuse(post.json, this.#owner.rules.lost);
    this.#resumed.clear();
  }
}

function unconnected(request: RequestId): Error {
  return new Error(`No connection established for request ID: ${String(request)}`);
}
