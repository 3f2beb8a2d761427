/**
 * A server on the engine, with what both faces do alike when they ask a client. Owns: the checks
 * before a question and of its answer. Must not know: the errors that a face shows, or its overloads.
 */
import type { Driver } from '../../engine/driver';
import type { HiddenWords } from '../../engine/guarding';
import type { RequestHandler } from '../../engine/handlers';
import type { Provider, RegistryKind } from '../../engine/registry';
import { aboutCall, notify, unsupported } from '../../engine/server/ask';
import type { Introduction } from '../../engine/server/contract';
import type { ServerHost } from '../../engine/server/host';
import type { ServerState } from '../../engine/server/state';
import type { AnySchema } from '../../protocol/schema/output';
import type { Transport } from '../../protocol/transport';
import {
  CreateMessageResultSchema,
  CreateMessageResultWithToolsSchema,
  ElicitResultSchema,
  type CreateMessageRequest,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type LoggingMessageNotification,
  type Notification,
  type Request,
  type Result,
  type ServerCapabilities,
  type ServerNotification,
  type ServerRequest,
} from '../../protocol/types';
import type { ExperimentalServerTasks } from '../tasks/server';
import type { ServerExtensions } from './extending';
import { checkForm } from './form-check';
import { Protocol, type NotificationOptions, type RequestOptions } from './protocol';
import { checkSampling } from './sampling';
import { ServerMessages } from './server-messages';
import { refusal } from '../../protocol/refusal';

/** The member through which a face reaches what programs do not see. */
export const INSIDE: unique symbol = Symbol('mcpbolt.inside');

/**
 * What a face and its endpoints use of a server. The functions are those of this class, even where a
 * face or a program has others in their place.
 */
export interface ServerInside {
  readonly state: ServerState;
  readonly extensions: ServerExtensions;
  host(on?: Driver, options?: Record<string, unknown>): ServerHost;
  provide(provider: Provider): void;
  provideHandler(method: string, handler: RequestHandler): void;
  registryChanged(kind: RegistryKind, told?: boolean, wantsTasks?: boolean): void;
  hiding(words: HiddenWords): void;
  masked(error: unknown, where: string): string | undefined;
  introduction(): Introduction;
  connect(transport: Transport): Promise<void>;
  registerCapabilities(capabilities: ServerCapabilities): void;
  /** Sets a handler without checking the capability that it needs beyond its declaration. */
  setRequestHandler(method: string, handler: RequestHandler): void;
  setNotificationHandler(method: string, handler: (notification: Notification) => unknown): void;
  request(request: Request, schema: AnySchema, options?: RequestOptions): Promise<unknown>;
  notification(notification: Notification, options?: NotificationOptions): Promise<void>;
  sample(params: CreateMessageRequest['params'], options?: RequestOptions): Promise<CreateMessageResult | CreateMessageResultWithTools>;
  elicit(params: ElicitRequestFormParams | ElicitRequestURLParams, options?: RequestOptions): Promise<ElicitResult>;
  log(params: LoggingMessageNotification['params'], sessionId?: string): Promise<void>;
}

/** A server with its questions to clients. */
export abstract class ServerPeer<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends ServerMessages<RequestT, NotificationT, ResultT> {
  private _inside?: ServerInside;

  /** @internal */
  get [INSIDE](): ServerInside {
    return (this._inside ??= this._ownFunctions());
  }

  private _ownFunctions(): ServerInside {
    const own = ServerPeer.prototype;
    return {
      state: this._state,
      extensions: this._extensions,
      host: (on, options) => this.host(on, options),
      provide: (provider) => this.provide(provider),
      provideHandler: (method, handler) => this.provideHandler(method, handler),
      registryChanged: (kind, told, wantsTasks) => this.registryChanged(kind, told, wantsTasks),
      hiding: (words) => this.hiding(words),
      masked: (error, where) => this.masked(error, where),
      introduction: () => own.introduction.call(this),
      connect: (transport) => own.connect.call(this, transport),
      registerCapabilities: (capabilities) => own.registerCapabilities.call(this, capabilities),
      setRequestHandler: (method, handler) => Protocol.prototype.setRequestHandler.call(this, method, handler as () => Result),
      setNotificationHandler: (method, handler) => own.setNotificationHandler.call(this, method, handler as () => void),
      request: (request, schema, options) => own.request.call(this, request, schema, options),
      notification: (notification, options) => own.notification.call(this, notification, options),
      sample: (params, options) => this._sample(params, options),
      elicit: (params, options) => this._elicit(params, options),
      log: (params, sessionId) => this._log(params, sessionId),
    };
  }

  private _experimental?: { tasks: ExperimentalServerTasks<RequestT, NotificationT, ResultT> };

  /**
   * Experimental features: tasks on the client.
   *
   * @experimental
   */
  get experimental(): { tasks: ExperimentalServerTasks<RequestT, NotificationT, ResultT> } {
    // Loaded on first use, because few programs need it.
    const { ExperimentalServerTasks: Tasks } = require('../tasks/server') as typeof import('../tasks/server');
    return (this._experimental ??= { tasks: new Tasks<RequestT, NotificationT, ResultT>(this) });
  }

  /** Requests a message from the client's model. */
  protected async _sample(
    params: CreateMessageRequest['params'],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools> {
    checkSampling(params, this.getClientCapabilities());
    const schema = params.tools === undefined ? CreateMessageResultSchema : CreateMessageResultWithToolsSchema;
    const request = { method: 'sampling/createMessage', params } as ServerRequest;
    return (await this.request(request, schema, options)) as CreateMessageResult | CreateMessageResultWithTools;
  }

  /** Asks the user for input. */
  protected async _elicit(params: ElicitRequestFormParams | ElicitRequestURLParams, options?: RequestOptions): Promise<ElicitResult> {
    const mode = (params as { mode?: string }).mode ?? 'form';
    const client = this.getClientCapabilities()?.elicitation;
    if (mode === 'url') {
      if (!client?.url) throw unsupported('Client does not support url elicitation.', { requiredCapabilities: { elicitation: { url: {} } } });
      const request = { method: 'elicitation/create', params } as ServerRequest;
      return (await this.request(request, ElicitResultSchema, options)) as ElicitResult;
    }
    if (!client?.form) throw unsupported('Client does not support form elicitation.', { requiredCapabilities: { elicitation: { form: {} } } });
    const form = { ...params, mode: 'form' } as ElicitRequestFormParams;
    const request = { method: 'elicitation/create', params: form } as ServerRequest;
    const result = (await this.request(request, ElicitResultSchema, options)) as ElicitResult;
    checkForm(form, result, this._validator);
    return result;
  }

  /**
   * Returns a function that notifies the client that a URL elicitation is complete.
   * @param elicitationId - The id of the question.
   * @param options - The request on whose stream to send it. Default: none.
   */
  createElicitationCompletionNotifier(elicitationId: string, options?: NotificationOptions): () => Promise<void> {
    if (!this.getClientCapabilities()?.elicitation?.url) {
      throw refusal('unsupported', 'Client does not support URL elicitation (required for notifications/elicitation/complete)');
    }
    const notification = { method: 'notifications/elicitation/complete', params: { elicitationId } };
    return () => this.notification(notification as ServerNotification, options);
  }

  /** Sends a log message, unless its level is below the one that the client asked for. */
  protected async _log(params: LoggingMessageNotification['params'], sessionId?: string): Promise<void> {
    if (!this._capabilities.logging) return;
    const begun = this.begun();
    if (begun !== undefined) await begun;
    if (this.isUnheard()) return;
    const { host, connection, live } = this.addressee();
    const of = sessionId === undefined ? undefined : this._state.connections.find((one) => one.sessionId === sessionId);
    const isOther = of !== undefined && of !== connection;
    const about = isOther ? undefined : aboutCall(connection, live);
    await notify(isOther ? of.host : host, about, isOther ? of : connection, { method: 'notifications/message', params } as Notification);
  }

  /** Notifies clients that the list of resources changed. */
  async sendResourceListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/resources/list_changed' } as ServerNotification);
  }

  /** Notifies clients that the list of tools changed. */
  async sendToolListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/tools/list_changed' } as ServerNotification);
  }

  /** Notifies clients that the list of prompts changed. */
  async sendPromptListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/prompts/list_changed' } as ServerNotification);
  }
}
