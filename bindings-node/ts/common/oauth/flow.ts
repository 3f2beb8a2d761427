/**
 * From a refused request to tokens: the engine says what is next, and a provider is asked and told.
 *
 * Owns: what each step asks of the provider and of the network, and what is saved. Must not know:
 * which step follows which; what of an answer is taken.
 */
import { native, type NativeAuthFlow } from '../../engine/native';
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationFull,
  OAuthClientInformationMixed,
  OAuthProtectedResourceMetadata,
  OAuthTokens,
} from '../../protocol/auth';
import { OAuthProtectedResourceMetadataSchema } from '../../protocol/auth';
import { bodyOf } from './carrying';
import { isHttpsUrl, resolveClientMetadata } from './client-metadata';
import { answered, likeOf, type Like } from './decisions';
import { headersFor, look, resourceMetadataIfAny, selectResourceURL, serverMetadataAt } from './discovery';
import { InvalidClientMetadataError } from './errors';
import { AuthorizationServerMismatchError } from './flow-errors';
import { errorOf, type Known, type Step } from './flow-steps';
import { ofIssuer, validateAuthorizationResponseIssuer } from './issuer';
import type { AuthorizeOptions, AuthResult, OAuthClientProvider, OAuthDiscoveryState } from './provider';
import { hasAll } from './scopes';
import { askForTokens, contextFor, incompatible, issuerFor, register, tokensIn, type TokenAnswer } from './tokens';

/**
 * Obtains tokens for a server, or redirects the user. If the authorization server no longer accepts
 * what was saved, that is deleted and the flow tried once more.
 *
 * @param provider - The provider, which stores tokens and credentials and redirects the user.
 * @param options - The URL of the server, and the facts from its refusal or from the redirect URL.
 * @returns `AUTHORIZED` if tokens were saved, `REDIRECT` if the user was redirected.
 */
export async function auth(provider: OAuthClientProvider, options: AuthorizeOptions): Promise<AuthResult> {
  if (provider.exclusively === undefined) return obtain(provider, options);
  const before = (await provider.tokens())?.access_token;
  return provider.exclusively(async () => {
    // Another program may have got tokens while this one waited, though perhaps not with the scopes that this one lacks.
    const now = await provider.tokens();
    const isNew = Boolean(now?.access_token) && now?.access_token !== before;
    return isNew && (!options.forceReauthorization || hasAll(now?.scope, options.scope)) ? 'AUTHORIZED' : obtain(provider, options);
  });
}

async function obtain(provider: OAuthClientProvider, options: AuthorizeOptions): Promise<AuthResult> {
  const flow = new Flow(provider, options);
  try {
    return await flow.run();
  } catch (error) {
    if (!flow.spent) throw error;
    const isNewer = likeOf(provider) === 'typescript2';
    if (flow.spent === 'client') await provider.invalidateCredentials?.(isNewer ? 'client' : 'all');
    if (flow.spent === 'tokens' || isNewer) await provider.invalidateCredentials?.('tokens');
    return new Flow(provider, options).run();
  }
}

/** One way to tokens. */
class Flow {
  /** What the authorization server said is good for nothing any more. */
  spent: 'client' | 'tokens' | null | undefined;
  readonly #provider: OAuthClientProvider;
  readonly #options: AuthorizeOptions;
  readonly #like: Like;
  readonly #isNewer: boolean;
  #engine!: NativeAuthFlow;
  /** What the program kept of an earlier discovery. */
  #kept: OAuthDiscoveryState | undefined;
  #place: URL | undefined;
  #resource: OAuthProtectedResourceMetadata | undefined;
  #metadata: AuthorizationServerMetadata | undefined;
  /** Whose credentials the program keeps. */
  #issuer = '';
  #client: OAuthClientInformationMixed | undefined;
  /** Saves that the authorization server has accepted the client. */
  #accepted: (() => Promise<void>) | undefined;
  /** The tokens that may be refreshed. */
  #tokens: OAuthTokens | undefined;
  /** The scopes of new tokens that say nothing of theirs: those that were asked for. */
  #scope: string | undefined;
  #answer!: TokenAnswer;
  /** What the program compares when the browser comes back. */
  #state: string | undefined;
  readonly #known: Known;

  constructor(provider: OAuthClientProvider, options: AuthorizeOptions) {
    this.#provider = provider;
    this.#options = options;
    this.#like = likeOf(provider);
    this.#isNewer = this.#like === 'typescript2';
    this.#known = { serverUrl: options.serverUrl, like: this.#like, issuer: '', place: '', said: {}, client: undefined };
  }

  async run(): Promise<AuthResult> {
    let step = await this.#start();
    while (step.step !== 'open_browser' || this.#endsBy !== 'the next call') {
      if (step.step === 'send') return 'AUTHORIZED';
      step = await this.#next(step);
    }
    const [url, state] = [new URL(step.url), this.#state];
    // The program compares what comes back, so it says what that has to be.
    if (state === undefined) url.searchParams.delete('state');
    else url.searchParams.set('state', state);
    await this.#provider.redirectToAuthorization(url);
    return 'REDIRECT';
  }

  /** What brings the answer of the browser. */
  get #endsBy(): 'its code' | 'waiting' | 'the next call' {
    if (this.#options.authorizationCode !== undefined) return 'its code';
    return this.#provider.waitForRedirect === undefined ? 'the next call' : 'waiting';
  }

  async #next(step: Step): Promise<Step> {
    const provider = this.#provider;
    switch (step.step) {
      case 'fetch':
        if (step.asks_for === 'tokens') return this.#askForTokens(step);
        return step.asks_for === 'registration' ? this.#register(step) : this.#document(step);
      case 'load':
        return this.#load(step);
      case 'store':
        await (step.change === 'client' ? this.#saveClient() : this.#saveTokens(step.tokens?.refresh_token));
        break;
      case 'remember':
        if (this.#endsBy !== 'the next call') break;
        this.#state = await provider.state?.();
        await provider.saveCodeVerifier(step.code_verifier);
        break;
      case 'open_browser':
        return this.#endsBy === 'waiting' ? this.#wait(step.url) : this.#giveCode();
      case 'ask_user':
        return this.#register();
      default:
        throw errorOf(step, this.#known);
    }
    return this.#take('done');
  }

  /** The engine judges all that the browser brings. */
  async #wait(url: string): Promise<Step> {
    this.#scope = new URL(url).searchParams.get('scope') ?? undefined;
    await this.#provider.redirectToAuthorization(new URL(url));
    const came = String(await this.#provider.waitForRedirect!());
    this.#known.answeredBy = new URL(came).searchParams.get('iss') ?? undefined;
    return this.#take({ came_back_to: came });
  }

  async #giveCode(): Promise<Step> {
    const { authorizationCode: code, iss } = this.#options;
    const expectedIssuer = this.#metadata?.issuer;
    const says = this.#metadata as { authorization_response_iss_parameter_supported?: boolean } | undefined;
    // Programs of 1.x hand on the code alone: that there is no issuer says nothing.
    const issParameterSupported = this.#isNewer && says?.authorization_response_iss_parameter_supported;
    validateAuthorizationResponseIssuer({ iss, expectedIssuer, issParameterSupported });
    return this.#take({ code_given: { code, code_verifier: await this.#provider.codeVerifier() } });
  }

  #take(event: object | string): Step {
    return answered<Step>(() => this.#engine.take(JSON.stringify(event)));
  }

  async #start(): Promise<Step> {
    const provider = this.#provider;
    const { serverUrl, resourceMetadataUrl, fetchFn, authorizationCode, scope, forceReauthorization, skipIssuerMetadataValidation } = this.#options;
    const { privateNetworks, clientMetadata, clientMetadataUrl, redirectUrl } = provider;
    const kept = (this.#kept = await provider.discoveryState?.());
    const noted = kept?.resourceMetadataUrl;
    this.#place = resourceMetadataUrl ?? (noted ? new URL(noted) : undefined);
    const issuer = kept?.authorizationServerUrl || undefined;
    if (issuer !== undefined) {
      const looking = { fetchFn, like: this.#like, privateNetworks };
      this.#resource = kept?.resourceMetadata ?? (await resourceMetadataIfAny(serverUrl, this.#place, looking));
      this.#known.said = this.#resource ?? {};
    }
    const options = {
      server_url: new URL(serverUrl).href,
      client: { redirect_uris: redirectUrl ? [String(redirectUrl)] : [], grant_types: (this.#isNewer && clientMetadata.grant_types) || [] },
      client_metadata_url: isHttpsUrl(clientMetadataUrl) ? clientMetadataUrl : undefined,
      grant: redirectUrl || authorizationCode !== undefined ? 'authorization_code' : 'client_credentials',
      issuer,
      skip_resource: issuer !== undefined,
      scope: clientMetadata.scope || undefined,
      any_resource: provider.validateResourceURL !== undefined,
      // What a program kept was compared when it was found.
      any_issuer: Boolean(skipIssuerMetadataValidation || kept?.authorizationServerMetadata),
      private_networks: privateNetworks ?? false,
      default_endpoints: provider.assumeEndpoints ? 'always' : undefined,
      program_authenticates: true,
      proofs: provider.dpop !== undefined,
      loads: true,
      like: this.#like,
    };
    const stored = { resource: this.#resource && { authorization_servers: [issuer], ...this.#resource } };
    const refresh = authorizationCode === undefined && !forceReauthorization;
    const cause = { authorize: { refresh, scope: scope || undefined, place: this.#place?.href } };
    return answered<Step>(() => {
      this.#engine = new native.AuthFlow(JSON.stringify(options), JSON.stringify(stored));
      return this.#engine.start(JSON.stringify(cause));
    });
  }

  /** Looks for metadata, unless the program kept them. */
  async #document({ url, asks_for, issuer = '' }: Step): Promise<Step> {
    const whose = asks_for === 'server_metadata' ? 'server' : 'resource';
    Object.assign(this.#known, { place: url, issuer });
    const kept = whose === 'server' ? this.#kept?.authorizationServerMetadata : undefined;
    const [status, body] = kept ? [200, Buffer.from(JSON.stringify(kept))] : await this.#look(url, whose);
    if (status === 0) return this.#take('unreachable');
    const said = jsonIn(body);
    if (said !== undefined) this.#known.said = said;
    const next = this.#answered(status, body);
    if (whose === 'resource' && next.asks_for === 'server_metadata') this.#resource = OAuthProtectedResourceMetadataSchema.safeParse(said).data;
    return next;
  }

  /** The status, 0 for none, and what there is to read. */
  async #look(url: string, whose: 'server' | 'resource'): Promise<[number, Buffer]> {
    try {
      const response = await look(new URL(url), headersFor(whose), this.#options.fetchFn);
      if (response?.ok) return [response.status, await bodyOf(response)];
      await response?.body?.cancel();
      return [response?.status ?? 0, Buffer.alloc(0)];
    } catch (error) {
      // Metadata of a resource that cannot be read are none.
      if (whose === 'server') throw error;
      return [0, Buffer.alloc(0)];
    }
  }

  #found() {
    return JSON.parse(this.#engine.found()) as { is_assumed: boolean; client?: { client_id: string; origin: string } };
  }

  #answered(status: number, body: Buffer): Step {
    return JSON.parse(this.#engine.answered(status, body)) as Step;
  }

  /** Tells the program what was found, and the engine what the program keeps for it. */
  async #load({ issuer, resource }: Step): Promise<Step> {
    const provider = this.#provider;
    const { serverUrl, authorizationCode } = this.#options;
    const kept = this.#kept;
    const { is_assumed } = this.#found();
    const metadata = is_assumed ? undefined : (kept?.authorizationServerMetadata ?? serverMetadataAt(this.#known.place, this.#known.said));
    this.#metadata = metadata;
    const origin = new URL('/', serverUrl);
    const isOwn = !this.#resource?.authorization_servers?.length && this.#known.issuer === origin.origin;
    const authorizationServerUrl = kept?.authorizationServerUrl || (isOwn ? origin.href : this.#known.issuer);
    this.#known.issuer = this.#issuer = issuerFor(this.#like, authorizationServerUrl, metadata);
    if (this.#isNewer) await provider.saveAuthorizationServerUrl?.(this.#issuer);
    if (authorizationCode !== undefined && this.#isNewer && !kept?.authorizationServerUrl && provider.saveDiscoveryState !== undefined) {
      const lost = 'discoveryState was not available on the callback leg; ensure your provider persists discoveryState alongside codeVerifier';
      throw new AuthorizationServerMismatchError(lost, this.#issuer);
    }
    const isNew = !kept?.authorizationServerUrl || metadata !== kept.authorizationServerMetadata || this.#resource !== kept.resourceMetadata;
    const found = { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata: this.#resource };
    if (isNew) await provider.saveDiscoveryState?.({ ...found, resourceMetadataUrl: this.#place?.href } as OAuthDiscoveryState);
    const chooses = provider.validateResourceURL !== undefined;
    const chosen = chooses ? await selectResourceURL(serverUrl, provider, this.#resource) : resource;
    if (this.#isNewer && chosen) await provider.saveResourceUrl?.(String(chosen));
    const clients = await this.#loadClient(issuer);
    const tokens = await this.#loadTokens();
    const next = this.#take({ loaded: { clients, tokens, resource: chosen ? { this: String(chosen) } : 'nothing' } });
    // A client whose id is the URL of its metadata registers nowhere.
    const { client } = this.#found();
    if (client?.origin !== 'metadata_document') return next;
    this.#client = { client_id: client.client_id };
    await this.#saveClient();
    return next;
  }

  async #loadClient(issuer: string): Promise<object[]> {
    const provider = this.#provider;
    const stored = await provider.clientInformation(...this.#context());
    const own = (this.#client = ofIssuer(stored, this.#issuer));
    this.#known.client = stored;
    if (own !== undefined) {
      const save = async () => provider.saveClientInformation?.({ ...own, issuer: this.#issuer } as typeof own, ...this.#context());
      const isBound = Boolean((own as { issuer?: unknown }).issuer);
      if (!isBound && this.#isNewer) await save();
      // In 1.x once it was accepted, and ignored if it fails: a provider may only support saving after registration.
      else if (!isBound) this.#accepted = async () => void (await save().catch(() => undefined));
      if (provider.waitForRedirect === undefined) return [{ client_id: own.client_id, issuer, origin: 'pre_registered' }];
      // Where nobody else finishes the flow, the engine says whether a client that registered by itself is still of use.
      const { client_id, client_secret, client_secret_expires_at, redirect_uris } = own as OAuthClientInformationFull;
      return [{ client_id, client_secret, client_secret_expires_at, redirect_uris, issuer }];
    }
    const canRegister = provider.saveClientInformation !== undefined && (this.#isNewer || Boolean(provider.redirectUrl));
    if (stored && !canRegister) return [{ client_id: stored.client_id, issuer: (stored as { issuer?: string }).issuer, origin: 'pre_registered' }];
    if (this.#options.authorizationCode === undefined) return [];
    throw new Error('Existing OAuth client information is required when exchanging an authorization code');
  }

  async #loadTokens(): Promise<object | undefined> {
    const provider = this.#provider;
    if (this.#options.authorizationCode !== undefined || !provider.redirectUrl) return undefined;
    let tokens = ofIssuer(await provider.tokens(...this.#context()), this.#issuer);
    if (this.#isNewer && tokens && !(tokens as { issuer?: string }).issuer) {
      tokens = { ...tokens, issuer: this.#issuer } as OAuthTokens;
      await provider.saveTokens(tokens, ...this.#context());
    }
    this.#tokens = tokens;
    return tokens?.refresh_token && tokens.access_token ? { access_token: tokens.access_token, refresh_token: tokens.refresh_token } : undefined;
  }

  #context() {
    return contextFor(this.#like, this.#issuer);
  }

  async #register({ url, body }: { url?: string; body?: string | null } = {}): Promise<Step> {
    const provider = this.#provider;
    const { clientMetadataUrl, saveClientInformation } = provider;
    if (clientMetadataUrl && !isHttpsUrl(clientMetadataUrl)) {
      const wanted = 'clientMetadataUrl must be a valid HTTPS URL with a non-root pathname';
      throw new InvalidClientMetadataError(`${wanted}, got: ${clientMetadataUrl}`);
    }
    if (!saveClientInformation) throw new Error('OAuth client information must be saveable for dynamic registration');
    if (!url) throw incompatible({ kind: 'unsupported', field: 'registration_endpoint' });
    const usual = JSON.parse(body ?? '{}') as { scope?: string };
    const { scope } = usual;
    const metadata = this.#isNewer ? resolveClientMetadata(provider) : provider.clientMetadata;
    // Where nobody else finishes the flow, the engine also says how the client proves itself, and what kind it is.
    const submitted = { ...(provider.waitForRedirect && usual), ...metadata, ...(scope !== undefined && { scope }) };
    this.#client = await register(new URL(url), submitted, this.#options.fetchFn);
    return this.#answered(201, Buffer.from(JSON.stringify(this.#client)));
  }

  async #saveClient(): Promise<void> {
    const client = (this.#client = { ...this.#client, issuer: this.#issuer } as OAuthClientInformationMixed);
    await this.#provider.saveClientInformation?.(client, ...this.#context());
  }

  async #askForTokens({ url, body, grant }: Step): Promise<Step> {
    const provider = this.#provider;
    let form = new URLSearchParams(body ?? '');
    const resource = form.get('resource');
    if (grant === 'refresh_token') {
      this.#scope = this.#isNewer ? await provider.scopeForRefresh?.(this.#tokens!) : undefined;
      form.delete('resource');
      if (this.#scope) form.set('scope', this.#scope);
      else if (this.#endsBy === 'waiting') this.#scope = this.#tokens?.scope;
    } else {
      const own = await provider.prepareTokenRequest?.((this.#isNewer ? form.get('scope') : provider.clientMetadata.scope) ?? undefined);
      if (!own && grant === 'client_credentials') throw new Error('Either provider.prepareTokenRequest() or authorizationCode is required');
      form = own ?? form;
    }
    if (resource !== null) form.set('resource', resource);
    const { addClientAuthentication } = provider;
    const about = { metadata: this.#metadata, clientInformation: this.#client, addClientAuthentication, dpop: await provider.dpop?.() };
    try {
      this.#answer = await askForTokens(new URL(url), form, { ...about, fetchFn: this.#options.fetchFn });
    } catch (error) {
      if (grant !== 'refresh_token') throw error;
      // A server that cannot be reached is as one that fails.
      return this.#answered(503, Buffer.alloc(0));
    }
    const next = this.#answered(this.#answer.response.status, this.#answer.body);
    if (next.step === 'fail') {
      this.spent = next.spent;
      // What the authorization server says is told in its words.
      tokensIn(this.#answer);
    }
    return next;
  }

  async #saveTokens(refresh_token: string | null | undefined): Promise<void> {
    const tokens = tokensIn(this.#answer);
    await this.#accepted?.();
    const more = { ...(refresh_token && { refresh_token }), ...(this.#scope && !tokens.scope && { scope: this.#scope }) };
    await this.#provider.saveTokens({ ...tokens, ...more, issuer: this.#issuer } as OAuthTokens, ...this.#context());
  }
}

/** A document as it was read; `undefined` if it is no JSON object. */
function jsonIn(body: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(String(body));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
