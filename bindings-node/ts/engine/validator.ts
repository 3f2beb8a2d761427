/**
 * JSON Schemas of programs, validated by the engine. Owns: the dialect of a schema without
 * `$schema`, and messages in the wording of Ajv, which programs of 1.x expect. Must not know:
 * schemas of the protocol, which `protocol/schema` validates.
 */
import { failureOf } from './failure';
import { formatOf, withFormats } from './formats';
import { native, type NativeSchema } from './native';

/** One problem of a value. */
export interface Violation {
  keyword: string;
  /** JSON pointers. */
  instancePath: string;
  schemaPath: string;
  message: string;
  expected: unknown;
}

/** A JSON Schema: an object, `true` or `false`. */
export type SchemaLike = object | boolean;

/** The dialect in which tuples were written before `prefixItems`. */
const OLDER = 'https://json-schema.org/draft/2019-09/schema';

/** A compiled JSON Schema. */
export class Validator {
  readonly #schema: SchemaLike;
  readonly #compiled: NativeSchema;

  /**
   * Compiles a schema; throws if it is not valid. Without `$schema` it is of `dialect`, or else of
   * the newest dialect that accepts it.
   */
  constructor(schema: SchemaLike, dialect?: string) {
    this.#schema = schema;
    const named = typeof schema === 'boolean' || '$schema' in schema;
    if (named) this.#compiled = compile(schema);
    else if (dialect !== undefined) this.#compiled = compile({ $schema: dialect, ...schema });
    else this.#compiled = compileAny(schema);
  }

  /** Validates a value and returns its problems; `undefined` if it is valid. */
  check(value: unknown): Violation[] | undefined {
    const found = this.#compiled.check(JSON.stringify(value) ?? 'null');
    return found === null ? undefined : (JSON.parse(found) as Violation[]);
  }

  /** Same as `check`, but returns one text in which each problem starts with `data` and its path. */
  explain(value: unknown): string | undefined {
    const found = this.check(value);
    return found?.map((one) => `data${one.instancePath} ${ajvWords(one, this.#schema)}`).join(', ');
  }
}

function compile(schema: SchemaLike): NativeSchema {
  try {
    const compiled = new native.Schema(JSON.stringify(withFormats(schema)));
    // The engine compiles on first use; errors in the schema have to be thrown now.
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

/** The value at a JSON pointer. */
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
