/**
 * Requests that a server refused, repeated with new credentials.
 *
 * Owns: when to try again. Must not know: how credentials are obtained or sent.
 */
import type { FetchLike } from '../../protocol/transport';
import { bearer, isOAuth, renew, type AnyProvider } from './credentials';
import { StreamableHTTPError } from './http-error';
import { demandedOfToken } from '../oauth/challenge';
import { InsufficientScopeError } from '../oauth/flow-errors';

/** The refusals of one server. */
export class Demands {
  readonly #url: URL;
  readonly #provider: AnyProvider | undefined;
  readonly #fetch: () => FetchLike;
  /** The credentials that were obtained last. */
  #granted: string | undefined;
  /** The last demand for a wider scope. */
  #more: string | null | undefined;

  constructor(url: URL, provider: AnyProvider | undefined, fetch: () => FetchLike) {
    this.#url = url;
    this.#provider = provider;
    this.#fetch = fetch;
  }

  /**
   * Handles a 401, or a 403 that demands a wider scope.
   *
   * @param sent - The credentials that were refused; `ours` for those that were just obtained.
   * @param wasGood - Whether the server took these credentials before.
   * @returns whether to try again.
   * @throws if there are no credentials, or new ones were refused as well.
   */
  async meet(response: Response, sent: string | undefined, wasGood = false): Promise<boolean> {
    const { error, scope, resourceMetadataUrl } = demandedOfToken(response);
    if (response.status === 401) {
      // Another request has renewed the credentials meanwhile.
      if (sent !== undefined && sent !== 'ours' && (await this.isOld(sent))) return true;
      if (sent === 'ours' || (sent !== undefined && sent === this.#granted && !wasGood)) {
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

  /** Whether the credentials have changed since the request was sent. */
  private async isOld(sent: string): Promise<boolean> {
    const current = await bearer(this.#provider);
    if (current === undefined || sent === current) return false;
    // A program may make a token for each request; a different one does not mean that it was
    // renewed.
    return isOAuth(this.#provider) || current === this.#granted;
  }
}
