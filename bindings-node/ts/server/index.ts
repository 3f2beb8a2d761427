/**
 * The low-level server. Owns: requests and notifications to clients, and the official package's
 * errors when they are misused. Must not know: how messages travel.
 */
import type { ExperimentalServerTasks } from '../experimental/tasks/server';
import { checkForm } from '../internal/form-check';
import { checkSampling } from '../internal/sampling';
import { aboutCall, notify, unsupported } from '../internal/server-ask';
import { ServerBase } from '../internal/server-base';
import type { NotificationOptions, RequestOptions } from '../shared/protocol';
import {
  CreateMessageResultSchema,
  CreateMessageResultWithToolsSchema,
  ElicitResultSchema,
  EmptyResultSchema,
  ListRootsResultSchema,
  type CreateMessageRequest,
  type CreateMessageRequestParamsBase,
  type CreateMessageRequestParamsWithTools,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type EmptyResult,
  type ListRootsRequest,
  type ListRootsResult,
  type LoggingMessageNotification,
  type Notification,
  type Request,
  type ResourceUpdatedNotification,
  type Result,
  type ServerNotification,
  type ServerRequest,
} from '../types';

export type { ServerOptions } from '../internal/server-base';
export type {
  Action,
  Asker,
  Audit,
  AuditRecord,
  Authorize,
  SanitizeResult,
  ServerGuards,
  Verdict,
} from '../internal/guarding';

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
> extends ServerBase<RequestT, NotificationT, ResultT> {
  private _experimental?: { tasks: ExperimentalServerTasks<RequestT, NotificationT, ResultT> };

  /**
   * Experimental features: tasks on the client.
   *
   * @experimental
   */
  get experimental(): { tasks: ExperimentalServerTasks<RequestT, NotificationT, ResultT> } {
    // Loaded on first use, because few programs need it.
    const { ExperimentalServerTasks: Tasks } = require('../experimental/tasks/server') as typeof import('../experimental/tasks/server');
    return (this._experimental ??= { tasks: new Tasks<RequestT, NotificationT, ResultT>(this) });
  }

  /** Sends a `ping` to the client; resolves when the client answers. */
  async ping(): Promise<EmptyResult> {
    return (await this.request({ method: 'ping' }, EmptyResultSchema)) as EmptyResult;
  }

  /** Requests a message from the client's model (sampling). */
  async createMessage(params: CreateMessageRequestParamsBase, options?: RequestOptions): Promise<CreateMessageResult>;
  /** Requests a message from the client's model, which may use tools. */
  async createMessage(params: CreateMessageRequestParamsWithTools, options?: RequestOptions): Promise<CreateMessageResultWithTools>;
  /** Requests a message from the client's model, with or without tools. */
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

  /** Asks the user for input, with a form or by sending them to a URL. */
  async elicitInput(params: ElicitRequestFormParams | ElicitRequestURLParams, options?: RequestOptions): Promise<ElicitResult> {
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

  /** Returns a function that notifies the client that a URL elicitation is complete. */
  createElicitationCompletionNotifier(elicitationId: string, options?: NotificationOptions): () => Promise<void> {
    if (!this.getClientCapabilities()?.elicitation?.url) {
      throw new Error('Client does not support URL elicitation (required for notifications/elicitation/complete)');
    }
    const notification = { method: 'notifications/elicitation/complete', params: { elicitationId } };
    return () => this.notification(notification as ServerNotification, options);
  }

  /**
   * Requests the client's list of roots.
   *
   * @deprecated since 2026-07-28 (SEP-2577): take folders as tool parameters, resource URIs or
   * settings.
   */
  async listRoots(params?: ListRootsRequest['params'], options?: RequestOptions): Promise<ListRootsResult> {
    const request = { method: 'roots/list', params } as ServerRequest;
    return (await this.request(request, ListRootsResultSchema, options)) as ListRootsResult;
  }

  /** Sends a log message, unless its level is below the one that the client asked for. */
  async sendLoggingMessage(params: LoggingMessageNotification['params'], sessionId?: string): Promise<void> {
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

  /** Notifies the subscribers of a resource that it changed. */
  async sendResourceUpdated(params: ResourceUpdatedNotification['params']): Promise<void> {
    return this.notification({ method: 'notifications/resources/updated', params } as ServerNotification);
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
