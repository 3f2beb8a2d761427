/**
 * Decisions of the engine on the way to a token. Owns: asking for one, and as which official package
 * the engine decides. Must not know: what is decided.
 */
import { failureOf } from '../../engine/failure';
import { native } from '../../engine/native';

/** The official package that the engine decides like. */
export type Like = 'typescript' | 'typescript2';

/** Why the engine refuses what it was given. */
export interface Refused {
  kind: string;
  /** The member it is about. */
  field?: string;
}

/** A request as the engine writes it. */
export interface Written {
  url: string;
  headers: [string, string][];
  body: string;
}

/**
 * Asks the engine.
 *
 * @param words - The error of the official package for a refusal, where it has one.
 * @throws if the engine refuses what it was given.
 */
export function decide<T>(name: string, given: object, words?: (refused: Refused) => Error | undefined): T {
  return answered(() => native.authDecision(name, JSON.stringify(given)), words);
}

/** What the engine answers; its errors as those of the official package. */
export function answered<T>(ask: () => string, words?: (refused: Refused) => Error | undefined): T {
  try {
    return JSON.parse(ask()) as T;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    const refused = failure.data as Refused | undefined;
    throw (refused && words?.(refused)) ?? new Error(failure.message);
  }
}

/** Turns an error into the one of a face. */
type Telling = (error: unknown) => unknown;

const NEWER = new WeakMap<object, Telling>();

/** Notes that a program of 2.x uses a provider, and how 2.x tells errors. */
export function usedLike2(provider: object, telling: Telling): void {
  NEWER.set(provider, telling);
}

/** The error as the face of a provider's program tells it. */
export function toldFor(provider: object, error: unknown): unknown {
  return NEWER.get(provider)?.(error) ?? error;
}

/** As which package the engine decides for a provider. */
export function likeOf(provider: object): Like {
  return NEWER.has(provider) ? 'typescript2' : 'typescript';
}
