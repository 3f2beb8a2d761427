/**
 * The lists that a high-level server offers to the engine. Owns: which hosts hear of a change, and
 * when the tick ends. Must not know: what tools, prompts and resources are; which lists are outdated.
 */
import { METHOD_ROWS } from '../generated/protocol';

/** The lists that the engine may answer itself. */
export type RegistryKind = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

const KINDS: ReadonlySet<string | undefined> = new Set<RegistryKind>(['tools', 'prompts', 'resources', 'resourceTemplates']);

/** Each list by its method. */
export const LISTS: ReadonlyMap<string, RegistryKind> = new Map(
  Object.entries(METHOD_ROWS).flatMap(([method, { lists }]) => (KINDS.has(lists) ? [[method, lists as RegistryKind] as const] : [])),
);

/** The scopes of tools, by their names. */
export interface ScopeRows {
  tools?: Record<string, readonly string[]>;
}

/** Provides the contents of the lists. */
export interface Provider {
  /**
   * The rows of a list, as `HostServer::set_snapshot` of the engine expects them: items as clients
   * see them, for tools `{tool, validation, worker, hidden}`. `undefined` if the provider does not
   * own the list. Throws if the list cannot be made; requests for it then fail.
   */
  lists(kind: RegistryKind): unknown[] | undefined;
  /** The scopes that tokens need, as the engine's snapshot `scopes` has them. */
  scopes?(): ScopeRows;
  /** Called when the engine did not accept the rows of a list; the handler then answers. */
  refused?(kind: RegistryKind): void;
}

/** The hosts of a server. */
export interface RegistryListener {
  /** Reports a change of a list to the engine; returns whether to `refresh` at the end of the tick. */
  listChanged(kind: RegistryKind, told: boolean): boolean;
  /** Has the engine announce changes, and gives it the rows that it has not got. */
  refresh(rowsOf: (kind: RegistryKind) => unknown[] | undefined): void;
}

/** The lists of one server. */
export class Registry {
  readonly #listeners = new Set<RegistryListener>();
  #provider: Provider | undefined;

  /** Sets the provider of the lists. */
  provide(provider: Provider): void {
    this.#provider = provider;
    for (const kind of LISTS.values()) this.changed(kind, false);
  }

  /** Adds a listener, which gets all lists. */
  add(listener: RegistryListener): void {
    this.#listeners.add(listener);
    this.#refresh([listener]);
  }

  /** Removes a listener. */
  remove(listener: RegistryListener): void {
    this.#listeners.delete(listener);
  }

  /** Called when a list changed. Clients are told unless only its description became more precise. */
  changed(kind: RegistryKind, told: boolean): void {
    const waiting = [...this.#listeners].filter((listener) => listener.listChanged(kind, told));
    if (waiting.length > 0) queueMicrotask(() => this.#refresh(waiting));
  }

  /** The scopes that tokens need: told at once, so that nothing is open until the tick ends. */
  scopes(): ScopeRows {
    return this.#provider?.scopes?.() ?? {};
  }

  /** Called when the engine did not accept a list. */
  refused(kind: RegistryKind): void {
    this.#provider?.refused?.(kind);
  }

  #refresh(listeners: RegistryListener[]): void {
    const made = new Map<RegistryKind, unknown[] | undefined>();
    const rowsOf = (kind: RegistryKind): unknown[] | undefined => {
      if (!made.has(kind)) made.set(kind, this.#rowsOf(kind));
      return made.get(kind);
    };
    for (const listener of listeners) if (this.#listeners.has(listener)) listener.refresh(rowsOf);
  }

  #rowsOf(kind: RegistryKind): unknown[] | undefined {
    try {
      return this.#provider?.lists(kind);
    } catch {
      // The handler reports the error to the client that asks for the list.
      return undefined;
    }
  }
}
