/**
 * What a high-level server offers the engine. Owns: generations of lists, and saying once
 * per tick that they changed. Must not know: what tools, prompts and resources are.
 */

/** The lists that the engine may answer by itself. */
export type RegistryKind = 'tools' | 'prompts' | 'resources' | 'resourceTemplates';

/** Each list's method. */
export const LISTS: ReadonlyMap<string, RegistryKind> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);

/** What knows the lists. */
export interface Provider {
  /**
   * The rows of a list, as `HostServer::set_snapshot` of the engine wants them: items as
   * clients see them, for tools `{tool, validation, worker, hidden}`. `undefined` if the
   * list is not its own. Throws if the list cannot be made: then it fails when it is asked for.
   */
  lists(kind: RegistryKind): unknown[] | undefined;
  /** The engine did not take the rows of a list: the handler goes on answering. */
  refused?(kind: RegistryKind): void;
}

/** What is told of lists: the hosts of one server. */
export interface RegistryListener {
  /** This list is stale from now on, until a snapshot of the generation arrives. */
  stale(kind: RegistryKind, generation: number): void;
  /** The list as it is now. */
  listed(kind: RegistryKind, generation: number, rows: unknown[]): void;
  /** Clients want to know. */
  announce(kind: RegistryKind): void;
}

/** The generations of one server's lists. */
export class Registry {
  readonly #listeners = new Set<RegistryListener>();
  readonly #generations = new Map<RegistryKind, number>();
  /** Lists to be looked at again, and whether clients are told. */
  readonly #changed = new Map<RegistryKind, boolean>();
  #provider: Provider | undefined;

  /** Whose lists they are from now on. */
  provide(provider: Provider): void {
    this.#provider = provider;
    for (const kind of LISTS.values()) this.changed(kind, false);
  }

  /** Has a listener told of all lists, now and whenever they change. */
  add(listener: RegistryListener): void {
    this.#listeners.add(listener);
    for (const kind of LISTS.values()) this.#snapshot(kind, [listener]);
  }

  /** The opposite of `add`. */
  remove(listener: RegistryListener): void {
    this.#listeners.delete(listener);
  }

  /** A list is not what it was. Clients are told unless it is only known better than before. */
  changed(kind: RegistryKind, told: boolean): void {
    const generation = (this.#generations.get(kind) ?? 0) + 1;
    this.#generations.set(kind, generation);
    for (const listener of this.#listeners) listener.stale(kind, generation);
    if (this.#listeners.size === 0) return;
    if (this.#changed.size === 0) queueMicrotask(() => this.#refresh());
    this.#changed.set(kind, told || this.#changed.get(kind) === true);
  }

  /** The engine did not take a list. */
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
      // The handler says to the client what is wrong.
    }
    if (rows === undefined) return;
    const generation = this.#generations.get(kind) ?? 0;
    for (const listener of listeners) listener.listed(kind, generation, rows);
  }
}
