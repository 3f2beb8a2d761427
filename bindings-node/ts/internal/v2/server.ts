/**
 * The low-level server of the 2.x face. Owns: handlers by method name, contexts, and what
 * this face says. Must not know: how messages travel; that is the 1.x server's, on which
 * it stands.
 */
import { Server as ServerV1 } from '../../server/index';
import {
  mergeCapabilities,
  Protocol as ProtocolV1,
  type NotificationOptions,
  type ProtocolOptions as ProtocolOptionsV1,
} from '../../shared/protocol';
import type { Transport } from '../../shared/transport';
import type { NotificationTypeMap, RequestTypeMap } from '../../generated/methods';
import {
  SUPPORTED_PROTOCOL_VERSIONS,
  type CreateMessageRequest,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type EmptyResult,
  type Implementation,
  type JSONRPCRequest,
  type ListRootsRequest,
  type ListRootsResult,
  type LoggingMessageNotification,
  type Notification,
  type Request as McpRequest,
  type ResourceUpdatedNotification,
  type Result,
  type ServerCapabilities,
} from '../../types';
import { liveOf, type LiveCall } from '../extra';
import type { ServerGuards } from '../guarding';
import { runningCall } from '../running';
import type { RequestHandler } from '../server-host';
import { specSchemaOf2 } from '../schema';
import { checkedResult } from '../tool-call';
import { checkMayAsk, roundsOf, serverContext, type ExtraV1, type RequestMethod, type RequestOptions, type ServerContext } from './context';
import { inV2, spoken } from './convert';
import { MODERN_REVISIONS } from './era';
import { ProtocolError, ProtocolErrorCode } from './errors';
import { givenHandler, givenNotificationHandler, then, type HandlerSchemas } from './handlers';
import { isInputRequiredResult, type InputRequiredResult } from './input';
import { resultSchemaFor } from './results';
import { asItIs, checkQuestions } from './rounds';
import { isStandardSchema, type jsonSchemaValidator, type OutputOf, type StandardSchemaV1 } from './standard';
import { UsedStateError } from './state';
import { withText, wrapped, wrappedTools } from './structured';
import type { CallToolResult, ListToolsResult, ResultTypeMap } from './tool-types';

/** Options of a peer. */
export type ProtocolOptions = ProtocolOptionsV1 & {
  /** Revisions it speaks, best first; all of them unless something is said. */
  supportedProtocolVersions?: string[];
};

/** How long a result may be kept. */
export interface CacheHint {
  /** In milliseconds. */
  ttlMs?: number;
  /** Whether it is the same for everybody. */
  cacheScope?: 'public' | 'private';
}

/** Methods whose results may be kept. */
export type CacheableResultMethod =
  | 'tools/list'
  | 'prompts/list'
  | 'resources/list'
  | 'resources/templates/list'
  | 'resources/read'
  | 'server/discover';

/** What a server is told at its start. */
export type ServerOptions = ProtocolOptions & ServerGuards & {
  /** What it can do. */
  capabilities?: ServerCapabilities;
  /** How it is to be used, for the model. */
  instructions?: string;
  /** Checks the answers to forms; the engine does unless told otherwise. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** How long results may be kept. */
  cacheHints?: Partial<Record<CacheableResultMethod, CacheHint>>;
  /** How questions of handlers are asked. */
  inputRequired?: {
    /** Most rounds of one call. */
    maxRounds?: number;
    /** How long one round may take, in milliseconds. */
    roundTimeoutMs?: number;
    /** Whether they are also asked on connections of earlier revisions. */
    legacyShim?: boolean;
  };
  /** What is done with states that come back. */
  requestState?: {
    /** Says what a state means, or throws if it is not good. */
    verify?: (state: string, ctx: ServerContext) => unknown | Promise<unknown>;
  };
  /** Options of the engine, by the names of its limits. */
  engine?: Record<string, unknown>;
};

/** What a tool answers in 2.x. */
const RESULT = specSchemaOf2<CallToolResult>('CallToolResult');

/** What a method's handler may return. */
export type HandlerResult<M extends RequestMethod> =
  | ResultTypeMap[M]
  | (M extends 'tools/call' | 'prompts/get' | 'resources/read' ? InputRequiredResult : never);

type Shared = Omit<
  ServerV1,
  | 'setRequestHandler'
  | 'setNotificationHandler'
  | 'request'
  | 'fallbackRequestHandler'
  | 'fallbackNotificationHandler'
  | 'createMessage'
  | 'elicitInput'
  | 'connect'
  | 'registerCapabilities'
  | 'notification'
  | 'ping'
  | 'listRoots'
  | 'sendLoggingMessage'
  | 'sendResourceUpdated'
  | 'provide'
  | 'provideHandler'
  | 'registryChanged'
  | 'masked'
  | 'hiding'
  | 'host'
>;
const Base = ServerV1 as unknown as new (serverInfo: Implementation, options?: object) => Shared;
/** The functions that are overridden with other types than they have there. */
const base = ServerV1.prototype as unknown as {
  connect(this: object, transport: Transport): Promise<void>;
  registerCapabilities(this: object, capabilities: ServerCapabilities): void;
  notification(this: object, notification: Notification, options?: NotificationOptions): Promise<void>;
  ping(this: object): Promise<EmptyResult>;
  listRoots(this: object, params: unknown, options?: object): Promise<ListRootsResult>;
  sendLoggingMessage(this: object, params: unknown, sessionId?: string): Promise<void>;
  sendResourceUpdated(this: object, params: unknown): Promise<void>;
  setNotificationHandler(this: object, method: unknown, handler: (notification: Notification) => unknown): void;
  request(this: object, request: McpRequest, schema: unknown, options?: object): Promise<unknown>;
  createMessage(this: object, params: unknown, options?: object): Promise<CreateMessageResultWithTools>;
  elicitInput(this: object, params: unknown, options?: object): Promise<ElicitResult>;
  introduction(this: object): Record<string, unknown>;
};

/** Past the checks of 1.x, which has other words for them. */
const setRequestHandler = ProtocolV1.prototype.setRequestHandler as unknown as (this: object, method: string, handler: RequestHandler) => void;

/** Options as the 1.x server and the engine have them. */
function optionsV1(options: ServerOptions | undefined): object | undefined {
  if (options === undefined) return undefined;
  const { supportedProtocolVersions, inputRequired, engine, ...rest } = options;
  const rounds = inputRequired?.maxRounds;
  return {
    ...rest,
    engine: {
      ...engine,
      ...(supportedProtocolVersions !== undefined && { revisions: supportedProtocolVersions }),
      ...(rounds !== undefined && { max_rounds: rounds }),
    },
  };
}

function checkHint(method: string, hint: CacheHint | undefined): void {
  const { ttlMs = 0, cacheScope = 'private' } = hint ?? {};
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) throw new RangeError(`cacheHints['${method}']: ttlMs must be a non-negative integer`);
  if (cacheScope !== 'public' && cacheScope !== 'private') {
    throw new TypeError(`cacheHints['${method}']: cacheScope must be 'public' or 'private'`);
  }
}

/** A schema that lets everything through, for methods of the program's own. */
export function named(method: string): object {
  return { shape: { method: { value: method } }, parse: (value: unknown) => value };
}

/**
 * A server that answers requests with handlers, by the names of methods.
 *
 * ```ts
 * const server = new Server({ name: 'adder', version: '1.0.0' }, { capabilities: { tools: {} } });
 * server.setRequestHandler('tools/list', () => ({ tools: [] }));
 * await server.connect(new StdioServerTransport());
 * ```
 */
export class Server extends Base {
  readonly #options: ServerOptions;
  #capabilities: ServerCapabilities;
  /** Revisions it was told to speak. Proxies look at it to see whether a server is of 2.x. */
  protected readonly _supportedProtocolVersions: string[];
  /** Answers requests that have no handler. */
  declare fallbackRequestHandler?: (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;
  /** Takes notifications that have no handler. */
  declare fallbackNotificationHandler?: (notification: Notification) => Promise<void>;

  /** A server of this name, not connected to anything. */
  constructor(serverInfo: Implementation, options?: ServerOptions) {
    super(serverInfo, optionsV1(options));
    this.#options = options ?? {};
    this.#capabilities = { ...options?.capabilities };
    this._supportedProtocolVersions = options?.supportedProtocolVersions ?? [...SUPPORTED_PROTOCOL_VERSIONS];
    for (const [method, hint] of Object.entries(options?.cacheHints ?? {})) checkHint(method, hint);
    this.#watchFallback();
  }

  /** The 1.x server calls what is set there with its own view of a call. */
  #watchFallback(): void {
    let given: Server['fallbackRequestHandler'];
    let wrapped: RequestHandler | undefined;
    Object.defineProperty(this, 'fallbackRequestHandler', {
      get: () => wrapped,
      set: (handler: Server['fallbackRequestHandler']) => {
        given = handler;
        wrapped = given && ((request, extra) => given?.(request, this.contextOf(request.method, extra)));
      },
      configurable: true,
    });
  }

  /** What the engine is told of this server. */
  protected introduction(): Record<string, unknown> {
    const hints = Object.entries(this.#options?.cacheHints ?? {}).map(([method, hint]) => [
      method,
      { ttlMs: hint?.ttlMs ?? 0, public: hint?.cacheScope === 'public' },
    ]);
    const about = base.introduction.call(this);
    return hints.length === 0 ? about : { ...about, cacheHints: Object.fromEntries(hints) };
  }

  /** The 2.x view of a call. */
  protected contextOf(method: string, extra: unknown, state?: { value: unknown }): ServerContext {
    return serverContext(method, extra as ExtraV1, this, state);
  }

  // Handlers

  /** Has requests of a method answered. */
  setRequestHandler<M extends RequestMethod>(
    method: M,
    handler: (request: RequestTypeMap[M], ctx: ServerContext) => HandlerResult<M> | Promise<HandlerResult<M>>,
  ): void;
  /** Has requests of a method of your own answered; the schema of params judges what comes. */
  setRequestHandler<P extends StandardSchemaV1, R extends StandardSchemaV1 | undefined = undefined>(
    method: string,
    schemas: HandlerSchemas<P, R>,
    handler: (
      params: OutputOf<P>,
      ctx: ServerContext,
    ) => (R extends StandardSchemaV1 ? OutputOf<R> : Result) | Promise<R extends StandardSchemaV1 ? OutputOf<R> : Result>,
  ): void;
  setRequestHandler(method: string, second: unknown, third?: unknown): void {
    const handler = givenHandler(method, second, third);
    const answer = (request: McpRequest, ctx: ServerContext): unknown => handler(request, ctx);
    const whole = (request: McpRequest, extra: unknown): unknown =>
      then(this.answer(method, answer, request, extra), (result) => this.#sent(method, result, extra));
    spoken(() => setRequestHandler.call(this, method, whole));
  }

  /** A handler's result as it leaves: checked, and with questions in the way they travel here. */
  #sent(method: string, result: unknown, extra: unknown): unknown {
    const live = liveOf(extra);
    if (!isInputRequiredResult(result)) return this.#complete(method, result, live);
    if (live === undefined) return result;
    const { era, clientCapabilities, revision } = live.facts;
    if (era === 'legacy' && this.#options.inputRequired?.legacyShim === false) {
      const words = `Handler for ${method} returned an input-required result, but this request is served on ${revision}, which has none`;
      throw new ProtocolError(ProtocolErrorCode.InternalError, words);
    }
    if (roundsOf(live) === undefined) return result;
    checkQuestions(method, result, clientCapabilities as Record<string, unknown> | null);
    return asItIs(result);
  }

  #complete(method: string, result: unknown, live: LiveCall | undefined): unknown {
    if (method === 'tools/call') return spoken(() => checkedResult(result, RESULT));
    const shown = method === 'tools/list' ? this.shownTools(result as ListToolsResult, live) : result;
    return this.#hinted(method, shown, live);
  }

  /** A list of tools as the client of a call is shown it. */
  protected shownTools(result: ListToolsResult, live: LiveCall | undefined): ListToolsResult {
    if (live?.facts.era !== 'legacy' || !Array.isArray(result?.tools)) return result;
    return { ...result, tools: wrappedTools(result.tools) };
  }

  /** A result with how long it may be kept, where the revision has words for that. */
  #hinted(method: string, result: unknown, live: LiveCall | undefined): unknown {
    const hint = this.#options.cacheHints?.[method as CacheableResultMethod];
    return hint === undefined || live?.facts.era !== 'modern' ? result : { ...hint, ...(result as object) };
  }

  /** Calls a handler; a state that came back is judged first. */
  protected answer(
    method: string,
    handler: (request: McpRequest, ctx: ServerContext) => unknown,
    request: McpRequest,
    extra: unknown,
  ): unknown {
    const ctx = this.contextOf(method, extra);
    if (this.#options.requestState?.verify === undefined) return handler(request, ctx);
    const state = ctx.mcpReq.requestState();
    if (state === undefined) return handler(request, ctx);
    return this.#verified(method, String(state), ctx).then((value) =>
      handler(request, value === undefined ? ctx : this.contextOf(method, extra, { value })),
    );
  }

  async #verified(method: string, state: string, ctx: ServerContext): Promise<unknown> {
    try {
      return await this.#options.requestState?.verify?.(state, ctx);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.onerror?.(new Error(`requestState verification rejected ${method}: ${why}`));
      const data = { reason: 'invalid_request_state' };
      const words = error instanceof UsedStateError ? why : 'Invalid or expired requestState';
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, words, data);
    }
  }

  /** Has notifications of a method taken. */
  setNotificationHandler<M extends keyof NotificationTypeMap>(
    method: M,
    handler: (notification: NotificationTypeMap[M]) => void | Promise<void>,
  ): void;
  /** Has notifications of a method of your own taken; the schema judges what comes. */
  setNotificationHandler<P extends StandardSchemaV1>(
    method: string,
    schemas: { params: P },
    handler: (params: OutputOf<P>, notification: Notification) => void | Promise<void>,
  ): void;
  setNotificationHandler(method: string, second: unknown, third?: unknown): void {
    base.setNotificationHandler.call(this, method, givenNotificationHandler(method, second, third));
  }

  // Connections

  /** Serves a transport, beside those it serves already. */
  connect(transport: Transport): Promise<void> {
    return inV2(() => base.connect.call(this, transport));
  }

  /** What was declared. */
  getCapabilities(): ServerCapabilities {
    return this.#capabilities;
  }

  /** Declares more capabilities; only before it is connected. */
  registerCapabilities(capabilities: ServerCapabilities): void {
    base.registerCapabilities.call(this, capabilities);
    this.#capabilities = mergeCapabilities(this.#capabilities, capabilities);
  }

  /** The revision of the newest connection. */
  getNegotiatedProtocolVersion(): string | undefined {
    const found = (this as unknown as { _state: { addressee(): { connection: { facts: { revision?: string } } } | undefined } })._state;
    return found.addressee()?.connection.facts.revision;
  }

  /**
   * A tool's result as the client is shown it: structured content that is not an object is also
   * said as text, and before 2026-07-28 it is the member `result` of an object. `advertised`
   * is the tool's output schema. `McpServer` does this by itself.
   */
  projectCallToolResult(result: CallToolResult, advertised?: Readonly<Record<string, unknown>>): CallToolResult {
    const said = withText(result);
    const old = wrapped(said, advertised);
    if (old === said) return said;
    const revision = runningCall()?.facts.revision ?? this.getNegotiatedProtocolVersion();
    return revision === undefined || MODERN_REVISIONS.includes(revision) ? said : old;
  }

  // What is said to clients

  /** Asks the client one of the protocol's own questions. */
  request<M extends RequestMethod>(
    request: { method: M; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[M]>;
  /** Asks the client anything; the schema judges what comes back. */
  request<T extends StandardSchemaV1>(request: McpRequest, resultSchema: T, options?: RequestOptions): Promise<OutputOf<T>>;
  request(request: McpRequest, second?: unknown, third?: RequestOptions): Promise<unknown> {
    return inV2(async () => {
      const schema = isAnySchema(second) ? second : resultSchemaFor(request.method);
      const options = isAnySchema(second) ? third : (second as RequestOptions | undefined);
      checkMayAsk(runningCall(), request.method);
      return base.request.call(this, request, schema, options);
    }, request.method);
  }

  /** Tells clients something. */
  notification(notification: Notification, options?: NotificationOptions): Promise<void> {
    return inV2(() => base.notification.call(this, notification, options));
  }

  /** Asks the client whether it is there. */
  ping(): Promise<EmptyResult> {
    return inV2(() => base.ping.call(this));
  }

  /** Asks the client's model for a message. */
  createMessage(
    params: CreateMessageRequest['params'],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools> {
    return inV2(() => base.createMessage.call(this, params, options));
  }

  /** Asks the user something: with a form, or by sending them to a URL. */
  elicitInput(params: ElicitRequestFormParams | ElicitRequestURLParams, options?: RequestOptions): Promise<ElicitResult> {
    return inV2(() => base.elicitInput.call(this, params, options));
  }

  /**
   * Asks the client which roots it has.
   *
   * @deprecated since 2026-07-28 (SEP-2577): take folders as tool parameters, resource URIs or settings.
   */
  listRoots(params?: ListRootsRequest['params'], options?: RequestOptions): Promise<ListRootsResult> {
    return inV2(() => base.listRoots.call(this, params, options));
  }

  /** Sends a log message, if the client wants messages of that level. */
  sendLoggingMessage(params: LoggingMessageNotification['params'], sessionId?: string): Promise<void> {
    return inV2(() => base.sendLoggingMessage.call(this, params, sessionId));
  }

  /** Tells those who subscribed that a resource changed. */
  sendResourceUpdated(params: ResourceUpdatedNotification['params']): Promise<void> {
    return inV2(() => base.sendResourceUpdated.call(this, params));
  }
}

/** Whether an argument is a schema and no options; those of 1.x are fine, too. */
function isAnySchema(value: unknown): boolean {
  return isStandardSchema(value) || typeof (value as { parse?: unknown } | undefined)?.parse === 'function';
}
