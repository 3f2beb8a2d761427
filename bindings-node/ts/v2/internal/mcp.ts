/**
 * The high-level server of the 2.x face. Owns: its public functions, and where it is stricter than
 * that of 1.x. Must not know: how lists are made or calls are answered; see `common/mcp`, which
 * both faces share.
 */
import { liveOf } from '../../engine/server/call';
import { INSIDE, type ServerInside } from '../../common/peer/server-peer';
import { Prompts } from '../../common/mcp/prompts';
import { chain, find, type Soon } from '../../common/mcp/records';
import { Resources } from '../../common/mcp/resources';
import { Tools, type ToolConfig as CommonToolConfig } from '../../common/mcp/tools';
import type { RegistryKind } from '../../engine/registry';
import { inputSchemaOf, outputSchemaOf } from '../../common/mcp/schemas';
import type { Transport } from '../../protocol/transport';
import type {
  CallToolRequest,
  CompleteRequest,
  CompleteResult,
  GetPromptRequest,
  Implementation,
  ReadResourceRequest,
  ServerCapabilities,
} from '../../protocol/types';
import type { ServerContext } from './context';
import { ProtocolError, ProtocolErrorCode } from './errors';
import { templateOf, thingOf, type RegisteredResourceTemplate } from './mcp-lookup';
import { McpNotices } from './mcp-notices';
import { FACE, spoken, type Challenging, type ListKind } from './mcp-face';
import type {
  LegacyPromptCallback,
  LegacyToolCallback,
  McpServerOptions,
  PromptCallback,
  PromptConfig,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredTool,
  ResourceConfig,
  ToolCallback,
  ToolConfig,
  ZodRawShape,
} from './mcp-types';
import type { ScopeChallengeHandler } from './scopes';
import { Server } from './server';
import { VIEW } from './server-shared';
import type { StandardSchemaWithJSON } from './standard';
import { isOfObjects } from './structured';
import { tablesOf } from './tables';
import { ResourceTemplate } from './template';
import type { CallToolResult, ListToolsResult } from './tool-types';

/**
 * A server made of tools, resources and prompts, with the API of the official 2.x package.
 *
 * ```ts
 * const server = new McpServer({ name: 'adder', version: '1.0.0' });
 * server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
 *   content: [{ type: 'text', text: String(a + b) }],
 * }));
 * await server.connect(new StdioServerTransport());
 * ```
 *
 * Schemas are Standard Schemas; `fromJsonSchema` makes one from plain JSON Schema.
 */
export class McpServer extends McpNotices {
  /** The low-level server, for everything that `McpServer` has no function for. */
  readonly server: Server;
  readonly #tools: Tools;
  readonly #prompts: Prompts;
  readonly #resources: Resources<never>;
  readonly #ready = new Set<string>();

  /**
   * Creates a server. Register tools, resources and prompts on it, then call `connect`.
   * @param serverInfo - The server's name and version, as clients see them.
   * @param options - Instructions, capabilities, guard rails and limits. Default: none.
   */
  constructor(serverInfo: Implementation, options?: McpServerOptions) {
    super();
    const { maxToolInputElements, ...rest } = options ?? {};
    if (maxToolInputElements !== undefined && !(maxToolInputElements >= 1)) {
      throw new RangeError(`maxToolInputElements must be a number of at least 1, or Infinity, got ${String(maxToolInputElements)}`);
    }
    this.server = new Server(serverInfo, rest);
    const changed = (kind: RegistryKind, tasks?: boolean): void => this.#inside.registryChanged(kind, false, tasks);
    const limit = maxToolInputElements === Infinity ? undefined : maxToolInputElements;
    const told = (kind: RegistryKind): void => this.#inside.registryChanged(kind, true);
    this.#tools = new Tools(changed, told, FACE, limit, false, (error, where) => this.#inside.masked(error, where));
    this.#prompts = new Prompts(changed, told, FACE);
    this.#resources = new Resources<never>(changed, told, FACE);
    Object.assign(this, tablesOf(this.#tools, this.#prompts, this.#resources));
    this.#inside.hiding({
      hidden_tool_error: 'Tool {name} not found',
      hidden_resource: 'Resource not found: {name}',
      hidden_prompt: 'Prompt {name} not found',
    });
    this.#inside.provide({
      lists: (kind) => this.#rowsOf(kind),
      scopes: () => this.#tools.scopes(),
      refused: (kind) => void (kind === 'tools' && this.#tools.distrust()),
    });
    // Declared capabilities get their handlers and lists, even if nothing is ever registered.
    const { tools, resources, prompts } = options?.capabilities ?? {};
    if (tools) this.#beginTools();
    if (resources) this.#beginResources();
    if (prompts) this.#beginPrompts();
  }

  get #inside(): ServerInside {
    return this.server[INSIDE];
  }

  /**
   * Connects to a transport, in addition to those that are connected already.
   * @param transport - The transport.
   */
  async connect(transport: Transport): Promise<void> {
    const asks = transport as { setScopeChallengeResolver?: (resolver: ScopeChallengeHandler) => void };
    asks.setScopeChallengeResolver?.((context) => this.resolveScopeChallenge(context));
    await this.server.connect(transport);
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.server.close();
  }

  // Handlers

  #rowsOf(kind: RegistryKind): object[] | undefined {
    switch (kind) {
      case 'tools':
        return this.#listedByEngine() ? this.#tools.rows() : undefined;
      case 'prompts':
        return this.#prompts.list();
      case 'resourceTemplates':
        return this.#resources.listTemplates();
      case 'resources':
        return this.#resources.listsByCode ? undefined : this.#resources.list();
    }
  }

  #begin(what: ListKind | 'completions', ...methods: string[]): boolean {
    if (this.#ready.has(what)) return false;
    for (const method of methods) this.server.assertCanSetRequestHandler(method);
    this.#ready.add(what);
    if (what === 'completions') this.server.registerCapabilities({ completions: {} });
    else this.server.registerCapabilities(this.#declared(what));
    return true;
  }

  /** Declares that lists change, unless the program declared that they do not. */
  #declared(what: ListKind): ServerCapabilities {
    return { [what]: { listChanged: this.server.getCapabilities()[what]?.listChanged ?? true } };
  }

  #beginTools(): void {
    if (!this.#begin('tools', 'tools/list', 'tools/call')) return;
    this.#inside.provideHandler('tools/list', (_request, extra) =>
      this.server[VIEW].shownTools({ tools: this.#tools.list() } as ListToolsResult, liveOf(extra)),
    );
    this.server.setRequestHandler('tools/call', ((request: CallToolRequest, ctx: object) => this.#call(request, ctx)) as never);
  }

  #call(request: CallToolRequest, ctx: object): Soon<CallToolResult> {
    const { name } = request.params;
    const tool = find(this.#tools.table, name);
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found`);
    if (!tool.enabled) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} disabled`);
    return this.#tools.call(request, ctx, (result) => this.#projected(tool, result as CallToolResult) as never) as Soon<CallToolResult>;
  }

  #projected({ outputSchema }: { outputSchema?: unknown }, result: CallToolResult): CallToolResult {
    if (result.structuredContent === undefined) return result;
    return this.server.projectCallToolResult(result, outputSchemaOf(outputSchema as object | undefined, true));
  }

  /**
   * Whether the engine can answer the list. It cannot if a schema is not of an object, because such
   * a schema is shown differently to legacy and modern clients.
   */
  #listedByEngine(): boolean {
    return Object.values(this.#tools.table).every(({ outputSchema }) => {
      const listed = outputSchemaOf(outputSchema, true);
      return listed === undefined || isOfObjects(listed);
    });
  }

  #beginCompletions(): void {
    if (!this.#begin('completions', 'completion/complete')) return;
    const complete = (request: CompleteRequest): Soon<CompleteResult> => spoken(() => this.#complete(request));
    this.server.setRequestHandler('completion/complete', complete);
  }

  async #complete({ params }: CompleteRequest): Promise<CompleteResult> {
    const { ref } = params as { ref: { type: string; name?: string; uri?: string } };
    if (ref.type === 'ref/prompt') return this.#prompts.complete(ref.name!, params);
    if (ref.type === 'ref/resource') return this.#resources.complete(ref.uri!, params);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid completion reference: ${String(ref)}`);
  }

  #beginResources(): void {
    if (!this.#begin('resources', 'resources/list', 'resources/templates/list', 'resources/read')) return;
    this.#inside.provideHandler('resources/list', (request, extra) => this.#listResources(request, extra));
    this.#inside.provideHandler('resources/templates/list', () => ({ resourceTemplates: this.#resources.listTemplates() }));
    this.server.setRequestHandler('resources/read', ((request: ReadResourceRequest, ctx: ServerContext) => this.#read(request, ctx)) as never);
  }

  #listResources(request: { method: string }, extra: unknown): Promise<object> {
    return this.#resources.listAll(this.server[VIEW].contextOf(request.method, extra));
  }

  #read(request: ReadResourceRequest, ctx: ServerContext): Soon<object> {
    const { uri } = request.params;
    if (!URL.canParse(uri)) {
      const data = { uri, reason: 'invalid_uri' };
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Resource URI ${uri} is invalid`, data);
    }
    const off = templateOf(this.#resources, uri);
    if (off !== undefined && !off.enabled) {
      const words = `Resource template ${String(off.resourceTemplate.uriTemplate)} disabled`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, words);
    }
    const known = find(this.#resources.table, new URL(uri).toString());
    if (known === undefined && off === undefined) {
      throw FACE.unknownResource(uri, ctx.mcpReq.envelope !== undefined);
    }
    const hint = (known ?? off) as { cacheHint?: object } | undefined;
    const result = spoken(() => this.#resources.read(request, ctx));
    // Only modern revisions have cache hints.
    const silent = hint?.cacheHint === undefined || ctx.mcpReq.envelope === undefined;
    return silent ? result : chain(result as Soon<object>, (value) => ({ ...hint?.cacheHint, ...value }));
  }

  #beginPrompts(): void {
    if (!this.#begin('prompts', 'prompts/list', 'prompts/get')) return;
    this.#inside.provideHandler('prompts/list', () => ({ prompts: this.#prompts.list() }));
    this.server.setRequestHandler('prompts/get', ((request: GetPromptRequest, ctx: object) =>
      spoken(() => this.#prompts.get(request, ctx))) as never);
  }

  // Registration

  /**
   * Registers a resource with a fixed URI.
   *
   * ```ts
   * server.registerResource('units', 'config://units', { mimeType: 'text/plain' }, (uri) => ({
   *   contents: [{ uri: uri.href, text: 'metric' }],
   * }));
   * ```
   * @param name - The resource's name, as clients see it.
   * @param uri - The URI of the resource.
   * @param config - Title, description, MIME type and so on.
   * @param readCallback - Reads the resource; returns an object with its `contents`.
   */
  registerResource(name: string, uri: string, config: ResourceConfig, readCallback: ReadResourceCallback): RegisteredResource;
  /**
   * Registers all resources that match a URI template.
   *
   * ```ts
   * const weather = new ResourceTemplate('weather://{city}', { list: undefined });
   * server.registerResource('weather', weather, {}, (uri, { city }) => ({
   *   contents: [{ uri: uri.href, text: `It rains in ${city}.` }],
   * }));
   * ```
   * @param template - The URI template, and functions that list and complete it.
   * @param name - The resource's name, as clients see it.
   * @param config - Title, description, MIME type and so on.
   * @param readCallback - Reads the resource; returns an object with its `contents`.
   */
  registerResource(
    name: string,
    template: ResourceTemplate,
    config: ResourceConfig,
    readCallback: ReadResourceTemplateCallback,
  ): RegisteredResourceTemplate;
  registerResource(
    name: string,
    where: string | ResourceTemplate,
    config: ResourceConfig,
    readCallback: ReadResourceCallback | ReadResourceTemplateCallback,
  ): RegisteredResource | RegisteredResourceTemplate {
    const { cacheHint, scopeChallenge, ...metadata } = config;
    let added: Challenging & { cacheHint?: object };
    if (typeof where === 'string') {
      added = this.#resources.add(name, where, config.title, metadata, readCallback as never);
    } else {
      const template = this.#resources.addTemplate(name, where as never, config.title, metadata, readCallback as never);
      if (this.#resources.completes(template)) this.#beginCompletions();
      added = template;
    }
    if (cacheHint !== undefined) added.cacheHint = cacheHint;
    if (scopeChallenge !== undefined) added.scopeChallenge = scopeChallenge;
    this.#beginResources();
    this.#inside.registryChanged('resources', true);
    return added as unknown as RegisteredResource | RegisteredResourceTemplate;
  }

  /**
   * Registers a tool. Its schemas validate arguments before a call and structured results after it. If
   * `cb` throws, the result has `isError` and the message.
   *
   * ```ts
   * server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
   *   content: [{ type: 'text', text: String(a + b) }],
   * }));
   * ```
   * @param name - The tool's name, as clients see it.
   * @param config - Title, description, schemas, annotations and so on.
   * @param cb - Runs the tool; gets the arguments, if there is a schema, and the context of the request.
   *   Returns an object with `content` or `structuredContent`.
   */
  registerTool<OutputArgs extends StandardSchemaWithJSON, InputArgs extends StandardSchemaWithJSON | undefined = undefined>(
    name: string,
    config: ToolConfig<InputArgs, OutputArgs>,
    cb: ToolCallback<InputArgs>,
  ): RegisteredTool;
  /**
   * Registers a tool whose schemas are objects of zod 4 schemas by name.
   * @param name - The tool's name, as clients see it.
   * @param config - Title, description, schemas, annotations and so on.
   * @param cb - Runs the tool; gets the arguments, if there is a schema, and the context of the request.
   *   Returns an object with `content` or `structuredContent`.
   */
  registerTool<InputArgs extends ZodRawShape, OutputArgs extends ZodRawShape | StandardSchemaWithJSON | undefined = undefined>(
    name: string,
    config: ToolConfig<InputArgs, OutputArgs>,
    cb: LegacyToolCallback<InputArgs>,
  ): RegisteredTool;
  registerTool(name: string, config: ToolConfig<unknown, unknown>, cb: unknown): RegisteredTool {
    this.#tools.checkFree(name);
    const { scopeChallenge, ...rest } = config;
    const tool: Challenging = this.#tools.add(name, rest as CommonToolConfig, cb as never);
    if (scopeChallenge !== undefined) tool.scopeChallenge = scopeChallenge;
    this.#beginTools();
    this.#inside.registryChanged('tools', true);
    return tool as unknown as RegisteredTool;
  }

  /**
   * Registers a prompt without arguments.
   * @param name - The prompt's name, as clients see it.
   * @param config - Title, description and so on.
   * @param cb - Gets the context of the request; returns an object with `messages`.
   */
  registerPrompt(name: string, config: PromptConfig<undefined>, cb: PromptCallback): RegisteredPrompt;
  /**
   * Registers a prompt with arguments; the schema validates them.
   *
   * ```ts
   * server.registerPrompt('review', { argsSchema: z.object({ code: z.string() }) }, ({ code }) => ({
   *   messages: [{ role: 'user', content: { type: 'text', text: `Review this: ${code}` } }],
   * }));
   * ```
   * @param name - The prompt's name, as clients see it.
   * @param config - Title, description, the schema of the arguments and so on.
   * @param cb - Makes the messages; gets the arguments, if there is a schema, and the context of the request.
   *   Returns an object with `messages`.
   */
  registerPrompt<Args extends StandardSchemaWithJSON>(name: string, config: PromptConfig<Args>, cb: PromptCallback<Args>): RegisteredPrompt;
  /**
   * Registers a prompt with a raw shape of zod 4.
   * @param name - The prompt's name, as clients see it.
   * @param config - Title, description, the schema of the arguments and so on.
   * @param cb - Makes the messages; gets the arguments, if there is a schema, and the context of the request.
   *   Returns an object with `messages`.
   */
  registerPrompt<Args extends ZodRawShape>(name: string, config: PromptConfig<Args>, cb: LegacyPromptCallback<Args>): RegisteredPrompt;
  registerPrompt(name: string, config: PromptConfig<unknown>, cb: unknown): RegisteredPrompt {
    this.#prompts.checkFree(name);
    const { scopeChallenge, ...rest } = config;
    const prompt = this.#prompts.add(name, rest, cb);
    if (scopeChallenge !== undefined) (prompt as Challenging).scopeChallenge = scopeChallenge;
    if (this.#prompts.completes(prompt)) this.#beginCompletions();
    this.#beginPrompts();
    this.#inside.registryChanged('prompts', true);
    return prompt as unknown as RegisteredPrompt;
  }

  /**
   * The JSON Schema of a tool's arguments, as clients see it; `undefined` without such a tool.
   * @param name - The tool's name.
   */
  toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const tool = find(this.#tools.table, name);
    return tool?.enabled ? inputSchemaOf(tool.inputSchema, true) : undefined;
  }

  // Scopes

  /** Returns the scopes that a request lacks for its tool, resource or prompt. */
  readonly resolveScopeChallenge: ScopeChallengeHandler = (context) => {
    const { method, params } = context.request as { method: string; params?: { name?: unknown; uri?: unknown } };
    const thing = thingOf(this.#tools, this.#prompts, this.#resources, method, params ?? {});
    return thing?.enabled ? thing.scopeChallenge?.(context) : undefined;
  };
}
