/**
 * The errors of the 1.x face. Owns: their classes, codes and texts. Must not know: the addon, so
 * that programs that only need types and errors never load it.
 */
import type { ElicitRequestURLParams } from '../generated/types';

/** Codes of JSON-RPC errors, and of failures on this side. */
export enum ErrorCode {
  /** The connection ended before the answer arrived. */
  ConnectionClosed = -32000,
  /** No answer arrived in time. */
  RequestTimeout = -32001,
  /** The message is not valid JSON. */
  ParseError = -32700,
  /** The message is not a valid request. */
  InvalidRequest = -32600,
  /** The method is unknown. */
  MethodNotFound = -32601,
  /** The parameters are not valid for the method. */
  InvalidParams = -32602,
  /** The receiver failed. */
  InternalError = -32603,
  /** The user has to visit a URL first. */
  UrlElicitationRequired = -32042,
}

/** The engine's kinds of errors that follow from the code alone. */
const KINDS: Record<number, string> = {
  [ErrorCode.ParseError]: 'parse',
  [ErrorCode.InvalidRequest]: 'invalid_request',
  [ErrorCode.MethodNotFound]: 'method_not_found',
  [ErrorCode.InvalidParams]: 'invalid_params',
  [ErrorCode.InternalError]: 'internal',
  [ErrorCode.UrlElicitationRequired]: 'url_elicitation_required',
};

/** Error classes whose message is used as it is. */
const OWN_WORDS = new Set<unknown>();

const prefixOf = (code: number): string => `MCP error ${code}: `;

/** The message of an error without the prefix that its class adds. */
export function wordsOf({ code, message }: McpError): string {
  const prefix = prefixOf(code);
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

/**
 * A JSON-RPC error: received from the other side, or to be sent to it. Failures of this side are
 * subclasses with `local` set; catching `McpError` catches both.
 */
export class McpError extends Error {
  /** The JSON-RPC error code. */
  readonly code: number;
  /** Additional information about the error. */
  readonly data?: unknown;

  /**
   * Creates an error with a code. Its message reads `MCP error CODE: MESSAGE`.
   * @param code - The code, such as one of `ErrorCode`.
   * @param message - What went wrong.
   * @param data - Further data for the other side, any JSON value. Default: none.
   */
  constructor(code: number, message: string, data?: unknown) {
    // Errors that arise here, before anything was sent, have no prefix.
    super(OWN_WORDS.has(new.target) ? message : `${prefixOf(code)}${message}`);
    this.code = code;
    this.data = data;
    this.name = 'McpError';
  }

  /** The kind of failure, e.g. `timeout`; `peer` if only the code is known. */
  get kind(): string {
    return KINDS[this.code] ?? 'peer';
  }

  /** Whether the failure occurred on this side; if not, the other side sent the error. */
  get local(): boolean {
    return false;
  }

  /**
   * Creates an error for a code, with the most specific class that fits.
   * @param code - The code.
   * @param message - What went wrong.
   * @param data - Further data. Default: none.
   */
  static fromError(code: number, message: string, data?: unknown): McpError {
    const elicitations = (data as { elicitations?: unknown } | null | undefined)?.elicitations;
    if (code === ErrorCode.UrlElicitationRequired && elicitations) {
      return new UrlElicitationRequiredError(elicitations as ElicitRequestURLParams[], message);
    }
    return new McpError(code, message, data);
  }
}

/** The user has to visit one or more URLs before the request can continue. */
export class UrlElicitationRequiredError extends McpError {
  /**
   * Creates an error that lists what the user has to do.
   * @param elicitations - The questions with the URLs that the user has to visit.
   * @param message - What went wrong. Default: a text that says that URLs have to be visited.
   */
  constructor(elicitations: ElicitRequestURLParams[], message?: string) {
    const several = elicitations.length > 1 ? 's' : '';
    super(ErrorCode.UrlElicitationRequired, message ?? `URL elicitation${several} required`, { elicitations });
  }

  /** What the user has to do. */
  get elicitations(): ElicitRequestURLParams[] {
    return (this.data as { elicitations?: ElicitRequestURLParams[] } | undefined)?.elicitations ?? [];
  }
}

/** A failure on this side. */
class LocalError extends McpError {
  override get local(): boolean {
    return true;
  }
}

/** No answer arrived in time. */
export class RequestTimeoutError extends LocalError {
  override get kind(): string {
    return 'timeout';
  }
}

/** The connection ended before the answer arrived. */
export class ConnectionClosedError extends LocalError {
  override get kind(): string {
    return 'closed';
  }
}

/** The request was cancelled. */
export class RequestCancelledError extends LocalError {
  override get kind(): string {
    return 'cancelled';
  }
}

/** A limit of this side was reached; nothing was sent. */
export class OverloadedError extends LocalError {
  override get kind(): string {
    return 'overloaded';
  }
}

/** The peer cannot be reached, or the connection broke. */
export class TransportError extends LocalError {
  override get kind(): string {
    return 'transport';
  }
}

/** The peer sent something that the protocol does not allow. */
export class ProtocolViolationError extends LocalError {
  override get kind(): string {
    return 'protocol';
  }
}

/** The server does not accept the credentials. */
export class UnauthorizedError extends LocalError {
  /**
   * Creates an error; the default message is `Unauthorized`.
   * @param message - What went wrong. Default: `Unauthorized`.
   * @param data - Further data, any JSON value. Default: none.
   */
  constructor(message?: string, data?: unknown) {
    super(ErrorCode.InternalError, '', data);
    this.message = message ?? 'Unauthorized';
    // Programs for the official package compare the name.
    this.name = 'Error';
  }

  override get kind(): string {
    return 'unauthorized';
  }
}

/** The credentials do not permit the request. */
export class ForbiddenError extends LocalError {
  override get kind(): string {
    return 'forbidden';
  }
}

/** A store failed. */
export class StoreError extends LocalError {
  override get kind(): string {
    return 'store';
  }
}

/** The program used the API wrongly; the message says what to do instead. */
export class UsageError extends LocalError {
  override get kind(): string {
    return 'usage';
  }
}

for (const each of [OverloadedError, TransportError, StoreError, UsageError]) OWN_WORDS.add(each);
