/**
 * The requests of the 2.x client that are sent as they are given. Owns: one function each. Must not
 * know: eras, caching, and how answers are read.
 */
import { INSIDE } from '../../common/peer/client-peer';
import type {
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
  LoggingLevel,
  SubscribeRequest,
  UnsubscribeRequest,
} from '../../protocol/types';
import type { CacheableRequestOptions } from './client-options';
import { Base } from './client-shared';
import type { RequestOptions } from './context';
import { inV2 } from './convert';
import type { Paged } from './pages';

/** The part of `Client` that asks without looking at the answer. */
export abstract class ClientRequests extends Base {
  /** Sends a request of the protocol. */
  protected abstract _verb<T>(method: string, params: unknown, options?: CacheableRequestOptions): Promise<T>;

  /** Reads a list: one page, or all of them. */
  protected abstract _list<T extends Paged>(
    method: string,
    params: { cursor?: string } | undefined,
    options: CacheableRequestOptions | undefined,
    items: (page: T) => unknown[],
  ): Promise<T>;

  /**
   * Sends a `ping`; resolves when the server answers.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  ping(options?: RequestOptions): Promise<EmptyResult> {
    return this._verb('ping', undefined, options);
  }

  /**
   * Requests completions for an argument of a prompt or a variable of a resource template.
   * @param params - The prompt or template, and the argument with the text so far.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  complete(params: CompleteRequest['params'], options?: RequestOptions): Promise<CompleteResult> {
    return this._verb('completion/complete', params, options);
  }

  /**
   * Sets the lowest level of log messages that the server sends.
   *
   * @param level - The lowest level of messages to send, such as `warning`.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   * @deprecated since 2026-07-28: logging, SEP-2577; earliest removal 2027-07-28.
   */
  setLoggingLevel(level: LoggingLevel, options?: RequestOptions): Promise<EmptyResult> {
    return this._verb('logging/setLevel', { level }, options);
  }

  /**
   * Gets a prompt with its arguments filled in.
   * @param params - The prompt's name and its arguments.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  getPrompt(params: GetPromptRequest['params'], options?: RequestOptions): Promise<GetPromptResult> {
    return this._verb('prompts/get', params, options);
  }

  /**
   * Lists all prompts, or with a cursor one page.
   * @param params - The `cursor` of the page: the `nextCursor` of the page before. Default: the first page.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  listPrompts(params?: ListPromptsRequest['params'], options?: CacheableRequestOptions): Promise<ListPromptsResult> {
    return this._list<ListPromptsResult>('prompts/list', params, options, ({ prompts }) => prompts);
  }

  /**
   * Lists all resources, or with a cursor one page.
   * @param params - The `cursor` of the page: the `nextCursor` of the page before. Default: the first page.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  listResources(params?: ListResourcesRequest['params'], options?: CacheableRequestOptions): Promise<ListResourcesResult> {
    return this._list<ListResourcesResult>('resources/list', params, options, ({ resources }) => resources);
  }

  /**
   * Lists all resource templates, or with a cursor one page.
   * @param params - The `cursor` of the page: the `nextCursor` of the page before. Default: the first page.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  listResourceTemplates(
    params?: ListResourceTemplatesRequest['params'],
    options?: CacheableRequestOptions,
  ): Promise<ListResourceTemplatesResult> {
    return this._list<ListResourceTemplatesResult>('resources/templates/list', params, options, (all) => all.resourceTemplates);
  }

  /**
   * Subscribes to changes of a resource.
   * @param params - The URI of the resource.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  subscribeResource(params: SubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    return inV2(() => this[INSIDE].subscribe(params, options), undefined, options?.signal);
  }

  /**
   * Ends the subscription to a resource.
   * @param params - The URI of the resource.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  unsubscribeResource(params: UnsubscribeRequest['params'], options?: RequestOptions): Promise<EmptyResult> {
    return inV2(() => this[INSIDE].unsubscribe(params, options), undefined, options?.signal);
  }
}
