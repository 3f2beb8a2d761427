/**
 * The three callbacks of a transport. Owns: setting them so that those that were there are
 * still called, and putting those back. Must not know: who listens.
 */
import type { Transport } from '../shared/transport';
import type { JSONRPCMessage, MessageExtraInfo } from '../types';

/** Who listens to a transport. */
export interface Listener {
  onclose(): void;
  onerror(error: Error): void;
  onmessage(message: JSONRPCMessage, extra?: MessageExtraInfo): void;
}

/**
 * Listens to a transport, after the listeners that were there before. Returns what puts the callbacks back,
 * unless they were set again since: one object may be connected again and again.
 */
export function take(transport: Transport, listener: Listener): () => void {
  const { onclose, onerror, onmessage } = transport;
  const own = {
    onclose(): void {
      onclose?.call(transport);
      listener.onclose();
    },
    onerror(error: Error): void {
      onerror?.call(transport, error);
      listener.onerror(error);
    },
    onmessage(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
      onmessage?.call(transport, message, extra);
      listener.onmessage(message, extra);
    },
  };
  Object.assign(transport, own);
  return () => {
    if (transport.onclose === own.onclose) transport.onclose = onclose;
    if (transport.onerror === own.onerror) transport.onerror = onerror;
    if (transport.onmessage === own.onmessage) transport.onmessage = onmessage;
  };
}
