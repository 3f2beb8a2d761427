/**
 * What 1.x transports refuse, and the responses. Owns: all checks of a request that do not need its
 * session. Must not know: sessions or streams.
 */
import { MAX_BATCH_SIZE, requestBodyTooLargeMessage } from './request-body';
import type { WebStandardStreamableHTTPServerTransportOptions } from './transport-options';
import { isJsonContentType } from '../../protocol/media-type';
import { SUPPORTED_PROTOCOL_VERSIONS } from '../../protocol/types';
import type { Exchange } from './exchange';
import { kindOf, type MessageKind } from './message';

/** The content type of responses that are not streams. */
export const JSON_TYPE: [name: string, value: string] = ['content-type', 'application/json'];
/** Removes a byte order mark, and replaces bytes that are not valid UTF-8. */
const DECODER = new TextDecoder();

/** A request that is refused. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }

  /** The body of the response. */
  text(): string {
    const error: { code: number; message: string; data?: unknown } = { code: this.code, message: this.message };
    if (this.data !== undefined) error.data = this.data;
    return JSON.stringify({ jsonrpc: '2.0', error, id: null });
  }
}

/** The session is closed. */
export const LOST = new Refusal(404, -32001, 'Session not found');

/** The hosts and origins that a transport accepts. */
type Allowed = Pick<WebStandardStreamableHTTPServerTransportOptions, 'enableDnsRebindingProtection' | 'allowedHosts' | 'allowedOrigins'>;

/** Why a request is not from an accepted host or origin; `undefined` if it is, or if the options do not ask. */
export function hostFault(host: string | null | undefined, origin: string | undefined, allowed: Allowed): string | undefined {
  const { enableDnsRebindingProtection, allowedHosts = [], allowedOrigins = [] } = allowed;
  if (!enableDnsRebindingProtection) return undefined;
  if (allowedHosts.length > 0 && (!host || !allowedHosts.includes(host))) return `Invalid Host header: ${host}`;
  const isForeign = allowedOrigins.length > 0 && origin && !allowedOrigins.includes(origin);
  return isForeign ? `Invalid Origin header: ${origin}` : undefined;
}

/** Refuses foreign hosts and origins, if the options ask for it. */
export function checkHost(exchange: Exchange, options: Allowed): void {
  const fault = hostFault(exchange.header('host') ?? null, exchange.header('origin'), options);
  if (fault !== undefined) throw new Refusal(403, -32000, fault);
}

/** Refuses unknown revisions. */
export function checkVersion(exchange: Exchange): void {
  const version = exchange.header('mcp-protocol-version');
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return;
  const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  throw new Refusal(400, -32000, `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported})`);
}

/** Refuses posts that are not JSON, and clients that do not accept the response types. */
export function checkPost(exchange: Exchange): void {
  const accept = exchange.header('accept');
  if (!accept?.includes('application/json') || !accept.includes('text/event-stream')) {
    throw new Refusal(406, -32000, 'Not Acceptable: Client must accept both application/json and text/event-stream');
  }
  if (!isJsonContentType(exchange.header('content-type'))) {
    throw new Refusal(415, -32000, 'Unsupported Media Type: Content-Type must be application/json');
  }
}

/** Reads a body as JSON; returns the value and the text. */
export async function readJson(exchange: Exchange, maxBytes: number): Promise<[value: unknown, text: string]> {
  const body = await exchange.read(maxBytes);
  if (body === 'tooLarge') throw new Refusal(413, -32000, requestBodyTooLargeMessage(maxBytes));
  try {
    const text = DECODER.decode(body === 'broken' ? undefined : body);
    return [JSON.parse(text), text];
  } catch {
    throw new Refusal(400, -32700, 'Parse error: Invalid JSON');
  }
}

/** The messages of a body, and the kind of each. */
export function checkMessages(value: unknown): [batch: unknown[], kinds: MessageKind[]] {
  const batch = Array.isArray(value) ? (value as unknown[]) : [value];
  if (Array.isArray(value) && batch.length > MAX_BATCH_SIZE) {
    throw new Refusal(400, -32600, `Invalid Request: Batch must not exceed ${MAX_BATCH_SIZE} messages`);
  }
  const kinds = batch.map(kindOf);
  if (kinds.includes(undefined)) throw new Refusal(400, -32700, 'Parse error: Invalid JSON-RPC message');
  return [batch, kinds as MessageKind[]];
}
