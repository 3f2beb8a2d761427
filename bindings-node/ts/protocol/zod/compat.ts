/**
 * One view of the schemas of zod 3, zod 4 and Standard Schema. Owns: the public types and helpers
 * of the 1.x face for them. Must not know: zod itself, in code or in types; a schema is recognized
 * by its members.
 */
import { isZod4, literalOf, shapeOf } from './kinds';
import { parseSoon, parseWith, ShapeSchema } from './shape';

/** A schema of zod 4, described by the member that carries its types. */
export interface Zod4Schema<Output = unknown, Input = unknown> {
  readonly _zod: { readonly output: Output; readonly input: Input };
}

/** A schema of zod 3, described by the members that carry its types. */
export interface Zod3Schema<Output = unknown, Input = unknown> {
  readonly _output: Output;
  readonly _input: Input;
}

/** A Standard Schema, version 1: valibot, ArkType and others. */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Any schema. */
export type AnySchema = Zod4Schema | Zod3Schema | StandardSchema;

/** A schema of objects. The type does not enforce it. */
export type AnyObjectSchema = AnySchema;

/** A raw shape: schemas by member name. */
export type ZodRawShapeCompat = Record<string, AnySchema>;

/** The internals of a zod 3 schema that are read. */
export interface ZodV3Internal {
  _def?: {
    typeName?: string;
    value?: unknown;
    values?: unknown[];
    shape?: Record<string, AnySchema> | (() => Record<string, AnySchema>);
    description?: string;
  };
  /** The members of an object. */
  shape?: Record<string, AnySchema> | (() => Record<string, AnySchema>);
  /** The value of a literal. */
  value?: unknown;
}

/** The internals of a zod 4 schema that are read. */
export interface ZodV4Internal {
  _zod?: {
    def?: {
      type?: string;
      value?: unknown;
      values?: unknown[];
      shape?: Record<string, AnySchema> | (() => Record<string, AnySchema>);
    };
  };
  /** The value of a literal. */
  value?: unknown;
}

/** The type of the values that a schema returns. */
export type SchemaOutput<S> = S extends { readonly _zod: { readonly output: infer Output } }
  ? Output
  : S extends { readonly _output: infer Output }
    ? Output
    : S extends { readonly '~standard': { readonly types?: infer Types } }
      ? NonNullable<Types> extends { readonly output: infer Output }
        ? Output
        : unknown
      : never;

/** The type of the values that a schema accepts. */
export type SchemaInput<S> = S extends { readonly _zod: { readonly input: infer Input } }
  ? Input
  : S extends { readonly _input: infer Input }
    ? Input
    : S extends { readonly '~standard': { readonly types?: infer Types } }
      ? NonNullable<Types> extends { readonly input: infer Input }
        ? Input
        : unknown
      : never;

/** The type of the objects that a raw shape returns. */
export type ShapeOutput<Shape extends ZodRawShapeCompat> = {
  [K in keyof Shape]: SchemaOutput<Shape[K]>;
};

/** The outcome of a parse. */
export type SafeParseResult<S> = { success: true; data: SchemaOutput<S> } | { success: false; error: unknown };

/**
 * Whether a schema is a zod 4 schema.
 * @param s - The schema.
 */
export function isZ4Schema(s: AnySchema): s is Zod4Schema {
  return isZod4(s);
}

/**
 * Makes an object schema from a raw shape; schemas of zod 3 and zod 4 cannot be mixed in one.
 * @param shape - The schemas by name.
 */
export function objectFromShape(shape: ZodRawShapeCompat): AnyObjectSchema {
  return new ShapeSchema(shape) as unknown as AnyObjectSchema;
}

/**
 * Parses a value; returns errors instead of throwing them.
 * @param schema - The schema.
 * @param data - The value.
 */
export function safeParse<S extends AnySchema>(schema: S, data: unknown): SafeParseResult<S> {
  return parseWith(schema, data) as SafeParseResult<S>;
}

/**
 * Same as `safeParse`, but refinements and transforms may be async.
 * @param schema - The schema.
 * @param data - The value.
 */
export async function safeParseAsync<S extends AnySchema>(schema: S, data: unknown): Promise<SafeParseResult<S>> {
  return (await parseSoon(schema, data)) as SafeParseResult<S>;
}

/**
 * The member schemas of an object schema; `undefined` for any other schema.
 * @param schema - The schema.
 */
export function getObjectShape(schema: AnyObjectSchema | undefined): Record<string, AnySchema> | undefined {
  return shapeOf(schema) as Record<string, AnySchema> | undefined;
}

const isMember = (value: unknown): boolean => {
  const member = value as { _def?: unknown; _zod?: unknown; parse?: unknown } | null;
  if (typeof member !== 'object' || member === null) return false;
  return member._def !== undefined || member._zod !== undefined || typeof member.parse === 'function';
};

/**
 * Returns an object schema unchanged, makes one from a raw shape, and returns `undefined` for
 * anything else.
 * @param schema - The schema, or the shape of one.
 */
export function normalizeObjectSchema(schema: AnySchema | ZodRawShapeCompat | undefined): AnyObjectSchema | undefined {
  if (!schema) return undefined;
  const seen = schema as { _def?: unknown; _zod?: { def?: { type?: string; shape?: unknown } }; shape?: unknown };
  if (typeof schema === 'object' && !seen._def && !seen._zod) {
    const members = Object.values(schema);
    if (members.length > 0 && members.every(isMember)) return objectFromShape(schema as ZodRawShapeCompat);
  }
  if (seen._zod) {
    const { def } = seen._zod;
    return def && (def.type === 'object' || def.shape !== undefined) ? (schema as AnyObjectSchema) : undefined;
  }
  return seen.shape === undefined ? undefined : (schema as AnyObjectSchema);
}

/** Formats the path of an issue, e.g. `items[0].name`. */
function placeOf(path: readonly unknown[]): string {
  return path.reduce<string>((text, part, index) => {
    // Some libraries wrap the keys of a path in objects.
    const key = typeof part === 'object' && part !== null ? (part as { key: unknown }).key : part;
    if (index === 0) return String(key);
    return typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`;
  }, '');
}

/**
 * The error message of a failed parse, one line per issue.
 * @param error - The error.
 */
export function getParseErrorMessage(error: unknown): string {
  if (!error || typeof error !== 'object') return String(error);
  const { issues, message } = error as { issues?: unknown; message?: unknown };
  if (Array.isArray(issues) && issues.length > 0) {
    return (issues as { message: string; path?: unknown[] }[])
      .map((issue) => (issue.path?.length ? `${issue.message} at ${placeOf(issue.path)}` : issue.message))
      .join('\n');
  }
  if (typeof message === 'string') return message;
  try {
    return JSON.stringify(error);
  } catch {
    return String(error);
  }
}

/**
 * The description set with `.describe()`.
 * @param schema - The schema.
 */
export function getSchemaDescription(schema: AnySchema): string | undefined {
  return (schema as { description?: string }).description;
}

/**
 * Whether a member with this schema may be left out.
 * @param schema - The schema.
 */
export function isSchemaOptional(schema: AnySchema): boolean {
  if (isZod4(schema)) return schema._zod.def?.type === 'optional';
  const { isOptional, _def } = schema as { isOptional?: () => boolean; _def?: { typeName?: string } };
  return typeof isOptional === 'function' ? isOptional.call(schema) : _def?.typeName === 'ZodOptional';
}

/**
 * The value of a schema that allows only one value.
 * @param schema - The schema.
 */
export function getLiteralValue(schema: AnySchema): unknown {
  return literalOf(schema);
}

