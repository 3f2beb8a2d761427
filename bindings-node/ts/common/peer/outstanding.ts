/**
 * Requests of a JavaScript peer that wait for their answers. Owns: their ids, timeouts and
 * progress. Must not know: how messages travel.
 */
import { ErrorCode, McpError } from '../../engine/errors';
import { isOver } from '../../engine/tasks/params';
import type { Progress, Task } from '../../protocol/types';

/** The timeouts of one request, in milliseconds. */
export interface Patience {
  timeout: number;
  resetOnProgress: boolean;
  maxTotal: number | undefined;
}

interface Entry {
  settle: (outcome: unknown | Error) => void;
  expire: () => void;
  patience: Patience;
  started: number;
  timer: NodeJS.Timeout;
  progress: ((progress: Progress) => void) | undefined;
}

/** The requests of one connection. */
export class Outstanding {
  #next = 0;
  #entries = new Map<number, Entry>();
  /** Progress callbacks of requests that were answered with a task, which continues. */
  readonly #lasting = new Map<number, { taskId: string; progress: (progress: Progress) => void }>();

  /** The number of requests that wait. */
  get size(): number {
    return this.#entries.size;
  }

  /** The id of the next request. */
  number(): number {
    return this.#next++;
  }

  /**
   * Adds a request. `settle` is called once, with the answer or an `Error`; `expire` is called when
   * the timeout is over, and the caller has to `drop` the request then.
   */
  add(
    id: number,
    patience: Patience,
    settle: (outcome: unknown) => void,
    expire: () => void,
    progress?: (progress: Progress) => void,
  ): void {
    const timer = setTimeout(expire, patience.timeout);
    this.#entries.set(id, { settle, expire, patience, started: Date.now(), timer, progress });
  }

  /** Whether a request waits. */
  has(id: number): boolean {
    return this.#entries.has(id);
  }

  /** Removes a request without settling it. */
  drop(id: number): void {
    clearTimeout(this.#entries.get(id)?.timer);
    this.#entries.delete(id);
  }

  /** Settles a request. Returns `false` if no request with this id waits. */
  answered(id: number, outcome: unknown): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    this.drop(id);
    const taskId = taskOf(outcome);
    if (taskId !== undefined && entry.progress !== undefined) this.#lasting.set(id, { taskId, progress: entry.progress });
    // The answer to a question about a task also says where the task stands.
    if (this.#lasting.size > 0) this.moved((outcome ?? {}) as Task);
    entry.settle(outcome);
    return true;
  }

  /** Called with a task's status; a finished task has no more progress. */
  moved({ taskId, status }: Pick<Task, 'taskId' | 'status'>): void {
    if (!isOver(status)) return;
    for (const [id, lasting] of this.#lasting) if (lasting.taskId === taskId) this.#lasting.delete(id);
  }

  /** Passes on progress. Returns `false` if no callback is registered for it. */
  progressed(id: number, progress: Progress): boolean {
    const entry = this.#entries.get(id);
    if (entry?.progress === undefined) {
      this.#lasting.get(id)?.progress(progress);
      return this.#lasting.has(id);
    }
    const { patience } = entry;
    if (patience.resetOnProgress) {
      const totalElapsed = Date.now() - entry.started;
      if (patience.maxTotal !== undefined && totalElapsed >= patience.maxTotal) {
        const data = { maxTotalTimeout: patience.maxTotal, totalElapsed };
        return this.answered(id, McpError.fromError(ErrorCode.RequestTimeout, 'Maximum total timeout exceeded', data));
      }
      clearTimeout(entry.timer);
      entry.timer = setTimeout(entry.expire, patience.timeout);
    }
    entry.progress(progress);
    return true;
  }

  /** Settles all requests with an error. */
  close(error: Error): void {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    this.#lasting.clear();
    for (const entry of entries) {
      clearTimeout(entry.timer);
      entry.settle(error);
    }
  }
}

/** The id of the task in an answer, if the request became a task. */
function taskOf(outcome: unknown): string | undefined {
  const taskId = (outcome as { task?: { taskId?: unknown } | null } | null | undefined)?.task?.taskId;
  return typeof taskId === 'string' ? taskId : undefined;
}
