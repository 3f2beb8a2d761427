/**
 * Getting new tokens when a server demands them. Owns: that only one flow at a time runs for a
 * provider. Must not know: what the flow does.
 */
import { UnauthorizedError } from '../../protocol/mcp-error';
import type { AuthorizeOptions, AuthResult, OAuthClientProvider } from '../oauth/provider';

/** The flows that are running. Two at once could use the same refresh token, which may invalidate it. */
const running = new WeakMap<OAuthClientProvider, Promise<AuthResult>>();

/** Resolves when there are new tokens; rejects with an `UnauthorizedError` otherwise, in these words if the user was sent away. */
export async function authorize(provider: OAuthClientProvider, options: AuthorizeOptions, redirected?: string): Promise<void> {
  const begun = options.authorizationCode === undefined ? running.get(provider) : undefined;
  const result = await (begun ?? begin(provider, options));
  if (result === 'AUTHORIZED') return;
  if (options.authorizationCode !== undefined) throw new UnauthorizedError('Failed to authorize');
  throw new UnauthorizedError(redirected);
}

function begin(provider: OAuthClientProvider, options: AuthorizeOptions): Promise<AuthResult> {
  // Loaded late, because most programs need no authorization.
  const { auth } = require('../oauth/flow') as typeof import('../oauth/flow');
  const flow = auth(provider, options).finally(() => running.get(provider) === flow && running.delete(provider));
  running.set(provider, flow);
  return flow;
}
