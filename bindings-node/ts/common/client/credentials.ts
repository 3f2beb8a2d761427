/**
 * Credentials of a transport: an OAuth provider, or anything that returns a token.
 *
 * Owns: telling the two apart, and what a request gets from either. Must not know: when to try
 * again, or how tokens are obtained.
 */
import type { OAuth, OAuthClientProvider } from '../oauth/client';
import type { FetchLike } from '../../protocol/transport';
import { authorize } from './authorize';
import { UnauthorizedError } from '../../protocol/mcp-error';
import { demandedOfToken } from '../oauth/challenge';
import { likeOf, toldFor, usedLike2 } from '../oauth/decisions';
import { hasAll, unionOf } from '../oauth/scopes';
import type { AuthorizeOptions } from '../oauth/provider';

/** A 401 response, as `onUnauthorized` gets it. */
export interface UnauthorizedContext {
  /** The response; its header `WWW-Authenticate` describes what the server demands. */
  response: Response;
  /** The URL of the server. */
  serverUrl: URL;
  /** Sends requests in the same way as the transport. */
  fetchFn: FetchLike;
}

/**
 * Provides a token for requests, for transports that need no OAuth flow.
 *
 * @example
 * ```ts
 * const authProvider: AuthProvider = { token: async () => process.env.API_KEY };
 * ```
 */
export interface AuthProvider {
  /** Returns the token for the next request; `undefined` to send none. */
  token(): Promise<string | undefined>;
  /**
   * Called when the server refuses the token, to obtain another; the request is then sent once
   * more. Without this function, the refusal is final.
   * @param ctx - The response, and the URL of the server.
   */
  onUnauthorized?(ctx: UnauthorizedContext): Promise<void>;
}

/** An OAuth provider or a simple token provider. */
export type AnyProvider = AuthProvider | OAuthClientProvider;

/** What the options of a transport say of credentials. */
export interface CredentialOptions {
  /** Provides tokens for requests: an OAuth provider, or an object with `token()`. Default: none. */
  authProvider?: AuthProvider | OAuthClientProvider;
  /**
   * Signs the user in where the server wants a token: `oauth` opens the browser of the system and stores
   * tokens in a file; an `OAuth` does the same with the program's name and other options. Requests wait for
   * the user, and unless they have a `timeout` of their own, five minutes longer than others. Default: no.
   */
  auth?: 'oauth' | OAuth;
}

/** The options of a transport to a URL, where the provider has the place of `auth`. */
export function withProvider<T extends CredentialOptions>(options: T, url: URL): T {
  const { auth, authProvider } = options;
  if (auth === undefined) return options;
  if (authProvider !== undefined) throw new TypeError('auth: there is an authProvider, too; pass one of them');
  const { OAuth: Usual } = require('../oauth/sign-in') as typeof import('../oauth/sign-in');
  // What was given is not shown: it may be a token.
  if (auth !== 'oauth' && !(auth instanceof Usual)) {
    throw new TypeError("auth: it is 'oauth' or an OAuth; tokens and other providers are passed as authProvider");
  }
  const own = (auth === 'oauth' ? new Usual() : auth).provider(url);
  OWN.add(own);
  return { ...options, auth: undefined, authProvider: own };
}

/** Providers that one transport has made for itself. */
const OWN = new WeakSet<object>();

/** Waits for no user any more, if nobody else has the provider: the transport is closed. */
export function giveUp(provider: AnyProvider | undefined): void {
  if (provider !== undefined && OWN.has(provider)) (provider as { giveUp?(): void }).giveUp?.();
}

/** Whether requests wait until a user has signed in. */
export function waitsForUser(provider: AnyProvider | undefined): boolean {
  return isOAuth(provider) && provider.waitForRedirect !== undefined;
}

/** Whether a provider is an OAuth provider. */
export function isOAuth(provider: AnyProvider | undefined): provider is OAuthClientProvider {
  return typeof (provider as Partial<OAuthClientProvider> | undefined)?.tokens === 'function';
}

/** The value of the `Authorization` header; `undefined` to send none. */
export async function bearer(provider: AnyProvider | undefined): Promise<string | undefined> {
  const token = isOAuth(provider) ? (await provider.tokens())?.access_token : await provider?.token();
  return token ? `Bearer ${token}` : undefined;
}

/** Whether a provider has a key that tokens are bound to. */
export function signs(provider: AnyProvider | undefined): provider is OAuthClientProvider {
  return isOAuth(provider) && provider.dpop !== undefined;
}

/** What sends requests to a server: with proofs, if tokens are bound to a key of the provider. */
export function proving(provider: AnyProvider | undefined, send: FetchLike): FetchLike {
  if (!signs(provider)) return send;
  const { withDpopFromProvider } = require('../oauth/dpop') as typeof import('../oauth/dpop');
  return withDpopFromProvider(provider)(send);
}

const PROVIDERS = new WeakMap<object, AnyProvider>();

/** Notes which provider a transport has. */
export function has(transport: object, provider: AnyProvider | undefined): void {
  if (provider !== undefined) PROVIDERS.set(transport, provider);
}

/** Notes that a client of 2.x uses a transport: its provider is asked what 2.x asks for. */
export function usedByClientOf2(transport: object, telling: (error: unknown) => unknown): void {
  const provider = PROVIDERS.get(transport);
  if (provider !== undefined) usedLike2(provider, telling);
}

/** Exchanges the authorization code that the user came back with for tokens. */
export async function finish(
  provider: AnyProvider | undefined,
  options: { serverUrl: URL; answer: string | URLSearchParams; iss: string | undefined; fetchFn: FetchLike },
): Promise<void> {
  if (provider === undefined) throw new UnauthorizedError('No auth provider');
  if (!isOAuth(provider)) throw new UnauthorizedError('finishAuth requires an OAuthClientProvider');
  const { answer, iss, ...about } = options;
  try {
    if (typeof answer === 'string') {
      await authorize(provider, { ...about, authorizationCode: answer, iss });
      return;
    }
    const { codeIn } = require('../oauth/callback') as typeof import('../oauth/callback');
    const authorizationCode = await codeIn(answer, provider, about);
    await authorize(provider, { ...about, authorizationCode, iss: answer.get('iss') ?? undefined });
  } catch (error) {
    throw toldFor(provider, error);
  }
}

/**
 * What a flow is told when more scopes are demanded: in 2.x those that were asked for and granted stay, and so
 * they do where the sign-in ends by itself. Providers of 1.x ask for what is demanded, by a refresh if they can.
 */
export async function widened(
  provider: OAuthClientProvider,
  asked: string | undefined,
  demanded: string | undefined,
): Promise<Partial<AuthorizeOptions>> {
  if (likeOf(provider) !== 'typescript2' && !waitsForUser(provider)) return {};
  const granted = (await provider.tokens())?.scope;
  const scope = unionOf(asked, granted, demanded);
  // Refreshing gives no more scopes.
  return { scope, forceReauthorization: !hasAll(granted, scope) };
}

/** Whether the token may have scopes; it does not always say which ones it has. */
export async function mayHave(provider: OAuthClientProvider, wanted: string | undefined): Promise<boolean> {
  const granted = (await provider.tokens())?.scope;
  return granted === undefined || hasAll(granted, wanted);
}

/** Renewals that are running: if many requests are refused at once, they share one. */
const renewing = new WeakMap<AuthProvider, Promise<void>>();

/**
 * Obtains new credentials after a refusal; throws an `UnauthorizedError` if there are none.
 *
 * @param flow - What else a flow is told. Default: nothing.
 * @param demand - The demand for more scopes, if it is one.
 * @returns whether they are for this demand: a renewal that ran already may have been for another.
 */
export async function renew(
  provider: AnyProvider,
  context: UnauthorizedContext,
  flow: Partial<AuthorizeOptions> = {},
  demand?: string,
): Promise<boolean> {
  if (isOAuth(provider)) {
    const { resourceMetadataUrl, scope } = demandedOfToken(context.response);
    const { serverUrl, fetchFn } = context;
    return authorize(provider, { serverUrl, resourceMetadataUrl, scope, ...flow, fetchFn }, undefined, demand);
  }
  if (provider.onUnauthorized === undefined) throw new UnauthorizedError();
  const running = renewing.get(provider) ?? provider.onUnauthorized(context);
  renewing.set(provider, running);
  try {
    await running;
    return true;
  } finally {
    if (renewing.get(provider) === running) renewing.delete(provider);
  }
}
