/**
 * What stands behind an authorization server's endpoints. Owns: the contracts. Must not
 * know: the endpoints.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Response } from 'express';
import type { OAuthClientInformationFull, OAuthTokenRevocationRequest, OAuthTokens } from '../../shared/auth';
import type { OAuthRegisteredClientsStore } from './clients';
import type { AuthInfo } from './types';

/** The parameters of an authorization request. */
export type AuthorizationParams = {
  /** The client's state, which comes back unchanged. */
  state?: string;
  /** The scopes the client asks for. */
  scopes?: string[];
  /** The PKCE challenge that the client's verifier has to match. */
  codeChallenge: string;
  /** Where the user is sent back to. */
  redirectUri: string;
  /** The protected server the client wants to use. */
  resource?: URL;
};

/** An authorization server without its endpoints. */
export interface OAuthServerProvider {
  /** The store of registered clients. */
  get clientsStore(): OAuthRegisteredClientsStore;
  /** Asks the user, and in the end sends them back with a code, or with an error. */
  authorize(client: OAuthClientInformationFull, params: AuthorizationParams, res: Response): Promise<void>;
  /** The PKCE challenge that was given when this code was requested. */
  challengeForAuthorizationCode(client: OAuthClientInformationFull, authorizationCode: string): Promise<string>;
  /** Exchanges an authorization code for tokens. */
  exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
    codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens>;
  /** Exchanges a refresh token for new tokens. */
  exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens>;
  /** Verifies an access token and returns what it stands for. */
  verifyAccessToken(token: string): Promise<AuthInfo>;
  /** Revokes a token. */
  revokeToken?(client: OAuthClientInformationFull, request: OAuthTokenRevocationRequest): Promise<void>;
  /** Whether another server checks the proof; it is handed on then. */
  skipLocalPkceValidation?: boolean;
}

/** Tells what an access token stands for. */
export interface OAuthTokenVerifier {
  /** Verifies an access token; throws `InvalidTokenError` if it is not valid. */
  verifyAccessToken(token: string): Promise<AuthInfo>;
}
