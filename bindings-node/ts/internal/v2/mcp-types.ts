/**
 * The types of the high-level server of the 2.x face. Owns: callbacks and handles, with
 * what they infer from schemas. Must not know: how anything works.
 */
import type { Variables } from '../../shared/uriTemplate';
import type {
  GetPromptResult,
  Icon,
  ListResourcesResult,
  ReadResourceResult,
  Resource,
  Result,
  ToolAnnotations,
  ToolExecution,
} from '../../types';
import type { ServerContext } from './context';
import type { InputRequiredResult } from './input';
import type { ScopeChallengeHandler } from './scopes';
import type { CacheHint, ServerOptions } from './server';
import type { OutputOf, StandardSchemaWithJSON } from './standard';
import type { CallToolResult } from './tool-types';

/** Options of `McpServer`: those of `Server`, and one limit. */
export type McpServerOptions = ServerOptions & {
  /** How many array items and object members the arguments of one call may have in all. */
  maxToolInputElements?: number;
};

/** A value, or a promise of it. */
type Soon<T> = T | Promise<T>;

/** Members of a raw shape: schemas of zod 4. */
export type ZodRawShape = Record<string, { readonly _zod: { readonly output: unknown } }>;

/** What a raw shape makes of arguments. */
export type InferRawShape<S extends ZodRawShape> = { [K in keyof S]: S[K]['_zod']['output'] };

/** A handler: given arguments if there is a schema for them, and the context. */
type Callback<R, Args> = [Args] extends [StandardSchemaWithJSON]
  ? (args: OutputOf<Args>, ctx: ServerContext) => Soon<R | InputRequiredResult>
  : (ctx: ServerContext) => Soon<R | InputRequiredResult>;

/** A handler with a context of its own. */
export type BaseToolCallback<
  SendResultT extends Result,
  Ctx extends ServerContext,
  Args extends StandardSchemaWithJSON | undefined,
> = Args extends StandardSchemaWithJSON ? (args: OutputOf<Args>, ctx: Ctx) => Soon<SendResultT> : (ctx: Ctx) => Soon<SendResultT>;

/** A tool's code. */
export type ToolCallback<Args extends StandardSchemaWithJSON | undefined = undefined> = Callback<CallToolResult, Args>;
/** The same. */
export type AnyToolHandler<Args extends StandardSchemaWithJSON | undefined = undefined> = ToolCallback<Args>;
/** A tool's code, for a raw shape. */
export type LegacyToolCallback<Args extends ZodRawShape> = (
  args: InferRawShape<Args>,
  ctx: ServerContext,
) => Soon<CallToolResult | InputRequiredResult>;
/** A prompt's code. */
export type PromptCallback<Args extends StandardSchemaWithJSON | undefined = undefined> = Callback<GetPromptResult, Args>;
/** A prompt's code, for a raw shape. */
export type LegacyPromptCallback<Args extends ZodRawShape> = (
  args: InferRawShape<Args>,
  ctx: ServerContext,
) => Soon<GetPromptResult | InputRequiredResult>;

/** What is said of a resource beside its name and URI. */
export type ResourceMetadata = Omit<Resource, 'uri' | 'name'>;
/** Lists the resources of a template. */
export type ListResourcesCallback = (ctx: ServerContext) => Soon<ListResourcesResult>;
/** Reads a resource. */
export type ReadResourceCallback = (uri: URL, ctx: ServerContext) => Soon<ReadResourceResult | InputRequiredResult>;
/** Reads a resource of a template; `variables` is what the URI has for it. */
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: Variables,
  ctx: ServerContext,
) => Soon<ReadResourceResult | InputRequiredResult>;

/** What turns a registered thing off and on, and takes it away. */
interface Handle {
  enabled: boolean;
  scopeChallenge?: ScopeChallengeHandler;
  /** Lists it again. */
  enable(): void;
  /** Hides and refuses it. */
  disable(): void;
  /** Takes it away. */
  remove(): void;
}

/** What a tool is registered with. */
export interface ToolConfig<InputArgs, OutputArgs> {
  title?: string;
  description?: string;
  inputSchema?: InputArgs;
  outputSchema?: OutputArgs;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  scopeChallenge?: ScopeChallengeHandler;
  _meta?: Record<string, unknown>;
}

/** What a prompt is registered with. */
export interface PromptConfig<Args> {
  title?: string;
  description?: string;
  argsSchema?: Args;
  icons?: Icon[];
  scopeChallenge?: ScopeChallengeHandler;
  _meta?: Record<string, unknown>;
}

/** What a resource is registered with. */
export type ResourceConfig = ResourceMetadata & { cacheHint?: CacheHint; scopeChallenge?: ScopeChallengeHandler };

/** A tool that is registered. */
export type RegisteredTool = Handle & {
  title?: string;
  description?: string;
  inputSchema?: StandardSchemaWithJSON;
  outputSchema?: StandardSchemaWithJSON;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  execution?: ToolExecution;
  _meta?: Record<string, unknown>;
  handler: AnyToolHandler<StandardSchemaWithJSON | undefined>;
  /** Changes what is given; a `name` of `null` removes the tool. */
  update(updates: {
    name?: string | null;
    title?: string;
    description?: string;
    paramsSchema?: StandardSchemaWithJSON;
    outputSchema?: StandardSchemaWithJSON;
    annotations?: ToolAnnotations;
    icons?: Icon[];
    scopeChallenge?: ScopeChallengeHandler | null;
    _meta?: Record<string, unknown>;
    callback?: ToolCallback<StandardSchemaWithJSON>;
    enabled?: boolean;
  }): void;
};

/** A prompt that is registered. */
export type RegisteredPrompt = Handle & {
  title?: string;
  description?: string;
  argsSchema?: StandardSchemaWithJSON;
  icons?: Icon[];
  _meta?: Record<string, unknown>;
  /** Changes what is given; a `name` of `null` removes the prompt. */
  update<Args extends StandardSchemaWithJSON>(updates: {
    name?: string | null;
    title?: string;
    description?: string;
    argsSchema?: Args;
    icons?: Icon[];
    scopeChallenge?: ScopeChallengeHandler | null;
    _meta?: Record<string, unknown>;
    callback?: PromptCallback<Args>;
    enabled?: boolean;
  }): void;
};

/** A resource that is registered. */
export type RegisteredResource = Handle & {
  name: string;
  title?: string;
  metadata?: ResourceMetadata;
  cacheHint?: CacheHint;
  readCallback: ReadResourceCallback;
  /** Changes what is given; a `uri` of `null` removes the resource. */
  update(updates: {
    name?: string;
    title?: string;
    uri?: string | null;
    metadata?: ResourceMetadata;
    scopeChallenge?: ScopeChallengeHandler | null;
    callback?: ReadResourceCallback;
    enabled?: boolean;
  }): void;
};

/** A template that is registered. */
export type RegisteredTemplateOf<T> = Handle & {
  resourceTemplate: T;
  title?: string;
  metadata?: ResourceMetadata;
  cacheHint?: CacheHint;
  readCallback: ReadResourceTemplateCallback;
  /** Changes what is given; a `name` of `null` removes the template. */
  update(updates: {
    name?: string | null;
    title?: string;
    template?: T;
    metadata?: ResourceMetadata;
    scopeChallenge?: ScopeChallengeHandler | null;
    callback?: ReadResourceTemplateCallback;
    enabled?: boolean;
  }): void;
};
