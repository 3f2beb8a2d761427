/**
 * Converting zod 3 schemas to JSON Schema (draft 7). Owns: one row per type of zod 3. Must not
 * know: zod itself, or what the schema is for. The result equals what the official package lists
 * for the same schema.
 *
 * A definition that occurs a second time becomes a reference to the first place. A row returns
 * `undefined` for what JSON Schema cannot describe.
 */
import { stringOf } from './zod3-strings';
import type { Json, Zod3, Zod3Def } from './kinds';

/** Which side of a pipeline is described. */
export type Side = 'input' | 'output';

interface Walk {
  readonly side: Side;
  readonly strictUnions: boolean;
  readonly seen: Map<Zod3Def, string>;
}

/** The place of a definition, and of the property it belongs to. */
interface Place {
  readonly path: string;
  readonly property?: string | undefined;
}

type Row = (def: Zod3Def, walk: Walk, place: Place) => Json | undefined;

const PRIMITIVES: Record<string, string> = {
  ZodString: 'string',
  ZodNumber: 'number',
  ZodBigInt: 'integer',
  ZodBoolean: 'boolean',
  ZodNull: 'null',
};

const isPlain = (def: Zod3Def): boolean => def.typeName! in PRIMITIVES && !def.checks?.length;

function step(def: Zod3Def, walk: Walk, place: Place): Json | undefined {
  const met = walk.seen.get(def);
  if (met !== undefined) return { $ref: met };
  walk.seen.set(def, place.path);
  const json = ROWS[def.typeName!]?.(def, walk, place);
  if (json !== undefined && def.description) json['description'] = def.description;
  return json;
}

const inner = (schema: Zod3, walk: Walk, place: Place, ...names: (string | number)[]): Json | undefined =>
  step(schema._def, walk, { path: [place.path, ...names].join('/'), property: place.property });

function bounds(json: Json, def: Zod3Def): Json {
  for (const { kind, value, inclusive } of def.checks ?? []) {
    if (kind === 'int') json['type'] = 'integer';
    else if (kind === 'min') json[inclusive ? 'minimum' : 'exclusiveMinimum'] = value;
    else if (kind === 'max') json[inclusive ? 'maximum' : 'exclusiveMaximum'] = value;
    else if (kind === 'multipleOf') json['multipleOf'] = value;
  }
  return json;
}

function isOptional(schema: Zod3): boolean {
  try {
    return schema.isOptional!();
  } catch {
    return true;
  }
}

function object(def: Zod3Def, walk: Walk, place: Place): Json {
  const properties: Json = {};
  const required: string[] = [];
  const shape = def['shape']() as Record<string, Zod3 | undefined>;
  for (const name in shape) {
    const schema = shape[name];
    if (schema?._def === undefined) continue;
    const path = `${place.path}/properties/${name}`;
    const optional = isOptional(schema);
    const json = step(schema._def, walk, { path, property: path });
    if (json === undefined) continue;
    properties[name] = json;
    if (!optional) required.push(name);
  }
  const json: Json = { type: 'object', properties };
  if (required.length > 0) json['required'] = required;
  if (def['catchall']._def.typeName !== 'ZodNever') {
    const rest = inner(def['catchall'], walk, place, 'additionalProperties');
    if (rest !== undefined) json['additionalProperties'] = rest;
  } else json['additionalProperties'] = def['unknownKeys'] === 'passthrough';
  return json;
}

function array(def: Zod3Def, walk: Walk, place: Place): Json {
  const json: Json = { type: 'array' };
  if (def['type']?._def && def['type']._def.typeName !== 'ZodAny') {
    json['items'] = inner(def['type'], walk, place, 'items');
  }
  if (def['minLength']) json['minItems'] = def['minLength'].value;
  if (def['maxLength']) json['maxItems'] = def['maxLength'].value;
  if (def['exactLength']) json['minItems'] = json['maxItems'] = def['exactLength'].value;
  return json;
}

function set(def: Zod3Def, walk: Walk, place: Place): Json {
  const json: Json = { type: 'array', uniqueItems: true, items: inner(def['valueType'], walk, place, 'items') };
  if (def['minSize']) json['minItems'] = def['minSize'].value;
  if (def['maxSize']) json['maxItems'] = def['maxSize'].value;
  return json;
}

function tuple(def: Zod3Def, walk: Walk, place: Place): Json {
  const schemas = def['items'] as Zod3[];
  const items = schemas
    .map((schema, index) => inner(schema, walk, place, 'items', index))
    .filter((item) => item !== undefined);
  const json: Json = { type: 'array', minItems: schemas.length };
  if (!def['rest']) json['maxItems'] = schemas.length;
  json['items'] = items;
  if (def['rest']) json['additionalItems'] = inner(def['rest'], walk, place, 'additionalItems');
  return json;
}

function record(def: Zod3Def, walk: Walk, place: Place): Json {
  const json: Json = {
    type: 'object',
    additionalProperties: inner(def['valueType'], walk, place, 'additionalProperties') ?? true,
  };
  const key = def['keyType']?._def as Zod3Def | undefined;
  const text = key?.typeName === 'ZodBranded' ? (key['type']._def as Zod3Def) : key;
  if (key?.typeName === 'ZodEnum') json['propertyNames'] = { enum: key['values'] };
  else if (text?.typeName === 'ZodString' && text.checks?.length) {
    const { type: _, ...names } = key === text ? stringOf(text) : step(text, walk, place)!;
    json['propertyNames'] = names;
  }
  return json;
}

function map(def: Zod3Def, walk: Walk, place: Place): Json {
  const items = ['keyType', 'valueType'].map(
    (side, index) => inner(def[side], walk, place, 'items', 'items', index) ?? {},
  );
  return { type: 'array', maxItems: 125, items: { type: 'array', items, minItems: 2, maxItems: 2 } };
}

function literal(def: Zod3Def): Json {
  const value: unknown = def['value'];
  const type = typeof value;
  if (type === 'bigint') return { type: 'integer', const: value };
  if (type === 'number' || type === 'boolean' || type === 'string') return { type, const: value };
  return { type: Array.isArray(value) ? 'array' : 'object' };
}

function nativeEnum(def: Zod3Def): Json {
  const members = def['values'] as Record<string, string | number>;
  // A numeric enum contains the reverse mapping as well: names by value.
  const names = Object.keys(members).filter((name) => typeof members[members[name]!] !== 'number');
  const values = names.map((name) => members[name]);
  const types = new Set(values.map((value) => typeof value));
  const single = types.has('string') ? 'string' : 'number';
  return { type: types.size === 1 ? single : ['string', 'number'], enum: values };
}

const LITERAL_TYPES: Record<string, string> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  bigint: 'integer',
};

/** A union of literals as one `enum`, if each of them has a JSON type. */
function literals(options: Zod3[]): Json | undefined {
  const values = options.map((option): unknown => option._def['value']);
  const types = values.map((value) => (value === null ? 'null' : LITERAL_TYPES[typeof value]));
  if (types.some((type) => type === undefined)) return undefined;
  const kinds = [...new Set(types)];
  return { type: kinds.length > 1 ? kinds : kinds[0], enum: values.filter((value, at) => values.indexOf(value) === at) };
}

function union(def: Zod3Def, walk: Walk, place: Place): Json | undefined {
  const options = [...(def['options'] instanceof Map ? def['options'].values() : def['options'])] as Zod3[];
  if (options.every((option) => isPlain(option._def))) {
    const types = [...new Set(options.map((option) => PRIMITIVES[option._def.typeName!]))];
    return { type: types.length > 1 ? types : types[0] };
  }
  if (options.every((option) => option._def.typeName === 'ZodLiteral' && !option.description)) {
    const json = literals(options);
    if (json !== undefined) return json;
  } else if (options.every((option) => option._def.typeName === 'ZodEnum')) {
    return { type: 'string', enum: [...new Set(options.flatMap((option) => option._def['values'] as unknown[]))] };
  }
  const anyOf = options
    .map((option, index) => inner(option, walk, place, 'anyOf', index))
    .filter((json) => json !== undefined && (!walk.strictUnions || Object.keys(json).length > 0));
  return anyOf.length > 0 ? { anyOf } : undefined;
}

function intersection(def: Zod3Def, walk: Walk, place: Place): Json | undefined {
  const allOf = ['left', 'right'].flatMap((side, index) => {
    const json = inner(def[side], walk, place, 'allOf', index);
    if (json === undefined) return [];
    if (json['type'] !== 'string' && 'allOf' in json) return json['allOf'] as Json[];
    // A schema without additional properties would refuse the members of the other one.
    const { additionalProperties, ...open } = json;
    return [additionalProperties === false ? open : json];
  });
  return allOf.length > 0 ? { allOf } : undefined;
}

function nullable(def: Zod3Def, walk: Walk, place: Place): Json | undefined {
  const of = def['innerType']._def as Zod3Def;
  if (isPlain(of)) return { type: [PRIMITIVES[of.typeName!], 'null'] };
  const json = inner(def['innerType'], walk, place, 'anyOf', 0);
  return json && { anyOf: [json, { type: 'null' }] };
}

function optional(def: Zod3Def, walk: Walk, place: Place): Json | undefined {
  // For a property, `required` expresses it.
  if (place.path === place.property) return inner(def['innerType'], walk, place);
  const json = inner(def['innerType'], walk, place, 'anyOf', 1);
  return json ? { anyOf: [{ not: {} }, json] } : {};
}

/** The row of a type that is described by its inner type. */
const through = (member: string): Row => (def, walk, place) => inner(def[member], walk, place);

const ROWS: Record<string, Row> = {
  ZodString: stringOf,
  ZodNumber: (def) => bounds({ type: 'number' }, def),
  ZodBigInt: (def) => bounds({ type: 'integer', format: 'int64' }, def),
  ZodBoolean: () => ({ type: 'boolean' }),
  ZodDate: () => ({ type: 'string', format: 'date-time' }),
  ZodUndefined: () => ({ not: {} }),
  ZodNull: () => ({ type: 'null' }),
  ZodNever: () => ({ not: {} }),
  ZodNaN: () => ({ not: {} }),
  ZodAny: () => ({}),
  ZodUnknown: () => ({}),
  ZodArray: array,
  ZodSet: set,
  ZodMap: map,
  ZodObject: object,
  ZodRecord: record,
  ZodTuple: tuple,
  ZodUnion: union,
  ZodDiscriminatedUnion: union,
  ZodIntersection: intersection,
  ZodLiteral: literal,
  ZodEnum: (def) => ({ type: 'string', enum: [...(def['values'] as unknown[])] }),
  ZodNativeEnum: nativeEnum,
  ZodNullable: nullable,
  ZodOptional: optional,
  ZodLazy: (def, walk, place) => inner(def['getter'](), walk, place),
  ZodEffects: through('schema'),
  ZodBranded: through('type'),
  ZodPromise: through('type'),
  ZodReadonly: through('innerType'),
  ZodCatch: through('innerType'),
  ZodDefault: (def, walk, place) => ({ ...inner(def['innerType'], walk, place), default: def['defaultValue']() }),
  ZodPipeline: (def, walk, place) => inner(def[walk.side === 'input' ? 'in' : 'out'], walk, place),
};

/** Converts a zod 3 schema to JSON Schema. */
export function zod3Json(schema: Zod3, side: Side, strictUnions = true): Json {
  const json = step(schema._def, { side, strictUnions, seen: new Map() }, { path: '#' }) ?? {};
  json['$schema'] = 'http://json-schema.org/draft-07/schema#';
  return json;
}
