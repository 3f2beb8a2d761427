/**
 * Parameters and errors of OAuth endpoints. Owns: how parameters are judged, in the words
 * of the official package, and which status an error has. Must not know: endpoints.
 */
import { InvalidRequestError, OAuthError, ServerError } from '../server/auth/errors';
import type { Issue } from './schema-check';
import { SpecError } from './schema-error';

/** What a parameter has to be. */
export interface Rule {
  readonly optional?: boolean;
  /** The one value it may have. */
  readonly literal?: string;
  /** It has to be a URL; said with a text of its own where there is one. */
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
 * The parameters of a request.
 *
 * @throws {InvalidRequestError} saying everything that is wrong.
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
 * The members of a value that its schema names: the sender cannot add any. `issuer` is
 * left out; only clients know it, from what they stored.
 */
export function onlyKnown<T extends object>(schema: { shape: object }, value: T): T {
  const names = Object.keys(schema.shape).filter((name) => name in value && name !== 'issuer');
  return Object.fromEntries(names.map((name) => [name, (value as Record<string, unknown>)[name]])) as T;
}

/** What is needed of a response of Express. */
export interface Answering {
  status(code: number): { json(body: unknown): unknown };
}

/** The error to send: OAuth errors as they are; anything else stays private, as a server error. */
export function oauthError(thrown: unknown): OAuthError {
  return thrown instanceof OAuthError ? thrown : new ServerError('Internal Server Error');
}

/** Answers with an error. */
export function refuse(res: Answering, thrown: unknown): void {
  const error = oauthError(thrown);
  res.status(error instanceof ServerError ? 500 : 400).json(error.toResponseObject());
}
