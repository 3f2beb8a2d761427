/**
 * Questions of handlers at an endpoint that stores nothing between requests: questions and state go
 * to the client unchanged, and come back to a newly made server. Owns: taking answers out of a
 * request, checking questions. Must not know: who serves.
 *
 * Nothing seals such a state; `createRequestStateCodec` does, with a key that all processes of an
 * endpoint share.
 */
import { LATEST_MODERN } from '../../generated/protocol';
import type { ClientCapabilities } from '../../protocol/types';
import { MissingRequiredClientCapabilityError, ProtocolError, ProtocolErrorCode } from './errors';
import type { InputRequest, InputRequiredResult } from './input';

/** The client's answers to the questions of an earlier request. */
export interface Rounds {
  readonly inputResponses: Record<string, unknown> | undefined;
  readonly requestState: string | undefined;
}

type Body = { params?: { inputResponses?: unknown; requestState?: unknown } };

/** Separates the answers from a request; returns them and the request without them. */
export function takeRounds(value: unknown, text: string): { rounds: Rounds; text: string } {
  const params = (value as Body).params;
  if (params?.inputResponses === undefined && params?.requestState === undefined) {
    return { rounds: { inputResponses: undefined, requestState: undefined }, text };
  }
  const { inputResponses, requestState, ...rest } = params;
  if (requestState !== undefined && typeof requestState !== 'string') {
    const data = { reason: 'invalid_request_state' };
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', data);
  }
  const rounds = { inputResponses: inputResponses as Record<string, unknown> | undefined, requestState };
  return { rounds, text: JSON.stringify({ ...(value as object), params: rest }) };
}

/** The capabilities that a client must declare to be asked a question. */
function needs({ method, params }: InputRequest): ClientCapabilities | undefined {
  switch (method) {
    case 'elicitation/create':
      return { elicitation: params?.['mode'] === 'url' ? { url: {} } : { form: {} } } as ClientCapabilities;
    case 'sampling/createMessage':
      return { sampling: params?.['tools'] !== undefined || params?.['toolChoice'] !== undefined ? { tools: {} } : {} } as ClientCapabilities;
    case 'roots/list':
      return { roots: {} };
    default:
      return undefined;
  }
}

/** Whether a client declared a capability. `elicitation` without members means forms. */
function declares(declared: Record<string, unknown>, needed: Record<string, unknown>): boolean {
  return Object.entries(needed).every(([name, members]) => {
    const own = declared[name] as Record<string, unknown> | undefined;
    if (own === undefined) return false;
    const plainForms = name === 'elicitation' && Object.keys(own).length === 0;
    return Object.keys(members as object).every((member) => own[member] !== undefined || (plainForms && member === 'form'));
  });
}

/**
 * Checks the questions that a handler returned.
 *
 * @throws ProtocolError if there are none, one is unknown, or the client does not support one.
 */
export function checkQuestions(method: string, result: InputRequiredResult, declared: Record<string, unknown> | null): void {
  const { inputRequests = {}, requestState } = result;
  const wrong = (words: string): never => {
    throw new ProtocolError(ProtocolErrorCode.InternalError, `Handler for ${method} returned ${words}`);
  };
  if (Object.keys(inputRequests).length === 0 && typeof requestState !== 'string') {
    wrong('an input-required result with neither inputRequests nor requestState');
  }
  for (const [key, question] of Object.entries(inputRequests)) {
    if (typeof question?.method !== 'string') wrong(`an invalid input request '${key}'`);
    const needed = needs(question);
    if (needed === undefined) wrong(`an input request '${key}' of kind '${question.method}', which the ${LATEST_MODERN} revision does not have`);
    if (!declares(declared ?? {}, needed as Record<string, unknown>)) {
      const words = `Cannot request input '${key}' (${question.method}): the request's client capabilities do not declare the required capability`;
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: needed! }, words);
    }
  }
}

/** Marks a result so that it is sent unchanged, without the engine asking the questions. */
export function asItIs(result: object): object {
  return { toJSON: () => result };
}
