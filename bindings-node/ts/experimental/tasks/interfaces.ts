/**
 * What a program brings to run tasks: handlers, a store, a queue. Owns: their types. Must
 * not know: who calls them.
 */
import { isOver } from '../../internal/task-params';
import type { AnySchema, ShapeOutput, ZodRawShapeCompat } from '../../server/zod-compat';
import type { RequestHandlerExtra, RequestTaskStore } from '../../shared/protocol';
import type {
  CallToolResult,
  CreateTaskResult,
  GetTaskResult,
  JSONRPCErrorResponse,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResultResponse,
  Request,
  RequestId,
  Result,
  ServerNotification,
  ServerRequest,
  Task,
  ToolExecution,
} from '../../types';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Input = undefined | ZodRawShapeCompat | AnySchema;

/** What a handler that makes a task is given. */
export interface CreateTaskRequestHandlerExtra extends Extra {
  /** The store that keeps tasks. */
  taskStore: RequestTaskStore;
}

/** What a handler that is asked about a task is given. */
export interface TaskRequestHandlerExtra extends Extra {
  /** The id of the task. */
  taskId: string;
  /** The store that keeps tasks. */
  taskStore: RequestTaskStore;
}

/** A handler of a tool, with or without arguments. */
export type BaseToolCallback<
  SendResultT extends Result,
  ExtraT extends Extra,
  Args extends Input = undefined,
> = Args extends ZodRawShapeCompat
  ? (args: ShapeOutput<Args>, extra: ExtraT) => SendResultT | Promise<SendResultT>
  : Args extends AnySchema
    ? (args: unknown, extra: ExtraT) => SendResultT | Promise<SendResultT>
    : (extra: ExtraT) => SendResultT | Promise<SendResultT>;

/** A handler that creates a task. */
export type CreateTaskRequestHandler<SendResultT extends Result, Args extends Input = undefined> = BaseToolCallback<
  SendResultT,
  CreateTaskRequestHandlerExtra,
  Args
>;

/** Answers a question about a task. */
export type TaskRequestHandler<SendResultT extends Result, Args extends Input = undefined> = BaseToolCallback<
  SendResultT,
  TaskRequestHandlerExtra,
  Args
>;

/** A tool that runs as a task. */
export interface ToolTaskHandler<Args extends Input = undefined> {
  /** Creates the task and starts its work. */
  createTask: CreateTaskRequestHandler<CreateTaskResult, Args>;
  /** Returns the status of the task. */
  getTask: TaskRequestHandler<GetTaskResult, Args>;
  /** Returns the result of the task. */
  getTaskResult: TaskRequestHandler<CallToolResult, Args>;
}

/** How a tool runs that can be a task. */
export type TaskToolExecution<TaskSupport = ToolExecution['taskSupport']> = Omit<ToolExecution, 'taskSupport'> & {
  /** `required` or `optional`. */
  taskSupport: TaskSupport extends 'forbidden' | undefined ? never : TaskSupport;
};

/** A message that waits for the client to ask for the task's result. */
export type QueuedMessage = QueuedRequest | QueuedNotification | QueuedResponse | QueuedError;

/** What all waiting messages have. */
export interface BaseQueuedMessage {
  /** The kind of message. */
  type: string;
  /** The time the message was queued, in milliseconds since 1970. */
  timestamp: number;
}

/** A request that waits. */
export interface QueuedRequest extends BaseQueuedMessage {
  type: 'request';
  /** The request. */
  message: JSONRPCRequest;
}

/** A notification that waits. */
export interface QueuedNotification extends BaseQueuedMessage {
  type: 'notification';
  /** The notification. */
  message: JSONRPCNotification;
}

/** A result that waits. */
export interface QueuedResponse extends BaseQueuedMessage {
  type: 'response';
  /** The result. */
  message: JSONRPCResultResponse;
}

/** An error that waits. */
export interface QueuedError extends BaseQueuedMessage {
  type: 'error';
  /** The error. */
  message: JSONRPCErrorResponse;
}

/** Keeps messages until the client asks for a task's result: first in, first out. */
export interface TaskMessageQueue {
  /** Adds a message; throws if `maxSize` are there. */
  enqueue(taskId: string, message: QueuedMessage, sessionId?: string, maxSize?: number): Promise<void>;
  /** Removes and returns the first message of a task's queue. */
  dequeue(taskId: string, sessionId?: string): Promise<QueuedMessage | undefined>;
  /** Removes and returns all messages of a task's queue. */
  dequeueAll(taskId: string, sessionId?: string): Promise<QueuedMessage[]>;
}

/** How a task is made. */
export interface CreateTaskOptions {
  /** How long to keep the task, in milliseconds; `null` means for ever. */
  ttl?: number | null;
  /** How long a client should wait between two polls, in milliseconds. */
  pollInterval?: number;
  /** Further data for the store. */
  context?: Record<string, unknown>;
}

/** Keeps tasks and what came of them. A task belongs to the session it was made in. */
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
  /** Lists tasks, one page at a time. */
  listTasks(cursor?: string, sessionId?: string): Promise<{ tasks: Task[]; nextCursor?: string }>;
}

/**
 * Whether nothing more comes of a task.
 *
 * @experimental
 */
export function isTerminal(status: Task['status']): boolean {
  return isOver(status);
}
