/**
 * An authorization server for demonstrations: anybody is let in. Owns: codes and tokens, in memory.
 * Must not know: the endpoints of OAuth.
 */
import { randomUUID } from 'node:crypto';
/** @ts-ignore Express is a peer that a program may do without. */
import type { Request, Response } from 'express';
import { InvalidRequestError } from '../../common/oauth/errors';
import type { OAuthClientInformationFull, OAuthMetadata, OAuthTokens } from '../../protocol/auth';
import type { AuthInfo } from '../../protocol/auth-info';
import type { OAuthRegisteredClientsStore } from '../auth/clients';
import type { AuthorizationParams, OAuthServerProvider } from '../auth/provider';
import { createOAuthMetadata, mcpAuthRouter } from '../auth/router';
import { loadExpress } from '../express-load';

const TOKEN_SECONDS = 3600;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const SCOPES = ['mcp:tools'];

interface IssuedCode {
  client: OAuthClientInformationFull;
  params: AuthorizationParams;
}

interface IssuedToken {
  clientId: string;
  scopes: string[];
  /** In milliseconds since 1970. */
  expiresAt: number;
  resource?: URL;
}

/** Registered clients, in memory. */
export class DemoInMemoryClientsStore implements OAuthRegisteredClientsStore {
  private readonly clients = new Map<string, OAuthClientInformationFull>();

  /**
   * The client with this id.
   * @param clientId - The id of the client.
   */
  async getClient(clientId: string): Promise<OAuthClientInformationFull | undefined> {
    return this.clients.get(clientId);
  }

  /**
   * Remembers a client, which has its id by then.
   * @param client - The metadata of the client, with its new id and secret.
   */
  async registerClient(
    client: Omit<OAuthClientInformationFull, 'client_id' | 'client_id_issued_at'>,
  ): Promise<OAuthClientInformationFull> {
    const known = client as OAuthClientInformationFull;
    this.clients.set(known.client_id, known);
    return known;
  }
}

/**
 * An authorization server that asks nobody and forgets everything when the process ends. For
 * demonstrations only: never use it in production.
 *
 * @example
 * app.use(mcpAuthRouter({ provider: new DemoInMemoryAuthProvider(), issuerUrl: new URL('http://localhost:3001') }));
 */
export class DemoInMemoryAuthProvider implements OAuthServerProvider {
  /** The registered clients. */
  clientsStore = new DemoInMemoryClientsStore();
  private readonly codes = new Map<string, IssuedCode>();
  private readonly issued = new Map<string, IssuedToken>();

  /**
   * Creates a provider; `validateResource` says for which resources tokens are issued.
   * @param validateResource - Returns whether tokens may be issued for a resource. Default: for
   *   any.
   */
  constructor(private readonly validateResource?: (resource?: URL) => boolean) {}

  /**
   * Redirects back with a code at once.
   * @param client - The client that asks.
   * @param params - The request, which has been checked.
   * @param res - The response, which redirects the user.
   */
  async authorize(client: OAuthClientInformationFull, params: AuthorizationParams, res: Response): Promise<void> {
    const code = randomUUID();
    this.codes.set(code, { client, params });
    const user = { userId: 'demo_user', name: 'Demo User', timestamp: Date.now() };
    const cookie = { httpOnly: true, secure: false, sameSite: 'lax', maxAge: DAY_MILLISECONDS, path: '/' } as const;
    res.cookie?.('demo_session', JSON.stringify(user), cookie);
    if (!client.redirect_uris.includes(params.redirectUri)) throw new InvalidRequestError('Unregistered redirect_uri');
    const back = new URL(params.redirectUri);
    back.search = new URLSearchParams({ code, ...(params.state !== undefined && { state: params.state }) }).toString();
    res.redirect(back.toString());
  }

  /**
   * The PKCE code challenge that a code was requested with.
   * @param authorizationCode - The code.
   */
  async challengeForAuthorizationCode(_client: OAuthClientInformationFull, authorizationCode: string): Promise<string> {
    return this.find(authorizationCode).params.codeChallenge;
  }

  /**
   * Exchanges a code for a token of an hour.
   * @param client - The client that asks.
   * @param authorizationCode - The code.
   */
  async exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
    _codeVerifier?: string,
  ): Promise<OAuthTokens> {
    const { client: owner, params } = this.find(authorizationCode);
    if (owner.client_id !== client.client_id) {
      throw new Error(`Authorization code was not issued to this client, ${owner.client_id} != ${client.client_id}`);
    }
    if (this.validateResource?.(params.resource) === false) throw new Error(`Invalid resource: ${params.resource}`);
    this.codes.delete(authorizationCode);
    const token = randomUUID();
    const scopes = params.scopes || [];
    const expiresAt = Date.now() + TOKEN_SECONDS * 1000;
    this.issued.set(token, { clientId: client.client_id, scopes, expiresAt, resource: params.resource });
    return { access_token: token, token_type: 'bearer', expires_in: TOKEN_SECONDS, scope: scopes.join(' ') };
  }

  /** Refuses: there are no refresh tokens. */
  async exchangeRefreshToken(
    _client: OAuthClientInformationFull,
    _refreshToken: string,
    _scopes?: string[],
    _resource?: URL,
  ): Promise<OAuthTokens> {
    throw new Error('Not implemented for example demo');
  }

  /**
   * What is known about a token; throws if it is unknown or too old.
   * @param token - The token as it was sent.
   */
  async verifyAccessToken(token: string): Promise<AuthInfo> {
    const found = this.issued.get(token);
    if (found === undefined || found.expiresAt < Date.now()) throw new Error('Invalid or expired token');
    const { clientId, scopes, expiresAt, resource } = found;
    return { token, clientId, scopes, expiresAt: Math.floor(expiresAt / 1000), resource };
  }

  private find(code: string): IssuedCode {
    const found = this.codes.get(code);
    if (found === undefined) throw new Error('Invalid authorization code');
    return found;
  }
}

/** Answers whether a token is valid, as resource servers ask. */
async function introspect(provider: DemoInMemoryAuthProvider, req: Request, res: Response): Promise<void> {
  const { token } = req.body;
  if (!token) {
    res.status(400).json({ error: 'Token is required' });
    return;
  }
  try {
    const { clientId, scopes, expiresAt, resource } = await provider.verifyAccessToken(token);
    res.json({ active: true, client_id: clientId, scope: scopes.join(' '), exp: expiresAt, aud: resource });
  } catch (error) {
    res.status(401).json({ active: false, error: 'Unauthorized', error_description: `Invalid token: ${error}` });
  }
}

/**
 * Starts an authorization server for demonstrations on the port of its URL. Returns its metadata.
 * With `strictResource`, tokens are only issued for `mcpServerUrl`.
 */
export const setupAuthServer = ({
  authServerUrl,
  mcpServerUrl,
  strictResource,
}: {
  authServerUrl: URL;
  mcpServerUrl: URL;
  strictResource: boolean;
}): OAuthMetadata => {
  const expected = new URL(mcpServerUrl);
  expected.hash = '';
  const provider = new DemoInMemoryAuthProvider(strictResource ? (resource) => resource?.href === expected.href : undefined);
  const express = loadExpress('setupAuthServer');
  const app = express();
  app.use(express.json());
  app.use(express.urlencoded({ extended: false }));
  const facts = { provider, issuerUrl: authServerUrl, scopesSupported: SCOPES };
  app.use(mcpAuthRouter(facts));
  app.post('/introspect', (req: Request, res: Response) => void introspect(provider, req, res));
  app.listen(Number(authServerUrl.port), (error?: Error) => {
    if (error === undefined) {
      console.log(`OAuth Authorization Server listening on port ${authServerUrl.port}`);
      return;
    }
    console.error('Failed to start server:', error);
    process.exit(1);
  });
  return { ...createOAuthMetadata(facts), introspection_endpoint: new URL('/introspect', authServerUrl).href };
};
