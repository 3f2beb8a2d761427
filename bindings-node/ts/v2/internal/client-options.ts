/**
 * Options of the 2.x client. Owns: converting them to those of the 1.x client and of the engine.
 * Must not know: requests.
 */
import type { DiscoverResult } from '../../generated/types';
import type { ClientCapabilities, ListChangedHandlers } from '../../protocol/types';
import type { ValidateResult } from '../../engine/guarding';
import { specSchema } from '../../protocol/schema/schema';
import type { CacheMode, ResponseCacheStore } from './cache';
import type { RequestOptions } from './context';
import { SdkError, SdkErrorCode } from './errors';
import type { ProtocolOptions } from './server-options';
import type { jsonSchemaValidator } from './standard';
import type { Tool } from './tool-types';

/**
 * How a client opens a connection. `legacy`: with the handshake of revisions up to 2025-11-25
 * (`initialize`). `auto`: with 2026-07-28 if the server has it, else with that handshake. `pin`: with one
 * revision or not at all.
 */
export type VersionNegotiationMode = 'legacy' | 'auto' | { pin: string };

/** How `auto` finds out whether the server has 2026-07-28. */
export interface VersionNegotiationProbeOptions {
  /** How long to wait for the server's answer, in milliseconds. Default: the engine's limit. */
  timeoutMs?: number;
  /** Has no effect: the engine probes once. */
  maxRetries?: number;
}

/** How a client opens a connection. */
export interface VersionNegotiationOptions {
  /** How to choose the revision. Default: `legacy`. */
  mode?: VersionNegotiationMode;
  /** How `auto` finds out whether the server has 2026-07-28. Default: with the engine's limits. */
  probe?: VersionNegotiationProbeOptions;
}

/** How questions of the server within a call are answered. */
export interface InputRequiredOptions {
  /** Whether the client's handlers answer them. Default: true. If false, the call returns the questions. */
  autoFulfill?: boolean;
  /** The largest number of rounds of questions of one call. Default: 10. */
  maxRounds?: number;
}

/** How many rounds of questions a call may have, unless the program says otherwise. */
const MAX_ROUNDS = 10;

/** Options of a `Client`. */
export type ClientOptions = ProtocolOptions & {
  /** The capabilities that this client declares to servers. Default: none. */
  capabilities?: ClientCapabilities;
  /** Validates structured results of tools. Default: the engine does. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** How to open connections. Default: `{ mode: 'legacy' }`. */
  versionNegotiation?: VersionNegotiationOptions | undefined;
  /** How questions of the server within a call are answered. */
  inputRequired?: InputRequiredOptions;
  /** Functions that are called when the server's lists of tools, prompts or resources change. Default: none. */
  listChanged?: ListChangedHandlers;
  /** How many pages of a list are read at most. Default: 64; 0 means no limit. */
  listMaxPages?: number;
  /** Caches results for as long as servers allow. Default: the engine does. */
  responseCacheStore?: ResponseCacheStore;
  /** A name of the user that cached results belong to, if clients share a store. Default: none. */
  cachePartition?: string;
  /** How long to cache results that name no time, in milliseconds; only with a store. Default: 0, not at all. */
  defaultCacheTtlMs?: number;
  /**
   * Called with the method, the name of the tool or other object, and the result, before the caller gets
   * the result. Returns why the result is refused, or null to accept it. Default: all are accepted.
   */
  validateResult?: ValidateResult;
  /** Further options of the engine by name, e.g. `{max_result_bytes: 1e6}`. Default: none. */
  engine?: Record<string, unknown>;
};

/** What an earlier client found out about a server: a `DiscoverResult`, or that it has only older revisions. */
export type PriorDiscovery = { kind: 'modern'; discover: DiscoverResult } | { kind: 'legacy' };

/** Whether a value is valid as `prior`. */
export function isPrior(prior: unknown): prior is PriorDiscovery {
  const { kind, discover, ...more } = (prior ?? {}) as { kind?: unknown; discover?: unknown; supportedVersions?: unknown };
  if (kind === 'legacy') return discover === undefined && more.supportedVersions === undefined;
  return kind === 'modern' && specSchema('DiscoverResult').safeParse(discover).success;
}

/** The error for an invalid `prior`, which says what is valid. */
export function notPrior(): SdkError {
  const words = "connect({ prior }): unrecognized prior — expected { kind: 'modern', discover } or { kind: 'legacy' }";
  return new SdkError(SdkErrorCode.EraNegotiationFailed, words);
}

/** Options of `Client.connect`. */
export type ConnectOptions = RequestOptions & {
  /** What an earlier client found out about the server, so that this one need not ask. Default: none. */
  prior?: PriorDiscovery;
};

/** Options of requests whose results may be cached. */
export type CacheableRequestOptions = RequestOptions & {
  /**
   * How to use the cache: `use`, the default, takes a valid cached result; `refresh` asks the server and
   * caches the result; `bypass` asks the server and leaves the cache as it is.
   */
  cacheMode?: CacheMode;
};

/** Options of `Client.callTool`. */
export type CallToolRequestOptions = RequestOptions & {
  /** The tool's definition, if this client has not listed the tools itself. Default: none. */
  toolDefinition?: Tool;
};

/** Converts options of a request to those of the peer. */
export function planned(options: CacheableRequestOptions): RequestOptions {
  const { allowInputRequired, cacheMode, ...rest } = options;
  const plan = {
    ...(allowInputRequired === true && { input: 'raw' }),
    ...(cacheMode !== undefined && cacheMode !== 'use' && { fresh: true }),
  };
  return Object.keys(plan).length === 0 ? rest : ({ ...rest, plan } as RequestOptions);
}

function protocolOf(mode: VersionNegotiationMode | undefined): string | undefined {
  return typeof mode === 'object' ? mode.pin : mode;
}

/** Converts options to those of the peer and of the engine. */
export function peerOptions(options: ClientOptions): object {
  const { versionNegotiation: eras, inputRequired: input, supportedProtocolVersions: revisions, responseCacheStore, engine, ...rest } = options;
  const protocol = protocolOf(eras?.mode);
  const timeout = eras?.probe?.timeoutMs;
  return {
    ...rest,
    ...(protocol !== undefined && { protocol }),
    engine: {
      cache: responseCacheStore === undefined,
      ...(revisions !== undefined && { revisions }),
      ...(timeout !== undefined && { probe_timeout: timeout / 1000 }),
      ...(input?.autoFulfill === false && { input: 'raw' }),
      max_rounds: input?.maxRounds ?? MAX_ROUNDS,
      ...engine,
    },
  };
}
