/** Validating answers to forms. Owns: the official error message. Must not know: who asked. */
import { ErrorCode, McpError } from '../../engine/errors';
import { Validator } from '../../engine/validator';
import type { ElicitRequestFormParams, ElicitResult } from '../../protocol/types';

/** Compiles JSON Schemas into validators. */
export interface FormValidator {
  /** Compiles a schema into a function that validates values. */
  getValidator<T>(schema: any): (input: unknown) => { valid: boolean; data: T | undefined; errorMessage: string | undefined };
}

/**
 * Throws if an answer does not match its form. The engine validates unless a validator is given.
 *
 * @throws with the official message.
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
