/**
 * Results of completions. Owns: how many values are sent at once. Must not know: whose
 * completions they are.
 */
import type { CompleteResult } from '../types';

const MOST = 100;

/** What is answered where nothing can be suggested. */
export const NOTHING_TO_COMPLETE: CompleteResult = { completion: { values: [], hasMore: false } };

/** The first suggestions, and how many there are. */
export function completed(suggestions: readonly unknown[]): CompleteResult {
  const values = suggestions.slice(0, MOST) as string[];
  return { completion: { values, total: suggestions.length, hasMore: suggestions.length > MOST } };
}
