/**
 * The low-level server of the 2.x face. Owns: handlers by method name, contexts, and this face's
 * errors. Must not know: how messages travel; the peer that it extends does that.
 */
import { INSIDE } from '../../common/peer/server-peer';
import { mergeCapabilities, type NotificationOptions } from '../../common/peer/protocol';
import type { Transport } from '../../protocol/transport';
import type { NotificationTypeMap, RequestTypeMap } from '../../generated/methods';
import {
  EmptyResultSchema,
  ListRootsResultSchema,
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
} from '../../protocol/types';
import { liveOf } from '../../engine/server/call';
import type { Call, Introduction } from '../../engine/server/contract';
import { runningCall } from '../../engine/server/running';
import { specSchemaOf2 } from '../../protocol/schema/schema';
import { checkedResult } from '../../common/peer/tool-call';
import { checkMayAsk, roundsOf, serverContext, type ExtraV1, type RequestMethod, type RequestOptions, type ServerContext } from './context';
import { inV2, spoken } from './convert';
import { MODERN_REVISIONS, type AskingMethod } from '../../generated/protocol';
import { ProtocolError, ProtocolErrorCode } from './errors';
import { adaptFallback } from './fallback';
import { givenHandler, givenNotificationHandler, then, type HandlerSchemas } from './handlers';
import { isInputRequiredResult, type InputRequiredResult } from './input';
import { resultSchemaFor } from './results';
import { asItIs, checkQuestions } from './rounds';
import { checkHint, peerOptions, type CacheableResultMethod, type ServerOptions } from './server-options';
import { Base, VIEW, type View } from './server-shared';
import { isStandardSchema, type OutputOf, type StandardSchemaV1 } from './standard';
import { UsedStateError } from './state';
import { withText, wrapped, wrappedTools } from './structured';
import type { CallToolResult, ListToolsResult, ResultTypeMap } from './tool-types';

/** The schema of a tool's result in 2.x. */
const RESULT = specSchemaOf2<CallToolResult>('CallToolResult');

/** What a handler of a method may return. */
export type HandlerResult<M extends RequestMethod> =
  | ResultTypeMap[M]
  | (M extends AskingMethod ? InputRequiredResult : never);

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

  /**
   * Creates a server with this name and version. It is not connected yet.
   * @param serverInfo - The server's name and version, as clients see them.
   * @param options - Instructions, capabilities, guard rails and limits. Default: none.
   */
  constructor(serverInfo: Implementation, options?: ServerOptions) {
    super(serverInfo, peerOptions(options));
    this.#options = options ?? {};
    this.#capabilities = { ...options?.capabilities };
    this._supportedProtocolVersions = options?.supportedProtocolVersions ?? [...SUPPORTED_PROTOCOL_VERSIONS];
    for (const [method, hint] of Object.entries(options?.cacheHints ?? {})) checkHint(method, hint);
    adaptFallback(this, (method, extra) => this.contextOf(method, extra));
  }

  /** The description of this server for the engine. */
  protected introduction(): Introduction {
    const hints = Object.entries(this.#options?.cacheHints ?? {}).map(([method, hint]) => [
      method,
      { ttlMs: hint?.ttlMs ?? 0, public: hint?.cacheScope === 'public' },
    ]);
    const about = this[INSIDE].introduction();
    return hints.length === 0 ? about : ({ ...about, cacheHints: Object.fromEntries(hints) } as Introduction);
  }

  /** The 2.x context of a call. */
  protected contextOf(method: string, extra: unknown, state?: { value: unknown }): ServerContext {
    return serverContext(method, extra as ExtraV1, this, state);
  }

  /** @internal */
  get [VIEW](): View {
    return {
      contextOf: (method, extra) => this.contextOf(method, extra),
      shownTools: (result, live) => this.shownTools(result, live),
    };
  }

  // Handlers

  /**
   * Sets the handler for requests of a method of the protocol.
   * @param method - The method.
   * @param handler - Gets the request and its context, and returns the result.
   */
  setRequestHandler<M extends RequestMethod>(
    method: M,
    handler: (request: RequestTypeMap[M], ctx: ServerContext) => HandlerResult<M> | Promise<HandlerResult<M>>,
  ): void;
  /**
   * Sets the handler for requests of the program's own method; a schema validates the params.
   * @param schemas - The schemas of params and result.
   * @param method - The method.
   * @param handler - Gets the request and its context, and returns the result.
   */
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
    spoken(() => this[INSIDE].setRequestHandler(method, whole));
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

  #complete(method: string, result: unknown, live: Call | undefined): unknown {
    if (method === 'tools/call') return spoken(() => checkedResult(result, RESULT));
    const shown = method === 'tools/list' ? this.shownTools(result as ListToolsResult, live) : result;
    return this.#hinted(method, shown, live);
  }

  /** A list of tools in the form for the client of a call. */
  protected shownTools(result: ListToolsResult, live: Call | undefined): ListToolsResult {
    if (live?.facts.era !== 'legacy' || !Array.isArray(result?.tools)) return result;
    return { ...result, tools: wrappedTools(result.tools) };
  }

  /** Adds cache hints to a result, if the revision supports them. */
  #hinted(method: string, result: unknown, live: Call | undefined): unknown {
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

  /**
   * Sets the handler for notifications of a method of the protocol.
   * @param method - The method.
   * @param handler - Gets the notification.
   */
  setNotificationHandler<M extends keyof NotificationTypeMap>(
    method: M,
    handler: (notification: NotificationTypeMap[M]) => void | Promise<void>,
  ): void;
  /**
   * Sets the handler for notifications of the program's own method; a schema validates the params.
   * @param schemas - The schema of the params.
   * @param method - The method.
   * @param handler - Gets the notification.
   */
  setNotificationHandler<P extends StandardSchemaV1>(
    method: string,
    schemas: { params: P },
    handler: (params: OutputOf<P>, notification: Notification) => void | Promise<void>,
  ): void;
  setNotificationHandler(method: string, second: unknown, third?: unknown): void {
    this[INSIDE].setNotificationHandler(method, givenNotificationHandler(method, second, third));
  }

  // Connections

  /**
   * Connects to a transport, in addition to those that are connected already.
   * @param transport - The transport.
   */
  connect(transport: Transport): Promise<void> {
    return inV2(() => this[INSIDE].connect(transport));
  }

  /** The declared capabilities. */
  getCapabilities(): ServerCapabilities {
    return this.#capabilities;
  }

  /**
   * Declares more capabilities; only before the server is connected.
   * @param capabilities - The capabilities to add.
   */
  registerCapabilities(capabilities: ServerCapabilities): void {
    this[INSIDE].registerCapabilities(capabilities);
    this.#capabilities = mergeCapabilities(this.#capabilities, capabilities);
  }

  /** The protocol revision of the newest connection. */
  getNegotiatedProtocolVersion(): string | undefined {
    return this[INSIDE].state.addressee()?.connection.facts.revision;
  }

  /**
   * Adapts a tool's result to the revision of the client: structured content that is not an object
   * is also written as text, and before 2026-07-28 it becomes the member `result` of an object.
   * `advertised` is the tool's output schema. `McpServer` does this itself.
   * @param result - The result.
   * @param advertised - The schema that the tool was listed with.
   */
  projectCallToolResult(result: CallToolResult, advertised?: Readonly<Record<string, unknown>>): CallToolResult {
    const said = withText(result);
    const old = wrapped(said, advertised);
    if (old === said) return said;
    const revision = runningCall()?.facts.revision ?? this.getNegotiatedProtocolVersion();
    return revision === undefined || MODERN_REVISIONS.includes(revision) ? said : old;
  }

  // Requests and notifications to clients

  /**
   * Sends a request of the protocol to the client and returns its result.
   * @param request - The method and its params.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  request<M extends RequestMethod>(
    request: { method: M; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[M]>;
  /**
   * Sends any request to the client; the schema validates the result.
   * @param resultSchema - The schema of the result.
   * @param request - The method and its params.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  request<T extends StandardSchemaV1>(request: McpRequest, resultSchema: T, options?: RequestOptions): Promise<OutputOf<T>>;
  request(request: McpRequest, second?: unknown, third?: RequestOptions): Promise<unknown> {
    const options = isAnySchema(second) ? third : (second as RequestOptions | undefined);
    const ask = async (): Promise<unknown> => {
      const schema = isAnySchema(second) ? (second as object) : resultSchemaFor(request.method);
      checkMayAsk(runningCall(), request.method);
      return this[INSIDE].request(request, schema, options);
    };
    return inV2(ask, request.method, options?.signal);
  }

  /**
   * Sends a notification to clients.
   * @param notification - The method and its params.
   * @param options - The request on whose stream to send it. Default: none.
   */
  notification(notification: Notification, options?: NotificationOptions): Promise<void> {
    return inV2(() => this[INSIDE].notification(notification, options));
  }

  /** Sends a `ping` to the client; resolves when the client answers. */
  ping(): Promise<EmptyResult> {
    return this.request({ method: 'ping' }, EmptyResultSchema);
  }

  /**
   * Requests a message from the client's model (sampling).
   * @param params - The conversation, the limit of tokens, and other wishes for the answer.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  createMessage(
    params: CreateMessageRequest['params'],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools> {
    return inV2(() => this[INSIDE].sample(params, options), undefined, options?.signal);
  }

  /**
   * Asks the user for input, with a form or by sending them to a URL.
   * @param params - The question: a form or a URL.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  elicitInput(params: ElicitRequestFormParams | ElicitRequestURLParams, options?: RequestOptions): Promise<ElicitResult> {
    return inV2(() => this[INSIDE].elicit(params, options), undefined, options?.signal);
  }

  /**
   * Requests the client's list of roots.
   *
   * @param params - Further `_meta`. Default: none.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @deprecated since 2026-07-28 (SEP-2577): take folders as tool parameters, resource URIs or
   * settings.
   */
  listRoots(params?: ListRootsRequest['params'], options?: RequestOptions): Promise<ListRootsResult> {
    return this.request({ method: 'roots/list', params }, ListRootsResultSchema, options);
  }

  /**
   * Sends a log message, unless its level is below the one that the client asked for.
   * @param params - The `level`, the message as `data`, and optionally the name of the `logger`.
   * @param sessionId - The session whose level decides. Default: that of the request being answered.
   */
  sendLoggingMessage(params: LoggingMessageNotification['params'], sessionId?: string): Promise<void> {
    return inV2(() => this[INSIDE].log(params, sessionId));
  }

  /**
   * Notifies the subscribers of a resource that it changed.
   * @param params - The URI of the resource.
   */
  sendResourceUpdated(params: ResourceUpdatedNotification['params']): Promise<void> {
    return this.notification({ method: 'notifications/resources/updated', params });
  }
}

/** Whether an argument is a schema and not options; schemas of 1.x count as well. */
function isAnySchema(value: unknown): boolean {
  return isStandardSchema(value) || typeof (value as { parse?: unknown } | undefined)?.parse === 'function';
}
