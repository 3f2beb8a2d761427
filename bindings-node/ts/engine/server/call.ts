/**
 * A call that a server is answering. Owns: its facts, read from the engine on demand. Must not know:
 * which handler answers, and in which form it is given the call.
 */
import { McpError, ErrorCode } from '../errors';
import type { RequestItem } from '../driver';
import { ask, notify, type Asking } from './ask';
import type { Call, CallFacts, CallHost, Connection, MessageAbout } from './contract';
import { asTask, relatedTask } from '../tasks/params';
import type { Facts } from '../telemetry/attributes';
import type { Operation } from '../telemetry/operation';
import type { AuthInfo } from '../../protocol/auth-info';
import type { RequestTaskStore } from '../tasks/store';
import type { Notification, Request, RequestId, RequestInfo, RequestMeta } from '../../protocol/types';

const NOTHING: MessageAbout = {};
/** A member of `_meta` that only requests of the modern era have. */
const MODERN = 'io.modelcontextprotocol/protocolVersion';

/** A call that is being answered. */
export class LiveCall implements Call {
  /** The engine's number of the call. */
  readonly call: number;
  readonly method: string;
  readonly params: Record<string, unknown> | undefined;
  /** The errors that the engine found in the arguments of a tool it validates; `null` if none. */
  readonly invalid: unknown;
  /** Whether the call has been answered. */
  over = false;
  /** Whether the call was cancelled. */
  cancelled = false;
  /** What OpenTelemetry records of the call, if it is on. */
  operation: Operation | undefined;
  /** Whether code that the handler calls can find the call, through async context. */
  tracked = true;
  readonly #origin: number;
  readonly #about: MessageAbout;
  #reason: unknown;
  #facts: CallFacts | undefined;
  #verified: AuthInfo | undefined;
  #controller: AbortController | undefined;
  #extra: object | undefined;

  constructor(
    readonly host: CallHost,
    readonly connection: Connection,
    item: RequestItem,
  ) {
    this.call = item[1];
    this.#origin = item[3];
    this.method = item[4];
    this.params = (item[6] as Record<string, unknown> | null) ?? undefined;
    this.invalid = item[7];
    this.#about = (this.#origin === 0 ? undefined : (host.driver.aboutOrigin(this.#origin) as MessageAbout)) ?? NOTHING;
  }

  /** What the engine knows about the call. */
  get facts(): CallFacts {
    if (this.#facts === undefined) {
      const text = this.host.driver.inbox.describe(this.call);
      if (text === null) return GONE;
      this.#facts = JSON.parse(text) as CallFacts;
    }
    return this.#facts;
  }

  /** What OpenTelemetry records of the call beside what the request says. */
  get recorded(): Facts {
    const { id, revision } = this.facts;
    return { id, revision, isDeclared: this.host.server.declares(this.method) };
  }

  /** Called when the client sent the call again with answers: facts about the client may have changed. */
  renewed(): void {
    this.#facts = undefined;
    this.#verified = undefined;
  }

  /** What the transport knows about the message. */
  get about(): MessageAbout {
    return this.#about;
  }

  /** The id that the client gave the request. */
  get requestId(): RequestId {
    return this.facts.id;
  }

  /** The `_meta` member of the request. */
  get meta(): RequestMeta | undefined {
    return this.params?.['_meta'] as RequestMeta | undefined;
  }

  /** Whether the request itself says who the client is. */
  get isModern(): boolean {
    return (this.meta as Record<string, unknown> | undefined)?.[MODERN] !== undefined;
  }

  /** The session id, if there are sessions. */
  get sessionId(): string | undefined {
    return this.connection.sessionId ?? this.header('mcp-session-id');
  }

  /** A header of the HTTP request that brought the call. */
  header(name: string): string | undefined {
    if (!this.connection.http) return undefined;
    return this.facts.headers?.find(([key]) => key === name)?.[1];
  }

  /** The validated access token of the sender. */
  get authInfo(): AuthInfo | undefined {
    const { authOf } = this.host;
    if (this.#about.authInfo !== undefined || authOf === undefined) return this.#about.authInfo;
    return (this.#verified ??= authOf(this.facts));
  }

  /** The HTTP request that brought the call. */
  get requestInfo(): RequestInfo | undefined {
    if (this.#about.requestInfo !== undefined || !this.connection.http) return this.#about.requestInfo;
    const { headers } = this.facts;
    return headers === undefined ? undefined : ({ headers: Object.fromEntries(headers) } as RequestInfo);
  }

  /** Closes the call's stream early; the client reconnects for the rest. HTTP only. */
  get closeStream(): (() => void) | undefined {
    if (!this.connection.http) return undefined;
    return () => void this.host.driver.inbox.closeStream(this.call);
  }

  /** Aborted when the call is cancelled. Created on first use. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.cancelled) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Marks the call as cancelled. */
  abort(reason: unknown): void {
    this.cancelled = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** Sends a notification to the client, on the stream of the call. */
  async notify(notification: Notification): Promise<void> {
    if (this.cancelled) return;
    this.host.server.mayTell(notification.method);
    await notify(this.host, this.over ? undefined : this, this.connection, notification);
  }

  /** Sends a request to the client, on the stream of the call; for a task, once the client asks for its result. */
  async ask(request: Request, schema: unknown, options?: Asking): Promise<unknown> {
    if (this.cancelled) throw new McpError(ErrorCode.ConnectionClosed, 'Request was cancelled');
    this.host.server.mayAsk(request.method);
    const tasks = this.host.server.tasks();
    const related = tasks && (options?.relatedTask ?? (this.taskId && { taskId: this.taskId }));
    if (!related) return this.askNow(asTask(request, options), schema, options);
    await this.taskStore!.updateTaskStatus(related.taskId, 'input_required');
    return tasks!.ask(request, schema, { ...options, relatedTask: related }, this.sessionId);
  }

  /** Sends a queued question of a task; `isLast` if nothing but the answer to this call follows. */
  askQueued(request: Request, isLast: boolean): Promise<unknown> {
    // Over HTTP the question would be on another stream, which the client need not have.
    return this.askNow(request, undefined, { timeout: Infinity, outlives: isLast || !this.connection.http });
  }

  /** Sends a request to the client now, even if the call belongs to a task. */
  askNow(request: Request, schema?: unknown, options: Asking = { timeout: Infinity }): Promise<unknown> {
    return ask(this.host, this.over ? undefined : this, this.connection, request, schema, options);
  }

  // Tasks

  /** The id of the task that the call belongs to. */
  get taskId(): string | undefined {
    return this.params?.['_meta'] === undefined ? undefined : relatedTask(this.params);
  }

  /** The tasks of the call's session, if the server has a task store. */
  get taskStore(): RequestTaskStore | undefined {
    const { method, params } = this;
    return this.host.server.tasks()?.storeFor({ method, params }, this);
  }

  /**
   * Whether the client asked to run the call as a task, which the program makes and which continues after the answer.
   * What the engine made a task of is not answered before its end, and questions belong to it.
   */
  get makesTask(): boolean {
    return typeof this.params?.['task'] === 'object' && this.params['task'] !== null && !this.facts.task;
  }

  /** How long the requested task is to be kept, in milliseconds. */
  get taskRequestedTtl(): number | undefined {
    return (this.params?.['task'] as { ttl?: number } | undefined)?.ttl;
  }

  /** What handlers are given of the call. */
  get extra(): object {
    return (this.#extra ??= this.host.server.viewOf(this));
  }
}

/** Facts about a call that the engine has forgotten. */
const GONE: CallFacts = {
  id: '',
  revision: '',
  era: 'legacy',
  transport: 'custom',
  principal: null,
  clientInfo: null,
  clientCapabilities: null,
  meta: {},
  inputResponses: {},
  requestState: null,
};

/** The member of what handlers are given that holds the call. */
export const LIVE: unique symbol = Symbol('mcpbolt.call');

/** The call of what a handler was given; `undefined` if a program made the object. */
export function liveOf(extra: unknown): LiveCall | undefined {
  return (extra as { [LIVE]?: LiveCall } | undefined)?.[LIVE];
}
