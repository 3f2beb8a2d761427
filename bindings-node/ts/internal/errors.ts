/**
 * Failures as errors and back, for the 1.x face. Owns: which class a failure becomes, and
 * what a thrown value is on the wire. Must not know: servers, clients; the classes are in
 * `mcp-error`.
 */
import { kindRow, type Failure } from './failure';
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
} from './mcp-error';

export * from './mcp-error';

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

/** The code that the 1.x face shows for a failure of this side. */
function shownCode(failure: Failure): number {
  // The official package ends a withdrawn request as one that timed out.
  if (failure.kind === 'cancelled') return ErrorCode.RequestTimeout;
  const name = kindRow(failure.kind)?.v1 as keyof typeof ErrorCode | undefined;
  return (name && ErrorCode[name]) || failure.code;
}

/** The error a failure is in the 1.x face. */
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

/** What a value that a handler threw is on the wire: its own code if it has one, its message, its data. */
export function failureFrom(error: unknown): Failure {
  try {
    return read(error);
  } catch {
    // Even looking at it throws.
    return { kind: '', code: ErrorCode.InternalError, message: 'Internal error' };
  }
}

function read(error: unknown): Failure {
  const parts = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  const code = Number.isSafeInteger(parts.code) ? (parts.code as number) : ErrorCode.InternalError;
  const failure: Failure = { kind: '', code, message: messageOf(error, parts.message) };
  if (parts.data !== undefined && isJson(parts.data)) failure.data = parts.data;
  return failure;
}

/** Whether it can be sent; what cannot is left out, so that the message arrives. */
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
