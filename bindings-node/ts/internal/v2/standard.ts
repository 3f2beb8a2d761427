/**
 * Schemas as the 2.x face takes them. Owns: the interfaces of Standard Schema and its JSON
 * Schema part, and plain JSON Schema in that shape. Must not know: any schema library.
 */
import { Validator } from '../validator';

/** What a validator of JSON Schema says of a value. */
export type JsonSchemaValidatorResult<T> =
  | { valid: true; data: T; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };

/** Judges values. */
export type JsonSchemaValidator<T> = (input: unknown) => JsonSchemaValidatorResult<T>;

/** JSON Schema, as an object. */
export type JsonSchemaType = Record<string, unknown>;

/** Makes what judges values by JSON Schema. */
export interface jsonSchemaValidator {
  /** The judge for a schema. */
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T>;
}

/** What a schema says is wrong with a value. */
export interface StandardIssue {
  /** In words. */
  readonly message: string;
  /** Where in the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema says of a value. */
export type StandardOutcome<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface TypedProps<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

interface SchemaProps<Input, Output> extends TypedProps<Input, Output> {
  readonly validate: (
    value: unknown,
    options?: { readonly libraryOptions?: Record<string, unknown> | undefined } | undefined,
  ) => StandardOutcome<Output> | Promise<StandardOutcome<Output>>;
}

interface JsonProps<Input, Output> extends TypedProps<Input, Output> {
  readonly jsonSchema: {
    readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    readonly output: (options: { readonly target: string }) => Record<string, unknown>;
  };
}

/** A schema of any library that follows Standard Schema, version 1. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  /** The contract. */
  readonly '~standard': SchemaProps<Input, Output>;
}

/** The same, and it judges at once. */
export interface StandardSchemaV1Sync<Input = unknown, Output = Input> {
  /** The contract. */
  readonly '~standard': SchemaProps<Input, Output> & { readonly validate: (value: unknown) => StandardOutcome<Output> };
}

/** A schema that can also say itself as JSON Schema. */
export interface StandardSchemaWithJSON<Input = unknown, Output = Input> {
  /** The contract. */
  readonly '~standard': SchemaProps<Input, Output> & JsonProps<Input, Output>;
}

/** What comes out of a schema. */
export type OutputOf<S> = S extends { readonly '~standard': { readonly types?: { readonly output: infer T } | undefined } }
  ? T
  : unknown;

/** What goes into a schema. */
export type InputOf<S> = S extends { readonly '~standard': { readonly types?: { readonly input: infer T } | undefined } }
  ? T
  : unknown;

/** Whether a value is a schema of that kind; some are functions. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  const possible = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return possible && typeof (value as StandardSchemaV1)['~standard']?.validate === 'function';
}

/** What a schema says is wrong, in one line. */
export function issueText(issues: readonly StandardIssue[]): string {
  return issues.map(oneIssue).join(', ');
}

function oneIssue({ message, path }: StandardIssue): string {
  if (path === undefined || path.length === 0) return message;
  return `${path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')}: ${message}`;
}

/**
 * Plain JSON Schema in the shape that tools and prompts are registered with. Nothing gives
 * it a type; say which one it is: `fromJsonSchema<Arguments>(…)`.
 *
 * The engine judges values unless there is a `validator`.
 */
export function fromJsonSchema<T = unknown>(
  schema: Record<string, unknown>,
  validator?: jsonSchemaValidator,
): StandardSchemaWithJSON<T, T> {
  const judge = validator === undefined ? byEngine(schema) : byProgram(schema, validator);
  return {
    '~standard': {
      version: 1,
      vendor: 'mcp',
      jsonSchema: { input: () => schema, output: () => schema },
      validate: (value) => {
        const wrong = judge(value);
        return wrong === undefined ? { value: value as T } : { issues: [{ message: wrong }] };
      },
    },
  };
}

function byEngine(schema: Record<string, unknown>): (value: unknown) => string | undefined {
  const compiled = new Validator(schema);
  return (value) => compiled.explain(value);
}

function byProgram(schema: Record<string, unknown>, validator: jsonSchemaValidator): (value: unknown) => string | undefined {
  const check = validator.getValidator(schema);
  return (value) => {
    const result = check(value);
    return result.valid ? undefined : result.errorMessage;
  };
}
