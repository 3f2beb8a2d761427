/**
 * Refusals of a server, met with new credentials.
 *
 * Owns: when another try makes sense. Must not know: how credentials are got, or sent.
 */
import type { OAuthClientProvider } from '../client/auth';
import type { FetchLike } from '../shared/transport';
import { authorize } from './client-authorize';
import { StreamableHTTPError } from './client-http-error';
import { extractWWWAuthenticateParams } from './oauth-challenge';

/** The refusals of one server. */
export class Demands {
  readonly #url: URL;
  readonly #provider: OAuthClientProvider | undefined;
  readonly #fetch: () => FetchLike;
  /** What was granted last. */
  #granted: string | undefined;
  /** The last demand for more than is allowed. */
  #more: string | null | undefined;

  constructor(url: URL, provider: OAuthClientProvider | undefined, fetch: () => FetchLike) {
    this.#url = url;
    this.#provider = provider;
    this.#fetch = fetch;
  }

  /**
   * Meets a 401, or a 403 that wants a wider scope.
   *
   * @param sent - The credentials that were refused; `ours` for those that were just got.
   * @returns whether to try again.
   * @throws why there are no credentials, or that new ones are refused, too.
   */
  async meet(response: Response, sent: string | undefined): Promise<boolean> {
    const { error, resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    if (response.status === 401) {
      const current = await this.current();
      // Another request has renewed them meanwhile.
      if (sent !== undefined && sent !== 'ours' && current !== undefined && sent !== current) return true;
      if (sent === 'ours' || (sent !== undefined && sent === this.#granted)) {
        throw new StreamableHTTPError(401, 'Server returned 401 after successful authentication');
      }
    } else if (response.status !== 403 || error !== 'insufficient_scope') {
      return false;
    } else {
      const demand = response.headers.get('WWW-Authenticate');
      if (this.#more === demand) throw new StreamableHTTPError(403, 'Server returned 403 after trying upscoping');
      this.#more = demand;
    }
    await authorize(this.#provider!, { serverUrl: this.#url, resourceMetadataUrl, scope, fetchFn: this.#fetch() });
    this.#granted = await this.current();
    return true;
  }

  private async current(): Promise<string | undefined> {
    const tokens = await this.#provider?.tokens();
    return tokens ? `Bearer ${tokens.access_token}` : undefined;
  }
}
