/**
 * Tools that run as tasks. Owns: starting a task, and waiting for it on behalf of clients that do
 * not use tasks. Must not know: where tasks are stored.
 */
import { ErrorCode } from '../../protocol/mcp-error';
import type { Face } from './face';
import type { Soon } from './records';

interface Task {
  taskId: string;
  status: string;
  pollInterval?: number;
}

interface TaskStore {
  getTask(taskId: string): Promise<Task | undefined>;
  getTaskResult(taskId: string): Promise<unknown>;
}

/** Creates a tool's tasks and reports on them. */
export interface TaskHandler {
  createTask(...parts: unknown[]): Soon<{ task: Task }>;
}

const POLL_MS = 5000;
const DONE = ['completed', 'failed', 'cancelled'];

const storeOf = (extra: object): TaskStore | undefined => (extra as { taskStore?: TaskStore }).taskStore;

/** Starts a task. */
export function runTask(handler: TaskHandler, args: unknown[], extra: object): Soon<unknown> {
  const taskStore = storeOf(extra);
  if (!taskStore) throw new Error('No task store provided.');
  return handler.createTask(...args, { ...extra, taskStore });
}

/** Starts a task, waits for it and returns its result. */
export async function pollTask(handler: TaskHandler, read: () => Soon<unknown>, extra: object, face: Face): Promise<unknown> {
  const taskStore = storeOf(extra);
  if (!taskStore) throw new Error('No task store provided for task-capable tool.');
  const args = await read();
  const parts = args ? [args] : [];
  const created = await handler.createTask(...parts, { ...extra, taskStore });
  const { taskId } = created.task;
  const pause = created.task.pollInterval ?? POLL_MS;
  let { status } = created.task;
  while (!DONE.includes(status)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const task = await taskStore.getTask(taskId);
    if (!task) throw face.fault(ErrorCode.InternalError, `Task ${taskId} not found during polling`);
    ({ status } = task);
  }
  return taskStore.getTaskResult(taskId);
}
