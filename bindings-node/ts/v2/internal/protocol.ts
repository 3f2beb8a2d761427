/**
 * A peer of the 2.x face over any transport, for programs that derive from it. Owns: the types and
 * contexts of this face. Must not know: how a peer works; that of 1.x does the work.
 */
import { Protocol as ProtocolV1, type NotificationOptions } from '../../common/peer/protocol';
import type { Transport } from '../../protocol/transport';
import type { NotificationTypeMap, RequestTypeMap } from '../../generated/methods';
import type { JSONRPCRequest, Notification, Request as McpRequest, Result } from '../../protocol/types';
import { baseContext, type BaseContext, type ExtraV1, type RequestMethod, type RequestOptions } from './context';
import { inV2 } from './convert';
import { adaptedFallback } from './fallback';
import { givenHandler, givenNotificationHandler, type HandlerSchemas } from './handlers';
import { resultSchemaFor } from './results';
import type { HandlerResult } from './server';
import type { ProtocolOptions } from './server-options';
import type { ResultTypeMap } from './tool-types';
import { isStandardSchema, type OutputOf, type StandardSchemaV1 } from './standard';

/** A 1.x peer whose handlers receive contexts of this face. */
class Inner extends ProtocolV1<McpRequest, Notification, Result> {
  constructor(
    options: ProtocolOptions | undefined,
    private readonly checks: Record<'request' | 'notification' | 'handler', (method: string) => void>,
  ) {
    super(options);
  }
  protected assertCapabilityForMethod(method: string): void {
    this.checks.request(method);
  }
  protected assertNotificationCapability(method: string): void {
    this.checks.notification(method);
  }
  protected assertRequestHandlerCapability(method: string): void {
    this.checks.handler(method);
  }
  protected assertTaskCapability(): void {}
  protected assertTaskHandlerCapability(): void {}
}

/**
 * A peer over any transport: answers requests of the other side and sends requests. Derive from it
 * to implement a protocol of your own.
 */
export abstract class Protocol<ContextT extends BaseContext> {
  readonly #inner: Inner;
  /** Called when the connection is closed, by either side. */
  onclose?: () => void;
  /** Called with each error that belongs to no request. */
  onerror?: (error: Error) => void;
  /** Handles requests that have no handler. Default: they are answered with -32601. */
  fallbackRequestHandler?: (request: JSONRPCRequest, ctx: ContextT) => Promise<Result>;
  /** Handles notifications that have no handler. Default: they are ignored. */
  fallbackNotificationHandler?: (notification: Notification) => Promise<void>;

  /**
   * Creates a peer. It is not connected yet.
   * @param options - Limits and further options. Default: none.
   */
  constructor(options?: ProtocolOptions) {
    this.#inner = new Inner(options, {
      request: (method) => this.assertCapabilityForMethod(method),
      notification: (method) => this.assertNotificationCapability(method),
      handler: (method) => this.assertRequestHandlerCapability(method),
    });
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    const contextOf = (method: string, extra: object): ContextT => this.buildContext(baseContext(method, extra as ExtraV1));
    Object.defineProperties(this.#inner, {
      fallbackRequestHandler: { get: () => adaptedFallback(this.fallbackRequestHandler, contextOf) },
      fallbackNotificationHandler: { get: () => this.fallbackNotificationHandler },
    });
  }

  /** Servers and clients count as instances, although they do not inherit from this class. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(this, value) || (this === (Protocol as unknown) && value instanceof ProtocolV1);
  }

  /** Extends the base context to what handlers of this peer receive. */
  protected abstract buildContext(ctx: BaseContext, transportInfo?: unknown): ContextT;
  /** Throws if the other side did not declare the capability for a request. */
  protected abstract assertCapabilityForMethod(method: string): void;
  /** Throws if this side did not declare the capability for a notification. */
  protected abstract assertNotificationCapability(method: string): void;
  /** Throws if this side did not declare the capability for a handler. */
  protected abstract assertRequestHandlerCapability(method: string): void;

  /** The transport it is connected to; `undefined` if it is not connected. */
  get transport(): Transport | undefined {
    return this.#inner.transport;
  }

  /**
   * Attaches to a transport and starts it.
   * @param transport - The transport.
   */
  connect(transport: Transport): Promise<void> {
    return inV2(() => this.#inner.connect(transport));
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    await this.#inner.close();
  }

  /**
   * Sends a request of the protocol and returns its result.
   * @param request - The method and its params.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  request<M extends RequestMethod>(
    request: { method: M; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[M]>;
  /**
   * Sends any request; the schema validates the result.
   * @param resultSchema - The schema of the result.
   * @param request - The method and its params.
   * @param options - Time-out, abort signal, progress callback and so on. Default: none.
   */
  request<T extends StandardSchemaV1>(request: McpRequest, resultSchema: T, options?: RequestOptions): Promise<OutputOf<T>>;
  request(request: McpRequest, second?: unknown, third?: RequestOptions): Promise<unknown> {
    const given = isStandardSchema(second);
    const options = given ? third : (second as RequestOptions | undefined);
    const ask = async (): Promise<unknown> =>
      this.#inner.request(request, (given ? second : resultSchemaFor(request.method)) as never, options);
    return inV2(ask, request.method, options?.signal);
  }

  /**
   * Sends a notification.
   * @param notification - The method and its params.
   * @param options - The request on whose stream to send it. Default: none.
   */
  notification(notification: Notification, options?: NotificationOptions): Promise<void> {
    return inV2(() => this.#inner.notification(notification, options));
  }

  /**
   * Sets the handler for requests of a method of the protocol.
   * @param method - The method.
   * @param handler - Gets the request and its context, and returns the result.
   */
  setRequestHandler<M extends RequestMethod>(
    method: M,
    handler: (request: RequestTypeMap[M], ctx: ContextT) => HandlerResult<M> | Promise<HandlerResult<M>>,
  ): void;
  /**
   * Sets the handler for requests of the program's own method; a schema validates the params.
   * @param schemas - The schemas of params and result.
   * @param method - The method.
   * @param handler - Gets the request and its context, and returns the result.
   */
  setRequestHandler<P extends StandardSchemaV1, R extends StandardSchemaV1 | undefined = undefined>(
    method: string,
    schemas: HandlerSchemas<P, R>,
    handler: (params: OutputOf<P>, ctx: ContextT) => unknown,
  ): void;
  setRequestHandler(method: string, second: unknown, third?: unknown): void {
    const handler = givenHandler(method, second, third);
    this.#inner.setRequestHandler(method, (request: McpRequest, extra: unknown) =>
      handler(request, this.buildContext(baseContext(method, extra as ExtraV1))) as Result,
    );
  }

  /**
   * Removes the request handler of a method.
   * @param method - The method.
   */
  removeRequestHandler(method: string): void {
    this.#inner.removeRequestHandler(method);
  }

  /**
   * Checks that a method has no handler yet.
   *
   * @param method - The method.
   * @throws if it has one.
   */
  assertCanSetRequestHandler(method: string): void {
    this.#inner.assertCanSetRequestHandler(method);
  }

  /**
   * Sets the handler for notifications of a method of the protocol.
   * @param method - The method.
   * @param handler - Gets the notification.
   */
  setNotificationHandler<M extends keyof NotificationTypeMap>(
    method: M,
    handler: (notification: NotificationTypeMap[M]) => void | Promise<void>,
  ): void;
  /**
   * Sets the handler for notifications of the program's own method; a schema validates the params.
   * @param schemas - The schema of the params.
   * @param method - The method.
   * @param handler - Gets the notification.
   */
  setNotificationHandler<P extends StandardSchemaV1>(
    method: string,
    schemas: { params: P },
    handler: (params: OutputOf<P>, notification: Notification) => void | Promise<void>,
  ): void;
  setNotificationHandler(method: string, second: unknown, third?: unknown): void {
    this.#inner.setNotificationHandler(method, givenNotificationHandler(method, second, third) as (notification: Notification) => void);
  }

  /**
   * Removes the notification handler of a method.
   * @param method - The method.
   */
  removeNotificationHandler(method: string): void {
    this.#inner.removeNotificationHandler(method);
  }
}
