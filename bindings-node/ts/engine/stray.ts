/**
 * Answers and progress that nobody can use. Owns: the errors, in the official words where there are such. Must not know: who is told of them.
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

/** The error for progress that is not of type `Progress`; `undefined` if it is. */
export function malformedProgress(params: unknown): Error | undefined {
  const { progress, total, message } = (params ?? {}) as Record<string, unknown>;
  const isTotal = total === undefined || typeof total === 'number';
  const isMessage = message === undefined || typeof message === 'string';
  if (typeof progress === 'number' && isTotal && isMessage) return undefined;
  const words = `progress and total must be numbers, message a string: ${JSON.stringify(params)}`;
  return new Error(`Uncaught error in notification handler: ${words}`);
}

/** The error for an answer to no pending request; it shows the answer if a program's transport brought it. */
export function strayAnswer(answer: JSONRPCMessage | undefined): Error {
  const words = 'Received a response for an unknown message ID';
  return new Error(answer === undefined ? words : `${words}: ${JSON.stringify(answer)}`);
}
