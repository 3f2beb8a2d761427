/**
 * Finished calls that are not handed back yet. Owns: how an outcome is written, and handing back all of one
 * turn at once. Must not know: when that is.
 */
import { failureOf, type Failure } from './failure';
import type { NativeInbox } from './native';
import type { Pieces } from './pieces';

/** A result with long strings, which crosses alone. */
interface LongResult extends Pieces {
  readonly call: number;
}

export class Outcomes {
  #rows: string[] = [];
  #long: LongResult[] = [];

  /** Whether there are none. */
  get isEmpty(): boolean {
    return this.#rows.length === 0 && this.#long.length === 0;
  }

  result(call: number, result: string | Pieces): void {
    if (typeof result === 'string') this.#rows.push(`{"id":${call},"result":${result}}`);
    else this.#long.push({ call, ...result });
  }

  failure(call: number, failure: Failure): void {
    this.#rows.push(`{"id":${call},"error":${JSON.stringify(failure)}}`);
  }

  questions(call: number, questions: string): void {
    this.#rows.push(`{"id":${call},"input":${questions}}`);
  }

  /** Hands all of them back to the engine. */
  handBack(inbox: NativeInbox): void {
    const [rows, long] = [this.#rows, this.#long];
    [this.#rows, this.#long] = [[], []];
    for (const { call, texts, strings } of long) {
      try {
        inbox.completeInPieces(call, texts, strings);
      } catch (error) {
        refuse(inbox, call, error);
      }
    }
    if (rows.length === 0) return;
    try {
      inbox.complete(`[${rows.join(',')}]`);
    } catch {
      for (const row of rows) alone(inbox, row);
    }
  }
}

/** Completes one call by itself, so that a result that cannot be sent fails only its own call. */
function alone(inbox: NativeInbox, row: string): void {
  const [head, call, isResult] = /^\{"id":(\d+),("result":)?/.exec(row)!;
  try {
    // A result crosses as its text, because the engine then says what is wrong with it and quotes nothing.
    if (isResult !== undefined) inbox.completeInPieces(Number(call), [row.slice(head.length, -1)], []);
    else inbox.complete(`[${row}]`);
  } catch (error) {
    refuse(inbox, Number(call), isResult && error);
  }
}

/** Answers a call whose result the engine does not take; `why` is what it threw for the result alone. */
function refuse(inbox: NativeInbox, call: number, why: unknown): void {
  const reason = failureOf(why)?.message;
  const words = 'the result is no JSON value that can be sent';
  const error = { kind: 'internal', code: -32603, message: reason === undefined ? words : `${words}: ${reason}` };
  inbox.complete(`[{"id":${call},"error":${JSON.stringify(error)}}]`);
}
