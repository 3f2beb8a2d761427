/**
 * Schemas of zod 3 and zod 4 as JSON Schema. Owns: the public helpers of the 1.x face for
 * it. Must not know: how the conversion is done.
 */
import { isZod4, literalOf } from '../internal/zod-kinds';
import { zodJson } from '../internal/zod-json';
import { getObjectShape, safeParse, type AnyObjectSchema, type AnySchema } from './zod-compat';

/** How a schema is converted. */
export interface JsonSchemaOptions {
  /** Leaves members of unions out that allow anything; zod 3 only. On unless it is `false`. */
  strictUnions?: boolean;
  /** Which side of a transformation is shown; `input` unless it is said. */
  pipeStrategy?: 'input' | 'output';
  /** The draft; zod 4 only, zod 3 has draft 7. */
  target?: 'jsonSchema7' | 'draft-7' | 'jsonSchema2019-09' | 'draft-2020-12';
}

/** JSON Schema of a schema of zod. */
export function toJsonSchemaCompat(schema: AnyObjectSchema, opts?: JsonSchemaOptions): Record<string, unknown> {
  const modern = opts?.target === 'jsonSchema2019-09' || opts?.target === 'draft-2020-12';
  const json = zodJson(schema, {
    side: opts?.pipeStrategy ?? 'input',
    modern: modern && isZod4(schema),
    strictUnions: opts?.strictUnions ?? true,
  });
  return isZod4(schema) ? (JSON.parse(JSON.stringify(json)) as Record<string, unknown>) : json;
}

/** The method that a schema of requests or notifications is for. */
export function getMethodLiteral(schema: AnyObjectSchema): string {
  const method = getObjectShape(schema)?.['method'];
  if (!method) throw new Error('Schema is missing a method literal');
  const value = literalOf(method);
  if (typeof value !== 'string') throw new Error('Schema method literal must be a string');
  return value;
}

/** Parses, and throws what the schema says of a value that does not fit. */
export function parseWithCompat(schema: AnySchema, data: unknown): unknown {
  const result = safeParse(schema, data);
  if (!result.success) throw result.error;
  return result.data;
}
