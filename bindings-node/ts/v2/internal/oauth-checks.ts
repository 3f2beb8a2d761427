/**
 * Checks that a 2.x client makes during authorization, without any request. Owns: their
 * official names, and the answer of an identity provider. Must not know: requests, the storage of
 * providers; how it is decided.
 */
import { decide } from '../../common/oauth/decisions';
import { checkedEndpoint } from '../../common/oauth/tokens';
import { inlineSchema, type AnySpecSchema } from '../../protocol/schema/schema';

export {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  InsufficientScopeError,
  IssuerMismatchError,
  OAuthClientFlowError,
  RegistrationRejectedError,
} from '../../common/oauth/flow-errors';
export { resolveClientMetadata } from '../../common/oauth/client-metadata';
export { validateAuthorizationResponseIssuer } from '../../common/oauth/issuer';

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

/**
 * Joins scopes, each once, in their order; `undefined` if there are none.
 * @param scopes - Lists of scopes, separated by spaces.
 */
export function computeScopeUnion(...scopes: (string | undefined)[]): string | undefined {
  return decide<string | null>('scope_union', { scopes }) ?? undefined;
}

/**
 * Whether `union` has a scope that `current` lacks, so that a new token has to be requested.
 * @param union - The scopes that may be more.
 * @param current - The scopes that may be fewer.
 */
export function isStrictScopeSuperset(union: string | undefined, current: string | undefined): boolean {
  return computeScopeUnion(current, union) !== computeScopeUnion(current);
}

/** Checks that a token endpoint uses TLS or is on this machine. @throws {InsecureTokenEndpointError} for any other endpoint. */
export const assertSecureTokenEndpoint: (tokenEndpoint: string | URL) => URL = checkedEndpoint;

/**
 * The `ath` claim of a DPoP proof: the hash of the access token (RFC 9449).
 * @param accessToken - The token.
 */
export async function accessTokenHash(accessToken: string): Promise<string> {
  return decide<string>('token_hash', { token: accessToken });
}
