/**
 * A client on the engine, with what both faces do alike: calls of tools, subscriptions, sessions.
 * Owns: the checks before a call and of its result. Must not know: the errors that a face shows, or
 * its overloads.
 */
import { ClientSession } from '../../engine/client/session';
import { ToolResults } from '../../engine/client/tools';
import { specSchema } from '../../protocol/schema/schema';
import type { AnySchema } from '../../protocol/schema/output';
import type {
  CallToolRequest,
  CallToolResult,
  ClientRequest,
  EmptyResult,
  Implementation,
  Notification,
  Request,
  Result,
  SubscribeRequest,
  UnsubscribeRequest,
} from '../../protocol/types';
import { RejectedError } from '../review';
import type { ExperimentalClientTasks } from '../tasks/client';
import { ClientBase } from './client-base';
import type { ClientOptions } from './client-options';
import type { RequestOptions } from './protocol';

const EMPTY = specSchema<EmptyResult>('EmptyResult');

/** A client with what it knows of its server's tools. */
export class ClientPeer<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends ClientBase<RequestT, NotificationT, ResultT> {
  protected readonly _toolResults: ToolResults;
  private _experimental?: { tasks: ExperimentalClientTasks<RequestT, NotificationT, ResultT> };

  /** Creates a client with this name and version. It is not connected yet. */
  constructor(_clientInfo: Implementation, options?: ClientOptions) {
    super(_clientInfo, options);
    this._toolResults = new ToolResults(options?.jsonSchemaValidator);
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

  protected override _newSession(): ClientSession {
    return new ClientSession(this);
  }

  /** Subscribes to changes of a resource. */
  protected async _subscribe(params: SubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    if (this._watches === undefined) {
      return this.request({ method: 'resources/subscribe', params } as ClientRequest, EMPTY, options);
    }
    await this._watches.watch(params.uri, { resourceSubscriptions: [params.uri] });
    return {};
  }

  /** Ends the subscription to a resource. */
  protected async _unsubscribe(params: UnsubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    if (this._watches === undefined) {
      return this.request({ method: 'resources/unsubscribe', params } as ClientRequest, EMPTY, options);
    }
    await this._watches.unwatch(params.uri);
    return {};
  }

  /** Calls a tool, if the program's review allows it, and checks the result. */
  protected async _callTool(params: CallToolRequest['params'], resultSchema: AnySchema, options?: RequestOptions): Promise<unknown> {
    this._toolResults.refuse(params.name);
    const allowed = this._clientOptions.reviewToolCall === undefined ? params : await this._reviewed(params);
    const request = { method: 'tools/call', params: allowed } as ClientRequest;
    const result = (await this.request(request, resultSchema, options)) as CallToolResult;
    this._toolResults.check(params.name, result);
    return result;
  }

  private async _reviewed(params: CallToolRequest['params']): Promise<CallToolRequest['params']> {
    const { reviewToolCall, trusted = false } = this._clientOptions;
    const annotations = this._toolResults.annotations(params.name);
    const decision = await reviewToolCall!({ tool: params.name, arguments: params.arguments, annotations, trusted });
    if (decision === 'allow') return params;
    if ('edit' in decision) return { ...params, arguments: decision.edit };
    throw new RejectedError(decision.deny);
  }
}
