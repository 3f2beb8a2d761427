/**
 * The `listChanged` options of a client: when the server announces a change, the list is fetched
 * again.
 *
 * Owns: what is fetched, and when. Must not know: what is done with it.
 */
import type { ListChangedHandlers, ListChangedOptions, ServerCapabilities } from '../../protocol/types';
import type { Watches } from './watch';

type Kind = 'tools' | 'prompts' | 'resources';
type Options = ListChangedOptions<unknown>;

/** The members of a client that are used. */
export interface ListingClient {
  getServerCapabilities(): ServerCapabilities | undefined;
  setNotificationHandler(method: string, handler: () => void): void;
  listTools(): Promise<{ tools: unknown[] }>;
  listPrompts(): Promise<{ prompts: unknown[] }>;
  listResources(): Promise<{ resources: unknown[] }>;
  onerror?: (error: Error) => void;
}

const READ: Record<Kind, (client: ListingClient) => Promise<unknown[]>> = {
  tools: async (client) => (await client.listTools()).tools,
  prompts: async (client) => (await client.listPrompts()).prompts,
  resources: async (client) => (await client.listResources()).resources,
};
/** The default time to wait for further changes, in milliseconds. */
const DEBOUNCE_MILLISECONDS = 300;

/** Longest wait for a server to agree to announce changes, in milliseconds. Its lists are there without that. */
const LISTEN_MILLISECONDS = 10_000;

/** A method of clients: waits until the server has agreed to announce the changes that are followed, or does not. */
export const LISTENS = Symbol('mcpbolt.listens');

/** The lists that a client follows. */
export class ListChanges {
  readonly #timers = new Map<Kind, NodeJS.Timeout>();
  #opening: Promise<void>[] = [];

  /** Starts to follow the lists whose changes the server announces. */
  follow(client: ListingClient, handlers: ListChangedHandlers | undefined, watches: Watches | undefined): void {
    this.#opening = [];
    for (const kind of Object.keys(READ) as Kind[]) {
      const options = handlers?.[kind] as Options | undefined;
      if (options === undefined || !client.getServerCapabilities()?.[kind]?.listChanged) continue;
      this.one(client, kind, options);
      // A modern server announces changes only to subscribers.
      const opening = watches?.watch(kind, { [`${kind}ListChanged`]: true }).catch((error: Error) => client.onerror?.(error));
      if (opening !== undefined) this.#opening.push(opening);
    }
  }

  /** Waits until the server has agreed to announce changes, or does not. */
  async opened(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LISTEN_MILLISECONDS)));
    await Promise.race([Promise.all(this.#opening), late]);
    clearTimeout(timer);
  }

  private one(client: ListingClient, kind: Kind, options: Options): void {
    const { autoRefresh = true, debounceMs = DEBOUNCE_MILLISECONDS, onChanged } = options;
    check(kind, 'autoRefresh must be a boolean', typeof autoRefresh === 'boolean');
    check(kind, 'debounceMs must be a whole number that is not negative', Number.isInteger(debounceMs) && debounceMs >= 0);
    check(kind, 'onChanged must be a function', typeof onChanged === 'function');
    const refresh = async () => {
      if (!autoRefresh) return onChanged(null, null);
      try {
        return onChanged(null, await READ[kind](client));
      } catch (error) {
        // As in the official package, `onChanged` is told what it has thrown itself, too.
        return onChanged(asError(error), null);
      }
    };
    // Nobody else would catch what it throws then, or rejects with.
    const begin = () => void refresh().catch((error: unknown) => client.onerror?.(asError(error)));
    client.setNotificationHandler(`notifications/${kind}/list_changed`, () => {
      if (debounceMs === 0) return begin();
      clearTimeout(this.#timers.get(kind));
      const timer = setTimeout(() => {
        this.#timers.delete(kind);
        begin();
      }, debounceMs);
      this.#timers.set(kind, timer);
    });
  }

  /** Stops following all lists. */
  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function check(kind: Kind, what: string, isFine: boolean): void {
  if (!isFine) throw new Error(`Invalid ${kind} listChanged options: ${what}`);
}
