/**
 * How the engine reaches a server in place of one of our transports.
 *
 * Owns: when the engine may take over a transport, and what both sides tell each other then. Must
 * not know: what a transport is, what a client requests.
 */
import type { JSONRPCMessage } from '../../protocol/types';
import type { ClientConnection } from './connection';
import type { Failure } from '../failure';
import { isAsWritten, type Written } from '../written';
import { refusal } from '../../protocol/refusal';

/** The member in which our transports say how the engine reaches the server. */
export const REACH = Symbol('mcpbolt.reach');

/** What the engine needs to reach a server in place of a transport. */
export interface Reach {
  /**
   * The engine's target. `undefined` if messages must go through the object, because it was
   * changed, is in use, or has options that only it knows.
   */
  target(): object | undefined;
  /** Whether requests wait until a user has signed in. */
  waitsForUser?: boolean;
  /** Called with the new connection, and a function to report errors to. The transport registers its services now. */
  adopted(connection: ClientConnection, fault: (error: Error) => void): void;
  /** Called when the handshake is complete, with the negotiated revision. */
  agreed(connection: ClientConnection, revision: string | undefined): void;
  /** Called with the engine's remarks, such as lines of `stderr`. Returns `true` if no other code has to see it. */
  remark(kind: string, words: string): boolean;
  /** Whether a server that is gone may come back. */
  comesBack?: boolean;
  /** Called when the connection is over. */
  ended(): void;
  /** Called when a client closes that used the object unchanged: ends what the object has open. */
  left?(): Promise<void>;
  /** Called after the program closed the connection, to send what is still to be sent. */
  goodbye?(): Promise<void>;
  /** Converts the failure that kept the connection from opening to an error. */
  openError?(failure: Failure): Error;
  /** Converts a failure to an error, if the transport has one of its own for it. */
  error?(failure: Failure): Error | undefined;
}

/** A transport that the engine may take over. */
export interface Reachable {
  readonly [REACH]: Reach;
}

/** How the engine reaches the server of a transport, and its target; `undefined` if it must not. */
export function reachOf(transport: object): { reach: Reach; target: object } | undefined {
  const reach = (transport as Partial<Reachable>)[REACH];
  const target = reach?.target();
  return reach === undefined || target === undefined ? undefined : { reach, target };
}

/** Whether an object still has its original methods and no `onmessage` callback. */
export function isUntouched(transport: object, methods: Written): boolean {
  const own = transport as Record<string, unknown>;
  return own['onmessage'] === undefined && isAsWritten(own, methods);
}

/**
 * Sends a message that a program passes to a transport which a client uses; `shown` converts a
 * failure to the transport's error.
 */
export async function tell(
  connection: ClientConnection,
  message: JSONRPCMessage | JSONRPCMessage[],
  shown: (failure: Failure) => Error | undefined,
): Promise<void> {
  if (Array.isArray(message) || !('method' in message) || 'id' in message) {
    throw new Error('This transport belongs to a client: requests and answers go through the client');
  }
  const params = message.params === undefined ? undefined : JSON.stringify(message.params);
  const failure = await connection.notify(connection.number, message.method, params);
  if (failure !== null) throw shown(failure) ?? (failure.kind === 'closed' ? refusal('not_connected', 'Not connected') : new Error(failure.message));
}
