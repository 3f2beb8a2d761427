/**
 * A server on the engine, without the typed functions. Owns: what it declares, its handlers,
 * its connections, and to whom something is said. Must not know: what is asked of clients.
 */
import { agreedRevision, announcementOf, checkHandler, checkNotification, checkQuestion, complete, shown } from './capabilities';
import type { Driver } from './driver';
import type { FormValidator } from './form-check';
import { maskedWords, type HiddenWords, type ServerGuards } from './guarding';
import type { HttpListener } from './http-listen';
import type { ListenOptions } from './http-options';
import { noticed } from './noticed';
import { LISTS, Registry, type Provider, type RegistryKind } from './registry';
import { aboutCall, ask, notify } from './server-ask';
import type { ServerConnection } from './server-connection';
import { serveTransport } from './server-fed';
import {
  PLAIN,
  type Introduction,
  type MarkedHandler,
  type NotificationHandler,
  type RequestHandler,
  type ServerCore,
  type ServerHost,
} from './server-host';
import { nativeWay } from './server-native';
import { ServerState, type Addressee } from './server-state';
import { asTask } from './task-params';
import { checkedCall } from './tool-call';
import { assertClientRequestTaskCapability, assertToolsCallTaskCapability } from '../experimental/tasks/helpers';
import type { AnyObjectSchema, AnySchema, SchemaOutput } from './schema-output';
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
import type {
  ClientCapabilities,
  Implementation,
  Notification,
  Request,
  Result,
  ServerCapabilities,
  ServerNotification,
  ServerRequest,
  ServerResult,
} from '../types';

/** Says that a client is ready. */
const INITIALIZED = 'notifications/initialized';

/** What a server is told at its start. */
export type ServerOptions = ProtocolOptions & ServerGuards & {
  /** What it can do. */
  capabilities?: ServerCapabilities;
  /** How it is to be used, for the model. */
  instructions?: string;
  /** Checks the answers to forms; the engine does unless told otherwise. */
  jsonSchemaValidator?: FormValidator;
  /**
   * Revisions it speaks; all of them unless something is said. Without `2026-07-28` a client
   * that probes for it begins with a handshake, as with the official 1.x.
   */
  supportedProtocolVersions?: string[];
  /** Options of the engine, by the names of its limits, e.g. `{max_in_flight: 100}`. */
  engine?: Record<string, unknown>;
};

/** Everything of `Server` but the functions that ask clients something particular. */
export abstract class ServerBase<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends Protocol<ServerRequest | RequestT, ServerNotification | NotificationT, ServerResult | ResultT> {
  private _serverInfo: Implementation;
  protected _capabilities: ServerCapabilities;
  private _instructions: string | undefined;
  protected readonly _validator: FormValidator | undefined;
  private readonly _assumed: { capabilities?: ClientCapabilities | undefined; version?: Implementation | undefined } = {};
  private readonly _engine: Record<string, unknown>;
  private readonly _guards: ServerGuards;
  private _hidden: HiddenWords | undefined;
  private readonly _registry = new Registry();
  protected readonly _state: ServerState;
  /** Handlers that the engine may answer for, as they were registered. */
  private readonly _builtin = new Map<string, RequestHandler>();
  private readonly _transports = new Set<Transport>();
  /** Of the last transport for a single request: whether the program has yet to close it. */
  private _resting: (() => boolean) | undefined;
  private readonly _greet: NotificationHandler = () => this.oninitialized?.();

  /** Called when a client has finished its handshake. */
  declare oninitialized?: () => void;
  /** Called when the first of a client's subscriptions covers a resource. */
  onsubscribe?: (uri: string) => void;
  /** Called when the last of a client's subscriptions to a resource is over. */
  onunsubscribe?: (uri: string) => void;

  /** A server of this name, not connected to anything. */
  constructor(_serverInfo: Implementation, options?: ServerOptions) {
    super(options);
    this._serverInfo = _serverInfo;
    this._capabilities = options?.capabilities ?? {};
    this._instructions = options?.instructions;
    this._validator = options?.jsonSchemaValidator;
    const revisions = options?.supportedProtocolVersions;
    this._engine = { ...(revisions !== undefined && { revisions }), ...options?.engine };
    this._guards = options ?? {};
    this._state = new ServerState(this.core());
    this._builtin.set('ping', this._requestHandlers.get('ping')!);
    this.provideHandler('initialize', (request) => ({ protocolVersion: agreedRevision(request.params), ...this.introduction() }));
    if (this._capabilities.logging) this.provideHandler('logging/setLevel', () => ({}));
    this._notificationHandlers.set(INITIALIZED, this._greet);
    this._requestHandlers.watch((method) => this.handlersChanged(method));
  }

  /** What the hosts are given of this server. */
  private core(): ServerCore {
    return {
      registry: this._registry,
      engineOptions: () => (this._guards.authorize === undefined ? this._engine : { ...this._hidden, ...this._engine }),
      guards: () => this._guards,
      masked: (error, where) => this.masked(error, where),
      introduction: () => this.introduction(),
      // Clients of the modern era never say that they are ready: the engine says it in their place.
      methods: () => new Set([...this._requestHandlers.keys(), ...this._builtin.keys(), ...(this.actsOnHandshakes() ? [INITIALIZED] : [])]),
      isEngines: (method) => this.isEngines(method),
      handlerOf: (method) => this._requestHandlers.get(method) ?? (this.fallbackRequestHandler as RequestHandler | undefined),
      takesEverything: () => this.fallbackRequestHandler !== undefined,
      notificationHandlerOf: (method) =>
        this._notificationHandlers.get(method) ?? (this.fallbackNotificationHandler as NotificationHandler | undefined),
      mayTell: (method) => this.assertNotificationCapability(method),
      mayAsk: (method) => this.checkMayAsk(method),
      mayBeTask: (method) => this.assertTaskHandlerCapability(method),
      tasks: () => this._tasks,
      failed: (error) => this.report(error),
      joined: (connection) => this._state.joined(connection),
      left: (connection) => this.connectionLeft(connection),
      closed: (transport) => this.transportClosed(transport),
      subscribed: (uri, active) => this.reporting(() => (active ? this.onsubscribe : this.onunsubscribe)?.(uri)),
    };
  }

  /** Tells `onerror`. What that throws in turn may not end the process. */
  private report(error: Error): void {
    try {
      this.onerror?.(error);
    } catch (inner) {
      process.emitWarning(inner instanceof Error ? inner : String(inner));
    }
  }

  /**
   * What a client reads in place of an error's words, which are logged; `undefined` if it may
   * read them.
   *
   * @internal
   */
  masked(error: unknown, where: string): string | undefined {
    if ((this._guards.errorDetail ?? this._engine['error_detail']) !== 'masked') return undefined;
    return maskedWords(error, where, this.onerror && ((told) => this.report(told)));
  }

  /** Runs a callback of the program's that is not awaited. */
  private reporting(body: () => void): void {
    try {
      body();
    } catch (error) {
      this.report(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private introduction(): Introduction {
    return {
      capabilities: complete(this._capabilities, this._requestHandlers.keys()) as Record<string, unknown>,
      serverInfo: this._serverInfo,
      ...(this._instructions ? { instructions: this._instructions } : {}),
    };
  }

  private isEngines(method: string): boolean {
    const handler = this._requestHandlers.get(method);
    const builtin = this._builtin.get(method);
    if (method === INITIALIZED) return !this.actsOnHandshakes();
    // The handshake may bring tools that the client may ask for in the same breath.
    if (LISTS.has(method) && this.actsOnHandshakes()) return false;
    // What was built in and is gone has no answer.
    if (handler !== undefined) return handler === builtin;
    return builtin === undefined && this.fallbackRequestHandler === undefined;
  }

  private actsOnHandshakes(): boolean {
    return this.oninitialized !== undefined || this._notificationHandlers.get(INITIALIZED) !== this._greet;
  }

  /** The program began to listen for handshakes, or stopped. */
  private handshakesChanged(): void {
    this._state.each((host) => [INITIALIZED, ...LISTS.keys()].forEach((method) => host.setSlot(method)));
  }

  private handlersChanged(method: string): void {
    this._state.each((host) => {
      host.setSlot(method);
      host.introduce();
    });
  }

  // For high-level servers

  /**
   * How it speaks of what does not exist, so that what is hidden sounds the same.
   *
   * @internal
   */
  hiding(words: HiddenWords): void {
    this._hidden = words;
  }

  /**
   * Lists that the engine may answer from.
   *
   * @internal
   */
  provide(provider: Provider): void {
    this._registry.provide(provider);
  }

  /**
   * A handler that the engine may answer for, as long as it is not replaced.
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

  /**
   * The engine's side of a driver is gone.
   *
   * @internal
   */
  leave(on: Driver): void {
    this._state.leave(on);
  }

  /**
   * Something serves this server until it is closed.
   *
   * @internal
   */
  attach(endpoint: Transport): void {
    this._transports.add(endpoint);
  }

  /**
   * The opposite of `attach`.
   *
   * @internal
   */
  detach(endpoint: Transport): void {
    this.transportClosed(endpoint);
  }

  // Connections

  /**
   * Serves HTTP with the engine's own listener: both eras on one address, any number of
   * clients. Resolves once it is bound.
   *
   * ```ts
   * const listener = await server.listen({ port: 3000 });
   * console.log(listener.url);
   * ```
   */
  async listen(options?: ListenOptions): Promise<HttpListener> {
    // A server that speaks over standard streams does not need it.
    const { listenHttp } = require('./http-listen') as typeof import('./http-listen');
    return listenHttp(this, options);
  }

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
    if (this.actsOnHandshakes()) host.setSlot(INITIALIZED);
    this._transports.add(transport);
    try {
      // The engine refuses what was not registered; a fallback wants to see it all.
      const way = this.fallbackRequestHandler === undefined ? nativeWay(transport) : undefined;
      await (way === undefined ? serveTransport(host, transport) : way.serve(host));
    } catch (error) {
      this._transports.delete(transport);
      throw error;
    }
  }

  private connectionLeft(connection: ServerConnection): void {
    this._state.left(connection);
    if (connection.transport !== undefined) this.transportClosed(connection.transport, connection.brief);
  }

  private transportClosed(transport: Transport, brief?: () => boolean): void {
    if (!this._transports.delete(transport)) return;
    this._resting = brief;
    if (this._transports.size > 0) return this.reporting(() => this.onclose?.());
    // Where each request has a transport of its own, the next one is on its way.
    if (brief !== undefined) this._state.tidySoon();
    else this._state.tidy();
    this.reporting(() => this.onclose?.());
  }

  /** Ends all connections. */
  override async close(): Promise<void> {
    await Promise.all([...this._state.connections].map((connection) => connection.farewell()));
    for (const transport of [...this._transports]) await transport.close();
    for (const connection of [...this._state.connections]) connection.ended();
    this._transports.clear();
    this._resting = undefined;
    this._state.tidy();
  }

  /** Whether the client is gone though nothing is wrong: the one request of a transport is answered. */
  protected isUnheard(): boolean {
    return this._resting?.() === true && !this._state.isOpen && this._state.addressee() === undefined;
  }

  /** What is said right after `connect` waits for the connection; `undefined` if it is there. */
  protected begun(): Promise<void> | undefined {
    return this._state.beginning;
  }

  protected addressee(): Addressee {
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
    const client = this._state.client();
    const said = shown(client?.clientCapabilities);
    return client?.clientInfo ? said : (this._assumed.capabilities ?? said);
  }

  /** Who the client is, once it said so. */
  getClientVersion(): Implementation | undefined {
    return this._state.client()?.clientInfo ?? this._assumed.version;
  }

  // A program that goes on with a session it did not see begin assigns these, by their names
  // in the official package: who the client is as long as none has said so itself.

  protected get _clientCapabilities(): ClientCapabilities | undefined {
    return this.getClientCapabilities();
  }

  protected set _clientCapabilities(capabilities: ClientCapabilities | undefined) {
    this._assumed.capabilities = capabilities;
  }

  protected get _clientVersion(): Implementation | undefined {
    return this.getClientVersion();
  }

  protected set _clientVersion(version: Implementation | undefined) {
    this._assumed.version = version;
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

  protected assertTaskCapability(method: string): void {
    assertClientRequestTaskCapability(this.getClientCapabilities()?.tasks?.requests, method, 'Client');
  }

  protected assertTaskHandlerCapability(method: string): void {
    assertToolsCallTaskCapability(this._capabilities.tasks?.requests, method, 'Server');
  }

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
    const begun = this.begun();
    if (begun !== undefined) await begun;
    const { host, connection, live } = this.addressee();
    this.checkMayAsk(request.method, options?.task !== undefined);
    if (options?.relatedTask !== undefined && this._tasks !== undefined) {
      return (await this._tasks.ask(request as Request, resultSchema, options, (live ?? connection).sessionId)) as SchemaOutput<T>;
    }
    return (await ask(host, live, connection, asTask(request as Request, options), resultSchema, options)) as SchemaOutput<T>;
  }

  /** Tells clients something: the one whose call is being answered, else the newest. */
  override async notification(
    notification: ServerNotification | NotificationT,
    options?: NotificationOptions,
  ): Promise<void> {
    const begun = this.begun();
    if (begun !== undefined) await begun;
    const isUnheard = this.isUnheard();
    if (!this._state.isOpen && !isUnheard) this.addressee();
    this.assertNotificationCapability(notification.method);
    if (isUnheard) return;
    const change = announcementOf(notification as Notification, this._capabilities);
    if (change !== undefined) return this._state.each((host) => host.tell(...change));
    const { host, connection, live } = this.addressee();
    if (options?.relatedTask !== undefined && this._tasks !== undefined) {
      return this._tasks.tell(notification as Notification, options.relatedTask, (live ?? connection).sessionId);
    }
    const { relatedRequestId } = options ?? {};
    const about = relatedRequestId === undefined ? aboutCall(connection, live) : (host.callOf(connection, relatedRequestId) ?? live);
    await notify(host, about, connection, notification as Notification);
  }
}

noticed(ServerBase.prototype as ServerBase, 'oninitialized', (server) => server['handshakesChanged']());
