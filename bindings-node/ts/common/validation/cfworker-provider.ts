/**
 * The official package's validator for runtimes without `eval`, by its name. Owns: its options and
 * the wording of its errors. Must not know: the package `@cfworker/json-schema`, which is not a
 * dependency; the engine never generates code at run time.
 */
import { Validator, type Violation } from '../../engine/validator';
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '../../protocol/validation';

/** The dialects that `CfWorkerJsonSchemaValidator` knows. */
export type CfWorkerSchemaDraft = '4' | '7' | '2019-09' | '2020-12';

const DIALECTS: Record<CfWorkerSchemaDraft, string> = {
  '4': 'http://json-schema.org/draft-04/schema#',
  '7': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** Validates values with the engine, which needs no `eval`. */
export class CfWorkerJsonSchemaValidator implements jsonSchemaValidator {
  readonly #first: boolean;
  readonly #dialect: string;

  /**
   * Creates a validator. It reports only the first error unless `shortcircuit` is `false`.
   * @param options - Whether to stop at the first error, and the dialect. Default: yes, and
   *   2020-12.
   */
  constructor(options?: {
    /** Whether to stop at the first error. Default: true. */
    shortcircuit?: boolean;
    /** The dialect of schemas without `$schema`. Default: 2020-12. */
    draft?: CfWorkerSchemaDraft;
  }) {
    this.#first = options?.shortcircuit ?? true;
    this.#dialect = DIALECTS[options?.draft ?? '2020-12'];
  }

  /**
   * Compiles a schema.
   * @param schema - The schema.
   */
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const validator = new Validator(schema, this.#dialect);
    return (input) => {
      const faults = validator.check(input);
      if (faults === undefined) return { valid: true, data: input as T, errorMessage: undefined };
      return { valid: false, data: undefined, errorMessage: this.#say(faults) };
    };
  }

  #say(faults: Violation[]): string {
    const shown = this.#first ? faults.slice(0, 1) : faults;
    return shown.map(({ instancePath, message }) => `#${instancePath}: The value ${message}.`).join('; ');
  }
}
