/**
 * What a server sends to a client. Owns: requests and notifications, on a call's stream or a
 * connection's, and the official errors. Must not know: the typed functions of the faces.
 */
import { questionWord } from '../capabilities';
import type { Plan } from '../driver';
import { errorFrom, ErrorCode, McpError } from '../errors';
import { failureOf, type Failure } from '../failure';
import { withoutHalves } from '../halves';
import { written } from '../pieces';
import { malformedProgress, PROGRESS } from '../stray';
import type { Facts } from '../telemetry/attributes';
import { sending } from '../telemetry/operation';
import { runningCall } from './running';
import { parseWith } from '../../protocol/schema/schema';
import type { Call, CallHost, Connection } from './contract';
import type { Notification, Progress, RelatedTaskMetadata, Request, TaskCreationParams } from '../../protocol/types';
import { refusal } from '../../protocol/refusal';

/** The longest timeout, in milliseconds, which stands for no limit. */
const UNLIMITED = 1e12;

/** The default timeout of a request, in milliseconds. */
export const DEFAULT_TIMEOUT = 60_000;

/** The modern era's error code for a request that needs a capability the client lacks. */
export const MISSING_CLIENT_CAPABILITY = -32021;

/** Options of a request, as in `RequestOptions`. */
export interface Asking {
  onprogress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
  timeout?: number | undefined;
  resetTimeoutOnProgress?: boolean | undefined;
  maxTotalTimeout?: number | undefined;
  task?: TaskCreationParams | undefined;
  relatedTask?: RelatedTaskMetadata | undefined;
  /** Whether the request may still be answered when the call that it is about has been. */
  outlives?: boolean | undefined;
}

function planOf(options: Asking | undefined): Plan {
  const timeout = options?.timeout ?? DEFAULT_TIMEOUT;
  // The engine's `max` always applies; the official option only together with progress.
  const max = options?.resetTimeoutOnProgress ? (options.maxTotalTimeout ?? UNLIMITED) : timeout;
  const progress = options?.resetTimeoutOnProgress === true && { progress: true };
  return { timeout: Math.max(timeout, 0) / 1000, max: Math.max(timeout, max) / 1000, ...progress };
}

/** Wraps a progress callback to remove the progress token. */
function reporter(
  host: CallHost,
  { number }: Connection,
  onprogress: Asking['onprogress'],
): ((params: unknown) => void) | undefined {
  if (onprogress === undefined) return undefined;
  return (params) => {
    // As in the official packages, a handler of the program takes the place of callbacks.
    if (host.server.notificationHandlerOf(PROGRESS) !== undefined) return host.notification(['notification', number, 0, PROGRESS, params]);
    const wrong = malformedProgress(params);
    if (wrong !== undefined) return host.failed(wrong);
    const { progressToken: _, ...progress } = params as Progress & { progressToken?: unknown };
    try {
      onprogress(progress as Progress);
    } catch (error) {
      host.failed(error instanceof Error ? error : new Error(String(error)));
    }
  };
}

/** The error that a request ends with. */
function errorOf(failure: Failure, method: string, timeout: number): Error {
  if (failure.kind === 'timeout') {
    return errorFrom({ ...failure, code: ErrorCode.RequestTimeout, message: 'Request timed out', data: { timeout } });
  }
  if (failure.kind === 'closed') {
    return errorFrom({ ...failure, code: ErrorCode.ConnectionClosed, message: 'Connection closed' });
  }
  const needed = questionWord(method);
  if (failure.kind === 'missing_client_capability' && needed !== undefined) {
    return undeclared(`Client does not support ${needed} (required for ${method})`, failure);
  }
  return errorFrom(failure);
}

/**
 * The error for a request that was not sent because the client did not declare its capability. Before the
 * modern era it has the code that an official client answers such a request with: programs look for it, and
 * then go on without the client.
 */
function undeclared(text: string, { kind, data }: Failure): Error {
  return isModern() ? unsupported(text, data) : errorFrom({ kind, code: ErrorCode.MethodNotFound, message: text });
}

function isModern(): boolean {
  return runningCall()?.facts.era === 'modern';
}

/**
 * The error for a request that the client does not support: the official message, with its kind as
 * a property. In the modern era it also has a code, which clients act on.
 */
export function unsupported(text: string, data: unknown): Error {
  const error = refusal('unsupported', text);
  const modern = isModern() && { code: MISSING_CLIENT_CAPABILITY, data };
  for (const [name, value] of Object.entries({ kind: 'missing_client_capability', ...modern })) {
    Object.defineProperty(error, name, { value, configurable: true });
  }
  return error;
}

/**
 * Sends a request to a client.
 *
 * @throws the client's error, or the reason why the request could not be sent.
 */
export async function ask(
  host: CallHost,
  live: Call | undefined,
  connection: Connection,
  request: Request,
  schema: unknown,
  options?: Asking,
): Promise<unknown> {
  const facts = (): Facts => {
    const { revision } = live?.facts ?? connection.facts;
    return { revision, isDeclared: host.server.declares(request.method) };
  };
  return sending(request, facts, (sent) => askNow(host, live, connection, sent, schema, options));
}

async function askNow(
  host: CallHost,
  live: Call | undefined,
  connection: Connection,
  request: Request,
  schema: unknown,
  options: Asking | undefined,
): Promise<unknown> {
  const { signal } = options ?? {};
  const report = reporter(host, connection, options?.onprogress);
  signal?.throwIfAborted();
  const { driver } = host;
  const params = request.params === undefined ? undefined : written(request.params);
  connection.pump();
  // A task sends its requests after the call that created it has been answered.
  const about = live?.makesTask ? undefined : live;
  const target = options?.outlives === true ? connection.number : (about?.call ?? connection.number);
  const pending = begin(() => driver.request(target, request.method, params, planOf(options), report));
  watch(connection.pump(about?.requestId), host);
  driver.drainSoon();
  const withdraw = (): void => {
    driver.inbox.cancel(pending.id);
    watch(connection.pump(about?.requestId), host);
    driver.drainSoon();
  };
  signal?.addEventListener('abort', withdraw);
  const item = await pending.answer;
  signal?.removeEventListener('abort', withdraw);
  live?.renewed();
  const failure = item[5];
  if (failure === null) return schema === undefined ? item[4] : parseWith(schema, item[4]);
  if (signal?.aborted) throw withdrawn(signal.reason);
  throw errorOf(failure, request.method, options?.timeout ?? DEFAULT_TIMEOUT);
}

function begin<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    const failure = failureOf(error);
    throw failure === undefined ? error : errorFrom(failure);
  }
}

/** The error of a request that the program cancelled. */
function withdrawn(reason: unknown): McpError {
  if (reason instanceof McpError) return reason;
  return errorFrom({ kind: 'cancelled', code: ErrorCode.RequestTimeout, message: String(reason) });
}

/** Reports the errors of messages whose sending is not awaited. */
function watch(sends: Promise<void>[], host: CallHost): void {
  for (const send of sends) send.catch((error: unknown) => host.failed(error));
}

/**
 * The call that a message belongs to if the program named none: the one that is being answered, or
 * none if its response cannot carry anything before the answer.
 */
export function aboutCall(connection: Connection, live: Call | undefined): Call | undefined {
  return connection.unstreamed && !live?.isModern ? undefined : live;
}

/** The params of a notification. The engine reads the name of a logger, so it must be Unicode. */
function readable({ method, params }: Notification): Notification['params'] {
  const logger = method === 'notifications/message' ? params?.['logger'] : undefined;
  if (typeof logger !== 'string') return params;
  const whole = withoutHalves(logger);
  return whole === logger ? params : { ...params, logger: whole };
}

/** Sends a notification to a client. */
export async function notify(
  host: CallHost,
  live: Call | undefined,
  connection: Connection,
  notification: Notification,
): Promise<void> {
  const params = notification.params === undefined ? undefined : JSON.stringify(readable(notification));
  watch(connection.pump(), host);
  const target = live?.call ?? connection.number;
  const sent = begin(() => host.driver.send(target, notification.method, params));
  // Sent now, before other messages that may belong to another request.
  await Promise.all([sent, ...connection.pump(live?.requestId)]);
  // The notification may have waited for room in the queue.
  if (connection.fed) await Promise.all(connection.pump(live?.requestId));
}
