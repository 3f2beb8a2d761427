/**
 * What stands behind an authorization server's endpoints. Owns: the contracts. Must not
 * know: the endpoints.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Response } from 'express';
import type { OAuthClientInformationFull, OAuthTokenRevocationRequest, OAuthTokens } from '../../shared/auth';
import type { OAuthRegisteredClientsStore } from './clients';
import type { AuthInfo } from './types';

/** What a client asks for when it sends a user to be asked. */
export type AuthorizationParams = {
  /** Comes back to the client as it is. */
  state?: string;
  /** What it wants to be allowed. */
  scopes?: string[];
  /** What its proof has to match. */
  codeChallenge: string;
  /** Where the user is sent back to. */
  redirectUri: string;
  /** The server it wants to use. */
  resource?: URL;
};

/** An authorization server without its endpoints. */
export interface OAuthServerProvider {
  /** The clients it knows. */
  get clientsStore(): OAuthRegisteredClientsStore;
  /** Asks the user, and in the end sends them back with a code, or with an error. */
  authorize(client: OAuthClientInformationFull, params: AuthorizationParams, res: Response): Promise<void>;
  /** The challenge that was given when a code was asked for. */
  challengeForAuthorizationCode(client: OAuthClientInformationFull, authorizationCode: string): Promise<string>;
  /** Tokens for a code. */
  exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
    codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens>;
  /** Tokens for a refresh token. */
  exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens>;
  /** What an access token stands for. */
  verifyAccessToken(token: string): Promise<AuthInfo>;
  /** Takes a token back. */
  revokeToken?(client: OAuthClientInformationFull, request: OAuthTokenRevocationRequest): Promise<void>;
  /** Whether another server checks the proof; it is handed on then. */
  skipLocalPkceValidation?: boolean;
}

/** Tells what an access token stands for. */
export interface OAuthTokenVerifier {
  /** Throws `InvalidTokenError` if it stands for nothing. */
  verifyAccessToken(token: string): Promise<AuthInfo>;
}
