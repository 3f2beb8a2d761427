/**
 * What changed, told to the clients that listen. Owns: the bus between the program and the
 * listening clients of an endpoint. Must not know: how listeners are served.
 */

/** A change; `params` go with the notification. */
export type ServerEvent = (
  | { kind: 'tools_list_changed' }
  | { kind: 'prompts_list_changed' }
  | { kind: 'resources_list_changed' }
  | { kind: 'resource_updated'; uri: string }
) & { params?: Record<string, unknown> };

/** Carries changes; put another one in place to reach other processes. */
export interface ServerEventBus {
  /** Tells everybody. */
  publish(event: ServerEvent): void;
  /** Has a function called with what is published; returns what ends that. */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

/** The bus within one process. */
export class InMemoryServerEventBus implements ServerEventBus {
  readonly #listeners = new Set<{ readonly listener: (event: ServerEvent) => void }>();
  readonly #onerror: ((error: Error) => void) | undefined;

  /** `onerror` takes what listeners throw; the others are told all the same. */
  constructor(onerror?: (error: Error) => void) {
    this.#onerror = onerror;
  }

  /** Tells everybody. */
  publish(event: ServerEvent): void {
    for (const { listener } of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  /** Has a function called with what is published; returns what ends that. */
  subscribe(listener: (event: ServerEvent) => void): () => void {
    const entry = { listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  /** How many listen. */
  get listenerCount(): number {
    return this.#listeners.size;
  }
}

/** Publishes changes by name. */
export interface ServerNotifier {
  /** The list of tools changed. */
  toolsChanged(): void;
  /** The list of prompts changed. */
  promptsChanged(): void;
  /** The list of resources changed. */
  resourcesChanged(): void;
  /** A resource changed. */
  resourceUpdated(uri: string): void;
}

/** The notifier of a bus. */
export function notifierOf(bus: ServerEventBus): ServerNotifier {
  return {
    toolsChanged: () => bus.publish({ kind: 'tools_list_changed' }),
    promptsChanged: () => bus.publish({ kind: 'prompts_list_changed' }),
    resourcesChanged: () => bus.publish({ kind: 'resources_list_changed' }),
    resourceUpdated: (uri) => bus.publish({ kind: 'resource_updated', uri }),
  };
}
