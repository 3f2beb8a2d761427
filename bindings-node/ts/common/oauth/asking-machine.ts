/**
 * Verbs of the engine that need the user's machine: a disk, a port, a browser. Owns: their errors. Must
 * not know: what they do.
 */
import { failureOf } from '../../engine/failure';
import { OAuthClientFlowError } from './flow-errors';

/**
 * What a verb says.
 *
 * @param verb - The verb.
 * @param remedy - What helps if it fails, after a semicolon. Default: nothing is said of that.
 * @throws {OAuthClientFlowError} if it fails.
 */
export async function told<T>(verb: () => Promise<T>, remedy?: string): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    throw flowErrorOf(error, remedy);
  }
}

/** The error for one that the addon threw. */
export function flowErrorOf(error: unknown, remedy?: string): Error {
  const words = failureOf(error)?.message ?? (error as Error).message;
  return new OAuthClientFlowError(remedy === undefined ? words : `${words}; ${remedy}`);
}
