/**
 * The client of the 2.x face. Owns: handlers by method name, whole lists, eras, what this
 * face says. Must not know: how messages travel; that is the 1.x client's, on which it
 * stands.
 */
import { Client as ClientV1 } from '../../client/index';
import type { NotificationTypeMap, RequestTypeMap } from '../../generated/methods';
import type { DiscoverResult, SubscriptionFilter } from '../../generated/types';
import { Protocol as ProtocolV1, type NotificationOptions } from '../../shared/protocol';
import type { Transport } from '../../shared/transport';
import type {
  CallToolRequest,
  ClientCapabilities,
  CompleteRequest,
  CompleteResult,
  EmptyResult,
  GetPromptRequest,
  GetPromptResult,
  Implementation,
  JSONRPCRequest,
  ListPromptsRequest,
  ListPromptsResult,
  ListResourcesRequest,
  ListResourcesResult,
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ListToolsRequest,
  LoggingLevel,
  Notification,
  ReadResourceRequest,
  ReadResourceResult,
  Request as McpRequest,
  Result,
  SubscribeRequest,
  UnsubscribeRequest,
} from '../../types';
import { checkedAnswers } from '../client-answers';
import type { ClientLink } from '../client-link';
import type { RequestHandler } from '../server-host';
import { ResponseCache } from './cache';
import { clientOptionsV1, isPrior, notPrior, type ClientOptions, type ConnectOptions, type VersionNegotiationOptions } from './client-options';
import type { CacheableRequestOptions, CallToolRequestOptions } from './client-options';
import { baseContext, type ClientContext, type ExtraV1, type RequestMethod, type RequestOptions } from './context';
import { inV2, spoken } from './convert';
import { MODERN_REVISIONS } from './era';
import { SdkError, SdkErrorCode } from './errors';
import { givenHandler, givenNotificationHandler, type HandlerSchemas } from './handlers';
import { withInputRequired } from './input';
import { allPages, type Paged } from './pages';
import { resultSchemaFor } from './results';
import type { HandlerResult } from './server';
import { isStandardSchema, type OutputOf, type StandardSchemaV1 } from './standard';
import { listenTo, type McpSubscription } from './subscription';
import type { CallToolResult, ListToolsResult, ResultTypeMap } from './tool-types';

type Shared = Pick<
  ClientV1,
  | 'onclose'
  | 'onerror'
  | 'transport'
  | 'session'
  | 'close'
  | 'registerCapabilities'
  | 'getServerCapabilities'
  | 'getServerVersion'
  | 'getInstructions'
  | 'removeRequestHandler'
  | 'removeNotificationHandler'
  | 'assertCanSetRequestHandler'
>;
const Base = ClientV1 as unknown as new (clientInfo: Implementation, options?: object) => Shared;
/** The functions that have other types here. */
const base = ClientV1.prototype as unknown as {
  connect(this: object, transport: Transport, options?: object): Promise<void>;
  request(this: object, request: McpRequest, schema: unknown, options?: object): Promise<unknown>;
  notification(this: object, notification: Notification, options?: NotificationOptions): Promise<void>;
  setNotificationHandler(this: object, method: unknown, handler: (notification: Notification) => unknown): void;
  callTool(this: object, params: unknown, schema: unknown, options?: object): Promise<CallToolResult>;
  subscribeResource(this: object, params: unknown, options?: object): Promise<EmptyResult>;
  unsubscribeResource(this: object, params: unknown, options?: object): Promise<EmptyResult>;
  _open(this: object, link: ClientLink, options?: object): Promise<void>;
  _notified(this: object, method: string, params: unknown): void;
};

/** Past the checks of 1.x, which has other words for them. */
const setRequestHandler = ProtocolV1.prototype.setRequestHandler as unknown as (this: object, method: string, handler: RequestHandler) => void;

/** What is private to the 1.x client and used here. */
interface Inside {
  _link?: ClientLink;
  _capabilities: ClientCapabilities;
  _clientOptions: { protocol?: string };
  _serverCapabilities?: DiscoverResult['capabilities'];
  _instructions?: string | undefined;
  _serverVersion?: Implementation | undefined;
  _toolResults: { learn(tools: ListToolsResult['tools']): void };
}

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const MAX_PAGES = 64;
const EMPTY: Record<string, object> = {
  'tools/list': { tools: [] },
  'prompts/list': { prompts: [] },
  'resources/list': { resources: [] },
  'resources/templates/list': { resourceTemplates: [] },
};

/** A result without what the wire alone needs. */
function finished<T>(result: T): T {
  const said = result as { resultType?: unknown } | undefined;
  if (said?.resultType === 'complete') delete said.resultType;
  return result;
}

/**
 * A client of one server.
 *
 * ```ts
 * const client = new Client({ name: 'example', version: '1.0.0' });
 * await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost:3000/mcp')));
 * const { tools } = await client.listTools();
 * ```
 */
export class Client extends Base {
  readonly #options: ClientOptions;
  readonly #cache: ResponseCache | undefined;
  #prior: DiscoverResult | undefined;
  #discovered: DiscoverResult | undefined;
  /** Answers requests that have no handler. */
  declare fallbackRequestHandler?: (request: JSONRPCRequest, ctx: ClientContext) => Promise<Result>;
  /** Takes notifications that have no handler. */
  declare fallbackNotificationHandler?: (notification: Notification) => Promise<void>;

  /** In this revision the handshake is not a request. */
  protected get _ownRequest(): unknown {
    return this.request;
  }

  /** A client with this name, connected to nothing. */
  constructor(clientInfo: Implementation, options: ClientOptions = {}) {
    super(clientInfo, clientOptionsV1(options));
    this.#options = options;
    const { responseCacheStore: store, cachePartition, defaultCacheTtlMs = 0 } = options;
    const failed = (error: Error): void => this.onerror?.(error);
    if (store !== undefined) this.#cache = new ResponseCache(store, cachePartition, defaultCacheTtlMs, failed);
  }

  get #inside(): Inside {
    return this as unknown as Inside;
  }

  // Life

  /** Reaches the server and shakes hands; `prior` takes over what was learned before. */
  connect(transport: Transport, options: ConnectOptions = {}): Promise<void> {
    const { prior, ...rest } = options;
    if (prior !== undefined && prior !== null && !isPrior(prior)) return Promise.reject(notPrior());
    this.#prior = prior?.kind === 'modern' ? prior.discover : undefined;
    this.#discovered = undefined;
    return inV2(() => base.connect.call(this, transport, rest));
  }

  /** What follows the opening of a connection. */
  protected async _open(link: ClientLink, options?: object): Promise<void> {
    if (this.#prior === undefined) return base._open.call(this, link, options);
    const { connection } = link;
    connection.engine.adopt(connection.number, MODERN_REVISIONS[0]!, JSON.stringify(this.#prior));
    if (link.carry !== undefined) link.transport.setProtocolVersion?.(MODERN_REVISIONS[0]!);
    this.#discovered = this.#prior;
    const { capabilities, instructions, _meta } = this.#prior;
    const inside = this.#inside;
    inside._serverCapabilities = capabilities;
    inside._instructions = instructions;
    inside._serverVersion = _meta?.[SERVER_INFO] as Implementation | undefined;
  }

  /** What comes beside answers. */
  protected _notified(method: string, params: unknown): void {
    void this.#cache?.changed(method, params as { uri?: unknown });
    base._notified.call(this, method, params);
  }

  /** Which era is tried; before `connect`. */
  setVersionNegotiation(options: VersionNegotiationOptions | undefined): void {
    if (this.transport !== undefined) throw new SdkError(SdkErrorCode.AlreadyConnected, 'Cannot change version negotiation after connecting');
    Object.assign(this.#inside._clientOptions, clientOptionsV1({ ...this.#options, versionNegotiation: options }));
  }

  /** The revision that was agreed on. */
  getNegotiatedProtocolVersion(): string | undefined {
    return this.session?.info.protocolVersion;
  }

  /** `legacy` up to 2025-11-25, `modern` from 2026-07-28 on. */
  getProtocolEra(): 'legacy' | 'modern' | undefined {
    return this.session?.info.era as 'legacy' | 'modern' | undefined;
  }

  /** What the server said of itself to `server/discover`; keep it for `prior`. */
  getDiscoverResult(): DiscoverResult | undefined {
    if (this.transport === undefined) return undefined;
    if (this.#discovered !== undefined || this.getProtocolEra() !== 'modern') return this.#discovered;
    const serverInfo = this.getServerVersion();
    const instructions = this.getInstructions();
    return (this.#discovered = {
      supportedVersions: [this.getNegotiatedProtocolVersion()!],
      capabilities: this.getServerCapabilities() ?? {},
      ...(instructions !== undefined && { instructions }),
      ...(serverInfo !== undefined && { _meta: { [SERVER_INFO]: serverInfo } }),
    } as DiscoverResult);
  }

  // Handlers

  /** Has requests of a method answered. */
  setRequestHandler<M extends RequestMethod>(
    method: M,
    handler: (request: RequestTypeMap[M], ctx: ClientContext) => HandlerResult<M> | Promise<HandlerResult<M>>,
  ): void;
  /** Has requests of a method of your own answered; the schema of params judges what comes. */
  setRequestHandler<P extends StandardSchemaV1, R extends StandardSchemaV1 | undefined = undefined>(
    method: string,
    schemas: HandlerSchemas<P, R>,
    handler: (params: OutputOf<P>, ctx: ClientContext) => unknown,
  ): void;
  setRequestHandler(method: string, second: unknown, third?: unknown): void {
    const handler = givenHandler(method, second, third);
    const inside = this as unknown as Inside;
    const answer = (request: McpRequest, extra: unknown): unknown => handler(request, baseContext(method, extra as ExtraV1));
    const checked = checkedAnswers(method, answer, () => inside._capabilities);
    // What the checks refuse has the words of 1.x.
    const converted: typeof answer = (request, extra) => inV2(async () => checked(request, extra));
    spoken(() => setRequestHandler.call(this, method, checked === answer ? answer : converted));
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

  // Requests

  /** Asks one of the protocol's own questions. */
  request<M extends RequestMethod>(
    request: { method: M; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[M]>;
  /** Asks anything; the schema judges what comes back. */
  request<T extends StandardSchemaV1>(request: McpRequest, resultSchema: T, options?: RequestOptions): Promise<OutputOf<T>>;
  request(request: McpRequest, second?: unknown, third?: RequestOptions): Promise<unknown> {
    return inV2(async () => {
      const own = isStandardSchema(second);
      const schema = own ? second : resultSchemaFor(request.method);
      return this.#ask(request, schema, own ? third : (second as RequestOptions | undefined));
    }, request.method);
  }

  async #ask(request: McpRequest, schema: unknown, options: CacheableRequestOptions = {}): Promise<unknown> {
    const { allowInputRequired, cacheMode, ...rest } = options;
    const plan = {
      ...(allowInputRequired === true && { input: 'raw' }),
      ...(cacheMode !== undefined && cacheMode !== 'use' && { fresh: true }),
    };
    const wanted = allowInputRequired === true ? withInputRequired(schema as StandardSchemaV1) : schema;
    return finished(await base.request.call(this, request, wanted, Object.keys(plan).length === 0 ? rest : { ...rest, plan }));
  }

  /** Tells the server something. */
  notification(notification: Notification, options?: NotificationOptions): Promise<void> {
    return inV2(() => base.notification.call(this, notification, options));
  }

  #verb<T>(method: string, params: unknown, options?: CacheableRequestOptions): Promise<T> {
    const request = { method, ...(params !== undefined && { params }) } as McpRequest;
    return inV2(() => this.#ask(request, resultSchemaFor(method), options), method) as Promise<T>;
  }

  /** Asks whether the server is there. */
  ping(options?: RequestOptions): Promise<EmptyResult> {
    return this.#verb('ping', undefined, options);
  }

  /** Asks what the server is; on the modern era. */
  async discover(options?: RequestOptions): Promise<DiscoverResult> {
    return (this.#discovered = await this.#verb<DiscoverResult>('server/discover', undefined, options));
  }

  /** What an argument of a prompt or template could go on with. */
  complete(params: CompleteRequest['params'], options?: RequestOptions): Promise<CompleteResult> {
    return this.#verb('completion/complete', params, options);
  }

  /**
   * Says which log messages are wanted.
   *
   * @deprecated since 2026-07-28: logging, SEP-2577; earliest removal 2027-07-28.
   */
  setLoggingLevel(level: LoggingLevel, options?: RequestOptions): Promise<EmptyResult> {
    return this.#verb('logging/setLevel', { level }, options);
  }

  /** A prompt, filled in. */
  getPrompt(params: GetPromptRequest['params'], options?: RequestOptions): Promise<GetPromptResult> {
    return this.#verb('prompts/get', params, options);
  }

  /** All prompts; with a cursor, that page. */
  listPrompts(params?: ListPromptsRequest['params'], options?: CacheableRequestOptions): Promise<ListPromptsResult> {
    return this.#list<ListPromptsResult>('prompts/list', params, options, ({ prompts }) => prompts);
  }

  /** All resources; with a cursor, that page. */
  listResources(params?: ListResourcesRequest['params'], options?: CacheableRequestOptions): Promise<ListResourcesResult> {
    return this.#list<ListResourcesResult>('resources/list', params, options, ({ resources }) => resources);
  }

  /** All templates; with a cursor, that page. */
  listResourceTemplates(
    params?: ListResourceTemplatesRequest['params'],
    options?: CacheableRequestOptions,
  ): Promise<ListResourceTemplatesResult> {
    return this.#list<ListResourceTemplatesResult>('resources/templates/list', params, options, (all) => all.resourceTemplates);
  }

  /** All tools; with a cursor, that page. Their output schemas are kept to check results against. */
  async listTools(params?: ListToolsRequest['params'], options?: CacheableRequestOptions): Promise<ListToolsResult> {
    const result = await this.#list<ListToolsResult>('tools/list', params, options, ({ tools }) => tools);
    this.#inside._toolResults.learn(result.tools);
    return result;
  }

  async #list<T extends Paged>(
    method: string,
    params: { cursor?: string } | undefined,
    options: CacheableRequestOptions | undefined,
    items: (page: T) => unknown[],
  ): Promise<T> {
    const capability = method.split('/')[0] as 'tools' | 'prompts' | 'resources';
    const declared = this.getServerCapabilities();
    // What has no such list has an empty one.
    if (declared !== undefined && !declared[capability] && this.#options.enforceStrictCapabilities !== true) {
      return structuredClone(EMPTY[method]) as T;
    }
    const page = (cursor?: string): Promise<T> => {
      const all = cursor === undefined ? params : { ...params, cursor };
      return this.#verb<T>(method, all, options);
    };
    if (params?.cursor !== undefined) return page();
    return this.#kept(method, undefined, options, () => allPages(method, page, items, this.#options.listMaxPages ?? MAX_PAGES));
  }

  /** What is kept in the program's store, or what the server says. */
  async #kept<T extends object>(
    method: string,
    key: string | undefined,
    options: CacheableRequestOptions | undefined,
    ask: () => Promise<T>,
  ): Promise<T> {
    const mode = options?.cacheMode ?? 'use';
    if (this.#cache === undefined || mode === 'bypass') return ask();
    const found = mode === 'use' ? await this.#cache.read(method, key) : undefined;
    if (found !== undefined) return found as T;
    const result = await ask();
    await this.#cache.write(method, key, result);
    return result;
  }

  /** The contents of a resource. */
  readResource(params: ReadResourceRequest['params'], options?: CacheableRequestOptions): Promise<ReadResourceResult> {
    return this.#kept('resources/read', params.uri, options, () => this.#verb<ReadResourceResult>('resources/read', params, options));
  }

  /** Asks to be told when a resource changes. */
  subscribeResource(params: SubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    return inV2(() => base.subscribeResource.call(this, params, options));
  }

  /** Takes that back. */
  unsubscribeResource(params: UnsubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    return inV2(() => base.unsubscribeResource.call(this, params, options));
  }

  /** Listens to changes, on the modern era. They go where notifications go. */
  async listen(filter: SubscriptionFilter, options?: RequestOptions): Promise<McpSubscription> {
    const link = this.#inside._link;
    if (link === undefined) throw new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    if (this.getProtocolEra() !== 'modern') {
      const protocolVersion = this.getNegotiatedProtocolVersion();
      const words =
        `subscriptions/listen requires a 2026-07-28-era connection (negotiated: ${protocolVersion ?? 'none'}); ` +
        'on earlier revisions changes come unasked: use ClientOptions.listChanged and subscribeResource()';
      throw new SdkError(SdkErrorCode.MethodNotSupportedByProtocolVersion, words, { method: 'subscriptions/listen', protocolVersion });
    }
    options?.signal?.throwIfAborted();
    return listenTo(link, filter, options);
  }

  /**
   * Calls a tool. What a tool says of its own failure is a result with `isError`.
   *
   * @throws `ProtocolError` if the server answers with an error, or if the structured
   * content does not fit the schema the tool was listed with.
   */
  callTool(params: CallToolRequest['params'], options?: CallToolRequestOptions): Promise<CallToolResult> {
    const { toolDefinition, allowInputRequired, ...rest } = options ?? {};
    if (toolDefinition !== undefined) this.#inside._toolResults.learn([toolDefinition]);
    if (allowInputRequired === true) return this.#verb('tools/call', params, options);
    return inV2(async () => finished(await base.callTool.call(this, params, undefined, rest)));
  }

  /**
   * Tells the server that the roots are others now.
   *
   * @deprecated since 2026-07-28: roots, SEP-2577; earliest removal 2027-07-28.
   */
  sendRootsListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/roots/list_changed' });
  }
}
