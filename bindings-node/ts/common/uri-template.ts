/**
 * URI templates (RFC 6570) as resources use them. Owns: reading a template, filling it in,
 * and what the engine is told to find the values in a URI. Must not know: resources. No
 * regular expression is made of a template, so that no URI takes more than linear time.
 */
import type { NativeUriPattern } from '../engine/native';

/** Values by name; a list for a name with `*`. */
export type Variables = Record<string, string | string[]>;

const MAX_LENGTH = 1_000_000;
const MAX_EXPRESSIONS = 10_000;
const OPERATORS = ['+', '#', '.', '/', '?', '&'] as const;

type Operator = (typeof OPERATORS)[number] | '';

interface Expression {
  readonly operator: Operator;
  readonly names: readonly string[];
  readonly exploded: boolean;
}

/** A fixed text or a value of at least one character, as the engine matches them. */
type Piece = string | { name: string; stops: string; kind?: 'list' };

/** What ends a value: in a segment of a path, in a query, and where all of a line may stand. */
const STOPS = { segment: '/,', query: '&', line: '\n\r\u2028\u2029' };

function checkLength(text: string, what: string): void {
  if (text.length > MAX_LENGTH) {
    throw new Error(`${what} exceeds maximum length of ${MAX_LENGTH} characters (got ${text.length})`);
  }
}

function readExpression(text: string): Expression {
  const operator = OPERATORS.find((candidate) => text.startsWith(candidate)) ?? '';
  const names = text
    .slice(operator.length)
    .split(',')
    .map((name) => name.replace('*', '').trim())
    .filter((name) => name.length > 0);
  for (const name of names) checkLength(name, 'Variable name');
  return { operator, names, exploded: text.includes('*') };
}

function readTemplate(template: string): (string | Expression)[] {
  const parts: (string | Expression)[] = [];
  let expressions = 0;
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{', at);
    if (open === -1) {
      parts.push(template.slice(at));
      break;
    }
    if (open > at) parts.push(template.slice(at, open));
    const close = template.indexOf('}', open);
    if (close === -1) throw new Error('Unclosed template expression');
    if (++expressions > MAX_EXPRESSIONS) {
      throw new Error(`Template contains too many expressions (max ${MAX_EXPRESSIONS})`);
    }
    parts.push(readExpression(template.slice(open + 1, close)));
    at = close + 1;
  }
  return parts;
}

function encode(value: string, operator: Operator): string {
  checkLength(value, 'Variable value');
  return operator === '+' || operator === '#' ? encodeURI(value) : encodeURIComponent(value);
}

/** What an expression becomes; empty if it has no values. */
function fill({ operator, names }: Expression, variables: Variables): string {
  if (operator === '?' || operator === '&') {
    const pairs = names.flatMap((name) => {
      const value = variables[name];
      if (value === undefined) return [];
      const text = Array.isArray(value)
        ? value.map((item) => encode(item, operator)).join(',')
        : encode(value.toString(), operator);
      return [`${name}=${text}`];
    });
    return pairs.length === 0 ? '' : operator + pairs.join('&');
  }
  if (names.length > 1) {
    const values = names.map((name) => variables[name]).filter((value) => value !== undefined);
    return values.map((value) => (Array.isArray(value) ? value[0] : value)).join(',');
  }
  const value = names.length === 0 ? undefined : variables[names[0]!];
  if (value === undefined) return '';
  const items = (Array.isArray(value) ? value : [value]).map((item) => encode(item, operator));
  if (operator === '.' || operator === '/') return operator + items.join(operator);
  return (operator === '#' ? '#' : '') + items.join(',');
}

/** The pieces an expression matches. */
function piecesOf({ operator, names, exploded }: Expression): Piece[] {
  if (operator === '?' || operator === '&') {
    return names.flatMap((name, index) => [`${index === 0 ? operator : '&'}${name}=`, { name, stops: STOPS.query }]);
  }
  const name = names[0];
  if (name === undefined) return [];
  if (operator === '+' || operator === '#') return [{ name, stops: STOPS.line }];
  const value = { name, stops: STOPS.segment, ...(exploded && operator !== '.' && { kind: 'list' as const }) };
  return operator === '' ? [value] : [operator, value];
}

/** A template such as `notes://{folder}/{name}`. */
export class UriTemplate {
  readonly #template: string;
  readonly #parts: (string | Expression)[];
  /** What the engine matches, made when it is first needed, and whose value each is. */
  #pattern: NativeUriPattern | undefined;
  #values: { name: string; exploded: boolean }[] = [];

  /**
   * Whether a text has an expression in braces.
   * @param str - The text to check.
   */
  static isTemplate(str: string): boolean {
    // -1: outside; otherwise the number of characters since a brace that could open one.
    let inside = -1;
    for (const char of str) {
      if (char === '}') {
        if (inside > 0) return true;
        inside = -1;
      } else if (/\s/.test(char)) inside = -1;
      else if (inside >= 0) inside += 1;
      else if (char === '{') inside = 0;
    }
    return false;
  }

  /**
   * Parses a URI template.
   * @param template - The template (RFC 6570).
   */
  constructor(template: string) {
    checkLength(template, 'Template');
    this.#template = template;
    this.#parts = readTemplate(template);
  }

  /** The names of all variables, in order. */
  get variableNames(): string[] {
    return this.#parts.flatMap((part) => (typeof part === 'string' ? [] : part.names));
  }

  /** The template's text. */
  toString(): string {
    return this.#template;
  }

  /**
   * The URI for these values; what has no value is left out.
   * @param variables - The values by name.
   */
  expand(variables: Variables): string {
    let result = '';
    let asked = false;
    for (const part of this.#parts) {
      if (typeof part === 'string') {
        result += part;
        continue;
      }
      const filled = fill(part, variables);
      if (filled === '') continue;
      const query = part.operator === '?' || part.operator === '&';
      // Only the first expression of a query opens it.
      result += query && asked ? filled.replace('?', '&') : filled;
      asked ||= query;
    }
    return result;
  }

  /**
   * The values that make this URI, or `null`; a list for a name with `*` if it has several.
   * @param uri - The URI.
   */
  match(uri: string): Variables | null {
    checkLength(uri, 'URI');
    this.#pattern ??= this.#compile();
    const values = this.#pattern.matches(uri);
    if (values === null) return null;
    const result: Variables = {};
    this.#values.forEach(({ name, exploded }, index) => {
      const value = values[index]!;
      result[name] = exploded && value.includes(',') ? value.split(',') : value;
    });
    return result;
  }

  #compile(): NativeUriPattern {
    const pieces = this.#parts.flatMap((part): Piece[] => {
      if (typeof part === 'string') return [part];
      const own = piecesOf(part);
      for (const piece of own) if (typeof piece !== 'string') this.#values.push({ name: piece.name, exploded: part.exploded });
      return own;
    });
    const { native } = require('../engine/native') as typeof import('../engine/native');
    return new native.UriPattern(JSON.stringify({ walk: 'longestFirst', pieces }));
  }
}
