/**
 * Programs' JSON Schemas, judged by the engine. Owns: which dialect a schema without
 * `$schema` is, and saying what is wrong in the words of Ajv, which programs of 1.x know.
 * Must not know: schemas of the protocol, which are `schema-check`'s.
 */
import { failureOf } from './failure';
import { formatOf, withFormats } from './formats';
import { native, type NativeSchema } from './native';

/** One thing that is wrong with a value. */
export interface Violation {
  keyword: string;
  /** JSON pointers. */
  instancePath: string;
  schemaPath: string;
  message: string;
  expected: unknown;
}

/** A JSON Schema as an object; `true` and `false` are schemas, too. */
export type SchemaLike = object | boolean;

/** The dialect tuples were written in before `prefixItems`. */
const OLDER = 'https://json-schema.org/draft/2019-09/schema';

/** A compiled JSON Schema. */
export class Validator {
  readonly #schema: SchemaLike;
  readonly #compiled: NativeSchema;

  /**
   * Compiles a schema; throws if it is not a valid one. One that names no dialect is of `dialect`, or
   * else of the newest one that takes it.
   */
  constructor(schema: SchemaLike, dialect?: string) {
    this.#schema = schema;
    const named = typeof schema === 'boolean' || '$schema' in schema;
    if (named) this.#compiled = compile(schema);
    else if (dialect !== undefined) this.#compiled = compile({ $schema: dialect, ...schema });
    else this.#compiled = compileAny(schema);
  }

  /** What is wrong with a value; nothing if it fits. */
  check(value: unknown): Violation[] | undefined {
    const found = this.#compiled.check(JSON.stringify(value) ?? 'null');
    return found === null ? undefined : (JSON.parse(found) as Violation[]);
  }

  /** As `check`, as a text that starts every fault with `data` and its place. */
  explain(value: unknown): string | undefined {
    const found = this.check(value);
    return found?.map((one) => `data${one.instancePath} ${ajvWords(one, this.#schema)}`).join(', ');
  }
}

function compile(schema: SchemaLike): NativeSchema {
  try {
    const compiled = new native.Schema(JSON.stringify(withFormats(schema)));
    // Compiled when it is first used: what is wrong with the schema is to be said now.
    compiled.check('null');
    return compiled;
  } catch (error) {
    throw new Error(failureOf(error)?.message ?? String(error));
  }
}

function compileAny(schema: SchemaLike): NativeSchema {
  try {
    return compile(schema);
  } catch (error) {
    try {
      return compile({ $schema: OLDER, ...(schema as object) });
    } catch {
      throw error;
    }
  }
}

/** What stands at a JSON pointer. */
function at(schema: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>((inner, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    return (inner as Record<string, unknown> | null | undefined)?.[name];
  }, schema);
}

type Words = (expected: any, schema: unknown, path: string) => string;

const WORDS: Record<string, Words> = {
  required: (name) => `must have required property '${name}'`,
  type: (type, schema, path) => `must be ${String(at(schema, path) ?? type)}`,
  enum: () => 'must be equal to one of the allowed values',
  const: () => 'must be equal to constant',
  minimum: (limit) => `must be >= ${limit}`,
  maximum: (limit) => `must be <= ${limit}`,
  exclusiveMinimum: (limit) => `must be > ${limit}`,
  exclusiveMaximum: (limit) => `must be < ${limit}`,
  multipleOf: (of) => `must be multiple of ${of}`,
  minLength: (count) => `must NOT have fewer than ${count} characters`,
  maxLength: (count) => `must NOT have more than ${count} characters`,
  minItems: (count) => `must NOT have fewer than ${count} items`,
  maxItems: (count) => `must NOT have more than ${count} items`,
  minProperties: (count) => `must NOT have fewer than ${count} properties`,
  maxProperties: (count) => `must NOT have more than ${count} properties`,
  pattern: (pattern) => {
    const format = formatOf(pattern);
    return format === undefined ? `must match pattern "${pattern}"` : `must match format "${format}"`;
  },
  uniqueItems: () => 'must NOT have duplicate items',
  contains: () => 'must contain at least 1 valid item(s)',
  anyOf: () => 'must match a schema in anyOf',
  oneOf: () => 'must match exactly one schema in oneOf',
  not: () => 'must NOT be valid',
  propertyNames: () => 'property name must be valid',
  additionalProperties: () => 'must NOT have additional properties',
  unevaluatedProperties: () => 'must NOT have unevaluated properties',
  unevaluatedItems: () => 'must NOT have unevaluated items',
  falseSchema: (_, __, path) =>
    path.endsWith('/additionalProperties') ? 'must NOT have additional properties' : 'boolean schema is false',
};

function ajvWords(found: Violation, schema: unknown): string {
  return WORDS[found.keyword]?.(found.expected, schema, found.schemaPath) ?? found.message;
}
