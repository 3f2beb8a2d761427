/**
 * Requests of a peer in JavaScript that wait for their answers. Owns: their numbers, their
 * time and their progress. Must not know: how messages travel.
 */
import { ErrorCode, McpError } from './errors';
import type { Progress } from '../types';

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

  /** An answer came. `false` if nobody waits for it. */
  answered(id: number, outcome: unknown): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    this.drop(id);
    entry.settle(outcome);
    return true;
  }

  /** Progress came. `false` if nobody listens. */
  progressed(id: number, progress: Progress): boolean {
    const entry = this.#entries.get(id);
    if (entry?.progress === undefined) return false;
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
    for (const entry of entries) {
      clearTimeout(entry.timer);
      entry.settle(error);
    }
  }
}
