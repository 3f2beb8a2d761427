/**
 * Decisions of the engine for authorization servers. Owns: asking for one in the words of the official
 * package, and the error class of a refusal. Must not know: what is decided.
 */
import { decide as ask } from '../../common/oauth/decisions';
import { CustomOAuthError, OAUTH_ERRORS, type OAuthError } from '../../common/oauth/errors';

/** The error of a code in the classes of this package. */
export function oauthErrorOf(code: string, text: string): OAuthError {
  const Known = OAUTH_ERRORS[code];
  return Known ? new Known(text) : new CustomOAuthError(code, text);
}

/**
 * Asks the engine.
 *
 * @throws {OAuthError} if the request is refused.
 */
export function decide<T>(name: string, given: object): T {
  return ask<T>(name, { words: 'typescript', ...given }, (data) => {
    const { error, error_description: text } = data as unknown as { error: string; error_description: string };
    return oauthErrorOf(error, text);
  });
}
