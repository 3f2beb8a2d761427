/**
 * The era of a request, before the engine sees it. Owns: reading it from a body and its headers.
 * Must not know: what is answered.
 */
import { MODERN_REVISIONS } from '../../generated/protocol';

/** The key in a request's `_meta` for the protocol revision. */
const VERSION = 'io.modelcontextprotocol/protocolVersion';

type Message = { method?: unknown; id?: unknown; params?: { _meta?: Record<string, unknown> } };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The revision that a message names. */
export function claimOf(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const meta = (body as Message).params?._meta;
  const claim = isObject(meta) ? meta[VERSION] : undefined;
  return typeof claim === 'string' ? claim : undefined;
}

/** Whether a request is modern: its body names a revision, or its header does if the body is silent. */
export function isModernRequest(body: unknown, header: string | null | undefined): boolean {
  if (Array.isArray(body) || !isObject(body)) return false;
  if (claimOf(body) !== undefined) return true;
  const { method } = body as Message;
  if (typeof method !== 'string' || method === 'initialize') return false;
  return typeof header === 'string' && MODERN_REVISIONS.includes(header);
}

/** The id to respond with in an error; null if the body has none. */
export function idOf(body: unknown): string | number | null {
  const { method, id } = (isObject(body) ? body : {}) as Message;
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null;
}
