/**
 * The types and schemas of OAuth. Written by `cargo xtask generate`; do not edit.
 */
import { specSchema, type SpecSchema } from '../protocol/schema/schema';
import type * as t from './types';

export type {
  OAuthProtectedResourceMetadata,
  OAuthMetadata,
  OpenIdProviderMetadata,
  OpenIdProviderDiscoveryMetadata,
  OAuthTokens,
  OAuthErrorResponse,
  OAuthClientMetadata,
  OAuthClientInformation,
  OAuthClientInformationFull,
  OAuthClientRegistrationError,
  OAuthTokenRevocationRequest,
} from './types';

/** A URL that no browser runs. */
export const SafeUrlSchema: SpecSchema<t.SafeUrl> = /* @__PURE__ */ specSchema('SafeUrl');

/** A URL that no browser runs; empty text is nothing. */
export const OptionalSafeUrlSchema: SpecSchema<t.OptionalSafeUrl> = /* @__PURE__ */ specSchema('OptionalSafeUrl');

/** What a protected resource says of itself (RFC 9728). */
export const OAuthProtectedResourceMetadataSchema: SpecSchema<t.OAuthProtectedResourceMetadata> = /* @__PURE__ */ specSchema('OAuthProtectedResourceMetadata');

/** What an authorization server says of itself (RFC 8414). */
export const OAuthMetadataSchema: SpecSchema<t.OAuthMetadata> = /* @__PURE__ */ specSchema('OAuthMetadata');

/** What an OpenID provider says of itself. */
export const OpenIdProviderMetadataSchema: SpecSchema<t.OpenIdProviderMetadata> = /* @__PURE__ */ specSchema('OpenIdProviderMetadata');

/** What providers say that know OpenID and OAuth. */
export const OpenIdProviderDiscoveryMetadataSchema: SpecSchema<t.OpenIdProviderDiscoveryMetadata> = /* @__PURE__ */ specSchema('OpenIdProviderDiscoveryMetadata');

/** What a token endpoint gives (OAuth 2.1). */
export const OAuthTokensSchema: SpecSchema<t.OAuthTokens> = /* @__PURE__ */ specSchema('OAuthTokens');

/** How an authorization server says no. */
export const OAuthErrorResponseSchema: SpecSchema<t.OAuthErrorResponse> = /* @__PURE__ */ specSchema('OAuthErrorResponse');

/** What a client says of itself when it registers (RFC 7591). */
export const OAuthClientMetadataSchema: SpecSchema<t.OAuthClientMetadata> = /* @__PURE__ */ specSchema('OAuthClientMetadata');

/** What a client is known by. */
export const OAuthClientInformationSchema: SpecSchema<t.OAuthClientInformation> = /* @__PURE__ */ specSchema('OAuthClientInformation');

/** What registering a client answers. */
export const OAuthClientInformationFullSchema: SpecSchema<t.OAuthClientInformationFull> = /* @__PURE__ */ specSchema('OAuthClientInformationFull');

/** How registering a client fails. */
export const OAuthClientRegistrationErrorSchema: SpecSchema<t.OAuthClientRegistrationError> = /* @__PURE__ */ specSchema('OAuthClientRegistrationError');

/** Takes a token back (RFC 7009). */
export const OAuthTokenRevocationRequestSchema: SpecSchema<t.OAuthTokenRevocationRequest> = /* @__PURE__ */ specSchema('OAuthTokenRevocationRequest');
