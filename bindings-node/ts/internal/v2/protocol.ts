/**
 * A peer of the 2.x face over any transport, for programs that derive from it. Owns: the
 * types and contexts of this face. Must not know: how a peer works; that is the one of 1.x.
 */
import { Protocol as ProtocolV1, type NotificationOptions } from '../../shared/protocol';
import type { Transport } from '../../shared/transport';
import type { NotificationTypeMap, RequestTypeMap } from '../../generated/methods';
import type { Notification, Request as McpRequest, Result } from '../../types';
import { baseContext, type BaseContext, type ExtraV1, type RequestMethod, type RequestOptions } from './context';
import { inV2 } from './convert';
import { givenHandler, givenNotificationHandler, type HandlerSchemas } from './handlers';
import { resultSchemaFor } from './results';
import type { HandlerResult, ProtocolOptions } from './server';
import type { ResultTypeMap } from './tool-types';
import { isStandardSchema, type OutputOf, type StandardSchemaV1 } from './standard';

/** A peer of 1.x whose handlers are given contexts of this face. */
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
 * A peer over any transport: answers the other side's requests, sends requests of its
 * own. Derive from it for a protocol of your own.
 */
export abstract class Protocol<ContextT extends BaseContext> {
  readonly #inner: Inner;
  /** Called when the connection is over, whichever side ended it. */
  onclose?: () => void;
  /** Called with what goes wrong outside of requests. */
  onerror?: (error: Error) => void;

  /** A peer that is not connected. */
  constructor(options?: ProtocolOptions) {
    this.#inner = new Inner(options, {
      request: (method) => this.assertCapabilityForMethod(method),
      notification: (method) => this.assertNotificationCapability(method),
      handler: (method) => this.assertRequestHandlerCapability(method),
    });
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
  }

  /** Servers and clients are peers, too. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return Function.prototype[Symbol.hasInstance].call(this, value) || (this === (Protocol as unknown) && value instanceof ProtocolV1);
  }

  /** Adds to the context what handlers of this peer want. */
  protected abstract buildContext(ctx: BaseContext, transportInfo?: unknown): ContextT;
  /** Refuses a request that the other side did not declare. */
  protected abstract assertCapabilityForMethod(method: string): void;
  /** Refuses a notification that this side did not declare. */
  protected abstract assertNotificationCapability(method: string): void;
  /** Refuses a handler for what this side did not declare. */
  protected abstract assertRequestHandlerCapability(method: string): void;

  /** What it is connected to. */
  get transport(): Transport | undefined {
    return this.#inner.transport;
  }

  /** Connects, and listens. */
  connect(transport: Transport): Promise<void> {
    return inV2(() => this.#inner.connect(transport));
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    await this.#inner.close();
  }

  /** Asks one of the protocol's own questions. */
  request<M extends RequestMethod>(
    request: { method: M; params?: Record<string, unknown> },
    options?: RequestOptions,
  ): Promise<ResultTypeMap[M]>;
  /** Asks anything; the schema judges what comes back. */
  request<T extends StandardSchemaV1>(request: McpRequest, resultSchema: T, options?: RequestOptions): Promise<OutputOf<T>>;
  request(request: McpRequest, second?: unknown, third?: RequestOptions): Promise<unknown> {
    return inV2(async () => {
      const given = isStandardSchema(second);
      const schema = given ? second : resultSchemaFor(request.method);
      return this.#inner.request(request, schema as never, given ? third : (second as RequestOptions | undefined));
    }, request.method);
  }

  /** Sends a notification. */
  notification(notification: Notification, options?: NotificationOptions): Promise<void> {
    return inV2(() => this.#inner.notification(notification, options));
  }

  /** Has requests of a method answered. */
  setRequestHandler<M extends RequestMethod>(
    method: M,
    handler: (request: RequestTypeMap[M], ctx: ContextT) => HandlerResult<M> | Promise<HandlerResult<M>>,
  ): void;
  /** Has requests of a method of your own answered; the schema of params judges what comes. */
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

  /** Takes a handler away. */
  removeRequestHandler(method: string): void {
    this.#inner.removeRequestHandler(method);
  }

  /**
   * Checks that a method has no handler.
   *
   * @throws if it has one.
   */
  assertCanSetRequestHandler(method: string): void {
    this.#inner.assertCanSetRequestHandler(method);
  }

  /** Has notifications of a method taken. */
  setNotificationHandler<M extends keyof NotificationTypeMap>(
    method: M,
    handler: (notification: NotificationTypeMap[M]) => void | Promise<void>,
  ): void;
  /** Has notifications of a method of your own taken; the schema judges what comes. */
  setNotificationHandler<P extends StandardSchemaV1>(
    method: string,
    schemas: { params: P },
    handler: (params: OutputOf<P>, notification: Notification) => void | Promise<void>,
  ): void;
  setNotificationHandler(method: string, second: unknown, third?: unknown): void {
    this.#inner.setNotificationHandler(method, givenNotificationHandler(method, second, third) as (notification: Notification) => void);
  }

  /** Takes a handler away. */
  removeNotificationHandler(method: string): void {
    this.#inner.removeNotificationHandler(method);
  }
}
