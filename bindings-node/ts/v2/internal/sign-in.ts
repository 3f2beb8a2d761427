/**
 * Transports of 2.x clients that sign in. Owns: that they do so as 2.x does. Must not know: what that
 * means.
 */
import { usedByClientOf2 } from '../../common/client/credentials';
import { told } from './oauth-error';

/** Has a transport's provider asked as 2.x asks it, and its errors told in the classes of 2.x. */
export function signsInLike2(transport: object): void {
  usedByClientOf2(transport, told);
}
