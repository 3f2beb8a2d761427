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

/** The schema of arguments: an object of zod schemas by name, a schema, or JSON Schema. */
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

/** The handler of a tool whose calls run as the tasks of 2025-11-25. */
export interface ToolTaskHandler<Args extends undefined | ToolSchema = undefined> {
  /** Starts a task. */
  createTask: TaskCallback<CreateTaskResult, TaskExtra, Args>;
  /** Returns the state of a task. */
  getTask: TaskCallback<GetTaskResult, TaskExtra & { taskId: string }, Args>;
  /** Returns the result of a task. */
  getTaskResult: TaskCallback<CallToolResult, TaskExtra & { taskId: string }, Args>;
}

/** A tool's handler: gets the arguments, if the tool has a schema, and the context of the request. */
export type BaseToolCallback<
  SendResultT extends Result,
  ExtraT extends Extra,
  Args extends undefined | ToolSchema,
> = Args extends ToolSchema
  ? (args: ToolArguments<Args>, extra: ExtraT) => SendResultT | Promise<SendResultT>
  : (extra: ExtraT) => SendResultT | Promise<SendResultT>;

/**
 * A tool's handler: `(args, extra)` with the validated arguments if the tool has a schema, else
 * `(extra)`. It returns `structuredContent` if the tool has an output schema, else `content`; both
 * together are allowed.
 */
export type ToolCallback<Args extends undefined | ToolSchema = undefined> = BaseToolCallback<CallToolResult, Extra, Args>;

/** A tool's handler, or that of a tool whose calls run as tasks. */
export type AnyToolHandler<Args extends undefined | ZodRawShapeCompat | AnySchema = undefined> =
  | ToolCallback<Args>
  | ToolTaskHandler<Args>;

/** The members of everything that is registered. */
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

/** A registered tool; clients are notified of changes to it. */
export type RegisteredTool = Handle & {
  /** The name to show to people. */
  title?: string;
  /** What the tool does, for the client's model. */
  description?: string;
  /** The schema of the arguments. */
  inputSchema?: AnySchema;
  /** The schema of structured results. */
  outputSchema?: AnySchema;
  /** Hints about the tool's behaviour. */
  annotations?: ToolAnnotations;
  /** Icons for the tool. */
  icons?: Icon[];
  /** Whether calls can run as the tasks of 2025-11-25. */
  execution?: ToolExecution;
  /** Whether calls run as tasks (2026-07-28): `optional`, `required` or `forbidden`. */
  task?: TaskSupport;
  /**
   * The scopes that a token needs for calls over HTTP, all of them. A call whose token lacks one is
   * refused with status 403 and a challenge that names all of them.
   */
  scopes?: string[];
  _meta?: Record<string, unknown>;
  /** Runs the tool. */
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

/** Reads a resource of a template; `variables` are the values from its URI. */
export type ReadResourceTemplateCallback = (
  uri: URL,
  variables: Variables,
  extra: Extra,
) => ReadResourceResult | Promise<ReadResourceResult>;

/** Suggests values for a variable of a template; `context` has the values of other variables that are known. */
export type CompleteResourceTemplateCallback = (
  value: string,
  context?: { arguments?: Record<string, string> },
) => string[] | Promise<string[]>;

/** The members of a template that the server uses. */
export interface Template {
  /** The URI template. */
  readonly uriTemplate: UriTemplate;
  /** Lists the resources of the template; `undefined` without such a function. */
  readonly listCallback: ListResourcesCallback | undefined;
  /**
   * @param variable - The name of the variable.
   */
  completeCallback(variable: string): CompleteResourceTemplateCallback | undefined;
}

/** A registered resource; clients are notified of changes to it. */
export type RegisteredResource = Handle & {
  /** The resource's name. */
  name: string;
  /** The name to show to people. */
  title?: string;
  /** Description, MIME type and so on. */
  metadata?: ResourceMetadata;
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
    callback?: ReadResourceCallback;
    enabled?: boolean;
  }): void;
};

/**
 * A registered resource template; clients are notified of changes to it. As in the official package, a
 * disabled template is still listed and served; `remove` it instead.
 */
export type RegisteredTemplate<T extends Template> = Handle & {
  /** The URI template, and the functions that list and complete it. */
  resourceTemplate: T;
  /** The name to show to people. */
  title?: string;
  /** Description, MIME type and so on. */
  metadata?: ResourceMetadata;
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
    callback?: ReadResourceTemplateCallback;
    enabled?: boolean;
  }): void;
};

/** A prompt's handler: gets the arguments, if the prompt has a schema, and the context of the request. */
export type PromptCallback<Args extends undefined | ToolSchema = undefined> = Args extends ToolSchema
  ? (args: ToolArguments<Args>, extra: Extra) => GetPromptResult | Promise<GetPromptResult>
  : (extra: Extra) => GetPromptResult | Promise<GetPromptResult>;

/** A registered prompt; clients are notified of changes to it. */
export type RegisteredPrompt = Handle & {
  /** The name to show to people. */
  title?: string;
  /** What the prompt is for. */
  description?: string;
  /** The schema of the arguments. */
  argsSchema?: AnyObjectSchema;
  /** Icons for the prompt. */
  icons?: Icon[];
  _meta?: Record<string, unknown>;
  /** Makes the messages of the prompt. */
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
