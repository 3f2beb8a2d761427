/**
 * What a server says to a client of its own accord. Owns: requests and notifications, on a
 * call's stream or a connection's, and the official words for what fails. Must not know:
 * the typed functions of the faces.
 */
import type { Plan } from './driver';
import { errorFrom, ErrorCode, McpError } from './errors';
import type { LiveCall } from './extra';
import { failureOf, type Failure } from './failure';
import { runningCall } from './running';
import { parseWith } from './schema';
import type { ServerConnection } from './server-connection';
import type { ServerHost } from './server-host';
import type { Notification, Progress, RelatedTaskMetadata, Request, TaskCreationParams } from '../types';

/** Longest time without a limit, in milliseconds. */
const UNLIMITED = 1e12;

/** How long a client may take to answer, in milliseconds. */
export const DEFAULT_TIMEOUT = 60_000;

/** What the modern era calls a client that cannot do what a request needs. */
export const MISSING_CLIENT_CAPABILITY = -32021;

/** Options of a request, as `RequestOptions` has them. */
export interface Asking {
  onprogress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
  timeout?: number | undefined;
  resetTimeoutOnProgress?: boolean | undefined;
  maxTotalTimeout?: number | undefined;
  task?: TaskCreationParams | undefined;
  relatedTask?: RelatedTaskMetadata | undefined;
}

/** What a client lacks, by method. */
const NEEDS: Record<string, string> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'listing roots',
};

function planOf(options: Asking | undefined): Plan {
  const timeout = options?.timeout ?? DEFAULT_TIMEOUT;
  // A plan's `max` counts even without progress; the official one only with it.
  const max = options?.resetTimeoutOnProgress ? (options.maxTotalTimeout ?? UNLIMITED) : timeout;
  const progress = options?.resetTimeoutOnProgress === true && { progress: true };
  return { timeout: Math.max(timeout, 0) / 1000, max: Math.max(timeout, max) / 1000, ...progress };
}

/** Tells of progress, without the token it came under. */
function reporter(host: ServerHost, onprogress: Asking['onprogress']): ((params: unknown) => void) | undefined {
  if (onprogress === undefined) return undefined;
  return (params) => {
    const { progressToken: _, ...progress } = params as Progress & { progressToken?: unknown };
    try {
      onprogress(progress as Progress);
    } catch (error) {
      host.failed(error instanceof Error ? error : new Error(String(error)));
    }
  };
}

/** The error a request ends with. */
function errorOf(failure: Failure, method: string, timeout: number): Error {
  if (failure.kind === 'timeout') {
    return errorFrom({ ...failure, code: ErrorCode.RequestTimeout, message: 'Request timed out', data: { timeout } });
  }
  if (failure.kind === 'closed') {
    return errorFrom({ ...failure, code: ErrorCode.ConnectionClosed, message: 'Connection closed' });
  }
  if (failure.kind === 'missing_client_capability' && NEEDS[method] !== undefined) {
    return unsupported(`Client does not support ${NEEDS[method]} (required for ${method})`, failure.data);
  }
  return errorFrom(failure);
}

/**
 * The client cannot be asked this; in the official words, with the kind in it. On the modern
 * era it is an error with a code of its own, which clients act on.
 */
export function unsupported(text: string, data: unknown): Error {
  const error = new Error(text);
  const modern = runningCall()?.facts.era === 'modern' && { code: MISSING_CLIENT_CAPABILITY, data };
  for (const [name, value] of Object.entries({ kind: 'missing_client_capability', ...modern })) {
    Object.defineProperty(error, name, { value, configurable: true });
  }
  return error;
}

/**
 * Asks a client something.
 *
 * @throws what the client answered, or why it could not be asked.
 */
export async function ask(
  host: ServerHost,
  live: LiveCall | undefined,
  connection: ServerConnection,
  request: Request,
  schema: unknown,
  options?: Asking,
): Promise<unknown> {
  const { signal } = options ?? {};
  const report = reporter(host, options?.onprogress);
  signal?.throwIfAborted();
  const { driver } = host;
  const params = request.params === undefined ? undefined : JSON.stringify(request.params);
  connection.pump();
  // What a task asks is asked when the call that made it has long been answered.
  const about = live?.makesTask ? undefined : live;
  const target = about?.call ?? connection.number;
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

/** What a request is that the program gave up on. */
function withdrawn(reason: unknown): McpError {
  if (reason instanceof McpError) return reason;
  return errorFrom({ kind: 'cancelled', code: ErrorCode.RequestTimeout, message: String(reason) });
}

/** Reports the failures of sends that are not awaited. */
function watch(sends: Promise<void>[], host: ServerHost): void {
  for (const send of sends) send.catch((error: unknown) => host.failed(error));
}

/**
 * The call that a message without a named call belongs to: the one that is being
 * answered, as long as its stream can have more than the answer.
 */
export function aboutCall(connection: ServerConnection, live: LiveCall | undefined): LiveCall | undefined {
  return connection.unstreamed && !live?.isModern ? undefined : live;
}

/** Tells a client something. */
export async function notify(
  host: ServerHost,
  live: LiveCall | undefined,
  connection: ServerConnection,
  notification: Notification,
): Promise<void> {
  const params = notification.params === undefined ? undefined : JSON.stringify(notification.params);
  watch(connection.pump(), host);
  const target = live?.call ?? connection.number;
  const sent = begin(() => host.driver.send(target, notification.method, params));
  // Before anything else is said, which may be about another request.
  await Promise.all([sent, ...connection.pump(live?.requestId)]);
  // It may have waited until there was room.
  if (connection.fed) await Promise.all(connection.pump(live?.requestId));
}
