/**
 * One request of a client, from the options of the 1.x face to its result.
 *
 * Owns: progress, cancelling, which way it goes. Must not know: which requests there are, and how
 * the connection was opened.
 */
import { AsyncResource } from 'node:async_hooks';
import type { Progress } from '../../protocol/types';
import { errorOf, onAbort, seconds, withdrawn, type Asking } from './asking';
import type { Link } from './call';
import { served } from './connection';
import type { Pending, Plan } from '../driver';
import { errorFrom } from '../errors';
import { failureOf } from '../failure';
import { written } from '../pieces';
import { malformedProgress, PROGRESS } from '../stray';
import type { Slots } from '../slots';
import type { Facts } from '../telemetry/attributes';
import { sending, type Operation } from '../telemetry/operation';
import { areReplaced } from '../timers';
import { parseWith } from '../../protocol/schema/schema';

/** The engine's options for these options. */
function planOf(options: Asking | undefined, usual: number, inside: number | undefined, more: Plan | undefined): Plan {
  const { timeout = usual, onprogress, resetTimeoutOnProgress, maxTotalTimeout } = options ?? {};
  const progress = onprogress !== undefined || resetTimeoutOnProgress === true;
  const limit = seconds(timeout);
  // A server reports progress only for requests with a progress token, so one is sent.
  const max = resetTimeoutOnProgress ? seconds(maxTotalTimeout) : limit;
  const headers = options?.headers && Object.entries(options.headers);
  return { timeout: limit, max, progress, ...(headers && { headers }), ...(inside !== undefined && { inside }), ...more, ...options?.plan };
}

/** The options for a stream that the program resumes by itself; a transport of its own is told with the message. */
function resumptionOf({ carry }: Link, { resumptionToken, onresumptiontoken }: Asking): Plan | undefined {
  if (carry !== undefined || (resumptionToken ?? onresumptiontoken) === undefined) return undefined;
  return { ...(resumptionToken !== undefined && { resume_after: resumptionToken }), event_ids: onresumptiontoken !== undefined };
}

/** What is known of a request in either direction, without its id. */
export function factsOf(link: Link, method: string): Facts {
  return { revision: link.connection.describe().revision, isDeclared: link.declares(method) };
}

/**
 * Sends a request. Throws at once if it cannot be sent; the promise rejects with the server's
 * error, or with the reason why there is no answer.
 */
export function ask(
  link: Link,
  request: { method: string; params?: unknown },
  schema: unknown,
  options?: Asking,
): Promise<unknown> {
  options?.signal?.throwIfAborted();
  return sending(request, () => factsOf(link, request.method), (sent, operation) => {
    const began = options === undefined ? 0 : performance.now();
    return answered(link, begin(link, sent, options, operation), schema, options, began);
  });
}

async function answered(
  link: Link,
  pending: Pending,
  schema: unknown,
  options: Asking | undefined,
  began: number,
): Promise<unknown> {
  const signal = options?.signal;
  const item = await (signal === undefined ? pending.answer : withdrawable(link, pending, signal));
  const failure = item[5];
  if (failure === null) return schema === undefined ? item[4] : parseWith(schema, item[4]);
  const timeout = options?.timeout ?? link.patience;
  throw link.errorFor(pending.id, failure) ?? errorOf(failure, timeout, options, performance.now() - began);
}

function begin(
  link: Link,
  request: { method: string; params?: unknown },
  options: Asking | undefined,
  operation: Operation | undefined,
): Pending {
  const { method } = request;
  const params = request.params === undefined ? undefined : written(request.params);
  const { onprogress, resumptionToken, onresumptiontoken, relatedRequestId, headers } = options ?? {};
  const { timeout, resetTimeoutOnProgress } = options ?? {};
  const resumption = options && resumptionOf(link, options);
  // A transport of the program's gives the id out here; otherwise the engine says which it was.
  const isTold = operation !== undefined && link.carry === undefined;
  const isPlain = timeout === undefined && !onprogress && !resetTimeoutOnProgress && !options?.plan && !headers && !resumption;
  // The engine has the timeout of the handshake as its default, for plain requests as well.
  const inside = served.getStore();
  const isOrdinary = isPlain && !isTold && link.timeout === link.patience && inside === undefined && !areReplaced();
  // Progress callbacks run in the async context of the call.
  let here: AsyncResource | undefined;
  let report: ((params: unknown) => void) | undefined;
  if (onprogress !== undefined) {
    here = new AsyncResource('MCPBOLT', { requireManualDestroy: true });
    report = (params) => here!.runInAsyncScope(reported, undefined, link, onprogress, params);
  }
  try {
    link.carry?.flush();
    const more = isTold ? { ...resumption, sent: true } : resumption;
    const plan = isOrdinary ? undefined : planOf(options, link.patience, inside, more);
    const pending = link.connection.ask(method, params, plan, report);
    if (here !== undefined) void pending.answer.then(() => here.emitDestroy());
    if (resumption !== undefined && onresumptiontoken !== undefined) watch(link, pending, onresumptiontoken);
    const id = link.asked(pending.id, method, options && { resumptionToken, onresumptiontoken, relatedRequestId });
    // One for each round of questions.
    if (isTold) hear(link.connection.driver.sentIds, pending, (sent) => operation.sentAs(sent));
    else operation?.sentAs(id);
    return pending;
  } catch (error) {
    const failure = failureOf(error);
    throw failure === undefined ? error : errorFrom(failure);
  }
}

/** Passes on what the engine says of a request until it is answered. */
function hear(hearers: Slots<(said: string) => void>, { id, answer }: Pending, take: (said: string) => void): void {
  hearers.set(id, take);
  void answer.then(() => hearers.delete(id));
}

/** Tells the program after which events the stream of a request can be resumed. */
function watch(link: Link, pending: Pending, onresumptiontoken: (token: string) => void): void {
  const tell = AsyncResource.bind(onresumptiontoken);
  hear(link.connection.driver.eventIds, pending, (token) => {
    try {
      tell(token);
    } catch (error) {
      link.fault(new Error(`Uncaught error in onresumptiontoken: ${error}`));
    }
  });
}

function reported(link: Link, onprogress: (progress: Progress) => void, params: unknown): void {
  // As in the official packages, a handler of the program takes the place of callbacks.
  if (link.hears(PROGRESS)) return link.serverNotification(PROGRESS, params);
  const wrong = malformedProgress(params);
  if (wrong !== undefined) return link.fault(wrong);
  const { progressToken: _, ...progress } = params as Progress & { progressToken?: unknown };
  try {
    onprogress(progress as Progress);
  } catch (error) {
    link.fault(new Error(`Uncaught error in notification handler: ${error}`));
  }
}

/** Waits for the answer, unless the program cancels the request first. */
async function withdrawable(link: Link, pending: Pending, signal: AbortSignal): Promise<Awaited<Pending['answer']>> {
  let withdraw!: () => void;
  const given = new Promise<never>((_, reject) => {
    withdraw = () => {
      reject(withdrawn(signal));
      link.withdraw(pending.id, String(signal.reason));
    };
  });
  const stop = onAbort(signal, withdraw);
  try {
    return await Promise.race([pending.answer, given]);
  } finally {
    stop();
  }
}
