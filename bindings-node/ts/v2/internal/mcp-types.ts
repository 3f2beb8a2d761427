/**
 * The types of the 2.x high-level server. Owns: callbacks and handles, with what they infer from
 * schemas. Must not know: how anything works.
 */
import type { TaskSupport } from '../../common/tasks/support';
import type { Variables } from '../../common/uri-template';
import type {
  GetPromptResult,
  Icon,
  ListResourcesResult,
  ReadResourceResult,
  Resource,
  Result,
  ToolAnnotations,
  ToolExecution,
} from '../../protocol/types';
import type { ServerContext } from './context';
import type { InputRequiredResult } from './input';
import type { ScopeChallengeHandler } from './scopes';
import type { CacheHint, ServerOptions } from './server-options';
import type { OutputOf, StandardSchemaWithJSON } from './standard';
import type { CallToolResult } from './tool-types';

/** Options of `McpServer`: those of `Server`, and one limit. */
export type McpServerOptions = ServerOptions & {
  /** The largest number of array items and object members in the arguments of one call. Default: no limit. */
  maxToolInputElements?: number;
};

/** A value, or a promise of it. */
type Soon<T> = T | Promise<T>;

/** A raw shape of zod 4: schemas by member name. */
export type ZodRawShape = Record<string, { readonly _zod: { readonly output: unknown } }>;

/** The type of the arguments that a raw shape returns. */
export type InferRawShape<S extends ZodRawShape> = { [K in keyof S]: S[K]['_zod']['output'] };

/** A handler: gets the arguments, if there is a schema, and the context of the request. */
type Callback<R, Args> = [Args] extends [StandardSchemaWithJSON]
  ? (args: OutputOf<Args>, ctx: ServerContext) => Soon<R | InputRequiredResult>
  : (ctx: ServerContext) => Soon<R | InputRequiredResult>;

/** A tool's handler with a context type of its own. */
export type BaseToolCallback<
  SendResultT extends Result,
  Ctx extends ServerContext,
  Args extends StandardSchemaWithJSON | undefined,
> = Args extends StandardSchemaWithJSON ? (args: OutputOf<Args>, ctx: Ctx) => Soon<SendResultT> : (ctx: Ctx) => Soon<SendResultT>;

/**
 * A tool's handler: `(args, ctx)` with the validated arguments if the tool has a schema, else `(ctx)`.
 * Returns an object with `content` or `structuredContent`, or what `inputRequired` makes.
 */
export type ToolCallback<Args extends StandardSchemaWithJSON | undefined = undefined> = Callback<CallToolResult, Args>;
/** A tool's handler, with or without arguments. */
export type AnyToolHandler<Args extends StandardSchemaWithJSON | undefined = undefined> = ToolCallback<Args>;
/** A tool's handler, for a raw shape. */
export type LegacyToolCallback<Args extends ZodRawShape> = (
  args: InferRawShape<Args>,
  ctx: ServerContext,
) => Soon<CallToolResult | InputRequiredResult>;
/**
 * A prompt's handler: `(args, ctx)` with the validated arguments if the prompt has a schema, else `(ctx)`.
 * Returns an object with `messages`, or what `inputRequired` makes.
 */
export type PromptCallback<Args extends StandardSchemaWithJSON | undefined = undefined> = Callback<GetPromptResult, Args>;
/** A prompt's handler, for a raw shape. */
export type LegacyPromptCallback<Args extends ZodRawShape> = (
  args: InferRawShape<Args>,
  ctx: ServerContext,
) => Soon<GetPromptResult | InputRequiredResult>;

/** The members of a resource besides its name and URI. */
export type ResourceMetadata = Omit<Resource, 'uri' | 'name'>;
/** Lists the resources of a template. */
export type ListResourcesCallback = (ctx: ServerContext) => Soon<ListResourcesResult>;
/** Reads a resource. */
export type ReadResourceCallback = (uri: URL, ctx: ServerContext) => Soon<ReadResourceResult | InputRequiredResult>;
/** Reads a resource of a template; `variables` are the values from its URI. */
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: Variables,
  ctx: ServerContext,
) => Soon<ReadResourceResult | InputRequiredResult>;

/** The members of everything that is registered. */
interface Handle {
  /** Whether clients see it. */
  enabled: boolean;
  /** Returns the scopes that a request lacks. Default: none. */
  scopeChallenge?: ScopeChallengeHandler;
  /** Enables it after `disable`: it is listed and served again. */
  enable(): void;
  /** Disables it: it is not listed, and requests for it are refused. */
  disable(): void;
  /** Removes it from the server. */
  remove(): void;
}

/** The definition of a tool. */
export interface ToolConfig<InputArgs, OutputArgs> {
  /** The name to show to people. Default: none. */
  title?: string;
  /** What the tool does, for the client's model. Default: none. */
  description?: string;
  /** The schema of the arguments. Default: the tool has none, and the handler gets only the context. */
  inputSchema?: InputArgs;
  /** The schema of `structuredContent`, which results must then have. Default: none. */
  outputSchema?: OutputArgs;
  /** Hints about the tool's behaviour, such as `readOnlyHint`. Default: none. */
  annotations?: ToolAnnotations;
  /** Icons for the tool. Default: none. */
  icons?: Icon[];
  /** Returns the scopes that a call lacks. Default: none. */
  scopeChallenge?: ScopeChallengeHandler;
  /**
   * Whether calls run as tasks, which clients poll (2026-07-28). `optional`: for clients that declared the
   * extension for tasks; others wait for the result. `required`: other clients are refused. Default:
   * never, the same as `forbidden`.
   */
  task?: TaskSupport;
  /**
   * The scopes that a token needs for calls over HTTP, all of them. A call whose token lacks one is
   * refused with status 403 and a challenge that names all of them. Default: none.
   */
  scopes?: string[];
  /** The `_meta` of the tool. Default: none. */
  _meta?: Record<string, unknown>;
}

/** The definition of a prompt. */
export interface PromptConfig<Args> {
  /** The name to show to people. Default: none. */
  title?: string;
  /** What the prompt is for. Default: none. */
  description?: string;
  /** The schema of the arguments, which clients send as text. Default: the prompt has none. */
  argsSchema?: Args;
  /** Icons for the prompt. Default: none. */
  icons?: Icon[];
  /** Returns the scopes that a request lacks. Default: none. */
  scopeChallenge?: ScopeChallengeHandler;
  /** The `_meta` of the prompt. Default: none. */
  _meta?: Record<string, unknown>;
}

/** The definition of a resource. */
export type ResourceConfig = ResourceMetadata & { cacheHint?: CacheHint; scopeChallenge?: ScopeChallengeHandler };

/** A registered tool; clients are notified of changes to it. */
export type RegisteredTool = Handle & {
  /** The name to show to people. */
  title?: string;
  /** What the tool does, for the client's model. */
  description?: string;
  /** The schema of its arguments. */
  inputSchema?: StandardSchemaWithJSON;
  /** The schema of its structured results. */
  outputSchema?: StandardSchemaWithJSON;
  /** Hints about the tool's behaviour. */
  annotations?: ToolAnnotations;
  /** Icons for the tool. */
  icons?: Icon[];
  /** Whether calls can run as the tasks of 2025-11-25. */
  execution?: ToolExecution;
  /** Whether calls run as tasks (2026-07-28): `optional`, `required` or `forbidden`. */
  task?: TaskSupport;
  /** The scopes that a token needs for calls over HTTP. */
  scopes?: string[];
  _meta?: Record<string, unknown>;
  /** Runs the tool. */
  handler: AnyToolHandler<StandardSchemaWithJSON | undefined>;
  /**
   * Changes the given members; a `name` of `null` removes the tool.
   * @param updates - The members to change.
   */
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

/** A registered prompt; clients are notified of changes to it. */
export type RegisteredPrompt = Handle & {
  /** The name to show to people. */
  title?: string;
  /** What the prompt is for. */
  description?: string;
  /** The schema of its arguments. */
  argsSchema?: StandardSchemaWithJSON;
  /** Icons for the prompt. */
  icons?: Icon[];
  _meta?: Record<string, unknown>;
  /**
   * Changes the given members; a `name` of `null` removes the prompt.
   * @param updates - The members to change.
   */
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

/** A registered resource; clients are notified of changes to it. */
export type RegisteredResource = Handle & {
  /** The resource's name. */
  name: string;
  /** The name to show to people. */
  title?: string;
  /** Description, MIME type and so on. */
  metadata?: ResourceMetadata;
  /** How long clients may cache the contents, and whether for all users. */
  cacheHint?: CacheHint;
  /** Reads the resource. */
  readCallback: ReadResourceCallback;
  /**
   * Changes the given members; a `uri` of `null` removes the resource.
   * @param updates - The members to change.
   */
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

/** A registered resource template; clients are notified of changes to it. A disabled one is still listed. */
export type RegisteredTemplateOf<T> = Handle & {
  /** The URI template, and the functions that list and complete it. */
  resourceTemplate: T;
  /** The name to show to people. */
  title?: string;
  /** Description, MIME type and so on. */
  metadata?: ResourceMetadata;
  /** How long clients may cache the contents of its resources, and whether for all users. */
  cacheHint?: CacheHint;
  /** Reads a resource of the template. */
  readCallback: ReadResourceTemplateCallback;
  /**
   * Changes the given members; a `name` of `null` removes the template.
   * @param updates - The members to change.
   */
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
