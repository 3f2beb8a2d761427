/**
 * Options of the 2.x server. Owns: converting them to those of the peer and of the engine. Must not
 * know: requests.
 */
import type { ProtocolOptions as ProtocolOptionsV1 } from '../../common/peer/protocol';
import type { ServerGuards } from '../../engine/guarding';
import type { CacheableMethod } from '../../generated/protocol';
import type { ServerCapabilities } from '../../protocol/types';
import type { ServerContext } from './context';
import type { jsonSchemaValidator } from './standard';

/** Options of a `Protocol` peer. */
export type ProtocolOptions = ProtocolOptionsV1 & {
  /** The revisions to support, preferred ones first. Default: all. */
  supportedProtocolVersions?: string[];
};

/** How long a result may be cached. */
export interface CacheHint {
  /** How long the result may be cached, in milliseconds. */
  ttlMs?: number;
  /** Whether the result may be shared between users. */
  cacheScope?: 'public' | 'private';
}

/** Methods whose results may be kept. */
export type CacheableResultMethod = CacheableMethod;

/** Options of a `Server`. */
export type ServerOptions = ProtocolOptions & ServerGuards & {
  /** The capabilities this server declares. */
  capabilities?: ServerCapabilities;
  /** Instructions for the client's model on how to use this server. */
  instructions?: string;
  /** Validates the answers to forms, in place of the engine. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** How long the results of each method may be cached. */
  cacheHints?: Partial<Record<CacheableResultMethod, CacheHint>>;
  /** How questions that handlers return are asked. */
  inputRequired?: {
    /** The largest number of rounds of one call. */
    maxRounds?: number;
    /** How long one round may take, in milliseconds. */
    roundTimeoutMs?: number;
    /** Whether questions are also asked on connections of the legacy era. */
    legacyShim?: boolean;
  };
  /** How states that come back with answers are handled. */
  requestState?: {
    /** Verifies and decodes a state; throws if it is not valid. */
    verify?: (state: string, ctx: ServerContext) => unknown | Promise<unknown>;
  };
  /**
   * Where tasks are kept: `memory`; `file:` and a path, which outlasts the process; or the URL of a
   * Redis or Valkey server such as `redis://host:6379`, where sessions are kept as well, for all
   * processes that name it.
   */
  stores?: string;
  /** Further options of the engine, by the names of its limits. */
  engine?: Record<string, unknown>;
};

/** Converts options to those of the peer and of the engine. */
export function peerOptions(options: ServerOptions | undefined): object | undefined {
  if (options === undefined) return undefined;
  const { supportedProtocolVersions, inputRequired, engine, ...rest } = options;
  const rounds = inputRequired?.maxRounds;
  return {
    ...rest,
    engine: {
      ...engine,
      ...(supportedProtocolVersions !== undefined && { revisions: supportedProtocolVersions }),
      ...(rounds !== undefined && { max_rounds: rounds }),
    },
  };
}

/** Throws if a cache hint is not valid. */
export function checkHint(method: string, hint: CacheHint | undefined): void {
  const { ttlMs = 0, cacheScope = 'private' } = hint ?? {};
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) throw new RangeError(`cacheHints['${method}']: ttlMs must be a non-negative integer`);
  if (cacheScope !== 'public' && cacheScope !== 'private') {
    throw new TypeError(`cacheHints['${method}']: cacheScope must be 'public' or 'private'`);
  }
}
