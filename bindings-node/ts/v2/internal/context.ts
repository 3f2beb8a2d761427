/** The context of a 2.x handler. Owns: the structured view of a call. Must not know: which handler answers. */
import { liveOf } from '../../engine/server/call';
import type { Call } from '../../engine/server/contract';
import type { RequestTypeMap } from '../../generated/methods';
import type { AuthInfo } from '../../protocol/auth-info';
import type { RequestOptions as RequestOptionsV1 } from '../../common/peer/protocol';
import type {
  ClientCapabilities,
  CreateMessageRequest,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  LoggingLevel,
  Notification,
  Request as McpRequest,
  RequestId,
  RequestMeta,
} from '../../protocol/types';
import { inV2 } from './convert';
import { envelopeOf, metaOf } from './envelope';
import { SdkError, SdkErrorCode } from './errors';
import { resultSchemaFor } from './results';
import type { Rounds } from './rounds';
import type { ResultTypeMap } from './tool-types';
import { isStandardSchema, type OutputOf, type StandardSchemaV1 } from './standard';

/** The member of a context that has what it is built from. */
const EXTRA: unique symbol = Symbol('mcpbolt.extra');

/** Options of a request. */
export type RequestOptions = RequestOptionsV1 & {
  /** Whether to return an `input_required` result to the caller instead of answering its questions. Default: false. */
  allowInputRequired?: boolean;
};

/** The protocol's request methods. */
export type RequestMethod = keyof RequestTypeMap;

/** Returns the state that the client sent back with its answers, as `requestState.verify` decoded it. */
export type RequestStateAccessor = <T = unknown>() => T | undefined;

/** Sends a request to the other side and returns its result. */
export interface Send {
  /** Sends a request of the protocol. */
  <M extends RequestMethod>(
    request: { method: M; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[M]>;
  /** Sends any request; the schema validates the result. */
  <T extends StandardSchemaV1>(request: McpRequest, resultSchema: T, options?: RequestOptions): Promise<OutputOf<T>>;
}

/** The context of a request: the last parameter of its handler. */
export interface BaseContext {
  /** The id of the session; `undefined` without sessions. */
  sessionId?: string;
  /** The request. */
  mcpReq: {
    /** The id that the sender gave the request. */
    id: RequestId;
    /** The request's method. */
    method: string;
    /** The `_meta` member of the request. */
    _meta?: RequestMeta;
    /** The revision, name and capabilities of the sender, from the `_meta` of the request. Since 2026-07-28. */
    envelope?: Record<string, unknown>;
    /** The answers to the questions that the handler returned in an earlier round, by their keys. */
    inputResponses?: Record<string, unknown>;
    /** Returns the state that the client sent back with its answers. */
    requestState: RequestStateAccessor;
    /** Aborted when the request is cancelled or the connection ends. */
    signal: AbortSignal;
    /** Sends a request to the other side, on the stream of this request. */
    send: Send;
    /** Sends a notification to the other side, on the stream of this request. */
    notify: (notification: Notification) => Promise<void>;
  };
  /** The HTTP request; `undefined` on other transports. */
  http?: {
    /** The verified access token of the request; `undefined` without one. */
    authInfo?: AuthInfo;
  };
}

/** The context of a request: the last parameter of a server's handler. */
export interface ServerContext extends BaseContext {
  /** The request, and functions to send messages on its stream. */
  mcpReq: BaseContext['mcpReq'] & {
    /** Sends a log message on the stream of this request, if the client wants its level. */
    log: (level: LoggingLevel, data: unknown, logger?: string) => Promise<void>;
    /** Asks the user to fill in a form or to visit a URL, and waits for the answer. */
    elicitInput: (params: ElicitRequestFormParams | ElicitRequestURLParams, options?: RequestOptions) => Promise<ElicitResult>;
    /** Asks the client for a message from its language model (sampling). */
    requestSampling: (
      params: CreateMessageRequest['params'],
      options?: RequestOptions,
    ) => Promise<CreateMessageResult | CreateMessageResultWithTools>;
  };
  /** The HTTP request; `undefined` on other transports. */
  http?: {
    authInfo?: AuthInfo;
    /** The HTTP request as a web-standard `Request`, without its body. */
    req?: globalThis.Request;
    /** Closes the stream of this request; the client reconnects and gets the rest. `undefined` without a stream. */
    closeSSE?: () => void;
    /** Closes the stream for messages that belong to no request; the client opens it again. */
    closeStandaloneSSE?: () => void;
  };
}

/** The context of a request: the last parameter of a client's handler. */
export type ClientContext = BaseContext;

/** The members of the 1.x context that this one is built from. */
export interface ExtraV1 {
  signal: AbortSignal;
  sessionId?: string;
  requestId: RequestId;
  _meta?: RequestMeta;
  authInfo?: AuthInfo;
  requestInfo?: { headers: Record<string, string | string[] | undefined>; url?: URL };
  sendNotification: (notification: Notification) => Promise<void>;
  sendRequest: (request: McpRequest, schema: unknown, options?: RequestOptionsV1) => Promise<unknown>;
  closeSSEStream?: () => void;
  closeStandaloneSSEStream?: () => void;
}

/** What a server adds to the contexts of its handlers. */
export interface Asker {
  elicitInput: ServerContext['mcpReq']['elicitInput'];
  createMessage: ServerContext['mcpReq']['requestSampling'];
}

/** The client's answers to an earlier round, for endpoints that store nothing between requests. */
export function roundsOf(live: Call | undefined): Rounds | undefined {
  return (live?.about as { rounds?: Rounds } | undefined)?.rounds;
}

/**
 * Throws if a handler asks the client during a call that could not be resumed.
 *
 * @throws SdkError saying what to do instead.
 */
export function checkMayAsk(live: Call | undefined, method: string): void {
  if (roundsOf(live) === undefined) return;
  const words =
    `'${method}' cannot be sent from this endpoint while a request of revision ${live?.facts.revision} is answered: each request ` +
    'has a server of its own. Return inputRequired({ ... }) from the handler; the client answers and asks again';
  throw new SdkError(SdkErrorCode.MethodNotSupportedByProtocolVersion, words, { method, era: live?.facts.revision });
}

function stateOf(live: Call | undefined): string | undefined {
  const rounds = roundsOf(live);
  return rounds === undefined ? (live?.facts.requestState ?? undefined) : rounds.requestState;
}

function answersOf(live: Call | undefined): Record<string, unknown> | undefined {
  const rounds = roundsOf(live);
  const found = rounds === undefined ? live?.facts.inputResponses : rounds.inputResponses;
  return found === undefined || Object.keys(found).length === 0 ? undefined : found;
}

function sendWith(extra: ExtraV1): Send {
  return ((request: McpRequest, second?: unknown, third?: RequestOptions) => {
    const own = isStandardSchema(second) ? second : resultSchemaFor(request.method);
    const options = isStandardSchema(second) ? third : (second as RequestOptions | undefined);
    return inV2(async () => {
      checkMayAsk(liveOf(extra), request.method);
      return extra.sendRequest(request, own, options);
    }, request.method, options?.signal);
  }) as Send;
}

/** What each context was made of. */
const made = new WeakMap<object, object>();

/** Builds the context of a call; `state` holds the decoded `requestState`. */
export function baseContext(method: string, extra: ExtraV1, state?: { value: unknown }): BaseContext {
  const live = liveOf(extra);
  const context = {
    get sessionId() {
      return extra.sessionId;
    },
    mcpReq: {
      get id() {
        return extra.requestId;
      },
      method,
      get _meta() {
        return metaOf(extra._meta);
      },
      get envelope() {
        return envelopeOf(live);
      },
      get inputResponses() {
        return answersOf(live);
      },
      requestState: (() => (state === undefined ? stateOf(live) : state.value)) as RequestStateAccessor,
      get signal() {
        return extra.signal;
      },
      send: sendWith(extra),
      notify: (notification) => inV2(() => extra.sendNotification(notification)),
    },
  } as BaseContext;
  made.set(context, extra);
  return context;
}

/** What a context was made of; the object itself if it is none of ours. */
export function extraOf(ctx: object): object {
  return made.get(ctx) ?? ctx;
}

/** Builds the context for a server's handlers. */
export function serverContext(method: string, extra: ExtraV1, asker: Asker, state?: { value: unknown }): ServerContext {
  const context = baseContext(method, extra, state) as ServerContext;
  const { mcpReq } = context;
  mcpReq.log = (level, data, logger) => mcpReq.notify({ method: 'notifications/message', params: { level, data, logger } });
  mcpReq.elicitInput = (params, options) => asker.elicitInput(params, options);
  mcpReq.requestSampling = (params, options) => asker.createMessage(params, options);
  Object.defineProperty(context, EXTRA, { value: extra });
  Object.defineProperty(context, 'http', { get: () => httpOf(extra), enumerable: true, configurable: true });
  return context;
}

/** The capabilities that the client of a call declared. */
export function capabilitiesOf(ctx: ServerContext): ClientCapabilities | undefined {
  return liveOf((ctx as { [EXTRA]?: unknown })[EXTRA])?.facts.clientCapabilities ?? undefined;
}

/** The HTTP request as it arrived, without its body, which has been read. */
function requestOf({ url, headers }: NonNullable<ExtraV1['requestInfo']>): globalThis.Request {
  const all = Object.entries(headers).filter(([, value]) => value !== undefined);
  return new Request(url!, { method: 'POST', headers: all as [string, string][] });
}

function httpOf(extra: ExtraV1): ServerContext['http'] {
  const { authInfo, requestInfo, closeSSEStream, closeStandaloneSSEStream } = extra;
  const given = liveOf(extra)?.about.request as globalThis.Request | undefined;
  const req = given ?? (requestInfo?.url === undefined ? undefined : requestOf(requestInfo));
  if (req === undefined && authInfo === undefined && requestInfo === undefined) return undefined;
  return {
    ...(authInfo !== undefined && { authInfo }),
    ...(req !== undefined && { req }),
    ...(closeSSEStream !== undefined && { closeSSE: closeSSEStream }),
    ...(closeStandaloneSSEStream !== undefined && { closeStandaloneSSE: closeStandaloneSSEStream }),
  };
}
