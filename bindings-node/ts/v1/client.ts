/**
 * The client of the 1.x face: sends requests to a server, and answers those of the server.
 *
 * Owns: the typed functions. Must not know: how a server is reached, or which era it speaks.
 */
import { ClientPeer } from '../common/peer/client-peer';
import { ClientSession as SessionOf, type SessionVerb } from '../engine/client/session';
import { specSchema, specSchemaOf2, type AnySpecSchema } from '../protocol/schema/schema';
import type { AnySchema, SchemaOutput } from '../protocol/schema/output';
import type { RequestOptions } from '../common/peer/protocol';
import type {
  CallToolRequest,
  CallToolResult,
  ClientNotification,
  ClientRequest,
  CompleteRequest,
  CompleteResult,
  EmptyResult,
  GetPromptRequest,
  GetPromptResult,
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
} from '../protocol/types';

export { getSupportedElicitationModes } from '../common/peer/answers';
export type { ClientOptions, ProtocolChoice } from '../common/peer/client-options';

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
 * A client of one server, with the API of the official 1.x package.
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
> extends ClientPeer<RequestT, NotificationT, ResultT> {
  /** The open connection, with its state and counters; `undefined` before `connect`. */
  override get session(): ClientSession | undefined {
    return super.session as ClientSession | undefined;
  }

  /**
   * Checks that the server responds. Only up to 2025-11-25, since 2026-07-28 has no `ping`.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async ping(options?: RequestOptions): Promise<EmptyResult> {
    return this.request({ method: 'ping' } as ClientRequest, RESULTS.empty, options);
  }

  /**
   * Asks the server for values that complete an argument of a prompt or a variable of a resource template.
   * @param params - The prompt or template, and the argument with the text so far.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async complete(params: CompleteRequest['params'], options?: RequestOptions): Promise<CompleteResult> {
    return this.request({ method: 'completion/complete', params } as ClientRequest, RESULTS.complete, options);
  }

  /**
   * Sets the lowest level of log messages that the server sends.
   *
   * @param level - The lowest level of messages to send, such as `warning`.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @deprecated since 2026-07-28: logging, SEP-2577; earliest removal 2027-07-28.
   */
  async setLoggingLevel(level: LoggingLevel, options?: RequestOptions): Promise<EmptyResult> {
    return this.request({ method: 'logging/setLevel', params: { level } } as ClientRequest, RESULTS.empty, options);
  }

  /**
   * Gets a prompt with its arguments filled in, as messages for a language model.
   * @param params - The prompt's name and its arguments.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async getPrompt(params: GetPromptRequest['params'], options?: RequestOptions): Promise<GetPromptResult> {
    return this.request({ method: 'prompts/get', params } as ClientRequest, RESULTS.getPrompt, options);
  }

  /**
   * Lists one page of prompts.
   * @param params - The `cursor` of the page: the `nextCursor` of the page before. Default: the first page.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async listPrompts(params?: ListPromptsRequest['params'], options?: RequestOptions): Promise<ListPromptsResult> {
    return this.request({ method: 'prompts/list', params } as ClientRequest, RESULTS.listPrompts, options);
  }

  /**
   * Lists one page of resources.
   * @param params - The `cursor` of the page: the `nextCursor` of the page before. Default: the first page.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async listResources(params?: ListResourcesRequest['params'], options?: RequestOptions): Promise<ListResourcesResult> {
    return this.request({ method: 'resources/list', params } as ClientRequest, RESULTS.listResources, options);
  }

  /**
   * Lists one page of resource templates.
   * @param params - The `cursor` of the page: the `nextCursor` of the page before. Default: the first page.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async listResourceTemplates(
    params?: ListResourceTemplatesRequest['params'],
    options?: RequestOptions,
  ): Promise<ListResourceTemplatesResult> {
    return this.request({ method: 'resources/templates/list', params } as ClientRequest, RESULTS.listTemplates, options);
  }

  /**
   * Reads the contents of a resource.
   * @param params - The URI of the resource.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async readResource(params: ReadResourceRequest['params'], options?: RequestOptions): Promise<ReadResourceResult> {
    return this.request({ method: 'resources/read', params } as ClientRequest, RESULTS.read, options);
  }

  /**
   * Asks the server to send a notification whenever a resource changes.
   * @param params - The URI of the resource.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async subscribeResource(params: SubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    return this._subscribe(params, options);
  }

  /**
   * Ends the subscription to a resource.
   * @param params - The URI of the resource.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  async unsubscribeResource(params: UnsubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    return this._unsubscribe(params, options);
  }

  /**
   * Calls a tool. If the tool itself fails, the result has `isError`.
   *
   * @param params - The tool's name and its arguments.
   * @param resultSchema - The schema of the result. Default: that of the protocol.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @throws `McpError` if the server answers with an error, or if the structured content does not
   * match the output schema that the tool was listed with.
   */
  callTool(
    params: CallToolRequest['params'],
    resultSchema?: AnySpecSchema<CallToolResult>,
    options?: RequestOptions,
  ): Promise<CallToolResult>;
  /**
   * Calls a tool and parses the result with a schema of the program.
   * @param params - The tool's name and its arguments.
   * @param resultSchema - The schema of the result. Default: that of the protocol.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  callTool<T extends AnySchema>(
    params: CallToolRequest['params'],
    resultSchema: T,
    options?: RequestOptions,
  ): Promise<SchemaOutput<T>>;
  async callTool(params: CallToolRequest['params'], resultSchema: AnySchema = RESULTS.call, options?: RequestOptions): Promise<unknown> {
    return this._callTool(params, resultSchema, options);
  }

  /**
   * Lists one page of tools. Later results of these tools are checked against their output schemas.
   * @param params - The `cursor` of the page: the `nextCursor` of the page before. Default: the first page.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
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

/**
 * An open connection. `Client.connect` creates it; it is over when its state is `closed`.
 *
 * @example
 * ```ts
 * await client.connect(transport);
 * const session = client.session!;
 * session.onStateChange((state) => console.error(`now ${state}`));
 * ```
 */
export type ClientSession = SessionOf<Client<any, any, any>> & Pick<Client, SessionVerb>;
/** The class of sessions, for `instanceof`. Only `Client.connect` creates them. */
export const ClientSession = SessionOf as unknown as new (client: Client<any, any, any>) => ClientSession;
