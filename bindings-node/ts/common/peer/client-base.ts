/**
 * A client without its typed functions: connection, handlers, requests of any kind, capabilities.
 *
 * Owns: the current connection of a client. Must not know: which typed functions there are, and how
 * a server is reached.
 */
import {
  mergeCapabilities,
  type NotificationOptions,
  type RequestFor,
  type RequestHandlerExtra,
  type RequestOptions,
} from './protocol';
import type { Transport } from '../../protocol/transport';
import { LEGACY_REVISIONS } from '../../generated/protocol';
import {
  InitializeResultSchema,
  LATEST_PROTOCOL_VERSION,
  type ClientCapabilities,
  type ClientNotification,
  type ClientRequest,
  type ClientResult,
  type Implementation,
  type InitializeResult,
  type Notification,
  type Request,
  type Result,
  type ServerCapabilities,
} from '../../protocol/types';
import { checkedAnswers } from './answers';
import { ClientChecks } from './client-checks';
import { ask } from '../../engine/client/ask';
import { DEFAULT_TIMEOUT, errorOf, notConnected, onAbort, seconds, SIGNING_IN, withdrawn } from '../../engine/client/asking';
import type { ServerCall } from '../../engine/client/call';
import { QUESTIONS } from '../../engine/capabilities';
import { LISTENS, ListChanges, type ListingClient } from '../../engine/client/changes';
import { ClientLink, type LinkOwner } from '../../engine/client/link';
import { REACH, type Reachable } from '../../engine/client/reach';
import type { ClientOptions } from './client-options';
import { extraOf } from './client-extra';
import { declares, type ClientExtensions, type Sending } from './extending';
import { endedEarly, engineOptions, mustBeTransport, unspoken, type Opening } from './opening';
import { sessionOf, type ClientSession, type SessionControl } from '../../engine/client/session';
import { Watches } from '../../engine/client/watch';
import { driver } from '../../engine/driver';
import { errorFrom, ErrorCode, failureFrom } from '../../engine/errors';
import { guardClient, type Guarded } from '../../engine/guarding';
import { failureOf } from '../../engine/failure';
import { methodOf, parseWith } from '../../protocol/schema/schema';
import type { RequestHandler } from '../../engine/handlers';
import { ACTED_ON, PROGRESS, strayProgress } from '../../engine/stray';
import { asTask } from '../../engine/tasks/params';
import { wantsTask, withTasks } from '../../engine/tasks/wiring';
import type { AnyObjectSchema, AnySchema, SchemaOutput } from '../../protocol/schema/output';
import { refusal } from '../../protocol/refusal';

/** A client without its typed functions. */
export abstract class ClientBase<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends ClientChecks<RequestT, NotificationT, ResultT> {
  protected _clientInfo: Implementation;
  protected _serverVersion?: Implementation;
  protected _instructions?: string;
  protected readonly _clientOptions: ClientOptions;
  private readonly _debounced = new Set<string>();
  /** The handler of pings that is there from the start. */
  private readonly _pong: RequestHandler | undefined;
  private readonly _changes = new ListChanges();
  protected _link?: ClientLink;
  private _guarded: Guarded | undefined;
  /** Performs the handshake while a program's own `initialize` request opens a connection. */
  private _opening: ((request: Opening, options?: RequestOptions) => Promise<InitializeResult>) | undefined;
  protected _watches?: Watches;
  protected _extensions: ClientExtensions | undefined;
  private _session?: ClientSession;
  private _sessionControl?: SessionControl;

  /**
   * Creates a client with this name and version. It is not connected yet.
   * @param options - Capabilities, how to open connections, limits and so on. Default: none.
   */
  constructor(_clientInfo: Implementation, options?: ClientOptions) {
    super(options);
    this._clientInfo = _clientInfo;
    this._clientOptions = options ?? {};
    this._capabilities = options?.capabilities ?? {};
    this._pong = this._requestHandlers.get('ping');
  }

  // Connecting

  /** The transport it is connected to; `undefined` if it is not connected. */
  override get transport(): Transport | undefined {
    return this._link?.transport;
  }

  /** The live connection, with its state and counters; `undefined` before `connect`. */
  get session(): ClientSession | undefined {
    return this._session;
  }

  /** Creates the session of a new connection. */
  protected abstract _newSession(): ClientSession;

  /**
   * Adds capabilities; only before `connect`.
   * @param capabilities - The capabilities to add.
   */
  registerCapabilities(capabilities: ClientCapabilities): void {
    if (this.transport) throw new Error('Cannot register capabilities after connecting to transport');
    this._capabilities = mergeCapabilities(this._capabilities, capabilities);
  }

  /**
   * Connects to the server and performs the handshake. The engine takes over the package's own
   * transports, unless the program changed the object; messages of any other transport go through
   * the object.
   *
   * @param transport - The transport.
   * @param options - Time-out, abort signal and so on of the handshake. Default: none.
   * @throws the error that kept it from connecting, or that the server answered with.
   */
  override async connect(transport: Transport, options?: RequestOptions): Promise<void> {
    if (this._link !== undefined) {
      const remedy = 'Call close() before connecting to a new transport, or use a separate Protocol instance per connection.';
      throw refusal('already_connected', `Already connected to a transport. ${remedy}`);
    }
    mustBeTransport(transport);
    options?.signal?.throwIfAborted();
    const link = this._newLink(transport, options?.timeout);
    const session = (this._session = this._newSession());
    this._sessionControl = sessionOf(session, link);
    try {
      await link.open();
    } catch (error) {
      this._forget(link);
      throw error;
    }
    try {
      await this._open(link, options);
    } catch (error) {
      void link.close().catch(() => undefined);
      // Programs may try another transport with the same client.
      if (link.reach !== undefined) this._forget(link);
      throw error;
    }
  }

  private _newLink(transport: Transport, given: number | undefined): ClientLink {
    const patience = DEFAULT_TIMEOUT + ((transport as Partial<Reachable>)[REACH]?.waitsForUser ? SIGNING_IN : 0);
    const timeout = given ?? patience;
    const { validateResult } = this._clientOptions;
    // Pings the engine answers itself, as the handler does that is there from the start.
    const pings = this._requestHandlers.get('ping') !== this._pong;
    const methods = [...this._requestHandlers.keys()].filter((method) => (method === 'ping' ? pings : !QUESTIONS.has(method)));
    this._guarded = validateResult && guardClient(driver(), validateResult, (error) => this.onerror?.(error as Error));
    // Handlers of other methods may be set at any time, as may the fallback.
    const own = [...methods, '*'];
    const about = { client_info: this._clientInfo, capabilities: this._capabilities, request_timeout: seconds(timeout), methods: own };
    const engine = { ...about, ...this._extensions?.options(), ...engineOptions(this._clientOptions), ...this._guarded?.options };
    try {
      const link: ClientLink = new ClientLink(this._owner(() => link), transport, engine, timeout, patience, new Set([...methods, ...QUESTIONS]));
      this._link = link;
      return link;
    } catch (error) {
      this._guarded?.leave();
      const failure = failureOf(error);
      throw failure === undefined ? error : errorFrom(failure);
    }
  }

  /** Performs the handshake of a new connection, and stores what the server said about itself. */
  protected async _open(link: ClientLink, options?: RequestOptions): Promise<void> {
    const result = await this._introduce(link, options);
    // A resumed session has no handshake that describes the server.
    if (link.carry?.resumes) return;
    this._serverCapabilities = result.capabilities;
    this._serverVersion = result.serverInfo;
    this._instructions = result.instructions;
    const isModern = link.connection.describe().era === 'modern';
    if (isModern) this._watches = new Watches(link);
    this._changes.follow(this as unknown as ListingClient, this._clientOptions.listChanged, this._watches);
  }

  /** Performs the handshake, through `request` if a program replaced that: it then sees all requests. */
  private async _introduce(link: ClientLink, options?: RequestOptions): Promise<InitializeResult> {
    if (this.request === this._ownRequest || link.carry?.resumes) return this._handshake(link, options);
    this._opening = (request, more) => this._handshake(link, more, request.params?.protocolVersion);
    try {
      const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: this._capabilities, clientInfo: this._clientInfo };
      const request = { method: 'initialize', params } as ClientRequest;
      return (await this.request(request, InitializeResultSchema, options)) as InitializeResult;
    } finally {
      this._opening = undefined;
    }
  }

  /** The package's own `request`, to compare with one that a program set. */
  protected get _ownRequest(): unknown {
    return ClientBase.prototype.request;
  }

  private async _handshake(link: ClientLink, options?: RequestOptions, version?: unknown): Promise<InitializeResult> {
    const began = performance.now();
    const { signal } = options ?? {};
    const withdraw = () => void link.close().catch(() => undefined);
    const stop = signal && onAbort(signal, withdraw);
    const isOther = version !== LATEST_PROTOCOL_VERSION && LEGACY_REVISIONS.includes(version as string);
    const item = await link.handshake(isOther ? (version as string) : undefined).finally(() => stop?.());
    if (signal?.aborted) throw withdrawn(signal);
    const failure = item[5];
    if (failure !== null) {
      const own = link.carry?.openingError ?? link.carrierError(failure) ?? unspoken(failure, link.carry?.named);
      throw own ?? endedEarly(errorOf(failure, link.timeout, options, performance.now() - began), failure);
    }
    return item[4] as InitializeResult;
  }

  /** Waits until the server has agreed to announce the changes that are followed, or does not. */
  async [LISTENS](): Promise<void> {
    await this._changes.opened();
  }

  /** Closes the connection. */
  override async close(): Promise<void> {
    await this._link?.close();
  }

  private _owner(link: () => ClientLink): LinkOwner {
    return {
      answer: (call) => this._answer(call),
      hears: (method) => this._notificationHandlers.has(method),
      notified: (method, params) => this._notified(method, params),
      fault: (error) => this.onerror?.(error),
      declares: (method) => declares(this._extensions, method),
      moved: (state) => this._sessionControl?.moved(state),
      ended: () => this._forget(link()),
      handles: (method) => !link().told.has(method) && this._handler(method) !== undefined,
    };
  }

  private _forget(link: ClientLink): void {
    if (this._link !== link) return;
    this._link = this._watches = undefined;
    this._guarded?.leave();
    this._changes.stop();
    this._debounced.clear();
    this._sessionControl?.ended(link.connection.failure);
    this.onclose?.();
  }

  // What the server said about itself

  /** The capabilities that the server declared; `undefined` before `connect`. */
  getServerCapabilities(): ServerCapabilities | undefined {
    return this._serverCapabilities;
  }

  /** The server's name and version; `undefined` before `connect`. */
  getServerVersion(): Implementation | undefined {
    return this._serverVersion;
  }

  /** The server's instructions on how to use it, if it sent some. */
  getInstructions(): string | undefined {
    return this._instructions;
  }

  // Handlers

  /**
   * Sets the handler for requests of a method, given as a schema or by name. Requests and answers
   * of elicitation and sampling are validated.
   * @param requestSchema - The schema of the request, or its method.
   * @param handler - Gets the request and its context, and returns the result.
   */
  override setRequestHandler<T extends AnyObjectSchema | string>(
    requestSchema: T,
    handler: (
      request: RequestFor<T>,
      extra: RequestHandlerExtra<ClientRequest | RequestT, ClientNotification | NotificationT>,
    ) => ClientResult | ResultT | Promise<ClientResult | ResultT>,
  ): void {
    const method = typeof requestSchema === 'string' ? requestSchema : methodOf(requestSchema);
    const checked = checkedAnswers(method, handler, () => this._capabilities);
    super.setRequestHandler(requestSchema, checked as typeof handler);
  }

  private _handler(method: string): RequestHandler | undefined {
    return this._requestHandlers.get(method) ?? (this.fallbackRequestHandler as RequestHandler | undefined);
  }

  private _answer(call: ServerCall): void {
    const handler = this._handler(call.method);
    if (handler === undefined) {
      return call.fail({ kind: '', code: ErrorCode.MethodNotFound, message: `Method not found: ${call.method}` });
    }
    const { method, params } = call;
    const request = { jsonrpc: '2.0' as const, id: call.id, method, ...(params !== undefined && { params }) };
    const extra = extraOf(call, request.id, (asked, schema, options) => this.request(asked as ClientRequest, schema, options));
    if (this._tasks !== undefined) {
      withTasks(this._tasks, request, extra, {
        askQueued: (asked) => ask(call.link, asked, undefined, { timeout: Infinity, relatedRequestId: call.id }),
        notify: (notification) => this.notification(notification as ClientNotification),
      });
    }
    Promise.resolve()
      .then(() => {
        if (wantsTask(params)) this.assertTaskHandlerCapability(method);
        return handler(request as never, extra as never);
      })
      .then(
        (result) => call.finish(result),
        (error: unknown) => call.fail(failureFrom(error), error),
      );
  }

  /** Passes a notification to its handler. */
  protected _notified(method: string, params: unknown): void {
    const handler = this._notificationHandlers.get(method) ?? (ACTED_ON.has(method) ? undefined : this.fallbackNotificationHandler);
    if (handler === undefined) {
      if (method === PROGRESS) this.onerror?.(strayProgress(params));
      return;
    }
    const notification = params === null || params === undefined ? { method } : { method, params };
    Promise.resolve()
      .then(() => handler({ jsonrpc: '2.0', ...notification } as never))
      .catch((error: unknown) => this.onerror?.(new Error(`Uncaught error in notification handler: ${error}`)));
  }

  // Requests

  /**
   * Sends a request to the server and returns its result, parsed with a schema.
   * @param request - The method and its params.
   * @param resultSchema - The schema of the result.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  override request<T extends AnySchema>(
    request: ClientRequest | RequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    // Not an async function: every additional promise costs time in each call.
    try {
      return this._ask(request, resultSchema, options) as Promise<SchemaOutput<T>>;
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  private _ask(request: { method: string; params?: unknown }, schema: unknown, options?: RequestOptions): Promise<unknown> {
    const link = this._link;
    if (link === undefined) throw notConnected(this._session !== undefined);
    if (this._opening !== undefined && request.method === 'initialize') return this._opening(request as Opening, options);
    this.checkMayAsk(request.method, options?.task !== undefined);
    if (options?.relatedTask !== undefined && this._tasks !== undefined) {
      return this._tasks.ask(request as Request, schema, options, link.sessionId);
    }
    const send: Sending = (sent, judge) => ask(link, asTask(sent as { method: string; params?: object }, options), judge, options);
    return this._extensions === undefined ? send(request, schema) : this._extensions.around(request, schema, send, parseWith);
  }

  /**
   * Sends a notification to the server.
   * @param notification - The method and its params.
   * @param options - The request on whose stream to send it. Default: none.
   */
  override async notification(notification: ClientNotification | NotificationT, options?: NotificationOptions): Promise<void> {
    const link = this._link;
    if (link === undefined) throw notConnected(this._session !== undefined);
    const { method, params } = notification as { method: string; params?: unknown };
    this.assertNotificationCapability(method as (ClientNotification | NotificationT)['method']);
    // The engine has sent it already.
    if (method === 'notifications/initialized') return;
    if (options?.relatedTask !== undefined && this._tasks !== undefined) {
      return this._tasks.tell(notification as Notification, options.relatedTask, link.sessionId);
    }
    const isSimple = params === undefined && options?.relatedRequestId === undefined;
    if (!isSimple || !this._options?.debouncedNotificationMethods?.includes(method)) {
      return link.tell(link.connection.number, method, params, options);
    }
    if (this._debounced.has(method)) return;
    this._debounced.add(method);
    queueMicrotask(() => {
      if (!this._debounced.delete(method) || this._link !== link) return;
      link.tell(link.connection.number, method, params).catch((error: Error) => this.onerror?.(error));
    });
  }
}
