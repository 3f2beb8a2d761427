/**
 * Answers that nobody waits for. Owns: the error in the official words. Must not know: who is told of it.
 */
import type { JSONRPCMessage } from '../protocol/types';

/** The error for an answer to no pending request; it shows the answer if a program's transport brought it. */
export function strayAnswer(answer: JSONRPCMessage | undefined): Error {
  const words = 'Received a response for an unknown message ID';
  return new Error(answer === undefined ? words : `${words}: ${JSON.stringify(answer)}`);
}
