/**
 * Questions that a handler returns instead of a result. Owns: building them, and reading the
 * client's answers. Must not know: how questions are sent.
 */
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  Root,
} from '../../protocol/types';
import { elicitationSchema } from './elicit-schema';
import { isStandardSchema, type OutputOf, type StandardSchemaV1, type StandardSchemaWithJSON } from './standard';

/** One question to the client. */
export interface InputRequest {
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  method: string;
  /** The parameters of that method. */
  params?: Record<string, unknown>;
}

/** Questions by names that the handler chooses. */
export type InputRequests = Record<string, InputRequest>;

/** The client's answers, by the names of the questions. They are not validated. */
export type InputResponses = Record<string, unknown>;

/** The result of a handler that asks questions. It is called again with the answers. */
export interface InputRequiredResult {
  /** Marks the result as a set of questions. */
  resultType: 'input_required';
  /** The questions. */
  inputRequests?: InputRequests;
  /** A text that comes back unchanged with the answers. */
  requestState?: string;
  /** Metadata and extensions. */
  [key: string]: unknown;
}

/** What `inputRequired` takes: questions, a state, or both. */
export interface InputRequiredSpec {
  /** The questions. */
  inputRequests?: InputRequests;
  /** A text that comes back unchanged with the answers. */
  requestState?: string;
}

/** The parameters of a form; its schema may be a Standard Schema. */
export type ElicitInputParams = Omit<ElicitRequestFormParams, 'requestedSchema'> & {
  /** The schema of the form. */
  requestedSchema: ElicitRequestFormParams['requestedSchema'] | StandardSchemaWithJSON;
};

function build(spec: InputRequiredSpec): InputRequiredResult {
  const { inputRequests, requestState } = spec;
  const asks = inputRequests !== undefined && Object.keys(inputRequests).length > 0;
  if (!asks && typeof requestState !== 'string') {
    throw new TypeError('inputRequired() needs inputRequests with at least one entry, or a requestState');
  }
  return {
    resultType: 'input_required',
    ...(inputRequests !== undefined && { inputRequests }),
    ...(requestState !== undefined && { requestState }),
  };
}

/** Builds `input_required` results and the questions in them. */
export interface InputRequiredBuilder {
  /** Makes a result that asks questions. */
  (spec: InputRequiredSpec): InputRequiredResult;
  /**
   * Makes a question that asks the user to fill in a form.
   * @param params - The question and the schema of the form.
   */
  elicit(params: ElicitInputParams): InputRequest;
  /**
   * Makes a question that asks the user to visit a URL.
   * @param params - The URL, and why the user should visit it.
   */
  elicitUrl(params: Omit<ElicitRequestURLParams, 'mode' | 'elicitationId'>): InputRequest;
  /**
   * Makes a request for a message from the client's model.
   * @param params - The conversation, the limit of tokens, and other wishes for the answer.
   */
  createMessage(params: CreateMessageRequestParams): InputRequest;
  /** Makes a request for the client's roots. */
  listRoots(): InputRequest;
}

/**
 * Makes the result of a handler that needs answers from the client. The handler is called again
 * with the answers in `ctx.mcpReq.inputResponses`, in every revision.
 */
export const inputRequired: InputRequiredBuilder = Object.assign(build, {
  elicit(params: ElicitInputParams): InputRequest {
    const { requestedSchema, ...rest } = params;
    const schema = isStandardSchema(requestedSchema) ? elicitationSchema(requestedSchema as StandardSchemaWithJSON) : requestedSchema;
    return { method: 'elicitation/create', params: { ...rest, mode: 'form', requestedSchema: schema } };
  },
  elicitUrl(params: Omit<ElicitRequestURLParams, 'mode' | 'elicitationId'>): InputRequest {
    return { method: 'elicitation/create', params: { ...params, mode: 'url' } };
  },
  createMessage(params: CreateMessageRequestParams): InputRequest {
    return { method: 'sampling/createMessage', params: params as unknown as Record<string, unknown> };
  },
  listRoots(): InputRequest {
    return { method: 'roots/list' };
  },
});

/** The client's answer to one question. */
export type InputResponseView =
  | { kind: 'missing' }
  | { kind: 'elicit'; action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> }
  | { kind: 'sampling'; result: CreateMessageResult | CreateMessageResultWithTools }
  | { kind: 'roots'; roots: Root[] };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The client's answer to a question, classified by its shape. It is not validated.
 * @param responses - The client's answers.
 * @param key - The key of the question.
 */
export function inputResponse(responses: Record<string, unknown> | undefined, key: string): InputResponseView {
  const said = isObject(responses) ? responses[key] : undefined;
  if (!isObject(said)) return { kind: 'missing' };
  const { action, content, roots, role } = said;
  if (action === 'accept' || action === 'decline' || action === 'cancel') {
    return { kind: 'elicit', action, ...(isObject(content) && { content }) };
  }
  if (Array.isArray(roots)) return { kind: 'roots', roots: roots as Root[] };
  if (typeof role === 'string' && content !== undefined) {
    return { kind: 'sampling', result: said as unknown as CreateMessageResult };
  }
  return { kind: 'missing' };
}

/**
 * The content of a form that the user accepted; otherwise `undefined`.
 * @param responses - The client's answers.
 * @param key - The key of the question.
 */
export function acceptedContent<T extends Record<string, unknown> = Record<string, unknown>>(
  responses: Record<string, unknown> | undefined,
  key: string,
): T | undefined;
/**
 * @param schema - The schema of the answer.
 * @param responses - The client's answers.
 * @param key - The key of the question.
 */
export function acceptedContent<S extends StandardSchemaV1>(
  responses: Record<string, unknown> | undefined,
  key: string,
  schema: S,
): OutputOf<S> | undefined;
export function acceptedContent(
  responses: Record<string, unknown> | undefined,
  key: string,
  schema?: StandardSchemaV1,
): unknown {
  const view = inputResponse(responses, key);
  if (view.kind !== 'elicit' || view.action !== 'accept' || view.content === undefined) return undefined;
  if (schema === undefined) return view.content;
  const outcome = schema['~standard'].validate(view.content);
  if (outcome instanceof Promise) throw new TypeError('acceptedContent needs a schema that judges at once');
  return outcome.issues === undefined ? outcome.value : undefined;
}

/**
 * Whether a result is an `input_required` result.
 * @param value - The value.
 */
export function isInputRequiredResult(value: unknown): value is InputRequiredResult {
  return isObject(value) && value['resultType'] === 'input_required';
}

/**
 * Extends a result's schema to accept `input_required` results too, for requests with `allowInputRequired`.
 * @param schema - The schema of a result.
 */
export function withInputRequired<S extends StandardSchemaV1>(
  schema: S,
): StandardSchemaV1<unknown, OutputOf<S> | InputRequiredResult> {
  return {
    '~standard': {
      version: 1,
      vendor: 'mcpbolt',
      validate: (value) =>
        isInputRequiredResult(value) ? { value } : (schema['~standard'].validate(value) as { value: OutputOf<S> }),
    },
  };
}
