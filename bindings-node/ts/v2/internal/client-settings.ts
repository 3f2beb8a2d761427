/**
 * What extensions follow of a client's options. Owns: remembering it. Must not know: extensions.
 */
import type { ClientOptions } from './client-options';

/** Options of a client that hold for its extensions too. */
export interface ClientSettings {
  /** Whether calls fail that need what the server did not declare. */
  strict: boolean;
  /** The number of pages after which a list has no end. */
  maxPages: number;
  /** Whether results are kept. */
  keeps: boolean;
}

const KNOWN = new WeakMap<object, ClientSettings>();

/** Remembers a client's options. */
export function rememberSettings(client: object, options: ClientOptions, pages: number): void {
  const { enforceStrictCapabilities: strict = false, listMaxPages: maxPages = pages, responseCacheStore: store } = options;
  KNOWN.set(client, { strict, maxPages, keeps: store !== undefined });
}

/** The options of a client. */
export const clientSettings = (client: object): ClientSettings => KNOWN.get(client)!;
