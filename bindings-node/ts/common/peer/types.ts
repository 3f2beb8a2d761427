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
