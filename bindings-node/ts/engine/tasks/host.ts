/**
 * Tasks that run here. Owns: the four methods about them, the handlers' view of the store, and
 * messages that wait until the client asks for a task's result. Must not know: where tasks are
 * stored, or how messages are sent.
 */
import type { RequestTaskStore, TaskMessageQueue, TaskStore } from './store';
import type { JSONRPCNotification, JSONRPCRequest, Notification, Request, RequestId, Result, Task } from '../../protocol/types';
import { ErrorCode, McpError } from '../../protocol/mcp-error';
import { parseWith } from '../../protocol/schema/schema';
import { asTask, isOver, type TaskPlan } from './params';

/** The task options of a peer. */
export interface TaskOptions {
  taskStore: TaskStore;
  taskMessageQueue?: TaskMessageQueue | undefined;
  defaultTaskPollInterval?: number | undefined;
  maxTaskQueueSize?: number | undefined;
}

/** Can be sent requests and notifications: a call that is being answered. */
export interface Reach {
  readonly sessionId: string | undefined;
  readonly requestId: RequestId;
  readonly signal: AbortSignal;
  /** Sends a queued question of a task, without a timeout; `isLast` if nothing but the answer to this call follows. */
  askQueued(request: Request, isLast: boolean): Promise<unknown>;
  notify(notification: Notification): Promise<void>;
}

/** The options of a queued request. */
export interface Queued extends TaskPlan {
  /** How long to wait for the answer, in milliseconds. */
  timeout?: number | undefined;
  /** Gives the request up when aborted. */
  signal?: AbortSignal | undefined;
}

const RELATED = 'io.modelcontextprotocol/related-task';
const POLL_MS = 1000;
const TIMEOUT_MS = 60_000;
const invalid = (text: string): McpError => new McpError(ErrorCode.InvalidParams, text);
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The tasks of one server. */
export class TaskHost {
  readonly #store: TaskStore;
  readonly #options: TaskOptions;
  /** Requests that are queued or wait for their answers. */
  readonly #waiting = new Map<RequestId, (outcome: unknown) => void>();
  #next = 0;

  constructor(options: TaskOptions) {
    this.#store = options.taskStore;
    this.#options = options;
  }

  /** The handlers of the methods about tasks. */
  handlers(): Record<string, (params: any, from: Reach) => Promise<Result>> {
    return {
      'tasks/get': async ({ taskId }, from) => ({ ...(await this.#task(taskId, from, 'Failed to retrieve task: Task not found')) }),
      'tasks/result': ({ taskId }, from) => this.#result(taskId, from),
      'tasks/list': (params, from) => this.#list(params?.cursor, from),
      'tasks/cancel': ({ taskId }, from) => this.#cancel(taskId, from),
    };
  }

  async #task(taskId: string, from: Reach, missing: string): Promise<Task> {
    const task = await this.#store.getTask(taskId, from.sessionId);
    if (!task) throw invalid(missing);
    return task;
  }

  async #list(cursor: string | undefined, from: Reach): Promise<Result> {
    try {
      const { tasks, nextCursor } = await this.#store.listTasks(cursor, from.sessionId);
      return { tasks, nextCursor, _meta: {} };
    } catch (error) {
      throw invalid(`Failed to list tasks: ${wordsOf(error)}`);
    }
  }

  async #cancel(taskId: string, from: Reach): Promise<Result> {
    try {
      const { status } = await this.#task(taskId, from, `Task not found: ${taskId}`);
      if (isOver(status)) throw invalid(`Cannot cancel task in terminal status: ${status}`);
      await this.#store.updateTaskStatus(taskId, 'cancelled', 'Client cancelled task execution.', from.sessionId);
      await this.#drop(taskId, from.sessionId);
      return { _meta: {}, ...(await this.#task(taskId, from, `Task not found after cancellation: ${taskId}`)) };
    } catch (error) {
      if (error instanceof McpError) throw error;
      throw new McpError(ErrorCode.InvalidRequest, `Failed to cancel task: ${wordsOf(error)}`);
    }
  }

  /** Waits for the end of a task; its messages meanwhile are sent to the waiting client. */
  async #result(taskId: string, from: Reach): Promise<Result> {
    for (;;) {
      const { status } = await this.#task(taskId, from, `Task not found: ${taskId}`);
      await this.#deliver(taskId, from, isOver(status));
      const task = await this.#task(taskId, from, `Task not found: ${taskId}`);
      if (isOver(task.status)) break;
      await pause(task.pollInterval ?? this.#options.defaultTaskPollInterval ?? POLL_MS, from.signal);
    }
    const result = await this.#store.getTaskResult(taskId, from.sessionId);
    await this.#drop(taskId, from.sessionId);
    return { ...result, _meta: { ...result._meta, [RELATED]: { taskId } } };
  }

  async #deliver(taskId: string, from: Reach, isLast: boolean): Promise<void> {
    const queue = this.#options.taskMessageQueue;
    for (;;) {
      const waiting = await queue?.dequeue(taskId, from.sessionId);
      if (waiting === undefined) return;
      if (waiting.type === 'notification') await from.notify(waiting.message);
      else if (waiting.type === 'request') this.#asked(waiting.message, from, isLast);
      else {
        const { message } = waiting;
        this.#waiting.get(message.id as RequestId)?.('result' in message ? message.result : errorOf(message.error));
      }
    }
  }

  #asked({ id, method, params }: JSONRPCRequest, from: Reach, isLast: boolean): void {
    const settle = (outcome: unknown): void => this.#waiting.get(id)?.(outcome);
    from.askQueued({ method, params } as Request, isLast).then(settle, settle);
  }

  /** Drops the queued messages of a task that is over; its requests never get an answer. */
  async #drop(taskId: string, sessionId: string | undefined): Promise<void> {
    const left = (await this.#options.taskMessageQueue?.dequeueAll(taskId, sessionId)) ?? [];
    for (const { type, message } of left) {
      if (type !== 'request') continue;
      const over = new McpError(ErrorCode.InternalError, 'Task cancelled or completed');
      this.#waiting.get((message as JSONRPCRequest).id)?.(over);
    }
  }

  async #enqueue(taskId: string, sessionId: string | undefined, type: 'request' | 'notification', message: object): Promise<void> {
    const { taskMessageQueue: queue, maxTaskQueueSize } = this.#options;
    if (!queue) throw new Error('Cannot enqueue task message: taskStore and taskMessageQueue are not configured');
    await queue.enqueue(taskId, { type, message, timestamp: Date.now() } as never, sessionId, maxTaskQueueSize);
  }

  /** Sends a notification of a task, once the client asks for its result. */
  tell(notification: Notification, related: { taskId: string }, sessionId: string | undefined): Promise<void> {
    const message: JSONRPCNotification = { ...asTask(notification, { relatedTask: related }), jsonrpc: '2.0' };
    return this.#enqueue(related.taskId, sessionId, 'notification', message);
  }

  /** Sends a request of a task, once the client asks for its result. */
  ask(request: Request, schema: unknown, options: Queued, sessionId: string | undefined): Promise<unknown> {
    const id = this.#next++;
    const { timeout = TIMEOUT_MS, signal } = options;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
      };
      const fail = (error: unknown): void => {
        end();
        reject(error as Error);
      };
      const aborted = (): void => {
        const reason: unknown = signal?.reason;
        fail(reason instanceof McpError ? reason : new McpError(ErrorCode.RequestTimeout, String(reason)));
      };
      const timer = setTimeout(() => fail(McpError.fromError(ErrorCode.RequestTimeout, 'Request timed out', { timeout })), timeout);
      signal?.addEventListener('abort', aborted);
      this.#waiting.set(id, (outcome) => {
        if (outcome instanceof Error) return fail(outcome);
        end();
        try {
          resolve(schema === undefined ? outcome : parseWith(schema, outcome));
        } catch (error) {
          reject(error as Error);
        }
      });
      this.#enqueue(options.relatedTask!.taskId, sessionId, 'request', { ...asTask(request, options), jsonrpc: '2.0', id }).catch(fail);
    });
  }

  /** The store as a handler sees it. */
  storeFor(request: Request, from: Reach): RequestTaskStore {
    const { sessionId } = from;
    const store = this.#store;
    const found = (taskId: string): Promise<Task> => this.#task(taskId, from, 'Failed to retrieve task: Task not found');
    const tell = async (taskId: string): Promise<void> => {
      const task = await store.getTask(taskId, sessionId);
      if (task) await from.notify({ method: 'notifications/tasks/status', params: statusOf(task) } as Notification);
    };
    return {
      createTask: (params) => store.createTask(params, from.requestId, request, sessionId),
      getTask: found,
      getTaskResult: (taskId) => store.getTaskResult(taskId, sessionId),
      listTasks: (cursor) => store.listTasks(cursor, sessionId),
      async storeTaskResult(taskId, status, result) {
        await store.storeTaskResult(taskId, status, result, sessionId);
        await tell(taskId);
      },
      async updateTaskStatus(taskId, status, statusMessage) {
        const before = await store.getTask(taskId, sessionId);
        if (!before) throw invalid(`Task "${taskId}" not found - it may have been cleaned up`);
        if (isOver(before.status)) {
          const rule = 'Terminal states (completed, failed, cancelled) cannot transition to other states.';
          throw invalid(`Cannot update task "${taskId}" from terminal status "${before.status}" to "${status}". ${rule}`);
        }
        await store.updateTaskStatus(taskId, status, statusMessage, sessionId);
        await tell(taskId);
      },
    };
  }
}

function errorOf({ code, message, data }: { code: number; message: string; data?: unknown }): McpError {
  return new McpError(code, message, data);
}

/** The members of a task that the other side gets; a store may add others, such as the result. */
function statusOf(task: Task): Task {
  const members = ['taskId', 'status', 'ttl', 'createdAt', 'lastUpdatedAt', 'pollInterval', 'statusMessage', '_meta'];
  return Object.fromEntries(members.filter((name) => name in task).map((name) => [name, task[name as keyof Task]])) as unknown as Task;
}

/** Waits until the next poll. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      clearTimeout(timer);
      reject(new McpError(ErrorCode.InvalidRequest, 'Request cancelled'));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', over);
      resolve();
    }, milliseconds);
    if (signal.aborted) over();
    else signal.addEventListener('abort', over, { once: true });
  });
}
