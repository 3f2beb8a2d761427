/**
 * Checks that a 2.x client makes during authorization, without any request. Owns: scopes, checking
 * issuers and endpoints, the default client metadata. Must not know: requests, the storage of
 * providers.
 */
import type { OAuthClientProvider } from '../../common/oauth/client';
import { decide } from '../../common/oauth/decisions';
import type { OAuthClientMetadata } from '../../protocol/auth';
import { InsecureTokenEndpointError, IssuerMismatchError } from '../../common/oauth/flow-errors';
import { inlineSchema, type AnySpecSchema } from '../../protocol/schema/schema';

export {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  InsufficientScopeError,
  IssuerMismatchError,
  OAuthClientFlowError,
  RegistrationRejectedError,
} from '../../common/oauth/flow-errors';

/** The algorithms that a DPoP proof may be signed with. */
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

/** An algorithm that a DPoP proof may be signed with. */
export type DpopAlg = (typeof DPOP_SUPPORTED_ALGS)[number];

/** The response of an identity provider that exchanges an id token for a grant (RFC 8693). */
export interface IdJagTokenExchangeResponse {
  /** The type of the issued token. */
  issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag';
  /** The grant: a JWT for an authorization server. */
  access_token: string;
  /** The token type; it has no meaning here. */
  token_type?: string | undefined;
  /** How long the grant is valid, in seconds. */
  expires_in?: number | undefined;
  /** The scopes of the grant. */
  scope?: string | undefined;
}

/** Schema of an identity provider's response to a token exchange (RFC 8693). */
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

/** Joins scopes, each once, in their order; `undefined` if there are none. */
export function computeScopeUnion(...scopes: (string | undefined)[]): string | undefined {
  return decide<string | null>('scope_union', { scopes }) ?? undefined;
}

/** Whether `union` has a scope that `current` lacks, so that a new token has to be requested. */
export function isStrictScopeSuperset(union: string | undefined, current: string | undefined): boolean {
  const known = new Set(tokensOf(current));
  return tokensOf(union).some((token) => !known.has(token));
}

/** Whether a host name is a loopback name of this machine. */
function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]', '::1'].includes(hostname) || hostname.endsWith('.localhost');
}

/**
 * Checks that a token endpoint uses TLS or is on this machine.
 *
 * @throws {InsecureTokenEndpointError} for any other endpoint.
 */
export function assertSecureTokenEndpoint(tokenEndpoint: string | URL): URL {
  const url = new URL(String(tokenEndpoint));
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) throw new InsecureTokenEndpointError(url.href);
  return url;
}

/**
 * Checks the issuer in an authorization response (RFC 9207). Issuers are compared as exact strings.
 *
 * @throws {IssuerMismatchError} if it differs, or is missing although the authorization server
 * always sends it.
 */
export function validateAuthorizationResponseIssuer(given: {
  /** The `iss` parameter of the response. */
  iss: string | undefined;
  /** The issuer it must be equal to; `undefined` if that is not known. */
  expectedIssuer: string | undefined;
  /** Whether the authorization server always sends `iss`. */
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

/** The metadata a client registers with: that of the provider, completed with defaults. */
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

/** The `ath` claim of a DPoP proof: the hash of the access token (RFC 9449). */
export async function accessTokenHash(accessToken: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken));
  return Buffer.from(digest).toString('base64url');
}

/** Whether a response asks to repeat the request with a DPoP nonce (RFC 9449). */
export function isDpopNonceChallenge(response: Response): boolean {
  const demand = response.status === 401 ? (response.headers.get('www-authenticate') ?? '') : '';
  return /(?:^|,)\s*dpop(?:\s|$|,)/i.test(demand) && /use_dpop_nonce/i.test(demand);
}
