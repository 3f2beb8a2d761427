/**
 * OAuth types as the official 1.x package names them. Owns: what is not generated. Must not know:
 * who requests or issues tokens.
 */
import type {
  OAuthClientInformation,
  OAuthClientInformationFull,
  OAuthMetadata,
  OpenIdProviderDiscoveryMetadata,
} from '../generated/auth';

export * from '../generated/auth';

/** Information about a client: as it was registered, or only its id and secret. */
export type OAuthClientInformationMixed = OAuthClientInformation | OAuthClientInformationFull;

/** The metadata of an authorization server, from OAuth or OpenID discovery. */
export type AuthorizationServerMetadata = OAuthMetadata | OpenIdProviderDiscoveryMetadata;
