/**
 * Cached results in a store of the program's. Owns: the store's interface, the store in memory, and
 * which results are cached for how long. Must not know: requests; without a store the engine caches
 * results itself.
 */

import { METHOD_ROWS } from '../../generated/protocol';

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;
/** Whether a cached result may be shared between users. */
export type CacheScope = 'public' | 'private';
/** How to use the cache for a request: `use` a cached result, `refresh` it, or `bypass` the cache. */
export type CacheMode = 'use' | 'refresh' | 'bypass';

/** The key of a cached result. */
export interface CacheKey {
  /** The method of the request. */
  readonly method: string;
  /** What distinguishes requests of the same method, e.g. a URI. */
  readonly params?: string;
  /** Whose result it is, as JSON text: the server, and the user or tenant, which is empty for results that may be shared. */
  readonly partition?: string;
}

/** A cached result. */
export interface CacheEntry {
  /** The result as JSON text. */
  readonly value: string;
  /** A number that grows with each write. */
  readonly stamp: number;
  /** When the entry expires, in milliseconds since 1970. */
  readonly expiresAt?: number;
  /** Whether other users may get the result: `public` if so. */
  readonly scope?: CacheScope;
}

/** Stores results. Programs may implement it. */
export interface ResponseCacheStore {
  /**
   * Gets a cached result.
   * @param key - The key of the entry.
   */
  get(key: CacheKey): MaybePromise<CacheEntry | undefined>;
  /**
   * Stores a result and returns the `stamp` of the new entry.
   * @param key - The key of the entry.
   * @param entry - The result as JSON text, when it expires, and who may get it.
   */
  set(key: CacheKey, entry: { value: string; expiresAt?: number; scope?: CacheScope }): MaybePromise<number>;
  /**
   * Deletes one result.
   * @param key - The key of the entry.
   */
  delete(key: CacheKey): MaybePromise<void>;
  /**
   * Deletes all results of a method.
   * @param method - The method whose results are removed.
   */
  evict(method: string): MaybePromise<void>;
  /** Deletes all results. */
  clear(): MaybePromise<void>;
}

/** The longest time a result is cached, in milliseconds: one day. */
export const MAX_CACHE_TTL_MS = 86_400_000;
const MAX_ENTRIES = 512;
/** Lists, of which there are few, do not count. */
const FREE = new Set(
  Object.entries(METHOD_ROWS).flatMap(([method, row]) => (row.isCacheable && row.nameParam === undefined ? [method] : [])),
);
/** The lists that a notification makes stale. */
const STALE: Record<string, string[]> = Object.fromEntries(
  Object.entries(METHOD_ROWS)
    .filter(([, { kind, capability, declaredBy }]) => kind === 'notification' && declaredBy === 'server' && capability?.[1] === 'listChanged')
    .map(([method, { capability }]) => [
      method,
      Object.keys(METHOD_ROWS).filter((list) => METHOD_ROWS[list]!.lists !== undefined && METHOD_ROWS[list]!.capability?.[0] === capability![0]),
    ]),
);

/** Options of an `InMemoryResponseCacheStore`. */
export interface InMemoryResponseCacheStoreOptions {
  /** How many results to store besides lists. Default: 512; 0 means no limit. */
  maxEntries?: number;
}

function textOf({ method, params = '', partition = '' }: CacheKey): string {
  return [method, partition, params].join('\0');
}

/** Stores results in memory; beyond the limit the oldest are deleted. */
export class InMemoryResponseCacheStore implements ResponseCacheStore {
  readonly #entries = new Map<string, { method: string; entry: CacheEntry }>();
  readonly #max: number;
  #stamp = 0;

  /**
   * Creates an empty store.
   * @param options - The largest number of results besides lists. Default: 512.
   */
  constructor(options: InMemoryResponseCacheStoreOptions = {}) {
    this.#max = options.maxEntries ?? MAX_ENTRIES;
  }

  /** The number of cached results. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Gets a cached result.
   * @param key - The key of the entry.
   */
  get(key: CacheKey): CacheEntry | undefined {
    return this.#entries.get(textOf(key))?.entry;
  }

  /**
   * Stores a result and returns its stamp.
   * @param key - The key of the entry.
   * @param entry - The entry.
   */
  set(key: CacheKey, entry: { value: string; expiresAt?: number; scope?: CacheScope }): number {
    const name = textOf(key);
    if (!this.#entries.has(name) && !FREE.has(key.method)) this.#makeRoom();
    const stamp = ++this.#stamp;
    this.#entries.set(name, { method: key.method, entry: { ...entry, stamp } });
    return stamp;
  }

  #makeRoom(): void {
    if (this.#max <= 0) return;
    const counted = [...this.#entries].filter(([, { method }]) => !FREE.has(method));
    if (counted.length >= this.#max) this.#entries.delete(counted[0]![0]);
  }

  /**
   * Deletes one result.
   * @param key - The key of the entry.
   */
  delete(key: CacheKey): void {
    this.#entries.delete(textOf(key));
  }

  /**
   * Deletes all results of a method.
   * @param method - The method whose results are removed.
   */
  evict(method: string): void {
    for (const [name, kept] of this.#entries) if (kept.method === method) this.#entries.delete(name);
  }

  /** Deletes all results. */
  clear(): void {
    this.#entries.clear();
  }
}

/** Results that are being asked for; `isStale` once the server has said that they changed meanwhile. */
interface Asked {
  readonly method: string;
  readonly params: string | undefined;
  isStale: boolean;
}

/** One client's access to its store, which may be shared with clients of other users and other servers. */
export class ResponseCache {
  /** The server whose results these are. */
  #server = '';
  readonly #asked = new Set<Asked>();

  constructor(
    private readonly store: ResponseCacheStore,
    private readonly partition: string | undefined,
    private readonly defaultTtl: number,
    private readonly failed: (error: Error) => void,
  ) {}

  /**
   * Called with each connection, before anything is asked on it.
   * @param name - Who the server is; it is the same for the same server.
   */
  belongsTo(name: string): void {
    this.#server = name;
  }

  /** Where a result is: that of this user, and that of all users of this server. They are one if no user is named. */
  private keys(method: string, params = ''): Record<CacheScope, CacheKey> {
    const key = (partition: string): CacheKey => ({ method, params, partition: JSON.stringify([this.#server, partition]) });
    return { private: key(this.partition ?? ''), public: key('') };
  }

  /** Returns a cached result that has not expired; `undefined` if there is none. */
  async read(method: string, params?: string): Promise<unknown> {
    const keys = this.keys(method, params);
    try {
      let entry = await this.store.get(keys.private);
      if (entry === undefined && this.partition) {
        entry = await this.store.get(keys.public);
        // A client that names no user keeps its own results there, too.
        if (entry?.scope !== 'public') return undefined;
      }
      if (entry === undefined || (entry.expiresAt ?? 0) <= Date.now()) return undefined;
      return JSON.parse(entry.value) as unknown;
    } catch (error) {
      this.failed(error as Error);
      return undefined;
    }
  }

  /** Caches a result for as long as it allows. */
  private async write(keys: Record<CacheScope, CacheKey>, result: object): Promise<void> {
    const { ttlMs, cacheScope } = result as { ttlMs?: unknown; cacheScope?: unknown };
    const time = Math.min(Math.max(0, typeof ttlMs === 'number' ? ttlMs : this.defaultTtl), MAX_CACHE_TTL_MS);
    const scope: CacheScope = cacheScope === 'public' ? 'public' : 'private';
    if (time === 0) return this.remove(Object.values(keys));
    try {
      await this.store.set(keys[scope], { value: JSON.stringify(result), expiresAt: Date.now() + time, scope });
    } catch (error) {
      this.failed(error as Error);
    }
    // It may have been for others, or for this user alone, until now.
    if (this.partition) await this.remove([keys[scope === 'public' ? 'private' : 'public']]);
  }

  /** Deletes results, all at once, so that whoever asks next does not get one of them. */
  private async remove(keys: CacheKey[]): Promise<void> {
    const one = async (key: CacheKey): Promise<void> => this.store.delete(key);
    const outcomes = await Promise.allSettled(keys.map(one));
    for (const outcome of outcomes) if (outcome.status === 'rejected') this.failed(outcome.reason as Error);
  }

  /** Returns the cached result, or the one that `ask` returns, which is cached then. */
  async kept<T extends object>(method: string, params: string | undefined, mode: CacheMode = 'use', ask: () => Promise<T>): Promise<T> {
    if (mode === 'bypass') return ask();
    const found = mode === 'use' ? await this.read(method, params) : undefined;
    if (found !== undefined) return found as T;
    const asked: Asked = { method, params, isStale: false };
    const keys = this.keys(method, params);
    this.#asked.add(asked);
    try {
      const result = await ask();
      if (!asked.isStale) await this.write(keys, result);
      return result;
    } finally {
      this.#asked.delete(asked);
    }
  }

  /** Deletes the results that a notification declares outdated: those of this server that this client may read. */
  async changed(notification: string, about: { uri?: unknown } | undefined): Promise<void> {
    const lists = STALE[notification] ?? [];
    const uri = notification === 'notifications/resources/updated' ? String(about?.uri) : undefined;
    for (const asked of this.#asked) {
      if (lists.includes(asked.method) || (asked.method === 'resources/read' && asked.params === uri)) asked.isStale = true;
    }
    const rows = lists.map((list) => this.keys(list));
    if (uri !== undefined) rows.push(this.keys('resources/read', uri));
    await this.remove(rows.flatMap((keys) => (this.partition ? Object.values(keys) : [keys.private])));
  }
}
