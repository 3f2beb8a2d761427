/**
 * The URL of a client's metadata document. Owns: the check that providers make. Must not know: who
 * fetches the document.
 */
import { isHttpsUrl } from '../../common/oauth/client-metadata';
import { OAuthError, OAuthErrorCode } from './oauth-error';

/**
 * Checks the URL of a client's metadata document: an `https` URL with a path. `undefined` is
 * allowed. Providers call it when they are created.
 *
 * @param url - The URL.
 * @throws {OAuthError} `invalid_client_metadata` for any other URL.
 */
export function validateClientMetadataUrl(url: string | undefined): void {
  if (!url || isHttpsUrl(url)) return;
  const wanted = 'clientMetadataUrl must be a valid HTTPS URL with a non-root pathname';
  throw new OAuthError(OAuthErrorCode.InvalidClientMetadata, `${wanted}, got: ${url}`);
}
