/**
 * Handlers for methods of a program's own. Owns: judging what they get and give with the
 * program's schemas. Must not know: who calls them.
 */
import type { Notification, Request as McpRequest } from '../../types';
import { ProtocolError, ProtocolErrorCode } from './errors';
import { requestSchemaFor } from './results';
import { issueText, type StandardOutcome, type StandardSchemaV1 } from './standard';

/** What a method of a program's own takes and gives. */
export interface HandlerSchemas<
  P extends StandardSchemaV1 = StandardSchemaV1,
  R extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
> {
  /** Judges params; what it makes of them is what the handler is given. */
  params: P;
  /** Judges the result. */
  result?: R;
}

/** Waits only where there is something to wait for. */
export function then<T, U>(value: T | PromiseLike<T>, next: (value: T) => U): U | Promise<U> {
  return typeof (value as PromiseLike<T> | undefined)?.then === 'function'
    ? Promise.resolve(value).then(next as (value: T) => U)
    : next(value as T);
}

function fitting(outcome: StandardOutcome<unknown>, code: number, words: string): unknown {
  if (outcome.issues === undefined) return outcome.value;
  throw new ProtocolError(code, `${words}: ${issueText(outcome.issues)}`);
}

/** Params without what is the protocol's own in them. */
function ownParams(params: Record<string, unknown> | undefined): Record<string, unknown> {
  const { _meta, ...rest } = params ?? {};
  return rest;
}

/** A handler that is given params as its schema makes them. */
function schemaHandler(schemas: HandlerSchemas, handler: (params: any, ctx: any) => unknown): (request: McpRequest, ctx: unknown) => unknown {
  return (request, ctx) => {
    const judged = schemas.params['~standard'].validate(ownParams(request.params));
    const result = then(judged, (outcome) =>
      handler(fitting(outcome, ProtocolErrorCode.InvalidParams, `Invalid params for ${request.method}`), ctx),
    );
    const own = schemas.result;
    if (own === undefined) return result;
    return then(result, (value) =>
      then(own['~standard'].validate(value), (outcome) =>
        fitting(outcome, ProtocolErrorCode.InternalError, `Invalid result for ${request.method}`),
      ),
    );
  };
}

/** The same for notifications. */
function schemaNotification(
  schemas: { params: StandardSchemaV1 },
  handler: (params: any, notification: Notification) => unknown,
): (notification: Notification) => unknown {
  return (notification) =>
    then(schemas.params['~standard'].validate(ownParams(notification.params)), (outcome) =>
      handler(fitting(outcome, ProtocolErrorCode.InvalidParams, `Invalid params for ${notification.method}`), notification),
    );
}

/** A handler of requests as programs of 2.x write it. */
export type GivenHandler = (request: McpRequest, ctx: any) => unknown;

/** The handler of requests that was given: behind the protocol's own schema, or those of the program. */
export function givenHandler(method: string, second: unknown, third: unknown): GivenHandler {
  if (third !== undefined) return schemaHandler(second as HandlerSchemas, third as GivenHandler);
  const handler = second as GivenHandler;
  const schema = requestSchemaFor(method);
  if (schema === undefined) return handler;
  return (request, ctx) => {
    const { error } = schema.safeParse(request);
    if (error === undefined) return handler(request, ctx);
    if (method !== 'tools/call') throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid tools/call request: ${issueText(error.issues as never)}`);
  };
}

/** The same for notifications. */
export function givenNotificationHandler(second: unknown, third: unknown): (notification: Notification) => unknown {
  const handler = third === undefined ? second : schemaNotification(second as { params: StandardSchemaV1 }, third as never);
  return handler as (notification: Notification) => unknown;
}
