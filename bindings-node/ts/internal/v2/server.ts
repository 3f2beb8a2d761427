/**
 * The low-level server of the 2.x face. Owns: handlers by method name, contexts, and this face's
 * errors. Must not know: how messages travel; the 1.x server, which this one extends, does that.
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
import { MODERN_REVISIONS, type AskingMethod, type CacheableMethod } from '../../generated/protocol';
import { ProtocolError, ProtocolErrorCode } from './errors';
import { givenHandler, givenNotificationHandler, then, type HandlerSchemas } from './handlers';
import { isInputRequiredResult, type InputRequiredResult } from './input';
import { resultSchemaFor } from './results';
import { asItIs, checkQuestions } from './rounds';
import { isStandardSchema, type jsonSchemaValidator, type OutputOf, type StandardSchemaV1 } from './standard';
import { UsedStateError } from './state';
import { withText, wrapped, wrappedTools } from './structured';
import type { CallToolResult, ListToolsResult, ResultTypeMap } from './tool-types';

/** Options of a `Protocol` peer. */
export type ProtocolOptions = ProtocolOptionsV1 & {
  /** The revisions to support, preferred ones first. Default: all. */
  supportedProtocolVersions?: string[];
};

/** How long a result may be cached. */
export interface CacheHint {
  /** How long the result may be cached, in milliseconds. */
  ttlMs?: number;
  /** Whether the result may be shared between users. */
  cacheScope?: 'public' | 'private';
}

/** Methods whose results may be kept. */
export type CacheableResultMethod = CacheableMethod;

/** Options of a `Server`. */
export type ServerOptions = ProtocolOptions & ServerGuards & {
  /** The capabilities this server declares. */
  capabilities?: ServerCapabilities;
  /** Instructions for the client's model on how to use this server. */
  instructions?: string;
  /** Validates the answers to forms, in place of the engine. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** How long the results of each method may be cached. */
  cacheHints?: Partial<Record<CacheableResultMethod, CacheHint>>;
  /** How questions that handlers return are asked. */
  inputRequired?: {
    /** The largest number of rounds of one call. */
    maxRounds?: number;
    /** How long one round may take, in milliseconds. */
    roundTimeoutMs?: number;
    /** Whether questions are also asked on connections of the legacy era. */
    legacyShim?: boolean;
  };
  /** How states that come back with answers are handled. */
  requestState?: {
    /** Verifies and decodes a state; throws if it is not valid. */
    verify?: (state: string, ctx: ServerContext) => unknown | Promise<unknown>;
  };
  /** Further options of the engine, by the names of its limits. */
  engine?: Record<string, unknown>;
};

/** The schema of a tool's result in 2.x. */
const RESULT = specSchemaOf2<CallToolResult>('CallToolResult');

/** What a handler of a method may return. */
export type HandlerResult<M extends RequestMethod> =
  | ResultTypeMap[M]
  | (M extends AskingMethod ? InputRequiredResult : never);

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
/** The inherited functions whose types differ here. */
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

/** Skips the checks of the 1.x server, whose errors have a different wording. */
const setRequestHandler = ProtocolV1.prototype.setRequestHandler as unknown as (this: object, method: string, handler: RequestHandler) => void;

/** Converts options to those of the 1.x server and of the engine. */
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

/** A schema that accepts anything, for methods of the program's own. */
export function named(method: string): object {
  return { shape: { method: { value: method } }, parse: (value: unknown) => value };
}

/**
 * A server that answers requests with handlers, which are set by method name.
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
  /** The supported revisions. Proxies read this member to recognize a 2.x server. */
  protected readonly _supportedProtocolVersions: string[];
  /** Handles requests without a handler of their own. */
  declare fallbackRequestHandler?: (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;
  /** Handles notifications without a handler of their own. */
  declare fallbackNotificationHandler?: (notification: Notification) => Promise<void>;

  /** Creates a server with this name and version. It is not connected yet. */
  constructor(serverInfo: Implementation, options?: ServerOptions) {
    super(serverInfo, optionsV1(options));
    this.#options = options ?? {};
    this.#capabilities = { ...options?.capabilities };
    this._supportedProtocolVersions = options?.supportedProtocolVersions ?? [...SUPPORTED_PROTOCOL_VERSIONS];
    for (const [method, hint] of Object.entries(options?.cacheHints ?? {})) checkHint(method, hint);
    this.#watchFallback();
  }

  /** Wraps a fallback handler that is set, because the 1.x server calls it with its own context. */
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

  /** The description of this server for the engine. */
  protected introduction(): Record<string, unknown> {
    const hints = Object.entries(this.#options?.cacheHints ?? {}).map(([method, hint]) => [
      method,
      { ttlMs: hint?.ttlMs ?? 0, public: hint?.cacheScope === 'public' },
    ]);
    const about = base.introduction.call(this);
    return hints.length === 0 ? about : { ...about, cacheHints: Object.fromEntries(hints) };
  }

  /** The 2.x context of a call. */
  protected contextOf(method: string, extra: unknown, state?: { value: unknown }): ServerContext {
    return serverContext(method, extra as ExtraV1, this, state);
  }

  // Handlers

  /** Sets the handler for requests of a method of the protocol. */
  setRequestHandler<M extends RequestMethod>(
    method: M,
    handler: (request: RequestTypeMap[M], ctx: ServerContext) => HandlerResult<M> | Promise<HandlerResult<M>>,
  ): void;
  /** Sets the handler for requests of the program's own method; a schema validates the params. */
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

  /** Checks a handler's result and prepares it, and the questions in it, for sending. */
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

  /** A list of tools in the form for the client of a call. */
  protected shownTools(result: ListToolsResult, live: LiveCall | undefined): ListToolsResult {
    if (live?.facts.era !== 'legacy' || !Array.isArray(result?.tools)) return result;
    return { ...result, tools: wrappedTools(result.tools) };
  }

  /** Adds cache hints to a result, if the revision supports them. */
  #hinted(method: string, result: unknown, live: LiveCall | undefined): unknown {
    const hint = this.#options.cacheHints?.[method as CacheableResultMethod];
    return hint === undefined || live?.facts.era !== 'modern' ? result : { ...hint, ...(result as object) };
  }

  /** Calls a handler, after verifying the state that came back. */
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

  /** Sets the handler for notifications of a method of the protocol. */
  setNotificationHandler<M extends keyof NotificationTypeMap>(
    method: M,
    handler: (notification: NotificationTypeMap[M]) => void | Promise<void>,
  ): void;
  /** Sets the handler for notifications of the program's own method; a schema validates the params. */
  setNotificationHandler<P extends StandardSchemaV1>(
    method: string,
    schemas: { params: P },
    handler: (params: OutputOf<P>, notification: Notification) => void | Promise<void>,
  ): void;
  setNotificationHandler(method: string, second: unknown, third?: unknown): void {
    base.setNotificationHandler.call(this, method, givenNotificationHandler(method, second, third));
  }

  // Connections

  /** Connects to a transport, in addition to those that are connected already. */
  connect(transport: Transport): Promise<void> {
    return inV2(() => base.connect.call(this, transport));
  }

  /** The declared capabilities. */
  getCapabilities(): ServerCapabilities {
    return this.#capabilities;
  }

  /** Declares more capabilities; only before the server is connected. */
  registerCapabilities(capabilities: ServerCapabilities): void {
    base.registerCapabilities.call(this, capabilities);
    this.#capabilities = mergeCapabilities(this.#capabilities, capabilities);
  }

  /** The protocol revision of the newest connection. */
  getNegotiatedProtocolVersion(): string | undefined {
    const found = (this as unknown as { _state: { addressee(): { connection: { facts: { revision?: string } } } | undefined } })._state;
    return found.addressee()?.connection.facts.revision;
  }

  /**
   * Adapts a tool's result to the revision of the client: structured content that is not an object
   * is also written as text, and before 2026-07-28 it becomes the member `result` of an object.
   * `advertised` is the tool's output schema. `McpServer` does this itself.
   */
  projectCallToolResult(result: CallToolResult, advertised?: Readonly<Record<string, unknown>>): CallToolResult {
    const said = withText(result);
    const old = wrapped(said, advertised);
    if (old === said) return said;
    const revision = runningCall()?.facts.revision ?? this.getNegotiatedProtocolVersion();
    return revision === undefined || MODERN_REVISIONS.includes(revision) ? said : old;
  }

  // Requests and notifications to clients

  /** Sends a request of the protocol to the client and returns its result. */
  request<M extends RequestMethod>(
    request: { method: M; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[M]>;
  /** Sends any request to the client; the schema validates the result. */
  request<T extends StandardSchemaV1>(request: McpRequest, resultSchema: T, options?: RequestOptions): Promise<OutputOf<T>>;
  request(request: McpRequest, second?: unknown, third?: RequestOptions): Promise<unknown> {
    return inV2(async () => {
      const schema = isAnySchema(second) ? second : resultSchemaFor(request.method);
      const options = isAnySchema(second) ? third : (second as RequestOptions | undefined);
      checkMayAsk(runningCall(), request.method);
      return base.request.call(this, request, schema, options);
    }, request.method);
  }

  /** Sends a notification to clients. */
  notification(notification: Notification, options?: NotificationOptions): Promise<void> {
    return inV2(() => base.notification.call(this, notification, options));
  }

  /** Sends a `ping` to the client; resolves when the client answers. */
  ping(): Promise<EmptyResult> {
    return inV2(() => base.ping.call(this));
  }

  /** Requests a message from the client's model (sampling). */
  createMessage(
    params: CreateMessageRequest['params'],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools> {
    return inV2(() => base.createMessage.call(this, params, options));
  }

  /** Asks the user for input, with a form or by sending them to a URL. */
  elicitInput(params: ElicitRequestFormParams | ElicitRequestURLParams, options?: RequestOptions): Promise<ElicitResult> {
    return inV2(() => base.elicitInput.call(this, params, options));
  }

  /**
   * Requests the client's list of roots.
   *
   * @deprecated since 2026-07-28 (SEP-2577): take folders as tool parameters, resource URIs or
   * settings.
   */
  listRoots(params?: ListRootsRequest['params'], options?: RequestOptions): Promise<ListRootsResult> {
    return inV2(() => base.listRoots.call(this, params, options));
  }

  /** Sends a log message, unless its level is below the one that the client asked for. */
  sendLoggingMessage(params: LoggingMessageNotification['params'], sessionId?: string): Promise<void> {
    return inV2(() => base.sendLoggingMessage.call(this, params, sessionId));
  }

  /** Notifies the subscribers of a resource that it changed. */
  sendResourceUpdated(params: ResourceUpdatedNotification['params']): Promise<void> {
    return inV2(() => base.sendResourceUpdated.call(this, params));
  }
}

/** Whether an argument is a schema and not options; schemas of 1.x count as well. */
function isAnySchema(value: unknown): boolean {
  return isStandardSchema(value) || typeof (value as { parse?: unknown } | undefined)?.parse === 'function';
}
