/**
 * Requests that are refused on this side with a plain error, as the official 1.x package does. Owns:
 * what kind of refusal an error is, for faces that have a class or a code for it. Must not know:
 * those classes.
 */

/** Why a request is refused. */
export type RefusalKind = 'not_connected' | 'already_connected' | 'unsupported' | 'invalid_params';

const KIND: unique symbol = Symbol('mcpbolt.refusal');

/** Creates a plain error of a kind. The kind is not shown when the error is printed. */
export function refusal(kind: RefusalKind, words: string, options?: ErrorOptions): Error {
  return Object.defineProperty(new Error(words, options), KIND, { value: kind, configurable: true });
}

/** The kind of an error that `refusal` created; `undefined` for other errors. */
export function refusalKind(error: unknown): RefusalKind | undefined {
  return (error as { [KIND]?: RefusalKind } | null | undefined)?.[KIND];
}
