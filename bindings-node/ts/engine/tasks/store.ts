/**
 * Where tasks and their messages are stored. Owns: the types that a program's store implements. Must
 * not know: who calls them.
 */
import type {
  JSONRPCErrorResponse,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResultResponse,
  Request,
  RequestId,
  Result,
  Task,
} from '../../protocol/types';

/** A message that waits until the client asks for the task's result. */
export type QueuedMessage = QueuedRequest | QueuedNotification | QueuedResponse | QueuedError;

/** The members that all queued messages have. */
export interface BaseQueuedMessage {
  /** The kind of message. */
  type: string;
  /** When the message was queued, in milliseconds since 1970. */
  timestamp: number;
}

/** A queued request. */
export interface QueuedRequest extends BaseQueuedMessage {
  /** What kind of message it is. */
  type: 'request';
  /** The request. */
  message: JSONRPCRequest;
}

/** A queued notification. */
export interface QueuedNotification extends BaseQueuedMessage {
  /** What kind of message it is. */
  type: 'notification';
  /** The notification. */
  message: JSONRPCNotification;
}

/** A queued response with a result. */
export interface QueuedResponse extends BaseQueuedMessage {
  /** What kind of message it is. */
  type: 'response';
  /** The response. */
  message: JSONRPCResultResponse;
}

/** A queued response with an error. */
export interface QueuedError extends BaseQueuedMessage {
  /** What kind of message it is. */
  type: 'error';
  /** The response. */
  message: JSONRPCErrorResponse;
}

/** Stores messages until the client asks for a task's result: first in, first out. */
export interface TaskMessageQueue {
  /**
   * Adds a message to a task's queue; throws if the queue already holds `maxSize` messages.
   * @param taskId - The id of the task.
   * @param message - The message.
   * @param sessionId - The session that it belongs to. Default: none.
   * @param maxSize - The largest number of messages in the queue. Default: no limit.
   */
  enqueue(taskId: string, message: QueuedMessage, sessionId?: string, maxSize?: number): Promise<void>;
  /**
   * Removes and returns the first message; `undefined` if the queue is empty.
   * @param taskId - The id of the task.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  dequeue(taskId: string, sessionId?: string): Promise<QueuedMessage | undefined>;
  /**
   * Removes and returns all messages.
   * @param taskId - The id of the task.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  dequeueAll(taskId: string, sessionId?: string): Promise<QueuedMessage[]>;
}

/** Options for creating a task. */
export interface CreateTaskOptions {
  /** How long to keep the task, in milliseconds; `null` means without limit. */
  ttl?: number | null;
  /** How long a client should wait between two polls, in milliseconds. */
  pollInterval?: number;
  /** Additional data for the store. */
  context?: Record<string, unknown>;
}

/** Stores tasks and their results. A task belongs to the session that created it. */
export interface TaskStore {
  /**
   * Creates a task.
   * @param taskParams - How long to keep the task, and how often to ask for its state.
   * @param requestId - The id of the request.
   * @param request - The request.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  createTask(taskParams: CreateTaskOptions, requestId: RequestId, request: Request, sessionId?: string): Promise<Task>;
  /**
   * Gets a task; `null` if it is unknown.
   * @param taskId - The id of the task.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  getTask(taskId: string, sessionId?: string): Promise<Task | null>;
  /**
   * Ends a task and stores its result.
   * @param taskId - The id of the task.
   * @param status - The status.
   * @param result - The result.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  storeTaskResult(taskId: string, status: 'completed' | 'failed', result: Result, sessionId?: string): Promise<void>;
  /**
   * Gets the result of a task.
   * @param taskId - The id of the task.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  getTaskResult(taskId: string, sessionId?: string): Promise<Result>;
  /**
   * Changes the status of a task.
   * @param taskId - The id of the task.
   * @param status - The status.
   * @param statusMessage - The status message. Default: none.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  updateTaskStatus(taskId: string, status: Task['status'], statusMessage?: string, sessionId?: string): Promise<void>;
  /**
   * Lists one page of tasks.
   * @param cursor - Where the page begins: the `nextCursor` of the page before. Default: the first page.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  listTasks(cursor?: string, sessionId?: string): Promise<{ tasks: Task[]; nextCursor?: string }>;
}

/** The tasks of the session that a request came from. */
export interface RequestTaskStore {
  /**
   * Creates a task.
   * @param taskParams - How long to keep the task, and how often to ask for its state.
   */
  createTask(taskParams: CreateTaskOptions): Promise<Task>;
  /**
   * Gets a task; throws if it is unknown.
   * @param taskId - The id of the task.
   */
  getTask(taskId: string): Promise<Task>;
  /**
   * Ends a task and stores its result.
   * @param taskId - The id of the task.
   * @param status - The status.
   * @param result - The result.
   */
  storeTaskResult(taskId: string, status: 'completed' | 'failed', result: Result): Promise<void>;
  /**
   * Gets the result of a task.
   * @param taskId - The id of the task.
   */
  getTaskResult(taskId: string): Promise<Result>;
  /**
   * Changes the status of a task.
   * @param taskId - The id of the task.
   * @param status - The status.
   * @param statusMessage - The status message. Default: none.
   */
  updateTaskStatus(taskId: string, status: Task['status'], statusMessage?: string): Promise<void>;
  /**
   * Lists one page of tasks.
   * @param cursor - Where the page begins: the `nextCursor` of the page before. Default: the first page.
   */
  listTasks(cursor?: string): Promise<{ tasks: Task[]; nextCursor?: string }>;
}
