/**
 * The schemas of tools and prompts, whatever they are. Owns: which are taken, what is
 * listed for them, who checks values. Must not know: tools, prompts, servers.
 */
import { causeOf } from './cause';
import { getParseErrorMessage, normalizeObjectSchema } from '../server/zod-compat';
import { native, type NativeSchema } from './native';
import { jsonSchemaOf } from './zod-json';
import {
  isJsonSchema,
  isRawShape,
  isSchema,
  isZod3,
  isZod4,
  type Json,
  type Parsed,
} from './zod-kinds';
import { parseSoon, ShapeSchema } from './zod-shape';
import type { Side } from './zod3-json';

/** What a tool without a schema lists. */
const NO_ARGUMENTS: Json = { type: 'object', properties: {} };

/** A raw shape as a schema, any other schema as it is; an error says whose it is. */
export function schemaFrom(given: unknown, whose = ''): object | undefined {
  if (!given) return undefined;
  if (isRawShape(given)) return new ShapeSchema(given);
  if (isSchema(given) || isJsonSchema(given)) return given;
  const remedy = `${whose}write { a: z.number() }, or JSON Schema with type: 'object'`;
  throw new Error('inputSchema must be a Zod schema or raw shape, received an unrecognized object', { cause: causeOf(remedy) });
}

/** Whether a schema is JSON Schema, which the engine checks. */
export const isEngines = (schema: object | undefined): boolean => schema !== undefined && isPlain(schema);

const isPlain = (schema: object): schema is Json => !isSchema(schema) && isJsonSchema(schema);

/** The part of a schema that is listed and parsed as an object; nothing for other schemas of zod. */
function objectOf(schema: object): object | undefined {
  if (isZod4(schema) || isZod3(schema) || schema instanceof ShapeSchema) return normalizeObjectSchema(schema as never);
  return schema;
}

/** What was made before, by side and draft. */
const listed: Record<string, WeakMap<object, Json | undefined>> = {};

/** JSON Schema as clients take it, if all that fits it is an object; unions do not say so themselves. */
function asObject(json: Json | undefined): Json | undefined {
  if (json === undefined || json['type'] === 'object') return json;
  const parts = (json['anyOf'] ?? json['oneOf'] ?? json['allOf']) as Json[] | undefined;
  const isObjects = json['type'] === undefined && parts?.every((part) => asObject(part) !== undefined);
  return isObjects ? { ...json, type: 'object' } : undefined;
}

/**
 * What 2.x lists for a schema that is not plainly an object's: its object, if it is read as one,
 * else nothing for arguments. What a tool returns may be anything.
 */
function listedAround(schema: object, side: Side): Json | undefined {
  try {
    const json = jsonSchemaOf(schema, { side, modern: true });
    return asObject(json) ?? (side === 'output' ? json : undefined);
  } catch {
    // JSON Schema cannot say what it makes.
    return undefined;
  }
}

/**
 * What is listed for a schema; `undefined` if it is not an object's. The 2.x face, which is
 * `modern`, also looks through what is around an object: preprocessing, unions, defaults.
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
  // Those of zod are listed as they are; clients take nothing else than objects, though.
  const isFree = isZod4(object) || isZod3(object) || (modern && side === 'output');
  return isFree || json?.['type'] === 'object' ? json : NO_ARGUMENTS;
}

/** The `inputSchema` to list; `modern` prefers draft 2020-12. */
export const inputSchemaOf = (schema: object | undefined, modern = false): Json =>
  (schema && listedFor(schema, 'input', modern)) ?? NO_ARGUMENTS;

/** The `outputSchema` to list, if there is one. */
export const outputSchemaOf = (schema: object | undefined, modern = false): Json | undefined =>
  schema && listedFor(schema, 'output', modern);

/** What the engine says of a value that does not fit. */
interface Violation {
  message: string;
  instancePath?: string;
  schema?: string;
}

const stepOf = (part: string): string | number =>
  /^\d+$/.test(part) ? Number(part) : part.replace(/~1/g, '/').replace(/~0/g, '~');

/** What the engine found wrong, as a parse that failed. */
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

/** Parses a value: a promise only where the schema needs one. */
export function parse(schema: object, value: unknown): Parsed | Promise<Parsed> {
  if (isPlain(schema)) return check(schema, value);
  return parseSoon(objectOf(schema) ?? schema, value);
}

/** What a parse that failed says. */
export const messageOf = (parsed: { error: unknown }): string => getParseErrorMessage(parsed.error);
