/**
 * Tokens through a company's identity provider (ID-JAG): an id token of the user becomes a grant
 * there, the grant becomes tokens at the authorization server of the MCP server.
 *
 * Owns: the requests' order and the official texts of errors. Must not know: the form of the requests,
 * which the engine writes.
 */
import { carrying, jsonOf } from '../../common/oauth/carrying';
import { decide, type Written } from '../../common/oauth/decisions';
import { serverMetadataOf } from '../../common/oauth/discovery';
import { MachineProvider } from '../../common/oauth/extensions';
import { checkedEndpoint, unstamped, type ClientAuthMethod } from '../../common/oauth/tokens';
import { OAuthErrorResponseSchema, OAuthTokensSchema, type OAuthTokens } from '../../protocol/auth';
import type { FetchLike } from '../../protocol/transport';
import { IdJagTokenExchangeResponseSchema } from './oauth-checks';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Options of `requestJwtAuthorizationGrant`. */
export interface RequestJwtAuthGrantOptions {
  /** The token endpoint of the identity provider. */
  tokenEndpoint: string | URL;
  /** The issuer of the authorization server that the grant is for. */
  audience: string | URL;
  /** The MCP server that the tokens will be for. */
  resource: string | URL;
  /** The user's id token. */
  idToken: string;
  /** The client's id at the identity provider. */
  clientId: string;
  /** The client's secret there. */
  clientSecret?: string;
  /** The scopes to request, separated by spaces. */
  scope?: string;
  /** Sends requests, in place of the global `fetch`. */
  fetchFn?: FetchLike;
}

/** Options of `discoverAndRequestJwtAuthGrant`. */
export interface DiscoverAndRequestJwtAuthGrantOptions extends Omit<RequestJwtAuthGrantOptions, 'tokenEndpoint'> {
  /** The issuer of the identity provider. */
  idpUrl: string | URL;
}

/** A grant of an identity provider. */
export interface JwtAuthGrantResult {
  /** The grant: a JWT. */
  jwtAuthGrant: string;
  /** How long the grant is valid, in seconds. */
  expiresIn?: number | undefined;
  /** The scopes of the grant. */
  scope?: string | undefined;
}

/** Sends a token request; a refusal is an error in these words. */
async function ask(endpoint: URL, given: object, fetchFn: FetchLike | undefined, words: string): Promise<unknown> {
  const metadata = { issuer: endpoint.origin, token_endpoint: endpoint.href };
  const about = { server_url: endpoint.href, base: endpoint.href, metadata, like: 'typescript2', ...given };
  const { url, headers, body } = decide<Written>('token_request', about);
  const response = await carrying('credentials', fetchFn)(new URL(url), { method: 'POST', headers, body });
  if (response.ok) return jsonOf(response);
  const answer = await jsonOf(response).catch(() => ({}));
  const refused = OAuthErrorResponseSchema.safeParse(answer);
  if (!refused.success) throw new Error(`${words} failed with status ${response.status}: ${JSON.stringify(answer)}`);
  const { error, error_description: why } = refused.data;
  throw new Error(`${words} failed: ${error}${why ? ` - ${why}` : ''}`);
}

/**
 * Exchanges a user's id token for a grant at the identity provider.
 * @param options - The identity provider, the user's token, and the audience of the grant.
 */
export async function requestJwtAuthorizationGrant(options: RequestJwtAuthGrantOptions): Promise<JwtAuthGrantResult> {
  const { tokenEndpoint, idToken, clientId: client_id, clientSecret: client_secret, scope, fetchFn } = options;
  const grant = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: idToken,
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
    audience: String(options.audience),
  };
  const client = { client_id, client_secret, token_endpoint_auth_method: client_secret ? 'client_secret_post' : 'none' };
  const given = { grant, client, resource: String(options.resource), scope };
  const found = IdJagTokenExchangeResponseSchema.safeParse(await ask(checkedEndpoint(tokenEndpoint), given, fetchFn, 'Token exchange'));
  if (!found.success) throw new Error(`Invalid token exchange response: ${found.error.message}`);
  return { jwtAuthGrant: found.data.access_token, expiresIn: found.data.expires_in, scope: found.data.scope };
}

/**
 * Finds the token endpoint of an identity provider, and exchanges a user's id token for a grant there.
 * @param options - The identity provider, the user's token, and the audience of the grant.
 */
export async function discoverAndRequestJwtAuthGrant(options: DiscoverAndRequestJwtAuthGrantOptions): Promise<JwtAuthGrantResult> {
  const { idpUrl, ...rest } = options;
  const metadata = await serverMetadataOf(idpUrl, undefined, { fetchFn: rest.fetchFn, like: 'typescript2' });
  if (!metadata?.token_endpoint) throw new Error(`Failed to discover token endpoint for IdP: ${idpUrl}`);
  return requestJwtAuthorizationGrant({ ...rest, tokenEndpoint: metadata.token_endpoint });
}

/**
 * Exchanges a grant of an identity provider for tokens.
 * @param options - The grant, the client and the authorization server.
 */
export async function exchangeJwtAuthGrant(options: {
  /** The token endpoint of the authorization server. */
  tokenEndpoint: string | URL;
  /** The grant. */
  jwtAuthGrant: string;
  /** The client's id at the authorization server. */
  clientId: string;
  /** The client's secret there. */
  clientSecret?: string;
  /** How the client authenticates. Default: `client_secret_basic`. */
  authMethod?: ClientAuthMethod;
  /** Sends requests, in place of the global `fetch`. */
  fetchFn?: FetchLike;
}): Promise<OAuthTokens> {
  const { clientId: client_id, clientSecret: client_secret, authMethod: method = 'client_secret_basic' } = options;
  const endpoint = checkedEndpoint(options.tokenEndpoint);
  if (method === 'client_secret_basic' && !client_secret) {
    throw new Error('client_secret_basic authentication requires a client_secret');
  }
  const grant = { grant_type: JWT_BEARER, assertion: options.jwtAuthGrant };
  const client = { client_id, client_secret, token_endpoint_auth_method: client_secret ? method : 'none' };
  const answer = await ask(endpoint, { grant, client }, options.fetchFn, 'JWT grant exchange');
  const tokens = OAuthTokensSchema.safeParse(answer);
  if (!tokens.success) throw new Error(`Invalid token response: ${tokens.error.message}`);
  return unstamped(tokens.data);
}

/** The argument of an `AssertionCallback`: what the grant is for. */
export interface CrossAppAccessContext {
  /** The issuer of the authorization server that the grant is for. */
  authorizationServerUrl: string;
  /** The MCP server that the tokens will be for. */
  resourceUrl: string;
  /** The scopes to request. */
  scope?: string | undefined;
  /** Sends requests. */
  fetchFn: FetchLike;
}

/** Obtains a grant (ID-JAG) of the user's identity provider and returns it. */
export type AssertionCallback = (context: CrossAppAccessContext) => string | Promise<string>;

/** Options of a `CrossAppAccessProvider`. */
export interface CrossAppAccessProviderOptions {
  /** Obtains the grant. */
  assertion: AssertionCallback;
  /** The client's id at the authorization server. */
  clientId: string;
  /** The client's secret there. */
  clientSecret: string;
  /** A name of the client that people can read. */
  clientName?: string;
  /** Sends requests, in place of the global `fetch`. */
  fetchFn?: FetchLike;
  /** The issuer of the authorization server that the credentials are for; they are sent to no other. */
  expectedIssuer?: string;
}

/** Obtains tokens with a grant of the user's identity provider. */
export class CrossAppAccessProvider extends MachineProvider {
  readonly #assertion: AssertionCallback;
  readonly #fetch: FetchLike;
  #server: string | undefined;
  #resource: string | undefined;

  /**
   * Creates a provider from a client id and secret, and a function that obtains the grant.
   * @param options - The client's id and secret, and a function that obtains the grant.
   */
  constructor(options: CrossAppAccessProviderOptions) {
    super(options, 'cross-app-access-client', 'client_secret_basic', options.clientSecret, JWT_BEARER);
    this.#assertion = options.assertion;
    this.#fetch = options.fetchFn ?? fetch;
  }

  /**
   * Keeps the authorization server that was found.
   * @param authorizationServerUrl - The URL of the authorization server.
   */
  saveAuthorizationServerUrl(authorizationServerUrl: string): void {
    this.#server = authorizationServerUrl;
  }

  /** The authorization server that was found last. */
  authorizationServerUrl(): string | undefined {
    return this.#server;
  }

  /**
   * Keeps the resource that tokens are requested for.
   * @param resourceUrl - The URL of the resource.
   */
  saveResourceUrl(resourceUrl: string): void {
    this.#resource = resourceUrl;
  }

  /** The resource that tokens were requested for last. */
  resourceUrl(): string | undefined {
    return this.#resource;
  }

  /**
   * The form parameters of a token request: a fresh grant.
   * @param scope - The scopes to ask for, separated by spaces. Default: none are named.
   */
  override async prepareTokenRequest(scope?: string): Promise<URLSearchParams> {
    const [authorizationServerUrl, resourceUrl] = [this.#server, this.#resource];
    if (!authorizationServerUrl) throw new Error('Authorization server URL not available. Ensure auth() has been called first.');
    if (!resourceUrl) {
      throw new Error(
        'Resource URL not available — server may not implement RFC 9728 Protected Resource Metadata (required for ' +
          'Cross-App Access), or auth() has not been called',
      );
    }
    const assertion = await this.#assertion({ authorizationServerUrl, resourceUrl, scope, fetchFn: this.#fetch });
    return new URLSearchParams({ grant_type: JWT_BEARER, assertion, ...(scope && { scope }) });
  }
}
