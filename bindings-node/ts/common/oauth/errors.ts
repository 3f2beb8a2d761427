/**
 * Errors of OAuth endpoints. Owns: a class for each error code of the specifications, and the body
 * of its response. Must not know: HTTP statuses.
 */

/** The body of an OAuth error response. */
interface ErrorResponse {
  error: string;
  error_description?: string;
  error_uri?: string;
}

/** Base class of the errors that OAuth endpoints respond with. */
export class OAuthError extends Error {
  /** The OAuth error code of this class. */
  static errorCode: string;

  /**
   * An error with the code of its class.
   * @param message - What went wrong.
   * @param errorUri - The URL of a page about the error. Default: none.
   */
  constructor(
    message: string,
    /** The URL of a page about the error. */
    public readonly errorUri?: string,
  ) {
    super(message);
    this.name = this.constructor.name;
  }

  /** The body of the error response. */
  toResponseObject(): ErrorResponse {
    const response: ErrorResponse = { error: this.errorCode, error_description: this.message };
    if (this.errorUri) response.error_uri = this.errorUri;
    return response;
  }

  /** The OAuth error code. */
  get errorCode(): string {
    return (this.constructor as typeof OAuthError).errorCode;
  }
}

/** `invalid_request`: a parameter is missing or not valid. */
export class InvalidRequestError extends OAuthError {
  static override errorCode = 'invalid_request';
}

/** `invalid_client`: the client is unknown or failed to authenticate. */
export class InvalidClientError extends OAuthError {
  static override errorCode = 'invalid_client';
}

/** `invalid_grant`: the code or refresh token is not valid, has expired, was revoked, or belongs to another client. */
export class InvalidGrantError extends OAuthError {
  static override errorCode = 'invalid_grant';
}

/** `unauthorized_client`: the client may not use this grant type. */
export class UnauthorizedClientError extends OAuthError {
  static override errorCode = 'unauthorized_client';
}

/** `unsupported_grant_type`: the authorization server does not support this grant type. */
export class UnsupportedGrantTypeError extends OAuthError {
  static override errorCode = 'unsupported_grant_type';
}

/** `invalid_scope`: the scope is unknown, malformed, or exceeds what was granted. */
export class InvalidScopeError extends OAuthError {
  static override errorCode = 'invalid_scope';
}

/** `access_denied`: the user or the authorization server refused. */
export class AccessDeniedError extends OAuthError {
  static override errorCode = 'access_denied';
}

/** `server_error`: the authorization server failed. */
export class ServerError extends OAuthError {
  static override errorCode = 'server_error';
}

/** `temporarily_unavailable`: the authorization server cannot answer now; try again later. */
export class TemporarilyUnavailableError extends OAuthError {
  static override errorCode = 'temporarily_unavailable';
}

/** `unsupported_response_type`: the authorization server does not support this response type. */
export class UnsupportedResponseTypeError extends OAuthError {
  static override errorCode = 'unsupported_response_type';
}

/** `unsupported_token_type`: this type of token is not supported. */
export class UnsupportedTokenTypeError extends OAuthError {
  static override errorCode = 'unsupported_token_type';
}

/** `invalid_token`: the access token is not valid, has expired or was revoked. */
export class InvalidTokenError extends OAuthError {
  static override errorCode = 'invalid_token';
}

/** `method_not_allowed`: the endpoint does not support this HTTP method. */
export class MethodNotAllowedError extends OAuthError {
  static override errorCode = 'method_not_allowed';
}

/** `too_many_requests`: the rate limit is exceeded. */
export class TooManyRequestsError extends OAuthError {
  static override errorCode = 'too_many_requests';
}

/** `invalid_client_metadata`: the metadata of a registration is not acceptable. */
export class InvalidClientMetadataError extends OAuthError {
  static override errorCode = 'invalid_client_metadata';
}

/** `insufficient_scope`: the token lacks a required scope. */
export class InsufficientScopeError extends OAuthError {
  static override errorCode = 'insufficient_scope';
}

/** `invalid_target`: the requested resource is unknown or malformed. */
export class InvalidTargetError extends OAuthError {
  static override errorCode = 'invalid_target';
}

/** An error with a code of the program's own. */
export class CustomOAuthError extends OAuthError {
  /**
   * An error with a code of the program's own.
   * @param customErrorCode - The code.
   * @param message - What went wrong.
   * @param errorUri - The URL of a page about the error. Default: none.
   */
  constructor(
    private readonly customErrorCode: string,
    message: string,
    errorUri?: string,
  ) {
    super(message, errorUri);
  }

  override get errorCode(): string {
    return this.customErrorCode;
  }
}

/** The error classes by their codes. */
export const OAUTH_ERRORS: { readonly [code: string]: typeof InvalidRequestError } = Object.fromEntries(
  [
    InvalidRequestError,
    InvalidClientError,
    InvalidGrantError,
    UnauthorizedClientError,
    UnsupportedGrantTypeError,
    InvalidScopeError,
    AccessDeniedError,
    ServerError,
    TemporarilyUnavailableError,
    UnsupportedResponseTypeError,
    UnsupportedTokenTypeError,
    InvalidTokenError,
    MethodNotAllowedError,
    TooManyRequestsError,
    InvalidClientMetadataError,
    InsufficientScopeError,
    InvalidTargetError,
  ].map((kind) => [kind.errorCode, kind]),
);
