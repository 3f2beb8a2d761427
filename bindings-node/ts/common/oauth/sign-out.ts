/**
 * Signing out. Owns: that tokens are forgotten first, then revoked. Must not know: how a client proves
 * itself, and what an answer means, which the engine says.
 */
import type { AuthorizationServerMetadata, OAuthClientInformationFull } from '../../protocol/auth';
import { carrying } from './carrying';
import { decide, likeOf, type Written } from './decisions';
import { serverInfoOf } from './discovery';
import { ofIssuer } from './issuer';
import { contextFor, issuerFor } from './tokens';
import type { AuthorizeOptions, OAuthClientProvider } from './provider';

/**
 * Forgets the tokens of a provider, then has the authorization server revoke them if it offers that (RFC
 * 7009). The client stays registered; the next request signs in anew. A provider without
 * `invalidateCredentials` is given a token that is an empty string to save.
 *
 * @param provider - The provider that stores the tokens.
 * @param options - The URL of the server that they are for; optionally a `fetch` to use.
 * @throws if a token was not revoked. It is forgotten all the same.
 */
export async function signOut(
  provider: OAuthClientProvider,
  options: Pick<AuthorizeOptions, 'serverUrl' | 'resourceMetadataUrl' | 'fetchFn' | 'skipIssuerMetadataValidation'>,
): Promise<void> {
  if (provider.exclusively === undefined) await forget(provider, options);
  else await provider.exclusively(() => forget(provider, options));
}

async function forget(provider: OAuthClientProvider, options: Parameters<typeof signOut>[1]): Promise<void> {
  const { serverUrl, resourceMetadataUrl, fetchFn, skipIssuerMetadataValidation: anyIssuer } = options;
  const { privateNetworks } = provider;
  const [like, kept, tokens] = [likeOf(provider), await provider.discoveryState?.(), await provider.tokens()];
  if (!tokens?.access_token) return;
  if (provider.invalidateCredentials) await provider.invalidateCredentials('tokens');
  else await provider.saveTokens({ access_token: '', token_type: 'Bearer' });
  const looking = { fetchFn, like, anyIssuer, privateNetworks };
  const server = kept?.authorizationServerMetadata ? kept : await serverInfoOf(serverUrl, resourceMetadataUrl, looking);
  const { authorizationServerUrl, authorizationServerMetadata: metadata } = server;
  const issuer = issuerFor(like, authorizationServerUrl, metadata);
  const client = ofIssuer(await provider.clientInformation(...contextFor(like, issuer)), issuer);
  // What belongs to one authorization server is shown to no other.
  if (metadata === undefined || client === undefined || ofIssuer(tokens, issuer) === undefined) return;
  const { client_id, client_secret, token_endpoint_auth_method } = client as OAuthClientInformationFull;
  const { addClientAuthentication: prove } = provider;
  const written = decide<Written[]>('revocation_requests', {
    server_url: new URL(serverUrl).href,
    metadata,
    client: prove ? undefined : { client_id, client_secret, token_endpoint_auth_method },
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    private_networks: privateNetworks ?? false,
    like,
  });
  for (const { url, headers, body } of written) {
    const [sent, form] = [new Headers(headers), new URLSearchParams(body)];
    await prove?.(sent, form, url, metadata as AuthorizationServerMetadata);
    const response = await carrying('credentials', fetchFn)(url, { method: 'POST', headers: sent, body: form });
    await response.body?.cancel();
    decide('revocation_answer', { status: response.status });
  }
}
