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

/** More are held elsewhere; as many calls at a time are rare. A power of two. */
const PLACES = 256;

/** No number of anything. */
const FREE = -1;

/** A table from numbers that are not negative to values. Neighbouring numbers cost no memory anew. */
export class Slots<Value> {
  readonly #numbers: number[] = new Array<number>(PLACES).fill(FREE);
  readonly #values: (Value | undefined)[] = new Array<Value | undefined>(PLACES).fill(undefined);
  /** Those whose place was taken. */
  readonly #rest = new Map<number, Value>();
  #placed = 0;

  /** How many there are. */
  get size(): number {
    return this.#placed + this.#rest.size;
  }

  get(number: number): Value | undefined {
    const place = number & (PLACES - 1);
    if (this.#numbers[place] === number) return this.#values[place];
    return this.#rest.size === 0 ? undefined : this.#rest.get(number);
  }

  has(number: number): boolean {
    return this.#numbers[number & (PLACES - 1)] === number || this.#rest.has(number);
  }

  set(number: number, value: Value): void {
    const place = number & (PLACES - 1);
    const there = this.#numbers[place];
    if (there !== number && (there !== FREE || this.#rest.has(number))) {
      this.#rest.set(number, value);
      return;
    }
    if (there === FREE) this.#placed += 1;
    this.#numbers[place] = number;
    this.#values[place] = value;
  }

  /** Whether it was there. */
  delete(number: number): boolean {
    const place = number & (PLACES - 1);
    if (this.#numbers[place] !== number) return this.#rest.size > 0 && this.#rest.delete(number);
    this.#numbers[place] = FREE;
    this.#values[place] = undefined;
    this.#placed -= 1;
    return true;
  }

  /** All of them as they are now, in no order. */
  values(): Value[] {
    const placed = this.#values.filter((_, place) => this.#numbers[place] !== FREE) as Value[];
    return [...placed, ...this.#rest.values()];
  }

  clear(): void {
    this.#numbers.fill(FREE);
    this.#values.fill(undefined);
    this.#rest.clear();
    this.#placed = 0;
  }
}
