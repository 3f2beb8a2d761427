/**
 * A person in the loop: approving tool calls and sampling requests.
 *
 * Owns: reviews, the steps of sampling, the budget. Must not know: connections.
 */
import { ErrorCode, McpError } from '../engine/errors';
import type {
  CreateMessageRequest,
  CreateMessageResult,
  ModelPreferences,
  ToolAnnotations,
} from '../protocol/types';

/** A tool call that has not been sent yet. */
export interface ToolReview {
  /** The name of the tool. */
  tool: string;
  /** The arguments of the call. */
  arguments: Record<string, unknown> | undefined;
  /** The server's annotations of the tool. They are hints only, unless the server is trusted. */
  annotations: ToolAnnotations | undefined;
  /** Whether the program trusts this server; the `trusted` option of the client. */
  trusted: boolean;
}

/** The decision about a tool call: send it, send it with other arguments, or refuse it with a reason. */
export type ToolDecision = 'allow' | { edit: Record<string, unknown> } | { deny: string };

/** Decides about each tool call before it is sent. */
export type ToolReviewer = (call: ToolReview) => ToolDecision | Promise<ToolDecision>;

/** The error code of a request that a person rejected. */
export const REJECTED_CODE = -1;

/** The error of a tool call or sampling request that a person or the program rejected. Nothing was sent. */
export class RejectedError extends McpError {
  /**
   * Creates an error with the reason.
   * @param reason - The reason.
   */
  constructor(reason: string) {
    super(REJECTED_CODE, reason);
  }

  override get kind(): string {
    return 'rejected';
  }

  override get local(): boolean {
    return true;
  }
}

/** Allows every call. */
export const allowAll: ToolReviewer = () => 'allow';

/**
 * A reviewer that asks a person about every call.
 * @param ask - Asks the person, and returns the decision.
 */
export function askAlways(ask: ToolReviewer): ToolReviewer {
  return ask;
}

/**
 * Asks about every call, except of tools that a trusted server declares read-only.
 * @param ask - Asks the person, and returns the decision.
 */
export function askUnlessReadOnly(ask: ToolReviewer): ToolReviewer {
  return (call) => (call.trusted && call.annotations?.readOnlyHint === true ? 'allow' : ask(call));
}

type MessageParams = CreateMessageRequest['params'];

/** The outcome of a review: continue with this value, or reject. */
export type Review<T> = { allow: T } | 'reject';

/** A model to choose from, with its strengths from 0 to 1. */
export interface Model {
  /** The model's name. */
  name: string;
  /** How cheap it is, from 0 to 1. Default: 0. */
  cheapness?: number;
  /** How fast it is, from 0 to 1. Default: 0. */
  speed?: number;
  /** How capable it is, from 0 to 1. Default: 0. */
  intelligence?: number;
}

/** Limits on what a server may request from the model. An absent member means no limit. */
export interface SamplingBudget {
  /** Requests within any 60 seconds. */
  requestsPerMinute?: number;
  /** Tokens of all requests together, counted by each request's `maxTokens`. */
  tokensPerSession?: number;
  /** Tokens of one answer; a larger `maxTokens` is lowered to it. */
  maxTokens?: number;
}

/** The steps of answering `sampling/createMessage`. Only `createMessage` is required. */
export interface SamplingSteps {
  /**
   * Approves a request before it goes to the model. The request may be reduced, never extended. Default:
   * all are approved.
   * @param params - The request of the server.
   */
  reviewRequest?(params: MessageParams): Review<MessageParams> | Promise<Review<MessageParams>>;
  /** The models to choose from. Default: none. */
  models?: readonly Model[];
  /**
   * Chooses a model. Default: `chooseModel`, which follows the server's hints and priorities.
   * @param preferences - The preferences of the server.
   * @param models - The models to choose from.
   */
  chooseModel?(preferences: ModelPreferences | undefined, models: readonly Model[]): string | undefined;
  /**
   * Asks the model.
   * @param params - The approved request.
   * @param model - The name of the chosen model; `undefined` if none was chosen.
   */
  createMessage(params: MessageParams, model: string | undefined): CreateMessageResult | Promise<CreateMessageResult>;
  /**
   * Approves the model's answer before the server gets it. Default: all are approved.
   * @param result - The answer of the model.
   */
  reviewResult?(result: CreateMessageResult): Review<CreateMessageResult> | Promise<Review<CreateMessageResult>>;
  /** Limits on what the server may request. Default: none. */
  budget?: SamplingBudget;
}

const MINUTE = 60_000;

/**
 * Chooses the model that a server prefers: the first whose name contains one of the hints, in the
 * order of the hints; otherwise the best by the server's three priorities.
 * @param preferences - The preferences of the server; `undefined` without any.
 * @param models - The models to choose from.
 */
export function chooseModel(preferences: ModelPreferences | undefined, models: readonly Model[]): Model | undefined {
  for (const { name } of preferences?.hints ?? []) {
    const hinted = name ? models.find((model) => model.name.includes(name)) : undefined;
    if (hinted !== undefined) return hinted;
  }
  const { costPriority = 0, speedPriority = 0, intelligencePriority = 0 } = preferences ?? {};
  const worth = ({ cheapness = 0, speed = 0, intelligence = 0 }: Model) =>
    costPriority * cheapness + speedPriority * speed + intelligencePriority * intelligence;
  return models.reduce<Model | undefined>((best, model) => (best === undefined || worth(model) > worth(best) ? model : best), undefined);
}

/**
 * Makes a handler for `sampling/createMessage` from its steps.
 *
 * @param steps - The steps.
 * @example
 * ```ts
 * client.setRequestHandler(CreateMessageRequestSchema, sampler({ createMessage: (params) => askTheModel(params) }));
 * ```
 */
export function sampler(steps: SamplingSteps): (request: { params: MessageParams }) => Promise<CreateMessageResult> {
  const spent = new Spending(steps.budget ?? {});
  const rejected = () => new RejectedError('User rejected sampling request');
  return async ({ params: asked }) => {
    const offered = spent.begin(asked);
    const review = (await steps.reviewRequest?.(offered)) ?? { allow: offered };
    if (review === 'reject') throw rejected();
    const params = reduced(offered, review.allow);
    const models = steps.models ?? [];
    const { modelPreferences } = params;
    const choose = steps.chooseModel ?? ((wanted) => chooseModel(wanted, models)?.name);
    const model = choose(modelPreferences, models);
    const result = await steps.createMessage(params, model);
    const verdict = (await steps.reviewResult?.(result)) ?? { allow: result };
    if (verdict === 'reject') throw rejected();
    return verdict.allow;
  };
}

const CONTEXTS = ['none', 'thisServer', 'allServers'];

/** The reviewed request, limited to at most what was asked. */
function reduced(asked: MessageParams, left: MessageParams): MessageParams {
  const params = { ...left, maxTokens: Math.min(asked.maxTokens, left.maxTokens) };
  if (asked.systemPrompt === undefined) delete params.systemPrompt;
  const wide = (context: string | undefined) => CONTEXTS.indexOf(context ?? 'none');
  if (wide(left.includeContext) > wide(asked.includeContext)) params.includeContext = asked.includeContext;
  return params;
}

/** Counts what was requested from the model so far. */
class Spending {
  readonly #budget: SamplingBudget;
  readonly #times: number[] = [];
  #tokens = 0;

  constructor(budget: SamplingBudget) {
    this.#budget = budget;
  }

  /** Counts a request and returns it with `maxTokens` within the budget; throws beyond the budget. */
  begin(asked: MessageParams): MessageParams {
    const { requestsPerMinute, tokensPerSession, maxTokens } = this.#budget;
    const now = performance.now();
    while (this.#times.length > 0 && now - this.#times[0]! >= MINUTE) this.#times.shift();
    if (requestsPerMinute !== undefined && this.#times.length >= requestsPerMinute) {
      throw new McpError(ErrorCode.InternalError, 'the server asks the model too often');
    }
    const left = tokensPerSession === undefined ? Infinity : tokensPerSession - this.#tokens;
    if (left <= 0) throw new McpError(ErrorCode.InternalError, 'the server has asked the model for all it may');
    const limit = Math.min(asked.maxTokens, maxTokens ?? Infinity, left);
    this.#times.push(now);
    this.#tokens += limit;
    return { ...asked, maxTokens: limit };
  }
}
