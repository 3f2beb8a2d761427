/**
 * What a request of the modern era says about its sender in `_meta`. Owns: its members, and taking
 * them out of what handlers are given. Must not know: which handler answers.
 */
import type { Call } from '../../engine/server/contract';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const INFO = 'io.modelcontextprotocol/clientInfo';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel';
const MEMBERS = [VERSION, INFO, CAPABILITIES, LOG_LEVEL];

/** What a call says about its sender, as its context shows it. */
export function envelopeOf(live: Call | undefined): Record<string, unknown> | undefined {
  if (live === undefined || live.facts.era !== 'modern') return undefined;
  const { revision, clientInfo, clientCapabilities, meta } = live.facts;
  const level = meta[LOG_LEVEL];
  return {
    [VERSION]: revision,
    ...(clientInfo !== null && { [INFO]: clientInfo }),
    [CAPABILITIES]: clientCapabilities ?? {},
    ...(level !== undefined && { [LOG_LEVEL]: level }),
  };
}

/** A message's `_meta` without those members; `undefined` if nothing is left of it. */
export function metaOf<T extends object>(meta: T | undefined): T | undefined {
  if (typeof meta !== 'object' || meta === null || !MEMBERS.some((name) => name in meta)) return meta;
  const rest = Object.entries(meta).filter(([name]) => !MEMBERS.includes(name));
  return rest.length === 0 ? undefined : (Object.fromEntries(rest) as T);
}

/** A message as its handler is given it. */
export function withoutEnvelope<T extends { params?: unknown }>(message: T): T {
  const params = message.params as { _meta?: object } | undefined;
  const given = params?._meta;
  const meta = metaOf(given);
  if (meta === given) return message;
  const { _meta: _, ...rest } = params!;
  return { ...message, params: meta === undefined ? rest : { ...rest, _meta: meta } };
}
