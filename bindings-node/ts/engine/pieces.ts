/**
 * Long strings, which pass between JavaScript and the engine by themselves and not as part of JSON text.
 * Owns: finding them in values on the way out, and putting them back on the way in. Must not know: what the
 * values mean.
 *
 * `JSON.stringify`, joining texts and converting them to UTF-8 each copy a string once more, and slowly
 * where it is not all ASCII. The engine writes it as JSON in one pass.
 */
import type { Taken } from './native';

/** From this length on a string is given by itself. The engine's is the same, `LONG` of `src/strings.rs`. */
const LONG = 4096;
/** How deep long strings are looked for: a member of a block of a list of a result, or one level deeper. */
const DEEPEST = 5;
/** How many values are looked at before there is taken to be no long string. */
const MOST = 64;

/** JSON text in pieces: between each two texts belongs a string. */
export interface Pieces {
  readonly texts: readonly string[];
  readonly strings: readonly string[];
}

/** The same as `JSON.stringify`, in pieces if there are long strings. */
export function written(value: unknown): string | Pieces | undefined {
  if (!hasLong(value, DEEPEST, { left: MOST })) return JSON.stringify(value);
  const out = new Writer();
  out.value(value, DEEPEST);
  return out.pieces();
}

/** Whether text that is written by JavaScript has a word in it; long strings do not count. */
export function mentions(text: string | Pieces, word: string): boolean {
  return typeof text === 'string' ? text.includes(word) : text.texts.some((part) => part.includes(word));
}

/** The items of a batch, its long strings put where they belong. */
export function itemsOf(taken: Taken): unknown[] {
  if (typeof taken === 'string') return JSON.parse(taken) as unknown[];
  const items = JSON.parse(taken[0]) as unknown[];
  const ways = JSON.parse(taken[1]) as (string | number)[][];
  ways.forEach((way, number) => put(items, way, taken[number + 2]!));
  return items;
}

/** What the engine writes in the place of a long string. */
const ABSENT = '\0';

function put(items: unknown, way: readonly (string | number)[], text: string): void {
  let at = items as Record<string | number, unknown>;
  for (const step of way.slice(0, -1)) {
    const next = at[step];
    // Where a member occurs twice, the last one counted, and the way leads elsewhere or nowhere.
    if (typeof next !== 'object' || next === null) return;
    at = next as Record<string | number, unknown>;
  }
  const last = way[way.length - 1]!;
  if (at[last] === ABSENT) at[last] = text;
}

/** Whether `JSON.stringify` writes just the elements or own members of a value. */
function isOpen(value: unknown): value is Record<string, unknown> | unknown[] {
  if (typeof value !== 'object' || value === null) return false;
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  if (Array.isArray(value)) return true;
  const base: unknown = Object.getPrototypeOf(value);
  return base === Object.prototype || base === null;
}

function hasLong(value: unknown, depth: number, looked: { left: number }): boolean {
  if (typeof value === 'string') return value.length >= LONG;
  if (depth === 0 || typeof value !== 'object' || value === null) return false;
  for (const key in value) {
    if (looked.left-- === 0) return false;
    if (hasLong((value as Record<string, unknown>)[key], depth - 1, looked)) return isOpen(value);
  }
  return false;
}

/** Writes what `JSON.stringify` writes. */
class Writer {
  readonly #texts: string[] = [];
  readonly #strings: string[] = [];
  #text = '';

  pieces(): Pieces {
    return { texts: [...this.#texts, this.#text], strings: this.#strings };
  }

  /** Writes a value; `false` if JSON has none for it. */
  value(value: unknown, depth: number): boolean {
    if (typeof value === 'string' && value.length >= LONG) {
      this.#texts.push(this.#text);
      this.#strings.push(value);
      this.#text = '';
      return true;
    }
    if (depth > 0 && isOpen(value)) {
      if (Array.isArray(value)) this.elements(value, depth - 1);
      else this.members(value, depth - 1);
      return true;
    }
    const text = JSON.stringify(value) as string | undefined;
    this.#text += text ?? '';
    return text !== undefined;
  }

  private elements(list: readonly unknown[], depth: number): void {
    this.#text += '[';
    for (let at = 0; at < list.length; at++) {
      if (at > 0) this.#text += ',';
      if (!this.value(list[at], depth)) this.#text += 'null';
    }
    this.#text += ']';
  }

  private members(object: Record<string, unknown>, depth: number): void {
    this.#text += '{';
    let comma = '';
    for (const key of Object.keys(object)) {
      const before = this.#text;
      this.#text += `${comma}${JSON.stringify(key)}:`;
      if (this.value(object[key], depth)) comma = ',';
      else this.#text = before;
    }
    this.#text += '}';
  }
}
