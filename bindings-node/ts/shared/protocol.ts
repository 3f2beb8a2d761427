/**
 * A peer of the protocol. Owns: handlers by method, and a peer in JavaScript over any
 * transport, for programs that derive from `Protocol`. Must not know: the engine; `Server`
 * and `Client` run on it, and take only the handlers from here.
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

/** A callback that is told of a request's progress. */
export type ProgressCallback = (progress: Progress) => void;

/** How long a request may take unless told otherwise, in milliseconds. */
export const DEFAULT_REQUEST_TIMEOUT_MSEC = 60000;

/** Options of a peer. */
export type ProtocolOptions = {
  /** Whether requests that the other side did not declare are refused here. */
  enforceStrictCapabilities?: boolean;
  /** Notifications without params of which several in a row are sent as one. */
  debouncedNotificationMethods?: string[];
  /** Where tasks are kept: with it, requests can become tasks here. */
  taskStore?: TaskStore;
  /** Where messages of tasks wait until their results are asked for. */
  taskMessageQueue?: TaskMessageQueue;
  /** How long to wait between two looks at a task that does not say, in milliseconds; default 1 s. */
  defaultTaskPollInterval?: number;
  /** How many messages of one task may wait. */
  maxTaskQueueSize?: number;
};

/** Options of a request. */
export type RequestOptions = {
  /** Called with the request's progress; asks the other side to report it. */
  onprogress?: ProgressCallback;
  /** Cancels the request when aborted. */
  signal?: AbortSignal;
  /** How long the request may take, in milliseconds; 60 s by default. */
  timeout?: number;
  /** Whether progress restarts the timeout. */
  resetTimeoutOnProgress?: boolean;
  /** How long the request may take in all, even with progress; in milliseconds. */
  maxTotalTimeout?: number;
  /** Asks for the request to become a task. */
  task?: TaskCreationParams;
  /** The task that this message belongs to. */
  relatedTask?: RelatedTaskMetadata;
} & TransportSendOptions;

/** Options of a request that a handler sends; which task it belongs to is known. */
export type TaskRequestOptions = Omit<RequestOptions, 'relatedTask'>;

/** The tasks of the session a request came from. */
export interface RequestTaskStore {
  /** Creates a task. */
  createTask(taskParams: CreateTaskOptions): Promise<Task>;
  /** Gets a task; throws if it does not exist. */
  getTask(taskId: string): Promise<Task>;
  /** Ends a task and stores its result. */
  storeTaskResult(taskId: string, status: 'completed' | 'failed', result: Result): Promise<void>;
  /** Gets the result of a task. */
  getTaskResult(taskId: string): Promise<Result>;
  /** Changes the status of a task. */
  updateTaskStatus(taskId: string, status: Task['status'], statusMessage?: string): Promise<void>;
  /** Lists tasks, one page at a time. */
  listTasks(cursor?: string): Promise<{ tasks: Task[]; nextCursor?: string }>;
}

/** Options of a notification. */
export type NotificationOptions = {
  /** The request of the other side that the notification is about. */
  relatedRequestId?: RequestId;
  /** The task that this message belongs to. */
  relatedTask?: RelatedTaskMetadata;
};

/** What a handler is given beside its request. */
export type RequestHandlerExtra<SendRequestT extends Request, SendNotificationT extends Notification> = {
  /** Aborted when the other side, or the end of the connection, cancels the request. */
  signal: AbortSignal;
  /** The authenticated sender of the request, if the transport verified it. */
  authInfo?: AuthInfo;
  /** The session the request belongs to. */
  sessionId?: string;
  /** The request's `_meta`. */
  _meta?: RequestMeta;
  /** The id of the request. */
  requestId: RequestId;
  /** The id of the task the request belongs to. */
  taskId?: string;
  /** Where tasks are kept, if they are. */
  taskStore?: RequestTaskStore;
  /** How long the requested task is to be kept, in milliseconds. */
  taskRequestedTtl?: number;
  /** The HTTP request that carried the request. */
  requestInfo?: RequestInfo;
  /** Sends a notification about this request. */
  sendNotification: (notification: SendNotificationT) => Promise<void>;
  /** Asks the other side something about this request. */
  sendRequest: <U extends AnySchema>(
    request: SendRequestT,
    resultSchema: U,
    options?: RequestOptions,
  ) => Promise<SchemaOutput<U>>;
  /** Ends the stream of this request early; the client comes back for the rest. */
  closeSSEStream?: () => void;
  /** Ends the stream that belongs to no request early. */
  closeStandaloneSSEStream?: () => void;
  /** The capabilities of the client that sent this request. Not in the official package. */
  clientCapabilities?: ClientCapabilities;
  /** Who sent this request. Not in the official package. */
  clientInfo?: Implementation;
  /**
   * Answers to the questions of an earlier round: what a handler returned as
   * `{ resultType: 'input_required', inputRequests, requestState? }`. By the keys of
   * `inputRequests`; empty in the first round. Not in the official package.
   */
  inputResponses?: Record<string, unknown>;
  /** `requestState` of the earlier round. Not in the official package. */
  requestState?: string;
};

/** A request of the protocol by its method; any request if the method is a program's own. */
type RequestNamed<M extends string> = [Extract<ClientRequest | ServerRequest, { method: M }>] extends [never]
  ? Request & { method: M }
  : Extract<ClientRequest | ServerRequest, { method: M }>;

/** A request by its schema, or by its method. */
export type RequestFor<T> = T extends string ? RequestNamed<T> : SchemaOutput<T>;

/** The method a handler is for. */
function methodFor(given: unknown): string {
  if (typeof given === 'string') return given;
  const method = methodOf(given);
  if (method === undefined) throw new Error('Schema is missing a method literal');
  return method;
}

/**
 * A peer over any transport: answers the other side's requests, sends requests of its
 * own. Derive from it for a protocol of your own.
 */
export abstract class Protocol<
  SendRequestT extends Request,
  SendNotificationT extends Notification,
  SendResultT extends Result,
> {
  /** Handlers by method; programs may change it. */
  protected _requestHandlers: HandlerTable<RequestHandler> = new HandlerTable();
  /** Handlers of notifications by method. */
  protected _notificationHandlers: HandlerTable<NotificationHandler> = new HandlerTable();
  /** What the peer was told. */
  protected _options?: ProtocolOptions;
  /** The tasks that run here, if there is a store for them. */
  protected readonly _tasks: TaskHost | undefined;
  private _peer: JsPeer | undefined;

  /** Called when the connection is over, whichever side ended it. */
  onclose?: () => void;
  /** Called with what goes wrong outside of requests. */
  onerror?: (error: Error) => void;
  /** Answers requests that have no handler. */
  fallbackRequestHandler?: (
    request: JSONRPCRequest,
    extra: RequestHandlerExtra<SendRequestT, SendNotificationT>,
  ) => Promise<SendResultT>;
  /** Takes notifications that have no handler. */
  fallbackNotificationHandler?: (notification: Notification) => Promise<void>;

  constructor(_options?: ProtocolOptions) {
    this._options = _options;
    const pong: MarkedHandler = () => ({});
    pong[PLAIN] = true;
    this._requestHandlers.set('ping', pong);
    this._tasks = tasksOf(_options, this._requestHandlers);
  }

  /** The transport of the current connection, if there is one. */
  get transport(): Transport | undefined {
    return this._peer?.transport;
  }

  /**
   * Connects, and listens. The transport's callbacks that are set already are called
   * first; it is this peer's alone from now on.
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

  /** Ends the connection. */
  async close(): Promise<void> {
    await this._peer?.transport.close();
  }

  /** Refuses a request that the other side did not declare. */
  protected abstract assertCapabilityForMethod(method: SendRequestT['method']): void;
  /** Refuses a notification that this side did not declare. */
  protected abstract assertNotificationCapability(method: SendNotificationT['method']): void;
  /** Refuses a handler for what this side did not declare. */
  protected abstract assertRequestHandlerCapability(method: string): void;
  /** Refuses a task for what the other side did not declare. */
  protected abstract assertTaskCapability(method: string): void;
  /** Refuses to make a task of what this side did not declare. */
  protected abstract assertTaskHandlerCapability(method: string): void;

  /**
   * Sends a request and waits for the answer.
   *
   * @throws what the other side answered, or why there is no answer.
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

  /** Refuses a request where capabilities are enforced. */
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
   * Where a task stands.
   *
   * @experimental
   */
  protected async getTask(params: { taskId: string }, options?: RequestOptions): Promise<GetTaskResult> {
    return this._questions.get(params.taskId, options);
  }

  /**
   * What came of a task; waits until it is over.
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
   * A page of tasks.
   *
   * @experimental
   */
  protected async listTasks(params?: { cursor?: string }, options?: RequestOptions): Promise<ListTasksResult> {
    return this._questions.list(params?.cursor, options);
  }

  /**
   * Ends a task.
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

  /** Has requests of a method answered by `handler`: by its schema, or by its name. */
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

  /** Removes the handler of a request method. */
  removeRequestHandler(method: string): void {
    this._requestHandlers.delete(method);
  }

  /**
   * Checks that a method has no handler.
   *
   * @throws if it has one.
   */
  assertCanSetRequestHandler(method: string): void {
    if (this._requestHandlers.has(method)) {
      throw new Error(`A request handler for ${method} already exists, which would be overridden`);
    }
  }

  /** Has notifications of a method taken by `handler`: by its schema, or by its name. */
  setNotificationHandler<T extends AnyObjectSchema | string>(
    notificationSchema: T,
    handler: (notification: T extends string ? Notification : SchemaOutput<T>) => void | Promise<void>,
  ): void {
    const take = handler as (notification: unknown) => unknown;
    const parse = typeof notificationSchema === 'string' ? (given: unknown) => given : (given: unknown) => parseWith(notificationSchema, given);
    this._notificationHandlers.set(methodFor(notificationSchema), (notification) => take(parse(notification)));
  }

  /** Removes the handler of a notification method. */
  removeNotificationHandler(method: string): void {
    this._notificationHandlers.delete(method);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Merges capabilities, members one level deep. */
export function mergeCapabilities(base: ServerCapabilities, additional: Partial<ServerCapabilities>): ServerCapabilities;
/** Merges capabilities of clients, members one level deep. */
export function mergeCapabilities(base: ClientCapabilities, additional: Partial<ClientCapabilities>): ClientCapabilities;
export function mergeCapabilities(base: object, additional: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(additional)) {
    const before = merged[name];
    if (value !== undefined) merged[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return merged;
}
