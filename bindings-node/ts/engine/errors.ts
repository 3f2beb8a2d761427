/**
 * Converting failures to errors and back, for the 1.x face. Owns: the class of each failure, and
 * the wire form of a thrown value. Must not know: servers, clients; the classes are in `protocol/mcp-error`.
 */
import { kindRow, type Failure } from './failure';
import { withoutHalves } from './halves';
import {
  ConnectionClosedError,
  ErrorCode,
  ForbiddenError,
  McpError,
  OverloadedError,
  ProtocolViolationError,
  RequestCancelledError,
  RequestTimeoutError,
  StoreError,
  TransportError,
  UnauthorizedError,
  UsageError,
} from '../protocol/mcp-error';

export * from '../protocol/mcp-error';

type LocalClass = new (code: number, message: string, data?: unknown) => McpError;

const LOCAL: Record<string, LocalClass> = {
  timeout: RequestTimeoutError,
  closed: ConnectionClosedError,
  cancelled: RequestCancelledError,
  overloaded: OverloadedError,
  transport: TransportError,
  protocol: ProtocolViolationError,
  forbidden: ForbiddenError,
  store: StoreError,
  usage: UsageError,
};

/** The error code that the 1.x face shows for a failure of this side. */
function shownCode(failure: Failure): number {
  // In the official package, a cancelled request fails as one that timed out.
  if (failure.kind === 'cancelled') return ErrorCode.RequestTimeout;
  const name = kindRow(failure.kind)?.v1 as keyof typeof ErrorCode | undefined;
  return (name && ErrorCode[name]) || failure.code;
}

/** Converts a failure to an error of the 1.x face. */
export function errorFrom(failure: Failure): McpError {
  if (failure.kind === 'unauthorized') return new UnauthorizedError(failure.message, failure.data);
  const local = LOCAL[failure.kind];
  if (local !== undefined) return new local(shownCode(failure), failure.message, failure.data);
  const error = McpError.fromError(failure.code, failure.message, failure.data);
  if (error.kind !== failure.kind) {
    Object.defineProperty(error, 'kind', { value: failure.kind, configurable: true });
  }
  return error;
}

/** Converts a value that a handler threw to its wire form: its code if it has one, its message, its data. */
export function failureFrom(error: unknown): Failure {
  try {
    return read(error);
  } catch {
    // Reading the value's members throws as well.
    return { kind: '', code: ErrorCode.InternalError, message: 'Internal error' };
  }
}

function read(error: unknown): Failure {
  const parts = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  const code = Number.isSafeInteger(parts.code) ? (parts.code as number) : ErrorCode.InternalError;
  const failure: Failure = { kind: '', code, message: withoutHalves(messageOf(error, parts.message)) };
  if (parts.data !== undefined && isJson(parts.data)) failure.data = parts.data;
  return failure;
}

/** Whether data can be sent; otherwise it is left out, so that the message still arrives. */
function isJson(data: unknown): boolean {
  try {
    return JSON.stringify(data) !== undefined;
  } catch {
    return false;
  }
}

function messageOf(error: unknown, message: unknown): string {
  if (typeof message === 'string') return message;
  if (message !== undefined && message !== null) return String(message);
  return typeof error === 'string' && error !== '' ? error : 'Internal error';
}
