/**
 * Assertions of a company's identity provider (ID-JAG), verified by the engine; not in the official
 * package. Owns: the options, and what an assertion grants. Must not know: what makes an assertion good,
 * which the engine says.
 */
import { native, type NativeIdentityAssertions } from '../../engine/native';
import type { OAuthClientInformationFull } from '../../protocol/auth';
import { oauthErrorOf } from './decisions';
import type { IdentityAssertionParams } from './provider';

/** Options of `IdentityAssertions`. */
export interface IdentityAssertionsOptions {
  /** The identity providers, at least one, exactly as their assertions name them. */
  issuers: string[];
  /** The issuer of this authorization server, as assertions name it. */
  audience: string;
  /** The URLs of the MCP servers that it issues tokens for. */
  resources: (string | URL)[];
  /** The algorithms of signatures that are accepted. Default: all asymmetric ones. */
  algorithms?: string[];
  /** The scopes that may be granted. Default: all that the assertion has. */
  scopes?: string[];
  /** How far clocks may differ, in seconds. Default: 30. */
  leeway?: number;
  /**
   * Where it is noted which assertions came, as a server's `stores`: the URL of a Redis or Valkey server
   * where several nodes answer. Default: in memory.
   */
  stores?: string;
}

/** The token that a verified assertion allows: for this user, with these scopes, for this resource and no other. */
export interface IdentityGrant {
  /** The issuer of the assertion: the identity provider. */
  issuer: string;
  /** The user at the identity provider. */
  subject: string;
  /** The client that the token is for. */
  clientId: string;
  /** The scopes of the token. */
  scopes: string[];
  /** The server that the token is for. */
  resource: URL;
  /** The id of the assertion, which is accepted only once. */
  id: string;
}

/** What the engine says of an assertion. */
interface Said {
  granted?: { issuer: string; subject: string; client_id: string; scopes: string[]; resource: string; id: string };
  refused?: { error: string; error_description?: string };
}

/**
 * Verifies assertions of identity providers, for `OAuthServerProvider.exchangeIdentityAssertion`. An
 * assertion is accepted once. It must come from one of the issuers, be signed with an asymmetric key that
 * the issuer publishes, and be made for this server and this client. The granted scopes are those that
 * the assertion, the request and `scopes` have in common.
 *
 * @example
 * const assertions = new IdentityAssertions({
 *   issuers: ['https://idp.example.com'],
 *   audience: 'https://login.example.com',
 *   resources: ['https://mcp.example.com/mcp'],
 * });
 * const exchangeIdentityAssertion = async (client, params) => {
 *   const { subject, scopes, resource } = await assertions.redeem(client, params);
 *   return tokensFor(subject, scopes, resource);
 * };
 */
export class IdentityAssertions {
  readonly #engine: NativeIdentityAssertions;

  /**
   * @param options - The identity providers, and what their assertions may grant.
   * @throws if an issuer is not a URL, or an option is not valid.
   */
  constructor(options: IdentityAssertionsOptions) {
    this.#engine = new native.IdentityAssertions(JSON.stringify(options));
  }

  /**
   * Verifies an assertion and returns what it grants to a client.
   * @param client - The client, which is authenticated.
   * @param params - The assertion, and the scopes and resource that are asked for.
   * @throws {OAuthError} if the assertion is not valid or was used before: `invalid_grant`; if it is for
   *   another resource: `invalid_target`.
   */
  async redeem(client: OAuthClientInformationFull, params: IdentityAssertionParams): Promise<IdentityGrant> {
    const { assertion, scopes, resource } = params;
    const asked = { assertion, client_id: client.client_id, scope: scopes?.join(' '), resource: resource?.href };
    const { granted, refused } = JSON.parse(await this.#engine.redeem(JSON.stringify(asked))) as Said;
    if (!granted) throw oauthErrorOf(refused!.error, refused!.error_description ?? '');
    const { client_id: clientId, resource: target, ...same } = granted;
    return { ...same, clientId, resource: new URL(target) };
  }
}
