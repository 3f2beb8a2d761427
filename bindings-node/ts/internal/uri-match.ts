/**
 * Finds the values in a URI that a template could have made. Owns: the matcher, whose time
 * grows with the length of the URI and never faster. Must not know: the syntax of templates.
 *
 * The answer is that of the greedy regular expression the parts would make: the first value
 * is as long as it can be, then the second, and so on. That is found without trying: one walk
 * from the end notes where the rest can still match, one walk from the start takes the
 * longest value that leads there.
 */

/** Which characters a value may have. */
export interface Span {
  /** Whether a character, as a UTF-16 unit, may be in the value. */
  readonly allows: (unit: number) => boolean;
  /** Whether the value is a list with commas between items, none of which is empty. */
  readonly list: boolean;
}

/** A fixed text, or a value of at least one character. */
export type Piece = string | Span;

const COMMA = 0x2c;

/** The longest reach of a value from `start`: the end of what may be in it. */
function reach(text: string, span: Span, start: number): number {
  let end = start;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (span.list && unit === COMMA) {
      if (end === start || text.charCodeAt(end - 1) === COMMA) break;
    } else if (!span.allows(unit)) break;
    end += 1;
  }
  return end;
}

/** Whether a list may stop before `end`: not after a comma. */
const stops = (text: string, span: Span, end: number): boolean =>
  !span.list || text.charCodeAt(end - 1) !== COMMA;

/** Where the rest can match if it starts after this piece at `rest[position]`. */
function before(text: string, piece: Piece, rest: Uint8Array): Uint8Array {
  const here = new Uint8Array(text.length + 1);
  if (typeof piece === 'string') {
    for (let at = text.length - piece.length; at >= 0; at--) {
      if (rest[at + piece.length] === 1 && text.startsWith(piece, at)) here[at] = 1;
    }
    return here;
  }
  // Whether a value that has a character before this place can end here or later.
  let open = false;
  for (let at = text.length; at >= 0; at--) {
    let goesOn = false;
    if (at < text.length) {
      const unit = text.charCodeAt(at);
      const comma = piece.list && unit === COMMA;
      if (comma) goesOn = open && at > 0 && text.charCodeAt(at - 1) !== COMMA;
      else if (piece.allows(unit)) {
        here[at] = open ? 1 : 0;
        goesOn = open;
      }
    }
    open = goesOn || (rest[at] === 1 && at > 0 && stops(text, piece, at));
  }
  return here;
}

/** The values of the spans in order, or `null` if the text does not match. */
export function matchPieces(text: string, pieces: readonly Piece[]): string[] | null {
  const first = pieces[0];
  if (typeof first === 'string' && !text.startsWith(first)) return null;
  const tables: Uint8Array[] = [];
  let rest: Uint8Array = new Uint8Array(text.length + 1);
  rest[text.length] = 1;
  for (let index = pieces.length - 1; index >= 0; index--) {
    tables[index] = rest;
    rest = before(text, pieces[index]!, rest);
  }
  if (rest[0] !== 1) return null;
  const values: string[] = [];
  let at = 0;
  pieces.forEach((piece, index) => {
    if (typeof piece === 'string') {
      at += piece.length;
      return;
    }
    let end = reach(text, piece, at);
    while (tables[index]![end] !== 1 || !stops(text, piece, end)) end -= 1;
    values.push(text.slice(at, end));
    at = end;
  });
  return values;
}
