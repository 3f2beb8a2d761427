/**
 * The types of zod 4 as JSON Schema. Owns: one row per type. Must not know: references,
 * definitions, metadata; the walk adds them.
 */
import type { Json, Zod4 } from './kinds';
import { factsOf } from './zod4-facts';
import type { Conversion } from './zod4-conversion';

type Row = (schema: Zod4, json: Json, walk: Conversion) => void;

/** The row of a type that JSON Schema cannot describe. */
const refuse = (what: string): Row => () => {
  throw new Error(`${what} cannot be represented in JSON Schema`);
};

/** The row of a type that is described by its inner type. */
const through: Row = (schema, _json, walk) => walk.follow(schema, schema._zod.def['innerType'] as Zod4);

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

const FORMATS: Record<string, string> = {
  guid: 'uuid',
  url: 'uri',
  datetime: 'date-time',
  json_string: 'json-string',
  regex: '',
};

const string: Row = (schema, json, walk) => {
  const facts = factsOf(schema, walk.minor);
  json['type'] = 'string';
  if (typeof facts.minimum === 'number') json['minLength'] = facts.minimum;
  if (typeof facts.maximum === 'number') json['maxLength'] = facts.maximum;
  const { format } = facts;
  // zod's time has no offset, and a lax time is not of the format `time`.
  const unsaid = (walk.minor >= 3 && format === 'time') || (walk.minor >= 5 && facts.lax);
  if (format && FORMATS[format] !== '' && !unsaid) json['format'] = FORMATS[format] ?? format;
  if (facts.contentEncoding) json['contentEncoding'] = facts.contentEncoding;
  const type = walk.modern ? {} : { type: 'string' };
  if (facts.patterns.length === 1) json['pattern'] = facts.patterns[0];
  else if (facts.patterns.length > 1) json['allOf'] = facts.patterns.map((pattern) => ({ ...type, pattern }));
};

const number: Row = (schema, json, walk) => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multiples, integer } = factsOf(schema, walk.minor);
  json['type'] = integer ? 'integer' : 'number';
  if (typeof exclusiveMinimum === 'number' && exclusiveMinimum >= (minimum ?? -Infinity)) {
    json['exclusiveMinimum'] = exclusiveMinimum;
  } else if (typeof minimum === 'number') json['minimum'] = minimum;
  if (typeof exclusiveMaximum === 'number' && exclusiveMaximum <= (maximum ?? Infinity)) {
    json['exclusiveMaximum'] = exclusiveMaximum;
  } else if (typeof maximum === 'number') json['maximum'] = maximum;
  if (walk.minor < 5) {
    if (multiples[0] !== undefined) json['multipleOf'] = multiples[0];
    return;
  }
  const wrong = multiples.find((value) => !Number.isFinite(value) || value === 0);
  if (wrong !== undefined) throw new Error(`A multipleOf divisor of ${wrong} cannot be represented in JSON Schema`);
  const [first, ...rest] = new Set(multiples.map(Math.abs));
  if (first !== undefined) json['multipleOf'] = first;
  if (rest.length > 0) json['allOf'] = rest.map((multipleOf) => ({ multipleOf }));
};

/** The type that all values share, if there is one. */
function sharedType(values: unknown[], types: readonly string[]): string | undefined {
  return types.find((type) => values.every((value) => (value === null ? 'null' : typeof value) === type));
}

const enumeration: Row = (schema, json, walk) => {
  const entries = schema._zod.def['entries'] as Record<string, string | number>;
  const numbers = Object.values(entries).filter((value) => typeof value === 'number');
  // A numeric enum contains the reverse mapping as well: names by value.
  const values = Object.keys(entries).filter((name) => !numbers.includes(+name)).map((name) => entries[name]);
  if (values.length === 0 && walk.minor >= 5) json['not'] = {};
  else {
    const type = sharedType(values, ['string', 'number']);
    if (type !== undefined) json['type'] = type;
    json['enum'] = values;
  }
};

const literal: Row = (schema, json, walk) => {
  const values = schema._zod.def['values'] as unknown[];
  if (values.includes(undefined)) throw new Error('Literal `undefined` cannot be represented in JSON Schema');
  if (values.some((value) => typeof value === 'bigint')) {
    throw new Error('BigInt literals cannot be represented in JSON Schema');
  }
  if (values.length === 0) {
    if (walk.minor >= 5) json['not'] = {};
  } else if (values.length === 1) {
    json['type'] = values[0] === null ? 'null' : typeof values[0];
    json['const'] = values[0];
  } else {
    const type = sharedType(values, ['number', 'string', 'boolean', 'null']);
    // The first releases describe booleans as strings.
    if (type !== undefined) json['type'] = type === 'boolean' && walk.minor < 2 ? 'string' : type;
    json['enum'] = values;
  }
};

const file: Row = (schema, json, walk) => {
  const { minimum, maximum, mime } = factsOf(schema, walk.minor);
  Object.assign(json, { type: 'string', format: 'binary', contentEncoding: 'binary' });
  if (minimum !== undefined) json['minLength'] = minimum;
  if (maximum !== undefined) json['maxLength'] = maximum;
  if (mime?.length === 0) json['not'] = {};
  else if (mime?.length === 1) json['contentMediaType'] = mime[0];
  else if (mime !== undefined) json['anyOf'] = mime.map((type) => ({ contentMediaType: type }));
};

const array: Row = (schema, json, walk) => {
  const { minimum, maximum } = factsOf(schema, walk.minor);
  if (typeof minimum === 'number') json['minItems'] = minimum;
  if (typeof maximum === 'number') json['maxItems'] = maximum;
  json['type'] = 'array';
  json['items'] = walk.visit(schema._zod.def['element'] as Zod4);
};

/** Whether the schema's type allows its member to be left out of the input. */
function omittable(schema: Zod4, minor: number): boolean {
  const { def, optin } = schema._zod;
  if (minor >= 5) {
    if (def.type === 'pipe' && def['in']._zod.traits?.has('$ZodTransform')) return omittable(def['out'], minor);
    if (def.type === 'catch') return omittable(def['innerType'], minor);
  }
  return optin !== undefined;
}

/** Whether a member of an object may be absent. */
export const mayMiss = (schema: Zod4, io: 'input' | 'output', minor: number): boolean =>
  io === 'input' ? omittable(schema, minor) : schema._zod.optout !== undefined;

const object: Row = (schema, json, walk) => {
  const { shape, catchall } = schema._zod.def as { shape: Record<string, Zod4>; catchall?: Zod4 };
  json['type'] = 'object';
  const properties: Json = (json['properties'] = {});
  for (const name in shape) properties[name] = walk.visit(shape[name]!);
  const required = Object.keys(shape).filter((name) => !mayMiss(shape[name]!, walk.io, walk.minor));
  if (required.length > 0) json['required'] = required;
  if (catchall === undefined) {
    if (walk.io === 'output') json['additionalProperties'] = false;
  } else json['additionalProperties'] = catchall._zod.def.type === 'never' ? false : walk.visit(catchall);
};

const union: Row = (schema, json, walk) => {
  const { options, inclusive, discriminator } = schema._zod.def as {
    options: Zod4[];
    inclusive?: boolean;
    discriminator?: string;
  } & Zod4['_zod']['def'];
  const exclusive = inclusive === false || (walk.minor === 1 && discriminator !== undefined);
  json[exclusive ? 'oneOf' : 'anyOf'] = options.map((option) => walk.visit(option));
};

const intersection: Row = (schema, json, walk) => {
  const allOf = [schema._zod.def['left'], schema._zod.def['right']].flatMap((side: Zod4) => {
    const part = walk.visit(side);
    return 'allOf' in part && Object.keys(part).length === 1 ? (part['allOf'] as Json[]) : [part];
  });
  json['allOf'] = allOf;
  walk.intersections.push(allOf);
};

const tuple: Row = (schema, json, walk) => {
  const { items, rest } = schema._zod.def as unknown as { items: Zod4[]; rest?: Zod4 | null };
  const { modern, minor } = walk;
  json['type'] = 'array';
  json[modern ? 'prefixItems' : 'items'] = items.map((item) => walk.visit(item));
  if (rest) {
    const json7 = walk.visit(rest);
    json[modern ? 'items' : 'additionalItems'] = json7;
    if (minor === 0) json['items'] = json7;
  } else if (minor >= 5) json[modern ? 'items' : 'additionalItems'] = false;
  if (minor >= 5) {
    const missing = (item: Zod4): boolean =>
      walk.io === 'input' ? omittable(item, minor) : item._zod.optout === 'optional';
    let least = items.length;
    while (least > 0 && missing(items[least - 1]!)) least -= 1;
    if (least > 0) json['minItems'] = least;
    if (!rest) json['maxItems'] = items.length;
  }
  const { minimum, maximum } = factsOf(schema, minor);
  if (typeof minimum === 'number') json['minItems'] = minimum;
  if (typeof maximum === 'number') json['maxItems'] = maximum;
};

const record: Row = (schema, json, walk) => {
  const { keyType, valueType, mode, partial } = schema._zod.def as unknown as {
    keyType: Zod4;
    valueType: Zod4;
    mode?: string;
    partial?: boolean;
  };
  const { minor } = walk;
  json['type'] = 'object';
  const patterns = minor >= 3 && mode === 'loose' ? factsOf(keyType, minor).patterns : [];
  if (patterns.length > 0) {
    const value = walk.visit(valueType);
    json['patternProperties'] = Object.fromEntries(patterns.map((pattern) => [pattern, value]));
  } else {
    json['propertyNames'] = walk.visit(keyType);
    walk.records.push(schema);
    json['additionalProperties'] = walk.visit(valueType);
  }
  const keys = [...(keyType._zod.values ?? [])].filter((key) => typeof key === 'string' || typeof key === 'number');
  if (minor < 3 || keys.length === 0) return;
  if (minor >= 5 && (partial || (walk.io === 'input' && omittable(valueType, minor)))) return;
  json['required'] = minor >= 5 ? keys.map(String) : keys;
};

const preset = (member: 'default' | '_prefault'): Row => (schema, json, walk) => {
  through(schema, json, walk);
  if (member === '_prefault' && walk.io !== 'input') return;
  json[member] = plain(schema._zod.def['defaultValue']);
};

const fallback: Row = (schema, json, walk) => {
  through(schema, json, walk);
  try {
    json['default'] = schema._zod.def['catchValue'](undefined);
  } catch {
    throw new Error('Dynamic catch values are not supported in JSON Schema');
  }
};

const pipe: Row = (schema, _json, walk) => {
  const { in: from, out: to } = schema._zod.def as unknown as { in: Zod4; out: Zod4 };
  const transformed =
    walk.minor >= 4 ? from._zod.traits?.has('$ZodTransform') : from._zod.def.type === 'transform';
  walk.follow(schema, walk.io === 'output' || transformed ? to : from);
};

const nothing: Row = () => undefined;

/** The row of each type. */
export const ROWS: Record<string, Row> = {
  string,
  number,
  boolean: (_schema, json) => void (json['type'] = 'boolean'),
  null: (_schema, json) => void (json['type'] = 'null'),
  never: (_schema, json) => void (json['not'] = {}),
  success: (_schema, json) => void (json['type'] = 'boolean'),
  any: nothing,
  unknown: nothing,
  bigint: refuse('BigInt'),
  symbol: refuse('Symbols'),
  undefined: refuse('Undefined'),
  void: refuse('Void'),
  date: refuse('Date'),
  map: refuse('Map'),
  set: refuse('Set'),
  nan: refuse('NaN'),
  transform: refuse('Transforms'),
  custom: refuse('Custom types'),
  function: refuse('Function types'),
  enum: enumeration,
  literal,
  template_literal: (schema, json) => {
    json['type'] = 'string';
    json['pattern'] = schema._zod.pattern!.source;
  },
  file,
  array,
  object,
  union,
  intersection,
  tuple,
  record,
  nullable: (schema, json, walk) => {
    json['anyOf'] = [walk.visit(schema._zod.def['innerType'] as Zod4), { type: 'null' }];
  },
  default: preset('default'),
  prefault: preset('_prefault'),
  catch: fallback,
  pipe,
  readonly: (schema, json, walk) => {
    through(schema, json, walk);
    json['readOnly'] = true;
  },
  optional: through,
  nonoptional: through,
  promise: through,
  lazy: (schema, _json, walk) => walk.follow(schema, schema._zod.innerType!),
};
