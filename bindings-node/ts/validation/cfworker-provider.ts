/**
 * The validator of the official package for places without `eval`, by name. Owns: its
 * options and how it words faults. Must not know: the package it once stood on, which is
 * not needed; the engine never makes code at run time.
 */
import { Validator, type Violation } from '../internal/validator';
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from './types';

/** The dialects it knows. */
export type CfWorkerSchemaDraft = '4' | '7' | '2019-09' | '2020-12';

const DIALECTS: Record<CfWorkerSchemaDraft, string> = {
  '4': 'http://json-schema.org/draft-04/schema#',
  '7': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** Judges values with the engine. */
export class CfWorkerJsonSchemaValidator implements jsonSchemaValidator {
  readonly #first: boolean;
  readonly #dialect: string;

  /** A validator that says the first fault only, unless `shortcircuit` is `false`. */
  constructor(options?: {
    /** Whether only the first fault is said. */
    shortcircuit?: boolean;
    /** The dialect of schemas that name none; 2020-12 unless said otherwise. */
    draft?: CfWorkerSchemaDraft;
  }) {
    this.#first = options?.shortcircuit ?? true;
    this.#dialect = DIALECTS[options?.draft ?? '2020-12'];
  }

  /** A validator for a schema. */
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
