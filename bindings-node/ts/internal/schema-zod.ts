/**
 * Schemas of the protocol as schemas of the zod that the program has. Owns: finding zod,
 * building its objects. Must not know: how values are judged here. Nothing is loaded
 * before a program asks for it.
 */
import { resolve, type Definition } from './schema-check';

/** What is used of a schema of zod 4. */
interface ZodSchema {
  optional(): ZodSchema;
  default(value: unknown): ZodSchema;
  [method: string]: unknown;
}

/** What is used of zod 4. */
interface Zod {
  string(): ZodSchema & Record<'url' | 'datetime', (options?: object) => ZodSchema>;
  number(): ZodSchema & Record<'min' | 'max' | 'int', (limit?: number) => ReturnType<Zod['number']>>;
  [maker: string]: (...parts: any[]) => any;
}

let zod: Zod | undefined;

/** The program's zod 4; as part of zod 3.25 it counts, too. */
function load(): Zod {
  if (zod !== undefined) return zod;
  for (const place of [require, fromProgram]) {
    for (const name of ['zod', 'zod/v4']) {
      try {
        const found = place(name) as { z?: Zod } & Zod;
        if (typeof found.looseObject === 'function') return (zod = found);
      } catch {
        // The next place may have it.
      }
    }
  }
  throw new Error('this needs zod 4, which mcpbolt does not bring along: install it with `npm install zod`');
}

/** As the program itself would load it, where packages are not all in one folder. */
function fromProgram(name: string): unknown {
  const { createRequire } = require('node:module') as typeof import('node:module');
  return createRequire(`${process.cwd()}/program.js`)(name);
}

/** A schema as one of zod's. */
export function toZod(given: Definition): ZodSchema {
  return build(load(), given, new Map());
}

function build(z: Zod, given: Definition, known: Map<Definition, ZodSchema>): ZodSchema {
  const schema = resolve(given);
  let made = known.get(schema);
  if (made === undefined) {
    made = plain(z, schema, (inner) => build(z, inner, known));
    if (schema.nullIsAbsent === true) made = z['preprocess']!((value: unknown) => value ?? undefined, made.optional()) as ZodSchema;
    if (schema.emptyMeans !== undefined) made = z['preprocess']!((value: unknown) => filled(schema, value), made) as ZodSchema;
    if (schema.default !== undefined) made = made.default(schema.default);
    known.set(schema, made);
  }
  return made;
}

function filled(schema: Definition, value: unknown): unknown {
  const empty = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
  return empty ? structuredClone(schema.emptyMeans) : value;
}

function plain(z: Zod, schema: Definition, inner: (schema: Definition) => ZodSchema): ZodSchema {
  if (schema.discriminator !== undefined) return z['discriminatedUnion']!(schema.discriminator, schema.anyOf!.map(inner));
  if (schema.anyOf !== undefined) return z['union']!(schema.anyOf.map(inner));
  if (schema.const !== undefined) return z['literal']!(schema.const);
  if (schema.enum !== undefined) return z['enum']!(schema.enum);
  if (Array.isArray(schema.type)) return z['custom']!((value: unknown) => typeof value === 'object' && value !== null);
  switch (schema.type) {
    case 'object':
      return object(z, schema, inner);
    case 'array': {
      const list = z['array']!(inner(schema.items ?? {}));
      return schema.maxItems === undefined ? list : list.max(schema.maxItems);
    }
    case 'string':
      return text(z, schema);
    case 'integer':
    case 'number':
      return numeric(z, schema);
    default:
      return z[schema.type ?? 'unknown']!();
  }
}

function object(z: Zod, schema: Definition, inner: (schema: Definition) => ZodSchema): ZodSchema {
  const { properties, required = [], additionalProperties } = schema;
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? inner(additionalProperties) : z['unknown']!();
    return z['record']!(z.string(), values);
  }
  const member = ([name, each]: [string, Definition]) => {
    const made = inner(each);
    const optional = !required.includes(name) && resolve(each).default === undefined;
    return [name, optional ? made.optional() : made];
  };
  const shape = Object.fromEntries(Object.entries(properties).map(member)) as Record<string, ZodSchema>;
  return z[additionalProperties === false ? 'strictObject' : 'looseObject']!(shape);
}

function text(z: Zod, schema: Definition): ZodSchema {
  switch (schema.format) {
    case 'uri':
      return z.string().url();
    case 'date-time':
      return z.string().datetime({ offset: true });
    case 'byte':
      return z['base64']!();
    default:
      return z.string();
  }
}

function numeric(z: Zod, schema: Definition): ZodSchema {
  let made = z.number();
  if (schema.type === 'integer') made = made.int();
  if (schema.minimum !== undefined) made = made.min(schema.minimum);
  return schema.maximum === undefined ? made : made.max(schema.maximum);
}
