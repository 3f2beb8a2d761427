/**
 * A transport of the program whose first message is read before there is a server for it. Owns:
 * keeping messages until then. Must not know: what they say.
 */
import type { JSONRPCMessage, MessageExtraInfo } from '../../protocol/types';
import type { Transport, TransportSendOptions } from '../../protocol/transport';

/** Stands before another transport, which it starts early. */
export class HeldTransport implements Transport {
  readonly #inner: Transport;
  readonly #kept: [JSONRPCMessage, MessageExtraInfo | undefined][] = [];
  #passes = false;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;

  constructor(inner: Transport) {
    this.#inner = inner;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  /** Starts the transport, and waits for its first message; `undefined` if it is closed before. */
  first(): Promise<JSONRPCMessage | undefined> {
    return new Promise((found, failed) => {
      this.#inner.onmessage = (message, extra) => {
        if (this.#passes) this.onmessage?.(message, extra);
        else this.#kept.push([message, extra]);
        found(message);
      };
      this.#inner.onclose = () => {
        found(undefined);
        this.onclose?.();
      };
      this.#inner.onerror = (error) => this.onerror?.(error);
      this.#inner.start().catch(failed);
    });
  }

  /** Passes on what was kept, and everything after it. */
  async start(): Promise<void> {
    this.#passes = true;
    for (const [message, extra] of this.#kept.splice(0)) this.onmessage?.(message, extra);
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }
}
