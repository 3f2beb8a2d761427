/**
 * Whether an answer fits its form. Owns: the official words for one that does not. Must not
 * know: who asked.
 */
import { ErrorCode, McpError } from './errors';
import { Validator } from './validator';
import type { ElicitRequestFormParams, ElicitResult } from '../types';

/** What checks values against JSON Schemas. */
export interface FormValidator {
  /** A function that checks values against a schema. */
  getValidator<T>(schema: any): (input: unknown) => { valid: boolean; data: T | undefined; errorMessage: string | undefined };
}

/**
 * Refuses an answer that does not fit its form; the engine says so unless a validator is given.
 *
 * @throws in the official words.
 */
export function checkForm(form: ElicitRequestFormParams, result: ElicitResult, validator: FormValidator | undefined): void {
  const { requestedSchema } = form;
  if (result.action !== 'accept' || !result.content || !requestedSchema) return;
  let wrong: string | undefined;
  try {
    wrong = validator === undefined ? new Validator(requestedSchema).explain(result.content) : ask(validator, requestedSchema, result.content);
  } catch (error) {
    if (error instanceof McpError) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw new McpError(ErrorCode.InternalError, `Error validating elicitation response: ${words}`);
  }
  if (wrong !== undefined) {
    throw new McpError(ErrorCode.InvalidParams, `Elicitation response content does not match requested schema: ${wrong}`);
  }
}

function ask(validator: FormValidator, schema: unknown, value: unknown): string | undefined {
  const verdict = validator.getValidator(schema)(value);
  return verdict.valid ? undefined : String(verdict.errorMessage);
}
