/**
 * A peer of the protocol. Owns: handlers by method, and a peer in JavaScript over any transport,
 * for programs that derive from `Protocol`. Must not know: the engine, on which `Server` and
 * `Client` run; they use only the handlers from here.
 */
import type { CreateTaskOptions, TaskMessageQueue, TaskStore } from '../experimental/tasks/interfaces';
import type { AuthInfo } from '../server/auth/types';
import { HandlerTable } from '../internal/handler-table';
import { methodOf, parseWith } from '../internal/schema';
import type { AnyObjectSchema, AnySchema, SchemaOutput } from '../internal/schema-output';
import { parsing } from '../internal/parsing';
import type { TaskHost } from '../internal/task-host';
import { tasksOf } from '../internal/task-wiring';
import { PLAIN, type MarkedHandler, type NotificationHandler, type RequestHandler } from '../internal/server-host';
import type { TaskQuestions } from '../internal/task-follow';
import type {
  CancelTaskResult,
  ClientCapabilities,
  ClientRequest,
  Implementation,
  GetTaskResult,
  JSONRPCRequest,
  ListTasksResult,
  Notification,
  Progress,
  RelatedTaskMetadata,
  Request,
  RequestId,
  RequestInfo,
  RequestMeta,
  Result,
  ServerCapabilities,
  ServerRequest,
  Task,
  TaskCreationParams,
} from '../types';
import { JsPeer } from '../internal/js-peer';
import type { ResponseMessage } from './responseMessage';
import type { Transport, TransportSendOptions } from './transport';

/** Called with each progress notification of a request. */
export type ProgressCallback = (progress: Progress) => void;

/** The default timeout of a request, in milliseconds. */
export const DEFAULT_REQUEST_TIMEOUT_MSEC = 60000;

/** Options of a peer. */
export type ProtocolOptions = {
  /** Whether to refuse requests for capabilities that the other side did not declare. Default: false. */
  enforceStrictCapabilities?: boolean;
  /** Notifications that are merged: several in a row without parameters are sent as one. */
  debouncedNotificationMethods?: string[];
  /** Where tasks are stored. With a store, incoming requests can become tasks. */
  taskStore?: TaskStore;
  /** Where messages of tasks are queued until the other side asks for the tasks' results. */
  taskMessageQueue?: TaskMessageQueue;
  /** How long to wait between two polls of a task that names no interval, in milliseconds. Default: 1000. */
  defaultTaskPollInterval?: number;
  /** How many messages of one task may be queued. Default: no limit. */
  maxTaskQueueSize?: number;
};

/** Options of a request. */
export type RequestOptions = {
  /** Called with each progress notification; also makes the request ask for progress. */
  onprogress?: ProgressCallback;
  /** Cancels the request when aborted. */
  signal?: AbortSignal;
  /** How long to wait for the answer, in milliseconds. Default: 60,000. */
  timeout?: number;
  /** Whether each progress notification restarts the timeout. Default: false. */
  resetTimeoutOnProgress?: boolean;
  /** The longest time to wait in total, in milliseconds, even if progress restarts the timeout. */
  maxTotalTimeout?: number;
  /** Asks the other side to run the request as a task. */
  task?: TaskCreationParams;
  /** The task that the request belongs to. */
  relatedTask?: RelatedTaskMetadata;
} & TransportSendOptions;

/** Options of a request that a handler sends; its related task is already known. */
export type TaskRequestOptions = Omit<RequestOptions, 'relatedTask'>;

/** The tasks of the session that a request came from. */
export interface RequestTaskStore {
  /** Creates a task. */
  createTask(taskParams: CreateTaskOptions): Promise<Task>;
  /** Gets a task; throws if it is unknown. */
  getTask(taskId: string): Promise<Task>;
  /** Ends a task and stores its result. */
  storeTaskResult(taskId: string, status: 'completed' | 'failed', result: Result): Promise<void>;
  /** Gets the result of a task. */
  getTaskResult(taskId: string): Promise<Result>;
  /** Changes the status of a task. */
  updateTaskStatus(taskId: string, status: Task['status'], statusMessage?: string): Promise<void>;
  /** Lists one page of tasks. */
  listTasks(cursor?: string): Promise<{ tasks: Task[]; nextCursor?: string }>;
}

/** Options of a notification. */
export type NotificationOptions = {
  /** The id of the incoming request that the notification is about. */
  relatedRequestId?: RequestId;
  /** The task that the notification belongs to. */
  relatedTask?: RelatedTaskMetadata;
};

/** The second parameter of a request handler. */
export type RequestHandlerExtra<SendRequestT extends Request, SendNotificationT extends Notification> = {
  /** Aborted when the other side cancels the request or the connection ends. */
  signal: AbortSignal;
  /** The validated access token of the sender, if the transport checks tokens. */
  authInfo?: AuthInfo;
  /** The id of the session, if there are sessions. */
  sessionId?: string;
  /** The `_meta` member of the request. */
  _meta?: RequestMeta;
  /** The request's id. */
  requestId: RequestId;
  /** The id of the task that the request belongs to. */
  taskId?: string;
  /** Where tasks are stored, if a task store is configured. */
  taskStore?: RequestTaskStore;
  /** How long the requested task is to be kept, in milliseconds. */
  taskRequestedTtl?: number;
  /** The HTTP request that the request came with. */
  requestInfo?: RequestInfo;
  /** Sends a notification that is related to this request. */
  sendNotification: (notification: SendNotificationT) => Promise<void>;
  /** Sends a request to the other side that is related to this request. */
  sendRequest: <U extends AnySchema>(
    request: SendRequestT,
    resultSchema: U,
    options?: RequestOptions,
  ) => Promise<SchemaOutput<U>>;
  /** Closes the stream of this request early; the client reconnects for the rest. */
  closeSSEStream?: () => void;
  /** Closes the stream that belongs to no request; the client reopens it. */
  closeStandaloneSSEStream?: () => void;
  /** The capabilities of the client that sent this request. Not in the official package. */
  clientCapabilities?: ClientCapabilities;
  /** The name and version of the client that sent this request. Not in the official package. */
  clientInfo?: Implementation;
  /**
   * The answers to the questions of an earlier round, in which the handler returned `{ resultType:
   * 'input_required', inputRequests, requestState? }`. Keys are those of `inputRequests`; empty in
   * the first round. Not in the official package.
   */
  inputResponses?: Record<string, unknown>;
  /** The `requestState` that the handler returned in the earlier round. Not in the official package. */
  requestState?: string;
};

/** A request of the protocol by its method; any request if the protocol does not define the method. */
type RequestNamed<M extends string> = [Extract<ClientRequest | ServerRequest, { method: M }>] extends [never]
  ? Request & { method: M }
  : Extract<ClientRequest | ServerRequest, { method: M }>;

/** The type of a request, from its schema or its method. */
export type RequestFor<T> = T extends string ? RequestNamed<T> : SchemaOutput<T>;

/** The method that a handler is registered for. */
function methodFor(given: unknown): string {
  if (typeof given === 'string') return given;
  const method = methodOf(given);
  if (method === undefined) throw new Error('Schema is missing a method literal');
  return method;
}

/**
 * A peer over any transport: answers requests of the other side and sends requests. Derive from it
 * to implement a protocol of your own.
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
  /** The options the peer was created with. */
  protected _options?: ProtocolOptions;
  /** The tasks that run here, if there is a task store. */
  protected readonly _tasks: TaskHost | undefined;
  private _peer: JsPeer | undefined;

  /** Called when the connection is closed, by either side. */
  onclose?: () => void;
  /** Called with each error that belongs to no request. */
  onerror?: (error: Error) => void;
  /** Handles requests without a handler of their own. */
  fallbackRequestHandler?: (
    request: JSONRPCRequest,
    extra: RequestHandlerExtra<SendRequestT, SendNotificationT>,
  ) => Promise<SendResultT>;
  /** Handles notifications without a handler of their own. */
  fallbackNotificationHandler?: (notification: Notification) => Promise<void>;

  constructor(_options?: ProtocolOptions) {
    this._options = _options;
    const pong: MarkedHandler = () => ({});
    pong[PLAIN] = true;
    this._requestHandlers.set('ping', pong);
    this._tasks = tasksOf(_options, this._requestHandlers);
  }

  /** The transport it is connected to; `undefined` if it is not connected. */
  get transport(): Transport | undefined {
    return this._peer?.transport;
  }

  /**
   * Attaches to a transport and starts it. Callbacks that are already set on the transport are
   * still called, before those of the peer. The transport must not be shared.
   */
  async connect(transport: Transport): Promise<void> {
    if (this._peer !== undefined) {
      throw new Error(
        'Already connected to a transport. Call close() before connecting to a new transport, or use a separate Protocol instance per connection.',
      );
    }
    const peer = new JsPeer(transport, this._options, {
      requestHandler: (method) => this._requestHandlers.get(method) ?? this.fallbackRequestHandler,
      notificationHandler: (method) => this._notificationHandlers.get(method) ?? this.fallbackNotificationHandler,
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
   * @throws the error that the other side answered with, or the reason why there is no answer.
   */
  request<T extends AnySchema>(
    request: SendRequestT,
    resultSchema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>> {
    return (async () => {
      if (this._peer === undefined) throw new Error('Not connected');
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
    const { TaskQuestions: Questions } = require('../internal/task-follow') as typeof import('../internal/task-follow');
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

  /** Sends a notification. */
  async notification(notification: SendNotificationT, options?: NotificationOptions): Promise<void> {
    if (this._peer === undefined) throw new Error('Not connected');
    this.assertNotificationCapability(notification.method);
    if (options?.relatedTask !== undefined && this._tasks !== undefined) {
      return this._tasks.tell(notification, options.relatedTask, this.transport?.sessionId);
    }
    await this._peer.notify(notification, options);
  }

  /** Sets the handler for requests of a method, given as a schema or by name. */
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

  /** Removes the request handler of a method. */
  removeRequestHandler(method: string): void {
    this._requestHandlers.delete(method);
  }

  /**
   * Checks that a method has no handler yet.
   *
   * @throws if it has one.
   */
  assertCanSetRequestHandler(method: string): void {
    if (this._requestHandlers.has(method)) {
      throw new Error(`A request handler for ${method} already exists, which would be overridden`);
    }
  }

  /** Sets the handler for notifications of a method, given as a schema or by name. */
  setNotificationHandler<T extends AnyObjectSchema | string>(
    notificationSchema: T,
    handler: (notification: T extends string ? Notification : SchemaOutput<T>) => void | Promise<void>,
  ): void {
    const take = handler as (notification: unknown) => unknown;
    const parse = typeof notificationSchema === 'string' ? (given: unknown) => given : (given: unknown) => parseWith(notificationSchema, given);
    this._notificationHandlers.set(methodFor(notificationSchema), (notification) => take(parse(notification)));
  }

  /** Removes the notification handler of a method. */
  removeNotificationHandler(method: string): void {
    this._notificationHandlers.delete(method);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds capabilities to others; members are merged one level deep. */
export function mergeCapabilities(base: ServerCapabilities, additional: Partial<ServerCapabilities>): ServerCapabilities;
/** Adds client capabilities to others; members are merged one level deep. */
export function mergeCapabilities(base: ClientCapabilities, additional: Partial<ClientCapabilities>): ClientCapabilities;
export function mergeCapabilities(base: object, additional: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(additional)) {
    const before = merged[name];
    if (value !== undefined) merged[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return merged;
}
