/**
 * A peer of the protocol. Owns: handlers by method, and a peer in JavaScript over any transport,
 * for programs that derive from `Protocol`. Must not know: the engine, on which `Server` and
 * `Client` run; they use only the handlers from here.
 */
import { HandlerTable, PLAIN, type MarkedHandler, type NotificationHandler, type RequestHandler } from '../../engine/handlers';
import { ACTED_ON } from '../../engine/stray';
import { methodOf, parseWith } from '../../protocol/schema/schema';
import type { AnyObjectSchema, AnySchema, SchemaOutput } from '../../protocol/schema/output';
import { parsing } from './parsing';
import type {
  NotificationOptions,
  ProtocolOptions,
  RequestFor,
  RequestHandlerExtra,
  RequestOptions,
} from './types';
import type { TaskHost } from '../../engine/tasks/host';
import { tasksOf } from '../../engine/tasks/wiring';
import type { TaskQuestions } from '../tasks/follow';
import type {
  CancelTaskResult,
  ClientCapabilities,
  GetTaskResult,
  JSONRPCRequest,
  ListTasksResult,
  Notification,
  Request,
  Result,
  ServerCapabilities,
} from '../../protocol/types';
import { JsPeer } from './js-peer';
import type { ResponseMessage } from './response-message';
import type { Transport } from '../../protocol/transport';
import { refusal } from '../../protocol/refusal';

export type {
  NotificationOptions,
  ProgressCallback,
  ProtocolOptions,
  RequestFor,
  RequestHandlerExtra,
  RequestOptions,
  RequestTaskStore,
  TaskRequestOptions,
} from './types';

/** The default timeout of a request, in milliseconds. */
export const DEFAULT_REQUEST_TIMEOUT_MSEC = 60000;

/** The method that a handler is registered for. */
function methodFor(given: unknown): string {
  if (typeof given === 'string') return given;
  const method = methodOf(given);
  if (method === undefined) throw new Error('Schema is missing a method literal');
  return method;
}

/**
 * One side of a connection over any transport: it answers requests and sends requests. Derive from it to
 * implement a protocol of your own.
 */
export abstract class Protocol<
  SendRequestT extends Request,
  SendNotificationT extends Notification,
  SendResultT extends Result,
> {
  /** Request handlers by method; programs may change the table. */
  protected _requestHandlers: HandlerTable<RequestHandler> = new HandlerTable();
  /** Notification handlers by method. */
  protected _notificationHandlers: HandlerTable<NotificationHandler> = new HandlerTable();
  /** The options of the constructor. */
  protected _options?: ProtocolOptions;
  /** The tasks that run here; `undefined` without a task store. */
  protected readonly _tasks: TaskHost | undefined;
  private _peer: JsPeer | undefined;

  /** Called when the connection is closed, by either side. */
  onclose?: () => void;
  /** Called with each error that belongs to no request. */
  onerror?: (error: Error) => void;
  /** Handles requests that have no handler. Default: they are answered with -32601. */
  fallbackRequestHandler?: (
    request: JSONRPCRequest,
    extra: RequestHandlerExtra<SendRequestT, SendNotificationT>,
  ) => Promise<SendResultT>;
  /** Handles notifications that have no handler. Default: they are ignored. */
  fallbackNotificationHandler?: (notification: Notification) => Promise<void>;

  constructor(_options?: ProtocolOptions) {
    this._options = _options;
    const pong: MarkedHandler = () => ({});
    pong[PLAIN] = true;
    this._requestHandlers.set('ping', pong);
    this._tasks = tasksOf(_options, this._requestHandlers);
  }

  /** The transport of the connection; `undefined` without a connection. */
  get transport(): Transport | undefined {
    return this._peer?.transport;
  }

  /**
   * Connects to a transport and starts it. Callbacks that are already set on the transport are called
   * first. The transport must not be shared.
   * @param transport - The transport.
   */
  async connect(transport: Transport): Promise<void> {
    if (this._peer !== undefined) {
      throw refusal(
        'already_connected',
        'Already connected to a transport. Call close() before connecting to a new transport, or use a separate Protocol instance per connection.',
      );
    }
    const peer = new JsPeer(transport, this._options, {
      requestHandler: (method) => this._requestHandlers.get(method) ?? this.fallbackRequestHandler,
      notificationHandler: (method) =>
        this._notificationHandlers.get(method) ?? (ACTED_ON.has(method) ? undefined : this.fallbackNotificationHandler),
      closed: () => {
        if (this._peer === peer) this._peer = undefined;
        this.onclose?.();
      },
      failed: (error) => this.onerror?.(error),
      tasks: this._tasks,
      mayBeTask: (method) => this.assertTaskHandlerCapability(method),
      request: (request, schema, options) => this.request(request as SendRequestT, schema as AnySchema, options),
      notification: (notification, options) => this.notification(notification as SendNotificationT, options),
    });
    this._peer = peer;
    await peer.start();
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    await this._peer?.transport.close();
  }

  /** Throws if the other side did not declare the capability for a request. */
  protected abstract assertCapabilityForMethod(method: SendRequestT['method']): void;
  /** Throws if this side did not declare the capability for a notification. */
  protected abstract assertNotificationCapability(method: SendNotificationT['method']): void;
  /** Throws if this side did not declare the capability for a handler. */
  protected abstract assertRequestHandlerCapability(method: string): void;
  /** Throws if the other side did not declare tasks for a method. */
  protected abstract assertTaskCapability(method: string): void;
  /** Throws if this side did not declare tasks for a method. */
  protected abstract assertTaskHandlerCapability(method: string): void;

  /**
   * Sends a request and waits for the answer.
   *
   * @param request - The method and its params.
   * @param resultSchema - The schema of the result.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @throws the error of the other side, or the reason why there is no answer.
   */
  request<T extends AnySchema>(
    request: SendRequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    return (async () => {
      if (this._peer === undefined) throw refusal('not_connected', 'Not connected');
      this.checkMayAsk(request.method, options?.task !== undefined);
      const asked =
        options?.relatedTask !== undefined && this._tasks !== undefined
          ? this._tasks.ask(request, resultSchema, options, this.transport?.sessionId)
          : this._peer.request(request, resultSchema, options);
      return (await asked) as SchemaOutput<T>;
    })();
  }

  /** Throws for a request without the needed capability, if capabilities are enforced. */
  protected checkMayAsk(method: string, isTask = false): void {
    if (this._options?.enforceStrictCapabilities !== true) return;
    this.assertCapabilityForMethod(method);
    if (isTask) this.assertTaskCapability(method);
  }

  // Tasks of the other side

  private get _questions(): TaskQuestions {
    const { TaskQuestions: Questions } = require('../tasks/follow') as typeof import('../tasks/follow');
    return new Questions({ request: (request, schema, options) => this.request(request as SendRequestT, schema as AnySchema, options) });
  }

  /**
   * Sends a request and yields each step; the last one is a result or an error.
   *
   * @experimental
   */
  protected requestStream<T extends AnySchema>(
    request: SendRequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<SchemaOutput<T> & Result>, void, void> {
    return this._questions.follow(request as SendRequestT & { params?: object }, resultSchema, options);
  }

  /**
   * Gets the state of a task.
   *
   * @experimental
   */
  protected async getTask(params: { taskId: string }, options?: RequestOptions): Promise<GetTaskResult> {
    return this._questions.get(params.taskId, options);
  }

  /**
   * Gets the result of a task; waits until the task is over.
   *
   * @experimental
   */
  protected async getTaskResult<T extends AnySchema>(
    params: { taskId: string },
    resultSchema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    return this._questions.result(params.taskId, resultSchema, options);
  }

  /**
   * Lists one page of tasks.
   *
   * @experimental
   */
  protected async listTasks(params?: { cursor?: string }, options?: RequestOptions): Promise<ListTasksResult> {
    return this._questions.list(params?.cursor, options);
  }

  /**
   * Cancels a task.
   *
   * @experimental
   */
  protected async cancelTask(params: { taskId: string }, options?: RequestOptions): Promise<CancelTaskResult> {
    return this._questions.cancel(params.taskId, options);
  }

  /**
   * Sends a notification.
   * @param notification - The method and its params.
   * @param options - The request or task that it is related to. Default: none.
   */
  async notification(notification: SendNotificationT, options?: NotificationOptions): Promise<void> {
    if (this._peer === undefined) throw refusal('not_connected', 'Not connected');
    this.assertNotificationCapability(notification.method);
    if (options?.relatedTask !== undefined && this._tasks !== undefined) {
      return this._tasks.tell(notification, options.relatedTask, this.transport?.sessionId);
    }
    await this._peer.notify(notification, options);
  }

  /**
   * Sets the handler for requests of a method, given as a schema or by name.
   * @param requestSchema - The schema of the request, or its method.
   * @param handler - Gets the request and its context, and returns the result.
   */
  setRequestHandler<T extends AnyObjectSchema | string>(
    requestSchema: T,
    handler: (
      request: RequestFor<T>,
      extra: RequestHandlerExtra<SendRequestT, SendNotificationT>,
    ) => SendResultT | Promise<SendResultT>,
  ): void {
    const method = methodFor(requestSchema);
    this.assertRequestHandlerCapability(method);
    this._requestHandlers.set(method, parsing(requestSchema, handler as RequestHandler));
  }

  /**
   * Removes the request handler of a method.
   * @param method - The method.
   */
  removeRequestHandler(method: string): void {
    this._requestHandlers.delete(method);
  }

  /**
   * Checks that a method has no handler yet.
   *
   * @param method - The method.
   * @throws if there is one.
   */
  assertCanSetRequestHandler(method: string): void {
    if (this._requestHandlers.has(method)) {
      throw new Error(`A request handler for ${method} already exists, which would be overridden`);
    }
  }

  /**
   * Sets the handler for notifications of a method, given as a schema or by name.
   * @param notificationSchema - The schema of the notification, or its method.
   * @param handler - Gets the notification.
   */
  setNotificationHandler<T extends AnyObjectSchema | string>(
    notificationSchema: T,
    handler: (notification: T extends string ? Notification : SchemaOutput<T>) => void | Promise<void>,
  ): void {
    const take = handler as (notification: unknown) => unknown;
    const parse = typeof notificationSchema === 'string' ? (given: unknown) => given : (given: unknown) => parseWith(notificationSchema, given);
    this._notificationHandlers.set(methodFor(notificationSchema), (notification) => take(parse(notification)));
  }

  /**
   * Removes the notification handler of a method.
   * @param method - The method.
   */
  removeNotificationHandler(method: string): void {
    this._notificationHandlers.delete(method);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Adds capabilities to others; members are merged one level deep.
 * @param base - The capabilities to start from.
 * @param additional - Those to add.
 */
export function mergeCapabilities(base: ServerCapabilities, additional: Partial<ServerCapabilities>): ServerCapabilities;
/**
 * Adds client capabilities to others; members are merged one level deep.
 * @param base - The capabilities to start from.
 * @param additional - Those to add.
 */
export function mergeCapabilities(base: ClientCapabilities, additional: Partial<ClientCapabilities>): ClientCapabilities;
export function mergeCapabilities(base: object, additional: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(additional)) {
    const before = merged[name];
    if (value !== undefined) merged[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return merged;
}
