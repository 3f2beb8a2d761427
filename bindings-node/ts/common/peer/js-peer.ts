/**
 * A peer in JavaScript on one transport. Owns: matching answers to requests, cancellation,
 * progress, debounced notifications. Must not know: what methods mean.
 */
import { ErrorCode, failureFrom, McpError } from '../../engine/errors';
import { Outstanding } from './outstanding';
import { parseWith } from '../../protocol/schema/schema';
import type { TaskHost } from '../../engine/tasks/host';
import { asTask } from '../../engine/tasks/params';
import { taskFacts, wantsTask, withTasks } from '../../engine/tasks/wiring';
import { handling, sending, type Operation } from '../../engine/telemetry/operation';
import { take } from '../../engine/transport-callbacks';
import type { NotificationHandler, RequestHandler } from '../../engine/handlers';
import type { NotificationOptions, ProtocolOptions, RequestOptions } from './types';
import type { Transport, TransportSendOptions } from '../../protocol/transport';
import type { JSONRPCMessage, MessageExtraInfo, Notification, Progress, Request, RequestId, Task } from '../../protocol/types';

/** The longest delay that a timer supports. */
const LONGEST_MS = 2 ** 31 - 1;

/** What a peer needs of its owner. */
export interface PeerCore {
  requestHandler(method: string): RequestHandler | undefined;
  notificationHandler(method: string): NotificationHandler | undefined;
  closed(): void;
  failed(error: Error): void;
  /** The tasks that run here, if there is a task store. */
  tasks: TaskHost | undefined;
  /** Throws if this side did not declare tasks for a method. */
  mayBeTask(method: string): void;
  /** Sends a request of a handler, through the public function because a program may have replaced it. */
  request(request: Request, schema: unknown, options: RequestOptions): Promise<unknown>;
  notification(notification: Notification, options: NotificationOptions): Promise<void>;
}

/** The members of a message that determine its kind. */
interface Message {
  id?: RequestId;
  method?: unknown;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** A peer, from `start` until the transport is closed. */
export class JsPeer {
  readonly #outstanding = new Outstanding();
  readonly #running = new Map<RequestId, AbortController>();
  readonly #debounced = new Set<string>();
  #closed = false;
  #restore: () => void = () => undefined;

  constructor(
    readonly transport: Transport,
    private readonly options: ProtocolOptions | undefined,
    core: PeerCore,
  ) {
    this.core = { ...core, closed: () => this.quietly(() => core.closed()), failed: (error) => this.report(core, error) };
  }

  private readonly core: PeerCore;

  /** Reports an error. If the callback throws as well, the process must not end. */
  private report(core: PeerCore, error: Error): void {
    try {
      core.failed(error);
    } catch (inner) {
      process.emitWarning(inner instanceof Error ? inner : String(inner));
    }
  }

  /** Runs a callback whose result is not awaited. */
  private quietly(body: () => void): void {
    try {
      body();
    } catch (error) {
      this.core.failed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Sets the transport's callbacks and starts it. */
  async start(): Promise<void> {
    const { transport } = this;
    this.#restore = take(transport, {
      onclose: () => this.closed(),
      onerror: (error) => this.core.failed(error),
      onmessage: (message, extra) => this.received(message as Message, extra),
    });
    await transport.start();
  }

  private closed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#restore();
    this.#debounced.clear();
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
    this.core.closed();
    this.#outstanding.close(McpError.fromError(ErrorCode.ConnectionClosed, 'Connection closed'));
  }

  // Receiving

  private received(message: Message, about: MessageExtraInfo | undefined): void {
    if (typeof message.method === 'string') {
      if (message.id === undefined) this.notified(message.method, message);
      else this.requested(message.method, message, message.id, about);
    } else if (message.id !== undefined && ('result' in message || message.error !== undefined)) {
      this.answered(message);
    } else {
      this.core.failed(new Error(`Unknown message type: ${JSON.stringify(message)}`));
    }
  }

  private answered(message: Message): void {
    const { error } = message;
    const outcome = error === undefined ? message.result : McpError.fromError(error.code, error.message, error.data);
    if (!this.#outstanding.answered(Number(message.id), outcome)) {
      this.core.failed(new Error(`Received a response for an unknown message ID: ${JSON.stringify(message)}`));
    }
  }

  private notified(method: string, message: Message): void {
    const params = message.params ?? {};
    if (method === 'notifications/cancelled') {
      this.#running.get(params['requestId'] as RequestId)?.abort(params['reason']);
    }
    if (method === 'notifications/progress') {
      const { progressToken, ...progress } = params;
      const known = this.#outstanding.progressed(Number(progressToken), progress as unknown as Progress);
      if (!known) {
        this.core.failed(new Error(`Received a progress notification for an unknown token: ${JSON.stringify(message)}`));
      }
      return;
    }
    if (method === 'notifications/tasks/status') this.#outstanding.moved(params as unknown as Task);
    const handler = this.core.notificationHandler(method);
    if (handler === undefined) return;
    Promise.resolve()
      .then(() => handler(message))
      .catch((error: unknown) => this.core.failed(new Error(`Uncaught error in notification handler: ${String(error)}`)));
  }

  private requested(method: string, request: Message, id: RequestId, about: MessageExtraInfo | undefined): void {
    const handler = this.core.requestHandler(method);
    if (handler === undefined) {
      this.reply(id, { error: { code: ErrorCode.MethodNotFound, message: 'Method not found' } });
      return;
    }
    const controller = new AbortController();
    this.#running.set(id, controller);
    const operation = handling({ method, params: request.params }, () => ({ id }));
    const answer = (): unknown => {
      if (wantsTask(request.params)) this.core.mayBeTask(method);
      return handler(request, this.extraFor(method, request.params, id, controller.signal, about));
    };
    Promise.resolve()
      .then(operation ? () => operation.run(answer) : answer)
      .then(
        (result) => {
          operation?.answered(result);
          if (!controller.signal.aborted) this.reply(id, { result });
        },
        (thrown: unknown) => {
          const error = errorObject(thrown);
          operation?.refused(thrown, error);
          if (!controller.signal.aborted) this.reply(id, { error });
        },
      )
      .finally(() => {
        if (this.#running.get(id) === controller) this.#running.delete(id);
      })
      .catch((error: unknown) => this.core.failed(new Error(`Failed to send response: ${String(error)}`)));
  }

  private extraFor(
    method: string,
    params: Message['params'],
    id: RequestId,
    signal: AbortSignal,
    about: MessageExtraInfo | undefined,
  ): object {
    const extra = {
      signal,
      sessionId: this.transport.sessionId,
      _meta: params?.['_meta'],
      sendNotification: async (notification: Notification) => {
        if (!signal.aborted) await this.core.notification(notification, { relatedRequestId: id });
      },
      sendRequest: async (asked: Request, schema: unknown, options?: RequestOptions) => {
        if (signal.aborted) throw new McpError(ErrorCode.ConnectionClosed, 'Request was cancelled');
        return this.core.request(asked, schema, { ...options, relatedRequestId: id });
      },
      authInfo: about?.authInfo,
      requestId: id,
      requestInfo: about?.requestInfo,
      ...taskFacts(params),
      closeSSEStream: about?.closeSSEStream,
      closeStandaloneSSEStream: about?.closeStandaloneSSEStream,
    };
    const { tasks } = this.core;
    if (tasks === undefined) return extra;
    return withTasks(tasks, { method, params } as Request, extra, {
      askQueued: (asked) => this.request(asked, undefined, { timeout: LONGEST_MS, relatedRequestId: id }),
      notify: (notification) => this.notify(notification),
    });
  }

  private reply(id: RequestId, outcome: object): void {
    this.send({ jsonrpc: '2.0', id, ...outcome }).catch((error: unknown) =>
      this.core.failed(new Error(`Failed to send response: ${String(error)}`)),
    );
  }

  private async send(message: object, options?: TransportSendOptions): Promise<void> {
    await this.transport.send(message as JSONRPCMessage, options);
  }

  // Sending

  /** Sends a request to the other side. */
  request(request: Request, schema: unknown, options: RequestOptions = {}): Promise<unknown> {
    return sending(request, () => ({}), (sent, operation) => this.requestNow(sent, schema, options, operation));
  }

  private requestNow(request: Request, schema: unknown, options: RequestOptions, operation: Operation | undefined): Promise<unknown> {
    const { signal, relatedRequestId, resumptionToken, onresumptiontoken } = options;
    const onward = { relatedRequestId, resumptionToken, onresumptiontoken };
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const id = this.#outstanding.number();
      operation?.sentAs(id);
      const timeout = options.timeout ?? 60_000;
      const end = (): void => signal?.removeEventListener('abort', aborted);
      const withdraw = (reason: unknown): void => {
        end();
        this.#outstanding.drop(id);
        const params = { requestId: id, reason: String(reason) };
        this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, onward).catch((error: unknown) =>
          this.core.failed(new Error(`Failed to send cancellation: ${String(error)}`)),
        );
        reject(reason instanceof McpError ? reason : new McpError(ErrorCode.RequestTimeout, String(reason)));
      };
      const aborted = (): void => withdraw(signal?.reason);
      signal?.addEventListener('abort', aborted);
      const patience = { timeout, resetOnProgress: options.resetTimeoutOnProgress === true, maxTotal: options.maxTotalTimeout };
      const settle = (outcome: unknown): void => {
        end();
        if (outcome instanceof Error) return reject(outcome);
        try {
          resolve(schema === undefined ? outcome : parseWith(schema, outcome));
        } catch (error) {
          reject(error as Error);
        }
      };
      const expire = (): void => withdraw(McpError.fromError(ErrorCode.RequestTimeout, 'Request timed out', { timeout }));
      this.#outstanding.add(id, patience, settle, expire, options.onprogress);
      const asked = asTask(request, options);
      const params = options.onprogress === undefined ? asked.params : withToken(asked.params, id);
      const message = { ...asked, ...(params === undefined ? {} : { params }), jsonrpc: '2.0', id };
      this.send(message, onward).catch((error: Error) => {
        end();
        this.#outstanding.drop(id);
        reject(error);
      });
    });
  }

  /** Sends a notification to the other side. */
  async notify(notification: Notification, options?: NotificationOptions): Promise<void> {
    const { method, params } = notification;
    const message = { ...notification, jsonrpc: '2.0' };
    const joined = this.options?.debouncedNotificationMethods?.includes(method) === true;
    if (!joined || params !== undefined || options?.relatedRequestId !== undefined) return this.send(message, options);
    if (this.#debounced.has(method)) return;
    this.#debounced.add(method);
    queueMicrotask(() => {
      if (!this.#debounced.delete(method) || this.#closed) return;
      this.send(message, options).catch((error: Error) => this.core.failed(error));
    });
  }
}

function withToken(params: Record<string, unknown> | undefined, id: number): Record<string, unknown> {
  return { ...params, _meta: { ...(params?.['_meta'] as object | undefined), progressToken: id } };
}

function errorObject(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = failureFrom(error);
  return { code, message, ...(data === undefined ? {} : { data }) };
}
