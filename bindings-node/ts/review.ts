/**
 * A person in the loop: may this tool be called, may this be asked of the model.
 *
 * Owns: reviews, the steps of sampling, the budget. Must not know: connections.
 */
import { ErrorCode, McpError } from './internal/errors';
import type {
  CreateMessageRequest,
  CreateMessageResult,
  ModelPreferences,
  ToolAnnotations,
} from './types';

/** A tool call that has not been sent yet. */
export interface ToolReview {
  /** The name of the tool to call. */
  tool: string;
  /** The arguments of the call. */
  arguments: Record<string, unknown> | undefined;
  /** What the server says about the tool; only a hint unless it is trusted. */
  annotations: ToolAnnotations | undefined;
  /** Whether the program trusts this server. */
  trusted: boolean;
}

/** What becomes of a tool call: it is sent, sent with other arguments, or refused for a reason. */
export type ToolDecision = 'allow' | { edit: Record<string, unknown> } | { deny: string };

/** Decides about each tool call before anything is sent. */
export type ToolReviewer = (call: ToolReview) => ToolDecision | Promise<ToolDecision>;

/** The JSON-RPC error code for a request that a person rejected. */
export const REJECTED_CODE = -1;

/** A person, or the program, said no. Nothing was sent. */
export class RejectedError extends McpError {
  /** Makes the error of a refused call, with the reason. */
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

/** A reviewer that lets every call pass. */
export const allowAll: ToolReviewer = () => 'allow';

/** A reviewer that asks a person about every call. */
export function askAlways(ask: ToolReviewer): ToolReviewer {
  return ask;
}

/** Asks about every call, except of tools that a trusted server declares read-only. */
export function askUnlessReadOnly(ask: ToolReviewer): ToolReviewer {
  return (call) => (call.trusted && call.annotations?.readOnlyHint === true ? 'allow' : ask(call));
}

type MessageParams = CreateMessageRequest['params'];

/** Outcome of a review: go on with this, or not at all. */
export type Review<T> = { allow: T } | 'reject';

/** A model that may be chosen, with what it is good at, from 0 to 1. */
export interface Model {
  /** The name of the model. */
  name: string;
  /** How cheap the model is, from 0 to 1. */
  cheapness?: number;
  /** How fast the model is, from 0 to 1. */
  speed?: number;
  /** How capable the model is, from 0 to 1. */
  intelligence?: number;
}

/** How much a server may ask of the model. */
export interface SamplingBudget {
  /** The most requests in any minute. */
  requestsPerMinute?: number;
  /** Tokens in all, by the limits the requests name. */
  tokensPerSession?: number;
  /** Tokens of one answer; requests for more are cut. */
  maxTokens?: number;
}

/** The steps of answering `sampling/createMessage`. Only `createMessage` is required. */
export interface SamplingSteps {
  /** Decides whether the model may be asked this. The request may be reduced, never extended. */
  reviewRequest?(params: MessageParams): Review<MessageParams> | Promise<Review<MessageParams>>;
  /** The models to choose from. */
  models?: readonly Model[];
  /** Which model? By the server's hints and priorities by default. */
  chooseModel?(preferences: ModelPreferences | undefined, models: readonly Model[]): string | undefined;
  /** Asks the model for a message. */
  createMessage(params: MessageParams, model: string | undefined): CreateMessageResult | Promise<CreateMessageResult>;
  /** Decides whether the server may see the model's answer. */
  reviewResult?(result: CreateMessageResult): Review<CreateMessageResult> | Promise<Review<CreateMessageResult>>;
  /** Limits how much the model may be asked. */
  budget?: SamplingBudget;
}

const MINUTE = 60_000;

/**
 * The model a server would have: its hints in order, by parts of names, then its three
 * priorities.
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
 * A handler for `sampling/createMessage` made of its steps.
 *
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

/** What a review left, at most as much as was asked. */
function reduced(asked: MessageParams, left: MessageParams): MessageParams {
  const params = { ...left, maxTokens: Math.min(asked.maxTokens, left.maxTokens) };
  if (asked.systemPrompt === undefined) delete params.systemPrompt;
  const wide = (context: string | undefined) => CONTEXTS.indexOf(context ?? 'none');
  if (wide(left.includeContext) > wide(asked.includeContext)) params.includeContext = asked.includeContext;
  return params;
}

/** What was asked of the model so far. */
class Spending {
  readonly #budget: SamplingBudget;
  readonly #times: number[] = [];
  #tokens = 0;

  constructor(budget: SamplingBudget) {
    this.#budget = budget;
  }

  /** The request, within the budget; throws beyond it. */
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
