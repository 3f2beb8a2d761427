/**
 * The errors of the 2.x face. Owns: their classes, codes and texts. Must not know: the
 * addon, and how an error of the other face becomes one of these.
 */
import type { ClientCapabilities, ElicitRequestURLParams } from '../../types';

/** Codes of errors that cross a connection. */
export enum ProtocolErrorCode {
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
  /** The resource does not exist; peers of earlier revisions say it this way. */
  ResourceNotFound = -32002,
  /** The request needs something the client did not declare. */
  MissingRequiredClientCapability = -32021,
  /** The revision is not one of the receiver's. */
  UnsupportedProtocolVersion = -32022,
  /** The user has to visit a URL first. */
  UrlElicitationRequired = -32042,
}

/** What goes wrong on this side. */
export enum SdkErrorCode {
  /** The client or server is not connected. */
  NotConnected = 'NOT_CONNECTED',
  /** There is a connection already. */
  AlreadyConnected = 'ALREADY_CONNECTED',
  /** The handshake is not over. */
  NotInitialized = 'NOT_INITIALIZED',
  /** The other side did not declare what this needs. */
  CapabilityNotSupported = 'CAPABILITY_NOT_SUPPORTED',
  /** No answer came in time. */
  RequestTimeout = 'REQUEST_TIMEOUT',
  /** The connection ended before the answer came. */
  ConnectionClosed = 'CONNECTION_CLOSED',
  /** A message could not be sent. */
  SendFailed = 'SEND_FAILED',
  /** The answer is not what the method answers. */
  InvalidResult = 'INVALID_RESULT',
  /** The answer is of an unknown kind. */
  UnsupportedResultType = 'UNSUPPORTED_RESULT_TYPE',
  /** The server asked again and again. */
  InputRequiredRoundsExceeded = 'INPUT_REQUIRED_ROUNDS_EXCEEDED',
  /** A list has more pages than are read. */
  ListPaginationExceeded = 'LIST_PAGINATION_EXCEEDED',
  /** The revision in use has no such method. */
  MethodNotSupportedByProtocolVersion = 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
  /** No revision could be agreed on. */
  EraNegotiationFailed = 'ERA_NEGOTIATION_FAILED',
  /** The server does not do this over HTTP. */
  ClientHttpNotImplemented = 'CLIENT_HTTP_NOT_IMPLEMENTED',
  /** The server wants other credentials. */
  ClientHttpAuthentication = 'CLIENT_HTTP_AUTHENTICATION',
  /** The credentials do not suffice. */
  ClientHttpForbidden = 'CLIENT_HTTP_FORBIDDEN',
  /** The server answered with something else than JSON or events. */
  ClientHttpUnexpectedContent = 'CLIENT_HTTP_UNEXPECTED_CONTENT',
  /** The server does not open a stream. */
  ClientHttpFailedToOpenStream = 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM',
  /** The server does not end the session. */
  ClientHttpFailedToTerminateSession = 'CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION',
}

type AnyClass = abstract new (...parts: never[]) => unknown;

/** `instanceof` as a function; says so when it was taken off its class. */
export function isOf(self: unknown, value: unknown): boolean {
  if (typeof self !== 'function') {
    throw new TypeError('isInstance must be called on the class; as a callback write v => SdkError.isInstance(v)');
  }
  return value instanceof (self as AnyClass);
}

/** An error that came over a connection, or is to go over it. */
export class ProtocolError extends Error {
  /** The JSON-RPC code. */
  readonly code: number;
  /** What came with it. */
  readonly data?: unknown;

  /** An error with a code. */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
    this.name = 'ProtocolError';
  }

  /** Whether a value is of this class. */
  static isInstance<T extends AnyClass>(this: T, value: unknown): value is InstanceType<T> {
    return isOf(this, value);
  }

  /** The error for a code: the class that fits it best. */
  static fromError(code: number, message: string, data?: unknown): ProtocolError {
    const parts = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
    return fitting(code, message, parts) ?? new ProtocolError(code, message, data);
  }
}

/** The resource does not exist. */
export class ResourceNotFoundError extends ProtocolError {
  /** The error for a URI. */
  constructor(uri: string, message = `Resource not found: ${uri}`) {
    super(ProtocolErrorCode.InvalidParams, message, { uri });
  }

  /** What was asked for. */
  get uri(): string {
    return (this.data as { uri: string }).uri;
  }
}

/** The user has to visit one or more URLs before the request can go on. */
export class UrlElicitationRequiredError extends ProtocolError {
  /** An error that lists what the user has to do. */
  constructor(elicitations: ElicitRequestURLParams[], message?: string) {
    const several = elicitations.length > 1 ? 's' : '';
    super(ProtocolErrorCode.UrlElicitationRequired, message ?? `URL elicitation${several} required`, { elicitations });
  }

  /** What the user has to do. */
  get elicitations(): ElicitRequestURLParams[] {
    return (this.data as { elicitations?: ElicitRequestURLParams[] } | undefined)?.elicitations ?? [];
  }
}

/** What came with an `UnsupportedProtocolVersionError`. */
export interface UnsupportedProtocolVersionErrorData {
  /** The revisions that the refusing side supports. */
  supported: string[];
  /** The one that was asked for. */
  requested: string;
}

/** The revision is not one of the receiver's. */
export class UnsupportedProtocolVersionError extends ProtocolError {
  /** The error with what there is instead. */
  constructor(data: UnsupportedProtocolVersionErrorData, message = `Unsupported protocol version: ${data.requested}`) {
    super(ProtocolErrorCode.UnsupportedProtocolVersion, message, data);
  }

  /** The revisions that the refusing side supports. */
  get supported(): string[] {
    return (this.data as UnsupportedProtocolVersionErrorData).supported;
  }

  /** The one that was asked for. */
  get requested(): string {
    return (this.data as UnsupportedProtocolVersionErrorData).requested;
  }
}

/** What came with a `MissingRequiredClientCapabilityError`. */
export interface MissingRequiredClientCapabilityErrorData {
  /** What the client would have to declare. */
  requiredCapabilities: ClientCapabilities;
}

/** The request needs something the client did not declare. */
export class MissingRequiredClientCapabilityError extends ProtocolError {
  /** The error with what is missing. */
  constructor(data: MissingRequiredClientCapabilityErrorData, message?: string) {
    const names = Object.keys(data.requiredCapabilities).join(', ');
    const text = message ?? `Missing required client capabilities: ${names}`;
    super(ProtocolErrorCode.MissingRequiredClientCapability, text, data);
  }

  /** What the client would have to declare. */
  get requiredCapabilities(): ClientCapabilities {
    return (this.data as MissingRequiredClientCapabilityErrorData).requiredCapabilities;
  }
}

/** The class for a code whose data are as that class wants them. */
function fitting(code: number, message: string, data: Record<string, unknown>): ProtocolError | undefined {
  const { elicitations, supported, requested, uri, requiredCapabilities } = data;
  switch (code) {
    case ProtocolErrorCode.UrlElicitationRequired:
      return elicitations ? new UrlElicitationRequiredError(elicitations as ElicitRequestURLParams[], message) : undefined;
    case ProtocolErrorCode.UnsupportedProtocolVersion:
      if (!Array.isArray(supported) || typeof requested !== 'string') return undefined;
      return new UnsupportedProtocolVersionError({ supported: supported as string[], requested }, message);
    case ProtocolErrorCode.InvalidParams:
      // Other errors with this code have other data.
      if (typeof uri !== 'string' || Object.keys(data).length !== 1) return undefined;
      return new ResourceNotFoundError(uri, message);
    case ProtocolErrorCode.ResourceNotFound:
      return typeof uri === 'string' ? new ResourceNotFoundError(uri, message) : undefined;
    case ProtocolErrorCode.MissingRequiredClientCapability: {
      const named = typeof requiredCapabilities === 'object' && requiredCapabilities !== null && !Array.isArray(requiredCapabilities);
      if (!named) return undefined;
      return new MissingRequiredClientCapabilityError({ requiredCapabilities: requiredCapabilities as ClientCapabilities }, message);
    }
    default:
      return undefined;
  }
}

/** Something went wrong on this side; no peer said it. */
export class SdkError extends Error {
  /** What went wrong. */
  readonly code: SdkErrorCode;
  /** What is known besides. */
  readonly data?: unknown;

  /** An error with a code; `options` has the cause. */
  constructor(code: SdkErrorCode, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
    this.name = 'SdkError';
  }

  /** Whether a value is of this class. */
  static isInstance<T extends AnyClass>(this: T, value: unknown): value is InstanceType<T> {
    return isOf(this, value);
  }
}

/** What a server answered over HTTP. */
export interface SdkHttpErrorData {
  /** The status. */
  status: number;
  /** Its words. */
  statusText?: string;
  /** What else is known, e.g. the body. */
  [key: string]: unknown;
}

/** A server refused over HTTP. */
export class SdkHttpError extends SdkError {
  declare readonly data: SdkHttpErrorData;

  /** An error with a status. */
  constructor(code: SdkErrorCode, message: string, data: SdkHttpErrorData, options?: ErrorOptions) {
    super(code, message, data, options);
    this.name = 'SdkHttpError';
  }

  /** The status. */
  get status(): number {
    return this.data.status;
  }

  /** Its words. */
  get statusText(): string | undefined {
    return this.data.statusText;
  }
}
