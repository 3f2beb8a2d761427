// JSON values as literals of a programming language.
//
// Owns: quoting, nesting, words for true, false and null. Must not know: whole programs.

import type { Json } from '../json';

/** How a language writes values. */
export interface Dialect {
  text(words: string): string;
  yes: string;
  no: string;
  nothing: string;
  list: [open: string, close: string];
  object: [open: string, close: string];
  /** What stands for an object without members, where that is something else. */
  empty?: string;
  /** Between a name and its value. */
  is: string;
  /** Names that need no quotes. */
  bare?: RegExp;
}

/** Longest literal that stays on one line. */
const LINE = 72;

export function literal(value: Json, to: Dialect, indent: string, step: string): string {
  if (value === null) return to.nothing;
  if (typeof value === 'boolean') return value ? to.yes : to.no;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return to.text(value);
  const inside = indent + step;
  const name = (words: string) => (to.bare?.test(words) ? words : to.text(words));
  const parts = Array.isArray(value)
    ? value.map((one) => literal(one, to, inside, step))
    : Object.entries(value).map(([key, one]) => `${name(key)}${to.is}${literal(one, to, inside, step)}`);
  const [open, close] = Array.isArray(value) ? to.list : to.object;
  if (parts.length === 0) return !Array.isArray(value) && to.empty ? to.empty : open + close;
  const short = `${open}${parts.join(', ')}${close}`;
  if (short.length + indent.length <= LINE && !short.includes('\n')) return short;
  return `${open}\n${parts.map((part) => `${inside}${part},\n`).join('')}${indent}${close}`;
}

/** As JSON writes it, which JavaScript, Python and others read as well. */
export function quoted(words: string): string {
  return JSON.stringify(words).replace(/[\u007f-\uffff]/g, (character) => (/\p{Cc}|\p{Cf}|\p{Cs}/u.test(character) ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character));
}

/** For languages that write code points in braces. */
export function quotedInBraces(words: string): string {
  return quoted(words)
    .replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => `\\u{${digits}}`)
    .replaceAll('\\b', '\\u{8}')
    .replaceAll('\\f', '\\u{c}');
}
