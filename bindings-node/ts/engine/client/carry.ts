/**
 * Messages between the engine and a transport of the program's own.
 *
 * Owns: passing messages in both directions, and finding the request that a failure of the
 * transport belongs to. Must not know: who requests what.
 */
import type { Transport, TransportSendOptions } from '../../protocol/transport';
import type { JSONRPCMessage, JSONRPCRequest } from '../../protocol/types';
import type { ClientConnection } from './connection';
import { isMessage } from './message';
import { failureOf } from '../failure';

type Sent = Promise<void>;
type Wire = JSONRPCMessage & { id?: string | number; method?: string; params?: Record<string, unknown> };

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
      this.named ??= (message as { result?: { protocolVersion?: unknown } }).result?.protocolVersion ?? null;
    }
    try {
      this.sendAll(connection.engine.feed(connection.number, JSON.stringify(message)));
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
    this.watch(message as Wire, this.send(message as Wire));
  }

  /** Sends the messages that wait in the engine. */
  flush(): void {
    this.sendAll(this.waiting());
  }

  private waiting(): string[] {
    const connection = this.#connection;
    try {
      return this.#isLost ? [] : connection.engine.takeOutgoing(connection.number);
    } catch {
      return [];
    }
  }

  /** Sends the request with this number, which was just passed to the engine. */
  asked(number: number, method: string, options?: TransportSendOptions): void {
    for (const text of this.waiting()) {
      const message = JSON.parse(text) as Wire;
      const ours = message.method === method && message.id !== undefined;
      if (ours) this.#numbers.set(message.id!, number);
      this.watch(message, this.send(message, ours ? options : undefined));
    }
  }

  /** Sends the notification that was just passed to the engine; rejects if the transport does. */
  async told(method: string, options?: TransportSendOptions): Promise<void> {
    const sent: Sent[] = [];
    for (const text of this.waiting()) {
      const message = JSON.parse(text) as Wire;
      const ours = message.method === method && message.id === undefined;
      const sending = this.send(message, ours ? options : undefined);
      if (ours) sent.push(sending);
      else this.watch(message, sending);
    }
    await Promise.all(sent);
  }

  /** Sends the cancellation of a request, with its reason. */
  withdrawn(number: number, reason: string): void {
    for (const [id, known] of this.#numbers) if (known === number) this.#numbers.delete(id);
    for (const text of this.waiting()) {
      const message = JSON.parse(text) as Wire;
      if (message.method === 'notifications/cancelled') message.params = { ...message.params, reason };
      this.watch(message, this.send(message));
    }
  }

  private sendAll(texts: string[]): void {
    for (const text of texts) {
      const message = JSON.parse(text) as Wire;
      if (message.method === 'notifications/cancelled') this.#numbers.delete(message.params?.['requestId'] as string | number);
      if (this.answersItself(message)) continue;
      const sending = this.send(message);
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
    setImmediate(() => this.take({ jsonrpc: '2.0', id: message.id!, result } as JSONRPCMessage));
    return true;
  }

  private async send(message: Wire, options?: TransportSendOptions): Sent {
    if (isOpening(message)) this.opener = message.method;
    await (options === undefined ? this.#transport.send(message) : this.#transport.send(message, options));
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
