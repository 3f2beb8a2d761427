/**
 * What each method of the protocol is answered with. Owns: the schema for a method's
 * result. Must not know: who asks.
 */
import { METHOD_ROWS } from '../../generated/protocol';
import type { ResultSchema } from '../../protocol/types';
import { specSchemaOf2 } from '../../protocol/schema/schema';

/** The part of a schema that is used here: that it parses. */
type AnySchema = typeof ResultSchema;

const known = new Map<string, AnySchema>();

/** Whether a method is asked by itself: tasks and streams have functions of their own. */
function isAsked(method: string): boolean {
  const row = METHOD_ROWS[method];
  return row?.kind === 'request' && row.declaredBy !== 'both' && !row.isOfExtension && method !== 'subscriptions/listen';
}

/**
 * The result schema of a method.
 *
 * @throws TypeError for methods that the protocol does not define.
 */
export function resultSchemaFor(method: string): AnySchema {
  if (!isAsked(method)) {
    throw new TypeError(`'${method}' is not a spec method; pass a result schema as the second argument to request().`);
  }
  const found = known.get(method) ?? (specSchemaOf2(METHOD_ROWS[method]!.result!) as unknown as AnySchema);
  known.set(method, found);
  return found;
}

/** Removes the members of a result that only the wire needs. */
export function finished<T>(result: T): T {
  const said = result as { resultType?: unknown } | undefined;
  if (said?.resultType === 'complete') delete said.resultType;
  return result;
}
