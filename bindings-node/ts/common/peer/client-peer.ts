/**
 * A client on the engine, with what both faces do alike: calls of tools, subscriptions, sessions.
 * Owns: the checks before a call and of its result. Must not know: the errors that a face shows, or
 * its overloads.
 */
import type { Asking } from '../../engine/client/asking';
import type { ClientLink } from '../../engine/client/link';
import { ClientSession } from '../../engine/client/session';
import { ToolResults, type ListedTool, type ResultRules } from './tool-results';
import type { RequestHandler } from '../../engine/handlers';
import { specSchema } from '../../protocol/schema/schema';
import type { AnySchema } from '../../protocol/schema/output';
import type { Transport } from '../../protocol/transport';
import type {
  CallToolRequest,
  CallToolResult,
  ClientCapabilities,
  ClientNotification,
  ClientRequest,
  EmptyResult,
  Implementation,
  Notification,
  Request,
  Result,
  ServerCapabilities,
  SubscribeRequest,
  UnsubscribeRequest,
} from '../../protocol/types';
import { RejectedError } from '../review';
import type { ExperimentalClientTasks } from '../tasks/client';
import { ClientBase } from './client-base';
import type { ClientOptions } from './client-options';
import { ClientExtensions } from './extending';
import { Protocol, type NotificationOptions, type RequestOptions } from './protocol';

const EMPTY = specSchema<EmptyResult>('EmptyResult');

/** The member through which a face reaches what programs do not see. */
export const INSIDE: unique symbol = Symbol('mcpbolt.inside');

/**
 * What a face uses of a client. The functions are those of this class, even where a face or a
 * program has others in their place.
 */
export interface ClientInside {
  readonly link: ClientLink | undefined;
  readonly capabilities: ClientCapabilities;
  readonly options: ClientOptions;
  readonly toolResults: ToolResults;
  /** The client's extensions; made when they are first asked for. */
  readonly extensions: ClientExtensions;
  /** Stores what is known about the server, in place of a handshake. */
  learn(server: { capabilities: ServerCapabilities; instructions: string | undefined; version: Implementation | undefined }): void;
  connect(transport: Transport, options?: RequestOptions): Promise<void>;
  open(link: ClientLink, options?: RequestOptions): Promise<void>;
  notified(method: string, params: unknown): void;
  /** Sets a handler without the checks of requests and answers. */
  setRequestHandler(method: string, handler: RequestHandler): void;
  setNotificationHandler(method: string, handler: (notification: Notification) => unknown): void;
  request(request: Request, schema: AnySchema, options?: Asking): Promise<unknown>;
  notification(notification: Notification, options?: NotificationOptions): Promise<void>;
  /** Calls a tool; `definition` takes the place of what the server listed for it. */
  callTool(params: CallToolRequest['params'], schema: AnySchema, options?: RequestOptions, definition?: ListedTool): Promise<unknown>;
  subscribe(params: SubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult>;
  unsubscribe(params: UnsubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult>;
}

/** A client with what it knows of its server's tools. */
export class ClientPeer<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends ClientBase<RequestT, NotificationT, ResultT> {
  protected readonly _toolResults: ToolResults;
  private _inside?: ClientInside;
  private _experimental?: { tasks: ExperimentalClientTasks<RequestT, NotificationT, ResultT> };

  /**
   * Creates a client with this name and version. It is not connected yet.
   * @param _clientInfo - The name and version of this program, sent to servers.
   * @param options - Capabilities, how to open connections, limits and so on. Default: none.
   */
  constructor(_clientInfo: Implementation, options?: ClientOptions) {
    super(_clientInfo, options);
    this._toolResults = new ToolResults(options?.jsonSchemaValidator, this._resultRules);
  }

  /** How the face checks results of tools. */
  protected get _resultRules(): ResultRules {
    return { compilesLate: false, checksFailedCalls: true };
  }

  /**
   * Experimental features: the server's tasks.
   *
   * @experimental
   */
  get experimental(): { tasks: ExperimentalClientTasks<RequestT, NotificationT, ResultT> } {
    // Loaded on first use, because few programs need it.
    const { ExperimentalClientTasks: Tasks } = require('../tasks/client') as typeof import('../tasks/client');
    return (this._experimental ??= { tasks: new Tasks<RequestT, NotificationT, ResultT>(this) });
  }

  /** @internal */
  get [INSIDE](): ClientInside {
    return (this._inside ??= this._ownFunctions());
  }

  private _ownFunctions(): ClientInside {
    const own = ClientPeer.prototype;
    const link = (): ClientLink | undefined => this._link;
    const capabilities = (): ClientCapabilities => this._capabilities;
    const extensions = (): ClientExtensions => (this._extensions ??= new ClientExtensions());
    return {
      get link() {
        return link();
      },
      get capabilities() {
        return capabilities();
      },
      get extensions() {
        return extensions();
      },
      options: this._clientOptions,
      toolResults: this._toolResults,
      learn: (server) => {
        this._serverCapabilities = server.capabilities;
        this._instructions = server.instructions;
        this._serverVersion = server.version;
      },
      connect: (transport, options) => own.connect.call(this, transport, options),
      open: (opened, options) => own._open.call(this, opened, options),
      notified: (method, params) => own._notified.call(this, method, params),
      setRequestHandler: (method, handler) => Protocol.prototype.setRequestHandler.call(this, method, handler as () => Result),
      setNotificationHandler: (method, handler) => own.setNotificationHandler.call(this, method, handler as () => void),
      request: (request, schema, options) => own.request.call(this, request as ClientRequest, schema, options as RequestOptions),
      notification: (notification, options) => own.notification.call(this, notification as ClientNotification, options),
      callTool: (params, schema, options, definition) => this._callTool(params, schema, options, definition),
      subscribe: (params, options) => this._subscribe(params, options),
      unsubscribe: (params, options) => this._unsubscribe(params, options),
    };
  }

  protected override _newSession(): ClientSession {
    return new ClientSession(this);
  }

  /** Subscribes to changes of a resource. */
  protected async _subscribe(params: SubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    if (this._watches === undefined) {
      return this.request({ method: 'resources/subscribe', params } as ClientRequest, EMPTY, options);
    }
    await this._watches.watch(params.uri, { resourceSubscriptions: [params.uri] }, { signal: options?.signal, timeout: options?.timeout });
    return {};
  }

  /** Ends the subscription to a resource. */
  protected async _unsubscribe(params: UnsubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    if (this._watches === undefined) {
      return this.request({ method: 'resources/unsubscribe', params } as ClientRequest, EMPTY, options);
    }
    this._watches.unwatch(params.uri);
    return {};
  }

  /** Calls a tool, if the program's review allows it, and checks the result. */
  protected async _callTool(
    params: CallToolRequest['params'],
    resultSchema: AnySchema,
    options?: RequestOptions,
    definition?: ListedTool,
  ): Promise<unknown> {
    const known = definition === undefined ? this._toolResults : this._toolResults.ofOne(params.name, definition);
    known.refuse(params.name);
    const allowed = this._clientOptions.reviewToolCall === undefined ? params : await this._reviewed(params, known);
    const request = { method: 'tools/call', params: allowed } as ClientRequest;
    const result = (await this.request(request, resultSchema, options)) as CallToolResult;
    known.check(params.name, result);
    return result;
  }

  private async _reviewed(params: CallToolRequest['params'], known: ToolResults): Promise<CallToolRequest['params']> {
    const { reviewToolCall, trusted = false } = this._clientOptions;
    const annotations = known.annotations(params.name) ?? this._toolResults.annotations(params.name);
    const decision = await reviewToolCall!({ tool: params.name, arguments: params.arguments, annotations, trusted });
    if (decision === 'allow') return params;
    if ('edit' in decision) return { ...params, arguments: decision.edit };
    throw new RejectedError(decision.deny);
  }
}
