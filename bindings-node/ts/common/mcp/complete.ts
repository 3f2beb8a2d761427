/** Results of completions. Owns: how many values are sent at once. Must not know: what is completed. */
import type { CompleteResult } from '../../protocol/types';

const MOST = 100;

/** The result if there is nothing to suggest. */
export const NOTHING_TO_COMPLETE: CompleteResult = { completion: { values: [], hasMore: false } };

/** The result with the first suggestions, and how many there are in total. */
export function completed(suggestions: readonly unknown[]): CompleteResult {
  const values = suggestions.slice(0, MOST).map(String);
  return { completion: { values, total: suggestions.length, hasMore: suggestions.length > MOST } };
}
