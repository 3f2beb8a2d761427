/**
 * Refusals of a server, met with new credentials.
 *
 * Owns: when another try makes sense. Must not know: how credentials are got, or sent.
 */
import type { FetchLike } from '../shared/transport';
import { bearer, isOAuth, renew, type AnyProvider } from './client-credentials';
import { StreamableHTTPError } from './client-http-error';
import { extractWWWAuthenticateParams } from './oauth-challenge';
import { InsufficientScopeError } from './oauth-flow-errors';

/** The refusals of one server. */
export class Demands {
  readonly #url: URL;
  readonly #provider: AnyProvider | undefined;
  readonly #fetch: () => FetchLike;
  /** What was granted last. */
  #granted: string | undefined;
  /** The last demand for more than is allowed. */
  #more: string | null | undefined;

  constructor(url: URL, provider: AnyProvider | undefined, fetch: () => FetchLike) {
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
    const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    if (response.status === 401) {
      // Another request has renewed them meanwhile.
      if (sent !== undefined && sent !== 'ours' && (await this.isOld(sent))) return true;
      if (sent === 'ours' || (sent !== undefined && sent === this.#granted)) {
        throw new StreamableHTTPError(401, 'Server returned 401 after successful authentication');
      }
    } else if (response.status !== 403 || error !== 'insufficient_scope') {
      return false;
    } else if (!isOAuth(this.#provider)) {
      throw new InsufficientScopeError({ requiredScope: scope, resourceMetadataUrl });
    } else {
      const demand = response.headers.get('WWW-Authenticate');
      if (this.#more === demand) throw new StreamableHTTPError(403, 'Server returned 403 after trying upscoping');
      this.#more = demand;
    }
    await renew(this.#provider!, { response, serverUrl: this.#url, fetchFn: this.#fetch() });
    this.#granted = await bearer(this.#provider);
    return true;
  }

  /** Whether there are other credentials by now. */
  private async isOld(sent: string): Promise<boolean> {
    const current = await bearer(this.#provider);
    if (current === undefined || sent === current) return false;
    // A program may make a token for each request: another one says nothing of the refusal then.
    return isOAuth(this.#provider) || current === this.#granted;
  }
}
