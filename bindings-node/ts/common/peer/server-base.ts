/**
 * A server on the engine, without what it says to clients. Owns: its handlers, hosts and
 * connections. Must not know: requests to clients.
 */
import { agreedRevision } from '../../engine/capabilities';
import type { Driver } from '../../engine/driver';
import type { FormValidator } from './form-check';
import { maskedWords, type HiddenWords, type ServerGuards } from '../../engine/guarding';
import { PLAIN, type MarkedHandler, type NotificationHandler, type RequestHandler } from '../../engine/handlers';
import type { HttpListener } from '../../engine/http/listen';
import type { ListenOptions } from '../../engine/http/options';
import { noticed } from '../../engine/noticed';
import { LISTS, Registry, type Provider, type RegistryKind } from '../../engine/registry';
import type { Connection, Introduction, ServerCore } from '../../engine/server/contract';
import { serveTransport } from '../../engine/server/fed';
import type { ServerHost } from '../../engine/server/host';
import type { LiveCall } from '../../engine/server/call';
import { nativeWay } from '../../engine/server/native-way';
import { POLL_OPTION, POLL_SECONDS } from '../tasks/support';
import { viewOf } from './server-extra';
import { ACTED_ON } from '../../engine/stray';
import { ServerState, type Addressee } from '../../engine/server/state';
import { declares, ServerExtensions } from './extending';
import { Protocol, type ProtocolOptions } from './protocol';
import type { Transport } from '../../protocol/transport';
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
} from '../../protocol/types';
import { refusal } from '../../protocol/refusal';

/** Sent by a client when it is ready. */
const INITIALIZED = 'notifications/initialized';

/** Options of a `Server`. */
export type ServerOptions = ProtocolOptions & ServerGuards & {
  /** The capabilities that this server declares, beside those of what is registered. Default: none. */
  capabilities?: ServerCapabilities;
  /** What a client's model should know to use this server well. Default: none. */
  instructions?: string;
  /** Validates the answers to forms. Default: the engine does. */
  jsonSchemaValidator?: FormValidator;
  /**
   * The revisions to support. Default: all. Without `2026-07-28`, clients use the handshake of older
   * revisions, as with the official 1.x package.
   */
  supportedProtocolVersions?: string[];
  /**
   * Where tasks are kept: `memory`, the default; `file:` and a path, which outlasts the process; or the
   * URL of a Redis or Valkey server such as `redis://host:6379`, which also keeps the sessions, shared by
   * all processes that name it.
   */
  stores?: string;
  /** Further limits of the engine by name, e.g. `{max_in_flight: 100}`. Default: none. */
  engine?: Record<string, unknown>;
};

/** A `Server` without the functions that send messages to clients. */
export abstract class ServerBase<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends Protocol<ServerRequest | RequestT, ServerNotification | NotificationT, ServerResult | ResultT> {
  private _serverInfo: Implementation;
  protected _capabilities: ServerCapabilities;
  private _instructions: string | undefined;
  protected readonly _validator: FormValidator | undefined;
  protected readonly _assumed: { capabilities?: ClientCapabilities | undefined; version?: Implementation | undefined } = {};
  private readonly _engine: Record<string, unknown>;
  private readonly _guards: ServerGuards;
  private _hidden: HiddenWords | undefined;
  private readonly _registry = new Registry();
  protected readonly _extensions = new ServerExtensions();
  protected readonly _state: ServerState;
  /** Handlers that the engine may answer for, as they were registered. */
  private readonly _builtin = new Map<string, RequestHandler>();
  private readonly _transports = new Set<Transport>();
  /** Whether the program has yet to close the last transport for a single request. */
  private _resting: (() => boolean) | undefined;
  private readonly _greet: NotificationHandler = () => this.oninitialized?.();

  /** Called when a client has completed its handshake. */
  declare oninitialized?: () => void;
  /** Called when a client subscribes to a resource it was not subscribed to. */
  onsubscribe?: (uri: string) => void;
  /** Called when a client's last subscription to a resource has ended. */
  onunsubscribe?: (uri: string) => void;

  /**
   * Creates a server with this name and version. It is not connected yet.
   * @param _serverInfo - The server's name and version, as clients see them.
   * @param options - Instructions, capabilities, guard rails and limits. Default: none.
   */
  constructor(_serverInfo: Implementation, options?: ServerOptions) {
    super(options);
    this._serverInfo = _serverInfo;
    this._capabilities = options?.capabilities ?? {};
    this._instructions = options?.instructions;
    this._validator = options?.jsonSchemaValidator;
    const revisions = options?.supportedProtocolVersions;
    const stores = options?.stores;
    this._engine = { ...(revisions !== undefined && { revisions }), ...(stores !== undefined && { stores }), ...options?.engine };
    this._guards = options ?? {};
    this._state = new ServerState(this.core());
    this._builtin.set('ping', this._requestHandlers.get('ping')!);
    this.provideHandler('initialize', (request) => this.answerHandshake(request));
    if (this._capabilities.logging) this.provideHandler('logging/setLevel', () => ({}));
    this._notificationHandlers.set(INITIALIZED, this._greet);
    this._requestHandlers.watch((method) => this.handlersChanged(method));
  }

  /** Throws if a notification's capability was not declared. */
  protected abstract override assertNotificationCapability(method: string): void;

  /** What the hosts get of this server. */
  private core(): ServerCore {
    return {
      registry: this._registry,
      engineOptions: () => (this._guards.authorize === undefined ? this._engine : { ...this._hidden, ...this._engine }),
      guards: () => this._guards,
      masked: (error, where) => this.masked(error, where),
      introduction: () => this.introduction(),
      // Modern clients never send `notifications/initialized`; the engine does it in their place.
      methods: () => {
        const own = [...this._requestHandlers.keys(), ...this._builtin.keys(), ...this._extensions.hooked];
        return new Set(this.actsOnHandshakes() ? [...own, INITIALIZED] : own);
      },
      isEngines: (method) => this.isEngines(method),
      handlerOf: (method) => {
        const handler = this._requestHandlers.get(method) ?? (this.fallbackRequestHandler as RequestHandler | undefined);
        return this._extensions.around(method, handler);
      },
      declares: (method) => declares(this._extensions, method),
      takesEverything: () => this.fallbackRequestHandler !== undefined,
      notificationHandlerOf: (method) =>
        this._notificationHandlers.get(method) ??
        (ACTED_ON.has(method) ? undefined : (this.fallbackNotificationHandler as NotificationHandler | undefined)),
      viewOf: (call) => viewOf(call as LiveCall),
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

  /** Calls `onerror`. If the callback throws as well, the process must not end. */
  private report(error: Error): void {
    try {
      this.onerror?.(error);
    } catch (inner) {
      process.emitWarning(inner instanceof Error ? inner : String(inner));
    }
  }

  /**
   * The message that a client gets instead of an error's own, which is logged; `undefined` to keep
   * that.
   *
   * @internal
   */
  masked(error: unknown, where: string): string | undefined {
    if ((this._guards.errorDetail ?? this._engine['error_detail']) !== 'masked') return undefined;
    return maskedWords(error, where, this.onerror && ((told) => this.report(told)));
  }

  /** Runs a callback of the program whose result is not awaited. */
  private reporting(body: () => void): void {
    try {
      body();
    } catch (error) {
      this.report(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** The description of this server for the engine. */
  protected introduction(): Introduction {
    return {
      capabilities: this._capabilities,
      uses: [...this._requestHandlers.keys()],
      serverInfo: this._serverInfo,
      ...(this._instructions ? { instructions: this._instructions } : {}),
      ...(this._extensions.rows.length > 0 && { extensionMethods: this._extensions.rows }),
    };
  }

  /** The answer to `initialize` that the engine gives by itself. */
  private answerHandshake(request: { params?: { protocolVersion?: string } }): Record<string, unknown> {
    const [host] = this._state.hosts.values();
    const { capabilities, serverInfo, instructions } = this.introduction();
    const declared = host?.declared() ?? capabilities;
    return { protocolVersion: agreedRevision(request.params), capabilities: declared, serverInfo, instructions };
  }

  private isEngines(method: string): boolean {
    const handler = this._requestHandlers.get(method);
    const builtin = this._builtin.get(method);
    if (method === INITIALIZED) return !this.actsOnHandshakes();
    if (handler !== undefined && this._extensions.has(method)) return false;
    // A handshake handler may register tools that the client lists right afterwards.
    if (LISTS.has(method) && this.actsOnHandshakes()) return false;
    // A built-in handler that was removed no longer answers.
    if (handler !== undefined) return handler === builtin;
    return builtin === undefined && this.fallbackRequestHandler === undefined;
  }

  private actsOnHandshakes(): boolean {
    return this.oninitialized !== undefined || this._notificationHandlers.get(INITIALIZED) !== this._greet;
  }

  /** Called when the program starts or stops handling handshakes. */
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
   * Sets the messages for items that do not exist, so that hidden items look the same.
   *
   * @internal
   */
  hiding(words: HiddenWords): void {
    this._hidden = words;
  }

  /**
   * Sets the provider of lists that the engine may answer from.
   *
   * @internal
   */
  provide(provider: Provider): void {
    this._registry.provide(provider);
  }

  /**
   * Sets a handler that the engine may answer for, unless the program replaces it.
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
   * Marks a list as changed: it is outdated at once, and clients are told once per tick. With
   * `wantsTasks` servers that start from now on have tasks.
   *
   * @internal
   */
  registryChanged(kind: RegistryKind, told = true, wantsTasks = false): void {
    if (wantsTasks) this._engine[POLL_OPTION] ??= POLL_SECONDS;
    this._registry.changed(kind, told);
  }

  /**
   * This server's host on a driver; on that of this thread by default.
   *
   * @internal
   */
  host(on?: Driver, options?: Record<string, unknown>): ServerHost {
    return this._state.host(on, options);
  }

  /**
   * Removes this server's host on a driver.
   *
   * @internal
   */
  leave(on: Driver): void {
    this._state.leave(on);
  }

  /**
   * Registers an endpoint, which is closed with the server.
   *
   * @internal
   */
  attach(endpoint: Transport): void {
    this._transports.add(endpoint);
  }

  /**
   * Removes an endpoint.
   *
   * @internal
   */
  detach(endpoint: Transport): void {
    this.transportClosed(endpoint);
  }

  // Connections

  /**
   * Serves HTTP with the engine's own listener: both eras on one address, any number of clients.
   * Resolves once it is bound.
   *
   * ```ts
   * const listener = await server.listen({ port: 3000 });
   * console.log(listener.url);
   * ```
   * @param options - Port, host, limits, authorization and so on. Default: a free port of 127.0.0.1.
   */
  async listen(options?: ListenOptions): Promise<HttpListener> {
    // Loaded late, because a server on standard streams does not need it.
    const { listenHttp } = require('../../engine/http/listen') as typeof import('../../engine/http/listen');
    return listenHttp(this, options);
  }

  /** The transport it was connected to last. */
  override get transport(): Transport | undefined {
    return [...this._transports].at(-1);
  }

  /**
   * Connects to a transport, in addition to those that are connected already. Callbacks that are
   * already set on the transport are still called, before the server's.
   * @param transport - The transport.
   */
  override async connect(transport: Transport): Promise<void> {
    const host = this._state.host();
    if (this.fallbackRequestHandler !== undefined) host.setSlot('*');
    if (this.actsOnHandshakes()) host.setSlot(INITIALIZED);
    this._transports.add(transport);
    try {
      // The engine refuses unregistered methods itself; a fallback handler has to see them all.
      const way = this.fallbackRequestHandler === undefined ? nativeWay(transport) : undefined;
      await (way === undefined ? serveTransport(host, transport) : way.serve(host));
    } catch (error) {
      this._transports.delete(transport);
      throw error;
    }
  }

  private connectionLeft(connection: Connection): void {
    this._state.left(connection);
    if (connection.transport !== undefined) this.transportClosed(connection.transport, connection.brief);
  }

  private transportClosed(transport: Transport, brief?: () => boolean): void {
    if (!this._transports.delete(transport)) return;
    this._resting = brief;
    if (this._transports.size > 0) return this.reporting(() => this.onclose?.());
    // If each request has a transport of its own, the next one follows soon.
    if (brief !== undefined) this._state.tidySoon();
    else this._state.tidy();
    this.reporting(() => this.onclose?.());
  }

  /** Closes all connections. */
  override async close(): Promise<void> {
    await Promise.all([...this._state.connections].map((connection) => connection.farewell()));
    for (const transport of [...this._transports]) await transport.close();
    for (const connection of [...this._state.connections]) connection.ended();
    this._transports.clear();
    this._resting = undefined;
    this._state.tidy();
  }

  /** Whether nobody is connected only because the single request of a transport has been answered. */
  protected isUnheard(): boolean {
    return this._resting?.() === true && !this._state.isOpen && this._state.addressee() === undefined;
  }

  /** Resolves when the connection that `connect` is opening exists; `undefined` if it does already. */
  protected begun(): Promise<void> | undefined {
    return this._state.beginning;
  }

  /** The recipient of a message; throws if nobody is connected. */
  protected addressee(): Addressee {
    const found = this._state.addressee();
    if (found === undefined) throw refusal('not_connected', 'Not connected');
    return found;
  }
}

noticed(ServerBase.prototype as ServerBase, 'oninitialized', (server) => server['handshakesChanged']());
