/**
 * What a client says of itself. Owns: the defaults of 2.x. Must not know: who reads it, and how
 * the kind of application is derived.
 */
import type { OAuthClientMetadata } from '../../protocol/auth';
import { decide } from './decisions';
import type { OAuthClientProvider } from './provider';

/**
 * The metadata a client registers with: that of the provider, completed with defaults.
 * @param provider - The provider.
 */
export function resolveClientMetadata(provider: Pick<OAuthClientProvider, 'clientMetadata' | 'redirectUrl'>): OAuthClientMetadata {
  const { redirectUrl } = provider;
  const clientMetadata: OAuthClientMetadata & { application_type?: string } = provider.clientMetadata;
  const grants = redirectUrl === undefined ? undefined : ['authorization_code', 'refresh_token'];
  const redirect_uris = clientMetadata.redirect_uris ?? [];
  return {
    ...clientMetadata,
    grant_types: clientMetadata.grant_types ?? grants,
    application_type: clientMetadata.application_type ?? decide<string>('application_type', { redirect_uris, like: 'typescript' }),
  } as OAuthClientMetadata;
}

/**
 * Whether a text is an `https` URL with a path.
 * @param value - The text.
 */
export function isHttpsUrl(value?: string): boolean {
  return Boolean(value) && decide<boolean>('is_client_id_url', { url: value });
}
