/**
 * Errors of OAuth endpoints. Owns: how they are sent, and which members of a document are. Must not
 * know: endpoints; the status of an error, which the engine says.
 */
import { OAuthError, ServerError } from '../../common/oauth/errors';
import { decide } from './decisions';

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
  const { status } = decide<{ status: number }>('refusal_answer', { endpoint: 'token', error: error.errorCode });
  res.status(status).json(error.toResponseObject());
}
