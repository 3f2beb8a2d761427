/**
 * What each method of the protocol is answered with. Owns: the schema for a method's result, and
 * what of a result, or of a failure, reaches the program. Must not know: how a request travels.
 */
import { METHOD_ROWS } from '../../generated/protocol';
import { ErrorCode, McpError, wordsOf } from '../../protocol/mcp-error';
import type { ResultSchema } from '../../protocol/types';
import { specSchemaOf2 } from '../../protocol/schema/schema';
import { SdkError, SdkErrorCode } from './errors';

/** How many errors of handlers are kept at once. */
const MAX_KEPT = 64;

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

/** What a client knows of its connection. */
interface Negotiated {
  getProtocolEra(): 'legacy' | 'modern' | undefined;
  getNegotiatedProtocolVersion(): string | undefined;
}

/**
 * Checks what kind of result came, and removes the members that only the wire needs. `schema` is
 * the one it was read with; `asks` says whether the program answers questions itself.
 *
 * @throws SdkError if the result has no kind, or asks questions that the program does not want to see.
 */
export function finished<T>(result: T, from: Negotiated, method: string, schema: unknown, asks?: boolean): T {
  const said = result as { resultType?: unknown } | undefined;
  // A schema of the program's own may drop the member.
  if (said?.resultType === undefined && from.getProtocolEra() === 'modern' && known.get(method) === schema) {
    const words =
      `Invalid result for ${method}: missing required resultType — servers implementing protocol revision ` +
      `${from.getNegotiatedProtocolVersion()} MUST include it (the absent-means-complete bridge applies only to earlier-revision servers)`;
    throw new SdkError(SdkErrorCode.InvalidResult, words, { method, violation: 'missing-resultType' });
  }
  if (said?.resultType === 'input_required' && asks !== true) {
    const words =
      `Unsupported result type 'input_required' for ${method}: multi-round-trip auto-fulfilment is not enabled on this instance — ` +
      'pass allowInputRequired: true to handle it manually, or enable inputRequired.autoFulfill';
    throw new SdkError(SdkErrorCode.UnsupportedResultType, words, { resultType: 'input_required', method });
  }
  if (said?.resultType === 'complete') delete said.resultType;
  return result;
}

/** Errors that handlers threw when a server asked something in the middle of a call. */
export class Thrown {
  readonly #errors = new Map<string, Error>();

  /** Runs a handler, and keeps its error for the call that asked. */
  async kept(handler: () => unknown, from: Negotiated): Promise<unknown> {
    try {
      return await handler();
    } catch (error) {
      if (error instanceof Error && from.getProtocolEra() === 'modern') this.#keep(error);
      throw error;
    }
  }

  #keep(error: Error): void {
    const oldest = this.#errors.keys().next();
    if (this.#errors.size >= MAX_KEPT && !oldest.done) this.#errors.delete(oldest.value);
    this.#errors.set(error.message, error);
  }

  /** Waits for a call, and throws what a handler threw if that is why the call failed. */
  outcome<T>(asked: Promise<T>): Promise<T> {
    return asked.catch((error: unknown) => Promise.reject(this.#original(error)));
  }

  #original(error: unknown): unknown {
    if (!(error instanceof McpError) || error.local) return error;
    const words = wordsOf(error);
    const found = this.#errors.get(words);
    const code = (found as { code?: unknown } | undefined)?.code;
    if (found === undefined || (error.code !== ErrorCode.InternalError && error.code !== code)) return error;
    this.#errors.delete(words);
    return found;
  }
}
