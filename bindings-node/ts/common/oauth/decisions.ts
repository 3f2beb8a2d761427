/**
 * Decisions of the engine on the way to a token. Owns: asking for one. Must not know: what is
 * decided.
 */
import { failureOf } from '../../engine/failure';
import { native } from '../../engine/native';

/** Asks the engine. @throws if it refuses what it was given. */
export function decide<T>(name: string, given: object): T {
  try {
    return JSON.parse(native.authDecision(name, JSON.stringify(given))) as T;
  } catch (error) {
    const failure = failureOf(error);
    throw failure === undefined ? error : new Error(failure.message);
  }
}
