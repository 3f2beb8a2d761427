/**
 * Parameters and errors of OAuth endpoints. Owns: how parameters are validated, with the official
 * package's messages, and the status of each error. Must not know: endpoints.
 */
import { InvalidRequestError, OAuthError, ServerError } from '../../common/oauth/errors';
import type { Issue } from '../../protocol/schema/check';
import { SpecError } from '../../protocol/schema/error';

/** The rule for one parameter. */
export interface Rule {
  readonly optional?: boolean;
  /** The only value allowed. */
  readonly literal?: string;
  /** The parameter must be a URL; a text replaces the standard error message. */
  readonly url?: true | string;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function judge(name: string, value: unknown, rule: Rule): object | undefined {
  const path = [name];
  if (value === undefined && rule.optional) return undefined;
  if (rule.literal !== undefined) {
    if (value === rule.literal) return undefined;
    return { code: 'invalid_value', values: [rule.literal], path, message: `Invalid input: expected "${rule.literal}"` };
  }
  if (typeof value !== 'string') {
    const message = `Invalid input: expected string, received ${kindOf(value)}`;
    return { expected: 'string', code: 'invalid_type', path, message };
  }
  if (rule.url === undefined || URL.canParse(value)) return undefined;
  if (rule.url !== true) return { code: 'custom', path, message: rule.url };
  return { code: 'invalid_format', format: 'url', path, message: 'Invalid URL' };
}

/**
 * Validates the parameters of a request.
 *
 * @throws {InvalidRequestError} listing every invalid parameter.
 */
export function readParams<Name extends string>(given: unknown, rules: Record<Name, Rule>): Record<Name, string> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const message = `Invalid input: expected object, received ${kindOf(given)}`;
    throw wrong([{ expected: 'object', code: 'invalid_type', path: [], message }]);
  }
  const issues = Object.entries<Rule>(rules).flatMap(([name, rule]) => {
    return judge(name, (given as Record<string, unknown>)[name], rule) ?? [];
  });
  if (issues.length > 0) throw wrong(issues);
  return given as Record<Name, string>;
}

function wrong(issues: object[]): InvalidRequestError {
  return new InvalidRequestError(new SpecError(issues as Issue[]).message);
}

/**
 * Keeps only the members that a schema names, so that the sender cannot add others. `issuer` is
 * dropped as well: clients add it to the information they store.
 */
export function onlyKnown<T extends object>(schema: { shape: object }, value: T): T {
  const names = Object.keys(schema.shape).filter((name) => name in value && name !== 'issuer');
  return Object.fromEntries(names.map((name) => [name, (value as Record<string, unknown>)[name]])) as T;
}

/** The members of an Express response that are used. */
export interface Answering {
  status(code: number): { json(body: unknown): unknown };
}

/** Converts an error to an OAuth error. Details of other errors are not shown to the client. */
export function oauthError(thrown: unknown): OAuthError {
  return thrown instanceof OAuthError ? thrown : new ServerError('Internal Server Error');
}

/** Responds with an error. */
export function refuse(res: Answering, thrown: unknown): void {
  const error = oauthError(thrown);
  res.status(error instanceof ServerError ? 500 : 400).json(error.toResponseObject());
}
