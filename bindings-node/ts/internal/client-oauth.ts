/** Types of OAuth that clients hand through. */

/** Tokens. */
export interface OAuthTokens {
  access_token: string;
  token_type: string;
  id_token?: string;
  expires_in?: number;
  scope?: string;
  refresh_token?: string;
}

/** What an authorization server knows a client as. */
export interface OAuthClientInformationMixed {
  client_id: string;
  client_secret?: string;
  [member: string]: unknown;
}

/** What a client says of itself. */
export interface OAuthClientMetadata {
  redirect_uris: string[];
  [member: string]: unknown;
}

/** What an authorization server says of itself. */
export type AuthorizationServerMetadata = Record<string, unknown>;
/** What a resource says of itself. */
export type OAuthProtectedResourceMetadata = Record<string, unknown>;
