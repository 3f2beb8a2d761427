/**
 * Converting zod 3 and zod 4 schemas to JSON Schema. Owns: the public helpers of the 1.x face. Must
 * not know: how the conversion works.
 */
import { isZod4, literalOf } from '../protocol/zod/kinds';
import { zodJson } from '../protocol/zod/json';
import { getObjectShape, safeParse, type AnyObjectSchema, type AnySchema } from '../protocol/zod/compat';

/** Options of a conversion to JSON Schema. */
export interface JsonSchemaOptions {
  /** Omits members of unions that allow anything; zod 3 only. Default: true. */
  strictUnions?: boolean;
  /** Which side of a transformation to describe. Default: `input`. */
  pipeStrategy?: 'input' | 'output';
  /** The JSON Schema draft; zod 4 only, zod 3 always gives draft 7. */
  target?: 'jsonSchema7' | 'draft-7' | 'jsonSchema2019-09' | 'draft-2020-12';
}

/**
 * Converts a zod schema to JSON Schema.
 * @param schema - The schema.
 * @param opts - The dialect and the direction. Default: as for tools.
 */
export function toJsonSchemaCompat(schema: AnyObjectSchema, opts?: JsonSchemaOptions): Record<string, unknown> {
  const modern = opts?.target === 'jsonSchema2019-09' || opts?.target === 'draft-2020-12';
  const json = zodJson(schema, {
    side: opts?.pipeStrategy ?? 'input',
    modern: modern && isZod4(schema),
    strictUnions: opts?.strictUnions ?? true,
  });
  return isZod4(schema) ? (JSON.parse(JSON.stringify(json)) as Record<string, unknown>) : json;
}

/**
 * The method that a request or notification schema is for.
 * @param schema - The schema of a message.
 */
export function getMethodLiteral(schema: AnyObjectSchema): string {
  const method = getObjectShape(schema)?.['method'];
  if (!method) throw new Error('Schema is missing a method literal');
  const value = literalOf(method);
  if (typeof value !== 'string') throw new Error('Schema method literal must be a string');
  return value;
}

/**
 * Parses a value, and throws the schema's error if it does not match.
 * @param schema - The schema.
 * @param data - The value.
 */
export function parseWithCompat(schema: AnySchema, data: unknown): unknown {
  const result = safeParse(schema, data);
  if (!result.success) throw result.error;
  return result.data;
}
