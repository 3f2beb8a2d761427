/**
 * The official package's validator for Node, by its name. Owns: the choice between the engine's
 * validator and an Ajv instance of the program. Must not know: Ajv itself, which is not a
 * dependency.
 */
import { Validator } from '../../engine/validator';
import type { JsonSchemaType, JsonSchemaValidator, JsonSchemaValidatorResult, jsonSchemaValidator } from '../../protocol/validation';

/** The methods of an Ajv instance that are used. */
export interface AjvLike {
  /**
   * Compiles a schema.
   * @param schema - The schema.
   */
  compile(schema: any): AjvValidate;
  /**
   * Returns a schema that was compiled before, by its `$id`.
   * @param id - The `$id`.
   */
  getSchema(id: string): AjvValidate | undefined;
  /**
   * Describes errors as text.
   * @param errors - The errors. Default: those of the last validation.
   */
  errorsText(errors?: any): string;
}

/** A schema that an Ajv instance compiled. */
export interface AjvValidate {
  (data: any): unknown;
  /** The errors of the last validation. */
  errors?: unknown;
}

/**
 * Validates values with the engine, with error messages in Ajv's wording. No code is generated at
 * run time. If the program passes an Ajv instance, that one validates, with its formats and
 * keywords.
 *
 * @example
 * ```ts
 * const check = new AjvJsonSchemaValidator().getValidator<{ a: number }>({ type: 'object', required: ['a'] });
 * check({}).errorMessage; // data must have required property 'a'
 * ```
 */
export class AjvJsonSchemaValidator implements jsonSchemaValidator {
  readonly #ajv: AjvLike | undefined;

  /**
   * Creates a validator; `ajv` is only needed for formats and keywords of the program.
   * @param ajv - An instance of Ajv. Default: the engine validates.
   */
  constructor(ajv?: AjvLike) {
    this.#ajv = ajv;
  }

  /**
   * Compiles a schema. Without `$schema`, the newest dialect that accepts the schema is used.
   * @param schema - The schema.
   */
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
