/**
 * The protocol's schemas as schemas of the program's zod. Owns: loading zod, building its schemas.
 * Must not know: how values are validated here. zod is loaded only when a program needs it.
 */
import { resolve, type Definition } from './check';

// zod belongs to the program; its types are not available here.
type Zod = any;
type ZodSchema = any;

let zod: Zod;

/** Loads the program's zod 4, or the one that zod 3.25 contains. */
function load(): Zod {
  if (zod !== undefined) return zod;
  for (const place of [require, fromProgram]) {
    for (const name of ['zod', 'zod/v4']) {
      try {
        const found = place(name) as Zod;
        if (typeof found.looseObject === 'function') return (zod = found);
      } catch {
        // Tries the next place.
      }
    }
  }
  throw new Error('this needs zod 4, which mcpbolt does not bring along: install it with `npm install zod`');
}

/** Loads a package as the program itself would, if packages are not all in one folder. */
function fromProgram(name: string): unknown {
  const { createRequire } = require('node:module') as typeof import('node:module');
  return createRequire(`${process.cwd()}/program.js`)(name);
}

/** Converts a schema to one of zod's. */
export function toZod(given: Definition): ZodSchema {
  return build(load(), given, new Map());
}

function build(z: Zod, given: Definition, known: Map<Definition, ZodSchema>): ZodSchema {
  const schema = resolve(given);
  let made = known.get(schema);
  if (made === undefined) {
    made = plain(z, schema, (inner) => build(z, inner, known));
    if (schema.nullIsAbsent) made = z.preprocess((value: unknown) => value ?? undefined, made.optional());
    if (schema.emptyIsAbsent) made = z.preprocess((value: unknown) => (value === '' ? undefined : value), made.optional());
    if (schema.elseAbsent) made = made.optional().catch(undefined);
    if (schema.emptyMeans !== undefined) made = z.preprocess((value: unknown) => filled(schema, value), made);
    if (schema.default !== undefined) made = made.default(schema.default);
    known.set(schema, made);
  }
  return made;
}

function filled(schema: Definition, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.keys(value).length === 0 ? structuredClone(schema.emptyMeans) : value;
}

function plain(z: Zod, schema: Definition, inner: (schema: Definition) => ZodSchema): ZodSchema {
  if (schema.discriminator !== undefined) return z.discriminatedUnion(schema.discriminator, schema.anyOf!.map(inner));
  if (schema.anyOf !== undefined) return z.union(schema.anyOf.map(inner));
  if (schema.const !== undefined) return z.literal(schema.const);
  if (schema.enum !== undefined) return z.enum(schema.enum);
  if (Array.isArray(schema.type)) return z.custom((value: unknown) => typeof value === 'object' && value !== null);
  switch (schema.type) {
    case 'object':
      return object(z, schema, inner);
    case 'array': {
      const list = z.array(inner(schema.items ?? {}));
      return schema.maxItems === undefined ? list : list.max(schema.maxItems);
    }
    case 'string':
      return text(z, schema);
    case 'integer':
    case 'number':
      return numeric(z, schema);
    default:
      return z[schema.type ?? 'unknown']();
  }
}

function object(z: Zod, schema: Definition, inner: (schema: Definition) => ZodSchema): ZodSchema {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    return z.record(z.string(), typeof additionalProperties === 'object' ? inner(additionalProperties) : z.unknown());
  }
  const shape: Record<string, ZodSchema> = {};
  for (const [name, each] of Object.entries(properties)) {
    const isNeeded = required.includes(name) || resolve(each).default !== undefined;
    shape[name] = isNeeded ? inner(each) : inner(each).optional();
  }
  return additionalProperties === false ? z.strictObject(shape) : z.looseObject(shape);
}

function text(z: Zod, schema: Definition): ZodSchema {
  switch (schema.format) {
    case 'uri':
      return z.string().url();
    case 'safe-uri':
      return z.string().url().regex(/^(?!javascript:|data:|vbscript:)/i);
    case 'date-time':
      return z.string().datetime({ offset: true });
    case 'byte':
      return z.base64();
    default:
      return z.string();
  }
}

function numeric(z: Zod, schema: Definition): ZodSchema {
  let made = schema.coerced ? z.coerce.number() : z.number();
  if (schema.type === 'integer') made = made.int();
  if (schema.minimum !== undefined) made = made.min(schema.minimum);
  return schema.maximum === undefined ? made : made.max(schema.maximum);
}
