/**
 * Results that servers allow to be kept, in a store of the program's. Owns: the store's
 * contract, the one in memory, and which results are kept for how long. Must not know:
 * requests; without a store the engine keeps results by itself.
 */

import { METHOD_ROWS } from '../../generated/protocol';

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;
/** For whom a result is the same. */
export type CacheScope = 'public' | 'private';
/** `use` what is kept, `refresh` it, or `bypass` it altogether. */
export type CacheMode = 'use' | 'refresh' | 'bypass';

/** Under what a result is kept. */
export interface CacheKey {
  /** The method. */
  readonly method: string;
  /** What tells its requests apart, e.g. a URI. */
  readonly params?: string;
  /** Whose it is. */
  readonly partition?: string;
}

/** A result that is kept. */
export interface CacheEntry {
  /** JSON text. */
  readonly value: string;
  /** Grows with each write. */
  readonly stamp: number;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly scope?: CacheScope;
}

/** Keeps results. Anyone may write one. */
export interface ResponseCacheStore {
  /** What is kept. */
  get(key: CacheKey): MaybePromise<CacheEntry | undefined>;
  /** Keeps a result; returns its stamp. */
  set(key: CacheKey, entry: { value: string; expiresAt?: number; scope?: CacheScope }): MaybePromise<number>;
  /** Forgets one. */
  delete(key: CacheKey): MaybePromise<void>;
  /** Forgets all of a method. */
  evict(method: string): MaybePromise<void>;
  /** Forgets everything. */
  clear(): MaybePromise<void>;
}

/** Longest time a result is kept, in milliseconds: a day. */
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

/** How much a store in memory keeps. */
export interface InMemoryResponseCacheStoreOptions {
  /** How many results besides lists; 512 if nothing is said, 0 for no limit. */
  maxEntries?: number;
}

function textOf({ method, params = '', partition = '' }: CacheKey): string {
  return [method, partition, params].join('\0');
}

/** Keeps results in memory, the oldest ones leave first. */
export class InMemoryResponseCacheStore implements ResponseCacheStore {
  readonly #entries = new Map<string, { method: string; entry: CacheEntry }>();
  readonly #max: number;
  #stamp = 0;

  /** An empty store. */
  constructor(options: InMemoryResponseCacheStoreOptions = {}) {
    this.#max = options.maxEntries ?? MAX_ENTRIES;
  }

  /** How many results are kept. */
  get size(): number {
    return this.#entries.size;
  }

  /** What is kept. */
  get(key: CacheKey): CacheEntry | undefined {
    return this.#entries.get(textOf(key))?.entry;
  }

  /** Keeps a result; returns its stamp. */
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

  /** Forgets one. */
  delete(key: CacheKey): void {
    this.#entries.delete(textOf(key));
  }

  /** Forgets all of a method. */
  evict(method: string): void {
    for (const [name, kept] of this.#entries) if (kept.method === method) this.#entries.delete(name);
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
  }
}

/** A client's view of its store. */
export class ResponseCache {
  constructor(
    private readonly store: ResponseCacheStore,
    private readonly partition: string | undefined,
    private readonly defaultTtl: number,
    private readonly failed: (error: Error) => void,
  ) {}

  private key(method: string, params?: string): CacheKey {
    return { method, ...(params !== undefined && { params }), ...(this.partition !== undefined && { partition: this.partition }) };
  }

  /** What is kept and still good. */
  async read(method: string, params?: string): Promise<unknown> {
    try {
      const entry = await this.store.get(this.key(method, params));
      if (entry === undefined || (entry.expiresAt ?? 0) <= Date.now()) return undefined;
      return JSON.parse(entry.value) as unknown;
    } catch (error) {
      this.failed(error as Error);
      return undefined;
    }
  }

  /** Keeps a result as long as it says. */
  async write(method: string, params: string | undefined, result: object): Promise<void> {
    const { ttlMs, cacheScope } = result as { ttlMs?: unknown; cacheScope?: unknown };
    const time = Math.min(Math.max(0, typeof ttlMs === 'number' ? ttlMs : this.defaultTtl), MAX_CACHE_TTL_MS);
    const key = this.key(method, params);
    const scope: CacheScope = cacheScope === 'public' ? 'public' : 'private';
    try {
      if (time === 0) await this.store.delete(key);
      else await this.store.set(key, { value: JSON.stringify(result), expiresAt: Date.now() + time, scope });
    } catch (error) {
      this.failed(error as Error);
    }
  }

  /** Forgets what a notification says is no longer so. */
  async changed(method: string, params: { uri?: unknown } | undefined): Promise<void> {
    try {
      for (const list of STALE[method] ?? []) await this.store.evict(list);
      if (method === 'notifications/resources/updated') await this.store.delete(this.key('resources/read', String(params?.uri)));
    } catch (error) {
      this.failed(error as Error);
    }
  }
}
