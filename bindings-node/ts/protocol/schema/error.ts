/**
 * The error that schemas throw. Owns: its shape, which is that of a `ZodError`. Must not know: how
 * values are validated.
 */
import type { Issue } from './check';

/** Error messages in the shape of the value; see `format`. */
export interface FormattedError {
  _errors: string[];
  [member: string]: FormattedError | string[];
}

// What `instanceof ZodError` of zod 4 checks.
const TRAITS = { traits: new Set(['$ZodError', 'ZodError']) };

/** Thrown when a value does not match a schema; `instanceof ZodError` of zod 4 is true for it. */
export class SpecError extends Error {
  /** All problems of the value. */
  readonly issues: readonly Issue[];

  /** Creates an error from issues; its message is their JSON text. */
  constructor(issues: readonly Issue[]) {
    super(JSON.stringify(issues, undefined, 2));
    this.name = 'ZodError';
    this.issues = issues;
    Object.defineProperty(this, '_zod', { value: { ...TRAITS, def: issues }, enumerable: false });
  }

  /** Whether there are no issues. */
  get isEmpty(): boolean {
    return this.issues.length === 0;
  }

  /** The issues as JSON text. */
  override toString(): string {
    return this.message;
  }

  /** Groups the messages: those of the value itself, and those of each member. */
  flatten(): { formErrors: string[]; fieldErrors: Record<string, string[]> } {
    const formErrors: string[] = [];
    const fieldErrors: Record<string, string[]> = {};
    for (const { path, message } of this.issues) {
      if (path.length === 0) formErrors.push(message);
      else (fieldErrors[String(path[0])] ??= []).push(message);
    }
    return { formErrors, fieldErrors };
  }

  /** Arranges the messages in the shape of the value, those of each level under `_errors`. */
  format(): FormattedError {
    const top: FormattedError = { _errors: [] };
    for (const { path, message } of this.issues) {
      let at = top;
      for (const key of path) at = (at[String(key)] ??= { _errors: [] }) as FormattedError;
      at._errors.push(message);
    }
    return top;
  }
}
