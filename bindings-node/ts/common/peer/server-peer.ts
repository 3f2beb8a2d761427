/**
 * A server on the engine, with what both faces do alike when they ask a client. Owns: the checks
 * before a question and of its answer. Must not know: the errors that a face shows, or its overloads.
 */
import { unsupported, aboutCall, notify } from '../../engine/server/ask';
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
  type ServerNotification,
  type ServerRequest,
} from '../../protocol/types';
import type { ExperimentalServerTasks } from '../tasks/server';
import { checkForm } from './form-check';
import type { NotificationOptions, RequestOptions } from './protocol';
import { checkSampling } from './sampling';
import { ServerBase } from './server-base';

/** A server with its questions to clients. */
export abstract class ServerPeer<
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

  /** Returns a function that notifies the client that a URL elicitation is complete. */
  createElicitationCompletionNotifier(elicitationId: string, options?: NotificationOptions): () => Promise<void> {
    if (!this.getClientCapabilities()?.elicitation?.url) {
      throw new Error('Client does not support URL elicitation (required for notifications/elicitation/complete)');
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
