/**
 * The low-level server of the 1.x face. Owns: its functions to ask and tell clients. Must not know:
 * how messages travel, or what is checked before they do.
 */
import { ServerPeer } from '../common/peer/server-peer';
import type { RequestOptions } from '../common/peer/protocol';
import {
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
} from '../protocol/types';

export type { ServerOptions } from '../common/peer/server-base';
export type {
  Action,
  Asker,
  Audit,
  AuditRecord,
  Authorize,
  SanitizeResult,
  ServerGuards,
  Verdict,
} from '../engine/guarding';

/**
 * The low-level server: it answers requests with handlers that the program sets. One object serves any
 * number of connections at once.
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
> extends ServerPeer<RequestT, NotificationT, ResultT> {
  /** Sends a `ping` to the client; resolves when the client answers. */
  async ping(): Promise<EmptyResult> {
    return (await this.request({ method: 'ping' }, EmptyResultSchema)) as EmptyResult;
  }

  /**
   * Asks the client for a message from its language model (sampling).
   * @param params - The conversation, the limit of tokens, and other wishes for the answer.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async createMessage(params: CreateMessageRequestParamsBase, options?: RequestOptions): Promise<CreateMessageResult>;
  /**
   * Asks the client for a message from its language model, which may use tools.
   * @param params - The conversation, the limit of tokens, and other wishes for the answer.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async createMessage(params: CreateMessageRequestParamsWithTools, options?: RequestOptions): Promise<CreateMessageResultWithTools>;
  /**
   * Asks the client for a message from its language model, with or without tools.
   * @param params - The conversation, the limit of tokens, and other wishes for the answer.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async createMessage(
    params: CreateMessageRequest['params'],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools>;
  async createMessage(
    params: CreateMessageRequest['params'],
    options?: RequestOptions,
  ): Promise<CreateMessageResult | CreateMessageResultWithTools> {
    return this._sample(params, options);
  }

  /**
   * Asks the user to fill in a form or to visit a URL, and waits for the answer.
   * @param params - The question: a form or a URL.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async elicitInput(params: ElicitRequestFormParams | ElicitRequestURLParams, options?: RequestOptions): Promise<ElicitResult> {
    return this._elicit(params, options);
  }

  /**
   * Asks the client for its roots, the folders and files that the server may work on.
   *
   * @param params - Further `_meta`. Default: none.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @deprecated since 2026-07-28 (SEP-2577): take folders as tool parameters, resource URIs or
   * settings.
   */
  async listRoots(params?: ListRootsRequest['params'], options?: RequestOptions): Promise<ListRootsResult> {
    const request = { method: 'roots/list', params } as ServerRequest;
    return (await this.request(request, ListRootsResultSchema, options)) as ListRootsResult;
  }

  /**
   * Sends a log message, unless its level is below the one that the client asked for.
   * @param params - The `level`, the message as `data`, and optionally the name of the `logger`.
   * @param sessionId - The session whose level decides. Default: that of the request being answered.
   */
  async sendLoggingMessage(params: LoggingMessageNotification['params'], sessionId?: string): Promise<void> {
    return this._log(params, sessionId);
  }

  /**
   * Notifies clients that subscribed to a resource that it changed.
   * @param params - The URI of the resource.
   */
  async sendResourceUpdated(params: ResourceUpdatedNotification['params']): Promise<void> {
    return this.notification({ method: 'notifications/resources/updated', params } as ServerNotification);
  }
}
