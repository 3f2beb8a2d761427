/**
 * The errors of the engine room in the classes of the 2.x face. Owns: which class and code each has
 * here. Must not know: who requested what.
 */
import { kindRow } from '../../engine/failure';
import { LATEST_LEGACY, LATEST_MODERN, METHOD_ROWS, MODERN_REVISIONS } from '../../generated/protocol';
import { factsOf, StreamableHTTPError } from '../../common/client/http-error';
import { McpError, wordsOf } from '../../protocol/mcp-error';
import { refusalKind, type RefusalKind } from '../../protocol/refusal';
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError } from './errors';
import { oauthErrorV2 } from './oauth-error';
import { issueText, type StandardIssue } from './standard';

const LOCAL_CODES = new Set<string>(Object.values(SdkErrorCode));
/** The codes of plain errors, by the kind of refusal. */
const REFUSALS: Record<Exclude<RefusalKind, 'invalid_params'>, SdkErrorCode> = {
  not_connected: SdkErrorCode.NotConnected,
  already_connected: SdkErrorCode.AlreadyConnected,
  unsupported: SdkErrorCode.CapabilityNotSupported,
};

/** The issues of a failed schema validation. */
function issuesOf(error: unknown): readonly StandardIssue[] | undefined {
  const { name, issues } = (error ?? {}) as { name?: unknown; issues?: unknown };
  return typeof name === 'string' && name.endsWith('ZodError') && Array.isArray(issues) ? issues : undefined;
}

/**
 * Converts an error to the 2.x face; errors of other origin are returned unchanged. `asked` is the
 * method of the request that failed.
 */
export function errorV2(error: unknown, asked?: string): unknown {
  if (error instanceof McpError) return fromMcpError(error, asked);
  const issues = asked === undefined ? undefined : issuesOf(error);
  if (issues !== undefined) {
    return new SdkError(SdkErrorCode.InvalidResult, `Invalid result for ${asked}: ${issueText(issues)}`, { method: asked }, { cause: error });
  }
  if (!(error instanceof Error) || error instanceof ProtocolError || error instanceof SdkError) return error;
  if (error instanceof StreamableHTTPError) return typeof error.code === 'number' ? fromStatus(error, error.code) : error;
  const refused = oauthErrorV2(error);
  if (refused !== undefined) return refused;
  const kind = refusalKind(error);
  // Of a request it is a plain error.
  if (kind === 'not_connected' && asked !== undefined) return error;
  if (kind === 'invalid_params') return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  return kind === undefined ? error : new SdkError(REFUSALS[kind], error.message, undefined, { cause: brief(error) });
}

/** Drops the stack of a cause that only repeats its error's message, so that one stack is printed. */
function brief(error: Error): Error {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

function fromMcpError(error: McpError, asked: string | undefined): Error {
  const message = wordsOf(error);
  if (!error.local) return ProtocolError.fromError(error.code, message, error.data);
  const code = kindRow(error.kind)?.v2 ?? '';
  if (error.kind === 'unauthorized') return error;
  if (error.kind === 'usage') {
    const unsupported = methodOfOtherRevisions(error);
    if (unsupported !== undefined) return unsupported;
  }
  const { http } = (error.data ?? {}) as { http?: object };
  let chosen = LOCAL_CODES.has(code) ? (code as SdkErrorCode) : SdkErrorCode.SendFailed;
  // The engine names the content type of a response that is not an answer.
  if (http !== undefined && 'contentType' in http) chosen = SdkErrorCode.ClientHttpUnexpectedContent;
  // A request that the program cancelled has the code of a timeout.
  else if (error.kind === 'cancelled') chosen = SdkErrorCode.RequestTimeout;
  else if (error.kind === 'protocol' && asked !== undefined) return unusableResult(error, message, asked);
  return new SdkError(chosen, message, error.data, { cause: brief(error) });
}

/**
 * The error for a request that the connection's revision does not have; `undefined` for other mistakes. A
 * request that only servers send in that revision is a mistake of another kind.
 */
function methodOfOtherRevisions(error: McpError): SdkError | undefined {
  const { method = '', revision } = (error.data ?? {}) as { method?: string; revision?: string };
  const row = METHOD_ROWS[method];
  if (row?.kind !== 'request' || revision === undefined) return undefined;
  const isModern = MODERN_REVISIONS.includes(revision);
  if (row.sentBy === 'server' && !isModern) return undefined;
  // Official packages name revisions that share their methods by the last of them.
  const era = isModern ? LATEST_MODERN : LATEST_LEGACY;
  const words = `Method '${method}' is not supported by the negotiated protocol version (wire era ${era})`;
  return new SdkError(SdkErrorCode.MethodNotSupportedByProtocolVersion, words, { method, era }, { cause: brief(error) });
}

/** What the engine adds to the error of a result that it did not take. */
interface ResultFacts {
  /** The type of the result. */
  resultType?: string;
  /** After how many rounds of questions it gave up. */
  rounds?: number;
  /** What the server asked last. */
  lastResult?: { resultType?: string };
  /** The question that this client cannot be asked. */
  key?: string;
  /** The method of that question. */
  method?: string;
}

/** The error for a result that the engine did not take. */
function unusableResult(error: McpError, message: string, asked: string): SdkError {
  const facts = (error.data ?? {}) as ResultFacts;
  const cause = { cause: brief(error) };
  if (facts.rounds !== undefined) {
    const { resultType: _, ...lastResult } = facts.lastResult ?? {};
    const words = `Multi-round-trip request '${asked}' still required input after ${facts.rounds} rounds (inputRequired.maxRounds)`;
    return new SdkError(SdkErrorCode.InputRequiredRoundsExceeded, words, { rounds: facts.rounds, lastResult }, cause);
  }
  if (facts.resultType !== undefined) {
    const data = { resultType: facts.resultType, method: asked };
    return new SdkError(SdkErrorCode.UnsupportedResultType, `Unsupported result type '${facts.resultType}' for ${asked}`, data, cause);
  }
  if (facts.key !== undefined) {
    const words =
      `Cannot fulfil input request '${facts.key}': no handler is registered for '${facts.method}' on this client. Declare the ` +
      'corresponding capability and register a handler, or handle input_required results manually.';
    return new SdkError(SdkErrorCode.CapabilityNotSupported, words, error.data, cause);
  }
  return new SdkError(SdkErrorCode.InvalidResult, `Invalid result for ${asked}: ${message}`, { method: asked }, cause);
}

function fromStatus(error: StreamableHTTPError, status: number): SdkError {
  const codes: Record<number, SdkErrorCode> = {
    401: SdkErrorCode.ClientHttpAuthentication,
    403: SdkErrorCode.ClientHttpForbidden,
    501: SdkErrorCode.ClientHttpNotImplemented,
  };
  const { words: message, text, contentType } = factsOf(error);
  if (status < 0) {
    return new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, message, { contentType }, { cause: brief(error) });
  }
  // Loaded late, because a server on standard streams does not need `node:http`.
  const { STATUS_CODES } = require('node:http') as typeof import('node:http');
  const statusText = STATUS_CODES[status];
  const data = { status, ...(statusText !== undefined && { statusText }), ...(text !== undefined && { text }) };
  return new SdkHttpError(codes[status] ?? SdkErrorCode.ClientHttpNotImplemented, message, data, { cause: brief(error) });
}

/** Awaits a function and converts its error to the 2.x face. `signal` is that of the request. */
export async function inV2<T>(body: () => Promise<T>, asked?: string, signal?: AbortSignal): Promise<T> {
  try {
    return await body();
  } catch (error) {
    // Before it is sent, a request that was cancelled fails with the bare reason.
    if (signal?.aborted && error === signal.reason) throw abortedV2(signal);
    throw errorV2(error, asked);
  }
}

/** The error of a request that is cancelled before it is sent. */
export function abortedV2({ reason }: AbortSignal): SdkError {
  return reason instanceof SdkError ? reason : new SdkError(SdkErrorCode.RequestTimeout, String(reason));
}

/** Runs a check and converts its error to the 2.x face. */
export function spoken<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw errorV2(error);
  }
}
