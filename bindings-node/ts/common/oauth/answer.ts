/**
 * Answers of authorization servers that errors were made of. Owns: remembering them, since a face
 * may have another class for the same answer. Must not know: those classes.
 */
import type { OAuthErrorResponse } from '../../generated/types';

const ANSWERS = new WeakMap<object, OAuthErrorResponse>();

/** Remembers the answer of an authorization server that an error was made of, and returns the error. */
export function madeOf<E extends object>(answer: OAuthErrorResponse, error: E): E {
  ANSWERS.set(error, answer);
  return error;
}

/** The answer that an error was made of; a face may have another class for it. */
export function answerOf(error: object): OAuthErrorResponse | undefined {
  return ANSWERS.get(error);
}

/** A registration that was rejected: its answer, and what was sent. */
export interface Rejection {
  status: number;
  body: string;
  submittedMetadata: unknown;
}

const REJECTIONS = new WeakMap<object, Rejection>();

/** Remembers what an error about a registration was made of, and returns the error. */
export function rejectedBy<E extends object>(error: E, rejection: Rejection): E {
  REJECTIONS.set(error, rejection);
  return error;
}

/** What an error about a registration was made of; a face may have another class for it. */
export function rejectionOf(error: object): Rejection | undefined {
  return REJECTIONS.get(error);
}
