/**
 * The OAuth error of the 2.x face: one class, with the code as data. Owns: its codes and its form
 * on the wire. Must not know: who requested what.
 */
import { answerOf, rejectionOf } from '../../common/oauth/answer';
import { OAuthError as OAuthErrorV1 } from '../../common/oauth/errors';
import { RegistrationRejectedError } from '../../common/oauth/flow-errors';
import { isOf } from './errors';

/** OAuth error codes, from RFC 6749 and later specifications. */
export enum OAuthErrorCode {
  /** A parameter is missing, repeated or not valid. */
  InvalidRequest = 'invalid_request',
  /** The client failed to authenticate. */
  InvalidClient = 'invalid_client',
  /** The code, refresh token or assertion is not valid or has expired. */
  InvalidGrant = 'invalid_grant',
  /** The client may not use this grant type. */
  UnauthorizedClient = 'unauthorized_client',
  /** The authorization server does not support this grant type. */
  UnsupportedGrantType = 'unsupported_grant_type',
  /** The scope is unknown, or exceeds what was granted. */
  InvalidScope = 'invalid_scope',
  /** The user or the authorization server refused. */
  AccessDenied = 'access_denied',
  /** The authorization server failed. */
  ServerError = 'server_error',
  /** The authorization server cannot answer now; try again later. */
  TemporarilyUnavailable = 'temporarily_unavailable',
  /** The authorization server does not support this response type. */
  UnsupportedResponseType = 'unsupported_response_type',
  /** The authorization server does not support this type of token. */
  UnsupportedTokenType = 'unsupported_token_type',
  /** The token is not valid or has expired. */
  InvalidToken = 'invalid_token',
  /** The endpoint does not support this HTTP method. */
  MethodNotAllowed = 'method_not_allowed',
  /** The rate limit is exceeded. */
  TooManyRequests = 'too_many_requests',
  /** The metadata of a registration is not acceptable. */
  InvalidClientMetadata = 'invalid_client_metadata',
  /** The redirect URI is not allowed. */
  InvalidRedirectUri = 'invalid_redirect_uri',
  /** The token lacks a required scope. */
  InsufficientScope = 'insufficient_scope',
  /** The requested resource is unknown. */
  InvalidTarget = 'invalid_target',
  /** The DPoP proof is not valid. */
  InvalidDpopProof = 'invalid_dpop_proof',
  /** The DPoP proof must contain the server's nonce. */
  UseDpopNonce = 'use_dpop_nonce',
}

/** The body of an OAuth error response. */
export interface OAuthErrorResponseObject {
  /** The error code. */
  error: string;
  /** A description of the error. */
  error_description: string;
  /** The URL of a page about the error. */
  error_uri?: string;
}

/** An OAuth error: received from an authorization server, or to be sent by one. */
export class OAuthError extends Error {
  /** The error code. */
  readonly code: string;
  /** The URL of a page about the error. */
  readonly errorUri?: string | undefined;

  /**
   * Creates an error with one of the codes, or another one.
   * @param code - The code.
   * @param message - What went wrong.
   * @param errorUri - The URL of a page about the error. Default: none.
   */
  constructor(code: OAuthErrorCode | string, message: string, errorUri?: string) {
    super(message);
    this.code = code;
    this.errorUri = errorUri;
    this.name = 'OAuthError';
  }

  /**
   * Whether a value is an instance of this class.
   * @param value - The value.
   */
  static isInstance<T extends abstract new (...parts: never[]) => unknown>(this: T, value: unknown): value is InstanceType<T> {
    return isOf(this, value);
  }

  /**
   * Creates an error from an error response.
   * @param response - The response of an authorization server.
   */
  static fromResponse(response: { error: string; error_description?: string; error_uri?: string }): OAuthError {
    return new OAuthError(response.error, response.error_description ?? response.error, response.error_uri);
  }

  /** The body of the error response. */
  toResponseObject(): OAuthErrorResponseObject {
    const { code, message, errorUri } = this;
    return { error: code, error_description: message, ...(errorUri !== undefined && { error_uri: errorUri }) };
  }
}

/** An error about an authorization server's answer in the one class of this face; `undefined` for other errors. */
export function oauthErrorV2(error: object): OAuthError | undefined {
  const answer = answerOf(error);
  if (answer !== undefined) {
    const { error: code, error_description, error_uri } = answer;
    return new OAuthError(code, error_description ?? code, error_uri);
  }
  return error instanceof OAuthErrorV1 ? new OAuthError(error.errorCode, error.message, error.errorUri) : undefined;
}

/** Any error of authorization in the classes of this face. */
export function told(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const rejection = rejectionOf(error);
  return rejection === undefined ? (oauthErrorV2(error) ?? error) : new RegistrationRejectedError(rejection);
}
