/**
 * A server on the engine: which handler answers which method. Owns: one engine server, its slots,
 * and the way from an item to a handler and back. Must not know: which transport brought an item.
 */
import { snapshot, type Driver, type EventItem, type Host, type NotificationItem, type RequestItem, type Snapshot } from '../driver';
import { errorFrom, ErrorCode, failureFrom } from '../errors';
import { LiveCall } from './call';
import { PROGRESS, strayAnswer, strayProgress } from '../stray';
import { failureOf, type Failure } from '../failure';
import { notFinite } from '../finite';
import { guard, type Guarded } from '../guarding';
import { isThenable, PLAIN, type MarkedHandler } from '../handlers';
import { jsonWithoutHalves, withoutHalves } from '../halves';
import { native, type NativeServer } from '../native';
import { SERVER_NORM } from '../norm';
import type { RegistryKind, RegistryListener } from '../registry';
import { plainResult } from './result';
import { runAs } from './running';
import type { AuthInfo } from '../../protocol/auth-info';
import { ServerConnection } from './connection';
import type { CallFacts, CallHost, Connection, ServerCore } from './contract';
import { mentions, written, type Pieces } from '../pieces';
import { AT_ONCE, Slots } from '../slots';
import { handling } from '../telemetry/operation';
import { runtime } from '../timers';
import { LATEST_PROTOCOL_VERSION, type Notification, type RequestId } from '../../protocol/types';

/** How long a client may take to answer questions, in milliseconds; then the engine drops the call. */
const PATIENCE = 10 * 60_000;

/** The JavaScript side of one engine server. */
export class ServerHost implements Host, CallHost, RegistryListener {
  readonly engine: NativeServer;
  readonly snapshot: Snapshot = snapshot();
  readonly live = new Slots<LiveCall>(AT_ONCE);
  readonly connections = new Slots<ServerConnection>(AT_ONCE);
  /** Looks up what `verify` said of the request that brought a call, if it is used. */
  authOf: ((facts: CallFacts) => AuthInfo | undefined) | undefined;
  /** How many listeners or mounts need this host. */
  pinned = 0;
  /** Whether the engine opens sessions over HTTP for it. */
  hasSessions = false;
  /** Resolves when the connection that `connect` is opening exists; `undefined` if none is opening. */
  beginning: Promise<void> | undefined;
  /** The number of notifications whose handlers have not started. */
  #hearing = 0;
  #slots = new Map<string, boolean>();
  #introduction = '';
  #scopes = '{}';
  #askedUntil = 0;
  readonly #guarded: Guarded | undefined;

  constructor(
    readonly server: ServerCore,
    readonly driver: Driver,
    options: Record<string, unknown> = {},
  ) {
    const every = { unknown_tool: 'host', ...SERVER_NORM, ...server.engineOptions(), ...options };
    this.#guarded = guard(driver, server.guards(), every, (error) => this.failed(error));
    const text = JSON.stringify({ ...every, ...this.#guarded?.options });
    try {
      this.engine = checked(() => new native.Server(text, driver.inbox));
    } catch (error) {
      this.#guarded?.leave();
      throw error;
    }
    this.introduce();
    for (const method of server.methods()) this.setSlot(method);
    if (server.takesEverything()) this.setSlot('*');
    this.demand();
    server.registry.add(this);
  }

  // Slots and snapshots

  /** Updates who answers a method. */
  setSlot(method: string): void {
    const host = method === '*' ? this.server.takesEverything() : !this.server.isEngines(method);
    if (host === (this.#slots.get(method) ?? false)) return;
    this.#slots.set(method, host);
    this.engine.setSlot(method, host);
  }

  /** Updates the server's description. */
  introduce(): void {
    const text = jsonWithoutHalves(JSON.stringify(this.server.introduction()));
    if (text === this.#introduction) return;
    this.#introduction = text;
    checked(() => this.engine.setSnapshot('server', 0, text));
  }

  /** Tells the engine which scopes tokens need, whoever answers the lists. */
  private demand(): void {
    const text = JSON.stringify(this.server.registry.scopes());
    if (text === this.#scopes) return;
    this.#scopes = text;
    checked(() => this.engine.setSnapshot('scopes', 0, text));
  }

  listChanged(kind: RegistryKind, told: boolean): boolean {
    if (kind === 'tools') this.demand();
    return this.engine.listChanged(kind, told);
  }

  refresh(rowsOf: (kind: RegistryKind) => unknown[] | undefined): void {
    this.driver.flush();
    for (const { kind, generation } of this.engine.refreshLists()) {
      const rows = rowsOf(kind);
      if (rows === undefined) continue;
      try {
        this.engine.setSnapshot(kind, generation, JSON.stringify(rows));
      } catch (error) {
        // The handler still answers; its list has something the engine does not understand.
        this.server.registry.refused(kind);
        this.failed(error);
      }
    }
    for (const connection of this.connections.values()) connection.pump();
  }

  /** The capabilities that clients are told of. */
  declared(): Record<string, unknown> {
    return JSON.parse(this.engine.capabilities()) as Record<string, unknown>;
  }

  /** Announces a change to all clients that want to know. */
  tell(change: string, uri?: string): void {
    this.driver.flush();
    checked(() => this.engine.announce(change, uri));
    for (const connection of this.connections.values()) connection.pump();
  }

  /** The call of a connection with the id that the client gave it. */
  callOf(connection: Connection, id: RequestId): LiveCall | undefined {
    for (const live of this.live.values()) {
      if (live.connection === connection && live.requestId === id) return live;
    }
    return undefined;
  }

  // Connections

  /** The connection with a number; added when it is first seen. */
  connection(number: number): ServerConnection {
    let connection = this.connections.get(number);
    if (connection === undefined) {
      connection = new ServerConnection(this, number);
      this.connections.set(number, connection);
      this.server.joined(connection);
    }
    return connection;
  }

  /** Opens a connection whose messages JavaScript carries: whole messages, or `lines`. */
  open(lines: boolean): ServerConnection {
    // As in 1.x, a client over a program's transport does not have to begin with a handshake.
    const open = (): number => (lines ? this.engine.connect(true) : this.engine.connectStreams(LATEST_PROTOCOL_VERSION));
    const number = checked(open);
    this.driver.serve(number, this);
    const connection = this.connection(number);
    connection.labelled = !lines;
    connection.begins();
    return connection;
  }

  /** Opens the connection on the process's standard streams. */
  openStdio(): ServerConnection {
    const number = checked(() => this.engine.listenStdio());
    this.driver.serve(number, this);
    const connection = this.connection(number);
    connection.begins();
    return connection;
  }

  /** Removes a connection; items about it may still come. */
  left(connection: Connection): void {
    this.server.left(connection);
  }

  /** Closes the host, including calls that wait for their client's answers. */
  close(): void {
    this.server.registry.remove(this);
    this.driver.flush();
    this.engine.close();
    for (const connection of this.connections.values()) connection.finish();
    this.driver.drainSoon();
    this.#guarded?.leave();
  }

  /** Reports an error that belongs to no request. */
  failed(error: unknown): void {
    const failure = failureOf(error);
    if (failure !== undefined) this.server.failed(errorFrom(failure));
    else this.server.failed(error instanceof Error ? error : new Error(String(error)));
  }

  // Requests

  request(item: RequestItem): void {
    const connection = this.connection(item[2]);
    const live = new LiveCall(this, connection, item);
    this.live.set(live.call, live);
    live.tracked = this.isTracked(connection, live);
    connection.callStarts(live.tracked);
    const operation = (live.operation = handling(live, () => live.recorded));
    const answer = (): void => this.answer(live);
    const start = (): void => runAs(live, live.tracked, operation ? () => operation.run(answer) : answer);
    // Notifications that came before the request are handled first.
    if (this.#hearing > 0) runtime.queueMicrotask(start);
    else start();
  }

  /** Whether handlers of a connection may send requests that need to find their call. */
  private isTracked(connection: ServerConnection, live: LiveCall): boolean {
    if (connection.fed || this.connections.size > 1) return true;
    const { transport, clientCapabilities } = connection.facts;
    if (transport !== 'stdio' || live.isModern || clientCapabilities === null) return true;
    const { sampling, elicitation, roots } = clientCapabilities;
    return sampling !== undefined || elicitation !== undefined || roots !== undefined;
  }

  private answer(live: LiveCall): void {
    let result: unknown;
    try {
      result = this.invoke(live);
    } catch (error) {
      return this.refuse(live, error);
    }
    if (!isThenable(result)) return this.finish(live, result);
    Promise.resolve(result).then(
      (value) => this.finish(live, value),
      (error: unknown) => this.refuse(live, error),
    );
  }

  private invoke(live: LiveCall): unknown {
    const { method } = live;
    const handler = this.server.handlerOf(method);
    if (handler === undefined) return this.unhandled(method);
    const params = this.asked(live);
    const plain = params === undefined ? { method } : { method, params };
    if ((handler as MarkedHandler)[PLAIN]) return handler(plain, live.extra);
    return handler({ jsonrpc: '2.0', id: live.requestId, ...plain }, live.extra);
  }

  /**
   * The params of a request. Its wish to run as a task has a meaning in 2025-11-25 alone, and there only
   * where the engine has not granted it.
   */
  private asked(live: LiveCall): Record<string, unknown> | undefined {
    const { params } = live;
    if (params?.['task'] === undefined || params['task'] === null) return params;
    if (!live.isModern && !live.facts.task) {
      this.server.mayBeTask(live.method);
      return params;
    }
    const { task: _, ...rest } = params;
    return rest;
  }

  /** Answers as the engine would for a method without a handler, in tests that make it ask. */
  private unhandled(method: string): unknown {
    const { serverInfo, instructions } = this.server.introduction();
    const capabilities = this.declared();
    if (method === 'initialize') return { capabilities, serverInfo, instructions };
    if (method === 'server/discover') return { capabilities, instructions };
    const subscribes = method === 'resources/subscribe' || method === 'resources/unsubscribe';
    if (subscribes || method === 'logging/setLevel') return {};
    throw Object.assign(new Error('Method not found'), { code: ErrorCode.MethodNotFound });
  }

  private finish(live: LiveCall, result: unknown): void {
    if ((result as { resultType?: unknown } | undefined)?.resultType === 'input_required') return this.askInput(live, result as InputRequired);
    let text: string | Pieces;
    try {
      if (live.method === 'tools/call') result = plainResult(result);
      text = written(result ?? {}) ?? '{}';
      // Numbers that are not finite become null, which is otherwise rare; a result that names them takes its place.
      if (live.method === 'tools/call' && mentions(text, 'null')) {
        const wrong = notFinite((result as { structuredContent?: unknown }).structuredContent);
        if (wrong !== undefined) text = JSON.stringify((result = { content: [{ type: 'text', text: wrong }], isError: true }));
      }
    } catch (error) {
      this.failed(new Error(`Failed to send response: ${String(error)}`));
      return this.refuse(live, error);
    }
    this.over(live);
    live.operation?.answered(result);
    this.driver.finish(live.call, text);
  }

  private refuse(live: LiveCall, error: unknown): void {
    this.over(live);
    let failure: Failure = { kind: 'internal', code: ErrorCode.InternalError, message: 'Internal error' };
    try {
      failure = this.shown(error, live.method);
    } catch {} // Reading the members of an error may throw as well.
    live.operation?.refused(error, failure);
    this.driver.fail(live.call, failure);
  }

  /** What a client is told of an error. */
  private shown(error: unknown, method: string): Failure {
    const failure = failureFrom(error);
    // Programs act on a reason.
    const isInside = failure.code === ErrorCode.InternalError && !hasReason(failure.data);
    const words = isInside ? this.server.masked(error, method) : undefined;
    return words === undefined ? failure : { kind: failure.kind, code: failure.code, message: withoutHalves(words) };
  }

  /** Whether a client may still come back with answers. */
  isAwaited(): boolean {
    return this.live.size > 0 || performance.now() < this.#askedUntil;
  }

  private askInput(live: LiveCall, result: InputRequired): void {
    let text: string;
    try {
      const questions = Object.entries(result.inputRequests ?? {}).map(([key, question]) => {
        if (typeof question?.method !== 'string') throw unasked(live.method, key);
        return [key, question.method, question.params ?? null];
      });
      text = JSON.stringify({ questions, state: result.requestState });
    } catch (error) {
      this.failed(new Error(`Failed to send response: ${String(error)}`));
      return this.refuse(live, error);
    }
    this.#askedUntil = performance.now() + PATIENCE;
    this.over(live);
    live.operation?.answered(result);
    this.driver.askInput(live.call, text);
  }

  private over(live: LiveCall): void {
    live.over = true;
    this.live.delete(live.call);
    live.connection.callEnds(live.tracked);
  }

  cancelled(call: number, why: string, reason: string | null): void {
    const live = this.live.get(call);
    if (live === undefined) return;
    try {
      live.abort(why === 'peer' ? (reason ?? undefined) : undefined);
    } catch (error) {
      this.failed(error);
    }
  }

  // Other items

  notification(item: NotificationItem): void {
    const [, number, origin, method, params] = item;
    const connection = this.connection(number);
    if (method === 'notifications/initialized') connection.renewed();
    const handler = this.server.notificationHandlerOf(method);
    if (handler === undefined) return method === PROGRESS ? this.failed(strayProgress(params)) : undefined;
    const notification: Notification = params === null ? { method } : { method, params: params as Record<string, unknown> };
    const about = { connection, message: origin === 0 ? undefined : this.driver.aboutOrigin(origin) };
    // In a microtask of its own, so that an error of the handler is not thrown here.
    this.#hearing += 1;
    Promise.resolve()
      .then(() => {
        this.#hearing -= 1;
        return handler(notification, about);
      })
      .catch((error: unknown) => this.failed(new Error(`Uncaught error in notification handler: ${String(error)}`)));
  }

  event(item: EventItem): void {
    const [kind, number] = item;
    switch (kind) {
      case 'outgoing':
        this.connections.get(number)?.pump();
        return;
      case 'log':
        this.failed(item[2] === 'unknown_reply' ? strayAnswer(this.connections.get(number)?.taking) : new Error(String(item[3])));
        return;
      case 'subscription':
        this.server.subscribed(item[2] as string, item[3] as boolean);
        return;
      case 'closed':
        this.driver.leave(number);
        this.connections.get(number)?.finish();
        this.connections.delete(number);
        return;
    }
  }
}

/** Questions of a handler that runs again with the answers. */
interface InputRequired {
  inputRequests?: Record<string, { method: string; params?: unknown } | undefined>;
  requestState?: string;
}

/** A question that is none. */
function unasked(method: string, key: string): Error {
  const kinds = 'an embedded elicitation/create, sampling/createMessage, or roots/list request';
  const words = `Handler for ${method} returned an invalid input request '${key}': each inputRequests entry must be ${kinds}`;
  return Object.assign(new Error(words), { code: ErrorCode.InternalError });
}

function hasReason(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'reason' in data;
}

/** Calls the addon and converts its errors. */
export function checked<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    const failure = failureOf(error);
    throw failure === undefined ? error : errorFrom(failure);
  }
}
