/**
 * What a server, its connections and its calls know of each other. Owns: these types. Must not know:
 * how any of them works.
 */
import type { AuthInfo } from '../../protocol/auth-info';
import type { Transport } from '../../protocol/transport';
import type { ClientCapabilities, Implementation, RequestId, RequestInfo } from '../../protocol/types';
import type { Driver, Host } from '../driver';
import type { ServerGuards } from '../guarding';
import type { NotificationHandler, RequestHandler } from '../handlers';
import type { NativeServer } from '../native';
import type { Registry } from '../registry';
import type { TaskHost } from '../tasks/host';

/** What the engine knows about a connection. */
export interface ConnectionFacts {
  readonly transport: 'stdio' | 'http' | 'sse' | 'memory' | 'custom';
  readonly peer: string | null;
  readonly clientInfo: Implementation | null;
  readonly clientCapabilities: ClientCapabilities | null;
  readonly revision?: string;
  readonly era?: 'legacy' | 'modern';
}

/** What the engine knows about a call. */
export interface CallFacts {
  readonly id: RequestId;
  readonly revision: string;
  readonly era: 'legacy' | 'modern';
  readonly transport: 'stdio' | 'http' | 'sse' | 'memory' | 'custom';
  readonly principal: string | null;
  readonly headers?: [string, string][];
  readonly target?: string;
  readonly clientInfo: Implementation | null;
  readonly clientCapabilities: ClientCapabilities | null;
  readonly meta: Record<string, unknown>;
  readonly inputResponses: Record<string, unknown>;
  readonly requestState: string | null;
  /** The task whose work the call does, if the engine made one of it. */
  readonly task?: string | null;
}

/** What a transport knows about the message that brought a call. */
export interface MessageAbout {
  readonly authInfo?: AuthInfo | undefined;
  readonly requestInfo?: RequestInfo | undefined;
  /** The web-standard request, if there is one. */
  readonly request?: unknown;
  readonly closeSSEStream?: (() => void) | undefined;
  readonly closeStandaloneSSEStream?: (() => void) | undefined;
}

/** The connection to one client. */
export interface Connection {
  readonly host: CallHost;
  /** The engine's number of the connection. */
  readonly number: number;
  /** The transport that the program connected, if it belongs to this connection alone. */
  transport: Transport | undefined;
  /** Whether the connection is closed. */
  readonly over: boolean;
  /** For a transport of a single request: whether the program has yet to close it. */
  readonly brief: (() => boolean) | undefined;
  /** The number of running calls that cannot be found through async context. */
  readonly untracked: number;
  /** Whether responses are single documents, so that nothing can be sent before the answer. */
  readonly unstreamed: boolean;
  /** What the engine knows about the connection. */
  readonly facts: ConnectionFacts;
  /** Whether each message is an HTTP request. */
  readonly http: boolean;
  /** The transport's session id. */
  readonly sessionId: string | undefined;
  /** Whether JavaScript carries the messages. */
  readonly fed: boolean;
  /** Sends the messages that wait; they belong to the client's request `related`. */
  pump(related?: RequestId): Promise<void>[];
  /** Called when a call is finished; its answer is sent with those of the same tick. */
  callEnds(tracked: boolean): void;
  /** Sends the last messages; the caller closes the transport. */
  farewell(): Promise<void>;
  /** Called when the transport is closed. */
  ended(): void;
}

/** A call that is being answered. */
export interface Call {
  readonly host: CallHost;
  readonly connection: Connection;
  /** The engine's number of the call. */
  readonly call: number;
  readonly params: Record<string, unknown> | undefined;
  /** Whether the call has been answered. */
  readonly over: boolean;
  /** What the engine knows about the call. */
  readonly facts: CallFacts;
  /** What the transport knows about the message. */
  readonly about: MessageAbout;
  /** The id that the client gave the request. */
  readonly requestId: RequestId;
  /** Whether the request itself says who the client is. */
  readonly isModern: boolean;
  /** The session id, if there are sessions. */
  readonly sessionId: string | undefined;
  /** Whether the client asked to run the call as a task, which the program makes and which continues after the answer. */
  readonly makesTask: boolean;
  /** Called when the client sent the call again with answers: facts about the client may have changed. */
  renewed(): void;
}

/** One engine server, as its connections and calls see it. */
export interface CallHost extends Host {
  readonly server: ServerCore;
  readonly driver: Driver;
  readonly engine: NativeServer;
  /** Whether the engine opens sessions over HTTP for it. */
  readonly hasSessions: boolean;
  /** Looks up what was found about the token of the request that brought a call, if tokens are verified. */
  readonly authOf: ((facts: CallFacts) => AuthInfo | undefined) | undefined;
  /** Updates who answers a method. */
  setSlot(method: string): void;
  /** The call of a connection with the id that the client gave it. */
  callOf(connection: Connection, id: RequestId): Call | undefined;
  /** Removes a connection; items about it may still come. */
  left(connection: Connection): void;
  /** Reports an error that belongs to no request. */
  failed(error: unknown): void;
}

/** How a server describes itself to the engine. */
export interface Introduction {
  serverInfo: object;
  capabilities: Record<string, any>;
  /** The methods that the program handles; what they need is declared too. */
  uses: readonly string[];
  instructions?: string | undefined;
  /** Methods of extensions: which one each belongs to, and who may send it. */
  extensionMethods?: readonly object[];
}

/** What a host needs of its server. */
export interface ServerCore {
  readonly registry: Registry;
  /** Options of the engine. */
  engineOptions(): Record<string, unknown>;
  introduction(): Introduction;
  /** The methods that have a handler, or had one that the engine may answer for. */
  methods(): Iterable<string>;
  /** Whether the engine may answer a method itself. */
  isEngines(method: string): boolean;
  /** The handler of a method. */
  handlerOf(method: string): RequestHandler | undefined;
  /** Whether a method is one of the server's extensions. */
  declares(method: string): boolean;
  /** Whether `handlerOf` returns a handler for every method. */
  takesEverything(): boolean;
  notificationHandlerOf(method: string): NotificationHandler | undefined;
  /** What a handler is given of a call. */
  viewOf(call: Call): object;
  /** Throws if a notification's capability was not declared. */
  mayTell(method: string): void;
  /** Throws if a request's capability was not declared by the client, if that is enforced. */
  mayAsk(method: string): void;
  /** Throws if this side did not declare tasks for a method. */
  mayBeTask(method: string): void;
  /** The server's tasks, if it has a task store. */
  tasks(): TaskHost | undefined;
  /** The program's guard rails. */
  guards(): ServerGuards;
  /** The message that a client gets instead of an error's own, which is logged; `undefined` to keep that. */
  masked(error: unknown, where: string): string | undefined;
  /** Reports an error that belongs to no request. */
  failed(error: Error): void;
  joined(connection: Connection): void;
  left(connection: Connection): void;
  /** Called when a transport with several connections is closed. */
  closed(transport: Transport): void;
  subscribed(uri: string, active: boolean): void;
}
