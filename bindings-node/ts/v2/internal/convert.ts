/**
 * The errors of the engine room in the classes of the 2.x face. Owns: which class and code each has
 * here. Must not know: who requested what.
 */
import { kindRow } from '../../engine/failure';
import { factsOf, StreamableHTTPError } from '../../common/client/http-error';
import { McpError, wordsOf } from '../../protocol/mcp-error';
import { refusalKind, type RefusalKind } from '../../protocol/refusal';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from './errors';
import { issueText, type StandardIssue } from './standard';

const LOCAL_CODES = new Set<string>(Object.values(SdkErrorCode));
/** The codes of plain errors, by the kind of refusal. */
const REFUSALS: Record<RefusalKind, SdkErrorCode> = {
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
  if (error instanceof McpError) return fromMcpError(error);
  const issues = asked === undefined ? undefined : issuesOf(error);
  if (issues !== undefined) {
    return new SdkError(SdkErrorCode.InvalidResult, `Invalid result for ${asked}: ${issueText(issues)}`, undefined, { cause: error });
  }
  if (!(error instanceof Error) || error instanceof ProtocolError || error instanceof SdkError) return error;
  if (error instanceof StreamableHTTPError) return typeof error.code === 'number' ? fromStatus(error, error.code) : error;
  const kind = refusalKind(error);
  return kind === undefined ? error : new SdkError(REFUSALS[kind], error.message, undefined, { cause: brief(error) });
}

/** Drops the stack of a cause that only repeats its error's message, so that one stack is printed. */
function brief(error: Error): Error {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

function fromMcpError(error: McpError): Error {
  const message = wordsOf(error);
  if (!error.local) return ProtocolError.fromError(error.code, message, error.data);
  const code = kindRow(error.kind)?.v2 ?? '';
  if (error.kind === 'unauthorized') return error;
  const { http } = (error.data ?? {}) as { http?: object };
  let chosen = LOCAL_CODES.has(code) ? (code as SdkErrorCode) : SdkErrorCode.SendFailed;
  // The engine names the content type of a response that is not an answer.
  if (http !== undefined && 'contentType' in http) chosen = SdkErrorCode.ClientHttpUnexpectedContent;
  // A request that the program cancelled has the code of a timeout.
  else if (error.kind === 'cancelled') chosen = SdkErrorCode.RequestTimeout;
  return new SdkError(chosen, message, error.data, { cause: brief(error) });
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

/** Awaits a function and converts its error to the 2.x face. */
export async function inV2<T>(body: () => Promise<T>, asked?: string): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw errorV2(error, asked);
  }
}

/** Runs a check and converts its error to the 2.x face. */
export function spoken<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw errorV2(error);
  }
}
