/**
 * A token verifier for programs of 1.x that is the engine's; not in the official package. Owns: its
 * errors. Must not know: how tokens are verified.
 */
import { EngineVerifier, type ResourceServerOptions } from '../../common/oauth/resource-server';
import { oauthErrorOf } from './decisions';
import type { OAuthTokenVerifier } from './provider';

export type { CheckedRequest, ResourceServerOptions } from '../../common/oauth/resource-server';

/**
 * Verifies access tokens: JWTs by the keys that their issuer publishes, or by introspection.
 *
 * @example
 * const verifier = new ResourceServer({ resource: 'https://mcp.example.com/mcp', issuers: ['https://login.example.com'] });
 * app.use('/mcp', requireBearerAuth({ verifier, requiredScopes: ['notes'] }));
 */
export class ResourceServer extends EngineVerifier implements OAuthTokenVerifier {
  /**
   * @param options - The issuers of tokens, the URL of the resource, the required scopes and so on.
   * @throws if an option is not valid.
   */
  constructor(options: ResourceServerOptions) {
    super(options, oauthErrorOf);
  }
}
