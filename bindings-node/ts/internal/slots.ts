/**
 * What lives as long as a call, by its number.
 *
 * Owns: one table of that kind. Must not know: what is in it.
 *
 * Why not a `Map`: numbers come and go tens of thousands of times a second, each `Map` makes
 * itself a new table every few of them, and V8 links the old table to the new one. Once one
 * of these is taken for old, the collector keeps all that follow, with every call in them,
 * until the next full collection: 40 MB more, and pauses of 4 ms where 0.5 would do.
 */

/** Places for what a thread has: as many calls at a time are rare. */
export const AT_ONCE = 256;
/** Places for what a connection has, of which there may be many. */
export const FEW = 8;

/** No number of anything. */
const FREE = -1;

/** A table from numbers that are not negative to values. Neighbouring numbers cost no memory anew. */
export class Slots<Value> {
  readonly #last: number;
  readonly #numbers: number[];
  readonly #values: (Value | undefined)[];
  /** Those whose place was taken. */
  #rest: Map<number, Value> | undefined;
  #placed = 0;

  /** `places`: a power of two; as many neighbours need no `Map`. */
  constructor(places: number) {
    this.#last = places - 1;
    this.#numbers = new Array<number>(places).fill(FREE);
    this.#values = new Array<Value | undefined>(places).fill(undefined);
  }

  /** How many there are. */
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

  /** Whether it was there. */
  delete(number: number): boolean {
    const place = number & this.#last;
    if (this.#numbers[place] !== number) return this.#rest?.delete(number) === true;
    this.#numbers[place] = FREE;
    this.#values[place] = undefined;
    this.#placed -= 1;
    return true;
  }

  /** All of them as they are now, in no order. */
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
