/**
 * The functions of authorization as 2.x has them. Owns: the class of its errors, and what 2.x
 * checks beyond 1.x. Must not know: what the functions do.
 */
import { withOAuth as withOAuthV1 } from '../../common/client/middleware';
import { demanded } from '../../common/oauth/challenge';
import { usedLike2 } from '../../common/oauth/decisions';
import { serverInfoOf, serverMetadataOf } from '../../common/oauth/discovery';
import { validateAuthorizationResponseIssuer } from '../../common/oauth/issuer';
import * as oauth from '../../common/oauth/client';
import type { AuthorizationServerMetadata } from '../../protocol/auth';
import type { FetchLike } from '../../protocol/transport';
import type { OAuthServerInfo } from '../../common/oauth/provider';
import { oauthErrorV2, told, type OAuthError } from './oauth-error';

/** A function whose errors about answers of authorization servers are of the classes of 2.x. */
function telling<A extends unknown[], R>(body: (...parts: A) => Promise<R>): (...parts: A) => Promise<R> {
  return async (...parts) => {
    try {
      return await body(...parts);
    } catch (error) {
      throw told(error);
    }
  };
}

/** The issuer that a user came back with. */
interface CameBack {
  metadata?: AuthorizationServerMetadata | undefined;
  authorizationCode?: string | undefined;
  /** The `iss` parameter of the authorization response (RFC 9207). */
  iss?: string | undefined;
}

/** Checks who a user was sent back by, if there is a code. */
function checkIssuer({ metadata, authorizationCode, iss }: CameBack): void {
  if (authorizationCode === undefined) return;
  const says = metadata as { authorization_response_iss_parameter_supported?: boolean } | undefined;
  const issParameterSupported = says?.authorization_response_iss_parameter_supported;
  validateAuthorizationResponseIssuer({ iss, expectedIssuer: metadata?.issuer, issParameterSupported });
}

/** Obtains tokens for a server: with a refresh token, an authorization code, or by sending the user to the authorization server. */
export const auth: typeof oauth.auth = telling((provider, options) => {
  usedLike2(provider, told);
  return oauth.auth(provider, options);
});
/** Exchanges an authorization code for tokens. */
export const exchangeAuthorization = telling(
  async (server: string | URL, options: Parameters<typeof oauth.exchangeAuthorization>[1] & CameBack) => {
    checkIssuer(options);
    return oauth.exchangeAuthorization(server, options);
  },
);
/** Exchanges a refresh token for new tokens; the refresh token is kept if the response has no new one. */
export const refreshAuthorization: typeof oauth.refreshAuthorization = telling(oauth.refreshAuthorization);
/** Requests tokens: with the provider's own form parameters, or for an authorization code. */
export const fetchToken = telling(
  async (
    provider: oauth.OAuthClientProvider,
    server: string | URL,
    options: NonNullable<Parameters<typeof oauth.fetchToken>[2]> & CameBack = {},
  ) => {
    checkIssuer(options);
    usedLike2(provider, told);
    return oauth.fetchToken(provider, server, options);
  },
);
/** Registers this client with an authorization server (RFC 7591). */
export const registerClient: typeof oauth.registerClient = telling(oauth.registerClient);

/**
 * Reads the metadata of an authorization server or OpenID provider; `undefined` if there is none.
 *
 * @param authorizationServerUrl - The URL of the authorization server.
 * @param options - The revision, and a `fetch` to use. Default: neither.
 * @throws {IssuerMismatchError} if they are of another issuer, unless `skipIssuerValidation` is set.
 */
export function discoverAuthorizationServerMetadata(
  authorizationServerUrl: string | URL,
  options: { fetchFn?: FetchLike; protocolVersion?: string; skipIssuerValidation?: boolean } = {},
): Promise<AuthorizationServerMetadata | undefined> {
  const { fetchFn, protocolVersion, skipIssuerValidation: anyIssuer } = options;
  return serverMetadataOf(authorizationServerUrl, protocolVersion, { fetchFn, anyIssuer, like: 'typescript2' });
}

/**
 * Finds the authorization server of an MCP server, and the metadata of both. Servers of older
 * revisions are their own authorization servers.
 * @param serverUrl - The URL of the MCP server.
 * @param opts - The URL of the resource's metadata if it is known, and a `fetch` to use. Default: neither.
 */
export function discoverOAuthServerInfo(
  serverUrl: string | URL,
  opts: { resourceMetadataUrl?: URL; fetchFn?: FetchLike; skipIssuerMetadataValidation?: boolean } = {},
): Promise<OAuthServerInfo> {
  const { resourceMetadataUrl, fetchFn, skipIssuerMetadataValidation: anyIssuer } = opts;
  return serverInfoOf(serverUrl, resourceMetadataUrl, { fetchFn, anyIssuer, like: 'typescript2' });
}

/**
 * Reads the parameters of `WWW-Authenticate`: the URL of the resource metadata, the required scope,
 * the error code and its description.
 * @param res - The response.
 */
export function extractWWWAuthenticateParams(res: Response): ReturnType<typeof oauth.extractWWWAuthenticateParams> & {
  errorDescription?: string | undefined;
} {
  return demanded(res, ['Bearer', 'DPoP']);
}

/**
 * Reads the error from an authorization server's response.
 * @param input - The response, or its body.
 */
export async function parseErrorResponse(input: Response | string): Promise<OAuthError> {
  const error = await oauth.parseErrorResponse(input);
  return oauthErrorV2(error)!;
}

/** Returns middleware that sends a provider's tokens, and obtains new ones when a request is refused. */
export const withOAuth: typeof withOAuthV1 = (provider, baseUrl) => {
  usedLike2(provider, told);
  return withOAuthV1(provider, baseUrl);
};
