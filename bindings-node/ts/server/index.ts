/**
 * The low-level server. Owns: its public functions, and what the official package says when
 * they are misused. Must not know: how messages travel, or where a call comes from.
 */
import { checkHandler, checkNotification, checkQuestion, complete, shown } from '../internal/capabilities';
import type { Driver } from '../internal/driver';
import { checkForm, type FormValidator } from '../internal/form-check';
import { Registry, type Provider, type RegistryKind } from '../internal/registry';
import { checkSampling } from '../internal/sampling';
import { ask, notify, unsupported } from '../internal/server-ask';
import type { ServerConnection } from '../internal/server-connection';
import { serveTransport } from '../internal/server-fed';
import {
  PLAIN,
  type Introduction,
  type MarkedHandler,
  type NotificationHandler,
  type RequestHandler,
  type ServerCore,
  type ServerHost,
} from '../internal/server-host';
import { nativeWay } from '../internal/server-native';
import { ServerState, type Addressee } from '../internal/server-state';
import { checkedCall } from '../internal/tool-call';
import type { AnyObjectSchema, AnySchema, SchemaOutput } from '../internal/schema-output';
import {
  mergeCapabilities,
  Protocol,
  type NotificationOptions,
  type ProtocolOptions,
  type RequestFor,
  type RequestHandlerExtra,
  type RequestOptions,
} from '../shared/protocol';
import type { Transport } from '../shared/transport';
import {
  CreateMessageResultSchema,
  CreateMessageResultWithToolsSchema,
  ElicitResultSchema,
  EmptyResultSchema,
  ListRootsResultSchema,
  type ClientCapabilities,
  type CreateMessageRequest,
  type CreateMessageRequestParamsBase,
  type CreateMessageRequestParamsWithTools,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type EmptyResult,
  type Implementation,
  type ListRootsRequest,
  type ListRootsResult,
  type LoggingMessageNotification,
  type Notification,
  type Request,
  type ResourceUpdatedNotification,
  type Result,
  type ServerCapabilities,
  type ServerNotification,
  type ServerRequest,
  type ServerResult,
} from '../types';

/** What a server is told at its start. */
export type ServerOptions = ProtocolOptions & {
  /** What it can do. */
  capabilities?: ServerCapabilities;
  /** How it is to be used, for the model. */
  instructions?: string;
  /** Checks the answers to forms; the engine does unless told otherwise. */
  jsonSchemaValidator?: FormValidator;
  /** Options of the engine, by the names of its limits, e.g. `{max_in_flight: 100}`. */
  engine?: Record<string, unknown>;
};

/**
 * A server that answers requests with handlers. One object serves any number of
 * connections at once.
 *
 * ```ts
 * const server = new Server({ name: 'adder', version: '1.0.0' }, { capabilities: { tools: {} } });
 * server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
 * await server.connect(new StdioServerTransport());
 * ```
 */
export class Server<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends Protocol<ServerRequest | RequestT, ServerNotification | NotificationT, ServerResult | ResultT> {
  private _serverInfo: Implementation;
  private _capabilities: ServerCapabilities;
  private _instructions: string | undefined;
  private readonly _validator: FormValidator | undefined;
  private readonly _engine: Record<string, unknown>;
  private readonly _registry = new Registry();
  private readonly _state: ServerState;
  /** Handlers that the engine may answer for, as they were registered. */
  private readonly _builtin = new Map<string, RequestHandler>();
  private readonly _transports = new Set<Transport>();

  /** Called when a client has finished its handshake. */
  oninitialized?: () => void;

  /** A server of this name, not connected to anything. */
  constructor(_serverInfo: Implementation, options?: ServerOptions) {
    super(options);
    this._serverInfo = _serverInfo;
    this._capabilities = options?.capabilities ?? {};
    this._instructions = options?.instructions;
    this._validator = options?.jsonSchemaValidator;
    this._engine = options?.engine ?? {};
    this._state = new ServerState(this.core());
    this._builtin.set('ping', this._requestHandlers.get('ping')!);
    this.provideHandler('initialize', () => this.introduction());
    if (this._capabilities.logging) this.provideHandler('logging/setLevel', () => ({}));
    this._notificationHandlers.set('notifications/initialized', () => this.oninitialized?.());
    this._requestHandlers.watch((method) => this.handlersChanged(method));
  }

  /** What the hosts are given of this server. */
  private core(): ServerCore {
    return {
      registry: this._registry,
      engineOptions: () => this._engine,
      introduction: () => this.introduction(),
      methods: () => this._requestHandlers.keys(),
      isEngines: (method) => this.isEngines(method),
      handlerOf: (method) => this._requestHandlers.get(method) ?? (this.fallbackRequestHandler as RequestHandler | undefined),
      takesEverything: () => this.fallbackRequestHandler !== undefined,
      notificationHandlerOf: (method) => this._notificationHandlers.get(method) ?? (this.fallbackNotificationHandler as NotificationHandler | undefined),
      failed: (error) => this.report(error),
      joined: (connection) => void this._state.connections.add(connection),
      left: (connection) => this.connectionLeft(connection),
    };
  }

  private report(error: Error): void {
    try {
      this.onerror?.(error);
    } catch (inner) {
      // Thrown where nobody called: as any other exception of the program.
      queueMicrotask(() => {
        throw inner;
      });
    }
  }

  private introduction(): Introduction {
    return {
      serverInfo: this._serverInfo,
      capabilities: complete(this._capabilities, this._requestHandlers.keys()) as Record<string, unknown>,
      ...(this._instructions ? { instructions: this._instructions } : {}),
    };
  }

  private isEngines(method: string): boolean {
    const handler = this._requestHandlers.get(method);
    const builtin = this._builtin.get(method);
    // What was built in and is gone has no answer.
    return handler === undefined ? builtin === undefined : handler === builtin;
  }

  private handlersChanged(method: string): void {
    this._state.each((host) => {
      host.setSlot(method);
      host.introduce();
    });
  }

  // For high-level servers

  /**
   * Lists that the engine may answer from.
   *
   * @internal
   */
  provide(provider: Provider): void {
    this._registry.provide(provider);
  }

  /**
   * A handler that the engine may answer for, as long as nobody replaces it.
   *
   * @internal
   */
  provideHandler(method: string, handler: RequestHandler): void {
    const marked: MarkedHandler = (request, extra) => handler(request, extra);
    marked[PLAIN] = true;
    this._builtin.set(method, marked);
    this._requestHandlers.set(method, marked);
  }

  /**
   * A list changed: it is stale at once, and clients are told once per tick.
   *
   * @internal
   */
  registryChanged(kind: RegistryKind, told = true): void {
    const member = kind === 'resourceTemplates' ? 'resources' : kind;
    const offered = this._capabilities[member] as { listChanged?: boolean } | undefined;
    this._registry.changed(kind, told && offered?.listChanged === true);
  }

  /**
   * The engine's side of this server on a driver; this thread's own unless told otherwise.
   *
   * @internal
   */
  host(on?: Driver, options?: Record<string, unknown>): ServerHost {
    return this._state.host(on, options);
  }

  // Connections

  /** What it was connected to last. */
  override get transport(): Transport | undefined {
    return [...this._transports].at(-1);
  }

  /**
   * Serves a transport, beside those it serves already. The transport's callbacks that are
   * set already are called first.
   */
  override async connect(transport: Transport): Promise<void> {
    const host = this._state.host();
    if (this.fallbackRequestHandler !== undefined) host.setSlot('*');
    this._transports.add(transport);
    try {
      const way = nativeWay(transport);
      await (way === undefined ? serveTransport(host, transport) : way.serve(host));
    } catch (error) {
      this._transports.delete(transport);
      throw error;
    }
  }

  private connectionLeft(connection: ServerConnection): void {
    this._state.connections.delete(connection);
    if (connection.transport === undefined) return;
    this._transports.delete(connection.transport);
    try {
      this.onclose?.();
    } catch (error) {
      this.report(error as Error);
    }
  }

  /** Ends all connections. */
  override async close(): Promise<void> {
    const transports = [...this._transports];
    for (const transport of transports) await transport.close();
    this._state.each((host) => host.driver.flush());
    for (const connection of [...this._state.connections]) connection.ended();
    this._transports.clear();
  }

  private addressee(): Addressee {
    const found = this._state.addressee();
    if (found === undefined) throw new Error('Not connected');
    return found;
  }

  // What is declared

  /** Declares more capabilities; only before it is connected. */
  registerCapabilities(capabilities: ServerCapabilities): void {
    if (this.transport !== undefined) throw new Error('Cannot register capabilities after connecting to transport');
    this._capabilities = mergeCapabilities(this._capabilities, capabilities);
    this._state.each((host) => host.introduce());
  }

  /** What the client can do, once it said so: of the call being answered, else of the newest connection. */
  getClientCapabilities(): ClientCapabilities | undefined {
    const found = this._state.addressee();
    const said = found?.connection.facts.clientCapabilities ?? found?.live?.facts.clientCapabilities;
    return shown(said);
  }

  /** Who the client is, once it said so. */
  getClientVersion(): Implementation | undefined {
    const found = this._state.addressee();
    return found?.connection.facts.clientInfo ?? found?.live?.facts.clientInfo ?? undefined;
  }

  protected assertCapabilityForMethod(method: string): void {
    checkQuestion(method, this.getClientCapabilities());
  }

  protected assertNotificationCapability(method: string): void {
    checkNotification(method, this._capabilities, () => this.getClientCapabilities());
  }

  protected assertRequestHandlerCapability(method: string): void {
    checkHandler(method, this._capabilities);
  }

  protected assertTaskCapability(_method: string): void {}

  protected assertTaskHandlerCapability(_method: string): void {}

  // Handlers

  /** Has requests of a method answered by `handler`: by its schema, or by its name. */
  override setRequestHandler<T extends AnyObjectSchema | string>(
    requestSchema: T,
    handler: (
      request: RequestFor<T>,
      extra: RequestHandlerExtra<ServerRequest | RequestT, ServerNotification | NotificationT>,
    ) => ServerResult | ResultT | Promise<ServerResult | ResultT>,
  ): void {
    super.setRequestHandler(requestSchema, checkedCall(requestSchema, handler as RequestHandler) as typeof handler);
  }

  // What is said to clients

  /** Asks the client something: about the call being answered, if there is one. */
  override async request<T extends AnySchema>(
    request: ServerRequest | RequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    const { host, connection, live } = this.addressee();
    this.checkMayAsk(request.method);
    return (await ask(host, live, connection, request as Request, resultSchema, options)) as SchemaOutput<T>;
  }

  /** Tells clients something: the one whose call is being answered, else the newest. */
  override async notification(
    notification: ServerNotification | NotificationT,
    options?: NotificationOptions,
  ): Promise<void> {
    const { host, connection, live } = this.addressee();
    this.assertNotificationCapability(notification.method);
    if (this.announced(notification as Notification)) return;
    const about = options?.relatedRequestId === undefined ? live : (host.callOf(connection, options.relatedRequestId) ?? live);
    await notify(host, about, connection, notification as Notification);
  }

  /** Changes are for all clients that want to know. */
  private announced(notification: Notification): boolean {
    const { tools, prompts, resources } = this._capabilities;
    const announce = (declared: boolean | undefined, change: string, uri?: string): boolean => {
      if (declared === true) this._state.each((host) => host.tell(change, uri));
      return declared === true;
    };
    switch (notification.method) {
      case 'notifications/tools/list_changed':
        return announce(tools?.listChanged, 'tools');
      case 'notifications/prompts/list_changed':
        return announce(prompts?.listChanged, 'prompts');
      case 'notifications/resources/list_changed':
        return announce(resources?.listChanged, 'resources');
      case 'notifications/resources/updated':
        return announce(resources?.subscribe, 'resource', String(notification.params?.['uri']));
      default:
        return false;
    }
  }

  /** Asks the client whether it is there. */
  async ping(): Promise<EmptyResult> {
    return (await this.request({ method: 'ping' }, EmptyResultSchema)) as EmptyResult;
  }

  /** Asks the client's model for a message. */
  async createMessage(params: CreateMessageRequestParamsBase, options?: RequestOptions): Promise<CreateMessageResult>;
  /** Asks the client's model for a message; it may use tools. */
  async createMessage(params: CreateMessageRequestParamsWithTools, options?: RequestOptions): Promise<CreateMessageResultWithTools>;
  /** Asks the client's model for a message, with or without tools. */
  async createMessage(
    params: CreateMessageRequest['params'],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools>;
  async createMessage(
    params: CreateMessageRequest['params'],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools> {
    checkSampling(params, this.getClientCapabilities());
    const schema = params.tools === undefined ? CreateMessageResultSchema : CreateMessageResultWithToolsSchema;
    const request = { method: 'sampling/createMessage', params } as ServerRequest;
    return (await this.request(request, schema, options)) as CreateMessageResult | CreateMessageResultWithTools;
  }

  /** Asks the user something: with a form, or by sending them to a URL. */
  async elicitInput(params: ElicitRequestFormParams | ElicitRequestURLParams, options?: RequestOptions): Promise<ElicitResult> {
    const mode = (params as { mode?: string }).mode ?? 'form';
    const client = this.getClientCapabilities()?.elicitation;
    if (mode === 'url') {
      if (!client?.url) throw unsupported('Client does not support url elicitation.');
      const request = { method: 'elicitation/create', params } as ServerRequest;
      return (await this.request(request, ElicitResultSchema, options)) as ElicitResult;
    }
    if (!client?.form) throw unsupported('Client does not support form elicitation.');
    const form = { ...params, mode: 'form' } as ElicitRequestFormParams;
    const request = { method: 'elicitation/create', params: form } as ServerRequest;
    const result = (await this.request(request, ElicitResultSchema, options)) as ElicitResult;
    checkForm(form, result, this._validator);
    return result;
  }

  /** A function that tells the client that a URL elicitation is done. */
  createElicitationCompletionNotifier(elicitationId: string, options?: NotificationOptions): () => Promise<void> {
    if (!this.getClientCapabilities()?.elicitation?.url) {
      throw new Error('Client does not support URL elicitation (required for notifications/elicitation/complete)');
    }
    const notification = { method: 'notifications/elicitation/complete', params: { elicitationId } };
    return () => this.notification(notification as ServerNotification, options);
  }

  /**
   * Asks the client which roots it has.
   *
   * @deprecated since 2026-07-28 (SEP-2577): take folders as tool parameters, resource URIs or settings.
   */
  async listRoots(params?: ListRootsRequest['params'], options?: RequestOptions): Promise<ListRootsResult> {
    const request = { method: 'roots/list', params } as ServerRequest;
    return (await this.request(request, ListRootsResultSchema, options)) as ListRootsResult;
  }

  /** Sends a log message, if the client wants messages of that level. */
  async sendLoggingMessage(params: LoggingMessageNotification['params'], sessionId?: string): Promise<void> {
    if (!this._capabilities.logging) return;
    const { host, connection, live } = this.addressee();
    const of = sessionId === undefined ? undefined : [...this._state.connections].find((one) => one.sessionId === sessionId);
    const target = of === undefined || of === connection ? { host, connection, live } : { host: of.host, connection: of, live: undefined };
    await notify(target.host, target.live, target.connection, { method: 'notifications/message', params } as Notification);
  }

  /** Tells those who subscribed that a resource changed. */
  async sendResourceUpdated(params: ResourceUpdatedNotification['params']): Promise<void> {
    return this.notification({ method: 'notifications/resources/updated', params } as ServerNotification);
  }

  /** Tells clients that the list of resources changed. */
  async sendResourceListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/resources/list_changed' } as ServerNotification);
  }

  /** Tells clients that the list of tools changed. */
  async sendToolListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/tools/list_changed' } as ServerNotification);
  }

  /** Tells clients that the list of prompts changed. */
  async sendPromptListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/prompts/list_changed' } as ServerNotification);
  }
}
