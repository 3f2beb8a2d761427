/**
 * The validator of the official package for Node, by name. Owns: the choice between the
 * engine's validator and an Ajv that the program made. Must not know: Ajv itself, which
 * is not needed.
 */
import { Validator } from '../internal/validator';
import type { JsonSchemaType, JsonSchemaValidator, JsonSchemaValidatorResult, jsonSchemaValidator } from './types';

/** What is used of an Ajv. */
export interface AjvLike {
  /** Compiles a schema. */
  compile(schema: any): AjvValidate;
  /** A schema that was compiled before, by its `$id`. */
  getSchema(id: string): AjvValidate | undefined;
  /** Says what is wrong. */
  errorsText(errors?: any): string;
}

/** A schema that an Ajv compiled. */
export interface AjvValidate {
  (data: any): unknown;
  /** What was wrong with the last value. */
  errors?: unknown;
}

/**
 * Judges values with the engine, in the words of Ajv: no code is made at run time. Given
 * an Ajv it uses that, with the formats and keywords the program gave it.
 *
 * @example
 * ```ts
 * const check = new AjvJsonSchemaValidator().getValidator<{ a: number }>({ type: 'object', required: ['a'] });
 * check({}).errorMessage; // data must have required property 'a'
 * ```
 */
export class AjvJsonSchemaValidator implements jsonSchemaValidator {
  readonly #ajv: AjvLike | undefined;

  /** A validator; `ajv` only if the program needs its own. */
  constructor(ajv?: AjvLike) {
    this.#ajv = ajv;
  }

  /** A validator for a schema. Without `$schema` it is of the newest dialect that takes it. */
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    if (this.#ajv !== undefined) return withAjv(this.#ajv, schema);
    const validator = new Validator(schema);
    return (input) => said<T>(input, validator.explain(input));
  }
}

function withAjv<T>(ajv: AjvLike, schema: JsonSchemaType): JsonSchemaValidator<T> {
  const id = schema['$id'];
  const validate = (typeof id === 'string' ? ajv.getSchema(id) : undefined) ?? ajv.compile(schema);
  return (input) => said<T>(input, validate(input) ? undefined : ajv.errorsText(validate.errors));
}

function said<T>(input: unknown, errorMessage: string | undefined): JsonSchemaValidatorResult<T> {
  if (errorMessage === undefined) return { valid: true, data: input as T, errorMessage };
  return { valid: false, data: undefined, errorMessage };
}
