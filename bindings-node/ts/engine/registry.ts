/**
 * The lists that a high-level server offers to the engine. Owns: their generations, and announcing
 * changes once per tick. Must not know: what tools, prompts and resources are.
 */
import { METHOD_ROWS } from '../generated/protocol';

/** The lists that the engine may answer itself. */
export type RegistryKind = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

const KINDS: ReadonlySet<string | undefined> = new Set<RegistryKind>(['tools', 'prompts', 'resources', 'resourceTemplates']);

/** Each list by its method. */
export const LISTS: ReadonlyMap<string, RegistryKind> = new Map(
  Object.entries(METHOD_ROWS).flatMap(([method, { lists }]) => (KINDS.has(lists) ? [[method, lists as RegistryKind] as const] : [])),
);

/** Provides the contents of the lists. */
export interface Provider {
  /**
   * The rows of a list, as `HostServer::set_snapshot` of the engine expects them: items as clients
   * see them, for tools `{tool, validation, worker, hidden}`. `undefined` if the provider does not
   * own the list. Throws if the list cannot be made; requests for it then fail.
   */
  lists(kind: RegistryKind): unknown[] | undefined;
  /** Called when the engine did not accept the rows of a list; the handler then answers. */
  refused?(kind: RegistryKind): void;
}

/** Receives changes of the lists; implemented by the hosts of a server. */
export interface RegistryListener {
  /** The list is outdated until a snapshot of this generation arrives. */
  stale(kind: RegistryKind, generation: number): void;
  /** The current contents of the list. */
  listed(kind: RegistryKind, generation: number, rows: unknown[]): void;
  /** The change has to be announced to clients. */
  announce(kind: RegistryKind): void;
}

/** The generations of one server's lists. */
export class Registry {
  readonly #listeners = new Set<RegistryListener>();
  readonly #generations = new Map<RegistryKind, number>();
  /** The lists that changed, and whether to announce it to clients. */
  readonly #changed = new Map<RegistryKind, boolean>();
  #provider: Provider | undefined;

  /** Sets the provider of the lists. */
  provide(provider: Provider): void {
    this.#provider = provider;
    for (const kind of LISTS.values()) this.changed(kind, false);
  }

  /** Adds a listener and passes it all lists, now and whenever they change. */
  add(listener: RegistryListener): void {
    this.#listeners.add(listener);
    for (const kind of LISTS.values()) this.#snapshot(kind, [listener]);
  }

  /** Removes a listener. */
  remove(listener: RegistryListener): void {
    this.#listeners.delete(listener);
  }

  /** Called when a list changed. Clients are told unless only its description became more precise. */
  changed(kind: RegistryKind, told: boolean): void {
    const generation = (this.#generations.get(kind) ?? 0) + 1;
    this.#generations.set(kind, generation);
    for (const listener of this.#listeners) listener.stale(kind, generation);
    if (this.#listeners.size === 0) return;
    if (this.#changed.size === 0) queueMicrotask(() => this.#refresh());
    this.#changed.set(kind, told || this.#changed.get(kind) === true);
  }

  /** Called when the engine did not accept a list. */
  refused(kind: RegistryKind): void {
    this.#provider?.refused?.(kind);
  }

  #refresh(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const [kind, told] of changed) {
      this.#snapshot(kind, this.#listeners);
      if (told) for (const listener of this.#listeners) listener.announce(kind);
    }
  }

  #snapshot(kind: RegistryKind, listeners: Iterable<RegistryListener>): void {
    let rows: unknown[] | undefined;
    try {
      rows = this.#provider?.lists(kind);
    } catch {
      // The handler reports the error to the client that asks for the list.
    }
    if (rows === undefined) return;
    const generation = this.#generations.get(kind) ?? 0;
    for (const listener of listeners) listener.listed(kind, generation, rows);
  }
}
