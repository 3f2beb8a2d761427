/**
 * Errors of OAuth endpoints. Owns: a class for each code of the specifications, and what
 * is answered with it. Must not know: HTTP statuses.
 */

/** The body of an OAuth error response. */
interface ErrorResponse {
  error: string;
  error_description?: string;
  error_uri?: string;
}

/** Any error that an OAuth endpoint answers with. */
export class OAuthError extends Error {
  /** The OAuth error code of the class. */
  static errorCode: string;

  constructor(
    message: string,
    /** URL of a page about the error. */
    public readonly errorUri?: string,
  ) {
    super(message);
    this.name = this.constructor.name;
  }

  /** The error as the body of a response. */
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

/** The request lacks a parameter, or has a wrong one. */
export class InvalidRequestError extends OAuthError {
  static override errorCode = 'invalid_request';
}

/** The client is unknown, or did not prove who it is. */
export class InvalidClientError extends OAuthError {
  static override errorCode = 'invalid_client';
}

/** The code or refresh token is wrong, over, revoked, or another client's. */
export class InvalidGrantError extends OAuthError {
  static override errorCode = 'invalid_grant';
}

/** The client may not use this kind of grant. */
export class UnauthorizedClientError extends OAuthError {
  static override errorCode = 'unauthorized_client';
}

/** The authorization server has no such kind of grant. */
export class UnsupportedGrantTypeError extends OAuthError {
  static override errorCode = 'unsupported_grant_type';
}

/** The scope is unknown, malformed, or more than was granted. */
export class InvalidScopeError extends OAuthError {
  static override errorCode = 'invalid_scope';
}

/** The owner or the authorization server said no. */
export class AccessDeniedError extends OAuthError {
  static override errorCode = 'access_denied';
}

/** Something unforeseen went wrong. */
export class ServerError extends OAuthError {
  static override errorCode = 'server_error';
}

/** The server cannot handle the request at the moment. */
export class TemporarilyUnavailableError extends OAuthError {
  static override errorCode = 'temporarily_unavailable';
}

/** The server does not support this response type. */
export class UnsupportedResponseTypeError extends OAuthError {
  static override errorCode = 'unsupported_response_type';
}

/** The kind of token is not supported. */
export class UnsupportedTokenTypeError extends OAuthError {
  static override errorCode = 'unsupported_token_type';
}

/** The access token is wrong, over or revoked. */
export class InvalidTokenError extends OAuthError {
  static override errorCode = 'invalid_token';
}

/** The endpoint does not take this method. */
export class MethodNotAllowedError extends OAuthError {
  static override errorCode = 'method_not_allowed';
}

/** Too many requests. */
export class TooManyRequestsError extends OAuthError {
  static override errorCode = 'too_many_requests';
}

/** What a client says of itself when it registers cannot be accepted. */
export class InvalidClientMetadataError extends OAuthError {
  static override errorCode = 'invalid_client_metadata';
}

/** The token's scopes do not permit the request. */
export class InsufficientScopeError extends OAuthError {
  static override errorCode = 'insufficient_scope';
}

/** The resource is unknown or malformed. */
export class InvalidTargetError extends OAuthError {
  static override errorCode = 'invalid_target';
}

/** An error with a code of its own. */
export class CustomOAuthError extends OAuthError {
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

/** Classes by their codes. */
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
