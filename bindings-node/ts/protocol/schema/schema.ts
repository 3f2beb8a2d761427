/**
 * The schema objects of the 1.x face, without a schema library. Owns: the `…Schema` constants,
 * reading the method a schema is for, running any schema. Must not know: the addon, zod. The types
 * are listed in `generated/`; values are validated in `check`.
 */
import { METHODS } from '../../generated/methods';
import { definition, judge, nameOf2, plainName, resolve, type Definition, type Issue } from './check';
import { SpecError } from './error';
import { fitOf } from './fit';
import { toZod } from './zod';

export type { Issue } from './check';
export { SpecError, type FormattedError } from './error';

/** The outcome of `safeParse`. */
export type SafeParse<T> =
  | { success: true; data: T; error?: undefined }
  | { success: false; data?: undefined; error: SpecError };

/** The outcome of validating a value with a Standard Schema. */
export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly PropertyKey[] | undefined }[] };

/** The members of a Standard Schema, version 1. */
export interface StandardProps<T> {
  readonly version: 1;
  readonly vendor: string;
  readonly validate: (value: unknown) => StandardResult<T>;
  readonly types?: { readonly input: T; readonly output: T } | undefined;
}

/** The member names that a type declares, without index signatures. */
type Named<T> = keyof { [K in keyof T as string extends K ? never : number extends K ? never : K]: 1 };

/** The members of an object, each as a schema; `method` is a literal with its `value`. */
export type SpecShape<T> = {
  readonly [K in Named<T> & keyof T]-?: K extends 'method' ? LiteralSchema<T[K]> : MemberSchema<T[K]>;
};

/** A schema of one value. */
export interface LiteralSchema<T> extends AnySpecSchema<T> {
  /** The only value allowed. */
  readonly value: T;
}

/** A schema of a member. */
export interface MemberSchema<T> extends AnySpecSchema<T> {
  /** The schemas of an object's members. */
  readonly shape: SpecShape<Exclude<T, undefined>>;
}

/** The type that a zod 4 schema returns. */
type OutputOf<S> = S extends { readonly _zod: { readonly output: infer T } } ? T : unknown;

/** A type extended with the members of a shape, which take precedence. */
type Extended<T, S> = Omit<T, keyof S> & { [K in keyof S]: OutputOf<S[K]> };

/** Validates values. Methods that derive other schemas need zod. */
export interface AnySpecSchema<T> {
  /** Returns the value, or throws a `SpecError`. Unknown members are kept. */
  parse(value: unknown): T;
  /** Same as `parse`, but returns errors instead of throwing them. */
  safeParse(value: unknown): SafeParse<T>;
  /** Same as `parse`, as a promise. */
  parseAsync(value: unknown): Promise<T>;
  /** Same as `safeParse`, as a promise. */
  safeParseAsync(value: unknown): Promise<SafeParse<T>>;
  /** Adds or replaces members, each given as a zod schema. Needs zod. */
  extend<S extends object>(members: S): AnySpecSchema<Extended<T, S>>;
  /** Adds the members of another schema. Needs zod. */
  merge<U>(other: AnySpecSchema<U>): AnySpecSchema<Omit<T, keyof U> & U>;
  /** Removes some members. Needs zod. */
  omit<K extends keyof T>(names: { readonly [N in K]: true }): AnySpecSchema<Omit<T, K>>;
  /** Keeps only some members. Needs zod. */
  pick<K extends keyof T>(names: { readonly [N in K]: true }): AnySpecSchema<Pick<T, K>>;
  /** A union with another schema. Needs zod. */
  or<S>(other: S): AnySpecSchema<T | OutputOf<S>>;
  /** An array of such values. Needs zod. */
  array(): AnySpecSchema<T[]>;
  /** Also allows `undefined`. Needs zod. */
  optional(): AnySpecSchema<T | undefined>;
  /** Also allows `null`. Needs zod. */
  nullable(): AnySpecSchema<T | null>;
  /** Adds a description. Needs zod. */
  describe(words: string): AnySpecSchema<T>;
  /** Adds a check of the program's own. Needs zod. */
  refine(check: (value: T) => unknown, told?: string | object): AnySpecSchema<T>;
  /** Converts the value after validation. Needs zod. */
  transform<U>(make: (value: T) => U): AnySpecSchema<Awaited<U>>;
  /** The members that Standard Schema, version 1, defines. */
  readonly '~standard': StandardProps<T>;
  /** What zod 4 reads, in types and when a program uses this inside a schema of its own. */
  readonly _zod: ZodInternals<T>;
}

/** The internals of a zod 4 schema. Only the types of values are known here. */
export interface ZodInternals<T> extends Record<ZodMember, any> {
  readonly output: T;
  readonly input: T;
  readonly values: undefined;
  readonly propValues: undefined;
}

type ZodMember = 'bag' | 'constr' | 'def' | 'deferred' | 'isst' | 'parse' | 'pattern' | 'run' | 'traits' | 'version';

/** The schema of a type of the protocol. It is a Standard Schema, and `z.infer` of zod 4 works with it. */
export interface SpecSchema<T, M extends string = never> extends AnySpecSchema<T> {
  /** The name of the type, e.g. `CallToolRequest`. */
  readonly specType: string;
  /** The method, if the type is a request or a notification. */
  readonly method: M;
  /** The schemas of the members. */
  readonly shape: SpecShape<T>;
  /** The values of a string enum, as an object; `undefined` for other types. */
  readonly enum: [T] extends [string] ? { readonly [V in T]: V } : undefined;
  /** Converts the type to a self-contained JSON Schema. */
  toJSONSchema(): Record<string, unknown>;
  /** Converts the type to a schema of the program's zod 4, for features that only zod has. */
  toZod<Z = unknown>(): Z;
}

/** Methods of zod's schemas that ours provide through zod. */
type Borrowed = Record<string, (...parts: unknown[]) => unknown>;

class Schema<T> {
  readonly #given: string | Definition;
  #shape: Record<string, unknown> | undefined;
  #zod: Borrowed | undefined;

  constructor(given: string | Definition) {
    this.#given = given;
  }

  get specType(): string {
    return typeof this.#given === 'string' ? plainName(this.#given) : '';
  }

  get method(): string | undefined {
    return METHODS[this.specType];
  }

  /** The value of a literal, as in zod. */
  get value(): string | undefined {
    return this.#definition.const;
  }

  get options(): readonly unknown[] | undefined {
    const { anyOf, enum: values } = this.#definition;
    return values ?? anyOf?.map((each) => new Schema(each.$ref ?? each));
  }

  get enum(): Record<string, string> | undefined {
    const { enum: values } = this.#definition;
    return values && Object.fromEntries(values.map((value) => [value, value]));
  }

  get shape(): Record<string, unknown> {
    return (this.#shape ??= this.#members());
  }

  get #definition(): Definition {
    return typeof this.#given === 'string' ? definition(this.#given) : resolve(this.#given);
  }

  #members(): Record<string, unknown> {
    const members = Object.entries(this.#definition.properties ?? {});
    return Object.fromEntries(members.map(([name, each]) => [name, new Schema(each.$ref ?? each)]));
  }

  safeParse(value: unknown): SafeParse<T> {
    if (fitOf(this.#definition)(value) === 1) return { success: true, data: value as T };
    const issues: Issue[] = [];
    const data = judge(this.#definition, value, issues) as T;
    return issues.length === 0 ? { success: true, data } : { success: false, error: new SpecError(issues) };
  }

  parse(value: unknown): T {
    if (fitOf(this.#definition)(value) === 1) return value as T;
    const result = this.safeParse(value);
    if (!result.success) throw result.error;
    return result.data;
  }

  async parseAsync(value: unknown): Promise<T> {
    return this.parse(value);
  }

  async safeParseAsync(value: unknown): Promise<SafeParse<T>> {
    return this.safeParse(value);
  }

  get '~standard'(): StandardProps<T> {
    const validate = (value: unknown): StandardResult<T> => {
      const result = this.safeParse(value);
      return result.success ? { value: result.data } : { issues: result.error.issues };
    };
    return { version: 1, vendor: 'mcpbolt', validate };
  }

  toJSONSchema(): Record<string, unknown> {
    const $defs: Record<string, unknown> = {};
    const schema = whole(this.#definition, $defs) as Record<string, unknown>;
    return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, ...(Object.keys($defs).length > 0 && { $defs }) };
  }

  toZod(): unknown {
    return (this.#zod ??= toZod(this.#definition) as Borrowed);
  }

  /** The member that zod 4 reads inside one of its own schemas; `undefined` without zod. */
  get _zod(): unknown {
    try {
      return (this.toZod() as { _zod: unknown })._zod;
    } catch {
      return undefined;
    }
  }
}

/** Methods of zod's schemas that ours provide through zod. */
const BORROWED = [
  'extend', 'safeExtend', 'merge', 'omit', 'pick', 'partial', 'required', 'keyof', 'catchall', 'strict', 'strip', 'loose', 'passthrough',
  'or', 'and', 'array', 'optional', 'nullable', 'nullish', 'default', 'prefault', 'catch', 'readonly', 'brand',
  'extract', 'exclude', 'describe', 'meta', 'check', 'refine', 'superRefine', 'transform', 'pipe',
];

for (const name of BORROWED) {
  Object.defineProperty(Schema.prototype, name, {
    value(this: Schema<unknown>, ...parts: unknown[]): unknown {
      const own = this.toZod() as Borrowed;
      return own[name]!(...parts.map((part) => (part instanceof Schema ? part.toZod() : part)));
    },
    configurable: true,
    writable: true,
  });
}

/** Keywords that JSON Schema does not have. */
const OWN_WORDS = ['discriminator', 'nullIsAbsent', 'emptyIsAbsent', 'elseAbsent', 'coerced', 'emptyMeans'];

/** A definition with JSON Schema references; their targets are added to `$defs`. */
function whole(value: unknown, $defs: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => whole(each, $defs));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as Definition;
  if (typeof $ref === 'string') {
    const name = plainName($ref);
    if (!(name in $defs)) {
      $defs[name] = {};
      $defs[name] = whole(definition($ref), $defs);
    }
    return { $ref: `#/$defs/${name}` };
  }
  const kept = Object.entries(value).filter(([name]) => !OWN_WORDS.includes(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, whole(each, $defs)]));
}

/** The schema of a type of the protocol. */
export function specSchema<T, M extends string = never>(name: string): SpecSchema<T, M> {
  return new Schema<T>(name) as unknown as SpecSchema<T, M>;
}

/** The schema of a type in its 2.x form, which accepts what 2026-07-28 allows. */
export function specSchemaOf2<T, M extends string = never>(name: string): SpecSchema<T, M> {
  return new Schema<T>(nameOf2(name)) as unknown as SpecSchema<T, M>;
}

/** The schema that validates messages of any revision, for one that a program passed. */
export function ofAnyRevision(schema: unknown): unknown {
  return schema instanceof Schema && schema.specType !== '' ? specSchemaOf2(schema.specType) : schema;
}

/** A schema without a named type. */
export function inlineSchema<T>(definition: Definition): AnySpecSchema<T> {
  return new Schema<T>(definition) as unknown as AnySpecSchema<T>;
}

/** Whether a schema is this package's, so that its results need no other check. */
export function isSpecSchema(schema: unknown): schema is SpecSchema<unknown, string> {
  return schema instanceof Schema;
}

/** The value of a literal schema: ours, zod 4's or zod 3's. */
function literalOf(schema: unknown): unknown {
  const all = schema as { _zod?: { def?: LiteralDef }; _def?: LiteralDef; value?: unknown } | null | undefined;
  const def = all?._zod?.def ?? all?._def;
  return def?.values?.[0] ?? def?.value ?? all?.value;
}

interface LiteralDef {
  values?: unknown[];
  value?: unknown;
  shape?: unknown;
}

/** The method of a request or notification schema: ours, zod 3's or zod 4's. */
export function methodOf(schema: unknown): string | undefined {
  if (schema instanceof Schema && schema.specType !== '') return schema.method;
  const all = schema as { _zod?: { def?: LiteralDef }; shape?: unknown } | null | undefined;
  const given = all?._zod?.def?.shape ?? all?.shape;
  const shape = (typeof given === 'function' ? given() : given) as { method?: unknown } | undefined;
  const method = literalOf(shape?.method);
  return typeof method === 'string' ? method : undefined;
}

/** Parses a value with any schema; throws the schema's own error. */
export function parseWith<T>(schema: AnySpecSchema<T>, value: unknown): T;
export function parseWith(schema: unknown, value: unknown): unknown;
export function parseWith(schema: unknown, value: unknown): unknown {
  const any = schema as {
    safeParse?: (value: unknown) => { success: boolean; data?: unknown; error?: unknown };
    parse?: (value: unknown) => unknown;
    '~standard'?: StandardProps<unknown>;
  };
  if (typeof any?.safeParse === 'function') {
    const result = any.safeParse(value);
    if (!result.success) throw result.error;
    return result.data;
  }
  if (typeof any?.parse === 'function') return any.parse(value);
  const standard = any?.['~standard'];
  if (standard === undefined) throw new TypeError('this is no schema: it has neither parse nor ~standard');
  return standardResult(standard.validate(value));
}

function standardResult(result: StandardResult<unknown> | Promise<unknown>): unknown {
  if (result instanceof Promise) throw new TypeError('this schema only works asynchronously, which does not work here');
  if (result.issues === undefined) return result.value;
  throw new SpecError(result.issues.map(({ message, path }) => ({ code: 'custom', message, path: (path ?? []).map(plainKey) })));
}

/** The key in a part of a path; Standard Schemas may wrap it. */
function plainKey(part: unknown): PropertyKey {
  return typeof part === 'object' && part !== null && 'key' in part ? (part as { key: PropertyKey }).key : (part as PropertyKey);
}
