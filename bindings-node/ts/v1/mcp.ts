/**
 * The high-level server: tools, resources and prompts from functions and schemas. Owns: the forms in
 * which programs register them. Must not know: what each needs, or how calls are answered.
 */
import { ExperimentalMcpServerTasks } from './mcp-experimental';
import { readPromptArguments, readToolArguments } from './mcp-arguments';
import { McpServerBase, type RegisteredResourceTemplate } from './mcp-base';
import { ResourceTemplate } from '../common/mcp/template';
import type { TaskSupport } from '../common/tasks/support';
import type {
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredTool,
  ResourceMetadata,
  ToolCallback,
  ToolSchema,
} from '../common/mcp/types';
import type { LoggingMessageNotification, ToolAnnotations } from '../protocol/types';
import type { ZodRawShapeCompat } from '../protocol/zod/compat';

export type { RegisteredResourceTemplate } from './mcp-base';

export type {
  AnyToolHandler,
  BaseToolCallback,
  CompleteResourceTemplateCallback,
  JsonObjectSchema,
  ListResourcesCallback,
  McpServerOptions,
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredTool,
  ResourceMetadata,
  ToolArguments,
  ToolCallback,
  ToolSchema,
} from '../common/mcp/types';

export { ResourceTemplate };

/**
 * A server made of tools, resources and prompts, with the API of the official 1.x package.
 *
 * ```ts
 * const server = new McpServer({ name: 'adder', version: '1.0.0' });
 * server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
 *   content: [{ type: 'text', text: String(a + b) }],
 * }));
 * await server.connect(new StdioServerTransport());
 * ```
 *
 * Schemas may be zod 3 or zod 4 schemas, objects of such schemas by name, Standard Schemas, or JSON
 * Schema.
 */
export class McpServer extends McpServerBase {
  private _experimental?: { tasks: ExperimentalMcpServerTasks };

  /**
   * Experimental features: tools that run as the tasks of 2025-11-25.
   *
   * @experimental
   */
  get experimental(): { tasks: ExperimentalMcpServerTasks } {
    return (this._experimental ??= { tasks: new ExperimentalMcpServerTasks(this) });
  }

  // Resources

  /**
   * Registers a resource with a fixed URI, or all resources that match a URI template.
   *
   * @param name - The resource's name, as clients see it.
   * @param uri - The URI of the resource.
   * @param readCallback - Reads the resource; returns an object with its `contents`.
   * @deprecated Use `registerResource`.
   */
  resource(name: string, uri: string, readCallback: ReadResourceCallback): RegisteredResource;
  /**
   * @param metadata - Title, description, MIME type and so on.
   * @param name - The resource's name, as clients see it.
   * @param uri - The URI of the resource.
   * @param readCallback - Reads the resource; returns an object with its `contents`.
   * @deprecated Use `registerResource`.
   */
  resource(name: string, uri: string, metadata: ResourceMetadata, readCallback: ReadResourceCallback): RegisteredResource;
  /**
   * @param template - The URI template, and functions that list and complete it.
   * @param name - The resource's name, as clients see it.
   * @param readCallback - Reads the resource; returns an object with its `contents`.
   * @deprecated Use `registerResource`.
   */
  resource(name: string, template: ResourceTemplate, readCallback: ReadResourceTemplateCallback): RegisteredResourceTemplate;
  /**
   * @param name - The resource's name, as clients see it.
   * @param readCallback - Reads the resource; returns an object with its `contents`.
   * @param template - The URI template, and functions that list and complete it.
   * @param metadata - Title, description, MIME type and so on. Default: none.
   * @deprecated Use `registerResource`.
   */
  resource(
    name: string,
    template: ResourceTemplate,
    metadata: ResourceMetadata,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  resource(
    name: string,
    where: string | ResourceTemplate,
    ...rest: unknown[]
  ): RegisteredResource | RegisteredResourceTemplate {
    const metadata = typeof rest[0] === 'object' ? (rest.shift() as ResourceMetadata) : undefined;
    return this.addResource(name, undefined, where, metadata, rest[0]);
  }

  /**
   * Registers a resource with a fixed URI, or all resources that match a URI template.
   *
   * ```ts
   * server.registerResource('units', 'config://units', { mimeType: 'text/plain' }, (uri) => ({
   *   contents: [{ uri: uri.href, text: 'metric' }],
   * }));
   * ```
   *
   * @param name - The resource's name, as clients see it.
   * @param uriOrTemplate - The URI, such as `config://units`, or a `ResourceTemplate`.
   * @param config - Title, description, MIME type and so on.
   * @param readCallback - Reads the resource; returns an object with its `contents`.
   */
  registerResource(
    name: string,
    uriOrTemplate: string,
    config: ResourceMetadata,
    readCallback: ReadResourceCallback,
  ): RegisteredResource;
  /**
   * Registers all resources that match a URI template.
   *
   * ```ts
   * const weather = new ResourceTemplate('weather://{city}', { list: undefined });
   * server.registerResource('weather', weather, {}, (uri, { city }) => ({
   *   contents: [{ uri: uri.href, text: `It rains in ${city}.` }],
   * }));
   * ```
   *
   * @param name - The resource's name, as clients see it.
   * @param uriOrTemplate - The URI, such as `config://units`, or a `ResourceTemplate`.
   * @param config - Title, description, MIME type and so on.
   * @param readCallback - Reads the resource; returns an object with its `contents`.
   */
  registerResource(
    name: string,
    uriOrTemplate: ResourceTemplate,
    config: ResourceMetadata,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  registerResource(
    name: string,
    uriOrTemplate: string | ResourceTemplate,
    config: ResourceMetadata,
    readCallback: ReadResourceCallback | ReadResourceTemplateCallback,
  ): RegisteredResource | RegisteredResourceTemplate {
    return this.addResource(name, config.title, uriOrTemplate, config, readCallback);
  }

  // Tools

  /**
   * Registers a tool; description, schema and annotations are optional.
   *
   * @param name - The tool's name, as clients see it.
   * @param cb - Runs the tool; gets the arguments, if there is a schema, and the context of the request. Returns
   * an object with `content` or `structuredContent`.
   * @deprecated Use `registerTool`.
   */
  tool(name: string, cb: ToolCallback): RegisteredTool;
  /**
   * @param description - What the tool does, for the client's model.
   * @param name - The tool's name, as clients see it.
   * @param cb - Runs the tool; gets the arguments, if there is a schema, and the context of the request. Returns
   * an object with `content` or `structuredContent`.
   * @deprecated Use `registerTool`.
   */
  tool(name: string, description: string, cb: ToolCallback): RegisteredTool;
  /**
   * @param paramsSchemaOrAnnotations - The schemas of the arguments by name, or hints about the tool's behaviour.
   * @param name - The tool's name, as clients see it.
   * @param cb - Runs the tool; gets the arguments, if there is a schema, and the context of the request. Returns
   * an object with `content` or `structuredContent`.
   * @deprecated Use `registerTool`.
   */
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    paramsSchemaOrAnnotations: Args | ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  /**
   * @param name - The tool's name, as clients see it.
   * @param cb - Runs the tool; gets the arguments, if there is a schema, and the context of the request. Returns
   * an object with `content` or `structuredContent`.
   * @param description - What the tool does, for the client's model.
   * @param paramsSchemaOrAnnotations - The schemas of the arguments by name, or hints about the tool's behaviour.
   * @deprecated Use `registerTool`.
   */
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    description: string,
    paramsSchemaOrAnnotations: Args | ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  /**
   * @param paramsSchema - The schemas of the arguments, by name.
   * @param annotations - Hints about the tool's behaviour, such as `readOnlyHint`.
   * @param name - The tool's name, as clients see it.
   * @param cb - Runs the tool; gets the arguments, if there is a schema, and the context of the request. Returns
   * an object with `content` or `structuredContent`.
   * @deprecated Use `registerTool`.
   */
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    paramsSchema: Args,
    annotations: ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  /**
   * @param name - The tool's name, as clients see it.
   * @param cb - Runs the tool; gets the arguments, if there is a schema, and the context of the request. Returns
   * an object with `content` or `structuredContent`.
   * @param description - What the tool does, for the client's model.
   * @param paramsSchema - The schemas of the arguments, by name.
   * @param annotations - Hints about the tool's behaviour, such as `readOnlyHint`.
   * @deprecated Use `registerTool`.
   */
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    description: string,
    paramsSchema: Args,
    annotations: ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  tool(name: string, ...rest: unknown[]): RegisteredTool {
    this._tools.checkFree(name);
    const { config, callback } = readToolArguments(name, rest);
    return this.addTool(name, config, callback);
  }

  /**
   * Registers a tool. Its schemas validate arguments before a call and structured results after it. If
   * `cb` throws, the result has `isError` and the message.
   *
   * ```ts
   * server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
   *   content: [{ type: 'text', text: String(a + b) }],
   * }));
   * ```
   *
   * @param name - The tool's name, as clients see it.
   * @param config - Title, description, schemas, annotations and so on.
   * @param cb - Runs the tool; gets the arguments, if there is a schema, and the context of the request. Returns
   * an object with `content` or `structuredContent`.
   */
  registerTool<OutputArgs extends ToolSchema, InputArgs extends undefined | ToolSchema = undefined>(
    name: string,
    config: {
      /** The name to show to people. Default: none. */
      title?: string;
      /** What the tool does, for the client's model. Default: none. */
      description?: string;
      /** The schema of the arguments. Default: the tool has none, and `cb` gets only the context. */
      inputSchema?: InputArgs;
      /** The schema of `structuredContent`, which results must then have. Default: none. */
      outputSchema?: OutputArgs;
      /** Hints about the tool's behaviour, such as `readOnlyHint`. Default: none. */
      annotations?: ToolAnnotations;
      /**
       * Whether calls run as tasks, which clients poll (2026-07-28). `optional`: for clients that declared
       * the extension for tasks; others wait for the result. `required`: other clients are refused.
       * Default: never, the same as `forbidden`.
       */
      task?: TaskSupport;
      /** The scopes that a token needs for calls over HTTP, all of them; others get 403. Default: none. */
      scopes?: string[];
      /** The `_meta` of the tool. Default: none. */
      _meta?: Record<string, unknown>;
    },
    cb: ToolCallback<InputArgs>,
  ): RegisteredTool {
    this._tools.checkFree(name);
    const { title, description, inputSchema, outputSchema, annotations, task, scopes, _meta } = config;
    const execution = { taskSupport: 'forbidden' } as const;
    return this.addTool(name, { title, description, inputSchema, outputSchema, annotations, execution, task, scopes, _meta }, cb);
  }

  // Prompts

  /**
   * Registers a prompt; description and schema are optional.
   *
   * @param name - The prompt's name, as clients see it.
   * @param cb - Makes the messages; gets the arguments, if there is a schema, and the context of the request.
   * Returns an object with `messages`.
   * @deprecated Use `registerPrompt`.
   */
  prompt(name: string, cb: PromptCallback): RegisteredPrompt;
  /**
   * @param description - What the prompt is for.
   * @param name - The prompt's name, as clients see it.
   * @param cb - Makes the messages; gets the arguments, if there is a schema, and the context of the request.
   * Returns an object with `messages`.
   * @deprecated Use `registerPrompt`.
   */
  prompt(name: string, description: string, cb: PromptCallback): RegisteredPrompt;
  /**
   * @param argsSchema - The schemas of the arguments, by name.
   * @param name - The prompt's name, as clients see it.
   * @param cb - Makes the messages; gets the arguments, if there is a schema, and the context of the request.
   * Returns an object with `messages`.
   * @deprecated Use `registerPrompt`.
   */
  prompt<Args extends ZodRawShapeCompat>(name: string, argsSchema: Args, cb: PromptCallback<Args>): RegisteredPrompt;
  /**
   * @param name - The prompt's name, as clients see it.
   * @param cb - Makes the messages; gets the arguments, if there is a schema, and the context of the request.
   * Returns an object with `messages`.
   * @param description - What the prompt is for.
   * @param argsSchema - The schemas of the arguments, by name.
   * @deprecated Use `registerPrompt`.
   */
  prompt<Args extends ZodRawShapeCompat>(
    name: string,
    description: string,
    argsSchema: Args,
    cb: PromptCallback<Args>,
  ): RegisteredPrompt;
  prompt(name: string, ...rest: unknown[]): RegisteredPrompt {
    this._prompts.checkFree(name);
    const { config, callback } = readPromptArguments(rest);
    return this.addPrompt(name, config, callback);
  }

  /**
   * Registers a prompt. Its schema validates the arguments, which clients send as text.
   *
   * ```ts
   * server.registerPrompt('review', { argsSchema: { code: z.string() } }, ({ code }) => ({
   *   messages: [{ role: 'user', content: { type: 'text', text: `Review this: ${code}` } }],
   * }));
   * ```
   *
   * @param name - The prompt's name, as clients see it.
   * @param config - Title, description and the schema of the arguments.
   * @param cb - Makes the messages; gets the arguments, if there is a schema, and the context of the request.
   * Returns an object with `messages`.
   */
  registerPrompt<Args extends ToolSchema>(
    name: string,
    config: { title?: string; description?: string; argsSchema?: Args },
    cb: PromptCallback<Args>,
  ): RegisteredPrompt {
    this._prompts.checkFree(name);
    const { title, description, argsSchema } = config;
    return this.addPrompt(name, { title, description, argsSchema }, cb);
  }

  // Notifications to clients

  /** Whether the server is connected to a transport. */
  isConnected(): boolean {
    return this.server.transport !== undefined;
  }

  /**
   * Sends a log message, unless its level is below the one that the client asked for.
   * @param params - The `level`, the message as `data`, and optionally the name of the `logger`.
   * @param sessionId - The session whose level decides. Default: that of the request being answered.
   */
  async sendLoggingMessage(params: LoggingMessageNotification['params'], sessionId?: string): Promise<void> {
    return this.server.sendLoggingMessage(params, sessionId);
  }

  /** Notifies clients that the list of resources changed. */
  sendResourceListChanged(): void {
    if (this.isConnected()) void this.server.sendResourceListChanged();
  }

  /** Notifies clients that the list of tools changed. */
  sendToolListChanged(): void {
    if (this.isConnected()) void this.server.sendToolListChanged();
  }

  /** Notifies clients that the list of prompts changed. */
  sendPromptListChanged(): void {
    if (this.isConnected()) void this.server.sendPromptListChanged();
  }
}
