/**
 * Authorization servers without their endpoints. Owns: the interfaces that programs implement. Must
 * not know: the endpoints.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Response } from 'express';
import type { OAuthClientInformationFull, OAuthTokenRevocationRequest, OAuthTokens } from '../../protocol/auth';
import type { OAuthRegisteredClientsStore } from './clients';
import type { AuthInfo } from '../../protocol/auth-info';

/** The parameters of an authorization request. */
export type AuthorizationParams = {
  /** A text of the client; the redirect back to it has to repeat it unchanged. */
  state?: string;
  /** The requested scopes. */
  scopes?: string[];
  /** The PKCE code challenge. */
  codeChallenge: string;
  /** The URL that the user is redirected back to. */
  redirectUri: string;
  /** The resource that tokens are requested for. */
  resource?: URL;
  /** The issuer, if responses name it: a provider that redirects from pages of its own has to add it as `iss`. */
  issuer?: string;
  /**
   * The host of the client's id, if the client is known by its document (`clientDocumentOptions`). Show it to
   * the user, and where the browser goes afterwards: anybody can publish a document with any name. Not in
   * the official package.
   */
  clientHost?: string;
};

/** A request for tokens with an assertion of an identity provider (ID-JAG); not in the official package. */
export interface IdentityAssertionParams {
  /** The assertion as it was sent: a signed JWT, of which nothing has been verified. */
  assertion: string;
  /** The requested scopes. Default: none are named. */
  scopes?: string[];
  /** The server that the token is for. Default: none is named. */
  resource?: URL;
}

/** The logic of an authorization server behind its endpoints. Programs implement it. */
export interface OAuthServerProvider {
  /** The registered clients. */
  get clientsStore(): OAuthRegisteredClientsStore;
  /**
   * Asks the user, and finally redirects them back with an authorization code or an error.
   * @param client - The client that asks.
   * @param params - The request, which has been checked.
   * @param res - The response, which redirects the user.
   */
  authorize(client: OAuthClientInformationFull, params: AuthorizationParams, res: Response): Promise<void>;
  /**
   * The PKCE code challenge that an authorization code was requested with.
   * @param client - The client that asks.
   * @param authorizationCode - The code.
   */
  challengeForAuthorizationCode(client: OAuthClientInformationFull, authorizationCode: string): Promise<string>;
  /**
   * Exchanges an authorization code for tokens.
   * @param client - The client that asks.
   * @param authorizationCode - The code.
   * @param codeVerifier - The PKCE code verifier, if the provider checks it itself. Default: it has been
   *   checked.
   * @param redirectUri - The URI that the browser was sent back to.
   * @param resource - The resource that the token is for. Default: none.
   */
  exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
    codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens>;
  /**
   * Exchanges a refresh token for new tokens.
   * @param client - The client that asks.
   * @param refreshToken - The refresh token.
   * @param scopes - The scopes of the new token. Default: those of the old one.
   * @param resource - The resource that the token is for. Default: none.
   */
  exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens>;
  /**
   * Exchanges an assertion of an identity provider for tokens. With this method the token endpoint takes
   * the grant of RFC 7523 of clients that have a secret, and the metadata say so. Not in the official package.
   * @param client - The client that asks.
   * @param params - The assertion, which `IdentityAssertions` verifies, and what is asked for.
   */
  exchangeIdentityAssertion?(client: OAuthClientInformationFull, params: IdentityAssertionParams): Promise<OAuthTokens>;
  /**
   * Verifies an access token and returns what is known about it.
   * @param token - The token as it was sent.
   */
  verifyAccessToken(token: string): Promise<AuthInfo>;
  /**
   * Revokes a token.
   * @param client - The client that asks.
   * @param request - The token, and its kind if that is known.
   */
  revokeToken?(client: OAuthClientInformationFull, request: OAuthTokenRevocationRequest): Promise<void>;
  /** Whether the PKCE code verifier is checked elsewhere; it is passed on then. Default: false. */
  skipLocalPkceValidation?: boolean;
  /** Whether responses name the issuer where the router lets them. Default: true. */
  authorizationResponseIssParameterSupported?: boolean;
}

/** Verifies access tokens. Programs implement it. */
export interface OAuthTokenVerifier {
  /**
   * Verifies an access token and returns what is known about it; throws `InvalidTokenError` if the
   * token is not valid.
   * @param token - The token as it was sent.
   */
  verifyAccessToken(token: string): Promise<AuthInfo>;
}
