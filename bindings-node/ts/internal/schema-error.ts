/**
 * What a schema throws. Owns: the error's shape, which is that of a `ZodError`. Must not
 * know: how values are judged.
 */
import type { Issue } from './schema-check';

/** The messages of an error, by member; see `format`. */
export interface FormattedError {
  _errors: string[];
  [member: string]: FormattedError | string[];
}

// What `instanceof ZodError` of zod 4 looks at.
const TRAITS = { traits: new Set(['$ZodError', 'ZodError']) };

/** A value is not what a schema says; `instanceof ZodError` of zod 4 holds, too. */
export class SpecError extends Error {
  /** Everything that is wrong. */
  readonly issues: readonly Issue[];

  /** An error of these issues; they are also its message, as JSON text. */
  constructor(issues: readonly Issue[]) {
    super(JSON.stringify(issues, undefined, 2));
    this.name = 'ZodError';
    this.issues = issues;
    Object.defineProperty(this, '_zod', { value: { ...TRAITS, def: issues }, enumerable: false });
  }

  /** Whether nothing is wrong. */
  get isEmpty(): boolean {
    return this.issues.length === 0;
  }

  /** The issues alone, as JSON text. */
  override toString(): string {
    return this.message;
  }

  /** Messages of the value itself, and of each of its members. */
  flatten(): { formErrors: string[]; fieldErrors: Record<string, string[]> } {
    const formErrors: string[] = [];
    const fieldErrors: Record<string, string[]> = {};
    for (const { path, message } of this.issues) {
      if (path.length === 0) formErrors.push(message);
      else (fieldErrors[String(path[0])] ??= []).push(message);
    }
    return { formErrors, fieldErrors };
  }

  /** Messages in the shape of the value, each level's under `_errors`. */
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
