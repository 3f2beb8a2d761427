/** Texts of a server as messages. Owns: what is a valid message. Must not know: what it says. */
import type { JSONRPCMessage } from '../../protocol/types';

/** Parses a text as a message or a batch; throws if it is not valid. */
export function readMessages(text: string): JSONRPCMessage[] {
  const value = JSON.parse(text) as unknown;
  const found = Array.isArray(value) ? value : [value];
  for (const one of found) {
    if (!isMessage(one)) throw new Error(`Not a JSON-RPC message: ${text.slice(0, 200)}`);
  }
  return found as JSONRPCMessage[];
}

/** Whether a value has the form of a JSON-RPC 2.0 message. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== 'object' || value === null) return false;
  const message = value as Record<string, unknown>;
  if (message['jsonrpc'] !== '2.0') return false;
  if (typeof message['method'] === 'string') return true;
  return 'id' in message && (isObject(message['result']) || isObject(message['error']));
}

/** Whether a message is a request. */
export function isRequest(message: JSONRPCMessage): message is JSONRPCMessage & { id: string | number; method: string } {
  return 'method' in message && 'id' in message && message.id !== undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
