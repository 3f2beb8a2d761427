/**
 * The schemas of tools and prompts, of any kind. Owns: which are accepted, what is listed for them,
 * who validates values. Must not know: tools, prompts, servers.
 */
import { causeOf } from '../../engine/cause';
import { getParseErrorMessage, normalizeObjectSchema } from '../../protocol/zod/compat';
import { native, type NativeSchema } from '../../engine/native';
import { jsonSchemaOf } from '../../protocol/zod/json';
import {
  isJsonSchema,
  isRawShape,
  isSchema,
  isZod3,
  isZod4,
  type Json,
  type Parsed,
} from '../../protocol/zod/kinds';
import { parseSoon, ShapeSchema } from '../../protocol/zod/shape';
import type { Side } from '../../protocol/zod/zod3-json';

/** What is listed for a tool without a schema. */
const NO_ARGUMENTS: Json = { type: 'object', properties: {} };

/**
 * Converts a raw shape to a schema and returns other schemas unchanged; the error for invalid ones
 * says whose it is.
 */
export function schemaFrom(given: unknown, whose = ''): object | undefined {
  if (!given) return undefined;
  if (isRawShape(given)) return new ShapeSchema(given);
  if (isSchema(given) || isJsonSchema(given)) return given;
  const remedy = `${whose}write { a: z.number() }, or JSON Schema with type: 'object'`;
  throw new Error('inputSchema must be a Zod schema or raw shape, received an unrecognized object', { cause: causeOf(remedy) });
}

/** Whether a schema is JSON Schema, which the engine validates. */
export const isEngines = (schema: object | undefined): boolean => schema !== undefined && isPlain(schema);

const isPlain = (schema: object): schema is Json => !isSchema(schema) && isJsonSchema(schema);

/** The part of a schema that is listed and parsed as an object; `undefined` for other zod schemas. */
function objectOf(schema: object): object | undefined {
  if (isZod4(schema) || isZod3(schema) || schema instanceof ShapeSchema) return normalizeObjectSchema(schema as never);
  return schema;
}

/** Converted schemas, by side and draft. */
const listed: Record<string, WeakMap<object, Json | undefined>> = {};

/** JSON Schema as clients accept it, if it only allows objects; unions do not declare that themselves. */
function asObject(json: Json | undefined): Json | undefined {
  if (json === undefined || json['type'] === 'object') return json;
  const parts = (json['anyOf'] ?? json['oneOf'] ?? json['allOf']) as Json[] | undefined;
  const isObjects = json['type'] === undefined && parts?.every((part) => asObject(part) !== undefined);
  return isObjects ? { ...json, type: 'object' } : undefined;
}

/**
 * What 2.x lists for a schema that is not itself of an object, e.g. a union of objects. The output
 * of a tool may be of any type.
 */
function listedAround(schema: object, side: Side): Json | undefined {
  try {
    const json = jsonSchemaOf(schema, { side, modern: true });
    return asObject(json) ?? (side === 'output' ? json : undefined);
  } catch {
    // JSON Schema cannot describe the output.
    return undefined;
  }
}

/**
 * What is listed for a schema; `undefined` if it is not of an object. The 2.x face (`modern`) also
 * looks inside preprocessing, unions and defaults.
 */
function listedFor(schema: object, side: Side, modern: boolean): Json | undefined {
  const object = objectOf(schema);
  if (object !== undefined && isPlain(object)) return object;
  const known = (listed[`${side}${modern}`] ??= new WeakMap());
  const key = object ?? schema;
  if (!known.has(key)) known.set(key, object === undefined ? around(schema, side, modern) : made(object, side, modern));
  return known.get(key);
}

const around = (schema: object, side: Side, modern: boolean): Json | undefined =>
  modern && isZod4(schema) ? listedAround(schema, side) : undefined;

function made(object: object, side: Side, modern: boolean): Json | undefined {
  const json = jsonSchemaOf(object, { side, modern });
  // Schemas of zod are listed unchanged. For others, clients only accept objects.
  const isFree = isZod4(object) || isZod3(object) || (modern && side === 'output');
  return isFree || json?.['type'] === 'object' ? json : NO_ARGUMENTS;
}

/** The `inputSchema` to list; `modern` prefers draft 2020-12. */
export const inputSchemaOf = (schema: object | undefined, modern = false): Json =>
  (schema && listedFor(schema, 'input', modern)) ?? NO_ARGUMENTS;

/** The `outputSchema` to list, if there is one. */
export const outputSchemaOf = (schema: object | undefined, modern = false): Json | undefined =>
  schema && listedFor(schema, 'output', modern);

/** A violation that the engine found in a value. */
interface Violation {
  message: string;
  instancePath?: string;
  schema?: string;
}

const stepOf = (part: string): string | number =>
  /^\d+$/.test(part) ? Number(part) : part.replace(/~1/g, '/').replace(/~0/g, '~');

/** Converts the engine's violations to a failed parse. */
export function violated(violations: unknown): Parsed {
  const issues = (violations as Violation[]).map(({ message, instancePath, schema }) => ({
    message: schema ?? message,
    path: (instancePath ?? '').split('/').slice(1).map(stepOf),
  }));
  return { success: false, error: { issues } };
}

const compiled = new WeakMap<object, NativeSchema>();

function check(schema: Json, value: unknown): Parsed {
  let validator = compiled.get(schema);
  if (validator === undefined) compiled.set(schema, (validator = new native.Schema(JSON.stringify(schema))));
  const found = validator.check(JSON.stringify(value) ?? 'null');
  if (found === null) return { success: true, data: value };
  return violated(JSON.parse(found));
}

/** Parses a value; returns a promise only if the schema needs one. */
export function parse(schema: object, value: unknown): Parsed | Promise<Parsed> {
  if (isPlain(schema)) return check(schema, value);
  return parseSoon(objectOf(schema) ?? schema, value);
}

/** The message of a failed parse. */
export const messageOf = (parsed: { error: unknown }): string => getParseErrorMessage(parsed.error);
