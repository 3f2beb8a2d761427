/**
 * `Client`: sends requests to a server, and answers those of the server.
 *
 * Owns: the typed functions; checking results of tools against their output schemas. Must not know:
 * how a server is reached, or which era it speaks.
 */
import type { ExperimentalClientTasks } from '../experimental/tasks/client';
import { elicitationModes } from '../internal/client-answers';
import { ClientBase } from '../internal/client-base';
import { ToolResults } from '../internal/client-tools';
import type { ValidateResult } from '../internal/guarding';
import { specSchema, specSchemaOf2, type AnySpecSchema } from '../internal/schema';
import type { AnySchema, SchemaOutput } from '../internal/schema-output';
import { RejectedError, type ToolReviewer } from '../review';
import type { ProtocolOptions, RequestOptions } from '../shared/protocol';
import type {
  CallToolRequest,
  CallToolResult,
  ClientCapabilities,
  ClientNotification,
  ClientRequest,
  CompleteRequest,
  CompleteResult,
  EmptyResult,
  GetPromptRequest,
  GetPromptResult,
  Implementation,
  ListChangedHandlers,
  ListPromptsRequest,
  ListPromptsResult,
  ListResourcesRequest,
  ListResourcesResult,
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ListToolsRequest,
  ListToolsResult,
  LoggingLevel,
  Notification,
  ReadResourceRequest,
  ReadResourceResult,
  Request,
  Result,
  SubscribeRequest,
  UnsubscribeRequest,
} from '../types';
import type { jsonSchemaValidator } from '../validation/types';

export { ClientSession } from '../session';

/**
 * How a client opens a connection: `legacy` sends `initialize`, `modern` sends `server/discover`,
 * `auto` tries `modern` first and falls back to `legacy`. A revision, e.g. `2025-06-18`, allows
 * that one only.
 */
export type ProtocolChoice = 'auto' | 'legacy' | 'modern' | (string & {});

/** Options of a `Client`. */
export type ClientOptions = ProtocolOptions & {
  /** The capabilities this client declares to servers. */
  capabilities?: ClientCapabilities;
  /** Validates structured results of tools, in place of the engine. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** What to do when the server's lists of tools, prompts or resources change. */
  listChanged?: ListChangedHandlers;
  /** How to open connections. Default: the environment variable `MCPBOLT_PROTOCOL`, else `legacy`. */
  protocol?: ProtocolChoice;
  /** Called before each tool call is sent; may change or refuse it. */
  reviewToolCall?: ToolReviewer;
  /** Whether this server's tool annotations may be relied on. Default: false. */
  trusted?: boolean;
  /**
   * Pings a legacy server that has been silent for `interval` seconds, and closes the connection if
   * no answer comes within `timeout` seconds.
   */
  keepAlive?: { interval: number; timeout: number };
  /**
   * Called with method, name and result before the caller gets the result; returns why the result
   * is refused, or null to accept it.
   */
  validateResult?: ValidateResult;
  /**
   * Further options of the engine, by their names, e.g. `{max_in_flight: 100, strict: true,
   * max_result_bytes: 1e6}`.
   */
  engine?: Record<string, unknown>;
};

/** Which modes of elicitation a client's capabilities declare. */
export function getSupportedElicitationModes(capabilities: ClientCapabilities['elicitation']): {
  supportsFormMode: boolean;
  supportsUrlMode: boolean;
} {
  return elicitationModes(capabilities);
}

const RESULTS = {
  // Results have the newest revision's form, whichever revision the server speaks.
  call: specSchemaOf2<CallToolResult>('CallToolResult'),
  complete: specSchema<CompleteResult>('CompleteResult'),
  empty: specSchema<EmptyResult>('EmptyResult'),
  getPrompt: specSchema<GetPromptResult>('GetPromptResult'),
  listPrompts: specSchema<ListPromptsResult>('ListPromptsResult'),
  listResources: specSchema<ListResourcesResult>('ListResourcesResult'),
  listTemplates: specSchema<ListResourceTemplatesResult>('ListResourceTemplatesResult'),
  listTools: specSchemaOf2<ListToolsResult>('ListToolsResult'),
  read: specSchema<ReadResourceResult>('ReadResourceResult'),
};

/**
 * A client of one server.
 *
 * @example
 * ```ts
 * const client = new Client({ name: 'example', version: '1.0.0' });
 * await client.connect(new StdioClientTransport({ command: 'node', args: ['server.mjs'] }));
 * const { tools } = await client.listTools();
 * ```
 */
export class Client<
  RequestT extends Request = Request,
  NotificationT extends Notification = Notification,
  ResultT extends Result = Result,
> extends ClientBase<RequestT, NotificationT, ResultT> {
  private readonly _toolResults: ToolResults;
  private _experimental?: { tasks: ExperimentalClientTasks<RequestT, NotificationT, ResultT> };

  /** Creates a client with this name and version. It is not connected yet. */
  constructor(_clientInfo: Implementation, options?: ClientOptions) {
    super(_clientInfo, options);
    this._toolResults = new ToolResults(options?.jsonSchemaValidator);
  }

  /**
   * Experimental features: the server's tasks.
   *
   * @experimental
   */
  get experimental(): { tasks: ExperimentalClientTasks<RequestT, NotificationT, ResultT> } {
    // Loaded on first use, because few programs need it.
    const { ExperimentalClientTasks: Tasks } = require('../experimental/tasks/client') as typeof import('../experimental/tasks/client');
    return (this._experimental ??= { tasks: new Tasks<RequestT, NotificationT, ResultT>(this) });
  }

  /** Sends a `ping`; resolves when the server answers. */
  async ping(options?: RequestOptions): Promise<EmptyResult> {
    return this.request({ method: 'ping' } as ClientRequest, RESULTS.empty, options);
  }

  /** Requests completions for an argument of a prompt or a variable of a resource template. */
  async complete(params: CompleteRequest['params'], options?: RequestOptions): Promise<CompleteResult> {
    return this.request({ method: 'completion/complete', params } as ClientRequest, RESULTS.complete, options);
  }

  /**
   * Sets the lowest level of log messages that the server sends.
   *
   * @deprecated since 2026-07-28: logging, SEP-2577; earliest removal 2027-07-28.
   */
  async setLoggingLevel(level: LoggingLevel, options?: RequestOptions): Promise<EmptyResult> {
    return this.request({ method: 'logging/setLevel', params: { level } } as ClientRequest, RESULTS.empty, options);
  }

  /** Gets a prompt with its arguments filled in. */
  async getPrompt(params: GetPromptRequest['params'], options?: RequestOptions): Promise<GetPromptResult> {
    return this.request({ method: 'prompts/get', params } as ClientRequest, RESULTS.getPrompt, options);
  }

  /** Lists one page of prompts. */
  async listPrompts(params?: ListPromptsRequest['params'], options?: RequestOptions): Promise<ListPromptsResult> {
    return this.request({ method: 'prompts/list', params } as ClientRequest, RESULTS.listPrompts, options);
  }

  /** Lists one page of resources. */
  async listResources(params?: ListResourcesRequest['params'], options?: RequestOptions): Promise<ListResourcesResult> {
    return this.request({ method: 'resources/list', params } as ClientRequest, RESULTS.listResources, options);
  }

  /** Lists one page of resource templates. */
  async listResourceTemplates(
    params?: ListResourceTemplatesRequest['params'],
    options?: RequestOptions,
  ): Promise<ListResourceTemplatesResult> {
    return this.request({ method: 'resources/templates/list', params } as ClientRequest, RESULTS.listTemplates, options);
  }

  /** Reads a resource. */
  async readResource(params: ReadResourceRequest['params'], options?: RequestOptions): Promise<ReadResourceResult> {
    return this.request({ method: 'resources/read', params } as ClientRequest, RESULTS.read, options);
  }

  /** Subscribes to changes of a resource. */
  async subscribeResource(params: SubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    if (this._watches === undefined) {
      return this.request({ method: 'resources/subscribe', params } as ClientRequest, RESULTS.empty, options);
    }
    await this._watches.watch(params.uri, { resourceSubscriptions: [params.uri] });
    return {};
  }

  /** Ends the subscription to a resource. */
  async unsubscribeResource(params: UnsubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    if (this._watches === undefined) {
      return this.request({ method: 'resources/unsubscribe', params } as ClientRequest, RESULTS.empty, options);
    }
    await this._watches.unwatch(params.uri);
    return {};
  }

  /**
   * Calls a tool. A failure that the tool reports itself is a result with `isError`.
   *
   * @throws `McpError` if the server answers with an error, or if the structured content does not
   * match the output schema that the tool was listed with.
   */
  callTool(
    params: CallToolRequest['params'],
    resultSchema?: AnySpecSchema<CallToolResult>,
    options?: RequestOptions,
  ): Promise<CallToolResult>;
  /** Calls a tool and parses the result with a schema of the program. */
  callTool<T extends AnySchema>(
    params: CallToolRequest['params'],
    resultSchema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>>;
  async callTool(params: CallToolRequest['params'], resultSchema: AnySchema = RESULTS.call, options?: RequestOptions): Promise<unknown> {
    this._toolResults.refuse(params.name);
    const allowed = this._clientOptions.reviewToolCall === undefined ? params : await this._reviewed(params);
    const request = { method: 'tools/call', params: allowed } as ClientRequest;
    const result = (await this.request(request, resultSchema, options)) as CallToolResult;
    this._toolResults.check(params.name, result);
    return result;
  }

  private async _reviewed(params: CallToolRequest['params']): Promise<CallToolRequest['params']> {
    const { reviewToolCall, trusted = false } = this._clientOptions;
    const annotations = this._toolResults.annotations(params.name);
    const decision = await reviewToolCall!({ tool: params.name, arguments: params.arguments, annotations, trusted });
    if (decision === 'allow') return params;
    if ('edit' in decision) return { ...params, arguments: decision.edit };
    throw new RejectedError(decision.deny);
  }

  /** Lists one page of tools, and remembers their output schemas to check results against. */
  async listTools(params?: ListToolsRequest['params'], options?: RequestOptions): Promise<ListToolsResult> {
    const result = await this.request({ method: 'tools/list', params } as ClientRequest, RESULTS.listTools, options);
    this._toolResults.learn(result.tools);
    return result;
  }

  /**
   * Notifies the server that the list of roots changed.
   *
   * @deprecated since 2026-07-28: roots, SEP-2577; earliest removal 2027-07-28.
   */
  async sendRootsListChanged(): Promise<void> {
    return this.notification({ method: 'notifications/roots/list_changed' } as ClientNotification);
  }
}
