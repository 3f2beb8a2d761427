/**
 * Clients without a user: credentials of their own, and assertions signed with a key.
 *
 * Owns: the ready providers. Must not know: how tokens are asked for.
 */
import { constants, createHmac, createPrivateKey, randomUUID, sign, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { OAuthClientInformation, OAuthClientMetadata, OAuthTokens } from '../shared/auth';
import type { AddClientAuthentication, OAuthClientProvider } from './auth';

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const LIFETIME_SECONDS = 300;

/** A key: PKCS#8 as PEM, a secret, or a JSON Web Key. */
type Key = string | Uint8Array | Record<string, unknown>;

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function keyOf(key: Key): KeyObject {
  if (typeof key === 'string') return createPrivateKey(key);
  if (key instanceof Uint8Array) return createPrivateKey(Buffer.from(key));
  return createPrivateKey({ key: key as JsonWebKey, format: 'jwk' });
}

function secretOf(key: Key): string | Uint8Array {
  if (typeof key === 'string' || key instanceof Uint8Array) return key;
  return Buffer.from(String((key as { k?: unknown }).k), 'base64url');
}

/** The signature of a text, as JSON Web Algorithms (RFC 7518) have it. */
function signed(text: string, alg: string, key: Key): string {
  const [, kind, bits] = /^(RS|PS|ES|HS)(256|384|512)$/.exec(alg) ?? [];
  if (kind === undefined) throw new Error(`Unsupported algorithm ${alg}`);
  const hash = `sha${bits}`;
  if (kind === 'HS') return createHmac(hash, secretOf(key)).update(text).digest('base64url');
  const padding = kind === 'PS' ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {};
  const encoding = kind === 'ES' ? { dsaEncoding: 'ieee-p1363' as const } : {};
  return sign(hash, Buffer.from(text), { key: keyOf(key), ...padding, ...encoding }).toString('base64url');
}

/**
 * Has a client identify itself by an assertion signed with its key (RFC 7523).
 *
 * @param options - Whose assertion it is, the key and its algorithm; for whom and how long
 * it is good, if that is not the authorization server and 300 seconds; further claims.
 */
export function createPrivateKeyJwtAuth(options: {
  /** Issuer of the assertion: the client's id. */
  issuer: string;
  /** Subject of the assertion: the client's id. */
  subject: string;
  /** PKCS#8 as PEM, a secret, or a JSON Web Key. */
  privateKey: string | Uint8Array | Record<string, unknown>;
  /** The algorithm that signs the assertion, e.g. `RS256`. */
  alg: string;
  /** To whom; the authorization server by default. */
  audience?: string | URL;
  /** Lifetime of the assertion, in seconds. */
  lifetimeSeconds?: number;
  /** Further claims of the assertion. */
  claims?: Record<string, unknown>;
}): AddClientAuthentication {
  return async (_headers, params, url, metadata) => {
    const { issuer: iss, subject: sub, privateKey, alg, lifetimeSeconds = LIFETIME_SECONDS } = options;
    const aud = String(options.audience ?? metadata?.issuer ?? url);
    const iat = Math.floor(Date.now() / 1000);
    const claims = { ...options.claims, iss, sub, aud, exp: iat + lifetimeSeconds, iat, jti: randomUUID() };
    const text = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`;
    params.set('client_assertion', `${text}.${signed(text, alg, privateKey)}`);
    params.set('client_assertion_type', ASSERTION);
  };
}

/** What all providers without a user have in common. */
interface MachineOptions {
  /** The client's id. */
  clientId: string;
  /** The client's name, for people. */
  clientName?: string;
  /** The scopes the client asks for. */
  scope?: string;
  /**
   * The authorization server the credentials are for: they are sent to no other. Without
   * it, the server that is reached decides who gets them.
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

/** A client that gets tokens for itself. */
abstract class MachineProvider implements OAuthClientProvider {
  private _tokens?: OAuthTokens;
  private _clientInfo: OAuthClientInformation;
  private _clientMetadata: OAuthClientMetadata;

  constructor(options: MachineOptions, name: string, method: string, secret?: string) {
    const { clientId: client_id, clientName = name, scope, expectedIssuer } = options;
    const issuer = checkedIssuer(expectedIssuer);
    this._clientInfo = { client_id, ...(secret !== undefined && { client_secret: secret }), issuer };
    this._clientMetadata = {
      client_name: clientName,
      redirect_uris: [],
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: method,
      scope,
    };
  }

  /** Always `undefined`: this flow has no user and no redirect. */
  get redirectUrl(): undefined {
    return undefined;
  }

  /** The client's metadata, as it would register it. */
  get clientMetadata(): OAuthClientMetadata {
    return this._clientMetadata;
  }

  /** The client's id and secret at the authorization server. */
  clientInformation(): OAuthClientInformation {
    return this._clientInfo;
  }

  /** Stores the client's id and secret at the authorization server. */
  saveClientInformation(info: OAuthClientInformation): void {
    this._clientInfo = info;
  }

  /** The tokens that were saved, if any. */
  tokens(): OAuthTokens | undefined {
    return this._tokens;
  }

  /** Stores the tokens. */
  saveTokens(tokens: OAuthTokens): void {
    this._tokens = tokens;
  }

  /** Throws: this flow has no user to redirect. */
  redirectToAuthorization(): void {
    throw new Error('redirectToAuthorization is not used for client_credentials flow');
  }

  /** Does nothing: this flow has no authorization code. */
  saveCodeVerifier(): void {}

  /** Throws: this flow has no authorization code. */
  codeVerifier(): string {
    throw new Error('codeVerifier is not used for client_credentials flow');
  }

  /** The form of the request for tokens. */
  prepareTokenRequest(scope?: string): URLSearchParams {
    return new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) });
  }
}

/** Options of a `ClientCredentialsProvider`. */
export interface ClientCredentialsProviderOptions extends MachineOptions {
  /** The client's secret. */
  clientSecret: string;
}

/** Authorizes a client by its id and secret, without a user. */
export class ClientCredentialsProvider extends MachineProvider {
  /** A client with its id and secret. */
  constructor(options: ClientCredentialsProviderOptions) {
    super(options, 'client-credentials-client', 'client_secret_basic', options.clientSecret);
  }
}

/** Options of a `PrivateKeyJwtProvider`. */
export interface PrivateKeyJwtProviderOptions extends MachineOptions {
  /** PKCS#8 as PEM, a secret, or a JSON Web Key. */
  privateKey: string | Uint8Array | Record<string, unknown>;
  /** The algorithm that signs the assertion, e.g. `RS256`. */
  algorithm: string;
  /** How long each assertion is good; 300 seconds by default. */
  jwtLifetimeSeconds?: number;
}

/** Authorizes a client by an assertion that its private key signs, without a user. */
export class PrivateKeyJwtProvider extends MachineProvider {
  /** Signs an assertion for each request. */
  addClientAuthentication: AddClientAuthentication;

  /** A client with its id and key. */
  constructor(options: PrivateKeyJwtProviderOptions) {
    super(options, 'private-key-jwt-client', 'private_key_jwt');
    const { clientId, privateKey, algorithm: alg, jwtLifetimeSeconds: lifetimeSeconds } = options;
    this.addClientAuthentication = createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg, lifetimeSeconds });
  }
}

/** Options of a `StaticPrivateKeyJwtProvider`. */
export interface StaticPrivateKeyJwtProviderOptions extends MachineOptions {
  /** The assertion, signed elsewhere. */
  jwtBearerAssertion: string;
}

/** Authorizes a client by an assertion that was signed elsewhere, without a user. */
export class StaticPrivateKeyJwtProvider extends MachineProvider {
  /** Sends the assertion. */
  addClientAuthentication: AddClientAuthentication;

  /** A client with its id and assertion. */
  constructor(options: StaticPrivateKeyJwtProviderOptions) {
    super(options, 'static-private-key-jwt-client', 'private_key_jwt');
    this.addClientAuthentication = async (_headers, params) => {
      params.set('client_assertion', options.jwtBearerAssertion);
      params.set('client_assertion_type', ASSERTION);
    };
  }
}
