/** Paginated lists. Owns: reading all pages, up to a limit. Must not know: what is listed. */
import { METHOD_ROWS } from '../../generated/protocol';
import { SdkError, SdkErrorCode } from './errors';

/** A page, with the cursor of the next one. */
export interface Paged {
  nextCursor?: string | undefined;
}

/** The result of a list method that lists nothing. */
export function emptyList(method: string): object {
  const { lists } = METHOD_ROWS[method] ?? {};
  return lists === undefined ? {} : { [lists]: [] };
}

/**
 * Reads all pages and joins them. A `max` of 0 means no limit.
 *
 * @throws SdkError if there are more than `max` pages.
 */
export async function allPages<T extends Paged>(
  method: string,
  page: (cursor?: string) => Promise<T>,
  items: (page: T) => unknown[],
  max: number,
): Promise<T> {
  const first = await page();
  let last = first;
  for (let count = 1; last.nextCursor !== undefined; count++) {
    if (max !== 0 && count >= max) {
      const words = `${method}: exceeded listMaxPages (${max}); server pagination did not terminate`;
      throw new SdkError(SdkErrorCode.ListPaginationExceeded, words, { method, listMaxPages: max });
    }
    const next = await page(last.nextCursor);
    // Some servers return the last page again and again.
    if (next.nextCursor === last.nextCursor && JSON.stringify(items(next)) === JSON.stringify(items(last))) break;
    items(first).push(...items(next));
    last = next;
  }
  delete first.nextCursor;
  return first;
}
