/**
 * One live connection of a client, as programs see it.
 *
 * Owns: the connection's state and counters. Must not know: how a server is reached, or the types
 * of the client's functions, which are also functions of its session.
 */
import type { Implementation, ServerCapabilities } from '../../protocol/types';
import { notConnected } from './asking';
import type { ClientLink } from './link';
import { errorFrom, type McpError } from '../errors';
import type { Failure } from '../failure';

/** The state of a connection. */
export type SessionState = 'open' | 'connecting' | 'ready' | 'reconnecting' | 'closed';

/** Facts about a connection. */
export interface SessionInfo {
  /** How the server is reached: `stdio`, `http`, `memory` or `custom`. */
  transport: string;
  /** The protocol revision that was negotiated. */
  protocolVersion: string | undefined;
  /** `legacy` if the connection began with `initialize`, `modern` if not. */
  era: 'legacy' | 'modern' | undefined;
  /** The session id, if the server has sessions. */
  sessionId: string | undefined;
  /** The process id of the server, if it is a child process. */
  pid: number | undefined;
}

/** Counters of a connection. */
export type SessionStats = Record<string, unknown>;

const VERBS = [
  'request',
  'notification',
  'ping',
  'complete',
  'setLoggingLevel',
  'getPrompt',
  'listPrompts',
  'listResources',
  'listResourceTemplates',
  'readResource',
  'subscribeResource',
  'unsubscribeResource',
  'callTool',
  'listTools',
  'sendRootsListChanged',
] as const;

/** A function of a client that is also a function of its session. */
export type SessionVerb = (typeof VERBS)[number];

/** What a session needs of its client. */
export interface SessionClient {
  /** The session. */
  readonly session: unknown;
  getServerCapabilities(): ServerCapabilities | undefined;
  getServerVersion(): Implementation | undefined;
}

/** Lets a client change the state of its session. */
export interface SessionControl {
  /**
   * @param state - The new state.
   */
  moved(state: string): void;
  /**
   * @param failure - The reason why the connection ended; `null` if it was closed.
   */
  ended(failure: Failure | null): void;
}

/** The method through which a client reaches its session's control. */
const CONTROL = Symbol('mcpbolt.session');

/**
 * Attaches a session to its connection and returns its control.
 * @param session - The session.
 * @param link - The connection.
 */
export function sessionOf(session: ClientSession, link: ClientLink): SessionControl {
  return session[CONTROL](link);
}

/** One live connection of a client of any face. */
export class ClientSession<C extends SessionClient = SessionClient> {
  /** The client that this connection belongs to. */
  readonly client: C;
  /** Resolves when the connection is over; with an error, unless it was closed normally. */
  readonly closed: Promise<McpError | undefined>;
  #state: SessionState = 'open';
  #reason: McpError | undefined;
  #link: ClientLink | undefined;
  #ended!: (reason: McpError | undefined) => void;
  readonly #listeners = new Set<(state: SessionState) => void>();

  /** @internal Created by `Client.connect`. */
  constructor(client: C) {
    this.client = client;
    this.closed = new Promise((resolve) => (this.#ended = resolve));
  }

  /** The current state of the connection. */
  get state(): SessionState {
    return this.#state;
  }

  /** Why the connection ended; `undefined` before that, and after it was closed normally. */
  get closeReason(): McpError | undefined {
    return this.#reason;
  }

  /** The capabilities that the server declared. */
  get serverCapabilities(): ServerCapabilities | undefined {
    return this.client.getServerCapabilities();
  }

  /** The server's name and version. */
  get serverInfo(): Implementation | undefined {
    return this.client.getServerVersion();
  }

  /** Facts about the connection: transport, revision, session id. */
  get info(): SessionInfo {
    const facts = this.#link?.connection.describe() ?? {};
    return {
      transport: facts.transport ?? 'custom',
      protocolVersion: facts.revision,
      era: facts.era,
      sessionId: facts.sessionId ?? this.#link?.carry?.sessionId,
      pid: facts.process ?? undefined,
    };
  }

  /** The counters so far: calls and errors by method, bytes, times. */
  stats(): SessionStats {
    return this.#link?.connection.stats() ?? {};
  }

  /**
   * Calls `listener` with each new state. Returns a function that removes the listener.
   * @param listener - The function.
   */
  onStateChange(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Yields each new state; ends when the connection is over. */
  async *states(): AsyncGenerator<SessionState, void, void> {
    const seen: SessionState[] = [this.#state];
    let wake: (() => void) | undefined;
    const stop = this.onStateChange((state) => {
      seen.push(state);
      wake?.();
    });
    try {
      for (;;) {
        const state = seen.shift();
        if (state === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else yield state;
        if (state === 'closed') return;
      }
    } finally {
      stop();
    }
  }

  /** Closes the connection. Requests that wait for an answer fail. */
  async close(): Promise<void> {
    await this.#link?.close();
  }

  /** Same as `close`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal */
  [CONTROL](link: ClientLink): SessionControl {
    this.#link = link;
    return {
      moved: (state) => this.move(state as SessionState),
      ended: (failure) => {
        this.#reason = failure === null ? undefined : errorFrom(failure);
        this.move('closed');
        this.#ended(this.#reason);
      },
    };
  }

  private move(state: SessionState): void {
    if (this.#state === state || this.#state === 'closed') return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state);
  }
}

type Verbs = SessionClient & Record<SessionVerb, (...parts: unknown[]) => unknown>;

for (const verb of VERBS) {
  Object.defineProperty(ClientSession.prototype, verb, {
    value(this: ClientSession<Verbs>, ...parts: unknown[]): unknown {
      if (this.client.session !== this) return Promise.reject(notConnected(true));
      return this.client[verb](...parts);
    },
    configurable: true,
    writable: true,
  });
}
