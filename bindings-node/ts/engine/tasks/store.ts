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
  type: 'request';
  /** The request. */
  message: JSONRPCRequest;
}

/** A queued notification. */
export interface QueuedNotification extends BaseQueuedMessage {
  type: 'notification';
  /** The notification. */
  message: JSONRPCNotification;
}

/** A queued response with a result. */
export interface QueuedResponse extends BaseQueuedMessage {
  type: 'response';
  /** The response. */
  message: JSONRPCResultResponse;
}

/** A queued response with an error. */
export interface QueuedError extends BaseQueuedMessage {
  type: 'error';
  /** The response. */
  message: JSONRPCErrorResponse;
}

/** Stores messages until the client asks for a task's result: first in, first out. */
export interface TaskMessageQueue {
  /** Adds a message to a task's queue; throws if the queue already holds `maxSize` messages. */
  enqueue(taskId: string, message: QueuedMessage, sessionId?: string, maxSize?: number): Promise<void>;
  /** Removes and returns the first message; `undefined` if the queue is empty. */
  dequeue(taskId: string, sessionId?: string): Promise<QueuedMessage | undefined>;
  /** Removes and returns all messages. */
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
  /** Creates a task. */
  createTask(taskParams: CreateTaskOptions, requestId: RequestId, request: Request, sessionId?: string): Promise<Task>;
  /** Gets a task; `null` if it is unknown. */
  getTask(taskId: string, sessionId?: string): Promise<Task | null>;
  /** Ends a task and stores its result. */
  storeTaskResult(taskId: string, status: 'completed' | 'failed', result: Result, sessionId?: string): Promise<void>;
  /** Gets the result of a task. */
  getTaskResult(taskId: string, sessionId?: string): Promise<Result>;
  /** Changes the status of a task. */
  updateTaskStatus(taskId: string, status: Task['status'], statusMessage?: string, sessionId?: string): Promise<void>;
  /** Lists one page of tasks. */
  listTasks(cursor?: string, sessionId?: string): Promise<{ tasks: Task[]; nextCursor?: string }>;
}

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
