/**
 * Scopes as texts, separated by spaces. Owns: joining and comparing them. Must not know: who asks for them.
 */
import { decide } from './decisions';

/** All scopes of some texts, each of them once. */
export function unionOf(...scopes: (string | undefined)[]): string | undefined {
  return decide<string | null>('scope_union', { scopes }) ?? undefined;
}

/** Whether all that are wanted are among those that a token has. */
export function hasAll(granted: string | undefined, wanted: string | undefined): boolean {
  return unionOf(granted, wanted) === unionOf(granted);
}
