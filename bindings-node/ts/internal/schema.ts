/**
 * Schema objects of the 1.x face without a schema library. Owns: what `…Schema` constants
 * are, reading the method a schema is for, running anybody's schema. Must not know: the
 * addon, zod. Which types there are is in `generated/`, how values are judged in
 * `schema-check`.
 */
import { METHODS } from '../generated/methods';
import { definition, judge, nameOf2, plainName, resolve, type Definition, type Issue } from './schema-check';
import { SpecError } from './schema-error';
import { fitOf } from './schema-fit';
import { toZod } from './schema-zod';

export type { Issue } from './schema-check';
export { SpecError, type FormattedError } from './schema-error';

/** What `safeParse` says. */
export type SafeParse<T> =
  | { success: true; data: T; error?: undefined }
  | { success: false; data?: undefined; error: SpecError };

/** What a Standard Schema says of a value. */
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

/** The members that a type names. */
type Named<T> = keyof { [K in keyof T as string extends K ? never : number extends K ? never : K]: 1 };

/** The members of an object, each as a schema; `method` is a literal with its `value`. */
export type SpecShape<T> = {
  readonly [K in Named<T> & keyof T]-?: K extends 'method' ? LiteralSchema<T[K]> : MemberSchema<T[K]>;
};

/** A schema of one value. */
export interface LiteralSchema<T> extends AnySpecSchema<T> {
  /** The value. */
  readonly value: T;
}

/** A schema of a member. */
export interface MemberSchema<T> extends AnySpecSchema<T> {
  /** The members of an object. */
  readonly shape: SpecShape<Exclude<T, undefined>>;
}

/** The type a schema of zod 4 stands for. */
type OutputOf<S> = S extends { readonly _zod: { readonly output: infer T } } ? T : unknown;

/** What it is with the members of another schema, which win. */
type Extended<T, S> = Omit<T, keyof S> & { [K in keyof S]: OutputOf<S[K]> };

/** Checks values, and can be changed with zod. */
export interface AnySpecSchema<T> {
  /** Gives the value back, or throws a `SpecError`. Unknown members stay. */
  parse(value: unknown): T;
  /** As `parse`, without throwing. */
  safeParse(value: unknown): SafeParse<T>;
  /** As `parse`, as a promise. */
  parseAsync(value: unknown): Promise<T>;
  /** As `safeParse`, as a promise. */
  safeParseAsync(value: unknown): Promise<SafeParse<T>>;
  /** With other members, each a schema of zod. Needs zod. */
  extend<S extends object>(members: S): AnySpecSchema<Extended<T, S>>;
  /** With the members of another schema. Needs zod. */
  merge<U>(other: AnySpecSchema<U>): AnySpecSchema<Omit<T, keyof U> & U>;
  /** Without some members. Needs zod. */
  omit<K extends keyof T>(names: { readonly [N in K]: true }): AnySpecSchema<Omit<T, K>>;
  /** Only some members. Needs zod. */
  pick<K extends keyof T>(names: { readonly [N in K]: true }): AnySpecSchema<Pick<T, K>>;
  /** This or that. Needs zod. */
  or<S>(other: S): AnySpecSchema<T | OutputOf<S>>;
  /** A list of these. Needs zod. */
  array(): AnySpecSchema<T[]>;
  /** This or nothing. Needs zod. */
  optional(): AnySpecSchema<T | undefined>;
  /** This or `null`. Needs zod. */
  nullable(): AnySpecSchema<T | null>;
  /** With words on what it is for, as JSON Schema has them. Needs zod. */
  describe(words: string): AnySpecSchema<T>;
  /** With a check of the program's own. Needs zod. */
  refine(check: (value: T) => unknown, told?: string | object): AnySpecSchema<T>;
  /** What something is made of. Needs zod. */
  transform<U>(make: (value: T) => U): AnySpecSchema<Awaited<U>>;
  /** Standard Schema, version 1. */
  readonly '~standard': StandardProps<T>;
  /** What zod 4 reads, in types and when a program puts this into a schema of its own. */
  readonly _zod: ZodInternals<T>;
}

/** What a schema of zod 4 has inside. Only the types of values are known here. */
export interface ZodInternals<T> extends Record<ZodMember, any> {
  readonly output: T;
  readonly input: T;
  readonly values: undefined;
  readonly propValues: undefined;
}

type ZodMember = 'bag' | 'constr' | 'def' | 'deferred' | 'isst' | 'parse' | 'pattern' | 'run' | 'traits' | 'version';

/**
 * A type of the protocol as a value: it checks what it is given and names the method.
 * It is a Standard Schema, and `z.infer` of zod 4 reads its type.
 */
export interface SpecSchema<T, M extends string = never> extends AnySpecSchema<T> {
  /** Name of the type, e.g. `CallToolRequest`. */
  readonly specType: string;
  /** The method, if this is a request or a notification. */
  readonly method: M;
  /** The members of an object. */
  readonly shape: SpecShape<T>;
  /** The values of a type that is one of several texts, by themselves. */
  readonly enum: [T] extends [string] ? { readonly [V in T]: V } : undefined;
  /** The type as JSON Schema, whole in itself. */
  toJSONSchema(): Record<string, unknown>;
  /** The type as a schema of the program's zod 4, for what only real ones can do. */
  toZod<Z = unknown>(): Z;
}

/** Methods that a schema of zod has and ours borrow. */
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

  /** For schemas of literals, as zod has it. */
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

  /** Where zod 4 looks when this stands inside one of its schemas; unset without zod. */
  get _zod(): unknown {
    try {
      return (this.toZod() as { _zod: unknown })._zod;
    } catch {
      return undefined;
    }
  }
}

/** What zod's schemas can do that ours, which judge by themselves, have from them. */
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

/** What JSON Schema does not know. */
const OWN_WORDS = ['discriminator', 'nullIsAbsent', 'emptyIsAbsent', 'elseAbsent', 'coerced', 'emptyMeans'];

/** A definition with references of JSON Schema; what they lead to is put into `$defs`. */
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

/** The schema of a type as 2.x has it, which takes what 2026-07-28 allows. */
export function specSchemaOf2<T, M extends string = never>(name: string): SpecSchema<T, M> {
  return new Schema<T>(nameOf2(name)) as unknown as SpecSchema<T, M>;
}

/** The schema that messages of any revision are judged by where a program gave this one. */
export function ofAnyRevision(schema: unknown): unknown {
  return schema instanceof Schema && schema.specType !== '' ? specSchemaOf2(schema.specType) : schema;
}

/** A schema that is not a type of its own. */
export function inlineSchema<T>(definition: Definition): AnySpecSchema<T> {
  return new Schema<T>(definition) as unknown as AnySpecSchema<T>;
}

/** Whether a schema is one of ours, whose values need no other check. */
export function isSpecSchema(schema: unknown): schema is SpecSchema<unknown, string> {
  return schema instanceof Schema;
}

/** A literal's value, in a schema of ours, of zod 4 or of zod 3. */
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

/** The method of a schema of a request or a notification: one of ours, of zod 3, of zod 4. */
export function methodOf(schema: unknown): string | undefined {
  if (schema instanceof Schema && schema.specType !== '') return schema.method;
  const all = schema as { _zod?: { def?: LiteralDef }; shape?: unknown } | null | undefined;
  const given = all?._zod?.def?.shape ?? all?.shape;
  const shape = (typeof given === 'function' ? given() : given) as { method?: unknown } | undefined;
  const method = literalOf(shape?.method);
  return typeof method === 'string' ? method : undefined;
}

/** What a schema makes of a value; what it throws is its own error. */
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

/** A path's part; Standard Schemas may wrap it. */
function plainKey(part: unknown): PropertyKey {
  return typeof part === 'object' && part !== null && 'key' in part ? (part as { key: PropertyKey }).key : (part as PropertyKey);
}
