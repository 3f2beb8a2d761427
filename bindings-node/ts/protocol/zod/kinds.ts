/**
 * The kind of a schema that a program passes. Owns: telling zod 4, zod 3, Standard Schema, JSON
 * Schema and raw shapes apart by their members, and the members that are read of each. Must not
 * know: how any of them is listed or parsed. zod is not imported; a program that passes zod schemas
 * has it.
 */

/** A JSON object. */
export type Json = { [member: string]: unknown };

/** The definition inside a zod 4 schema; its members depend on `type`. */
export interface Zod4Def {
  type: string;
  shape?: Record<string, Zod4>;
  checks?: Zod4[];
  // The table of types reads the rest, and knows the members of each type.
  [member: string]: any;
}

/** A schema of zod 4: classic, mini or core. */
export interface Zod4 {
  _zod: {
    def: Zod4Def;
    version?: { major: number; minor: number };
    bag?: Record<string, any>;
    traits?: Set<string>;
    parent?: Zod4;
    optin?: string;
    optout?: string;
    values?: Set<unknown>;
    pattern?: RegExp;
    innerType?: Zod4;
    toJSONSchema?: () => Json;
    run?: (payload: Payload, context: { async: boolean }) => Payload | Promise<Payload>;
  };
  safeParseAsync?: (value: unknown) => Promise<Parsed>;
  toJSONSchema?: (options: { target: string; io: string }) => Json;
  meta?: () => Json | undefined;
  [member: string]: unknown;
}

/** What a zod 4 schema passes along while parsing. */
export interface Payload {
  value: unknown;
  issues: unknown[];
}

/** The definition inside a zod 3 schema; its members depend on `typeName`. */
export interface Zod3Def {
  typeName?: string;
  description?: string;
  checks?: { kind: string; value?: unknown; inclusive?: boolean; [member: string]: unknown }[];
  // The table of types reads the rest, and knows the members of each type.
  [member: string]: any;
}

/** A schema of zod 3. */
export interface Zod3 {
  _def: Zod3Def;
  description?: string;
  isOptional?: () => boolean;
  safeParseAsync: (value: unknown, options?: { path: (string | number)[] }) => Promise<Parsed>;
  safeParse: (value: unknown, options?: { path: (string | number)[] }) => Parsed;
  [member: string]: unknown;
}

/** The outcome of a parse, in zod's form. */
export type Parsed = { success: true; data: unknown } | { success: false; error: unknown };

/** An issue, of zod or of a Standard Schema. */
export interface Issue {
  message: string;
  path?: readonly unknown[];
  [member: string]: unknown;
}

/** The members of a Standard Schema under `~standard`. */
export interface StandardPart {
  version: number;
  vendor: string;
  validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  jsonSchema?: {
    input: (options: { target: string }) => Json;
    output: (options: { target: string }) => Json;
  };
}

/** The outcome of validating a value with a Standard Schema. */
export type StandardResult = { value: unknown; issues?: undefined } | { issues: readonly Issue[] };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Whether a value can have members; Standard Schemas may be functions. */
const hasMembers = (value: unknown): value is Record<string, unknown> =>
  isObject(value) || typeof value === 'function';

/** Whether a value is a zod 4 schema. */
export const isZod4 = (value: unknown): value is Zod4 => isObject(value) && Boolean(value['_zod']);

/** Whether a value is a zod 3 schema. */
export const isZod3 = (value: unknown): value is Zod3 =>
  isObject(value) && !value['_zod'] && isObject(value['_def']) && typeof value['safeParse'] === 'function';

/** The `~standard` member of a value, if it has one. */
export function standardOf(value: unknown): StandardPart | undefined {
  const part = hasMembers(value) ? value['~standard'] : undefined;
  return isObject(part) && typeof part['validate'] === 'function'
    ? (part as unknown as StandardPart)
    : undefined;
}

/** Whether a value has the methods of zod schemas and of libraries like it. */
const parses = (value: unknown): boolean =>
  isObject(value) && typeof value['parse'] === 'function' && typeof value['safeParse'] === 'function';

/** Whether a value is a schema of zod or of a library like it, and not a raw shape. */
export const isSchema = (value: unknown): value is Record<string, unknown> =>
  hasMembers(value) &&
  ('_def' in value || '_zod' in value || parses(value) || standardOf(value) !== undefined);

/** Whether a value is a raw shape: an object whose members are schemas, or without members. */
export function isRawShape(value: unknown): value is Record<string, unknown> {
  if (!isObject(value) || isSchema(value)) return false;
  const members = Object.values(value);
  return members.length === 0 || members.some((member) => parses(member) || isSchema(member));
}

/** Whether a value is JSON Schema of an object. */
export const isJsonSchema = (value: unknown): value is Json =>
  isObject(value) && value['type'] === 'object' && !isSchema(value);

/** The member schemas of an object schema; `undefined` for any other schema. */
export function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  if (!schema) return undefined;
  const shape = isZod4(schema) ? schema._zod.def?.shape : (schema as { shape?: unknown }).shape;
  if (typeof shape !== 'function') return (shape as Record<string, unknown> | undefined) || undefined;
  try {
    return (shape as () => Record<string, unknown>)();
  } catch {
    return undefined;
  }
}

/** The value of a schema that allows only one value. */
export function literalOf(schema: unknown): unknown {
  const def = isZod4(schema) ? schema._zod.def : (schema as { _def?: Zod3Def })._def;
  if (def?.['value'] !== undefined) return def['value'];
  const values: unknown = def?.['values'];
  if (Array.isArray(values) && values.length > 0) return values[0];
  return (schema as { value?: unknown }).value;
}
