/**
 * Why a connection could not be opened, in the errors of the 2.x face. Owns: which failures belong
 * to the negotiation of the era, and their texts. Must not know: how the era is negotiated; the
 * engine does that.
 */
import { OAuthError as OAuthErrorV1 } from '../../common/oauth/errors';
import { OAuthClientFlowError } from '../../common/oauth/flow-errors';
import { LEGACY_REVISIONS, MODERN_REVISIONS } from '../../generated/protocol';
import { UnauthorizedError } from '../../protocol/mcp-error';
import { errorV2 } from './convert';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnsupportedProtocolVersionError, type SdkHttpErrorData } from './errors';
import { OAuthError } from './oauth-error';

/** How a connection was to be opened, and how far that came. */
export interface Attempt {
  /** The only revision that is allowed. */
  pin: string | undefined;
  /** Whether a server without `server/discover` may be asked to `initialize`. */
  fallsBack: boolean;
  /** Whether the server is a process of this client, which may end on requests that it does not know. */
  isProcess: boolean;
  /** The request of the handshake that was sent last; `undefined` if only the engine knows. */
  sent: string | undefined;
}

/** The attempt of a client with these options, over a transport of this kind. */
export function attemptOf(
  protocol: string | undefined,
  revisions: readonly string[] = LEGACY_REVISIONS,
  transport: string | undefined,
  sent: string | undefined,
): Attempt {
  const pin = protocol === 'auto' ? undefined : protocol;
  const fallsBack = pin === undefined && revisions.some((revision) => LEGACY_REVISIONS.includes(revision));
  return { pin, fallsBack, isProcess: transport === 'stdio', sent };
}

const failed = (words: string, options?: ErrorOptions, data?: unknown): SdkError =>
  new SdkError(SdkErrorCode.EraNegotiationFailed, `Version negotiation ${words}`, data, options);

/** The error of a probe that got no answer that says anything about eras. */
function probeFailed(words: string, cause: unknown): SdkError {
  return failed(`probe failed: ${words}`, { cause }, { cause });
}

/** The error for a server that answered and offered nothing that this client may use. */
function notOffered({ pin }: Attempt): SdkError {
  if (pin === undefined) {
    return failed(`failed: the server gave no modern evidence and this client supports no ${withoutLegacy} to fall back to`);
  }
  return failed(`failed: the server did not offer pinned protocol version ${pin} via server/discover (no fallback in pin mode)`);
}

const withoutLegacy = `pre-${MODERN_REVISIONS[0]} protocol version`;

function closedEarly({ pin, fallsBack, isProcess }: Attempt, error: SdkError): SdkError {
  if (!isProcess) return probeFailed('Connection closed during the version negotiation probe', error);
  const words = 'failed: the connection closed during the server/discover probe';
  const cause = { cause: error };
  if (pin !== undefined) return failed(`${words} before the server offered pinned protocol version ${pin} (no fallback in pin mode)`, cause);
  return fallsBack ? error : failed(`${words} and this client supports no ${withoutLegacy} to fall back to`, cause);
}

/** What an HTTP error of a transport says; transports of other packages are recognized by the form of their errors. */
function httpFacts(error: unknown): SdkHttpErrorData | undefined {
  const { name, data } = error as { name?: unknown; data?: { status?: unknown } };
  return name === 'SdkHttpError' && typeof data?.status === 'number' ? (data as SdkHttpErrorData) : undefined;
}

function fromStatus(data: SdkHttpErrorData, error: Error, attempt: Attempt): Error {
  const { status } = data;
  if (status === 401 || status === 403) {
    const [code, words] =
      status === 401
        ? [SdkErrorCode.ClientHttpAuthentication, 'the server requires authorization (HTTP 401)']
        : [SdkErrorCode.ClientHttpForbidden, 'the server denied access (HTTP 403)'];
    return new SdkHttpError(code, `Version negotiation failed: ${words}`, data, { cause: error });
  }
  if (status >= 500) {
    const words = `Version negotiation failed: the server answered the probe with HTTP ${status}`;
    return new SdkHttpError(SdkErrorCode.EraNegotiationFailed, words, data, { cause: error });
  }
  return attempt.fallsBack ? error : notOffered(attempt);
}

function fromProtocol(error: ProtocolError, attempt: Attempt): Error {
  return attempt.fallsBack || error instanceof UnsupportedProtocolVersionError ? error : notOffered(attempt);
}

function fromLocal(error: SdkError, attempt: Attempt): Error {
  switch (error.code) {
    case SdkErrorCode.ClientHttpUnexpectedContent:
    case SdkErrorCode.InvalidResult:
      return probeFailed(`the server answered with an unusable reply (${error.message})`, error);
    case SdkErrorCode.ConnectionClosed:
      return closedEarly(attempt, error);
    case SdkErrorCode.SendFailed:
      return probeFailed(error.message, error.cause ?? error);
    default:
      return error;
  }
}

/** Whether an error is about credentials, which programs have to see as it is. */
function isAboutCredentials(error: Error): boolean {
  const kinds = [UnauthorizedError, OAuthErrorV1, OAuthError, OAuthClientFlowError];
  return kinds.some((kind) => error instanceof kind) || error.name === 'UnauthorizedError';
}

/** The error of `connect` for what kept a connection from being opened. */
export function negotiationError(thrown: unknown, attempt: Attempt): unknown {
  // The server had no `server/discover`, and failed later.
  if (attempt.sent === 'initialize') return thrown;
  const error = errorV2(thrown, 'server/discover');
  if (!(error instanceof Error) || isAboutCredentials(error)) return error;
  const http = httpFacts(error);
  if (http !== undefined) return fromStatus(http, error, attempt);
  if (error instanceof ProtocolError) return fromProtocol(error, attempt);
  if (error instanceof SdkError) return fromLocal(error, attempt);
  if ((error as { kind?: unknown }).kind === 'transport') return probeFailed(error.message, error);
  // An error of the program's transport; on ours, the program's own functions throw what is left.
  return attempt.sent === undefined ? error : probeFailed(error.message, error);
}

/** Throws if no revision is left for a client that opens connections with `initialize`. */
export function checkLegacy(revisions: readonly string[] | undefined): void {
  if (revisions === undefined || revisions.some((revision) => LEGACY_REVISIONS.includes(revision))) return;
  const words = `Cannot run the initialize handshake: supportedProtocolVersions contains no ${withoutLegacy}`;
  throw new SdkError(SdkErrorCode.EraNegotiationFailed, words);
}

/** The newest revision that an earlier discovery and this client have in common. */
export function revisionOf(discovered: readonly string[], own: readonly string[] | undefined): string {
  const modern = (own ?? []).filter((revision) => MODERN_REVISIONS.includes(revision));
  const common = (modern.length > 0 ? modern : MODERN_REVISIONS).filter((revision) => discovered.includes(revision));
  const newest = MODERN_REVISIONS.filter((revision) => common.includes(revision)).at(-1);
  if (newest !== undefined) return newest;
  const words =
    `connect({ prior }) with a modern verdict requires a ${MODERN_REVISIONS[0]}+ mutual protocol version; the supplied ` +
    "DiscoverResult and this client's supportedProtocolVersions have no modern overlap. For a server known to be legacy, pass " +
    "prior: { kind: 'legacy' } to skip the probe and initialize directly, or use versionNegotiation: { mode: 'auto' } to " +
    're-probe with legacy fallback.';
  throw new SdkError(SdkErrorCode.EraNegotiationFailed, words);
}
