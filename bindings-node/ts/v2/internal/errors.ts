/**
 * The errors of the 2.x face. Owns: their classes, codes and texts. Must not know: the addon, and
 * how errors of the other face are converted to these.
 */
import type { ClientCapabilities, ElicitRequestURLParams } from '../../protocol/types';

/** Codes of JSON-RPC errors. */
export enum ProtocolErrorCode {
  /** The message is not valid JSON. */
  ParseError = -32700,
  /** The message is not a valid request. */
  InvalidRequest = -32600,
  /** The method is unknown. */
  MethodNotFound = -32601,
  /** The parameters are not valid for the method. */
  InvalidParams = -32602,
  /** The receiver failed to handle the request. */
  InternalError = -32603,
  /** The resource does not exist; used up to 2025-11-25. */
  ResourceNotFound = -32002,
  /** The request needs a capability that the client did not declare. */
  MissingRequiredClientCapability = -32021,
  /** The receiver does not support the revision. */
  UnsupportedProtocolVersion = -32022,
  /** The user has to visit a URL first (2025-11-25). */
  UrlElicitationRequired = -32042,
}

/** Codes of errors that occur on this side. */
export enum SdkErrorCode {
  /** The client or server is not connected. */
  NotConnected = 'NOT_CONNECTED',
  /** There is a connection already. */
  AlreadyConnected = 'ALREADY_CONNECTED',
  /** The handshake is not complete. */
  NotInitialized = 'NOT_INITIALIZED',
  /** The other side did not declare the needed capability. */
  CapabilityNotSupported = 'CAPABILITY_NOT_SUPPORTED',
  /** No answer arrived in time. */
  RequestTimeout = 'REQUEST_TIMEOUT',
  /** The connection ended before the answer arrived. */
  ConnectionClosed = 'CONNECTION_CLOSED',
  /** A message could not be sent. */
  SendFailed = 'SEND_FAILED',
  /** The result is not valid for the method. */
  InvalidResult = 'INVALID_RESULT',
  /** The result has an unknown `resultType`. */
  UnsupportedResultType = 'UNSUPPORTED_RESULT_TYPE',
  /** The server asked in more rounds than allowed. */
  InputRequiredRoundsExceeded = 'INPUT_REQUIRED_ROUNDS_EXCEEDED',
  /** A list has more pages than allowed. */
  ListPaginationExceeded = 'LIST_PAGINATION_EXCEEDED',
  /** The negotiated revision does not have this method. */
  MethodNotSupportedByProtocolVersion = 'METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION',
  /** No common revision was found. */
  EraNegotiationFailed = 'ERA_NEGOTIATION_FAILED',
  /** The server does not implement this over HTTP. */
  ClientHttpNotImplemented = 'CLIENT_HTTP_NOT_IMPLEMENTED',
  /** The server does not accept the credentials. */
  ClientHttpAuthentication = 'CLIENT_HTTP_AUTHENTICATION',
  /** The credentials do not permit the request. */
  ClientHttpForbidden = 'CLIENT_HTTP_FORBIDDEN',
  /** The response is neither JSON nor a stream of events. */
  ClientHttpUnexpectedContent = 'CLIENT_HTTP_UNEXPECTED_CONTENT',
  /** The server refused to open a stream. */
  ClientHttpFailedToOpenStream = 'CLIENT_HTTP_FAILED_TO_OPEN_STREAM',
  /** The server refused to end the session. */
  ClientHttpFailedToTerminateSession = 'CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION',
}

type AnyClass = abstract new (...parts: never[]) => unknown;

/** Implements `isInstance`; throws a helpful error if it is called without its class. */
export function isOf(self: unknown, value: unknown): boolean {
  if (typeof self !== 'function') {
    throw new TypeError('isInstance must be called on the class; as a callback write v => SdkError.isInstance(v)');
  }
  return value instanceof (self as AnyClass);
}

/** A JSON-RPC error: received from the other side, or to be sent to it. */
export class ProtocolError extends Error {
  /** The JSON-RPC error code. */
  readonly code: number;
  /** Additional information about the error. */
  readonly data?: unknown;

  /**
   * Creates an error with a code.
   * @param code - The code, such as one of `ProtocolErrorCode`.
   * @param message - What went wrong.
   * @param data - Further data for the other side, any JSON value. Default: none.
   */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
    this.name = 'ProtocolError';
  }

  /**
   * Whether a value is an instance of this class.
   * @param value - The value.
   */
  static isInstance<T extends AnyClass>(this: T, value: unknown): value is InstanceType<T> {
    return isOf(this, value);
  }

  /**
   * Creates an error for a code, with the most specific class that fits.
   * @param code - The code.
   * @param message - What went wrong.
   * @param data - Further data. Default: none.
   */
  static fromError(code: number, message: string, data?: unknown): ProtocolError {
    const parts = (typeof data === 'object' && data !== null ? data : {}) as Record<string, unknown>;
    return fitting(code, message, parts) ?? new ProtocolError(code, message, data);
  }
}

/** The requested resource does not exist. */
export class ResourceNotFoundError extends ProtocolError {
  /**
   * Creates an error for a URI.
   * @param uri - The URI.
   * @param message - What went wrong. Default: a text that names the URI.
   */
  constructor(uri: string, message = `Resource not found: ${uri}`) {
    super(ProtocolErrorCode.InvalidParams, message, { uri });
  }

  /** The URI that was requested. */
  get uri(): string {
    return (this.data as { uri: string }).uri;
  }
}

/** The user has to visit one or more URLs before the request can continue. */
export class UrlElicitationRequiredError extends ProtocolError {
  /**
   * Creates an error that lists what the user has to do.
   * @param elicitations - The questions with the URLs that the user has to visit.
   * @param message - What went wrong. Default: a text that says that URLs have to be visited.
   */
  constructor(elicitations: ElicitRequestURLParams[], message?: string) {
    const several = elicitations.length > 1 ? 's' : '';
    super(ProtocolErrorCode.UrlElicitationRequired, message ?? `URL elicitation${several} required`, { elicitations });
  }

  /** What the user has to do. */
  get elicitations(): ElicitRequestURLParams[] {
    return (this.data as { elicitations?: ElicitRequestURLParams[] } | undefined)?.elicitations ?? [];
  }
}

/** The data of an `UnsupportedProtocolVersionError`. */
export interface UnsupportedProtocolVersionErrorData {
  /** The revisions that the receiver supports. */
  supported: string[];
  /** The revision that was requested. */
  requested: string;
}

/** The receiver does not support the requested revision. */
export class UnsupportedProtocolVersionError extends ProtocolError {
  /**
   * Creates an error with the requested and the supported revisions.
   * @param data - The requested revision, and those that are supported.
   * @param message - What went wrong. Default: a text that names the requested revision.
   */
  constructor(data: UnsupportedProtocolVersionErrorData, message = `Unsupported protocol version: ${data.requested}`) {
    super(ProtocolErrorCode.UnsupportedProtocolVersion, message, data);
  }

  /** The revisions that the receiver supports. */
  get supported(): string[] {
    return (this.data as UnsupportedProtocolVersionErrorData).supported;
  }

  /** The revision that was requested. */
  get requested(): string {
    return (this.data as UnsupportedProtocolVersionErrorData).requested;
  }
}

/** The data of a `MissingRequiredClientCapabilityError`. */
export interface MissingRequiredClientCapabilityErrorData {
  /** The capabilities that the client would have to declare. */
  requiredCapabilities: ClientCapabilities;
}

/** The request needs a capability that the client did not declare. */
export class MissingRequiredClientCapabilityError extends ProtocolError {
  /**
   * Creates an error with the missing capabilities.
   * @param data - The missing capabilities.
   * @param message - What went wrong. Default: a text that names them.
   */
  constructor(data: MissingRequiredClientCapabilityErrorData, message?: string) {
    const names = Object.keys(data.requiredCapabilities).join(', ');
    const text = message ?? `Missing required client capabilities: ${names}`;
    super(ProtocolErrorCode.MissingRequiredClientCapability, text, data);
  }

  /** The capabilities that the client would have to declare. */
  get requiredCapabilities(): ClientCapabilities {
    return (this.data as MissingRequiredClientCapabilityErrorData).requiredCapabilities;
  }
}

/** Creates the specific class for a code, if its data has that class's form. */
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

/** An error that occurred on this side; the other side did not send it. */
export class SdkError extends Error {
  /** The error code. */
  readonly code: SdkErrorCode;
  /** Additional information about the error. */
  readonly data?: unknown;

  /**
   * Creates an error with a code; `options` may hold the cause.
   * @param code - The code.
   * @param message - What went wrong.
   * @param data - Further data. Default: none.
   * @param options - The cause. Default: none.
   */
  constructor(code: SdkErrorCode, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.data = data;
    this.name = 'SdkError';
  }

  /**
   * Whether a value is an instance of this class.
   * @param value - The value.
   */
  static isInstance<T extends AnyClass>(this: T, value: unknown): value is InstanceType<T> {
    return isOf(this, value);
  }
}

/** The data of an `SdkHttpError`. */
export interface SdkHttpErrorData {
  /** The HTTP status. */
  status: number;
  /** The HTTP status text. */
  statusText?: string;
  /** Further data, e.g. the body. */
  [key: string]: unknown;
}

/** The server responded with an HTTP error. */
export class SdkHttpError extends SdkError {
  declare readonly data: SdkHttpErrorData;

  /**
   * Creates an error with an HTTP status.
   * @param code - The code.
   * @param message - What went wrong.
   * @param data - The HTTP status, and what is known of the response.
   * @param options - The cause. Default: none.
   */
  constructor(code: SdkErrorCode, message: string, data: SdkHttpErrorData, options?: ErrorOptions) {
    super(code, message, data, options);
    this.name = 'SdkHttpError';
  }

  /** The HTTP status. */
  get status(): number {
    return this.data.status;
  }

  /** The HTTP status text. */
  get statusText(): string | undefined {
    return this.data.statusText;
  }
}
