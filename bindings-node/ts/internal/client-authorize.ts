/**
 * Getting tokens when a server wants others. Owns: that one flow at a time runs for a
 * provider. Must not know: what the flow does.
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

/** Flows that run. A refresh token that is used twice may be worth nothing afterwards. */
const running = new WeakMap<OAuthClientProvider, Promise<AuthResult>>();

/** Returns when there are new tokens; an `UnauthorizedError` otherwise. */
export async function authorize(provider: OAuthClientProvider, options: AuthorizeOptions): Promise<void> {
  const begun = options.authorizationCode === undefined ? running.get(provider) : undefined;
  const result = await (begun ?? begin(provider, options));
  if (result === 'AUTHORIZED') return;
  if (options.authorizationCode !== undefined) throw new UnauthorizedError('Failed to authorize');
  throw new UnauthorizedError();
}

function begin(provider: OAuthClientProvider, options: AuthorizeOptions): Promise<AuthResult> {
  // Most programs need no authorization: it is loaded when it is needed.
  const { auth } = require('./oauth-flow') as typeof import('./oauth-flow');
  const flow = auth(provider, options).finally(() => running.get(provider) === flow && running.delete(provider));
  running.set(provider, flow);
  return flow;
}
