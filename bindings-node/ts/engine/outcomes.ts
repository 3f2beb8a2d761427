/**
 * Finished calls that are not handed back yet. Owns: how an outcome is written, and handing back all of one
 * turn at once. Must not know: when that is.
 */
import type { Failure } from './failure';
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

  questions(call: number, questions: [string, string, unknown][], state?: string): void {
    this.#rows.push(`{"id":${call},"input":${JSON.stringify({ questions, state })}}`);
  }

  /** Hands all of them back to the engine. */
  handBack(inbox: NativeInbox): void {
    const [rows, long] = [this.#rows, this.#long];
    [this.#rows, this.#long] = [[], []];
    for (const { call, texts, strings } of long) {
      try {
        inbox.completeInPieces(call, texts, strings);
      } catch {
        refuse(inbox, call);
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
  try {
    inbox.complete(`[${row}]`);
  } catch {
    refuse(inbox, Number(/^\{"id":(\d+)/.exec(row)?.[1]));
  }
}

function refuse(inbox: NativeInbox, call: number): void {
  const error = { kind: 'internal', code: -32603, message: 'the result is no JSON value that can be sent' };
  inbox.complete(`[{"id":${call},"error":${JSON.stringify(error)}}]`);
}
