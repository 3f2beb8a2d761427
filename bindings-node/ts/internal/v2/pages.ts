/**
 * Lists that come in pages. Owns: reading all of them, up to a bound. Must not know: what
 * is listed.
 */
import { SdkError, SdkErrorCode } from './errors';

/** A page, and where the next one begins. */
export interface Paged {
  nextCursor?: string | undefined;
}

/**
 * All pages as one; a `max` of 0 means no bound.
 *
 * @throws SdkError if there are more.
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
    // Some servers give the last page again and again.
    if (next.nextCursor === last.nextCursor && JSON.stringify(items(next)) === JSON.stringify(items(last))) break;
    items(first).push(...items(next));
    last = next;
  }
  delete first.nextCursor;
  return first;
}
