/**
 * Values that live as long as a call, by the call's number.
 *
 * Owns: one table of that kind. Must not know: what is in it.
 *
 * Why not a `Map`: numbers come and go tens of thousands of times a second. A `Map` allocates a new
 * table every few of them, and V8 links the old table to the new one. Once one of these is promoted
 * to the old generation, the collector keeps all later ones, with every call in them, until the
 * next full collection: 40 MB more, and pauses of 4 ms instead of 0.5.
 */

/** Places for the values of a thread: more calls at the same time are rare. */
export const AT_ONCE = 256;
/** Places for the values of a connection, of which there may be many. */
export const FEW = 8;

/** Marks a free place; it is not a valid number. */
const FREE = -1;

/** A table from non-negative integers to values. Neighbouring numbers reuse the same memory. */
export class Slots<Value> {
  readonly #last: number;
  readonly #numbers: number[];
  readonly #values: (Value | undefined)[];
  /** The values whose place was occupied. */
  #rest: Map<number, Value> | undefined;
  #placed = 0;

  /** Creates a table with a number of places, a power of two. That many neighbours need no `Map`. */
  constructor(places: number) {
    this.#last = places - 1;
    this.#numbers = new Array<number>(places).fill(FREE);
    this.#values = new Array<Value | undefined>(places).fill(undefined);
  }

  /** The number of values. */
  get size(): number {
    return this.#placed + (this.#rest?.size ?? 0);
  }

  get(number: number): Value | undefined {
    const place = number & this.#last;
    if (this.#numbers[place] === number) return this.#values[place];
    return this.#rest?.get(number);
  }

  has(number: number): boolean {
    return this.#numbers[number & this.#last] === number || this.#rest?.has(number) === true;
  }

  set(number: number, value: Value): void {
    const place = number & this.#last;
    const there = this.#numbers[place];
    if (there !== number && (there !== FREE || this.#rest?.has(number))) {
      (this.#rest ??= new Map<number, Value>()).set(number, value);
      return;
    }
    if (there === FREE) this.#placed += 1;
    this.#numbers[place] = number;
    this.#values[place] = value;
  }

  /** Removes a value; returns whether there was one. */
  delete(number: number): boolean {
    const place = number & this.#last;
    if (this.#numbers[place] !== number) return this.#rest?.delete(number) === true;
    this.#numbers[place] = FREE;
    this.#values[place] = undefined;
    this.#placed -= 1;
    return true;
  }

  /** All current values, in no particular order. */
  values(): Value[] {
    const placed = this.#values.filter((_, place) => this.#numbers[place] !== FREE) as Value[];
    return this.#rest === undefined ? placed : [...placed, ...this.#rest.values()];
  }

  clear(): void {
    this.#numbers.fill(FREE);
    this.#values.fill(undefined);
    this.#rest = undefined;
    this.#placed = 0;
  }
}
