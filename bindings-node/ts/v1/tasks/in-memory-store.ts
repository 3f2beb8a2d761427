/**
 * Tasks and queued messages in memory, for tests and small programs. Owns: storing them, and
 * dropping them when their time is over. Must not know: who runs tasks.
 */
import { randomBytes } from 'node:crypto';
import type { Request, RequestId, Result, Task } from '../../protocol/types';
import { isTerminal, type CreateTaskOptions, type QueuedMessage, type TaskMessageQueue, type TaskStore } from './interfaces';

const PAGE = 10;
const POLL_MS = 1000;

interface Kept {
  task: Task;
  request: Request;
  requestId: RequestId;
  sessionId: string | undefined;
  result?: Result;
  timer?: NodeJS.Timeout;
}

/**
 * Stores tasks in memory until their `ttl` is over. A task that was created in a session can only
 * be read from that session.
 *
 * @experimental
 */
export class InMemoryTaskStore implements TaskStore {
  readonly #tasks = new Map<string, Kept>();

  #find(taskId: string, sessionId: string | undefined): Kept | undefined {
    const kept = this.#tasks.get(taskId);
    const owner = kept?.sessionId;
    return owner !== undefined && sessionId !== undefined && owner !== sessionId ? undefined : kept;
  }

  #known(taskId: string, sessionId: string | undefined): Kept {
    const kept = this.#find(taskId, sessionId);
    if (kept === undefined) throw new Error(`Task with ID ${taskId} not found`);
    return kept;
  }

  /** Starts the timer after which a task is dropped, or restarts it. */
  #forgetLater(kept: Kept): void {
    clearTimeout(kept.timer);
    if (!kept.task.ttl) return;
    kept.timer = setTimeout(() => this.#tasks.delete(kept.task.taskId), kept.task.ttl);
    // The timer does not keep the process alive.
    kept.timer.unref();
  }

  /**
   * Creates a task with an id that cannot be guessed.
   * @param taskParams - How long to keep the task, and how often to ask for its state.
   * @param requestId - The id of the request.
   * @param request - The request.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  async createTask(
    taskParams: CreateTaskOptions,
    requestId: RequestId,
    request: Request,
    sessionId?: string,
  ): Promise<Task> {
    const now = new Date().toISOString();
    const task: Task = {
      taskId: randomBytes(16).toString('hex'),
      status: 'working',
      ttl: taskParams.ttl ?? null,
      createdAt: now,
      lastUpdatedAt: now,
      pollInterval: taskParams.pollInterval ?? POLL_MS,
    };
    const kept: Kept = { task, request, requestId, sessionId };
    this.#tasks.set(task.taskId, kept);
    this.#forgetLater(kept);
    return { ...task };
  }

  /**
   * Gets a task; `null` if it is unknown.
   * @param taskId - The id of the task.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  async getTask(taskId: string, sessionId?: string): Promise<Task | null> {
    const kept = this.#find(taskId, sessionId);
    return kept === undefined ? null : { ...kept.task };
  }

  /**
   * Ends a task and stores its result; its `ttl` starts again.
   * @param taskId - The id of the task.
   * @param status - The status.
   * @param result - The result.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  async storeTaskResult(
    taskId: string,
    status: 'completed' | 'failed',
    result: Result,
    sessionId?: string,
  ): Promise<void> {
    const kept = this.#known(taskId, sessionId);
    if (isTerminal(kept.task.status)) {
      const why = `terminal status '${kept.task.status}'. Task results can only be stored once.`;
      throw new Error(`Cannot store result for task ${taskId} in ${why}`);
    }
    kept.result = result;
    Object.assign(kept.task, { status, lastUpdatedAt: new Date().toISOString() });
    this.#forgetLater(kept);
  }

  /**
   * Gets the result of a task.
   * @param taskId - The id of the task.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  async getTaskResult(taskId: string, sessionId?: string): Promise<Result> {
    const { result } = this.#known(taskId, sessionId);
    if (result === undefined) throw new Error(`Task ${taskId} has no result stored`);
    return result;
  }

  /**
   * Changes the status of a task; throws if the task is over.
   * @param taskId - The id of the task.
   * @param status - The status.
   * @param statusMessage - The status message. Default: none.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  async updateTaskStatus(
    taskId: string,
    status: Task['status'],
    statusMessage?: string,
    sessionId?: string,
  ): Promise<void> {
    const kept = this.#known(taskId, sessionId);
    const { task } = kept;
    if (isTerminal(task.status)) {
      const rule = 'Terminal states (completed, failed, cancelled) cannot transition to other states.';
      throw new Error(`Cannot update task ${taskId} from terminal status '${task.status}' to '${status}'. ${rule}`);
    }
    Object.assign(task, { status, lastUpdatedAt: new Date().toISOString() });
    if (statusMessage) task.statusMessage = statusMessage;
    if (isTerminal(status)) this.#forgetLater(kept);
  }

  /**
   * Lists one page of ten tasks, in the order they were created.
   * @param cursor - Where the page begins: the `nextCursor` of the page before. Default: the first page.
   * @param sessionId - The session that it belongs to. Default: none.
   */
  async listTasks(cursor?: string, sessionId?: string): Promise<{ tasks: Task[]; nextCursor?: string }> {
    const ids = [...this.#tasks.keys()].filter((id) => this.#find(id, sessionId) !== undefined);
    const last = cursor ? ids.indexOf(cursor) : -1;
    if (cursor && last < 0) throw new Error(`Invalid cursor: ${cursor}`);
    const page = ids.slice(last + 1, last + 1 + PAGE);
    const isMore = last + 1 + PAGE < ids.length;
    const tasks = page.map((id) => ({ ...this.#tasks.get(id)!.task }));
    return { tasks, ...(isMore && { nextCursor: page.at(-1)! }) };
  }

  /** Drops all tasks. */
  cleanup(): void {
    for (const { timer } of this.#tasks.values()) clearTimeout(timer);
    this.#tasks.clear();
  }

  /** All tasks of all sessions, for debugging. */
  getAllTasks(): Task[] {
    return [...this.#tasks.values()].map(({ task }) => ({ ...task }));
  }
}

/**
 * Stores queued messages in memory, by task.
 *
 * @experimental
 */
export class InMemoryTaskMessageQueue implements TaskMessageQueue {
  readonly #queues = new Map<string, QueuedMessage[]>();

  /**
   * Adds a message to a task's queue; throws if the queue already holds `maxSize` messages.
   * @param taskId - The id of the task.
   * @param message - The message.
   * @param maxSize - The largest number of messages in the queue. Default: no limit.
   */
  async enqueue(taskId: string, message: QueuedMessage, _sessionId?: string, maxSize?: number): Promise<void> {
    const queue = this.#queues.get(taskId) ?? [];
    if (maxSize !== undefined && queue.length >= maxSize) {
      throw new Error(`Task message queue overflow: queue size (${queue.length}) exceeds maximum (${maxSize})`);
    }
    queue.push(message);
    this.#queues.set(taskId, queue);
  }

  /**
   * Removes and returns the first message; `undefined` if the queue is empty.
   * @param taskId - The id of the task.
   */
  async dequeue(taskId: string, _sessionId?: string): Promise<QueuedMessage | undefined> {
    const queue = this.#queues.get(taskId);
    const first = queue?.shift();
    if (queue?.length === 0) this.#queues.delete(taskId);
    return first;
  }

  /**
   * Removes and returns all messages.
   * @param taskId - The id of the task.
   */
  async dequeueAll(taskId: string, _sessionId?: string): Promise<QueuedMessage[]> {
    const queue = this.#queues.get(taskId) ?? [];
    this.#queues.delete(taskId);
    return queue;
  }
}
