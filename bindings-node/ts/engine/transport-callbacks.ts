/**
 * The three callbacks of a transport. Owns: setting them so that earlier ones are still called, and
 * restoring those. Must not know: who listens.
 */
import type { Transport } from '../protocol/transport';
import type { JSONRPCMessage, MessageExtraInfo } from '../protocol/types';

/** Receives the events of a transport. */
export interface Listener {
  onclose(): void;
  onerror(error: Error): void;
  onmessage(message: JSONRPCMessage, extra?: MessageExtraInfo): void;
}

/**
 * Sets the callbacks of a transport; earlier ones are called first. Returns a function that
 * restores them, unless they were replaced since: one object may be connected several times.
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
