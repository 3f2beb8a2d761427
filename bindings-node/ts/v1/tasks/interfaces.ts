/**
 * What a program provides to run tasks: handlers, a store, a queue. Owns: their types. Must not
 * know: who calls them.
 */
import { isOver } from '../../engine/tasks/params';
import type { AnySchema, ShapeOutput, ZodRawShapeCompat } from '../../protocol/zod/compat';
import type { RequestHandlerExtra, RequestTaskStore } from '../../common/peer/types';
import type {
  CallToolResult,
  CreateTaskResult,
  GetTaskResult,
  Result,
  ServerNotification,
  ServerRequest,
  Task,
  ToolExecution,
} from '../../protocol/types';

export type {
  BaseQueuedMessage,
  CreateTaskOptions,
  QueuedError,
  QueuedMessage,
  QueuedNotification,
  QueuedRequest,
  QueuedResponse,
  TaskMessageQueue,
  TaskStore,
} from '../../engine/tasks/store';

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

/**
 * Whether a status is final: `completed`, `failed` or `cancelled`.
 *
 * @param status - The status.
 * @experimental
 */
export function isTerminal(status: Task['status']): boolean {
  return isOver(status);
}
