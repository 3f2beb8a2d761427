/**
 * Options of peers and requests, and what handlers get. Owns: these types. Must not know: who
 * answers or sends.
 */
import type { RequestTaskStore, TaskMessageQueue, TaskStore } from '../../engine/tasks/store';
import type { AuthInfo } from '../../protocol/auth-info';
import type { TransportSendOptions } from '../../protocol/transport';
import type {
  ClientCapabilities,
  ClientRequest,
  Implementation,
  Notification,
  Progress,
  RelatedTaskMetadata,
  Request,
  RequestId,
  RequestInfo,
  RequestMeta,
  ServerRequest,
  TaskCreationParams,
} from '../../protocol/types';
import type { AnySchema, SchemaOutput } from '../../protocol/schema/output';

export type { RequestTaskStore } from '../../engine/tasks/store';

/** Called with each progress notification of a request. */
export type ProgressCallback = (progress: Progress) => void;

/** Options that servers and clients have alike. */
export type ProtocolOptions = {
  /** Whether to refuse requests for capabilities that the other side did not declare. Default: false. */
  enforceStrictCapabilities?: boolean;
  /** The methods of notifications without parameters that are sent once if several come in a row. Default: none. */
  debouncedNotificationMethods?: string[];
  /** Stores tasks (2025-11-25). With a store, incoming requests can run as tasks. Default: none. */
  taskStore?: TaskStore;
  /** Queues the messages of tasks until the other side asks for the results. Default: none. */
  taskMessageQueue?: TaskMessageQueue;
  /** How long to wait between two polls of a task that names no interval, in milliseconds. Default: 1000. */
  defaultTaskPollInterval?: number;
  /** How many messages of one task may be queued. Default: no limit. */
  maxTaskQueueSize?: number;
};

/** Options of a request. */
export type RequestOptions = {
  /** Called with each progress notification. Default: none, and the request does not ask for progress. */
  onprogress?: ProgressCallback;
  /** Cancels the request when it is aborted. Default: none. */
  signal?: AbortSignal;
  /** How long to wait for the answer, in milliseconds. Default: 60,000. */
  timeout?: number;
  /** Whether each progress notification restarts the timeout. Default: false. */
  resetTimeoutOnProgress?: boolean;
  /** The longest time to wait in total, in milliseconds, even if progress restarts the timeout. Default: no limit. */
  maxTotalTimeout?: number;
  /** Asks the other side to run the request as a task (2025-11-25). Default: no. */
  task?: TaskCreationParams;
  /** The task that the request belongs to. Default: none. */
  relatedTask?: RelatedTaskMetadata;
} & TransportSendOptions;

/** Options of a request that a handler sends; its related task is already known. */
export type TaskRequestOptions = Omit<RequestOptions, 'relatedTask'>;

/** Options of a notification. */
export type NotificationOptions = {
  /** The id of the incoming request on whose stream to send the notification. Default: none. */
  relatedRequestId?: RequestId;
  /** The task that the notification belongs to. Default: none. */
  relatedTask?: RelatedTaskMetadata;
};

/** The context of a request: the last parameter of its handler. */
export type RequestHandlerExtra<SendRequestT extends Request, SendNotificationT extends Notification> = {
  /** Aborted when the other side cancels the request, or the connection ends. */
  signal: AbortSignal;
  /** The verified access token of the request; `undefined` without one. */
  authInfo?: AuthInfo;
  /** The id of the session; `undefined` without sessions. */
  sessionId?: string;
  /** The `_meta` member of the request. */
  _meta?: RequestMeta;
  /** The id that the sender gave the request. */
  requestId: RequestId;
  /** The id of the task that the request belongs to. */
  taskId?: string;
  /** The store of tasks; `undefined` if none is configured. */
  taskStore?: RequestTaskStore;
  /** For how many milliseconds the requested task is to be kept. */
  taskRequestedTtl?: number;
  /** The headers of the HTTP request; `undefined` on other transports. */
  requestInfo?: RequestInfo;
  /** Sends a notification on the stream of this request. */
  sendNotification: (notification: SendNotificationT) => Promise<void>;
  /** Sends a request to the other side, on the stream of this request. */
  sendRequest: <U extends AnySchema>(
    request: SendRequestT,
    resultSchema: U,
    options?: RequestOptions,
  ) => Promise<SchemaOutput<U>>;
  /** Closes the stream of this request; the client reconnects and gets the rest. `undefined` without a stream. */
  closeSSEStream?: () => void;
  /** Closes the stream for messages that belong to no request; the client opens it again. `undefined` without one. */
  closeStandaloneSSEStream?: () => void;
  /** The capabilities of the client that sent this request. Not in the official package. */
  clientCapabilities?: ClientCapabilities;
  /** The name and version of the client that sent this request. Not in the official package. */
  clientInfo?: Implementation;
  /**
   * The answers to the questions that the handler returned in an earlier round, as `{ resultType:
   * 'input_required', inputRequests, requestState? }`. Keys are those of `inputRequests`; empty when the
   * handler is called for the first time. Not in the official package.
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
