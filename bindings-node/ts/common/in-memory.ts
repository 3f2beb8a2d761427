/**
 * A transport between two peers in one process. Owns: handing messages from one end to the other.
 * Must not know: what they mean.
 */
import type { AuthInfo } from '../protocol/auth-info';
import type { Transport } from '../protocol/transport';
import type { JSONRPCMessage, MessageExtraInfo, RequestId } from '../protocol/types';
import { refusal } from '../protocol/refusal';

interface Queued {
  message: JSONRPCMessage;
  extra: MessageExtraInfo;
}

/** One end of a linked pair: what is sent on one end arrives at the other. */
export class InMemoryTransport implements Transport {
  private _otherTransport?: InMemoryTransport;
  private _messageQueue: Queued[] = [];

  /** Called when the pair is closed. */
  onclose?: () => void;
  /** Called with each error. */
  onerror?: (error: Error) => void;
  /** Called with each message from the other end. */
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  /** The session id that peers see; the transport does not use it. */
  sessionId?: string;

  /** Creates two linked ends, one for a client and one for a server. */
  static createLinkedPair(): [InMemoryTransport, InMemoryTransport] {
    const pair: [InMemoryTransport, InMemoryTransport] = [new InMemoryTransport(), new InMemoryTransport()];
    pair[0]._otherTransport = pair[1];
    pair[1]._otherTransport = pair[0];
    return pair;
  }

  /** Starts the transport, and delivers messages that were sent before. */
  async start(): Promise<void> {
    for (let next = this._messageQueue.shift(); next !== undefined; next = this._messageQueue.shift()) {
      this.onmessage?.(next.message, next.extra);
    }
  }

  /** Closes both ends. */
  async close(): Promise<void> {
    const other = this._otherTransport;
    this._otherTransport = undefined;
    await other?.close();
    this.onclose?.();
  }

  /**
   * Sends a message to the other end; `authInfo` is delivered with it.
   * @param message - The message.
   * @param options - The request that the message is related to, and how to resume a stream. Default: none.
   */
  async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId; authInfo?: AuthInfo }): Promise<void> {
    const other = this._otherTransport;
    if (other === undefined) throw refusal('not_connected', 'Not connected');
    const extra: MessageExtraInfo = { authInfo: options?.authInfo };
    if (other.onmessage !== undefined) other.onmessage(message, extra);
    else other._messageQueue.push({ message, extra });
  }
}
