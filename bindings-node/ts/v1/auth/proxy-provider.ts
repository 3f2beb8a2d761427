/**
 * A provider that forwards everything to another authorization server. Owns: the requests it sends
 * there. Must not know: our own endpoints.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Response as Answer } from 'express';
import { onlyKnown } from './answers';
import {
  OAuthClientInformationFullSchema,
  OAuthTokensSchema,
  type OAuthClientInformationFull,
  type OAuthTokenRevocationRequest,
  type OAuthTokens,
} from '../../protocol/auth';
import type { FetchLike } from '../../protocol/transport';
import type { OAuthRegisteredClientsStore } from './clients';
import { ServerError } from '../../common/oauth/errors';
import type { AuthorizationParams, OAuthServerProvider } from './provider';
import type { AuthInfo } from '../../protocol/auth-info';

/** The endpoints of the other authorization server. */
export type ProxyEndpoints = {
  /** The authorization endpoint. */
  authorizationUrl: string;
  /** The token endpoint. */
  tokenUrl: string;
  /** The revocation endpoint, if there is one. */
  revocationUrl?: string;
  /** The registration endpoint, if there is one. */
  registrationUrl?: string;
};

/** Options of a `ProxyOAuthServerProvider`. */
export type ProxyOptions = {
  /** The endpoints of the other authorization server. */
  endpoints: ProxyEndpoints;
  /** Verifies an access token and returns what is known about it. */
  verifyAccessToken: (token: string) => Promise<AuthInfo>;
  /** Gets a client by id; `undefined` if it is not registered. */
  getClient: (clientId: string) => Promise<OAuthClientInformationFull | undefined>;
  /** Sends requests to the other authorization server; the global `fetch` by default. */
  fetch?: FetchLike;
};

/** A provider that forwards requests to another authorization server. */
export class ProxyOAuthServerProvider implements OAuthServerProvider {
  protected readonly _endpoints: ProxyEndpoints;
  protected readonly _verifyAccessToken: (token: string) => Promise<AuthInfo>;
  protected readonly _getClient: (clientId: string) => Promise<OAuthClientInformationFull | undefined>;
  protected readonly _fetch?: FetchLike;
  /** Always true: the other authorization server checks the PKCE code verifier. */
  skipLocalPkceValidation = true;
  /** Always false: the other authorization server sends the users back, and its issuer is another. */
  authorizationResponseIssParameterSupported = false;
  /** Revokes a token; absent if the other server has no revocation endpoint. */
  revokeToken?: (client: OAuthClientInformationFull, request: OAuthTokenRevocationRequest) => Promise<void>;

  /**
   * Creates a provider that forwards to another authorization server.
   * @param options - The endpoints of the other server, and functions that verify tokens and find clients.
   */
  constructor(options: ProxyOptions) {
    this._endpoints = options.endpoints;
    this._verifyAccessToken = options.verifyAccessToken;
    this._getClient = options.getClient;
    this._fetch = options.fetch;
    const { revocationUrl } = options.endpoints;
    if (revocationUrl === undefined || revocationUrl === '') return;
    this.revokeToken = async (client, { token, token_type_hint }) => {
      const { client_id, client_secret } = client;
      const response = await this.post(revocationUrl, form({ token, client_id, client_secret, token_type_hint }));
      await response.body?.cancel();
      if (!response.ok) throw new ServerError(`Token revocation failed: ${response.status}`);
    };
  }

  private post(url: string, body: string, type = 'application/x-www-form-urlencoded'): Promise<Response> {
    return (this._fetch ?? fetch)(url, { method: 'POST', headers: { 'Content-Type': type }, body });
  }

  /** The clients: `getClient` looks them up, and the other server registers them. */
  get clientsStore(): OAuthRegisteredClientsStore {
    const { registrationUrl } = this._endpoints;
    const getClient = this._getClient;
    if (!registrationUrl) return { getClient };
    const registerClient = async (asked: object): Promise<OAuthClientInformationFull> => {
      const response = await this.post(registrationUrl, JSON.stringify(asked), 'application/json');
      const client = OAuthClientInformationFullSchema.parse(await said(response, 'Client registration'));
      return onlyKnown(OAuthClientInformationFullSchema, client);
    };
    return { getClient, registerClient };
  }

  /**
   * Redirects the user to the other authorization server.
   * @param client - The client that asks.
   * @param params - The request, which has been checked.
   * @param res - The response, which redirects the user.
   */
  async authorize(client: OAuthClientInformationFull, params: AuthorizationParams, res: Answer): Promise<void> {
    const target = new URL(this._endpoints.authorizationUrl);
    target.search = form({
      client_id: client.client_id,
      response_type: 'code',
      redirect_uri: params.redirectUri,
      code_challenge: params.codeChallenge,
      code_challenge_method: 'S256',
      state: params.state,
      scope: params.scopes?.join(' '),
      resource: params.resource?.href,
    });
    res.redirect(target.toString());
  }

  /**
   * Returns an empty string: the other server has the code challenge.
   * @param _client - The client that asks.
   * @param _authorizationCode - The code.
   */
  async challengeForAuthorizationCode(_client: OAuthClientInformationFull, _authorizationCode: string): Promise<string> {
    return '';
  }

  /**
   * Exchanges an authorization code for tokens.
   * @param client - The client that asks.
   * @param authorizationCode - The code.
   * @param codeVerifier - The PKCE code verifier, if the provider checks it itself. Default: it has been
   *   checked.
   * @param redirectUri - The URI that the browser was sent back to.
   * @param resource - The resource that the token is for. Default: none.
   */
  async exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
    codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens> {
    const asked = form({
      grant_type: 'authorization_code',
      client_id: client.client_id,
      code: authorizationCode,
      client_secret: client.client_secret,
      code_verifier: codeVerifier,
      redirect_uri: redirectUri,
      resource: resource?.href,
    });
    return this.tokens(asked, 'Token exchange');
  }

  /**
   * Exchanges a refresh token for new tokens.
   * @param client - The client that asks.
   * @param refreshToken - The refresh token.
   * @param scopes - The scopes of the new token. Default: those of the old one.
   * @param resource - The resource that the token is for. Default: none.
   */
  async exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens> {
    const asked = form({
      grant_type: 'refresh_token',
      client_id: client.client_id,
      refresh_token: refreshToken,
      client_secret: client.client_secret,
      scope: scopes?.join(' '),
      resource: resource?.href,
    });
    return this.tokens(asked, 'Token refresh');
  }

  private async tokens(asked: string, what: string): Promise<OAuthTokens> {
    const tokens = OAuthTokensSchema.parse(await said(await this.post(this._endpoints.tokenUrl, asked), what));
    return onlyKnown(OAuthTokensSchema, tokens);
  }

  /**
   * Verifies an access token and returns what is known about it.
   * @param token - The token as it was sent.
   */
  async verifyAccessToken(token: string): Promise<AuthInfo> {
    return this._verifyAccessToken(token);
  }
}

/** Encodes the parameters that are present and not empty as a form. */
function form(params: Record<string, string | undefined>): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return new URLSearchParams(given).toString();
}

async function said(response: Response, what: string): Promise<unknown> {
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new ServerError(`${what} failed: ${response.status}`);
}
