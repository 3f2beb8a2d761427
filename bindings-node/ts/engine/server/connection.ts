/**
 * One connection of a server. Owns: what is known about its client, the messages of a transport
 * that JavaScript carries, and the end. Must not know: handlers.
 */
import { ErrorCode } from '../errors';
import { grantOf } from '../http/grants';
import { telemetry } from '../telemetry/api';
import { sessionEnded } from '../telemetry/metrics';
import { runtime } from '../timers';
import type { CallHost, Connection, ConnectionFacts } from './contract';
import type { Transport, TransportSendOptions } from '../../protocol/transport';
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '../../protocol/types';

const UNKNOWN: ConnectionFacts = { transport: 'custom', peer: null, clientInfo: null, clientCapabilities: null };

/** How long calls may continue after the end of input, in milliseconds. */
const GRACE = 1000;

/** The connection to one client. */
export class ServerConnection implements Connection {
  /** The transport that the program connected, if it belongs to this connection alone. */
  transport: Transport | undefined;
  /** The answer that the engine was just given. */
  taking: JSONRPCMessage | undefined;
  /** Whether the connection is closed. */
  over = false;
  /** For a transport of a single request: whether the program has yet to close it. */
  brief: (() => boolean) | undefined;
  /** The number of running calls that cannot be found through async context. */
  untracked = 0;
  /** Whether responses are single documents, so that nothing can be sent before the answer. */
  unstreamed = false;
  /** Whether the engine labels messages with a stream, which here is always the same. */
  labelled = false;
  /** Sends a message, if JavaScript carries them. */
  #out: ((message: string, options?: TransportSendOptions) => Promise<void> | void) | undefined;
  #facts: ConnectionFacts | undefined;
  readonly #ended: (() => void)[] = [];
  #waits = false;
  #disconnected = false;
  #running = 0;
  #grace: NodeJS.Timeout | undefined;
  #began: number | undefined;
  /** Whether there was a handshake, as far as JavaScript has heard of it. */
  #isSession = false;

  constructor(
    readonly host: CallHost,
    /** The engine's number of the connection. */
    readonly number: number,
  ) {}

  /** What the engine knows about the connection. */
  get facts(): ConnectionFacts {
    if (this.#facts !== undefined) return this.#facts;
    const text = this.over ? null : this.host.driver.inbox.describeConnection(this.number);
    if (text === null) return UNKNOWN;
    const facts = JSON.parse(text) as ConnectionFacts;
    // Not kept yet, because the handshake may still come.
    if (facts.revision !== undefined && facts.clientInfo !== null) this.#facts = facts;
    return facts;
  }

  /** Called by whoever opens the connection for one client, and so knows when its session begins. */
  begins(): void {
    this.#began = performance.now();
    // Otherwise the engine keeps the handshake to itself.
    if (telemetry() !== undefined) this.host.engine.setSlot('notifications/initialized', true);
  }

  /** Called after a handshake, which may come again, and for each client of the revision without one. */
  renewed(): void {
    this.#facts = undefined;
    if (telemetry() === undefined) return;
    // By the end of a connection the engine has forgotten them, and may have now.
    const { facts } = this;
    const shookHands = facts.clientInfo !== null;
    this.#isSession = shookHands || facts === UNKNOWN;
    // Sessions over HTTP the engine opens by itself, and nothing is heard of them before.
    if (this.host.hasSessions && shookHands) this.#began ??= performance.now();
  }

  /** Whether each message is an HTTP request. */
  get http(): boolean {
    const { transport } = this.facts;
    return transport === 'http' || transport === 'sse';
  }

  /** The transport's session id. */
  get sessionId(): string | undefined {
    return this.transport?.sessionId;
  }

  /** Whether JavaScript carries the messages. */
  get fed(): boolean {
    return this.#out !== undefined;
  }

  /** Sets the function that sends messages. */
  carry(out: (message: string, options?: TransportSendOptions) => Promise<void> | void): void {
    this.#out = out;
  }

  /** Calls `body` when the connection is closed. */
  onEnd(body: () => void): void {
    this.#ended.push(body);
  }

  /** Passes bytes or one message to the engine, with what is known about where they came from. */
  feed(bytes: string | Uint8Array, isReply: boolean, about?: MessageExtraInfo): void {
    if (this.over || this.#disconnected) return;
    const { driver, engine } = this.host;
    if (!isReply && about !== undefined && engine.hasScopes() && this.lacksScopes(bytes, about)) return;
    const origin = isReply ? 0 : driver.newOrigin(this.host, about);
    this.send(engine.feed(this.number, bytes, origin));
    driver.drainSoon();
  }

  /**
   * Answers a message whose token lacks scopes for it. Transports that answer over HTTP themselves have
   * accepted it by then, so that the refusal is a reply.
   */
  private lacksScopes(bytes: string | Uint8Array, about: MessageExtraInfo): boolean {
    if (about.requestInfo === undefined) return false;
    const text = typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
    const grant = grantOf(about.authInfo);
    const challenge = this.host.engine.lacksScopes(text, grant && JSON.stringify(grant), false);
    if (challenge === null) return false;
    const { id } = JSON.parse(text) as { id?: RequestId };
    const error = { code: ErrorCode.InvalidRequest, message: 'the token lacks a scope that this needs', data: { challenge } };
    const label = this.labelled ? '0 r ' : '';
    this.send([label + JSON.stringify({ jsonrpc: '2.0', id, error })], id);
    return true;
  }

  /** Sends the messages that wait; they belong to the client's request `related`. */
  pump(related?: RequestId): Promise<void>[] {
    if (this.#out === undefined || this.over || this.#disconnected) return [];
    return this.send(this.host.engine.takeOutgoing(this.number), related);
  }

  /** Sends the messages that wait, after finished calls have been handed back. */
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

  /** Called when a call begins; `tracked` if it can be found through async context. */
  callStarts(tracked: boolean): void {
    this.#running += 1;
    if (!tracked) this.untracked += 1;
  }

  /** Called when a call is finished; its answer is sent with those of the same tick. */
  callEnds(tracked: boolean): void {
    this.#running -= 1;
    if (!tracked) this.untracked -= 1;
    this.pumpLater();
    if (this.#running === 0 && this.#grace !== undefined) this.host.driver.afterFlush(() => this.ended());
  }

  /** Called at the end of input; running calls have a moment to finish. */
  inputEnded(): void {
    if (this.#running === 0) return this.ended();
    this.#grace = runtime.setTimeout(() => this.ended(), GRACE);
  }

  /** Sends the last messages; the caller closes the transport. */
  async farewell(): Promise<void> {
    if (this.over || this.#out === undefined) return;
    this.host.driver.flush();
    this.pump();
    await Promise.allSettled(this.send(this.disconnect()));
  }

  /** Called when the transport is closed. */
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

  /** Called when the engine reports the end, or nothing more will come. */
  finish(): void {
    if (this.over) return;
    if (this.#began !== undefined && telemetry() !== undefined) {
      const { clientInfo, revision } = this.facts;
      if (this.#isSession || clientInfo !== null) sessionEnded('server', this.#began, revision);
    }
    this.over = true;
    runtime.clearTimeout(this.#grace);
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

/** The message in `STREAM KIND TEXT`; an empty list for the kinds `e` and `d`, which carry none. */
function unlabelled(labelled: string): string[] {
  return labelled[2] === 'e' || labelled[2] === 'd' ? [] : [labelled.slice(4)];
}

/** Whether a message is a response to one of our requests. */
export function isReply(message: JSONRPCMessage): boolean {
  return !('method' in message);
}
