/**
 * Requests that a server refused, repeated with new credentials.
 *
 * Owns: when to try again. Must not know: how credentials are obtained or sent.
 */
import type { FetchLike } from '../../protocol/transport';
import { bearer, isOAuth, mayHave, renew, widened, type AnyProvider } from './credentials';
import { StreamableHTTPError } from './http-error';
import { demandedOfToken } from '../oauth/challenge';
import { InsufficientScopeError } from '../oauth/flow-errors';
import type { OAuthClientProvider } from '../oauth/provider';

/** What is known of a request that was refused. */
export interface Refused {
  /** Whether it was sent with credentials that were obtained for it. Default: no. */
  again?: boolean;
  /** Whether the server took the same credentials before. Default: as `accepted` was told. */
  wasGood?: boolean;
}

/** The refusals of one server. */
export class Demands {
  readonly #url: URL;
  readonly #provider: AnyProvider | undefined;
  readonly #fetch: () => FetchLike;
  /** The credentials that were obtained last. */
  #granted: string | undefined;
  /** Those that the server took last. */
  #taken: string | undefined;
  /** The scopes that were asked for, or are to be when the flow that runs has ended. */
  #asked: string | undefined;
  /** The credentials of the last step-up; the demands it was made for, with whether they were refused all the same. */
  #wider: { token: string | undefined; demands: Map<string, boolean> } = { token: undefined, demands: new Map() };
  /** The demand that a user was sent away for. */
  #pending: string | undefined;

  constructor(url: URL, provider: AnyProvider | undefined, fetch: () => FetchLike) {
    this.#url = url;
    this.#provider = provider;
    this.#fetch = fetch;
  }

  /** Notes the credentials of a request that got through. */
  accepted(sent: string | undefined): void {
    this.#taken = sent;
  }

  /** Notes that the user came back, and the provider has the tokens. */
  async finished(): Promise<void> {
    if (this.#pending !== undefined) this.widenedFor(this.#pending, await bearer(this.#provider));
    this.#pending = undefined;
  }

  /**
   * Handles a 401, or a 403 that demands a wider scope.
   *
   * @param sent - The credentials that were refused.
   * @returns whether to try again.
   * @throws if there are no credentials, or new ones were refused as well.
   */
  async meet(response: Response, sent: string | undefined, { again = false, wasGood = sent === this.#taken }: Refused = {}): Promise<boolean> {
    const { error, scope, resourceMetadataUrl } = demandedOfToken(response);
    if (response.status === 403 && error === 'insufficient_scope') {
      if (!isOAuth(this.#provider)) throw new InsufficientScopeError({ requiredScope: scope, resourceMetadataUrl });
      return this.widen(this.#provider, response, scope, { sent, wasGood });
    }
    if (response.status !== 401) return false;
    // Another request has renewed the credentials meanwhile.
    if (!again && sent !== undefined && (await this.isOld(sent))) return true;
    if (again || (sent !== undefined && sent === this.#granted && !wasGood)) {
      throw new StreamableHTTPError(401, 'Server returned 401 after successful authentication');
    }
    this.#pending = undefined;
    this.#asked ??= scope;
    await renew(this.#provider!, this.context(response));
    this.#granted = await bearer(this.#provider);
    return true;
  }

  /** Obtains credentials for more scopes. */
  private async widen(
    provider: OAuthClientProvider,
    response: Response,
    scope: string | undefined,
    { sent, wasGood }: { sent: string | undefined; wasGood: boolean },
  ): Promise<boolean> {
    const demand = response.headers.get('WWW-Authenticate') ?? '';
    if (sent !== undefined && (await this.isOld(sent))) {
      // Another request has stepped up meanwhile, or the user has signed in anew.
      const isFor = this.#wider.demands.has(demand) && (await bearer(provider)) === this.#wider.token;
      if (isFor || (await mayHave(provider, scope))) return true;
    } else if (this.isFinal(demand, sent, wasGood)) {
      throw new StreamableHTTPError(403, 'Server returned 403 after trying upscoping');
    }
    for (;;) {
      const flow = await widened(provider, this.#asked, scope);
      this.#asked = flow.scope ?? scope;
      this.#pending = demand;
      const isFor = await renew(provider, this.context(response), flow, demand);
      this.#pending = undefined;
      this.#granted = await bearer(provider);
      if (isFor) this.widenedFor(demand, this.#granted);
      // One that ran already was for something else, and others may wait for it as well.
      if (isFor || (await mayHave(provider, scope))) return true;
    }
  }

  /**
   * Notes a refusal, and says whether it is final: of what a step-up for the same demand gave. When something has
   * got through since, a later request may step up again.
   */
  private isFinal(demand: string, sent: string | undefined, wasGood: boolean): boolean {
    const { token, demands } = this.#wider;
    const wasRefused = demands.get(demand);
    if (sent === undefined || sent !== token || wasRefused === undefined) return false;
    // What other requests got through with meanwhile says nothing of the first one after the step-up.
    if (wasRefused && wasGood) return false;
    demands.set(demand, true);
    return true;
  }

  private widenedFor(demand: string, token: string | undefined): void {
    if (token !== this.#wider.token) this.#wider = { token, demands: new Map() };
    this.#wider.demands.set(demand, false);
  }

  private context(response: Response) {
    return { response, serverUrl: this.#url, fetchFn: this.#fetch() };
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
