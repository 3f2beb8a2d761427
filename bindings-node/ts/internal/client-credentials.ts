/**
 * Where the credentials of a transport come from: a provider of OAuth, or anything that has
 * a token.
 *
 * Owns: telling the two apart, and what a request is given of either. Must not know: when
 * another try makes sense, or how tokens are got.
 */
import type { OAuthClientProvider } from '../client/auth';
import type { FetchLike } from '../shared/transport';
import { authorize } from './client-authorize';
import { UnauthorizedError } from './mcp-error';
import { extractWWWAuthenticateParams } from './oauth-challenge';

/** What a provider is told of a refusal. */
export interface UnauthorizedContext {
  /** The refusal. `WWW-Authenticate` says what the server wants. */
  response: Response;
  /** The server that refused. */
  serverUrl: URL;
  /** Makes requests as the transport does. */
  fetchFn: FetchLike;
}

/**
 * Gives requests a token: all that a transport needs where no user has to be asked.
 *
 * @example
 * ```ts
 * const authProvider: AuthProvider = { token: async () => process.env.API_KEY };
 * ```
 */
export interface AuthProvider {
  /** The token for the next request; `undefined` for none. */
  token(): Promise<string | undefined>;
  /** The server refused it: gets another. The request is then tried once more. Without it, a refusal is the end. */
  onUnauthorized?(ctx: UnauthorizedContext): Promise<void>;
}

/** Either kind. */
export type AnyProvider = AuthProvider | OAuthClientProvider;

/** Whether a provider goes through the flows of OAuth. */
export function isOAuth(provider: AnyProvider | undefined): provider is OAuthClientProvider {
  return typeof (provider as Partial<OAuthClientProvider> | undefined)?.tokens === 'function';
}

/** What `Authorization` is to say, if anything. */
export async function bearer(provider: AnyProvider | undefined): Promise<string | undefined> {
  const token = isOAuth(provider) ? (await provider.tokens())?.access_token : await provider?.token();
  return token ? `Bearer ${token}` : undefined;
}

/** Turns the code that the user came back with into tokens. */
export async function finish(
  provider: AnyProvider | undefined,
  options: { serverUrl: URL; authorizationCode: string; fetchFn: FetchLike },
): Promise<void> {
  if (provider === undefined) throw new UnauthorizedError('No auth provider');
  if (!isOAuth(provider)) throw new UnauthorizedError('finishAuth requires an OAuthClientProvider');
  await authorize(provider, options);
}

/** Renewals that run: many requests are refused at once, and one renews for all. */
const renewing = new WeakMap<AuthProvider, Promise<void>>();

/** Gets other credentials after a refusal; an `UnauthorizedError` if there are no others. */
export async function renew(provider: AnyProvider, context: UnauthorizedContext): Promise<void> {
  if (isOAuth(provider)) {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(context.response);
    const { serverUrl, fetchFn } = context;
    return authorize(provider, { serverUrl, resourceMetadataUrl, scope, fetchFn });
  }
  if (provider.onUnauthorized === undefined) throw new UnauthorizedError();
  const running = renewing.get(provider) ?? provider.onUnauthorized(context);
  renewing.set(provider, running);
  try {
    await running;
  } finally {
    if (renewing.get(provider) === running) renewing.delete(provider);
  }
}
