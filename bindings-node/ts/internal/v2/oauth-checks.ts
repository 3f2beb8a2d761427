/**
 * What a client of 2.x decides about authorization without asking anybody. Owns: scopes,
 * the checks of issuers and endpoints, what a client says of itself by default. Must not
 * know: requests, providers' storage.
 */
import type { OAuthClientProvider } from '../../client/auth';
import type { OAuthClientMetadata } from '../../shared/auth';
import { InsecureTokenEndpointError, IssuerMismatchError } from '../oauth-flow-errors';
import { inlineSchema, type AnySpecSchema } from '../schema';

export {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  InsufficientScopeError,
  IssuerMismatchError,
  OAuthClientFlowError,
  RegistrationRejectedError,
} from '../oauth-flow-errors';

/** Algorithms that a proof of possession may be signed with. */
export const DPOP_SUPPORTED_ALGS = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
] as const;

/** One of them. */
export type DpopAlg = (typeof DPOP_SUPPORTED_ALGS)[number];

/** What an identity provider gives for an id token (RFC 8693). */
export interface IdJagTokenExchangeResponse {
  /** What kind of token it is. */
  issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag';
  /** The grant. */
  access_token: string;
  /** Says nothing here. */
  token_type?: string | undefined;
  /** Seconds. */
  expires_in?: number | undefined;
  /** What it is good for. */
  scope?: string | undefined;
}

/** What an identity provider gives for an id token (RFC 8693). */
export const IdJagTokenExchangeResponseSchema: AnySpecSchema<IdJagTokenExchangeResponse> = inlineSchema({
  type: 'object',
  properties: {
    issued_token_type: { const: 'urn:ietf:params:oauth:token-type:id-jag' },
    access_token: { type: 'string' },
    token_type: { type: 'string' },
    expires_in: { type: 'number' },
    scope: { type: 'string' },
  },
  required: ['issued_token_type', 'access_token'],
});

function tokensOf(scope: string | undefined): string[] {
  return (scope ?? '').split(/\s+/).filter((token) => token !== '');
}

/** All scopes of several texts, each once, in their order; `undefined` without any. */
export function computeScopeUnion(...scopes: (string | undefined)[]): string | undefined {
  const all = new Set(scopes.flatMap(tokensOf));
  return all.size > 0 ? [...all].join(' ') : undefined;
}

/** Whether a text has a scope that another lacks: a token for the latter has to be asked for anew. */
export function isStrictScopeSuperset(union: string | undefined, current: string | undefined): boolean {
  const known = new Set(tokensOf(current));
  return tokensOf(union).some((token) => !known.has(token));
}

/** Names of this machine, as URLs have them. */
function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]', '::1'].includes(hostname) || hostname.endsWith('.localhost');
}

/**
 * Sees to it that credentials only go over TLS, or to this machine.
 *
 * @throws {InsecureTokenEndpointError} for any other endpoint.
 */
export function assertSecureTokenEndpoint(tokenEndpoint: string | URL): URL {
  const url = new URL(String(tokenEndpoint));
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) throw new InsecureTokenEndpointError(url.href);
  return url;
}

/**
 * Checks who a user was sent back by (RFC 9207). Issuers are compared letter by letter.
 *
 * @throws {IssuerMismatchError} if it is another, or if one that always says so does not.
 */
export function validateAuthorizationResponseIssuer(given: {
  /** Whom the user was sent back by. */
  iss: string | undefined;
  /** The issuer that is expected; `undefined` if it is not known. */
  expectedIssuer: string | undefined;
  /** Whether that one always says so. */
  issParameterSupported: boolean | undefined;
}): void {
  const { iss, expectedIssuer, issParameterSupported } = given;
  if (expectedIssuer === undefined || iss === expectedIssuer) return;
  if (iss === undefined && !issParameterSupported) return;
  throw new IssuerMismatchError('authorization_response', expectedIssuer, iss);
}

function applicationType(redirectUris: readonly string[] | undefined): 'native' | 'web' {
  const urls = (redirectUris ?? []).filter((uri) => URL.canParse(uri)).map((uri) => new URL(uri));
  const isNative = urls.some(({ protocol, hostname }) => !/^https?:$/.test(protocol) || isLoopback(hostname));
  return isNative ? 'native' : 'web';
}

/** What a client says of itself when it registers: its own words, and defaults for what it leaves out. */
export function resolveClientMetadata(provider: Pick<OAuthClientProvider, 'clientMetadata' | 'redirectUrl'>): OAuthClientMetadata {
  const { redirectUrl } = provider;
  const clientMetadata: OAuthClientMetadata & { application_type?: string } = provider.clientMetadata;
  const grants = redirectUrl === undefined ? undefined : ['authorization_code', 'refresh_token'];
  return {
    ...clientMetadata,
    grant_types: clientMetadata.grant_types ?? grants,
    application_type: clientMetadata.application_type ?? applicationType(clientMetadata.redirect_uris),
  } as OAuthClientMetadata;
}

/** What a proof of possession says of the token it goes with (RFC 9449). */
export async function accessTokenHash(accessToken: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken));
  return Buffer.from(digest).toString('base64url');
}

/** Whether a refusal wants the proof again, with the nonce it brings (RFC 9449). */
export function isDpopNonceChallenge(response: Response): boolean {
  const demand = response.status === 401 ? (response.headers.get('www-authenticate') ?? '') : '';
  return /(?:^|,)\s*dpop(?:\s|$|,)/i.test(demand) && /use_dpop_nonce/i.test(demand);
}
