/**
 * `ClientSession`: one live connection of a client.
 *
 * Owns: where it stands, and what was counted. Must not know: how a server is reached. Its
 * typed functions are the client's.
 */
import type { Client } from './client/index';
import { notConnected } from './internal/client-ask';
import type { ClientLink } from './internal/client-link';
import { errorFrom, type McpError } from './internal/errors';
import type { Failure } from './internal/failure';
import type { Implementation, ServerCapabilities } from './types';

/** The state of a connection. */
export type SessionState = 'open' | 'connecting' | 'ready' | 'reconnecting' | 'closed';

/** Facts about a connection. */
export interface SessionInfo {
  /** How the server is reached: `stdio`, `http`, `memory` or `custom`. */
  transport: string;
  /** The protocol revision that was agreed on. */
  protocolVersion: string | undefined;
  /** Whether it has a handshake. */
  era: 'legacy' | 'modern' | undefined;
  /** The session's id, if the server has sessions. */
  sessionId: string | undefined;
  /** The number of the server's process, if it has one. */
  pid: number | undefined;
}

/** Counters of a connection. */
export type SessionStats = Record<string, unknown>;

type Verbs = Pick<
  Client,
  | 'request'
  | 'notification'
  | 'ping'
  | 'complete'
  | 'setLoggingLevel'
  | 'getPrompt'
  | 'listPrompts'
  | 'listResources'
  | 'listResourceTemplates'
  | 'readResource'
  | 'subscribeResource'
  | 'unsubscribeResource'
  | 'callTool'
  | 'listTools'
  | 'sendRootsListChanged'
>;

const VERBS: readonly (keyof Verbs)[] = [
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
];

/** Moves a session; the client's. */
export interface SessionControl {
  moved(state: string): void;
  ended(failure: Failure | null): void;
}

/** Both halves of a session meet here. */
const CONTROL = Symbol('mcpbolt.session');

/** Gives a session its link. */
export function sessionOf(session: ClientSession, link: ClientLink): SessionControl {
  return session[CONTROL](link);
}

/**
 * One live connection: made by `Client.connect`, over when its state is `closed`.
 *
 * @example
 * ```ts
 * await client.connect(transport);
 * const session = client.session!;
 * session.onStateChange((state) => console.error(`now ${state}`));
 * ```
 */
export class ClientSession {
  /** The client whose connection it is. */
  readonly client: Client<any, any, any>;
  /** Resolves when it is over: with the reason, if it did not end in good order. */
  readonly closed: Promise<McpError | undefined>;
  #state: SessionState = 'open';
  #reason: McpError | undefined;
  #link: ClientLink | undefined;
  #ended!: (reason: McpError | undefined) => void;
  readonly #listeners = new Set<(state: SessionState) => void>();

  /** @internal Made by `Client.connect`. */
  constructor(client: Client<any, any, any>) {
    this.client = client;
    this.closed = new Promise((resolve) => (this.#ended = resolve));
  }

  /** The state of the connection. */
  get state(): SessionState {
    return this.#state;
  }

  /** Why the connection ended; `undefined` before, and after an end in good order. */
  get closeReason(): McpError | undefined {
    return this.#reason;
  }

  /** The capabilities the server declared. */
  get serverCapabilities(): ServerCapabilities | undefined {
    return this.client.getServerCapabilities();
  }

  /** The server's name and version. */
  get serverInfo(): Implementation | undefined {
    return this.client.getServerVersion();
  }

  /** Facts about the connection. */
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

  /** Calls and errors by method, bytes, times: what was counted so far. */
  stats(): SessionStats {
    return this.#link?.connection.stats() ?? {};
  }

  /** Has a function told of every state from now on. Returns what ends that. */
  onStateChange(listener: (state: SessionState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Every state from now on; ends with the connection. */
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

  /** Ends the connection: requests that wait for an answer fail. */
  async close(): Promise<void> {
    await this.#link?.close();
  }

  /** As `close`, for `await using`. */
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

/** The functions of the client, for this connection. */
export interface ClientSession extends Verbs {}

for (const verb of VERBS) {
  Object.defineProperty(ClientSession.prototype, verb, {
    value(this: ClientSession, ...parts: unknown[]): unknown {
      if (this.client.session !== this) return Promise.reject(notConnected(true));
      return (this.client[verb] as (...parts: unknown[]) => unknown)(...parts);
    },
    configurable: true,
    writable: true,
  });
}
