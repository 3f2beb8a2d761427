/**
 * OAuth as the official 1.x package names it. Owns: what is not generated. Must not know:
 * who asks for tokens, and who gives them.
 */
import type {
  OAuthClientInformation,
  OAuthClientInformationFull,
  OAuthMetadata,
  OpenIdProviderDiscoveryMetadata,
} from '../generated/auth';

export * from '../generated/auth';

/** A client that registered, or one that was given its id in another way. */
export type OAuthClientInformationMixed = OAuthClientInformation | OAuthClientInformationFull;

/** What an authorization server says of itself, with or without OpenID. */
export type AuthorizationServerMetadata = OAuthMetadata | OpenIdProviderDiscoveryMetadata;
