/**
 * The second parameter of a server's handler. Owns: the view of a call, each member computed when it
 * is read. Must not know: which handler answers.
 */
import type { Asking } from '../../engine/server/ask';
import { LIVE, type LiveCall } from '../../engine/server/call';
import type { RequestTaskStore } from '../../engine/tasks/store';
import type { AuthInfo } from '../../protocol/auth-info';
import type { ClientCapabilities, Implementation, Notification, Request, RequestId, RequestInfo, RequestMeta } from '../../protocol/types';

const NAMES = [
  'signal',
  'sessionId',
  '_meta',
  'sendNotification',
  'sendRequest',
  'authInfo',
  'requestId',
  'requestInfo',
  'taskId',
  'taskStore',
  'taskRequestedTtl',
  'closeSSEStream',
  'closeStandaloneSSEStream',
];

/** The members of `RequestHandlerExtra`, each computed when it is read. */
class Extra {
  readonly #live: LiveCall;
  #tell: ((notification: Notification) => Promise<void>) | undefined;
  #ask: ((request: Request, schema: unknown, options?: Asking) => Promise<unknown>) | undefined;

  constructor(live: LiveCall) {
    this.#live = live;
  }

  get sendNotification(): (notification: Notification) => Promise<void> {
    return (this.#tell ??= (notification) => this.#live.notify(notification));
  }

  get sendRequest(): (request: Request, schema: unknown, options?: Asking) => Promise<unknown> {
    return (this.#ask ??= (request, schema, options) => this.#live.ask(request, schema, options));
  }

  get signal(): AbortSignal {
    return this.#live.signal;
  }

  get sessionId(): string | undefined {
    return this.#live.sessionId;
  }

  get _meta(): RequestMeta | undefined {
    return this.#live.meta;
  }

  get authInfo(): AuthInfo | undefined {
    return this.#live.authInfo;
  }

  get requestId(): RequestId {
    return this.#live.requestId;
  }

  get requestInfo(): RequestInfo | undefined {
    return this.#live.requestInfo;
  }

  get taskId(): string | undefined {
    return this.#live.taskId;
  }

  get taskStore(): RequestTaskStore | undefined {
    return this.#live.taskStore;
  }

  get taskRequestedTtl(): number | undefined {
    return this.#live.taskRequestedTtl;
  }

  get closeSSEStream(): (() => void) | undefined {
    return this.#live.about.closeSSEStream ?? this.#live.closeStream;
  }

  get closeStandaloneSSEStream(): (() => void) | undefined {
    return this.#live.about.closeStandaloneSSEStream;
  }

  // Members that the official package lacks. Programs that copy an `extra` do not copy these.

  get clientCapabilities(): ClientCapabilities | undefined {
    return this.#live.facts.clientCapabilities ?? undefined;
  }

  get clientInfo(): Implementation | undefined {
    return this.#live.facts.clientInfo ?? undefined;
  }

  get inputResponses(): Record<string, unknown> {
    return this.#live.facts.inputResponses;
  }

  get requestState(): string | undefined {
    return this.#live.facts.requestState ?? undefined;
  }

  get [LIVE](): LiveCall {
    return this.#live;
  }
}

/** Presents all members as own properties to programs that spread the object, without computing any before. */
const EVERY: ProxyHandler<Extra> = {
  get: (extra, name) => Reflect.get(extra, name, extra),
  set: (extra, name, value) =>
    Reflect.defineProperty(extra, name, { value, writable: true, enumerable: true, configurable: true }),
  ownKeys: (extra) => [...new Set([...NAMES, ...Reflect.ownKeys(extra)])],
  getOwnPropertyDescriptor(extra, name) {
    if (!Object.hasOwn(extra, name) && !NAMES.includes(name as string)) return undefined;
    return { value: Reflect.get(extra, name, extra), writable: true, enumerable: true, configurable: true };
  },
};

/** What a handler is given of a call. */
export function viewOf(live: LiveCall): object {
  return new Proxy(new Extra(live), EVERY);
}
