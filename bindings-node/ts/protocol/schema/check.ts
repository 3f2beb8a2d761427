/**
 * Validating values with the generated JSON Schemas. Owns: the keywords that those use, and the
 * wording of issues, which is zod's because programs show it. Must not know: the addon (schemas of
 * the protocol also work where it cannot be loaded, as in a browser), and schemas of programs,
 * which the engine validates.
 */
import { SCHEMAS } from '../../generated/schemas';

/** The part of JSON Schema that the generated schemas use, and some keywords of our own. */
export interface Definition {
  $ref?: string;
  type?: string | string[];
  const?: string;
  enum?: string[];
  properties?: Record<string, Definition>;
  required?: string[];
  additionalProperties?: boolean | Definition;
  items?: Definition;
  anyOf?: Definition[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  format?: string;
  default?: unknown;
  /** The member that determines which schema of `anyOf` applies. */
  discriminator?: string;
  /** Whether `null` counts as absent. */
  nullIsAbsent?: boolean;
  /** Whether empty text counts as absent; where this is set, the value may be absent. */
  emptyIsAbsent?: boolean;
  /** Whether an invalid value counts as absent. */
  elseAbsent?: boolean;
  /** Whether the value is converted to a number first. */
  coerced?: boolean;
  /** What an object without members stands for. */
  emptyMeans?: unknown;
}

/** One problem of a value. */
export interface Issue {
  /** The code of the issue, e.g. `invalid_type`. */
  readonly code: string;
  /** The path from the top: members and positions. */
  readonly path: PropertyKey[];
  readonly message: string;
  readonly [detail: string]: unknown;
}

const parsed = new Map<string, Definition>();

/** The suffix of a type's name for its 2.x form. */
const OF_2 = '@2';

/** What 2026-07-28 allows in addition to 1.x. */
const WIDER: Readonly<Record<string, Pick<Definition, 'properties' | 'required'>>> = {
  CallToolResult: { properties: { structuredContent: {} } },
  ElicitRequestURLParams: { required: ['mode', 'message', 'url'] },
  Tool: { properties: { outputSchema: { type: 'object' } } },
  ToolResultContent: { properties: { structuredContent: {} } },
  // A schema is an object or, in JSON Schema since draft-06, a boolean.
  ToolSchema: { properties: { properties: { type: 'object' } } },
};

/** The name of a type in its 2.x form. */
export const nameOf2 = (name: string): string => name + OF_2;

/** The name of a type without the 2.x suffix. */
export const plainName = (name: string): string => (name.endsWith(OF_2) ? name.slice(0, -OF_2.length) : name);

/** The definition of a type. */
export function definition(name: string): Definition {
  let found = parsed.get(name);
  if (found === undefined) {
    const plain = plainName(name);
    const text = SCHEMAS[plain];
    if (text === undefined) throw new TypeError(`there is no type ${plain}`);
    found = plain === name ? (JSON.parse(text) as Definition) : definitionOf2(plain, text);
    parsed.set(name, found);
  }
  return found;
}

function definitionOf2(name: string, text: string): Definition {
  const found = JSON.parse(text, (key, value: unknown) => (key === '$ref' ? nameOf2(value as string) : value)) as Definition;
  const { properties, ...rest } = WIDER[name] ?? {};
  return { ...found, ...rest, ...(properties && { properties: { ...found.properties, ...properties } }) };
}

/** The definition that a reference leads to. */
export function resolve(schema: Definition): Definition {
  return schema.$ref === undefined ? schema : definition(schema.$ref);
}

/** Validates a value: adds problems to `issues`, and returns the value with defaults filled in. */
export function judge(given: Definition, from: unknown, issues: Issue[], path: PropertyKey[] = []): unknown {
  const schema = resolve(given);
  let value = from;
  if (value === undefined && schema.default !== undefined) return structuredClone(schema.default);
  if (schema.emptyIsAbsent === true && (value === undefined || value === '')) return undefined;
  if (schema.elseAbsent === true && typeof value !== schema.type) return undefined;
  if (schema.coerced === true) value = Number(value);
  if (schema.anyOf !== undefined) return oneOf(schema, schema.anyOf, value, issues, path);
  if (schema.const !== undefined || schema.enum !== undefined) {
    const values = schema.enum ?? [schema.const!];
    if (!values.includes(value as string)) issues.push(invalidValue(values, path));
    return value;
  }
  if (schema.type !== undefined && !isType(schema, schema.type, value)) {
    issues.push(wrongType(schema, value, path));
    return value;
  }
  if (typeof value === 'string' && schema.format !== undefined) {
    if (schema.emptyIsAbsent === true && !URL.canParse(value)) issues.push(wrongType(schema, value, path));
    else format(schema.format, value, issues, path);
  }
  if (typeof value === 'number') range(schema, value, issues, path);
  if (Array.isArray(value)) return list(schema, value, issues, path);
  if (schema.type === 'object') return object(schema, value as Record<string, unknown>, issues, path);
  return value;
}

function isType(schema: Definition, type: string | string[], value: unknown): boolean {
  // Any object at all, like TypeScript's `object`.
  if (Array.isArray(type)) return (typeof value === 'object' && value !== null) || typeof value === 'function';
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) && (schema.properties !== undefined || isPlain(value));
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

/** Whether an object is plain, not an instance of a class. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as { constructor?: unknown } | null;
  return prototype === null || Object.hasOwn(prototype, 'isPrototypeOf');
}

function object(schema: Definition, value: Record<string, unknown>, issues: Issue[], path: PropertyKey[]): unknown {
  const { properties = {}, additionalProperties } = schema;
  let result = value;
  if (schema.emptyMeans !== undefined && Object.keys(value).length === 0) {
    result = structuredClone(schema.emptyMeans) as Record<string, unknown>;
  }
  for (const name of Object.keys(properties)) {
    const kept = member(schema, name, result, issues, path);
    if (kept !== result[name]) result = { ...result, [name]: kept };
  }
  if (additionalProperties === undefined || additionalProperties === true) return result;
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  if (additionalProperties === false) {
    if (others.length > 0) issues.push(unknownMembers(others, path));
    return result;
  }
  for (const name of others) below(path, name, () => judge(additionalProperties, value[name], issues, path));
  return result;
}

/** Validates a member of an object, and returns its value. */
function member(schema: Definition, name: string, owner: Record<string, unknown>, issues: Issue[], path: PropertyKey[]): unknown {
  const inner = resolve(schema.properties![name]!);
  const value = owner[name];
  if (value === null && inner.nullIsAbsent === true) return undefined;
  const missing = value === undefined && inner.default === undefined;
  if (missing && schema.required?.includes(name) !== true) return undefined;
  return below(path, name, () => {
    const before = issues.length;
    const kept = judge(inner, value, issues, path);
    if (missing && issues.length === before && !(name in owner)) {
      issues.push(issue('invalid_type', path, 'Invalid input: expected nonoptional, received undefined', { expected: 'nonoptional' }));
    }
    return kept;
  });
}

function below<T>(path: PropertyKey[], key: PropertyKey, body: () => T): T {
  path.push(key);
  const kept = body();
  path.pop();
  return kept;
}

function list(schema: Definition, value: unknown[], issues: Issue[], path: PropertyKey[]): unknown {
  const { items, maxItems } = schema;
  let result = value;
  if (items !== undefined) {
    value.forEach((item, index) => {
      const kept = below(path, index, () => judge(items, item, issues, path));
      if (kept === item) return;
      if (result === value) result = [...value];
      result[index] = kept;
    });
  }
  if (maxItems !== undefined && value.length > maxItems) {
    const message = `Too big: expected array to have <=${maxItems} items`;
    issues.push(issue('too_big', path, message, { origin: 'array', maximum: maxItems, inclusive: true }, true));
  }
  return result;
}

function oneOf(schema: Definition, all: Definition[], value: unknown, issues: Issue[], path: PropertyKey[]): unknown {
  const tag = schema.discriminator;
  if (tag !== undefined) {
    if (!isType({ properties: {} }, 'object', value)) {
      issues.push(issue('invalid_type', path, `Invalid input: expected object, received ${typeName(value)}`, { expected: 'object' }));
      return value;
    }
    const names = all.map((each) => resolve(each).properties?.[tag]?.const);
    const at = names.indexOf((value as Record<string, string>)[tag]);
    if (at >= 0) return judge(all[at]!, value, issues, path);
    const message = `Invalid discriminator value. Expected ${names.map((name) => `'${name}'`).join(' | ')}`;
    issues.push(issue('invalid_union', [...path, tag], message, { errors: [], note: 'No matching discriminator', discriminator: tag }));
    return value;
  }
  const faults: Issue[][] = [];
  for (const each of all) {
    const found: Issue[] = [];
    const kept = judge(each, value, found, path);
    if (found.length === 0) return kept;
    faults.push(found);
  }
  // If the value matches one alternative except for a detail, that detail is reported.
  const close = faults.filter((found) => found.every((one) => soft.has(one)));
  if (close.length === 1) issues.push(...close[0]!);
  else issues.push(issue('invalid_union', path, 'Invalid input', { errors: faults.map((found) => found.map((one) => seenFrom(path, one))) }));
  return value;
}

/** The issue with its path relative to the outer value. */
function seenFrom(path: PropertyKey[], found: Issue): Issue {
  return { ...found, path: found.path.slice(path.length) };
}

const DATE_TIME =
  /^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const DIGEST = /^sha256:[\da-f]{64}$/;

const FORMATS: Record<string, [test: (text: string) => boolean, code: string, message: string]> = {
  byte: [isBase64, 'custom', 'Invalid Base64 string'],
  uri: [(text) => URL.canParse(text), 'invalid_format', 'Invalid URL'],
  'date-time': [(text) => DATE_TIME.test(text), 'invalid_format', 'Invalid ISO datetime'],
  'sha256-digest': [(text) => DIGEST.test(text), 'custom', 'digest must be "sha256:" followed by 64 lowercase hexadecimal characters'],
};

/** Whether a text has a format. */
export function hasFormat(name: string, text: string): boolean {
  if (name === 'safe-uri') return URL.canParse(text) && !RUN.includes(new URL(text).protocol);
  return FORMATS[name]?.[0](text) ?? true;
}

function isBase64(text: string): boolean {
  try {
    atob(text);
    return true;
  } catch {
    return false;
  }
}

/** Schemes of URLs that a browser would execute instead of opening. */
const RUN = ['javascript:', 'data:', 'vbscript:'];

function safeUrl(value: string, issues: Issue[], path: PropertyKey[]): void {
  if (!URL.canParse(value)) {
    issues.push(issue('invalid_format', path, 'Invalid URL', { format: 'url' }, true));
    issues.push(issue('custom', path, 'URL must be parseable', {}));
  } else if (RUN.includes(new URL(value).protocol)) {
    issues.push(issue('custom', path, 'URL cannot use javascript:, data:, or vbscript: scheme', {}, true));
  }
}

function format(name: string, value: string, issues: Issue[], path: PropertyKey[]): void {
  if (name === 'safe-uri') return safeUrl(value, issues, path);
  const rule = FORMATS[name];
  if (rule === undefined || rule[0](value)) return;
  issues.push(issue(rule[1], path, rule[2], rule[1] === 'custom' ? {} : { format: name === 'uri' ? 'url' : 'datetime' }, true));
}

function range(schema: Definition, value: number, issues: Issue[], path: PropertyKey[]): void {
  const { minimum, maximum } = schema;
  if (schema.type === 'integer' && !Number.isSafeInteger(value)) {
    const big = value > 0;
    const said = big ? `Too big: expected int to be <=${Number.MAX_SAFE_INTEGER}` : `Too small: expected int to be >=${Number.MIN_SAFE_INTEGER}`;
    issues.push(issue(big ? 'too_big' : 'too_small', path, said, { origin: 'int', inclusive: true }, true));
  }
  if (minimum !== undefined && value < minimum) {
    issues.push(issue('too_small', path, `Too small: expected number to be >=${minimum}`, { origin: 'number', minimum, inclusive: true }, true));
  }
  if (maximum !== undefined && value > maximum) {
    issues.push(issue('too_big', path, `Too big: expected number to be <=${maximum}`, { origin: 'number', maximum, inclusive: true }, true));
  }
}

/** Issues about a detail: the value has the right type otherwise. */
const soft = new WeakSet<Issue>();

function issue(code: string, path: PropertyKey[], message: string, details: object, isSoft = false): Issue {
  const made = { ...details, code, path: [...path], message } as Issue;
  if (isSoft) soft.add(made);
  return made;
}

function wrongType(schema: Definition, value: unknown, path: PropertyKey[]): Issue {
  if (Array.isArray(schema.type)) return issue('custom', path, 'Invalid input', {});
  if (schema.emptyIsAbsent === true) return issue('invalid_union', path, 'Invalid input', { errors: [] });
  let expected = schema.type!;
  if (expected === 'object' && schema.properties === undefined) expected = 'record';
  const whole = expected === 'integer' && Number.isFinite(value);
  if (whole) expected = 'int';
  else if (expected === 'integer') expected = 'number';
  const message = `Invalid input: expected ${expected}, received ${typeName(value)}`;
  return issue('invalid_type', path, message, whole ? { expected, format: 'safeint' } : { expected });
}

function invalidValue(values: string[], path: PropertyKey[]): Issue {
  const quoted = values.map((value) => JSON.stringify(value));
  const said = quoted.length === 1 ? `Invalid input: expected ${quoted[0]}` : `Invalid option: expected one of ${quoted.join('|')}`;
  return issue('invalid_value', path, said, { values });
}

function unknownMembers(keys: string[], path: PropertyKey[]): Issue {
  const quoted = keys.map((key) => JSON.stringify(key)).join(', ');
  return issue('unrecognized_keys', path, `Unrecognized key${keys.length > 1 ? 's' : ''}: ${quoted}`, { keys }, true);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isFinite(value) ? 'number' : String(value);
  if (typeof value !== 'object') return typeof value;
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name: string } } | null;
  return prototype !== Object.prototype && prototype?.constructor ? prototype.constructor.name : 'object';
}
