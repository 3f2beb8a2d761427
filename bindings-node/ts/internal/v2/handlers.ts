/**
 * Handlers as programs give them. Owns: judging what they get with the schemas of the
 * protocol or with the program's own. Must not know: who calls them.
 */
import { METHODS } from '../../generated/methods';
import type { Notification, Request as McpRequest } from '../../types';
import { specSchemaOf2, type AnySpecSchema } from '../schema';
import { ProtocolError, ProtocolErrorCode } from './errors';
import { issueText, type StandardOutcome, type StandardSchemaV1 } from './standard';

/** What a method of a program's own takes and gives. */
export interface HandlerSchemas<
  P extends StandardSchemaV1 = StandardSchemaV1,
  R extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
> {
  /** Judges params; what it makes of them is what the handler is given. */
  params: P;
  /** What the handler gives, for its type; what it gives leaves as it is. */
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
    return then(judged, (outcome) =>
      handler(fitting(outcome, ProtocolErrorCode.InvalidParams, `Invalid params for ${request.method}`), ctx),
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

/** The types of the protocol's own messages, by their methods. */
const TYPES = new Map<unknown, string>(Object.entries(METHODS).map(([type, method]) => [method, type]));

/** The schema of the protocol's own messages of a method. */
function schemaOf(method: unknown, kind: 'Request' | 'Notification'): AnySpecSchema<unknown> {
  const type = TYPES.get(method);
  if (type?.endsWith(kind)) return specSchemaOf2(type);
  const remedy = `pass schemas as the second argument to set${kind}Handler().`;
  throw new TypeError(`'${String(method)}' is not a spec ${kind.toLowerCase()} method; ${remedy}`);
}

/** A handler that is only given what its type says. */
function specHandler(method: string, handler: GivenHandler): GivenHandler {
  const schema = schemaOf(method, 'Request');
  return (request, ctx) => {
    const verdict = schema.safeParse(request);
    if (verdict.success) return handler(verdict.data as McpRequest, ctx);
    const { message } = verdict.error;
    if (method !== 'tools/call') throw new Error(message);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid tools/call request: ${message}`);
  };
}

/** The same for notifications. */
function specNotification(method: string, handler: (notification: Notification) => unknown): (notification: Notification) => unknown {
  const schema = schemaOf(method, 'Notification');
  return (notification) => {
    const verdict = schema.safeParse(notification);
    if (verdict.success) return handler(verdict.data as Notification);
    throw new Error(verdict.error.message);
  };
}

/** A handler of requests as programs of 2.x write it. */
export type GivenHandler = (request: McpRequest, ctx: any) => unknown;

/** The handler of requests that was given: alone, for a method of the protocol, or behind schemas. */
export function givenHandler(method: string, second: unknown, third: unknown): GivenHandler {
  if (typeof second === 'function') return specHandler(method, second as GivenHandler);
  if (!third) throw new TypeError('setRequestHandler: handler is required');
  return schemaHandler(second as HandlerSchemas, third as GivenHandler);
}

/** The same for notifications. */
export function givenNotificationHandler(method: string, second: unknown, third: unknown): (notification: Notification) => unknown {
  if (typeof second === 'function') return specNotification(method, second as never);
  if (!third) throw new TypeError('setNotificationHandler: handler is required');
  return schemaNotification(second as { params: StandardSchemaV1 }, third as never);
}
