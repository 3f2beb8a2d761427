/**
 * A `HttpPipe` with the engine on the other side. Owns: which of the engine's streams belongs to
 * which request, and passing messages as text. Must not know: headers.
 */
import { carry, isModern, modernMount } from './carry';
import { aboutOf, type Exchange } from './exchange';
import { grantOf, isBound } from './grants';
import { kindOf } from './message';
import type { HttpPipe } from './pipe';
import type { Given, Incoming, PipeEngine, Post } from './posts';
import { ServerConnection } from '../server/connection';
import { FEW, Slots } from '../slots';
import { checked, type ServerHost } from '../server/host';
import type { NativeWay } from '../server/native-way';
import { isAsWritten, type Written } from '../written';
import type { Transport } from '../../protocol/transport';
import { LATEST_PROTOCOL_VERSION } from '../../protocol/types';
import type { InitializeRequestParams, JSONRPCMessage, MessageExtraInfo, RequestId } from '../../protocol/types';

/**
 * Lets the engine handle a transport directly; `undefined` if a program wraps the transport or
 * stores events itself, which both need messages as objects.
 */
export function wayInto(pipe: HttpPipe, owner: Transport, original: Written<'send'>): NativeWay | undefined {
  if (!isAsWritten(owner, original) || pipe.onmessage !== undefined || pipe.options.eventStore !== undefined) return undefined;
  return {
    serve: async (host) => {
      await owner.start();
      pipe.engine = new EnginePipe(pipe, owner, host, original);
    },
  };
}

/** One connection of the engine, with a stream per request. */
export class EnginePipe implements PipeEngine {
  readonly #streams = new Slots<{ post: Post; id: RequestId }>(FEW);
  #connection: ServerConnection | undefined;
  #last = 0;
  #released = false;

  constructor(
    private readonly pipe: HttpPipe,
    private readonly owner: Transport,
    private readonly host: ServerHost,
    private readonly original: Written<'send'>,
  ) {
    // Without sessions, the connection is only opened when a request needs it.
    if (!this.isBrief) this.open();
    if (pipe.adopted !== undefined) this.adopt(pipe.adopted);
  }

  /** Whether the transport is for one request, because there are no sessions. */
  private get isBrief(): boolean {
    return this.pipe.options.sessionIdGenerator === undefined;
  }

  private open(): ServerConnection {
    const { driver, engine } = this.host;
    // The pipe itself knows which client has to begin with a handshake.
    const number = checked(() => engine.connectStreams(LATEST_PROTOCOL_VERSION));
    driver.serve(number, this.host);
    const connection = this.host.connection(number);
    connection.transport = this.owner;
    connection.brief = this.isBrief ? () => !this.pipe.closed : undefined;
    if (!this.isBrief) connection.begins();
    connection.unstreamed = this.pipe.options.enableJsonResponse === true;
    connection.carry((text) => this.deliver(text));
    connection.onEnd(() => {
      if (!this.#released) void this.pipe.close();
    });
    this.#connection = connection;
    return connection;
  }

  take({ message, kind, text }: Incoming, post: Post | undefined, about: MessageExtraInfo): void {
    const { driver, engine } = this.host;
    const connection = this.#connection ?? this.open();
    if (connection.over) return;
    const stream = ++this.#last;
    if (kind === 'request' && post !== undefined) {
      this.#streams.set(stream, { post, id: (message as { id: RequestId }).id });
    }
    const isReply = kind === 'result' || kind === 'error';
    const origin = isReply ? 0 : driver.newOrigin(this.host, about);
    const said = engine.feedStream(connection.number, stream, text ?? JSON.stringify(message), origin);
    for (const one of said) void this.deliver(one);
    driver.drainSoon();
  }

  /** Handles a message that passed through the program's own code. */
  takeAgain(message: JSONRPCMessage, about: MessageExtraInfo | undefined): void {
    const kind = kindOf(message);
    if (kind === undefined) return this.host.failed(new Error(`Unknown message type: ${JSON.stringify(message)}`));
    const post = kind === 'request' ? this.pipe.streams.postOf((message as { id: RequestId }).id) : undefined;
    this.take({ message, kind, text: undefined, version: LATEST_PROTOCOL_VERSION }, post, about ?? {});
  }

  adopt(params: InitializeRequestParams): void {
    const { engine } = this.host;
    const connection = this.#connection ?? this.open();
    const opening = { jsonrpc: '2.0', id: 'adopted', method: 'initialize', params };
    // The client already has the answer to this request.
    engine.feedStream(connection.number, ++this.#last, JSON.stringify(opening), 0);
    engine.feedStream(connection.number, ++this.#last, '{"jsonrpc":"2.0","method":"notifications/initialized"}', 0);
    this.host.driver.drainSoon();
  }

  answers(version: string | undefined): boolean {
    return isModern(version);
  }

  async answer(exchange: Exchange, given: Given, over: () => void): Promise<void> {
    const { options } = this.pipe;
    const way = { over, ...(options.keepAliveMs !== undefined && { keepAliveMs: options.keepAliveMs }) };
    await carry(this.host, modernMount(this.host, options), exchange, aboutOf(exchange, given.authInfo), way);
  }

  lacks(text: string | undefined, messages: unknown, given: Given, authorization: string | undefined): string | undefined {
    const { engine } = this.host;
    if (!engine.hasScopes()) return undefined;
    const grant = grantOf(given.authInfo);
    const told = grant && JSON.stringify(grant);
    return checked(() => engine.lacksScopes(text ?? JSON.stringify(messages), told, isBound(authorization))) ?? undefined;
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.closed();
  }

  closed(): void {
    this.#streams.clear();
    if (this.#connection === undefined) {
      // The server has to learn of the end of a transport that carried nothing, too.
      this.#connection = new ServerConnection(this.host, 0);
      this.#connection.transport = this.owner;
      this.#connection.brief = this.isBrief ? () => !this.pipe.closed : undefined;
    }
    this.#connection.ended();
  }

  /** Handles a message of the engine in the form `STREAM KIND TEXT`. */
  private deliver(labelled: string): Promise<void> | undefined {
    const space = labelled.indexOf(' ');
    const stream = Number(labelled.slice(0, space));
    const kind = labelled[space + 1];
    const text = labelled.slice(space + 3);
    const waiting = this.#streams.get(stream);
    const isOver = kind === 'r' || kind === 'e';
    if (isOver) this.#streams.delete(stream);
    try {
      if (kind === 'd') this.pipe.streams.closeStream(waiting?.id ?? -1);
      else if (isOver && waiting === undefined) return undefined;
      else if (kind !== 'e' && this.owner.send !== this.original.send) return this.sendAround(text, waiting?.id);
      else if (isOver) this.pipe.streams.answered(waiting!.post, waiting!.id, kind === 'r' ? text : undefined);
      else return this.pipe.streams.said(waiting?.post, text, kind === 'q');
    } catch (error) {
      this.host.failed(new Error(`Failed to send response: ${String(error)}`));
    }
    return undefined;
  }

  private async sendAround(text: string, related: RequestId | undefined): Promise<void> {
    const message = JSON.parse(text) as JSONRPCMessage;
    const options = related === undefined ? undefined : { relatedRequestId: related };
    try {
      await this.owner.send(message, options);
    } catch (error) {
      this.host.failed(error);
    }
  }
}
