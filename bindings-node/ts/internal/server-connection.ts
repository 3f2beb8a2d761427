/**
 * One connection of a server. Owns: what is known of its client, the messages of a
 * transport that JavaScript carries, and the end. Must not know: handlers.
 */
import type { ServerHost } from './server-host';
import type { Transport, TransportSendOptions } from '../shared/transport';
import type { ClientCapabilities, Implementation, JSONRPCMessage, MessageExtraInfo, RequestId } from '../types';

/** What the engine knows of a connection. */
export interface ConnectionFacts {
  readonly transport: 'stdio' | 'http' | 'sse' | 'memory' | 'custom';
  readonly peer: string | null;
  readonly clientInfo: Implementation | null;
  readonly clientCapabilities: ClientCapabilities | null;
  readonly revision?: string;
  readonly era?: 'legacy' | 'modern';
}

const UNKNOWN: ConnectionFacts = { transport: 'custom', peer: null, clientInfo: null, clientCapabilities: null };

/** How long calls may go on after the end of input, in milliseconds. */
const GRACE = 1000;

/** One client. */
export class ServerConnection {
  /** The object the program connected, if it is this connection's alone. */
  transport: Transport | undefined;
  /** Whether it is over. */
  over = false;
  /** Of one whose transport is for a single request: whether the program has yet to close that. */
  brief: (() => boolean) | undefined;
  /** Calls whose handlers cannot be found again. */
  untracked = 0;
  /** Whether answers have no stream, on which something about a call could come before. */
  unstreamed = false;
  /** Whether the engine says of each message which stream it is for: always the same one. */
  labelled = false;
  /** Takes a message that goes out, if JavaScript carries them. */
  #out: ((message: string, options?: TransportSendOptions) => Promise<void> | void) | undefined;
  #facts: ConnectionFacts | undefined;
  readonly #ended: (() => void)[] = [];
  #waits = false;
  #disconnected = false;
  #running = 0;
  #grace: NodeJS.Timeout | undefined;

  constructor(
    readonly host: ServerHost,
    /** Number below the boundary. */
    readonly number: number,
  ) {}

  /** What is known of it. */
  get facts(): ConnectionFacts {
    if (this.#facts !== undefined) return this.#facts;
    const text = this.over ? null : this.host.driver.inbox.describeConnection(this.number);
    if (text === null) return UNKNOWN;
    const facts = JSON.parse(text) as ConnectionFacts;
    // A handshake may still come.
    if (facts.revision !== undefined && facts.clientInfo !== null) this.#facts = facts;
    return facts;
  }

  /** The handshake came, or came again. */
  renewed(): void {
    this.#facts = undefined;
  }

  /** Whether each of its messages is an HTTP request. */
  get http(): boolean {
    const { transport } = this.facts;
    return transport === 'http' || transport === 'sse';
  }

  /** The session, as the transport calls it. */
  get sessionId(): string | undefined {
    return this.transport?.sessionId;
  }

  /** Whether JavaScript carries its messages. */
  get fed(): boolean {
    return this.#out !== undefined;
  }

  /** Has its messages carried by `out`. */
  carry(out: (message: string, options?: TransportSendOptions) => Promise<void> | void): void {
    this.#out = out;
  }

  /** Has `body` called when the connection is over. */
  onEnd(body: () => void): void {
    this.#ended.push(body);
  }

  /** Takes bytes or one message, with what is known of where it came from. */
  feed(bytes: string | Uint8Array, isReply: boolean, about?: MessageExtraInfo): void {
    if (this.over || this.#disconnected) return;
    const { driver, engine } = this.host;
    const origin = isReply ? 0 : driver.newOrigin(this.host, about);
    this.send(engine.feed(this.number, bytes, origin));
    driver.drainSoon();
  }

  /** Sends what waits to be sent; the messages are about the client's request `related`. */
  pump(related?: RequestId): Promise<void>[] {
    if (this.#out === undefined || this.over || this.#disconnected) return [];
    return this.send(this.host.engine.takeOutgoing(this.number), related);
  }

  /** Sends what waits to be sent, once the calls that are finished have been handed back. */
  pumpLater(): void {
    if (this.#out === undefined || this.#waits) return;
    this.#waits = true;
    this.host.driver.afterFlush(() => {
      this.#waits = false;
      this.pump();
    });
  }

  private send(messages: string[], related?: RequestId): Promise<void>[] {
    if (messages.length === 0) return [];
    const options = related === undefined ? undefined : { relatedRequestId: related };
    return (this.labelled ? messages.flatMap(unlabelled) : messages).map(async (message) => {
      await this.#out?.(message, options);
    });
  }

  /** A call begins; `tracked` if its handler is found again in whatever it goes on to do. */
  callStarts(tracked: boolean): void {
    this.#running += 1;
    if (!tracked) this.untracked += 1;
  }

  /** A call is finished: its answer goes out with those of the same tick. */
  callEnds(tracked: boolean): void {
    this.#running -= 1;
    if (!tracked) this.untracked -= 1;
    this.pumpLater();
    if (this.#running === 0 && this.#grace !== undefined) this.host.driver.afterFlush(() => this.ended());
  }

  /** Nothing more comes in; what is being answered has a moment left. */
  inputEnded(): void {
    if (this.#running === 0) return this.ended();
    this.#grace = setTimeout(() => this.ended(), GRACE);
  }

  /** Says the last words; the transport is closed by the caller. */
  async farewell(): Promise<void> {
    if (this.over || this.#out === undefined) return;
    this.host.driver.flush();
    this.pump();
    await Promise.allSettled(this.send(this.disconnect()));
  }

  /** The transport is at its end. */
  ended(): void {
    if (this.over) return;
    if (this.#out !== undefined) this.disconnect();
    this.finish();
    this.host.driver.drainSoon();
  }

  private disconnect(): string[] {
    if (this.#disconnected) return [];
    this.#disconnected = true;
    return this.host.engine.disconnect(this.number);
  }

  /** The engine says that it is over, or nothing more will come. */
  finish(): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.#grace);
    this.host.left(this);
    for (const body of this.#ended) {
      try {
        body();
      } catch (error) {
        this.host.failed(error);
      }
    }
  }
}

/** The message in `STREAM KIND TEXT`, the stream being a connection's own; nothing without one. */
function unlabelled(labelled: string): string[] {
  return labelled[2] === 'e' || labelled[2] === 'd' ? [] : [labelled.slice(4)];
}

/** Whether a message answers a request of ours. */
export function isReply(message: JSONRPCMessage): boolean {
  return !('method' in message);
}
