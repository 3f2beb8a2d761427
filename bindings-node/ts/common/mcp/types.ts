/**
 * The types of the high-level server. Owns: callbacks and handles, with what they infer from
 * schemas. Must not know: how anything works.
 */
import type { TaskSupport } from '../tasks/support';
import type { AnyObjectSchema, AnySchema, SchemaOutput, ShapeOutput, ZodRawShapeCompat } from '../../protocol/zod/compat';
import type { ServerOptions } from '../peer/server-base';
import type { RequestHandlerExtra } from '../peer/types';
import type { UriTemplate, Variables } from '../uri-template';
import type {
  CallToolResult,
  CreateTaskResult,
  GetPromptResult,
  GetTaskResult,
  Icon,
  ListResourcesResult,
  ReadResourceResult,
  Resource,
  Result,
  ServerNotification,
  ServerRequest,
  ToolAnnotations,
  ToolExecution,
} from '../../protocol/types';

/** Options of `McpServer`: those of `Server`, and one limit. */
export type McpServerOptions = ServerOptions & {
  /**
   * The largest number of array items and object members in the arguments of one call; at least 1.
   * Default: no limit, same as `Infinity`.
   */
  maxToolInputElements?: number;
};

/** The last parameter of a handler. */
type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The JSON Schema of an object. */
export interface JsonObjectSchema {
  /** Always `object`. */
  readonly type: string;
  readonly [member: string]: unknown;
}

/** The schema of arguments: a raw shape, a schema, or JSON Schema. */
export type ToolSchema = ZodRawShapeCompat | AnySchema | JsonObjectSchema;

/** The type of the arguments that a schema describes. */
export type ToolArguments<Args> = Args extends ZodRawShapeCompat
  ? ShapeOutput<Args>
  : Args extends AnySchema
    ? SchemaOutput<Args>
    : Record<string, unknown>;

type TaskExtra = Extra & { taskStore: unknown };

type TaskCallback<R, ExtraT, Args> = Args extends undefined
  ? (extra: ExtraT) => R | Promise<R>
  : (args: ToolArguments<Args>, extra: ExtraT) => R | Promise<R>;

/** Creates a tool's tasks and reports on them. */
export interface ToolTaskHandler<Args extends undefined | ToolSchema = undefined> {
  /** Starts the task. */
  createTask: TaskCallback<CreateTaskResult, TaskExtra, Args>;
  /** Returns its state. */
  getTask: TaskCallback<GetTaskResult, TaskExtra & { taskId: string }, Args>;
  /** Returns its result. */
  getTaskResult: TaskCallback<CallToolResult, TaskExtra & { taskId: string }, Args>;
}

/** A tool's handler: receives arguments if the tool has a schema, and `extra`. */
export type BaseToolCallback<
  SendResultT extends Result,
  ExtraT extends Extra,
  Args extends undefined | ToolSchema,
> = Args extends ToolSchema
  ? (args: ToolArguments<Args>, extra: ExtraT) => SendResultT | Promise<SendResultT>
  : (extra: ExtraT) => SendResultT | Promise<SendResultT>;

/**
 * A tool's handler. It returns `structuredContent` if the tool has an output schema, else
 * `content`; both together are allowed.
 */
export type ToolCallback<Args extends undefined | ToolSchema = undefined> = BaseToolCallback<CallToolResult, Extra, Args>;

/** A tool's handler, or an object that creates its tasks and reports on them. */
export type AnyToolHandler<Args extends undefined | ZodRawShapeCompat | AnySchema = undefined> =
  | ToolCallback<Args>
  | ToolTaskHandler<Args>;

/** Enables, disables or removes what was registered. */
interface Handle {
  /** Whether clients see it. */
  enabled: boolean;
  /** Enables it after `disable`: it is listed and served again. */
  enable(): void;
  /** Disables it: it is not listed, and requests for it are refused. */
  disable(): void;
  /** Removes it from the server. */
  remove(): void;
}

/** A registered tool; changes to it reach clients at once. */
export type RegisteredTool = Handle & {
  /** The name to show to people. */
  title?: string;
  /** What the tool does, for the client's model. */
  description?: string;
  /** The schema of its arguments. */
  inputSchema?: AnySchema;
  /** The schema of its structured results. */
  outputSchema?: AnySchema;
  /** Hints for clients about its behaviour. */
  annotations?: ToolAnnotations;
  /** Icons for the tool. */
  icons?: Icon[];
  /** Whether it can be called as a task. */
  execution?: ToolExecution;
  /** Whether calls become tasks (2026-07-28). */
  task?: TaskSupport;
  /**
   * The scopes that a token needs for calls over HTTP, all of them. A call whose token lacks one is
   * refused with 403 and a challenge that names all, so that the client can ask for them.
   */
  scopes?: string[];
  _meta?: Record<string, unknown>;
  /** Runs it. */
  handler: AnyToolHandler<undefined | ZodRawShapeCompat>;
  /**
   * Changes the given members; a `name` of `null` removes the tool.
   * @param updates - The members to change.
   */
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

/** The members of a resource besides its name and URI. */
export type ResourceMetadata = Omit<Resource, 'uri' | 'name'>;

/** Lists the resources of a template. */
export type ListResourcesCallback = (extra: Extra) => ListResourcesResult | Promise<ListResourcesResult>;

/** Reads a resource. */
export type ReadResourceCallback = (uri: URL, extra: Extra) => ReadResourceResult | Promise<ReadResourceResult>;

/** Reads a resource of a template; `variables` are the values found in its URI. */
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: Variables,
  extra: Extra,
) => ReadResourceResult | Promise<ReadResourceResult>;

/** Suggests values for a variable of a template; `context` holds the variables known already. */
export type CompleteResourceTemplateCallback = (
  value: string,
  context?: { arguments?: Record<string, string> },
) => string[] | Promise<string[]>;

/** The members of a template that the server uses. */
export interface Template {
  /** The URI template. */
  readonly uriTemplate: UriTemplate;
  /** Lists its resources, if there is such code. */
  readonly listCallback: ListResourcesCallback | undefined;
  /**
   * @param variable - The name of the variable.
   */
  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined;
}

/** A registered resource; changes to it reach clients at once. */
export type RegisteredResource = Handle & {
  /** Its name. */
  name: string;
  /** The name to show to people. */
  title?: string;
  /** Description, MIME type and the like. */
  metadata?: ResourceMetadata;
  /** Reads it. */
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
    callback?: ReadResourceCallback;
    enabled?: boolean;
  }): void;
};

/** A registered resource template; changes to it reach clients at once. */
export type RegisteredTemplate<T extends Template> = Handle & {
  /** The URI template, and what lists and completes it. */
  resourceTemplate: T;
  /** The name to show to people. */
  title?: string;
  /** Description, MIME type and the like. */
  metadata?: ResourceMetadata;
  /** Reads a resource of it. */
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
    callback?: ReadResourceTemplateCallback;
    enabled?: boolean;
  }): void;
};

/** A prompt's handler: receives arguments if the prompt has a schema, and `extra`. */
export type PromptCallback<Args extends undefined | ToolSchema = undefined> = Args extends ToolSchema
  ? (args: ToolArguments<Args>, extra: Extra) => GetPromptResult | Promise<GetPromptResult>
  : (extra: Extra) => GetPromptResult | Promise<GetPromptResult>;

/** A registered prompt; changes to it reach clients at once. */
export type RegisteredPrompt = Handle & {
  /** The name to show to people. */
  title?: string;
  /** What the prompt is for. */
  description?: string;
  /** The schema of its arguments. */
  argsSchema?: AnyObjectSchema;
  /** Icons for the prompt. */
  icons?: Icon[];
  _meta?: Record<string, unknown>;
  /** Makes its messages. */
  callback: PromptCallback<undefined | ZodRawShapeCompat>;
  /**
   * Changes the given members; a `name` of `null` removes the prompt.
   * @param updates - The members to change.
   */
  update<Args extends ToolSchema>(updates: {
    name?: string | null;
    title?: string;
    description?: string;
    argsSchema?: Args;
    callback?: PromptCallback<Args>;
    enabled?: boolean;
  }): void;
};
