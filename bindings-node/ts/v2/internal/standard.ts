/**
 * Schemas in the forms that the 2.x face accepts. Owns: the interfaces of Standard Schema and its
 * JSON Schema part, and wrapping plain JSON Schema. Must not know: any schema library.
 */
import { Validator } from '../../engine/validator';

/** The outcome of a validation: the value if it is valid, or an error message. */
export type JsonSchemaValidatorResult<T> =
  | { valid: true; data: T; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };

/** Validates a value against the compiled schema. */
export type JsonSchemaValidator<T> = (input: unknown) => JsonSchemaValidatorResult<T>;

/** A JSON Schema, as an object. */
export type JsonSchemaType = Record<string, unknown>;

/** Compiles JSON Schemas into validators; programs may implement it. */
export interface jsonSchemaValidator {
  /**
   * Compiles a schema into a validator.
   * @param schema - The schema.
   */
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T>;
}

/** One problem that a schema found in a value. */
export interface StandardIssue {
  /** The description of the problem. */
  readonly message: string;
  /** The path to the part of the value. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The outcome of validating a value with a Standard Schema. */
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
  /** The members that Standard Schema defines. */
  readonly '~standard': SchemaProps<Input, Output>;
}

/** A Standard Schema that validates synchronously. */
export interface StandardSchemaV1Sync<Input = unknown, Output = Input> {
  /** The members that Standard Schema defines; `validate` returns no promise. */
  readonly '~standard': SchemaProps<Input, Output> & { readonly validate: (value: unknown) => StandardOutcome<Output> };
}

/** A Standard Schema that can also be converted to JSON Schema. */
export interface StandardSchemaWithJSON<Input = unknown, Output = Input> {
  /** The members that Standard Schema and its JSON Schema extension define. */
  readonly '~standard': SchemaProps<Input, Output> & JsonProps<Input, Output>;
}

/** The type of the values that a schema returns. */
export type OutputOf<S> = S extends { readonly '~standard': { readonly types?: { readonly output: infer T } | undefined } }
  ? T
  : unknown;

/** The type of the values that a schema accepts. */
export type InputOf<S> = S extends { readonly '~standard': { readonly types?: { readonly input: infer T } | undefined } }
  ? T
  : unknown;

/** Whether a value is a Standard Schema; some libraries use functions for schemas. */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  const possible = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return possible && typeof (value as StandardSchemaV1)['~standard']?.validate === 'function';
}

/** Joins issues into one line. */
export function issueText(issues: readonly StandardIssue[]): string {
  return issues.map(oneIssue).join(', ');
}

function oneIssue({ message, path }: StandardIssue): string {
  if (path === undefined || path.length === 0) return message;
  return `${path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')}: ${message}`;
}

/**
 * Wraps plain JSON Schema as a schema for tools and prompts. Its type cannot be inferred; name it:
 * `fromJsonSchema<Arguments>(…)`.
 *
 * The engine validates values unless a `validator` is given.
 * @param schema - The JSON Schema.
 * @param validator - The validator. Default: the engine.
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
