/**
 * Credentials for clients that act without a user: a client secret, or assertions signed with a
 * key.
 *
 * Owns: the ready-made providers. Must not know: how tokens are requested, how assertions are signed.
 */
import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import type { OAuthClientInformation, OAuthClientMetadata, OAuthTokens } from '../../protocol/auth';
import { decide } from './decisions';
import type { AddClientAuthentication, OAuthClientProvider } from './provider';

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const LIFETIME_SECONDS = 300;
const ALGORITHMS = ['HS', 'RS', 'PS', 'ES'].flatMap((kind) => ['256', '384', '512'].map((bits) => kind + bits));

/** A signing key: PKCS#8 in PEM form, a shared secret, or a JSON Web Key. */
type Key = string | Uint8Array | Record<string, unknown>;

/** A key as the engine reads it. */
function keyOf(key: Key, alg: string): { key: string; base64url?: boolean } {
  if (alg.startsWith('HS')) {
    if (typeof key === 'string') return { key };
    const secret = key instanceof Uint8Array ? Buffer.from(key).toString('base64url') : String((key as { k?: unknown }).k);
    return { key: secret, base64url: true };
  }
  const given = key instanceof Uint8Array ? Buffer.from(key) : key;
  const made = typeof given === 'string' || Buffer.isBuffer(given) ? given : { key: given as JsonWebKey, format: 'jwk' as const };
  return { key: createPrivateKey(made).export({ type: 'pkcs8', format: 'pem' }) as string };
}

/** Claims that a program cannot replace. */
const OURS = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti'];

/**
 * Returns a function that authenticates a client with a JWT signed with its key (RFC 7523).
 *
 * @param options - The client, its key and algorithm; optionally the audience (the authorization
 * server by default), the lifetime (300 seconds by default) and further claims.
 */
export function createPrivateKeyJwtAuth(options: {
  /** The `iss` claim: the client's id. */
  issuer: string;
  /** The `sub` claim: the client's id. */
  subject: string;
  /** The signing key: PKCS#8 in PEM form, a shared secret, or a JSON Web Key. */
  privateKey: string | Uint8Array | Record<string, unknown>;
  /** The signature algorithm, e.g. `RS256`. */
  alg: string;
  /** The `aud` claim; the authorization server by default. */
  audience?: string | URL;
  /** How long an assertion is valid, in seconds; 300 by default. */
  lifetimeSeconds?: number;
  /** Further claims to put into the assertion. */
  claims?: Record<string, unknown>;
}): AddClientAuthentication {
  return async (_headers, params, url, metadata) => {
    const { issuer, subject, privateKey, alg, lifetimeSeconds: lifetime = LIFETIME_SECONDS } = options;
    if (!ALGORITHMS.includes(alg)) throw new Error(`Unsupported algorithm ${alg}`);
    const claims = Object.fromEntries(Object.entries(options.claims ?? {}).filter(([name]) => !OURS.includes(name)));
    const audience = String(options.audience ?? metadata?.issuer ?? url);
    const given = { algorithm: alg, ...keyOf(privateKey, alg), issuer, subject, audience, lifetime, claims };
    params.set('client_assertion', decide<string>('assertion', given));
    params.set('client_assertion_type', ASSERTION);
  };
}

/** Options that all providers without a user share. */
interface MachineOptions {
  /** The client's id at the authorization server. */
  clientId: string;
  /** A name of the client that people can read. */
  clientName?: string;
  /** The scopes to request, separated by spaces. */
  scope?: string;
  /**
   * The issuer of the authorization server that the credentials are for; they are sent to no other.
   * Without it, the MCP server decides which authorization server gets them.
   */
  expectedIssuer?: string;
}

function checkedIssuer(issuer: string | undefined): string | undefined {
  if (issuer !== undefined && (typeof issuer !== 'string' || issuer === '')) {
    throw new Error("expectedIssuer must be the authorization server's issuer URL");
  }
  if (issuer === undefined) {
    console.warn(
      'mcpbolt: without `expectedIssuer`, the MCP server decides which authorization server receives the credentials of this client. ' +
        "Pass your authorization server's issuer URL.",
    );
  }
  return issuer;
}

/** Base class of providers that obtain tokens for the client itself, without a user. */
export abstract class MachineProvider implements OAuthClientProvider {
  private _tokens?: OAuthTokens;
  private _clientInfo: OAuthClientInformation;
  private _clientMetadata: OAuthClientMetadata;
  readonly #flow: string;

  /**
   * Creates a provider for a client without a user.
   * @param options - The client's id, its scopes, and the authorization server.
   * @param name - The name that the client registers with.
   * @param method - How the client authenticates at the token endpoint.
   * @param secret - The client's secret. Default: none.
   * @param grant - The grant type. Default: `client_credentials`.
   */
  constructor(options: MachineOptions, name: string, method: string, secret?: string, grant = 'client_credentials') {
    const { clientId: client_id, clientName = name, scope, expectedIssuer } = options;
    const issuer = checkedIssuer(expectedIssuer);
    this.#flow = grant.split(':').at(-1)!;
    this._clientInfo = { client_id, ...(secret !== undefined && { client_secret: secret }), issuer };
    this._clientMetadata = {
      client_name: clientName,
      redirect_uris: [],
      grant_types: [grant],
      token_endpoint_auth_method: method,
      scope,
    };
  }

  /** Always `undefined`: there is no user to redirect. */
  get redirectUrl(): undefined {
    return undefined;
  }

  /** The client's OAuth metadata. */
  get clientMetadata(): OAuthClientMetadata {
    return this._clientMetadata;
  }

  /** The client's id and, if it has one, its secret. */
  clientInformation(): OAuthClientInformation {
    return this._clientInfo;
  }

  /**
   * Saves the information about the client.
   * @param info - The client's id and secret.
   */
  saveClientInformation(info: OAuthClientInformation): void {
    this._clientInfo = info;
  }

  /** The tokens saved last; `undefined` before the first ones. */
  tokens(): OAuthTokens | undefined {
    return this._tokens;
  }

  /**
   * Saves tokens, replacing earlier ones.
   * @param tokens - The tokens.
   */
  saveTokens(tokens: OAuthTokens): void {
    this._tokens = tokens;
  }

  /** Never used, because there is no user to redirect. */
  redirectToAuthorization(): void {
    throw new Error(`redirectToAuthorization is not used for ${this.#flow} flow`);
  }

  /** Does nothing: this grant has no authorization code. */
  saveCodeVerifier(): void {}

  /** Never used: this grant has no authorization code. */
  codeVerifier(): string {
    throw new Error(`codeVerifier is not used for ${this.#flow} flow`);
  }

  /**
   * The form parameters of a token request.
   * @param scope - The scopes to ask for, separated by spaces. Default: none are named.
   */
  prepareTokenRequest(scope?: string): URLSearchParams | Promise<URLSearchParams> {
    return new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) });
  }
}

/** Options of a `ClientCredentialsProvider`. */
export interface ClientCredentialsProviderOptions extends MachineOptions {
  /** The client's secret. */
  clientSecret: string;
}

/** Obtains tokens with a client id and secret (grant `client_credentials`). */
export class ClientCredentialsProvider extends MachineProvider {
  /**
   * Creates a provider from a client id and secret.
   * @param options - The client's id and secret, its scopes, and the authorization server.
   */
  constructor(options: ClientCredentialsProviderOptions) {
    super(options, 'client-credentials-client', 'client_secret_basic', options.clientSecret);
  }
}

/** Options of a `PrivateKeyJwtProvider`. */
export interface PrivateKeyJwtProviderOptions extends MachineOptions {
  /** The signing key: PKCS#8 in PEM form, a shared secret, or a JSON Web Key. */
  privateKey: string | Uint8Array | Record<string, unknown>;
  /** The signature algorithm, e.g. `RS256`. */
  algorithm: string;
  /** How long each assertion is valid, in seconds; 300 by default. */
  jwtLifetimeSeconds?: number;
}

/** Obtains tokens with assertions that are signed with the client's key (RFC 7523). */
export class PrivateKeyJwtProvider extends MachineProvider {
  /** Signs an assertion and adds it to a token request. */
  addClientAuthentication: AddClientAuthentication;

  /**
   * Creates a provider from a client id and key.
   * @param options - The client's id and key, its scopes, and the authorization server.
   */
  constructor(options: PrivateKeyJwtProviderOptions) {
    super(options, 'private-key-jwt-client', 'private_key_jwt');
    const { clientId, privateKey, algorithm: alg, jwtLifetimeSeconds: lifetimeSeconds } = options;
    this.addClientAuthentication = createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg, lifetimeSeconds });
  }
}

/** Options of a `StaticPrivateKeyJwtProvider`. */
export interface StaticPrivateKeyJwtProviderOptions extends MachineOptions {
  /** The assertion, a JWT that was signed elsewhere. */
  jwtBearerAssertion: string;
}

/** Obtains tokens with an assertion that was signed elsewhere. */
export class StaticPrivateKeyJwtProvider extends MachineProvider {
  /** Adds the assertion to a token request. */
  addClientAuthentication: AddClientAuthentication;

  /**
   * Creates a provider from a client id and a signed assertion.
   * @param options - The client's id and assertion, its scopes, and the authorization server.
   */
  constructor(options: StaticPrivateKeyJwtProviderOptions) {
    super(options, 'static-private-key-jwt-client', 'private_key_jwt');
    this.addClientAuthentication = async (_headers, params) => {
      params.set('client_assertion', options.jwtBearerAssertion);
      params.set('client_assertion_type', ASSERTION);
    };
  }
}
