/**
 * Where a client of the 2.x face keeps what it says of itself. Owns: the check that
 * providers of programs make. Must not know: who fetches it.
 */
import { isHttpsUrl } from '../oauth-flow';
import { OAuthError, OAuthErrorCode } from './oauth-error';

/**
 * Checks where a client's metadata is to be read: an `https` URL that has a path, if
 * there is one at all. Providers do so when they are made.
 *
 * @throws {OAuthError} `invalid_client_metadata`, for any other.
 */
export function validateClientMetadataUrl(url: string | undefined): void {
  if (!url || isHttpsUrl(url)) return;
  const wanted = 'clientMetadataUrl must be a valid HTTPS URL with a non-root pathname';
  throw new OAuthError(OAuthErrorCode.InvalidClientMetadata, `${wanted}, got: ${url}`);
}
