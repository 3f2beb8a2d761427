/**
 * Getting new tokens when a server demands them. Owns: that only one flow at a time runs for a
 * provider. Must not know: what the flow does.
 */
import { UnauthorizedError } from '../../protocol/mcp-error';
import type { AuthorizeOptions, AuthResult, OAuthClientProvider } from '../oauth/provider';

/** A flow, and the demand for more scopes that it answers, if any. */
interface Running {
  flow: Promise<AuthResult>;
  demand: string | undefined;
}

/** The flows that are running. Two at once could use the same refresh token, which may invalidate it. */
const running = new WeakMap<OAuthClientProvider, Running>();

/**
 * Resolves when there are new tokens; rejects with an `UnauthorizedError` otherwise, in these words if the user was sent away.
 *
 * @returns whether they are what was demanded here: a flow that ran already may have been for something else.
 */
export async function authorize(
  provider: OAuthClientProvider,
  options: AuthorizeOptions,
  redirected?: string,
  demand?: string,
): Promise<boolean> {
  const found = options.authorizationCode === undefined ? running.get(provider) : undefined;
  const begun = found ?? begin(provider, options, demand);
  const result = await begun.flow;
  if (result === 'AUTHORIZED') return begun.demand === demand;
  if (options.authorizationCode !== undefined) throw new UnauthorizedError('Failed to authorize');
  throw new UnauthorizedError(redirected);
}

function begin(provider: OAuthClientProvider, options: AuthorizeOptions, demand: string | undefined): Running {
  // Loaded late, because most programs need no authorization.
  const { auth } = require('../oauth/flow') as typeof import('../oauth/flow');
  const flow = auth(provider, options).finally(() => running.get(provider) === begun && running.delete(provider));
  const begun = { flow, demand };
  running.set(provider, begun);
  return begun;
}
