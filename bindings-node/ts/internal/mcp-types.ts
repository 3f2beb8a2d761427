/**
 * The types of the high-level server. Owns: callbacks and handles, with what they infer
 * from schemas. Must not know: how anything works.
 */
import type { ToolTaskHandler } from './mcp-experimental';
import type { AnyObjectSchema, AnySchema, SchemaOutput, ShapeOutput, ZodRawShapeCompat } from '../server/zod-compat';
import type { ServerOptions } from '../server/index';
import type { RequestHandlerExtra } from '../shared/protocol';
import type { UriTemplate, Variables } from '../shared/uriTemplate';
import type {
  CallToolResult,
  GetPromptResult,
  Icon,
  ListResourcesResult,
  ReadResourceResult,
  Resource,
  Result,
  ServerNotification,
  ServerRequest,
  ToolAnnotations,
  ToolExecution,
} from '../types';

/** Options of `McpServer`: those of `Server`, and one limit. */
export type McpServerOptions = ServerOptions & {
  /**
   * How many array items and object members the arguments of one call may have in all; at
   * least 1. Unset or `Infinity` means no limit.
   */
  maxToolInputElements?: number;
};

/** What a handler is given beside its arguments. */
type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** JSON Schema of an object, as a plain object. */
export interface JsonObjectSchema {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What describes arguments: a raw shape, a schema, or JSON Schema. */
export type ToolSchema = ZodRawShapeCompat | AnySchema | JsonObjectSchema;

/** The arguments that a schema describes. */
export type ToolArguments<Args> = Args extends ZodRawShapeCompat
  ? ShapeOutput<Args>
  : Args extends AnySchema
    ? SchemaOutput<Args>
    : Record<string, unknown>;

/** A tool's code: given arguments if the tool has a schema, and `extra`. */
export type BaseToolCallback<
  SendResultT extends Result,
  ExtraT extends Extra,
  Args extends undefined | ToolSchema,
> = Args extends ToolSchema
  ? (args: ToolArguments<Args>, extra: ExtraT) => SendResultT | Promise<SendResultT>
  : (extra: ExtraT) => SendResultT | Promise<SendResultT>;

/**
 * A tool's code. It returns `structuredContent` if the tool has an output schema, else
 * `content`; both are fine.
 */
export type ToolCallback<Args extends undefined | ToolSchema = undefined> = BaseToolCallback<CallToolResult, Extra, Args>;

/** A tool's code, or what makes and reports its tasks. */
export type AnyToolHandler<Args extends undefined | ZodRawShapeCompat | AnySchema = undefined> =
  | ToolCallback<Args>
  | ToolTaskHandler<Args>;

/** What turns a registered thing off and on, and takes it away. */
interface Handle {
  enabled: boolean;
  /** Lists it again. */
  enable(): void;
  /** Hides and refuses it. */
  disable(): void;
  /** Takes it away. */
  remove(): void;
}

/** A tool that is registered. */
export type RegisteredTool = Handle & {
  title?: string;
  description?: string;
  inputSchema?: AnySchema;
  outputSchema?: AnySchema;
  annotations?: ToolAnnotations;
  icons?: Icon[];
  execution?: ToolExecution;
  _meta?: Record<string, unknown>;
  handler: AnyToolHandler<undefined | ZodRawShapeCompat>;
  /** Changes what is given; a `name` of `null` removes the tool. */
  update<InputArgs extends ToolSchema, OutputArgs extends ToolSchema>(updates: {
    name?: string | null;
    title?: string;
    description?: string;
    paramsSchema?: InputArgs;
    outputSchema?: OutputArgs;
    annotations?: ToolAnnotations;
    _meta?: Record<string, unknown>;
    callback?: ToolCallback<InputArgs>;
    enabled?: boolean;
  }): void;
};

/** What is said of a resource beside its name and URI. */
export type ResourceMetadata = Omit<Resource, 'uri' | 'name'>;

/** Lists the resources of a template. */
export type ListResourcesCallback = (extra: Extra) => ListResourcesResult | Promise<ListResourcesResult>;

/** Reads a resource. */
export type ReadResourceCallback = (uri: URL, extra: Extra) => ReadResourceResult | Promise<ReadResourceResult>;

/** Reads a resource of a template; `variables` is what the URI has for it. */
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: Variables,
  extra: Extra,
) => ReadResourceResult | Promise<ReadResourceResult>;

/** Suggests values for a variable of a template; `context` has the ones that are known. */
export type CompleteResourceTemplateCallback = (
  value: string,
  context?: { arguments?: Record<string, string> },
) => string[] | Promise<string[]>;

/** A template with its callbacks, as far as the server needs it. */
export interface Template {
  readonly uriTemplate: UriTemplate;
  readonly listCallback: ListResourcesCallback | undefined;
  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined;
}

/** A resource that is registered. */
export type RegisteredResource = Handle & {
  name: string;
  title?: string;
  metadata?: ResourceMetadata;
  readCallback: ReadResourceCallback;
  /** Changes what is given; a `uri` of `null` removes the resource. */
  update(updates: {
    name?: string;
    title?: string;
    uri?: string | null;
    metadata?: ResourceMetadata;
    callback?: ReadResourceCallback;
    enabled?: boolean;
  }): void;
};

/** A template that is registered. */
export type RegisteredTemplate<T extends Template> = Handle & {
  resourceTemplate: T;
  title?: string;
  metadata?: ResourceMetadata;
  readCallback: ReadResourceTemplateCallback;
  /** Changes what is given; a `name` of `null` removes the template. */
  update(updates: {
    name?: string | null;
    title?: string;
    template?: T;
    metadata?: ResourceMetadata;
    callback?: ReadResourceTemplateCallback;
    enabled?: boolean;
  }): void;
};

/** A prompt's code: given arguments if the prompt has a schema, and `extra`. */
export type PromptCallback<Args extends undefined | ToolSchema = undefined> = Args extends ToolSchema
  ? (args: ToolArguments<Args>, extra: Extra) => GetPromptResult | Promise<GetPromptResult>
  : (extra: Extra) => GetPromptResult | Promise<GetPromptResult>;

/** A prompt that is registered. */
export type RegisteredPrompt = Handle & {
  title?: string;
  description?: string;
  argsSchema?: AnyObjectSchema;
  icons?: Icon[];
  _meta?: Record<string, unknown>;
  callback: PromptCallback<undefined | ZodRawShapeCompat>;
  /** Changes what is given; a `name` of `null` removes the prompt. */
  update<Args extends ToolSchema>(updates: {
    name?: string | null;
    title?: string;
    description?: string;
    argsSchema?: Args;
    callback?: PromptCallback<Args>;
    enabled?: boolean;
  }): void;
};
