/**
 * What a server says to its clients, without the typed functions. Owns: what is known about the
 * client, the capabilities that a message needs, and choosing its recipient. Must not know: which
 * requests there are, and how connections are opened.
 */
import { announcementOf, checkHandler, checkNotification, checkQuestion, shown } from '../../engine/capabilities';
import type { RequestHandler } from '../../engine/handlers';
import { aboutCall, ask, notify } from '../../engine/server/ask';
import { assertClientRequestTaskCapability, assertToolsCallTaskCapability } from '../../engine/tasks/helpers';
import { asTask } from '../../engine/tasks/params';
import type { AnyObjectSchema, AnySchema, SchemaOutput } from '../../protocol/schema/output';
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
import { mergeCapabilities, type NotificationOptions, type RequestFor, type RequestHandlerExtra, type RequestOptions } from './protocol';
import { ServerBase } from './server-base';
import { checkedCall } from './tool-call';

/** A `Server` that can send any request or notification. */
export abstract class ServerMessages<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends ServerBase<RequestT, NotificationT, ResultT> {
  // Capabilities

  /**
   * Declares more capabilities; only before the server is connected.
   * @param capabilities - The capabilities to add.
   */
  registerCapabilities(capabilities: ServerCapabilities): void {
    if (this.transport !== undefined) throw new Error('Cannot register capabilities after connecting to transport');
    this._capabilities = mergeCapabilities(this._capabilities, capabilities);
    this._state.each((host) => host.introduce());
  }

  /** The client's capabilities: of the call being answered, else of the newest connection. */
  getClientCapabilities(): ClientCapabilities | undefined {
    const client = this._state.client();
    const said = shown(client?.clientCapabilities);
    return client?.clientInfo ? said : (this._assumed.capabilities ?? said);
  }

  /** The client's name and version: of the call being answered, else of the newest connection. */
  getClientVersion(): Implementation | undefined {
    return this._state.client()?.clientInfo ?? this._assumed.version;
  }

  // A program that resumes a session it did not open sets these, by their official names, to say
  // who the client is. What the client itself says takes precedence.

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

  /** Throws if the client did not declare the capability for a request. */
  protected assertCapabilityForMethod(method: string): void {
    checkQuestion(method, this.getClientCapabilities());
  }

  /** Throws if a notification's capability was not declared. */
  protected assertNotificationCapability(method: string): void {
    checkNotification(method, this._capabilities, () => this.getClientCapabilities());
  }

  /** Throws if this server did not declare the capability for a handler. */
  protected assertRequestHandlerCapability(method: string): void {
    checkHandler(method, this._capabilities);
  }

  /** Throws if the client did not declare tasks for a method. */
  protected assertTaskCapability(method: string): void {
    assertClientRequestTaskCapability(this.getClientCapabilities()?.tasks?.requests, method, 'Client');
  }

  /** Throws if this server did not declare tasks for a method. */
  protected assertTaskHandlerCapability(method: string): void {
    assertToolsCallTaskCapability(this._capabilities.tasks?.requests, method, 'Server');
  }

  // Handlers

  /**
   * Sets the handler for requests of a method, given as a schema or by name.
   * @param requestSchema - The schema of the request, or its method.
   * @param handler - Gets the request and its context, and returns the result.
   */
  override setRequestHandler<T extends AnyObjectSchema | string>(
    requestSchema: T,
    handler: (
      request: RequestFor<T>,
      extra: RequestHandlerExtra<ServerRequest | RequestT, ServerNotification | NotificationT>,
    ) => ServerResult | ResultT | Promise<ServerResult | ResultT>,
  ): void {
    super.setRequestHandler(requestSchema, checkedCall(requestSchema, handler as RequestHandler) as typeof handler);
  }

  // Messages to clients

  /**
   * Sends a request to the client, related to the call being answered if there is one.
   * @param request - The method and its params.
   * @param resultSchema - The schema of the result.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
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

  /**
   * Sends a notification: to the client whose call is being answered, else to the newest.
   * @param notification - The method and its params.
   * @param options - The request on whose stream to send it. Default: none.
   */
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
