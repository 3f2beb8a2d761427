/**
 * Changes that are published to subscribed clients. Owns: the bus between the program and an
 * endpoint's subscriptions. Must not know: how subscriptions are served.
 */

/** A change; `params` are sent with the notification. */
export type ServerEvent = (
  | { kind: 'tools_list_changed' }
  | { kind: 'prompts_list_changed' }
  | { kind: 'resources_list_changed' }
  | { kind: 'resource_updated'; uri: string }
) & { params?: Record<string, unknown> };

/** Distributes changes to subscribers. Implement it to reach other processes. */
export interface ServerEventBus {
  /**
   * Publishes a change to all subscribers.
   * @param event - The change.
   */
  publish(event: ServerEvent): void;
  /**
   * Adds a subscriber; returns a function that removes it.
   * @param listener - Called with each change; must not block.
   */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** A bus within one process. */
export class InMemoryServerEventBus implements ServerEventBus {
  readonly #listeners = new Set<{ readonly listener: (event: ServerEvent) => void }>();
  readonly #onerror: ((error: Error) => void) | undefined;

  /**
   * Creates a bus. Errors that a subscriber throws go to `onerror`; the others are still called.
   * @param onerror - Called with errors that subscribers throw. Default: they are ignored.
   */
  constructor(onerror?: (error: Error) => void) {
    this.#onerror = onerror;
  }

  /**
   * Publishes a change to all subscribers.
   * @param event - The change.
   */
  publish(event: ServerEvent): void {
    for (const { listener } of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  /**
   * Adds a subscriber; returns a function that removes it.
   * @param listener - Called with each change; must not block.
   */
  subscribe(listener: (event: ServerEvent) => void): () => void {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** The number of subscribers. */
  get listenerCount(): number {
    return this.#listeners.size;
  }
}

/** Publishes changes, one function for each kind. */
export interface ServerNotifier {
  /** Publishes that the list of tools changed. */
  toolsChanged(): void;
  /** Publishes that the list of prompts changed. */
  promptsChanged(): void;
  /** Publishes that the list of resources changed. */
  resourcesChanged(): void;
  /**
   * Publishes that a resource changed.
   * @param uri - The URI of the resource.
   */
  resourceUpdated(uri: string): void;
}

/** Creates the notifier of a bus. */
export function notifierOf(bus: ServerEventBus): ServerNotifier {
  return {
    toolsChanged: () => bus.publish({ kind: 'tools_list_changed' }),
    promptsChanged: () => bus.publish({ kind: 'prompts_list_changed' }),
    resourcesChanged: () => bus.publish({ kind: 'resources_list_changed' }),
    resourceUpdated: (uri) => bus.publish({ kind: 'resource_updated', uri }),
  };
}
