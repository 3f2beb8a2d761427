/**
 * Handlers as programs pass them. Owns: validating what they receive, with the schemas of the
 * protocol or of the program. Must not know: who calls them.
 */
import { METHODS } from '../../generated/methods';
import type { Notification, Request as McpRequest } from '../../protocol/types';
import { specSchemaOf2, type AnySpecSchema } from '../../protocol/schema/schema';
import { withoutEnvelope } from './envelope';
import { ProtocolError, ProtocolErrorCode } from './errors';
import { issueText, type StandardOutcome, type StandardSchemaV1 } from './standard';

/** The schemas of a program's own method. */
export interface HandlerSchemas<
  P extends StandardSchemaV1 = StandardSchemaV1,
  R extends StandardSchemaV1 | undefined = StandardSchemaV1 | undefined,
> {
  /** Validates the params; the handler receives what the schema returns. */
  params: P;
  /** Gives the handler's result its type; the result itself is not validated. */
  result?: R;
}

/** Calls `next` with a value, at once if the value is not a promise. */
export function then<T, U>(value: T | PromiseLike<T>, next: (value: T) => U): U | Promise<U> {
  return typeof (value as PromiseLike<T> | undefined)?.then === 'function'
    ? Promise.resolve(value).then(next as (value: T) => U)
    : next(value as T);
}

function fitting(outcome: StandardOutcome<unknown>, code: number, words: string): unknown {
  if (outcome.issues === undefined) return outcome.value;
  throw new ProtocolError(code, `${words}: ${issueText(outcome.issues)}`);
}

/** The params without the members that belong to the protocol. */
function ownParams(params: Record<string, unknown> | undefined): Record<string, unknown> {
  const { _meta, ...rest } = params ?? {};
  return rest;
}

/** Wraps a handler so that it receives params as its schema returns them. */
function schemaHandler(schemas: HandlerSchemas, handler: (params: any, ctx: any) => unknown): (request: McpRequest, ctx: unknown) => unknown {
  return (request, ctx) => {
    const judged = schemas.params['~standard'].validate(ownParams(request.params));
    return then(judged, (outcome) =>
      handler(fitting(outcome, ProtocolErrorCode.InvalidParams, `Invalid params for ${request.method}`), ctx),
    );
  };
}

/** Wraps a notification handler so that it receives params as its schema returns them. */
function schemaNotification(
  schemas: { params: StandardSchemaV1 },
  handler: (params: any, notification: Notification) => unknown,
): (notification: Notification) => unknown {
  return (notification) =>
    then(schemas.params['~standard'].validate(ownParams(notification.params)), (outcome) =>
      handler(fitting(outcome, ProtocolErrorCode.InvalidParams, `Invalid params for ${notification.method}`), withoutEnvelope(notification)),
    );
}

/** The types of the protocol's messages, by method. */
const TYPES = new Map<unknown, string>(Object.entries(METHODS).map(([type, method]) => [method, type]));

/** The schema of the protocol's messages of a method. */
function schemaOf(method: unknown, kind: 'Request' | 'Notification'): AnySpecSchema<unknown> {
  const type = TYPES.get(method);
  if (type?.endsWith(kind)) return specSchemaOf2(type);
  const remedy = `pass schemas as the second argument to set${kind}Handler().`;
  throw new TypeError(`'${String(method)}' is not a spec ${kind.toLowerCase()} method; ${remedy}`);
}

/** Wraps a handler so that it receives only requests valid for its method. */
function specHandler(method: string, handler: GivenHandler): GivenHandler {
  const schema = schemaOf(method, 'Request');
  return (request, ctx) => {
    const verdict = schema.safeParse(request);
    if (verdict.success) return handler(withoutEnvelope(verdict.data as McpRequest), ctx);
    const { message } = verdict.error;
    if (method !== 'tools/call') throw new Error(message);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid tools/call request: ${message}`);
  };
}

/** Wraps a notification handler so that it receives only notifications valid for its method. */
function specNotification(method: string, handler: (notification: Notification) => unknown): (notification: Notification) => unknown {
  const schema = schemaOf(method, 'Notification');
  return (notification) => {
    const verdict = schema.safeParse(notification);
    if (verdict.success) return handler(withoutEnvelope(verdict.data as Notification));
    throw new Error(verdict.error.message);
  };
}

/** A request handler in the form of 2.x. */
export type GivenHandler = (request: McpRequest, ctx: any) => unknown;

/** The request handler that was passed: alone for a method of the protocol, or after schemas. */
export function givenHandler(method: string, second: unknown, third: unknown): GivenHandler {
  if (typeof second === 'function') return specHandler(method, second as GivenHandler);
  if (!third) throw new TypeError('setRequestHandler: handler is required');
  return schemaHandler(second as HandlerSchemas, third as GivenHandler);
}

/** The notification handler that was passed: alone for a method of the protocol, or after schemas. */
export function givenNotificationHandler(method: string, second: unknown, third: unknown): (notification: Notification) => unknown {
  if (typeof second === 'function') return specNotification(method, second as never);
  if (!third) throw new TypeError('setNotificationHandler: handler is required');
  return schemaNotification(second as { params: StandardSchemaV1 }, third as never);
}
