/**
 * Converting errors of the 1.x face to the 2.x face. Owns: which class an error has here. Must not
 * know: who requested what.
 */
import { kindRow } from '../failure';
import { McpError } from '../mcp-error';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from './errors';
import { issueText, type StandardIssue } from './standard';

const PREFIX = /^MCP error -?\d+: /;
const HTTP_PREFIX = /^Streamable HTTP error: /;
/** What our own advice adds to a server's message. */
const ADVICE = / \(404 at [^()]*\)$/;
const NO_ANSWER = /neither JSON nor an event stream/;
const LOCAL_CODES = new Set<string>(Object.values(SdkErrorCode));
/** Messages of plain errors in 1.x, and their codes in 2.x. */
const PLAIN: [RegExp, SdkErrorCode][] = [
  [/^Not connected$/, SdkErrorCode.NotConnected],
  [/^Already connected|already connected/, SdkErrorCode.AlreadyConnected],
  [/does not support/, SdkErrorCode.CapabilityNotSupported],
];

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
  const status = (error as { code?: unknown }).code;
  if (error.constructor.name === 'StreamableHTTPError' && typeof status === 'number') return fromStatus(error, status);
  if (error.constructor !== Error) return error;
  const known = PLAIN.find(([words]) => words.test(error.message));
  return known === undefined ? error : new SdkError(known[1], error.message, undefined, { cause: brief(error) });
}

/** Drops the stack of a cause that only repeats its error's message, so that one stack is printed. */
function brief(error: Error): Error {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

function fromMcpError(error: McpError): Error {
  const message = error.message.replace(PREFIX, '');
  if (!error.local) return ProtocolError.fromError(error.code, message, error.data);
  const code = kindRow(error.kind)?.v2 ?? '';
  if (error.kind === 'unauthorized') return error;
  if (NO_ANSWER.test(message)) return new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, message, error.data, { cause: brief(error) });
  // A request that the program cancelled has the code of a timeout.
  if (error.kind === 'cancelled') return new SdkError(SdkErrorCode.RequestTimeout, message, error.data, { cause: brief(error) });
  const chosen = LOCAL_CODES.has(code) ? (code as SdkErrorCode) : SdkErrorCode.SendFailed;
  return new SdkError(chosen, message, error.data, { cause: brief(error) });
}

function fromStatus(error: Error, status: number): SdkError {
  const codes: Record<number, SdkErrorCode> = {
    401: SdkErrorCode.ClientHttpAuthentication,
    403: SdkErrorCode.ClientHttpForbidden,
    501: SdkErrorCode.ClientHttpNotImplemented,
  };
  const message = error.message.replace(HTTP_PREFIX, '');
  if (status < 0) {
    const contentType = message.replace(/^Unexpected content type: /, '');
    return new SdkError(SdkErrorCode.ClientHttpUnexpectedContent, message, { contentType }, { cause: brief(error) });
  }
  // Loaded late, because a server on standard streams does not need `node:http`.
  const { STATUS_CODES } = require('node:http') as typeof import('node:http');
  const statusText = STATUS_CODES[status];
  const text = message.replace(/^Error POSTing to endpoint: /, '').replace(ADVICE, '');
  const data = { status, ...(statusText !== undefined && { statusText }), ...(text !== message.replace(ADVICE, '') && { text }) };
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
