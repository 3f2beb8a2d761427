/**
 * The error of OAuth in the 2.x face: one class, the code is data. Owns: its codes and its
 * form on the wire. Must not know: who asks for what.
 */
import { isOf } from './errors';

/** Codes of OAuth errors, of RFC 6749 and those that came after it. */
export enum OAuthErrorCode {
  /** A parameter is missing, twice there, or makes no sense. */
  InvalidRequest = 'invalid_request',
  /** The client could not show who it is. */
  InvalidClient = 'invalid_client',
  /** What was to be exchanged is not valid, or no longer. */
  InvalidGrant = 'invalid_grant',
  /** The client may not do it this way. */
  UnauthorizedClient = 'unauthorized_client',
  /** The server does not do it this way. */
  UnsupportedGrantType = 'unsupported_grant_type',
  /** The scope is unknown, or more than is granted. */
  InvalidScope = 'invalid_scope',
  /** The user or the server said no. */
  AccessDenied = 'access_denied',
  /** The server failed. */
  ServerError = 'server_error',
  /** The server cannot do it now. */
  TemporarilyUnavailable = 'temporarily_unavailable',
  /** The server gives no code this way. */
  UnsupportedResponseType = 'unsupported_response_type',
  /** The server knows no such tokens. */
  UnsupportedTokenType = 'unsupported_token_type',
  /** The token is not valid, or no longer. */
  InvalidToken = 'invalid_token',
  /** The endpoint does not take this HTTP method. */
  MethodNotAllowed = 'method_not_allowed',
  /** Too much was asked. */
  TooManyRequests = 'too_many_requests',
  /** What a client said of itself makes no sense. */
  InvalidClientMetadata = 'invalid_client_metadata',
  /** The client may not be sent back there. */
  InvalidRedirectUri = 'invalid_redirect_uri',
  /** The token is good for less than this. */
  InsufficientScope = 'insufficient_scope',
  /** The resource is unknown. */
  InvalidTarget = 'invalid_target',
  /** The proof of possession does not hold. */
  InvalidDpopProof = 'invalid_dpop_proof',
  /** The proof has to have the server's nonce. */
  UseDpopNonce = 'use_dpop_nonce',
}

/** An OAuth error as it is sent. */
export interface OAuthErrorResponseObject {
  /** The code. */
  error: string;
  /** In words. */
  error_description: string;
  /** Where to read more. */
  error_uri?: string;
}

/** Something OAuth says no to. */
export class OAuthError extends Error {
  /** The code. */
  readonly code: string;
  /** Where to read more. */
  readonly errorUri?: string | undefined;

  /** An error with one of the codes, or another one. */
  constructor(code: OAuthErrorCode | string, message: string, errorUri?: string) {
    super(message);
    this.code = code;
    this.errorUri = errorUri;
    this.name = 'OAuthError';
  }

  /** Whether a value is of this class. */
  static isInstance<T extends abstract new (...parts: never[]) => unknown>(this: T, value: unknown): value is InstanceType<T> {
    return isOf(this, value);
  }

  /** The error in an answer. */
  static fromResponse(response: { error: string; error_description?: string; error_uri?: string }): OAuthError {
    return new OAuthError(response.error, response.error_description ?? response.error, response.error_uri);
  }

  /** As it is sent. */
  toResponseObject(): OAuthErrorResponseObject {
    const { code, message, errorUri } = this;
    return { error: code, error_description: message, ...(errorUri !== undefined && { error_uri: errorUri }) };
  }
}
