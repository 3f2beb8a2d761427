/**
 * What a program's functions threw while the engine sent a message, so that the program gets the same
 * object back. Owns: which failure stands for which error. Must not know: requests, classes of errors.
 */
import { ServiceError, type Failure } from '../../engine/failure';
import { runtime } from '../../engine/timers';

/** How many errors are kept: the last ones, because most are asked for at once. */
const MOST = 1000;

/** The errors of one connection. */
export class Thrown {
  readonly #errors = new Map<number, unknown>();
  #last = 0;

  /** Keeps an error; the one that it returns is for the engine. */
  keep(error: unknown): ServiceError {
    this.#errors.set(++this.#last, error);
    this.#errors.delete(this.#last - MOST);
    return new ServiceError(String((error as Error)?.message ?? error), { thrown: this.#last });
  }

  /** The error that a failure stands for; `undefined` for other failures. */
  of({ kind, data }: Failure): Error | undefined {
    // Errors of a server have other kinds, whatever data they have.
    if (kind !== 'transport') return undefined;
    return this.#errors.get((data as { thrown?: number } | null | undefined)?.thrown ?? 0) as Error | undefined;
  }

  /** Forgets all errors once requests that fail in this turn have looked for theirs. */
  end(): void {
    runtime.setImmediate(() => this.#errors.clear());
  }
}
