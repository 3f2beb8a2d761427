/**
 * What a schema that a user hands us is. Owns: telling zod 4, zod 3, Standard Schema, JSON
 * Schema and raw shapes apart by their members, and the few members that are read of each.
 * Must not know: how any of them is listed or parsed. No zod is imported: the program that hands us
 * a schema of zod's has it.
 */

/** A JSON object. */
export type Json = { [member: string]: unknown };

/** What says how one schema of zod 4 is made; members depend on `type`. */
export interface Zod4Def {
  type: string;
  shape?: Record<string, Zod4>;
  checks?: Zod4[];
  // The rest is read by the table of types, which knows what each has.
  [member: string]: any;
}

/** A schema of zod 4, classic, mini or core. */
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

/** What goes through a schema of zod 4. */
export interface Payload {
  value: unknown;
  issues: unknown[];
}

/** What says how one schema of zod 3 is made; members depend on `typeName`. */
export interface Zod3Def {
  typeName?: string;
  description?: string;
  checks?: { kind: string; value?: unknown; inclusive?: boolean; [member: string]: unknown }[];
  // As above.
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

/** The result of a parse, in the shape that zod has. */
export type Parsed = { success: true; data: unknown } | { success: false; error: unknown };

/** An issue, of zod or of a Standard Schema. */
export interface Issue {
  message: string;
  path?: readonly unknown[];
  [member: string]: unknown;
}

/** What a Standard Schema has under `~standard`. */
export interface StandardPart {
  version: number;
  vendor: string;
  validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  jsonSchema?: {
    input: (options: { target: string }) => Json;
    output: (options: { target: string }) => Json;
  };
}

/** What a Standard Schema says of a value. */
export type StandardResult = { value: unknown; issues?: undefined } | { issues: readonly Issue[] };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Whether a value can have members: Standard Schemas may be functions. */
const hasMembers = (value: unknown): value is Record<string, unknown> =>
  isObject(value) || typeof value === 'function';

/** Whether it is a schema of zod 4. */
export const isZod4 = (value: unknown): value is Zod4 => isObject(value) && Boolean(value['_zod']);

/** Whether it is a schema of zod 3. */
export const isZod3 = (value: unknown): value is Zod3 =>
  isObject(value) && !value['_zod'] && isObject(value['_def']) && typeof value['safeParse'] === 'function';

/** The Standard Schema part of a value, if it has one. */
export function standardOf(value: unknown): StandardPart | undefined {
  const part = hasMembers(value) ? value['~standard'] : undefined;
  return isObject(part) && typeof part['validate'] === 'function'
    ? (part as unknown as StandardPart)
    : undefined;
}

/** Whether it parses, as schemas of zod and of its imitators do. */
const parses = (value: unknown): boolean =>
  isObject(value) && typeof value['parse'] === 'function' && typeof value['safeParse'] === 'function';

/** Whether it is a schema by itself, of zod or like zod's, and no raw shape. */
export const isSchema = (value: unknown): value is Record<string, unknown> =>
  hasMembers(value) &&
  ('_def' in value || '_zod' in value || parses(value) || standardOf(value) !== undefined);

/** Whether it is a raw shape: an object with schemas as members, or with no members. */
export function isRawShape(value: unknown): value is Record<string, unknown> {
  if (!isObject(value) || isSchema(value)) return false;
  const members = Object.values(value);
  return members.length === 0 || members.some((member) => parses(member) || isSchema(member));
}

/** Whether it is JSON Schema for an object. */
export const isJsonSchema = (value: unknown): value is Json =>
  isObject(value) && value['type'] === 'object' && !isSchema(value);

/** The members of an object schema, or `undefined` for another schema. */
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

/** The value of a schema that allows one value only. */
export function literalOf(schema: unknown): unknown {
  const def = isZod4(schema) ? schema._zod.def : (schema as { _def?: Zod3Def })._def;
  if (def?.['value'] !== undefined) return def['value'];
  const values: unknown = def?.['values'];
  if (Array.isArray(values) && values.length > 0) return values[0];
  return (schema as { value?: unknown }).value;
}
