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
 * A server made of tools, resources and prompts.
 *
 * ```ts
 * const server = new McpServer({ name: 'adder', version: '1.0.0' });
 * server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
 *   content: [{ type: 'text', text: String(a + b) }],
 * }));
 * await server.connect(new StdioServerTransport());
 * ```
 *
 * Schemas may be zod 3 or zod 4 schemas, raw shapes of either, Standard Schemas, or JSON Schema.
 */
export class McpServer extends McpServerBase {
  private _experimental?: { tasks: ExperimentalMcpServerTasks };

  /**
   * Experimental features: tools that run as tasks.
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
   * @param name - Its name, as clients see it.
   * @param uri - The URI of the resource.
   * @param readCallback - Reads it; returns its contents.
   * @deprecated Use `registerResource`.
   */
  resource(name: string, uri: string, readCallback: ReadResourceCallback): RegisteredResource;
  /**
   * @param metadata - Title, description, MIME type and the like.
   * @param name - Its name, as clients see it.
   * @param uri - The URI of the resource.
   * @param readCallback - Reads it; returns its contents.
   * @deprecated Use `registerResource`.
   */
  resource(name: string, uri: string, metadata: ResourceMetadata, readCallback: ReadResourceCallback): RegisteredResource;
  /**
   * @param template - The template.
   * @param name - Its name, as clients see it.
   * @param readCallback - Reads it; returns its contents.
   * @deprecated Use `registerResource`.
   */
  resource(name: string, template: ResourceTemplate, readCallback: ReadResourceTemplateCallback): RegisteredResourceTemplate;
  /**
   * @param name - Its name, as clients see it.
   * @param readCallback - Reads it; returns its contents.
   * @param template - The template.
   * @param metadata - Title, description, MIME type and the like. Default: none.
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
   * @param name - Its name, as clients see it.
   * @param uriOrTemplate - The URI, or a template.
   * @param config - Title, description, MIME type and the like.
   * @param readCallback - Reads it; returns its contents.
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
   * @param name - Its name, as clients see it.
   * @param uriOrTemplate - The URI, or a template.
   * @param config - Title, description, MIME type and the like.
   * @param readCallback - Reads it; returns its contents.
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
   * @param name - Its name, as clients see it.
   * @param cb - Runs the tool; gets the arguments and the context.
   * @deprecated Use `registerTool`.
   */
  tool(name: string, cb: ToolCallback): RegisteredTool;
  /**
   * @param description - What it is for.
   * @param name - Its name, as clients see it.
   * @param cb - Runs the tool; gets the arguments and the context.
   * @deprecated Use `registerTool`.
   */
  tool(name: string, description: string, cb: ToolCallback): RegisteredTool;
  /**
   * @param paramsSchemaOrAnnotations - The schemas of arguments, or annotations.
   * @param name - Its name, as clients see it.
   * @param cb - Runs the tool; gets the arguments and the context.
   * @deprecated Use `registerTool`.
   */
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    paramsSchemaOrAnnotations: Args | ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  /**
   * @param name - Its name, as clients see it.
   * @param cb - Runs the tool; gets the arguments and the context.
   * @param description - What it is for.
   * @param paramsSchemaOrAnnotations - The schemas of arguments, or annotations.
   * @deprecated Use `registerTool`.
   */
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    description: string,
    paramsSchemaOrAnnotations: Args | ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  /**
   * @param paramsSchema - The schemas of arguments, by name.
   * @param annotations - Hints for clients about the tool's behaviour.
   * @param name - Its name, as clients see it.
   * @param cb - Runs the tool; gets the arguments and the context.
   * @deprecated Use `registerTool`.
   */
  tool<Args extends ZodRawShapeCompat>(
    name: string,
    paramsSchema: Args,
    annotations: ToolAnnotations,
    cb: ToolCallback<Args>,
  ): RegisteredTool;
  /**
   * @param name - Its name, as clients see it.
   * @param cb - Runs the tool; gets the arguments and the context.
   * @param description - What it is for.
   * @param paramsSchema - The schemas of arguments, by name.
   * @param annotations - Hints for clients about the tool's behaviour.
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
   * Registers a tool. Its schemas validate arguments before a call and results after it.
   *
   * ```ts
   * server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
   *   content: [{ type: 'text', text: String(a + b) }],
   * }));
   * ```
   *
   * @param name - Its name, as clients see it.
   * @param config - Title, description, schemas, annotations.
   * @param cb - Runs the tool; gets the arguments and the context.
   */
  registerTool<OutputArgs extends ToolSchema, InputArgs extends undefined | ToolSchema = undefined>(
    name: string,
    config: {
      title?: string;
      description?: string;
      inputSchema?: InputArgs;
      outputSchema?: OutputArgs;
      annotations?: ToolAnnotations;
      /** Whether calls become tasks (2026-07-28). */
      task?: TaskSupport;
      /**
       * The scopes that a token needs for calls over HTTP, all of them. A call whose token lacks one is
       * refused with 403 and a challenge that names all, so that the client can ask for them.
       */
      scopes?: string[];
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
   * @param name - Its name, as clients see it.
   * @param cb - Makes the messages; gets the arguments and the context.
   * @deprecated Use `registerPrompt`.
   */
  prompt(name: string, cb: PromptCallback): RegisteredPrompt;
  /**
   * @param description - What it is for.
   * @param name - Its name, as clients see it.
   * @param cb - Makes the messages; gets the arguments and the context.
   * @deprecated Use `registerPrompt`.
   */
  prompt(name: string, description: string, cb: PromptCallback): RegisteredPrompt;
  /**
   * @param argsSchema - The schemas of arguments, by name.
   * @param name - Its name, as clients see it.
   * @param cb - Makes the messages; gets the arguments and the context.
   * @deprecated Use `registerPrompt`.
   */
  prompt<Args extends ZodRawShapeCompat>(name: string, argsSchema: Args, cb: PromptCallback<Args>): RegisteredPrompt;
  /**
   * @param name - Its name, as clients see it.
   * @param cb - Makes the messages; gets the arguments and the context.
   * @param description - What it is for.
   * @param argsSchema - The schemas of arguments, by name.
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
   * Registers a prompt. Its schema validates the arguments.
   *
   * ```ts
   * server.registerPrompt('review', { argsSchema: { code: z.string() } }, ({ code }) => ({
   *   messages: [{ role: 'user', content: { type: 'text', text: `Review this: ${code}` } }],
   * }));
   * ```
   *
   * @param name - Its name, as clients see it.
   * @param config - Title, description and the schema of arguments.
   * @param cb - Makes the messages; gets the arguments and the context.
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

  /** Whether it is connected to a transport. */
  isConnected(): boolean {
    return this.server.transport !== undefined;
  }

  /**
   * Sends a log message, unless its level is below the one that the client asked for.
   * @param params - The level, the message, and who says it.
   * @param sessionId - The session whose level counts. Default: that of the call being answered.
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
