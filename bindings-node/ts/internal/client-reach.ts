/**
 * The way from a client to our own transports without their messages being carried.
 *
 * Owns: when the engine may take a transport over, and what both sides tell each other
 * then. Must not know: what a transport is, what a client asks.
 */
import type { JSONRPCMessage } from '../types';
import type { ByHand } from './client-by-hand';
import type { ClientConnection } from './client-connection';
import type { Failure } from './failure';
import { isAsWritten, type Written } from './written';

/** Under this key our transports say how the engine reaches the server itself. */
export const REACH = Symbol('mcpbolt.reach');

/** What the engine needs to reach a server in place of a transport. */
export interface Reach {
  /**
   * The engine's target. `undefined`: the messages have to go through the object, for it
   * was changed, is in use, or has options that only it knows.
   */
  target(): object | undefined;
  /** The connection that was opened in its place, and who hears of errors. Services of it are registered now. */
  adopted(connection: ClientConnection, fault: (error: Error) => void): void;
  /** The handshake is over; the revision that was agreed on. */
  agreed(connection: ClientConnection, revision: string | undefined): void;
  /** What the engine remarks, `stderr` lines among them. `true` if it is dealt with. */
  remark(kind: string, words: string): boolean;
  /** Whether a server that is gone may be there again. */
  comesBack?: boolean;
  /** The connection is over. */
  ended(): void;
  /** A client that used the object as it is has closed it: whatever it still has open ends. */
  left?(): Promise<void>;
  /** The program has ended the connection: what there is left to say. */
  goodbye?(): Promise<void>;
  /** Carries a request whose program wants to know where its stream can be taken up. */
  byHand?: ByHand;
  /** The error to show for what keeps it from being opened. */
  openError?(failure: Failure): Error;
  /** The error to show for a failure, where the transport has one of its own. */
  error?(failure: Failure): Error | undefined;
}

/** A transport the engine may take over. */
export interface Reachable {
  readonly [REACH]: Reach;
}

/** How the engine reaches the server of a transport, and where; `undefined` if it must not. */
export function reachOf(transport: object): { reach: Reach; target: object } | undefined {
  const reach = (transport as Partial<Reachable>)[REACH];
  const target = reach?.target();
  return reach === undefined || target === undefined ? undefined : { reach, target };
}

/** Whether an object still has the methods that were written for it, and has no listener for its messages. */
export function isUntouched(transport: object, methods: Written): boolean {
  const own = transport as Record<string, unknown>;
  return own['onmessage'] === undefined && isAsWritten(own, methods);
}

/** Passes on what a program says itself on a transport that a client has; `shown` is the transport's error for a failure. */
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
  if (failure !== null) throw shown(failure) ?? new Error(failure.kind === 'closed' ? 'Not connected' : failure.message);
}
