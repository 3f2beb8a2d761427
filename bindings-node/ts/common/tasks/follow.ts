/**
 * Following a request that became a task on the other side. Owns: the order of the requests, and
 * how long to wait between them. Must not know: tasks that run here.
 */
import type { RequestOptions } from '../peer/types';
import type { ResponseMessage } from '../peer/response-message';
import {
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  GetTaskResultSchema,
  ListTasksResultSchema,
  ResultSchema,
  type CancelTaskResult,
  type CreateTaskResult,
  type GetTaskResult,
  type ListTasksResult,
  type Result,
} from '../../protocol/types';
import { ErrorCode, McpError } from '../../protocol/mcp-error';
import type { Asked } from '../../engine/tasks/params';

/** A peer that can send requests. */
export interface Asker {
  request(request: any, schema: any, options?: RequestOptions): Promise<any>;
}

const POLL_MS = 1000;

/** The requests about tasks. */
export class TaskQuestions {
  readonly #peer: Asker;

  constructor(peer: Asker) {
    this.#peer = peer;
  }

  /** Gets the state of a task. */
  get(taskId: string, options?: RequestOptions): Promise<GetTaskResult> {
    return this.#peer.request({ method: 'tasks/get', params: { taskId } }, GetTaskResultSchema, options);
  }

  /** Gets the result of a task; waits until the task is over. */
  result(taskId: string, schema: unknown = ResultSchema, options?: RequestOptions): Promise<any> {
    return this.#peer.request({ method: 'tasks/result', params: { taskId } }, schema, options);
  }

  /** Lists one page of tasks. */
  list(cursor: string | undefined, options?: RequestOptions): Promise<ListTasksResult> {
    const params = cursor === undefined ? undefined : { cursor };
    return this.#peer.request({ method: 'tasks/list', params }, ListTasksResultSchema, options);
  }

  /** Cancels a task. */
  cancel(taskId: string, options?: RequestOptions): Promise<CancelTaskResult> {
    return this.#peer.request({ method: 'tasks/cancel', params: { taskId } }, CancelTaskResultSchema, options);
  }

  /** Sends a request and yields each step; the last one is a result or an error. */
  async *follow<T extends Result>(
    request: Asked,
    schema: unknown,
    options?: RequestOptions,
  ): AsyncGenerator<ResponseMessage<T>, void, void> {
    try {
      if (options?.task === undefined) yield { type: 'result', result: await this.#peer.request(request, schema, options) };
      else yield* this.#steps<T>(request, schema, options);
    } catch (error) {
      yield { type: 'error', error: error instanceof McpError ? error : new McpError(ErrorCode.InternalError, String(error)) };
    }
  }

  async *#steps<T extends Result>(
    request: Asked,
    schema: unknown,
    options: RequestOptions,
  ): AsyncGenerator<ResponseMessage<T>, void, void> {
    const created = (await this.#peer.request(request, CreateTaskResultSchema, options)) as CreateTaskResult;
    yield { type: 'taskCreated', task: created.task };
    const { taskId } = created.task;
    const { task: _, ...plain } = options;
    for (;;) {
      const task = await this.get(taskId, plain);
      yield { type: 'taskStatus', task };
      if (task.status === 'failed') throw new McpError(ErrorCode.InternalError, `Task ${taskId} failed`);
      if (task.status === 'cancelled') throw new McpError(ErrorCode.InternalError, `Task ${taskId} was cancelled`);
      // A task that needs input sends its questions while its result is awaited.
      if (task.status === 'completed' || task.status === 'input_required') {
        yield { type: 'result', result: (await this.result(taskId, schema, plain)) as T };
        return;
      }
      await pause(task.pollInterval ?? POLL_MS, options.signal);
    }
  }
}

/** Waits; throws the signal's reason when it is aborted. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
