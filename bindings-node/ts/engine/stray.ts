/**
 * Answers and progress that nobody waits for. Owns: the errors in the official words. Must not know: who is told of them.
 */
import type { JSONRPCMessage } from '../protocol/types';

/** Reports of how far a request is. */
export const PROGRESS = 'notifications/progress';

/** Notifications that the engine acts on itself: a handler of their own may hear of them, the fallback does not. */
export const ACTED_ON: ReadonlySet<string> = new Set([PROGRESS, 'notifications/cancelled']);

/** The error for progress of no pending request. */
export function strayProgress(params: unknown): Error {
  const { progressToken, ...progress } = (params ?? {}) as { progressToken?: unknown };
  const shown = JSON.stringify({ method: PROGRESS, params: { ...progress, progressToken } });
  return new Error(`Received a progress notification for an unknown token: ${shown}`);
}

/** The error for an answer to no pending request; it shows the answer if a program's transport brought it. */
export function strayAnswer(answer: JSONRPCMessage | undefined): Error {
  const words = 'Received a response for an unknown message ID';
  return new Error(answer === undefined ? words : `${words}: ${JSON.stringify(answer)}`);
}
