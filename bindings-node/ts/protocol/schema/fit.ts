/**
 * Whether a value matches a generated schema, fast and without reasons. Owns: checks as functions,
 * made when a schema is first used. Must not know: messages. It always agrees with `check`;
 * a test compares both.
 */
import { hasFormat, isPlain, resolve, type Definition } from './check';

/** 0: the value does not match; 1: it matches; 2: it matches after filling in or removing parts. */
export type Fit = 0 | 1 | 2;
type Check = (value: unknown) => Fit;

const checks = new WeakMap<Definition, Check>();

/** The check of a schema. */
export function fitOf(given: Definition): Check {
  const schema = resolve(given);
  let check = checks.get(schema);
  if (check === undefined) checks.set(schema, (check = changing(schema, plain(schema))));
  return check;
}

/** Adds defaults and similar keywords to a check. */
function changing(schema: Definition, inner: Check): Check {
  if (schema.default !== undefined) return (value) => (value === undefined ? 2 : inner(value));
  if (schema.emptyIsAbsent === true) return (value) => (value === undefined ? 1 : value === '' ? 2 : inner(value));
  if (schema.elseAbsent === true) return (value) => (typeof value === schema.type ? inner(value) : value === undefined ? 1 : 2);
  if (schema.coerced === true) return (value) => (typeof value === 'number' || inner(Number(value)) === 0 ? inner(value) : 2);
  return inner;
}

const yes = (is: boolean): Fit => (is ? 1 : 0);

function plain(schema: Definition): Check {
  const { anyOf, const: literal, enum: values, type } = schema;
  if (anyOf !== undefined) return schema.discriminator === undefined ? first(anyOf) : tagged(anyOf, schema.discriminator);
  if (literal !== undefined) return (value) => yes(value === literal);
  if (values !== undefined) return (value) => yes(values.includes(value as string));
  if (Array.isArray(type)) return (value) => yes((typeof value === 'object' && value !== null) || typeof value === 'function');
  switch (type) {
    case undefined:
      return () => 1;
    case 'null':
      return (value) => yes(value === null);
    case 'string':
      return text(schema.format);
    case 'number':
    case 'integer':
      return numeric(schema, type === 'integer');
    case 'array':
      return list(schema);
    case 'object':
      return schema.properties === undefined ? record(schema) : object(schema, schema.properties);
    default:
      return (value) => yes(typeof value === type);
  }
}

function text(format: string | undefined): Check {
  if (format === undefined) return (value) => yes(typeof value === 'string');
  return (value) => yes(typeof value === 'string' && hasFormat(format, value));
}

function numeric({ minimum = -Infinity, maximum = Infinity }: Definition, isWhole: boolean): Check {
  const is = isWhole ? Number.isSafeInteger : Number.isFinite;
  return (value) => yes(is(value) && (value as number) >= minimum && (value as number) <= maximum);
}

/** A check that accepts what one of several schemas accepts, the first match. */
function first(all: Definition[]): Check {
  let each: Check[] | undefined;
  return (value) => {
    for (const check of (each ??= all.map(fitOf))) {
      const fit = check(value);
      if (fit !== 0) return fit;
    }
    return 0;
  };
}

/** A check that chooses the schema by a member of the value. */
function tagged(all: Definition[], tag: string): Check {
  const known = new Map(all.map((each) => [resolve(each).properties?.[tag]?.const as unknown, each]));
  return (value) => {
    if (!isObject(value)) return 0;
    const named = known.get(value[tag]);
    return named === undefined ? 0 : fitOf(named)(value);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function list({ items, maxItems = Infinity }: Definition): Check {
  let check: Check | undefined;
  return (value) => {
    if (!Array.isArray(value) || value.length > maxItems) return 0;
    check ??= fitOf(items ?? {});
    let all: Fit = 1;
    for (const item of value) {
      const fit = check(item);
      if (fit === 0) return 0;
      if (fit === 2) all = 2;
    }
    return all;
  };
}

function record({ additionalProperties }: Definition): Check {
  if (typeof additionalProperties !== 'object') return (value) => yes(isObject(value) && isPlain(value));
  const check = fitOf(additionalProperties);
  return (value) => {
    if (!isObject(value) || !isPlain(value)) return 0;
    let all: Fit = 1;
    for (const name of Object.keys(value)) {
      const fit = check(value[name]);
      if (fit === 0) return 0;
      if (fit === 2) all = 2;
    }
    return all;
  };
}

interface Member {
  name: string;
  schema: Definition;
  isNeeded: boolean;
  check: Check | undefined;
}

function object(schema: Definition, properties: Record<string, Definition>): Check {
  const { required = [], additionalProperties, emptyMeans } = schema;
  const members: Member[] = Object.entries(properties).map(([name, each]) => {
    return { name, schema: each, isNeeded: required.includes(name), check: undefined };
  });
  const isStrict = additionalProperties === false;
  return (value) => {
    if (!isObject(value)) return 0;
    let all: Fit = 1;
    for (const member of members) {
      const fit = ofMember(member, value);
      if (fit === 0) return 0;
      if (fit === 2) all = 2;
    }
    if (isStrict && Object.keys(value).some((name) => !Object.hasOwn(properties, name))) return 0;
    return emptyMeans !== undefined && Object.keys(value).length === 0 ? 2 : all;
  };
}

function ofMember(member: Member, owner: Record<string, unknown>): Fit {
  const value = owner[member.name];
  if (value === undefined) {
    const { default: given } = resolve(member.schema);
    if (given !== undefined) return 2;
    if (!member.isNeeded) return 1;
    if (!(member.name in owner)) return 0;
  }
  if (value === null && member.schema.nullIsAbsent === true) return 2;
  return (member.check ??= fitOf(member.schema))(value);
}
