/**
 * Options of the client of the 2.x face. Owns: what they are for the 1.x client and the
 * engine. Must not know: requests.
 */
import type { DiscoverResult } from '../../generated/types';
import type { ClientCapabilities, ListChangedHandlers } from '../../types';
import type { ValidateResult } from '../guarding';
import { specSchema } from '../schema';
import type { CacheMode, ResponseCacheStore } from './cache';
import type { RequestOptions } from './context';
import { SdkError, SdkErrorCode } from './errors';
import type { ProtocolOptions } from './server';
import type { jsonSchemaValidator } from './standard';
import type { Tool } from './tool-types';

/** Which era is tried: `legacy` opens with a handshake, `auto` asks for the modern one first, or one revision. */
export type VersionNegotiationMode = 'legacy' | 'auto' | { pin: string };

/** How it is found out. */
export interface VersionNegotiationProbeOptions {
  /** How long the server may take to answer, in milliseconds. */
  timeoutMs?: number;
  /** Has no effect: the engine asks once. */
  maxRetries?: number;
}

/** Which era is tried, and how. */
export interface VersionNegotiationOptions {
  /** `legacy` if nothing is said. */
  mode?: VersionNegotiationMode;
  /** How it is found out. */
  probe?: VersionNegotiationProbeOptions;
}

/** How questions of servers are answered. */
export interface InputRequiredOptions {
  /** Whether the client's handlers answer them; they do unless this is `false`. */
  autoFulfill?: boolean;
  /** Most rounds of one call. */
  maxRounds?: number;
}

/** What a client is told at its start. */
export type ClientOptions = ProtocolOptions & {
  /** What this client can do for servers. */
  capabilities?: ClientCapabilities;
  /** Checks structured results of tools; the engine does unless told otherwise. */
  jsonSchemaValidator?: jsonSchemaValidator;
  /** Which era is tried. */
  versionNegotiation?: VersionNegotiationOptions | undefined;
  /** How questions of servers are answered. */
  inputRequired?: InputRequiredOptions;
  /** What to do when a server's lists change. */
  listChanged?: ListChangedHandlers;
  /** Most pages of a list; 64 if nothing is said, 0 for no bound. */
  listMaxPages?: number;
  /** Keeps results as long as servers allow; the engine does unless told otherwise. */
  responseCacheStore?: ResponseCacheStore;
  /** Whose results they are, where clients share a store. */
  cachePartition?: string;
  /** How long results are kept that say nothing of it, in milliseconds; with a store. */
  defaultCacheTtlMs?: number;
  /** Is given method, name and result before the caller gets a result, and says why it is refused. */
  validateResult?: ValidateResult;
  /** Options of the engine, by their names there, e.g. `{max_result_bytes: 1e6}`. */
  engine?: Record<string, unknown>;
};

/** What was learned of a server by an earlier client. */
export type PriorDiscovery = { kind: 'modern'; discover: DiscoverResult } | { kind: 'legacy' };

/** Whether what a program kept of a server can take the place of asking it. */
export function isPrior(prior: unknown): prior is PriorDiscovery {
  const { kind, discover, ...more } = (prior ?? {}) as { kind?: unknown; discover?: unknown; supportedVersions?: unknown };
  if (kind === 'legacy') return discover === undefined && more.supportedVersions === undefined;
  return kind === 'modern' && specSchema('DiscoverResult').safeParse(discover).success;
}

/** Says what it should have been. */
export function notPrior(): SdkError {
  const words = "connect({ prior }): unrecognized prior — expected { kind: 'modern', discover } or { kind: 'legacy' }";
  return new SdkError(SdkErrorCode.EraNegotiationFailed, words);
}

/** Options of `connect`. */
export type ConnectOptions = RequestOptions & {
  /** Takes the place of asking. */
  prior?: PriorDiscovery;
};

/** Options of requests whose results may be kept. */
export type CacheableRequestOptions = RequestOptions & {
  /** `use` what is kept, `refresh` it, or `bypass` it. */
  cacheMode?: CacheMode;
};

/** Options of `callTool`. */
export type CallToolRequestOptions = RequestOptions & {
  /** The tool as it was listed, where this client did not list it. */
  toolDefinition?: Tool;
};

function protocolOf(mode: VersionNegotiationMode | undefined): string | undefined {
  return typeof mode === 'object' ? mode.pin : mode;
}

/** The same, as the 1.x client and the engine have them. */
export function clientOptionsV1(options: ClientOptions): object {
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
      ...(input?.maxRounds !== undefined && { max_rounds: input.maxRounds }),
      ...engine,
    },
  };
}
