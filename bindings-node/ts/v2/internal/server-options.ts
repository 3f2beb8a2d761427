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

/** How long clients may cache a result, and whether they may share it. */
export interface CacheHint {
  /** How long clients may cache the result, in milliseconds. Default: 0, not at all. */
  ttlMs?: number;
  /** `public` if a cached result may be given to other users too. Default: `private`. */
  cacheScope?: 'public' | 'private';
}

/** Methods whose results clients may cache. */
export type CacheableResultMethod = CacheableMethod;

/** Options of a `Server`. */
export type ServerOptions = ProtocolOptions & ServerGuards & {
  /** The capabilities that this server declares, beside those of what is registered. Default: none. */
  capabilities?: ServerCapabilities;
  /** What a client's model should know to use this server well. Default: none. */
  instructions?: string;
  /** Validates the answers to forms. Default: the engine does. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** How long clients may cache results, by method. Default: not at all. */
  cacheHints?: Partial<Record<CacheableResultMethod, CacheHint>>;
  /** How questions that handlers return (`input_required`) are asked. */
  inputRequired?: {
    /** The largest number of rounds of questions of one call. Default: 8. */
    maxRounds?: number;
    /** How long one round may take, in milliseconds. Default: the engine's limit. */
    roundTimeoutMs?: number;
    /** Whether questions are also asked in sessions of older revisions. Default: true. */
    legacyShim?: boolean;
  };
  /** How the states are handled that clients send back with their answers. */
  requestState?: {
    /** Verifies and decodes a state; throws if it is not valid. Default: states are passed on as they are. */
    verify?: (state: string, ctx: ServerContext) => unknown | Promise<unknown>;
  };
  /**
   * Where tasks are kept: `memory`, the default; `file:` and a path, which outlasts the process; or the
   * URL of a Redis or Valkey server such as `redis://host:6379`, which also keeps the sessions, shared by
   * all processes that name it.
   */
  stores?: string;
  /** Further limits of the engine by name, e.g. `{max_in_flight: 100}`. Default: none. */
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
