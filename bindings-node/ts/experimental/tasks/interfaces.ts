/**
 * What a program provides to run tasks: handlers, a store, a queue. Owns: their types. Must not
 * know: who calls them.
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

/** The second parameter of a handler that creates a task. */
export interface CreateTaskRequestHandlerExtra extends Extra {
  /** Where tasks are stored. */
  taskStore: RequestTaskStore;
}

/** The second parameter of a handler that is asked about a task. */
export interface TaskRequestHandlerExtra extends Extra {
  /** The task's id. */
  taskId: string;
  /** Where tasks are stored. */
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

/** Creates a task for a tool call. */
export type CreateTaskRequestHandler<SendResultT extends Result, Args extends Input = undefined> = BaseToolCallback<
  SendResultT,
  CreateTaskRequestHandlerExtra,
  Args
>;

/** Returns the state or the result of a task. */
export type TaskRequestHandler<SendResultT extends Result, Args extends Input = undefined> = BaseToolCallback<
  SendResultT,
  TaskRequestHandlerExtra,
  Args
>;

/** A tool that runs as a task. */
export interface ToolTaskHandler<Args extends Input = undefined> {
  /** Creates the task and starts it. */
  createTask: CreateTaskRequestHandler<CreateTaskResult, Args>;
  /** Returns the task's state. */
  getTask: TaskRequestHandler<GetTaskResult, Args>;
  /** Returns the task's result. */
  getTaskResult: TaskRequestHandler<CallToolResult, Args>;
}

/** The `execution` member of a tool that can run as a task. */
export type TaskToolExecution<TaskSupport = ToolExecution['taskSupport']> = Omit<ToolExecution, 'taskSupport'> & {
  /** Whether the tool must run as a task (`required`) or may (`optional`). */
  taskSupport: TaskSupport extends 'forbidden' | undefined ? never : TaskSupport;
};

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

/**
 * Whether a status is final: `completed`, `failed` or `cancelled`.
 *
 * @experimental
 */
export function isTerminal(status: Task['status']): boolean {
  return isOver(status);
}
