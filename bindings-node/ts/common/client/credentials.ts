/**
 * Credentials of a transport: an OAuth provider, or anything that returns a token.
 *
 * Owns: telling the two apart, and what a request gets from either. Must not know: when to try
 * again, or how tokens are obtained.
 */
import type { OAuthClientProvider } from '../oauth/client';
import type { FetchLike } from '../../protocol/transport';
import { authorize } from './authorize';
import { UnauthorizedError } from '../../protocol/mcp-error';
import { extractWWWAuthenticateParams } from '../oauth/challenge';

/** What `onUnauthorized` is told about a 401 response. */
export interface UnauthorizedContext {
  /** The response; its header `WWW-Authenticate` says what the server demands. */
  response: Response;
  /** The URL of the server. */
  serverUrl: URL;
  /** Sends requests as the transport does. */
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
   */
  onUnauthorized?(ctx: UnauthorizedContext): Promise<void>;
}

/** An OAuth provider or a simple token provider. */
export type AnyProvider = AuthProvider | OAuthClientProvider;

/** Whether a provider is an OAuth provider. */
export function isOAuth(provider: AnyProvider | undefined): provider is OAuthClientProvider {
  return typeof (provider as Partial<OAuthClientProvider> | undefined)?.tokens === 'function';
}

/** The value of the `Authorization` header; `undefined` to send none. */
export async function bearer(provider: AnyProvider | undefined): Promise<string | undefined> {
  const token = isOAuth(provider) ? (await provider.tokens())?.access_token : await provider?.token();
  return token ? `Bearer ${token}` : undefined;
}

/** Exchanges the authorization code that the user came back with for tokens. */
export async function finish(
  provider: AnyProvider | undefined,
  options: { serverUrl: URL; authorizationCode: string; fetchFn: FetchLike },
): Promise<void> {
  if (provider === undefined) throw new UnauthorizedError('No auth provider');
  if (!isOAuth(provider)) throw new UnauthorizedError('finishAuth requires an OAuthClientProvider');
  await authorize(provider, options);
}

/** Renewals that are running: if many requests are refused at once, they share one. */
const renewing = new WeakMap<AuthProvider, Promise<void>>();

/** Obtains new credentials after a refusal; throws an `UnauthorizedError` if there are none. */
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
