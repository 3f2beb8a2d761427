/**
 * The functions of authorization that tell what an authorization server refused. Owns: the class of
 * that error in 2.x. Must not know: what the functions do.
 */
import * as oauth from '../../common/oauth/client';
import { oauthErrorV2, type OAuthError } from './oauth-error';

/** A function whose errors about answers of authorization servers are of the class of 2.x. */
function telling<A extends unknown[], R>(body: (...parts: A) => Promise<R>): (...parts: A) => Promise<R> {
  return async (...parts) => {
    try {
      return await body(...parts);
    } catch (error) {
      throw (typeof error === 'object' && error !== null && oauthErrorV2(error)) || error;
    }
  };
}

/** Obtains tokens for a server: with a refresh token, an authorization code, or by sending the user to the authorization server. */
export const auth: typeof oauth.auth = telling(oauth.auth);
/** Exchanges an authorization code for tokens. */
export const exchangeAuthorization: typeof oauth.exchangeAuthorization = telling(oauth.exchangeAuthorization);
/** Exchanges a refresh token for new tokens; the refresh token is kept if the response has no new one. */
export const refreshAuthorization: typeof oauth.refreshAuthorization = telling(oauth.refreshAuthorization);
/** Requests tokens: with the provider's own form parameters, or for an authorization code. */
export const fetchToken: typeof oauth.fetchToken = telling(oauth.fetchToken);
/** Registers this client with an authorization server (RFC 7591). */
export const registerClient: typeof oauth.registerClient = telling(oauth.registerClient);

/** Reads the error from an authorization server's response. */
export async function parseErrorResponse(input: Response | string): Promise<OAuthError> {
  const error = await oauth.parseErrorResponse(input);
  return oauthErrorV2(error)!;
}
