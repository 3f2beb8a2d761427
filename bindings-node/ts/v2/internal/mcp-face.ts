/**
 * What the 2.x face decides for high-level servers. Owns: the words and codes of their errors. Must
 * not know: how lists are made or calls are answered.
 */
import type { Face } from '../../common/mcp/face';
import type { Soon } from '../../common/mcp/records';
import { errorV2 } from './convert';
import { ProtocolError, ProtocolErrorCode } from './errors';
import { isInputRequiredResult } from './input';
import type { ScopeChallengeHandler } from './scopes';
import { issueText, type StandardIssue } from './standard';

/** The lists that clients are told of. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** What is registered, with the scopes it requires; `update` can change those as well. */
export interface Challenging {
  enabled: boolean;
  scopeChallenge?: ScopeChallengeHandler | null;
}

/** What the 2.x face decides for tools, prompts and resources. */
export const FACE: Face = {
  fault: (code, text, data) => (data === undefined ? new ProtocolError(code, text) : ProtocolError.fromError(code, text, data)),
  unknownResource: (uri) => new ProtocolError(ProtocolErrorCode.ResourceNotFound, `Resource not found: ${uri}`, { uri }),
  passes: (error) => error instanceof ProtocolError && error.code === ProtocolErrorCode.UrlElicitationRequired,
  isMeant: (error) => error instanceof ProtocolError && error.code !== ProtocolErrorCode.InternalError,
  explain: ({ error }) => {
    const { issues, message } = (error ?? {}) as { issues?: StandardIssue[]; message?: string };
    return Array.isArray(issues) ? issueText(issues) : String(message ?? error);
  },
  hasOutput: (result) => !isInputRequiredResult(result),
  modern: true,
};

/** Runs a function and converts its errors to this face. */
export function spoken<T>(body: () => Soon<T>): Soon<T> {
  const fail = (error: unknown): never => {
    throw errorV2(error);
  };
  try {
    const result = body();
    return result instanceof Promise ? result.catch(fail) : result;
  } catch (error) {
    return fail(error);
  }
}
