/**
 * Getting tokens when a server wants others. Owns: who does it. Must not know: how.
 */
import type { AuthResult, OAuthClientProvider } from '../client/auth';
import type { FetchLike } from '../shared/transport';
import { UnauthorizedError } from './mcp-error';

/** What an authorization is for. */
export interface AuthorizeOptions {
  /** The server that wants credentials. */
  serverUrl: string | URL;
  /** What the user came back with. */
  authorizationCode?: string;
  /** What the server wants them to allow. */
  scope?: string;
  /** Where the server says its metadata is. */
  resourceMetadataUrl?: URL;
  /** Makes requests. */
  fetchFn?: FetchLike;
}

type Authorizer = (provider: OAuthClientProvider, options: AuthorizeOptions) => Promise<AuthResult>;

let authorizer: Authorizer | undefined;

/** Sets what gets tokens. */
export function authorizeWith(flow: Authorizer): void {
  authorizer = flow;
}

/** Returns when there are new tokens; an `UnauthorizedError` otherwise. */
export async function authorize(provider: OAuthClientProvider, options: AuthorizeOptions): Promise<void> {
  const result = await authorizer?.(provider, options);
  if (result === 'AUTHORIZED') return;
  if (options.authorizationCode !== undefined) throw new UnauthorizedError('Failed to authorize');
  throw new UnauthorizedError();
}
