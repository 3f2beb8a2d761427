/**
 * The URL that a user came back to. Owns: the code in it, and why there is none. Must not know: what
 * the code is exchanged for.
 */
import type { AuthorizationServerMetadata } from '../../protocol/auth';
import { UnauthorizedError } from '../../protocol/mcp-error';
import type { FetchLike } from '../../protocol/transport';
import { madeOf } from './answer';
import { likeOf } from './decisions';
import { serverInfoOf } from './discovery';
import { OAUTH_ERRORS, ServerError } from './errors';
import { validateAuthorizationResponseIssuer } from './issuer';
import type { OAuthClientProvider } from './provider';

/**
 * The authorization code of the URL. An error in it is shown only if the authorization server that
 * the user was sent to sent it.
 */
export async function codeIn(
  answer: URLSearchParams,
  provider: OAuthClientProvider,
  { serverUrl, fetchFn }: { serverUrl: URL; fetchFn: FetchLike },
): Promise<string> {
  const code = answer.get('code');
  const kept = (await provider.discoveryState?.())?.authorizationServerMetadata;
  if (kept) checkSender(answer, kept);
  if (code) return code;
  if (!kept) {
    const looking = { fetchFn, like: likeOf(provider), privateNetworks: provider.privateNetworks };
    const found = await serverInfoOf(serverUrl, undefined, looking).catch(() => undefined);
    const metadata = found?.authorizationServerMetadata;
    if (!metadata) throw new UnauthorizedError('Authorization callback failed and the issuer could not be verified');
    checkSender(answer, metadata);
  }
  const error = answer.get('error');
  if (!error) throw new UnauthorizedError('Authorization callback contained neither `code` nor `error`');
  const told = { error, error_description: answer.get('error_description') ?? error, error_uri: answer.get('error_uri') ?? undefined };
  throw madeOf(told, new (OAUTH_ERRORS[error] ?? ServerError)(told.error_description, told.error_uri));
}

/** Checks that the authorization server of these metadata sent the user back. */
function checkSender(answer: URLSearchParams, metadata: AuthorizationServerMetadata): void {
  const says = metadata as { authorization_response_iss_parameter_supported?: boolean };
  validateAuthorizationResponseIssuer({
    iss: answer.get('iss') ?? undefined,
    expectedIssuer: metadata.issuer,
    issParameterSupported: says.authorization_response_iss_parameter_supported,
  });
}
