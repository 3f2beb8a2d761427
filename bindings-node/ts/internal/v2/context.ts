/**
 * What a handler of the 2.x face is given beside its request. Owns: the structured view of
 * a call. Must not know: which handler answers.
 */
import { liveOf, type LiveCall } from '../extra';
import type { RequestTypeMap } from '../../generated/methods';
import type { AuthInfo } from '../../server/auth/types';
import type { RequestOptions as RequestOptionsV1 } from '../../shared/protocol';
import type {
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
} from '../../types';
import { inV2 } from './convert';
import { SdkError, SdkErrorCode } from './errors';
import { resultSchemaFor } from './results';
import type { Rounds } from './rounds';
import type { ResultTypeMap } from './tool-types';
import { isStandardSchema, type OutputOf, type StandardSchemaV1 } from './standard';

/** Options of a request. */
export type RequestOptions = RequestOptionsV1 & {
  /** Hands over a result that asks, instead of answering it. */
  allowInputRequired?: boolean;
};

/** Methods of the protocol that are requests. */
export type RequestMethod = keyof RequestTypeMap;

/** The state that came back with the answers, as `requestState.verify` made it. */
export type RequestStateAccessor = <T = unknown>() => T | undefined;

/** A request to the other side, with what it is answered with. */
export interface Send {
  /** One of the protocol's own. */
  <M extends RequestMethod>(
    request: { method: M; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[M]>;
  /** Any other one; the schema judges what comes back. */
  <T extends StandardSchemaV1>(request: McpRequest, resultSchema: T, options?: RequestOptions): Promise<OutputOf<T>>;
}

/** What is known of a request that is being answered. */
export interface BaseContext {
  /** The session it belongs to. */
  sessionId?: string;
  /** The request. */
  mcpReq: {
    /** Its id. */
    id: RequestId;
    /** Its method. */
    method: string;
    /** Its `_meta`. */
    _meta?: RequestMeta;
    /** What its sender said of itself with it, since 2026-07-28. */
    envelope?: Record<string, unknown>;
    /** Answers to the questions of an earlier round. */
    inputResponses?: Record<string, unknown>;
    /** The state that came back with them. */
    requestState: RequestStateAccessor;
    /** Aborted when the answer is no longer wanted. */
    signal: AbortSignal;
    /** Asks the other side something about it. */
    send: Send;
    /** Tells the other side something about it. */
    notify: (notification: Notification) => Promise<void>;
  };
  /** The HTTP request that brought it. */
  http?: {
    /** Who sent it, if the endpoint checked that. */
    authInfo?: AuthInfo;
  };
}

/** What a server's handler is given. */
export interface ServerContext extends BaseContext {
  mcpReq: BaseContext['mcpReq'] & {
    /** Sends a log message about it. */
    log: (level: LoggingLevel, data: unknown, logger?: string) => Promise<void>;
    /** Asks the user something. */
    elicitInput: (params: ElicitRequestFormParams | ElicitRequestURLParams, options?: RequestOptions) => Promise<ElicitResult>;
    /** Asks the client's model. */
    requestSampling: (
      params: CreateMessageRequest['params'],
      options?: RequestOptions,
    ) => Promise<CreateMessageResult | CreateMessageResultWithTools>;
  };
  http?: {
    authInfo?: AuthInfo;
    /** The request as it came. */
    req?: globalThis.Request;
    /** Ends the stream of this request early; the client comes back for the rest. */
    closeSSE?: () => void;
    /** Ends the stream that belongs to no request early. */
    closeStandaloneSSE?: () => void;
  };
}

/** What a client's handler is given. */
export type ClientContext = BaseContext;

/** The members of the 1.x view that this one is made of. */
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

/** What a server adds to its contexts. */
export interface Asker {
  elicitInput: ServerContext['mcpReq']['elicitInput'];
  createMessage: ServerContext['mcpReq']['requestSampling'];
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const INFO = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';

function envelopeOf(live: LiveCall | undefined): Record<string, unknown> | undefined {
  if (live === undefined || live.facts.era !== 'modern') return undefined;
  const { revision, clientInfo, clientCapabilities, meta } = live.facts;
  const level = meta[LOG_LEVEL];
  return {
    [VERSION]: revision,
    ...(clientInfo !== null && { [INFO]: clientInfo }),
    [CAPABILITIES]: clientCapabilities ?? {},
    ...(level !== undefined && { [LOG_LEVEL]: level }),
  };
}

/** What a client sent to questions; an endpoint that keeps nothing has it from the request. */
export function roundsOf(live: LiveCall | undefined): Rounds | undefined {
  return (live?.about as { rounds?: Rounds } | undefined)?.rounds;
}

/**
 * Refuses to ask the client in the middle of a call, where the call would not be found again.
 *
 * @throws SdkError saying what to do instead.
 */
export function checkMayAsk(live: LiveCall | undefined, method: string): void {
  if (roundsOf(live) === undefined) return;
  const words =
    `'${method}' cannot be sent from this endpoint while a request of revision ${live?.facts.revision} is answered: each request ` +
    'has a server of its own. Return inputRequired({ ... }) from the handler; the client answers and asks again';
  throw new SdkError(SdkErrorCode.MethodNotSupportedByProtocolVersion, words, { method, era: live?.facts.revision });
}

function stateOf(live: LiveCall | undefined): string | undefined {
  const rounds = roundsOf(live);
  return rounds === undefined ? (live?.facts.requestState ?? undefined) : rounds.requestState;
}

function answersOf(live: LiveCall | undefined): Record<string, unknown> | undefined {
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
    }, request.method);
  }) as Send;
}

/** The view of a call; `state` is what its `requestState` was found to mean. */
export function baseContext(method: string, extra: ExtraV1, state?: { value: unknown }): BaseContext {
  const live = liveOf(extra);
  const context: BaseContext = {
    get sessionId() {
      return extra.sessionId;
    },
    mcpReq: {
      get id() {
        return extra.requestId;
      },
      method,
      get _meta() {
        return extra._meta;
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
  return context;
}

/** The view that a server's handlers get. */
export function serverContext(method: string, extra: ExtraV1, asker: Asker, state?: { value: unknown }): ServerContext {
  const context = baseContext(method, extra, state) as ServerContext;
  const { mcpReq } = context;
  mcpReq.log = (level, data, logger) => mcpReq.notify({ method: 'notifications/message', params: { level, data, logger } });
  mcpReq.elicitInput = (params, options) => asker.elicitInput(params, options);
  mcpReq.requestSampling = (params, options) => asker.createMessage(params, options);
  Object.defineProperty(context, 'http', { get: () => httpOf(extra), enumerable: true, configurable: true });
  return context;
}

/** A request as it came, but for its body, which was read. */
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
