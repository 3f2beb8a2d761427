/**
 * Requests of a peer in JavaScript that wait for their answers. Owns: their numbers, their
 * time and their progress. Must not know: how messages travel.
 */
import { ErrorCode, McpError } from './errors';
import { isOver } from './task-params';
import type { Progress, Task } from '../types';

/** How long one request may take, in milliseconds. */
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
  /** Who listens to requests that were answered with a task, which goes on. */
  readonly #lasting = new Map<number, { taskId: string; progress: (progress: Progress) => void }>();

  /** How many there are. */
  get size(): number {
    return this.#entries.size;
  }

  /** The number of the next request. */
  number(): number {
    return this.#next++;
  }

  /**
   * Waits for an answer. `settle` is called once, with the answer or an `Error`; `expire`
   * when the time is over, and it is for the caller to `drop` the request then.
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

  /** Forgets a request without a word. */
  drop(id: number): void {
    clearTimeout(this.#entries.get(id)?.timer);
    this.#entries.delete(id);
  }

  /** An answer came. `false` if no request waits for it. */
  answered(id: number, outcome: unknown): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    this.drop(id);
    const taskId = taskOf(outcome);
    if (taskId !== undefined && entry.progress !== undefined) this.#lasting.set(id, { taskId, progress: entry.progress });
    // Who asks for a task need not be told of it as well.
    if (this.#lasting.size > 0) this.moved((outcome ?? {}) as Task);
    entry.settle(outcome);
    return true;
  }

  /** A task is somewhere else: one that is over has no more progress. */
  moved({ taskId, status }: Pick<Task, 'taskId' | 'status'>): void {
    if (!isOver(status)) return;
    for (const [id, lasting] of this.#lasting) if (lasting.taskId === taskId) this.#lasting.delete(id);
  }

  /** Progress came. `false` if no request listens for it. */
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

  /** Ends all of them. */
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

/** The task that an answer is about, if it says that the request became one. */
function taskOf(outcome: unknown): string | undefined {
  const taskId = (outcome as { task?: { taskId?: unknown } | null } | null | undefined)?.task?.taskId;
  return typeof taskId === 'string' ? taskId : undefined;
}
