/**
 * Messages between the engine and a transport of the program's own.
 *
 * Owns: passing messages in both directions, and finding the request that a failure of the
 * transport belongs to. Must not know: who requests what.
 */
import type { Transport, TransportSendOptions } from '../../protocol/transport';
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '../../protocol/types';
import type { ClientConnection } from './connection';
import { isMessage } from './message';
import { failureOf } from '../failure';
import { runtime } from '../timers';

type Sent = Promise<void>;
type Wire = JSONRPCMessage & { id?: string | number; method?: string; params?: Record<string, unknown> };

/** A message of the engine, and the headers that go with it over HTTP. */
interface Outgoing {
  message: Wire;
  headers?: Record<string, string>;
}

/** The key in `_meta` for the revision of a message, since 2026-07-28. */
const REVISION = 'io.modelcontextprotocol/protocolVersion';

/** The request whose stream may end at any time, and is not answered before. */
const LISTEN = 'subscriptions/listen';

/** The code the engine sees if the transport could not send a request; the error is kept aside. */
const NOT_SENT = -32000;

/** Whether a message begins the handshake. */
function isOpening({ method }: Wire): boolean {
  return method === 'initialize' || method === 'server/discover';
}

/** Receives events of the transport. */
export interface CarryPeer {
  /** Called with errors that belong to no request. */
  fault(error: Error): void;
  /** Called when the transport is closed. */
  lost(): void;
  /** Handles a message that the engine would refuse; returns whether it did. */
  took(message: JSONRPCMessage): boolean;
}

/** The callbacks that were set on a transport before. */
type Earlier = Pick<Transport, 'onclose' | 'onerror' | 'onmessage'>;

/** Passes the messages of one connection. */
export class Carry {
  /** Errors of the transport by the numbers of our requests. */
  readonly errors = new Map<number, unknown>();
  /** The message that the engine is given; what it remarks on meanwhile is about this one. */
  taking: JSONRPCMessage | undefined;
  /** The request of the handshake that was sent last. */
  opener: string | undefined;
  /** The error that kept the handshake from being sent. */
  openingError: unknown;
  /** The sending of the handshake's last message; rejects if the transport does. */
  opening: Sent | undefined;
  /** The revision that the server's first answer names. */
  named: unknown;
  /** Whether the transport continues a session that this connection did not open. */
  resumes = false;
  readonly #connection: ClientConnection;
  readonly #transport: Transport;
  readonly #peer: CarryPeer;
  readonly #numbers = new Map<string | number, number>();
  /** What closes the streams of requests that have one of their own, by the ids of the requests. */
  readonly #streams = new Map<string | number, AbortController>();
  #isLost = false;

  constructor(connection: ClientConnection, transport: Transport, peer: CarryPeer) {
    this.#connection = connection;
    this.#transport = transport;
    this.#peer = peer;
    connection.onOutgoing = () => this.flush();
  }

  /** The transport's session id. */
  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  /** Sets the transport's callbacks, which also call those that were set before, and starts it. */
  async start(): Promise<void> {
    const transport = this.#transport;
    const earlier: Earlier = { onclose: transport.onclose, onerror: transport.onerror, onmessage: transport.onmessage };
    transport.onclose = () => {
      earlier.onclose?.();
      this.lost();
    };
    transport.onerror = (error) => {
      earlier.onerror?.(error);
      this.#peer.fault(error);
    };
    transport.onmessage = (message, extra) => {
      earlier.onmessage?.(message, extra);
      this.take(message);
    };
    await transport.start();
  }

  /** Handles a message of the server. */
  private take(message: JSONRPCMessage): void {
    const connection = this.#connection;
    if (this.#isLost) return;
    if (!isMessage(message)) {
      this.#peer.fault(new Error(`Unknown message type: ${JSON.stringify(message)}`));
      return;
    }
    if ('method' in message && this.#peer.took(message)) return;
    if ('id' in message && !('method' in message)) {
      this.#numbers.delete(message.id as string | number);
      this.#streams.delete(message.id as string | number);
      this.named ??= (message as { result?: { protocolVersion?: unknown } }).result?.protocolVersion ?? null;
    }
    try {
      this.sendAll(connection.engine.feed(connection.number, JSON.stringify(message)).map(outgoing));
    } catch (error) {
      if (failureOf(error) === undefined) throw error;
      return;
    }
    this.taking = message;
    connection.driver.drain();
    this.taking = undefined;
  }

  /** Sends an answer that does not come from the engine. */
  answer(message: JSONRPCMessage): void {
    this.watch(message as Wire, this.send({ message }));
  }

  /** Sends the messages that wait in the engine. */
  flush(): void {
    this.sendAll(this.waiting());
  }

  private waiting(): Outgoing[] {
    const connection = this.#connection;
    try {
      return this.#isLost ? [] : connection.engine.takeOutgoing(connection.number).map(outgoing);
    } catch {
      return [];
    }
  }

  /** Sends the request with this number, which was just passed to the engine. */
  asked(number: number, method: string, options?: TransportSendOptions): RequestId | undefined {
    let id: RequestId | undefined;
    for (const one of this.waiting()) {
      const { message } = one;
      const ours = message.method === method && message.id !== undefined;
      if (ours) this.#numbers.set((id = message.id!), number);
      this.watch(message, this.send(one, ours ? options : undefined));
    }
    return id;
  }

  /** Sends the notification that was just passed to the engine; rejects if the transport does. */
  async told(method: string, options?: TransportSendOptions): Promise<void> {
    const sent: Sent[] = [];
    for (const one of this.waiting()) {
      const { message } = one;
      const ours = message.method === method && message.id === undefined;
      const sending = this.send(one, ours ? options : undefined);
      if (ours) sent.push(sending);
      else this.watch(message, sending);
    }
    await Promise.all(sent);
  }

  /** Sends the cancellation of a request, with its reason. */
  withdrawn(number: number, reason: string): void {
    for (const [id, known] of this.#numbers) if (known === number) this.#numbers.delete(id);
    for (const one of this.waiting()) {
      const { message } = one;
      if (message.method === 'notifications/cancelled') message.params = { ...message.params, reason };
      this.watch(message, this.send(one));
    }
  }

  private sendAll(messages: Outgoing[]): void {
    for (const one of messages) {
      const { message } = one;
      if (message.method === 'notifications/cancelled') this.#numbers.delete(message.params?.['requestId'] as string | number);
      if (this.answersItself(message)) continue;
      const sending = this.send(one);
      if (message.method === 'notifications/initialized') {
        // The handshake waits for this message, and fails if it cannot be sent.
        this.opening = sending;
        sending.catch(() => undefined);
      } else {
        this.watch(message, sending);
      }
    }
  }

  /** Answers the engine's handshake here if a session is resumed, because the server had one before. */
  private answersItself(message: Wire): boolean {
    if (!this.resumes) return false;
    if (message.method === 'notifications/initialized') return true;
    if (message.method !== 'initialize') return false;
    const { protocolVersion } = (message as JSONRPCRequest).params as { protocolVersion: string };
    const result = { protocolVersion, capabilities: {}, serverInfo: { name: '', version: '' } };
    runtime.setImmediate(() => this.take({ jsonrpc: '2.0', id: message.id!, result } as JSONRPCMessage));
    return true;
  }

  private send({ message, headers }: Outgoing, options?: TransportSendOptions): Sent {
    if (isOpening(message)) this.opener = message.method;
    const all = headers === undefined ? options : { ...options, headers: { ...options?.headers, ...headers } };
    return this.#transport.hasPerRequestStream === true ? this.sendOnStream(message, all) : this.sendAlone(message, all);
  }

  private async sendAlone(message: Wire, options?: TransportSendOptions): Sent {
    await (options === undefined ? this.#transport.send(message) : this.#transport.send(message, options));
  }

  /** Sends a message over a transport that has a stream for each request. */
  private async sendOnStream(message: Wire, options?: TransportSendOptions): Sent {
    if (this.cuts(message)) return;
    const requestSignal = this.streamOf(message)?.signal;
    if (requestSignal === undefined) return this.sendAlone(message, options);
    try {
      const onRequestStreamEnd = message.method === LISTEN ? () => this.cutOff(message.id!) : undefined;
      await this.#transport.send(message, { ...options, requestSignal, ...(onRequestStreamEnd && { onRequestStreamEnd }) });
    } catch (error) {
      // What was given up has no answer, and its end is no failure.
      if (!requestSignal.aborted) throw error;
    }
  }

  /** What closes the stream of a request, if it will have one of its own. */
  private streamOf({ id, method, params }: Wire): AbortController | undefined {
    if (method === undefined || id === undefined) return undefined;
    const meta = params?.['_meta'] as Record<string, unknown> | undefined;
    if (typeof meta?.[REVISION] !== 'string') return undefined;
    const stream = new AbortController();
    this.#streams.set(id, stream);
    return stream;
  }

  /** Cancels a request by closing its stream, which is all that 2026-07-28 has for it; returns whether it did. */
  private cuts({ method, params }: Wire): boolean {
    if (method !== 'notifications/cancelled') return false;
    const id = params?.['requestId'] as string | number;
    const stream = this.#streams.get(id);
    this.#streams.delete(id);
    stream?.abort();
    return stream !== undefined;
  }

  /** A stream has ended without the answer, and nothing else would tell. */
  private cutOff(id: string | number): void {
    if (!this.#streams.has(id)) return;
    this.take({ jsonrpc: '2.0', id, error: { code: NOT_SENT, message: 'the stream ended before the answer' } } as JSONRPCMessage);
  }

  private watch(message: Wire, sending: Sent): void {
    sending.catch((error: unknown) => this.notSent(message, error));
  }

  private notSent(message: Wire, error: unknown): void {
    if (message.method === undefined) {
      this.#peer.fault(new Error(`Failed to send response: ${error}`));
    } else if (isOpening(message)) {
      this.openingError = error;
      this.lost(String((error as Error | undefined)?.message ?? error));
    } else if (message.id === undefined) {
      const what = message.method === 'notifications/cancelled' ? 'cancellation' : 'notification';
      this.#peer.fault(new Error(`Failed to send ${what}: ${error}`));
    } else {
      const number = this.#numbers.get(message.id);
      if (number !== undefined) this.errors.set(number, error);
      this.take({ jsonrpc: '2.0', id: message.id, error: { code: NOT_SENT, message: 'not sent' } } as JSONRPCMessage);
    }
  }

  /** Reports the end of the transport to the engine; requests that wait for an answer fail. */
  lost(reason?: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const connection = this.#connection;
    try {
      connection.engine.disconnect(connection.number, reason);
    } catch {
      // The connection was closed before.
    }
    connection.driver.drain();
    this.#peer.lost();
  }
}

/** A text of the engine as a message; a line before it holds headers. */
function outgoing(text: string): Outgoing {
  const line = text.indexOf('\n');
  if (line < 0) return { message: JSON.parse(text) as Wire };
  return { message: JSON.parse(text.slice(line + 1)) as Wire, headers: JSON.parse(text.slice(0, line)) as Record<string, string> };
}
