/**
 * The high-level server without its public functions to register things. Owns: which capability and
 * handlers each kind needs, and the steps of a tool call. Must not know: the forms in which programs
 * register; see `common/mcp` for how lists are made and calls are answered.
 */
import type { HttpListener } from '../engine/http/listen';
import type { ListenOptions } from '../engine/http/options';
import { FACE, HIDING } from './mcp-face';
import { ErrorCode, McpError } from '../protocol/mcp-error';
import { Prompts } from '../common/mcp/prompts';
import { Resources } from '../common/mcp/resources';
import { ResourceTemplate } from '../common/mcp/template';
import { toolError, Tools, type ToolConfig, type ToolSteps } from '../common/mcp/tools';
import type {
  AnyToolHandler,
  McpServerOptions,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredTemplate,
  RegisteredTool,
  ResourceMetadata,
} from '../common/mcp/types';
import { begin } from '../common/tasks/support';
import type { RegistryKind } from '../engine/registry';
import type { Transport } from '../protocol/transport';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ReadResourceRequestSchema,
  type CallToolResult,
  type CompleteRequest,
  type CompleteResult,
  type Implementation,
  type ToolAnnotations,
  type ToolExecution,
} from '../protocol/types';
import { Server } from './server';

/**
 * A registered resource template; clients are notified of changes to it. As in the official package, a
 * disabled template is still listed and served; `remove` it instead.
 */
export type RegisteredResourceTemplate = RegisteredTemplate<ResourceTemplate>;

/** The largest number of elements in a tool's arguments; `undefined` for no limit. */
function elementLimit(value: unknown): number | undefined {
  if (value === undefined || value === Infinity) return undefined;
  if (typeof value === 'number' && value >= 1) return value;
  throw new RangeError(`maxToolInputElements must be a number of at least 1, or Infinity, got ${String(value)}`);
}

/** A server made of tools, resources and prompts, whatever forms they are registered in. */
export class McpServerBase {
  /** The low-level server, for everything that `McpServer` has no function for. */
  readonly server: Server;
  protected readonly _registeredResources: Record<string, RegisteredResource>;
  protected readonly _registeredResourceTemplates: Record<string, RegisteredResourceTemplate>;
  protected readonly _registeredTools: Record<string, RegisteredTool>;
  protected readonly _registeredPrompts: Record<string, RegisteredPrompt>;
  protected readonly _tools: Tools;
  protected readonly _prompts: Prompts;
  protected readonly _resources: Resources<ResourceTemplate>;
  /** The kinds whose request handlers are set. */
  private readonly _ready = new Set<string>();

  /**
   * Creates a server. Register tools, resources and prompts on it, then call `connect` or `listen`.
   * @param serverInfo - The server's name and version, as clients see them.
   * @param options - Instructions, capabilities, guard rails and limits. Default: none.
   */
  constructor(serverInfo: Implementation, options?: McpServerOptions) {
    this.server = new Server(serverInfo, options);
    const changed = (kind: RegistryKind, tasks?: boolean): void => this.server.registryChanged(kind, false, tasks);
    const told = (kind: RegistryKind): void => this.server.registryChanged(kind);
    const strict = options?.engine?.['unknown_tool'] === 'error';
    const masked = (error: unknown, where: string): string | undefined => this.server.masked(error, where);
    const usual = McpServerBase.prototype as unknown as ToolSteps;
    const own = <Name extends keyof ToolSteps>(name: Name): ToolSteps[Name] | undefined => {
      const mine = (this as unknown as ToolSteps)[name];
      return mine === usual[name] ? undefined : ((mine as () => unknown).bind(this) as typeof mine);
    };
    this._tools = new Tools(changed, told, FACE, elementLimit(options?.maxToolInputElements), strict, masked, own);
    this._prompts = new Prompts(changed, told, FACE);
    this._resources = new Resources(changed, told, options?.authorize === undefined ? FACE : HIDING);
    this._registeredTools = this._tools.table;
    this._registeredPrompts = this._prompts.table;
    this._registeredResources = this._resources.table;
    this._registeredResourceTemplates = this._resources.templates;
    this.server.hiding({
      ...(!strict && { hidden_tool: 'MCP error -32602: Tool {name} not found' }),
      hidden_tool_error: 'MCP error -32602: Unknown tool: {name}',
      hidden_resource: 'MCP error -32002: Resource {name} not found',
      hidden_prompt: 'MCP error -32602: Prompt {name} not found',
    });
    this.server.provide({
      lists: (kind) => this.rowsOf(kind),
      scopes: () => this._tools.scopes(),
      refused: (kind) => void (kind === 'tools' && this._tools.distrust()),
    });
    // Declared capabilities get their handlers now, so that more can be registered after
    // connecting.
    const { tools, resources, prompts } = options?.capabilities ?? {};
    if (tools) this.setToolRequestHandlers();
    if (resources) this.setResourceRequestHandlers();
    if (prompts) this.setPromptRequestHandlers();
  }

  /**
   * Connects to a transport, in addition to those that are connected already.
   * @param transport - The transport.
   */
  async connect(transport: Transport): Promise<void> {
    return this.server.connect(transport);
  }

  /**
   * Serves streamable HTTP with the engine's own HTTP server.
   * @param options - Port, host, limits, authorization and so on. Default: a free port of 127.0.0.1.
   */
  async listen(options?: ListenOptions): Promise<HttpListener> {
    return this.server.listen(options);
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.server.close();
  }

  /**
   * Turns the running tool call into a task (2026-07-28), for tools that decide this themselves, such as
   * after a first question. The client gets the task at once; what the tool returns becomes the task's
   * result. If the call is a task already, only its id is returned. If no tool of the server has the
   * member `task`, the server needs the option `engine: {'tasks.poll_interval': 1}`.
   *
   * @param extra - The last argument of the tool's handler.
   * @returns the id of the task.
   * @throws `McpError` if the client did not declare the extension for tasks (-32021), too many tasks run,
   * or the task could not be stored.
   */
  beginTask(extra: object): Promise<string> {
    return begin(extra);
  }

  // Handlers

  private rowsOf(kind: RegistryKind): object[] | undefined {
    switch (kind) {
      case 'tools':
        return this._tools.rows();
      case 'prompts':
        return this._prompts.list();
      case 'resourceTemplates':
        return this._resources.listTemplates();
      case 'resources':
        return this._resources.listsByCode ? undefined : this._resources.list();
    }
  }

  /** Whether the handlers are still to be set. Throws if a method has a handler already. */
  private begin(what: string, ...methods: string[]): boolean {
    if (this._ready.has(what)) return false;
    for (const method of methods) this.server.assertCanSetRequestHandler(method);
    return true;
  }

  private setToolRequestHandlers(): void {
    if (!this.begin('tools', 'tools/list', 'tools/call')) return;
    this.server.registerCapabilities({ tools: { listChanged: true } });
    this.server.provideHandler('tools/list', () => ({ tools: this._tools.list() }));
    this.server.setRequestHandler(CallToolRequestSchema, (request, extra) => this._tools.call(request, extra));
    this._ready.add('tools');
  }

  private setCompletionRequestHandler(): void {
    if (!this.begin('completions', 'completion/complete')) return;
    this.server.registerCapabilities({ completions: {} });
    this.server.setRequestHandler(CompleteRequestSchema, (request) => this.complete(request));
    this._ready.add('completions');
  }

  private async complete({ params }: CompleteRequest): Promise<CompleteResult> {
    const { ref } = params as { ref: { type: string; name?: string; uri?: string } };
    if (ref.type === 'ref/prompt') return this._prompts.complete(ref.name!, params);
    if (ref.type === 'ref/resource') return this._resources.complete(ref.uri!, params);
    throw new McpError(ErrorCode.InvalidParams, `Invalid completion reference: ${String(ref)}`);
  }

  private setResourceRequestHandlers(): void {
    if (!this.begin('resources', 'resources/list', 'resources/templates/list', 'resources/read')) return;
    this.server.registerCapabilities({ resources: { listChanged: true } });
    this.server.provideHandler('resources/list', (_request, extra: object) => this._resources.listAll(extra));
    this.server.provideHandler('resources/templates/list', () => ({ resourceTemplates: this._resources.listTemplates() }));
    this.server.setRequestHandler(ReadResourceRequestSchema, (request, extra) => this._resources.read(request, extra));
    this._ready.add('resources');
  }

  private setPromptRequestHandlers(): void {
    if (!this.begin('prompts', 'prompts/list', 'prompts/get')) return;
    this.server.registerCapabilities({ prompts: { listChanged: true } });
    this.server.provideHandler('prompts/list', () => ({ prompts: this._prompts.list() }));
    this.server.setRequestHandler(GetPromptRequestSchema, (request, extra) => this._prompts.get(request, extra));
    this._ready.add('prompts');
  }

  // Adding

  /** Registers a resource, or all resources of a template. */
  protected addResource(
    name: string,
    title: string | undefined,
    where: string | ResourceTemplate,
    metadata: ResourceMetadata | undefined,
    read: unknown,
  ): RegisteredResource | RegisteredResourceTemplate {
    let added: RegisteredResource | RegisteredResourceTemplate;
    if (typeof where === 'string') {
      added = this._resources.add(name, where, title, metadata, read as ReadResourceCallback);
    } else {
      const template = this._resources.addTemplate(name, where, title, metadata, read as ReadResourceTemplateCallback);
      if (this._resources.completes(template)) this.setCompletionRequestHandler();
      added = template;
    }
    this.setResourceRequestHandlers();
    this.server.registryChanged('resources');
    return added;
  }

  /** Registers a tool. */
  protected addTool(name: string, config: ToolConfig, callback: unknown): RegisteredTool {
    const tool = this._tools.add(name, config, callback as AnyToolHandler<never>);
    this.setToolRequestHandlers();
    this.server.registryChanged('tools');
    return tool;
  }

  /** Registers a prompt. */
  protected addPrompt(name: string, config: Parameters<Prompts['add']>[1], callback: unknown): RegisteredPrompt {
    const prompt = this._prompts.add(name, config, callback);
    if (this._prompts.completes(prompt)) this.setCompletionRequestHandler();
    this.setPromptRequestHandlers();
    this.server.registryChanged('prompts');
    return prompt;
  }

  // Steps of a tool call; a subclass or program may replace them

  /**
   * Validates the arguments of a call and returns them as the tool's schema converts them; throws
   * if they do not match.
   */
  protected async validateToolInput(tool: RegisteredTool, args: unknown, toolName: string): Promise<unknown> {
    return this._tools.checked(tool, args, toolName);
  }

  /** Runs a tool with validated arguments. */
  protected async executeToolHandler(tool: RegisteredTool, args: unknown, extra: object): Promise<CallToolResult> {
    return this._tools.execute(tool, args, extra);
  }

  /** Validates the structured content of a result; throws if it does not match the output schema. */
  protected async validateToolOutput(tool: RegisteredTool, result: CallToolResult, toolName: string): Promise<void> {
    await this._tools.verified(tool, result, toolName);
  }

  /** Makes the result that reports an error to the client, with `isError`. */
  protected createToolError(errorMessage: string): CallToolResult {
    return toolError(errorMessage);
  }

  /** Registers a tool; entry point for tools that run as tasks. */
  protected _createRegisteredTool(
    name: string,
    title: string | undefined,
    description: string | undefined,
    inputSchema: unknown,
    outputSchema: unknown,
    annotations: ToolAnnotations | undefined,
    execution: ToolExecution | undefined,
    _meta: Record<string, unknown> | undefined,
    handler: unknown,
  ): RegisteredTool {
    return this.addTool(name, { title, description, inputSchema, outputSchema, annotations, execution, _meta }, handler);
  }
}
