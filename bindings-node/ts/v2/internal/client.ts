/**
 * The client of the 2.x face. Owns: handlers by method name, complete lists, eras, and this face's
 * errors. Must not know: how messages travel; the peer that it extends does that.
 */
import { INSIDE } from '../../common/peer/client-peer';
import type { NotificationTypeMap, RequestTypeMap } from '../../generated/methods';
import type { DiscoverResult, SubscriptionFilter } from '../../generated/types';
import type { NotificationOptions } from '../../common/peer/protocol';
import type { Transport } from '../../protocol/transport';
import type {
  CallToolRequest,
  Implementation,
  JSONRPCRequest,
  ListToolsRequest,
  Notification,
  ReadResourceRequest,
  ReadResourceResult,
  Request as McpRequest,
  Result,
} from '../../protocol/types';
import { checkedAnswers } from '../../common/peer/answers';
import type { ResultRules } from '../../common/peer/tool-results';
import type { ClientLink } from '../../engine/client/link';
import type { ClientSession as SessionOf, SessionVerb } from '../../engine/client/session';
import { ResponseCache } from './cache';
import { peerOptions, planned, isPrior, notPrior, type ClientOptions, type ConnectOptions, type VersionNegotiationOptions } from './client-options';
import type { CacheableRequestOptions, CallToolRequestOptions } from './client-options';
import { baseContext, type ClientContext, type ExtraV1, type RequestMethod, type RequestOptions } from './context';
import { abortedV2, inV2, spoken } from './convert';
import { rememberSettings } from './client-settings';
import { ClientRequests } from './client-requests';
import { SdkError, SdkErrorCode } from './errors';
import { adaptFallback } from './fallback';
import { givenHandler, givenNotificationHandler, type HandlerSchemas } from './handlers';
import { discoveredAs, factsOf } from './discovery';
import { withInputRequired } from './input';
import { attemptOf, checkLegacy, negotiationError, revisionOf } from './negotiation';
import { allPages, emptyList, type Paged } from './pages';
import { finished, resultSchemaFor, Thrown } from './results';
import type { HandlerResult } from './server';
import { signsInLike2 } from './sign-in';
import { isStandardSchema, type OutputOf, type StandardSchemaV1 } from './standard';
import { cannotListen, listenTo, type McpSubscription } from './subscription';
import type { CallToolResult, ListToolsResult, ResultTypeMap } from './tool-types';

const MAX_PAGES = 64;

/** A session of a 2.x client, with the client's functions. */
export interface ClientSession extends SessionOf<Client>, Pick<Client, SessionVerb> {}

/**
 * A client of one server, with the API of the official 2.x package.
 *
 * ```ts
 * const client = new Client({ name: 'example', version: '1.0.0' });
 * await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost:3000/mcp')));
 * const { tools } = await client.listTools();
 * ```
 */
export class Client extends ClientRequests {
  readonly #options: ClientOptions;
  readonly #cache: ResponseCache | undefined;
  #prior: DiscoverResult | undefined;
  #discovered: DiscoverResult | undefined;
  readonly #thrown = new Thrown();
  /** Handles requests that have no handler. Default: they are answered with -32601. */
  declare fallbackRequestHandler?: (request: JSONRPCRequest, ctx: ClientContext) => Promise<Result>;
  /** Handles notifications that have no handler. Default: they are ignored. */
  declare fallbackNotificationHandler?: (notification: Notification) => Promise<void>;

  /** The open connection, with its state and counters; `undefined` before `connect`. */
  override get session(): ClientSession | undefined {
    return super.session as ClientSession | undefined;
  }

  /** The current `request`: in this face the handshake never goes through one that a program replaced. */
  protected get _ownRequest(): unknown {
    return this.request;
  }

  /** In this face a schema that cannot be compiled fails the call of its tool, not the list. */
  protected get _resultRules(): ResultRules {
    return { compilesLate: true, checksFailedCalls: false };
  }

  /**
   * Creates a client with this name and version. It is not connected yet.
   * @param clientInfo - The name and version of this program, sent to servers.
   * @param options - Capabilities, how to open connections, caching and so on. Default: none.
   */
  constructor(clientInfo: Implementation, options: ClientOptions = {}) {
    super(clientInfo, peerOptions(options));
    this.#options = options;
    rememberSettings(this, options, MAX_PAGES);
    adaptFallback(this, (method, extra) => baseContext(method, extra as ExtraV1));
    const { responseCacheStore: store, cachePartition, defaultCacheTtlMs = 0 } = options;
    const failed = (error: Error): void => this.onerror?.(error);
    if (store !== undefined) this.#cache = new ResponseCache(store, cachePartition, defaultCacheTtlMs, failed);
  }

  // Connecting

  /**
   * Connects to a server. With `prior`, the server is not asked what it is and can do.
   * @param transport - The transport.
   * @param options - Time-out, abort signal and so on of the handshake. Default: none.
   */
  connect(transport: Transport, options: ConnectOptions = {}): Promise<void> {
    const { prior, ...rest } = options;
    if (prior !== undefined && prior !== null && !isPrior(prior)) return Promise.reject(notPrior());
    this.#prior = prior?.kind === 'modern' ? prior.discover : undefined;
    this.#discovered = undefined;
    return inV2(async () => {
      const { supportedProtocolVersions: revisions } = this.#options;
      if (this.#prior !== undefined) revisionOf(this.#prior.supportedVersions, revisions);
      else if (prior?.kind === 'legacy' || !this.#negotiates) checkLegacy(revisions);
      signsInLike2(transport);
      return this[INSIDE].connect(transport, rest);
    }, undefined, rest.signal);
  }

  /** Runs after a connection is opened. */
  protected async _open(link: ClientLink, options?: object): Promise<void> {
    await (this.#prior === undefined ? this.#introduced(link, options) : this.#resume(link, this.#prior));
    // Servers need not say who they are.
    const { name, version } = this.getServerVersion() ?? {};
    this.#cache?.belongsTo(name === undefined ? (this.transport?.sessionId ?? globalThis.crypto.randomUUID()) : `${name}@${version}`);
  }

  #introduced(link: ClientLink, options?: object): Promise<void> {
    return this.#negotiates ? this.#negotiate(link, options) : this[INSIDE].open(link, options);
  }

  async #resume(link: ClientLink, prior: DiscoverResult): Promise<void> {
    const { connection } = link;
    const revision = revisionOf(prior.supportedVersions, this.#options.supportedProtocolVersions);
    connection.engine.adopt(connection.number, revision, JSON.stringify(prior));
    if (link.carry !== undefined) link.transport.setProtocolVersion?.(revision);
    this.#discovered = prior;
    this[INSIDE].learn(factsOf(prior));
  }

  /** Whether the era is negotiated, not `initialize` sent at once. */
  get #negotiates(): boolean {
    const { protocol } = this[INSIDE].options;
    return protocol !== undefined && protocol !== 'legacy';
  }

  async #negotiate(link: ClientLink, options?: object): Promise<void> {
    try {
      await this[INSIDE].open(link, options);
    } catch (error) {
      const { transport } = link.connection.describe();
      const { protocol } = this[INSIDE].options;
      throw negotiationError(error, attemptOf(protocol, this.#options.supportedProtocolVersions, transport, link.carry?.opener));
    }
  }

  /** Handles a notification of the server. */
  protected _notified(method: string, params: unknown): void {
    void this.#cache?.changed(method, params as { uri?: unknown });
    this[INSIDE].notified(method, params);
  }

  /**
   * Sets how to open connections; call it before `connect`.
   * @param options - How to choose the revision; `undefined` for the default.
   */
  setVersionNegotiation(options: VersionNegotiationOptions | undefined): void {
    if (this.transport !== undefined) throw new SdkError(SdkErrorCode.AlreadyConnected, 'Cannot change version negotiation after connecting');
    Object.assign(this[INSIDE].options, peerOptions({ ...this.#options, versionNegotiation: options }));
  }

  /** The protocol revision that was negotiated; `undefined` before `connect`. */
  getNegotiatedProtocolVersion(): string | undefined {
    return this.session?.info.protocolVersion;
  }

  /**
   * The kind of revision of the connection: `legacy` up to 2025-11-25, `modern` from 2026-07-28 on;
   * `undefined` before `connect`.
   */
  getProtocolEra(): 'legacy' | 'modern' | undefined {
    return this.session?.info.era as 'legacy' | 'modern' | undefined;
  }

  /** The server's result of `server/discover`, to be stored and passed as `prior` later; `undefined` without one. */
  getDiscoverResult(): DiscoverResult | undefined {
    if (this.transport === undefined) return undefined;
    if (this.#discovered !== undefined || this.getProtocolEra() !== 'modern') return this.#discovered;
    const [revision, capabilities] = [this.getNegotiatedProtocolVersion()!, this.getServerCapabilities()];
    return (this.#discovered = discoveredAs(revision, capabilities, this.getInstructions(), this.getServerVersion()));
  }

  // Handlers

  /**
   * Sets the handler for requests of a method of the protocol.
   * @param method - The method.
   * @param handler - Gets the request and its context, and returns the result.
   */
  setRequestHandler<M extends RequestMethod>(
    method: M,
    handler: (request: RequestTypeMap[M], ctx: ClientContext) => HandlerResult<M> | Promise<HandlerResult<M>>,
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
    handler: (params: OutputOf<P>, ctx: ClientContext) => unknown,
  ): void;
  setRequestHandler(method: string, second: unknown, third?: unknown): void {
    const handler = givenHandler(method, second, third);
    const answer = (request: McpRequest, extra: unknown): unknown => handler(request, baseContext(method, extra as ExtraV1));
    const checked = checkedAnswers(method, answer, () => this[INSIDE].capabilities, false);
    // Errors of the checks are converted, because they have the wording of 1.x.
    const converted: typeof answer = (request, extra) => this.#thrown.kept(() => inV2(async () => checked(request, extra)), this);
    spoken(() => this[INSIDE].setRequestHandler(method, converted));
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

  // Requests

  /**
   * Sends a request of the protocol and returns its result.
   * @param request - The method and its params.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  request<M extends RequestMethod>(
    request: { method: M; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[M]>;
  /**
   * Sends any request; the schema validates the result.
   * @param resultSchema - The schema of the result.
   * @param request - The method and its params.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  request<T extends StandardSchemaV1>(request: McpRequest, resultSchema: T, options?: RequestOptions): Promise<OutputOf<T>>;
  request(request: McpRequest, second?: unknown, third?: RequestOptions): Promise<unknown> {
    const own = isStandardSchema(second);
    const options = own ? third : (second as RequestOptions | undefined);
    const ask = async (): Promise<unknown> => this.#ask(request, own ? second : resultSchemaFor(request.method), options);
    return inV2(ask, request.method, options?.signal);
  }

  async #ask(request: McpRequest, schema: unknown, options: CacheableRequestOptions = {}): Promise<unknown> {
    const asks = options.allowInputRequired === true;
    const wanted = asks ? withInputRequired(schema as StandardSchemaV1) : schema;
    const asked = this[INSIDE].request(request, wanted as object, planned(options));
    return finished(await this.#thrown.outcome(asked), this, request.method, schema, asks);
  }

  /**
   * Sends a notification to the server.
   * @param notification - The method and its params.
   * @param options - The request on whose stream to send it. Default: none.
   */
  notification(notification: Notification, options?: NotificationOptions): Promise<void> {
    return inV2(() => this[INSIDE].notification(notification, options));
  }

  /** Sends a request of the protocol. */
  protected _verb<T>(method: string, params: unknown, options?: CacheableRequestOptions): Promise<T> {
    const request = { method, ...(params !== undefined && { params }) } as McpRequest;
    return inV2(() => this.#ask(request, resultSchemaFor(method), options), method, options?.signal) as Promise<T>;
  }

  /**
   * Asks the server what it is and can do, with `server/discover` (2026-07-28).
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async discover(options?: RequestOptions): Promise<DiscoverResult> {
    return (this.#discovered = await this._verb<DiscoverResult>('server/discover', undefined, options));
  }

  /**
   * Lists all tools, or with a cursor one page. Later results of these tools are checked against their
   * output schemas.
   * @param params - The `cursor` of the page: the `nextCursor` of the page before. Default: the first page.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async listTools(params?: ListToolsRequest['params'], options?: CacheableRequestOptions): Promise<ListToolsResult> {
    const result = await this._list<ListToolsResult>('tools/list', params, options, ({ tools }) => tools);
    this[INSIDE].toolResults.learn(result.tools);
    return result;
  }

  /** Reads a list: one page, or all of them. */
  protected async _list<T extends Paged>(
    method: string,
    params: { cursor?: string } | undefined,
    options: CacheableRequestOptions | undefined,
    items: (page: T) => unknown[],
  ): Promise<T> {
    const capability = method.split('/')[0] as 'tools' | 'prompts' | 'resources';
    const declared = this.getServerCapabilities();
    // A server without the capability has an empty list.
    if (declared !== undefined && !declared[capability] && this.#options.enforceStrictCapabilities !== true) {
      return emptyList(method) as T;
    }
    const page = (cursor?: string): Promise<T> => {
      const all = cursor === undefined ? params : { ...params, cursor };
      return this._verb<T>(method, all, options);
    };
    if (params?.cursor !== undefined) return page();
    const ask = (): Promise<T> => allPages(method, page, items, this.#options.listMaxPages ?? MAX_PAGES);
    return this.#cache === undefined ? ask() : this.#cache.kept(method, undefined, options?.cacheMode, ask);
  }

  /**
   * Reads the contents of a resource.
   * @param params - The URI of the resource.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  readResource(params: ReadResourceRequest['params'], options?: CacheableRequestOptions): Promise<ReadResourceResult> {
    const ask = (): Promise<ReadResourceResult> => this._verb('resources/read', params, options);
    return this.#cache === undefined ? ask() : this.#cache.kept('resources/read', params.uri, options?.cacheMode, ask);
  }

  /**
   * Subscribes to changes on the server (2026-07-28). The handlers of notifications get them.
   * @param filter - Which changes to report: of lists, and of resources by their URIs.
   * @param options - Time-out, abort signal and so on. Default: none.
   */
  async listen(filter: SubscriptionFilter, options?: RequestOptions): Promise<McpSubscription> {
    const link = this[INSIDE].link;
    if (link === undefined) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    if (this.getProtocolEra() !== 'modern') throw cannotListen(this.getNegotiatedProtocolVersion());
    if (options?.signal?.aborted) throw abortedV2(options.signal);
    return listenTo(link, filter, options);
  }

  /**
   * Calls a tool. If the tool itself fails, the result has `isError`.
   *
   * @param params - The tool's name and its arguments.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @throws `ProtocolError` if the server answers with an error, or if the structured content does
   * not match the output schema that the tool was listed with.
   */
  callTool(params: CallToolRequest['params'], options?: CallToolRequestOptions): Promise<CallToolResult> {
    const { toolDefinition, allowInputRequired, ...rest } = options ?? {};
    if (allowInputRequired === true) return this._verb('tools/call', params, options);
    // It goes through `request`.
    const ask = (): Promise<unknown> => this[INSIDE].callTool(params, resultSchemaFor('tools/call') as never, rest, toolDefinition);
    return inV2(ask, 'tools/call', options?.signal) as Promise<CallToolResult>;
  }

  /**
   * Notifies the server that the list of roots changed.
   *
   * @deprecated since 2026-07-28: roots, SEP-2577; earliest removal 2027-07-28.
   */
  sendRootsListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/roots/list_changed' });
  }
}
