/**
 * The errors of the 1.x face. Owns: their classes, codes and texts. Must not know: the
 * addon, so that code that only wants types and errors never loads it.
 */
import type { ElicitRequestURLParams } from '../generated/types';

/** Codes of JSON-RPC errors, and of what fails on this side. */
export enum ErrorCode {
  /** The connection ended before the answer came. */
  ConnectionClosed = -32000,
  /** No answer came in time. */
  RequestTimeout = -32001,
  /** What was received is not JSON. */
  ParseError = -32700,
  /** What was received is not a request. */
  InvalidRequest = -32600,
  /** The receiver does not know the method. */
  MethodNotFound = -32601,
  /** The parameters are not those of the method. */
  InvalidParams = -32602,
  /** The receiver failed. */
  InternalError = -32603,
  /** The user has to visit a URL first. */
  UrlElicitationRequired = -32042,
}

/** What each code is called below the boundary, where the code alone tells. */
const KINDS: Record<number, string> = {
  [ErrorCode.ParseError]: 'parse',
  [ErrorCode.InvalidRequest]: 'invalid_request',
  [ErrorCode.MethodNotFound]: 'method_not_found',
  [ErrorCode.InvalidParams]: 'invalid_params',
  [ErrorCode.InternalError]: 'internal',
  [ErrorCode.UrlElicitationRequired]: 'url_elicitation_required',
};

/** Classes of errors that say what failed in words of their own. */
const OWN_WORDS = new Set<unknown>();

/**
 * An error that came over a connection, or is to go over it. What failed on this side is
 * a subclass with `local` set; catching `McpError` catches both.
 */
export class McpError extends Error {
  /** The JSON-RPC code. */
  readonly code: number;
  /** What came with it. */
  readonly data?: unknown;

  /** An error with a code; the message is shown as `MCP error CODE: MESSAGE`. */
  constructor(code: number, message: string, data?: unknown) {
    // What arose here, before anything was sent, was not said by a peer.
    super(OWN_WORDS.has(new.target) ? message : `MCP error ${code}: ${message}`);
    this.code = code;
    this.data = data;
    this.name = 'McpError';
  }

  /** What kind of failure it is, e.g. `timeout`; `peer` if only the code tells. */
  get kind(): string {
    return KINDS[this.code] ?? 'peer';
  }

  /** Whether it failed on this side; no peer said it. */
  get local(): boolean {
    return false;
  }

  /** The error for a code: the class that fits it best. */
  static fromError(code: number, message: string, data?: unknown): McpError {
    const elicitations = (data as { elicitations?: unknown } | null | undefined)?.elicitations;
    if (code === ErrorCode.UrlElicitationRequired && elicitations) {
      return new UrlElicitationRequiredError(elicitations as ElicitRequestURLParams[], message);
    }
    return new McpError(code, message, data);
  }
}

/** The user has to visit one or more URLs before the request can go on. */
export class UrlElicitationRequiredError extends McpError {
  /** An error that lists what the user has to do. */
  constructor(elicitations: ElicitRequestURLParams[], message?: string) {
    const several = elicitations.length > 1 ? 's' : '';
    super(ErrorCode.UrlElicitationRequired, message ?? `URL elicitation${several} required`, { elicitations });
  }

  /** What the user has to do. */
  get elicitations(): ElicitRequestURLParams[] {
    return (this.data as { elicitations?: ElicitRequestURLParams[] } | undefined)?.elicitations ?? [];
  }
}

/** What failed on this side. */
class LocalError extends McpError {
  override get local(): boolean {
    return true;
  }
}

/** No answer came in time. */
export class RequestTimeoutError extends LocalError {
  override get kind(): string {
    return 'timeout';
  }
}

/** The connection ended before the answer came. */
export class ConnectionClosedError extends LocalError {
  override get kind(): string {
    return 'closed';
  }
}

/** The request was withdrawn. */
export class RequestCancelledError extends LocalError {
  override get kind(): string {
    return 'cancelled';
  }
}

/** A limit of this side is reached; nothing was sent. */
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

/** The peer answered something the protocol does not allow. */
export class ProtocolViolationError extends LocalError {
  override get kind(): string {
    return 'protocol';
  }
}

/** The peer wants other credentials. */
export class UnauthorizedError extends LocalError {
  /** `message` is `Unauthorized` if nothing better is known. */
  constructor(message?: string, data?: unknown) {
    super(ErrorCode.InternalError, '', data);
    this.message = message ?? 'Unauthorized';
    // Programs of the official package look at the name.
    this.name = 'Error';
  }

  override get kind(): string {
    return 'unauthorized';
  }
}

/** The credentials do not suffice. */
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

/** The program asked for something that makes no sense; the message says what to do. */
export class UsageError extends LocalError {
  override get kind(): string {
    return 'usage';
  }
}

for (const each of [OverloadedError, TransportError, StoreError, UsageError]) OWN_WORDS.add(each);
