/**
 * From a refused request to tokens: what a provider is asked, step by step, in the order of the
 * official packages.
 *
 * Owns: that order, and what is saved. Must not know: the form of each request; which way is gone,
 * which the engine says.
 */
import { answerOf } from './answer';
import { resolveClientMetadata, isHttpsUrl } from './client-metadata';
import { decide, likeOf, type Like, type Refused } from './decisions';
import { resourceFor, resourceMetadataIfAny, serverInfoOf, serverMetadataOf } from './discovery';
import { InvalidClientMetadataError, OAuthError } from './errors';
import { AuthorizationServerMismatchError, InsecureTokenEndpointError, OAuthClientFlowError } from './flow-errors';
import { boundElsewhere, isSameIssuer, ofIssuer, validateAuthorizationResponseIssuer } from './issuer';
import type { OAuthClientInformationMixed, OAuthTokens } from '../../protocol/auth';
import type { AuthorizeOptions, AuthResult, OAuthClientProvider, OAuthDiscoveryState, OAuthServerInfo } from './provider';
import { contextFor, fetchToken, issuerFor, refreshAuthorization, registerClient, startAuthorization } from './tokens';

/** Where a server may not point at what only this machine reaches. */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const;

/** The authorization servers that users are at; a code is given to no other. */
const SENT_TO = new WeakMap<OAuthClientProvider, string>();

/** What follows from a failed token request. */
interface Refusal {
  forget: 'client' | 'tokens' | null;
  ask_user: boolean;
}

function follows(error: unknown, like: Like): Refusal {
  const answer = like === 'typescript2' && error instanceof Error ? answerOf(error)?.error : undefined;
  return decide('refusal', { error: answer ?? (error instanceof OAuthError ? error.errorCode : undefined) });
}

/**
 * Obtains tokens for a server, or redirects the user. If the authorization server no longer accepts
 * what was saved, that is deleted and the flow tried once more.
 *
 * @param provider - The provider, which stores tokens and credentials and redirects the user.
 * @param options - The URL of the server, and the facts from its refusal or from the redirect URL.
 * @returns `AUTHORIZED` if tokens were saved, `REDIRECT` if the user was redirected.
 */
export async function auth(provider: OAuthClientProvider, options: AuthorizeOptions): Promise<AuthResult> {
  try {
    return await new Flow(provider, options).run();
  } catch (error) {
    const like = likeOf(provider);
    const { forget } = follows(error, like);
    if (forget === null) throw error;
    if (forget === 'client') await provider.invalidateCredentials?.(like === 'typescript2' ? 'client' : 'all');
    if (forget === 'tokens' || like === 'typescript2') await provider.invalidateCredentials?.('tokens');
    return new Flow(provider, options).run();
  }
}

/** One way to tokens. */
class Flow {
  readonly #provider: OAuthClientProvider;
  readonly #options: AuthorizeOptions;
  readonly #like: Like;
  readonly #isNewer: boolean;
  #server!: OAuthServerInfo;
  #issuer = '';
  /** Where a program noted that the metadata of the resource were. */
  #place: string | undefined;
  #resource: string | URL | undefined;
  #scope: string | undefined;

  constructor(provider: OAuthClientProvider, options: AuthorizeOptions) {
    this.#provider = provider;
    this.#options = options;
    this.#like = likeOf(provider);
    this.#isNewer = this.#like === 'typescript2';
  }

  async run(): Promise<AuthResult> {
    await this.#find();
    await this.#choose();
    const [client, accepted] = await this.#client();
    const { authorizationCode, iss } = this.#options;
    const metadata = this.#server.authorizationServerMetadata;
    if (authorizationCode === undefined && this.#provider.redirectUrl) {
      return (await this.#refreshed(client, accepted)) ? 'AUTHORIZED' : this.#redirect(client);
    }
    if (authorizationCode !== undefined) {
      const says = metadata as { authorization_response_iss_parameter_supported?: boolean } | undefined;
      // Programs of 1.x hand on the code alone: that there is no issuer says nothing.
      const issParameterSupported = this.#isNewer && says?.authorization_response_iss_parameter_supported;
      validateAuthorizationResponseIssuer({ iss, expectedIssuer: metadata?.issuer, issParameterSupported });
    }
    const scope = this.#isNewer ? this.#scope : undefined;
    const about = { ...this.#about(), authorizationCode, scope };
    const tokens = await fetchToken(this.#provider, this.#server.authorizationServerUrl, about);
    await accepted();
    await this.#keep(tokens);
    SENT_TO.delete(this.#provider);
    return 'AUTHORIZED';
  }

  #about() {
    const { fetchFn } = this.#options;
    return { metadata: this.#server.authorizationServerMetadata, resource: this.#resource, fetchFn };
  }

  #context() {
    return contextFor(this.#like, this.#issuer);
  }

  async #keep(tokens: OAuthTokens): Promise<void> {
    await this.#provider.saveTokens({ ...tokens, issuer: this.#issuer }, ...this.#context());
  }

  /** Discovers the server's authorization, or reads what was saved about it. */
  async #find(): Promise<void> {
    const { serverUrl, resourceMetadataUrl, fetchFn, skipIssuerMetadataValidation: anyIssuer } = this.#options;
    const provider = this.#provider;
    const cached = await provider.discoveryState?.();
    const noted = cached?.resourceMetadataUrl;
    const place = resourceMetadataUrl ?? (noted ? new URL(noted) : undefined);
    const { privateNetworks } = provider;
    const looking = { fetchFn, like: this.#like, anyIssuer, sentBy: serverUrl, privateNetworks };
    this.#place = noted;
    let isNew = true;
    if (cached?.authorizationServerUrl) {
      const { authorizationServerUrl } = cached;
      const authorizationServerMetadata =
        cached.authorizationServerMetadata ?? (await serverMetadataOf(new URL(authorizationServerUrl), undefined, looking));
      const resourceMetadata = cached.resourceMetadata ?? (await resourceMetadataIfAny(serverUrl, place, looking));
      this.#server = { authorizationServerUrl, authorizationServerMetadata, resourceMetadata };
      isNew = authorizationServerMetadata !== cached.authorizationServerMetadata || resourceMetadata !== cached.resourceMetadata;
    } else {
      this.#server = await serverInfoOf(serverUrl, place, looking);
    }
    this.#checkEndpoints();
    this.#issuer = issuerFor(this.#like, this.#server.authorizationServerUrl, this.#server.authorizationServerMetadata);
    if (this.#isNewer) await provider.saveAuthorizationServerUrl?.(this.#issuer);
    this.#checkReturn(cached);
    if (!isNew) return;
    await provider.saveDiscoveryState?.({ ...this.#server, resourceMetadataUrl: place?.toString() } as OAuthDiscoveryState);
  }

  /** Nothing is assumed unasked, and a server does not point at what is not its to name. */
  #checkEndpoints(): void {
    const { authorizationServerUrl, authorizationServerMetadata: metadata } = this.#server;
    const { assumeEndpoints, privateNetworks: private_networks = false } = this.#provider;
    if (metadata === undefined && !assumeEndpoints) {
      const remedy = 'set `assumeEndpoints` of the provider to use the endpoints of 2025-03-26';
      throw new OAuthClientFlowError(`${authorizationServerUrl} publishes no authorization server metadata; ${remedy}`);
    }
    const server_url = new URL(this.#options.serverUrl).href;
    for (const member of ENDPOINTS) {
      const url = metadata?.[member];
      if (url !== undefined) decide('may_point_at', { member, url, server_url, private_networks });
    }
  }

  /** A code comes back to the authorization server that the user was sent to. */
  #checkReturn(cached: OAuthDiscoveryState | undefined): void {
    if (this.#options.authorizationCode === undefined) return;
    const issuer = this.#isNewer ? cached?.authorizationServerMetadata?.issuer : undefined;
    const recorded = issuer ?? cached?.authorizationServerUrl ?? SENT_TO.get(this.#provider);
    if (recorded === undefined) {
      if (!this.#isNewer || this.#provider.saveDiscoveryState === undefined) return;
      const lost = 'discoveryState was not available on the callback leg; ensure your provider persists discoveryState alongside codeVerifier';
      throw new AuthorizationServerMismatchError(lost, this.#issuer);
    }
    if (!isSameIssuer(recorded, this.#issuer)) throw new AuthorizationServerMismatchError(recorded, this.#issuer);
  }

  /** What the tokens are for. */
  async #choose(): Promise<void> {
    const { resourceMetadata, authorizationServerMetadata } = this.#server;
    const provider = this.#provider;
    this.#resource = await resourceFor(this.#options.serverUrl, provider, resourceMetadata, this.#place);
    if (this.#isNewer && this.#resource) await provider.saveResourceUrl?.(String(this.#resource));
    const { scope: configured, grant_types } = provider.clientMetadata;
    const offered = resourceMetadata?.scopes_supported;
    const scope = decide<string | null>('scope', {
      challenge: this.#options.scope || undefined,
      resource: offered?.length ? offered : undefined,
      server: authorizationServerMetadata?.scopes_supported,
      configured: configured || undefined,
      refreshable: this.#isNewer && Boolean(grant_types?.includes('refresh_token')),
      like: this.#like,
    });
    this.#scope = scope ?? undefined;
  }

  /** A client that the authorization server knows, and what to save once it has accepted it. */
  async #client(): Promise<[client: OAuthClientInformationMixed, accepted: () => Promise<void>]> {
    const provider = this.#provider;
    const stored = await provider.clientInformation(...this.#context());
    const { clientMetadataUrl } = provider;
    const isDocument = isHttpsUrl(clientMetadataUrl);
    const bound = (stored as { issuer?: unknown } | undefined)?.issuer;
    const given = {
      issuer: this.#issuer,
      metadata: this.#server.authorizationServerMetadata,
      client: stored ? { client_id: stored.client_id, issuer: typeof bound === 'string' ? bound : undefined } : undefined,
      metadata_url: isDocument ? clientMetadataUrl : undefined,
      can_register: provider.saveClientInformation !== undefined && (this.#isNewer || Boolean(provider.redirectUrl)),
    };
    const words = ({ kind }: Refused) => (kind === 'bound_elsewhere' ? boundElsewhere(stored!, this.#issuer, this.#like) : undefined);
    const way = decide<'known' | 'document' | 'register'>('client', given, words);
    if (way === 'known') return this.#bound(ofIssuer(stored, this.#issuer)!);
    if (this.#options.authorizationCode !== undefined) {
      throw new Error('Existing OAuth client information is required when exchanging an authorization code');
    }
    if (clientMetadataUrl && !isDocument) {
      const wanted = 'clientMetadataUrl must be a valid HTTPS URL with a non-root pathname';
      throw new InvalidClientMetadataError(`${wanted}, got: ${clientMetadataUrl}`);
    }
    const client = way === 'document' ? { client_id: clientMetadataUrl!, issuer: this.#issuer } : await this.#registered();
    await provider.saveClientInformation?.(client, ...this.#context());
    return [client, async () => undefined];
  }

  /** A stored client, bound to the issuer: in 1.x once the authorization server has accepted it. */
  async #bound(client: OAuthClientInformationMixed): Promise<[OAuthClientInformationMixed, () => Promise<void>]> {
    const nothing = async () => undefined;
    if ((client as { issuer?: unknown }).issuer) return [client, nothing];
    const bound = { ...client, issuer: this.#issuer };
    const save = async () => this.#provider.saveClientInformation?.(bound, ...this.#context());
    // Ignored if it fails: a provider may only support saving after registration.
    if (!this.#isNewer) return [client, async () => void (await save().catch(() => undefined))];
    await save();
    return [bound, nothing];
  }

  async #registered(): Promise<OAuthClientInformationMixed> {
    const provider = this.#provider;
    if (!provider.saveClientInformation) {
      throw new Error('OAuth client information must be saveable for dynamic registration');
    }
    const clientMetadata = this.#isNewer ? resolveClientMetadata(provider) : provider.clientMetadata;
    const { authorizationServerMetadata: metadata, authorizationServerUrl } = this.#server;
    const { fetchFn } = this.#options;
    const listed = metadata?.scopes_supported;
    // A server refuses to register for a scope that it does not list, and may grant it all the same.
    const scope = decide<string | null>('scope_listed', { scope: this.#scope, listed }) ?? undefined;
    const client = await registerClient(authorizationServerUrl, { metadata, clientMetadata, scope, fetchFn });
    return { ...client, issuer: this.#issuer } as OAuthClientInformationMixed;
  }

  /** Refreshes the tokens if possible. If the server fails, the user is asked instead. */
  async #refreshed(client: OAuthClientInformationMixed, accepted: () => Promise<void>): Promise<boolean> {
    const provider = this.#provider;
    let tokens = ofIssuer(await provider.tokens(...this.#context()), this.#issuer);
    if (this.#isNewer && tokens && !(tokens as { issuer?: string }).issuer) {
      tokens = { ...tokens, issuer: this.#issuer } as OAuthTokens;
      await provider.saveTokens(tokens, ...this.#context());
    }
    if (!tokens?.refresh_token || this.#options.forceReauthorization) return false;
    const more = this.#isNewer ? { scope: await provider.scopeForRefresh?.(tokens), dpop: await provider.dpop?.() } : {};
    const { addClientAuthentication } = provider;
    const about = { ...this.#about(), ...more, clientInformation: client, refreshToken: tokens.refresh_token, addClientAuthentication };
    let fresh: OAuthTokens;
    try {
      fresh = await refreshAuthorization(this.#server.authorizationServerUrl, about);
    } catch (error) {
      if (error instanceof InsecureTokenEndpointError || !follows(error, this.#like).ask_user) throw error;
      return false;
    }
    await accepted();
    await this.#keep(fresh);
    return true;
  }

  async #redirect(clientInformation: OAuthClientInformationMixed): Promise<AuthResult> {
    const provider = this.#provider;
    const state = await provider.state?.();
    const redirectUrl = provider.redirectUrl!;
    const about = { ...this.#about(), clientInformation, state, redirectUrl, scope: this.#scope };
    const { authorizationUrl, codeVerifier } = await startAuthorization(this.#server.authorizationServerUrl, about);
    await provider.saveCodeVerifier(codeVerifier);
    SENT_TO.set(provider, this.#issuer);
    await provider.redirectToAuthorization(authorizationUrl);
    return 'REDIRECT';
  }
}
