/**
 * Which era an HTTP request is of, told as data. Owns: the answer for programs that route
 * requests by themselves. Must not know: who serves them.
 */
import type { JSONRPCNotification, JSONRPCRequest } from '../../types';
import { LATEST_MODERN } from '../../generated/protocol';
import { claimOf, isModernRequest } from './era';
import { ProtocolErrorCode } from './errors';

/** What is known of a request. */
export interface InboundHttpRequest {
  /** Its HTTP method. */
  httpMethod: string;
  /** The header `MCP-Protocol-Version`. */
  protocolVersionHeader?: string;
  /** The header `Mcp-Method`. */
  mcpMethodHeader?: string;
  /** The header `Mcp-Name`. */
  mcpNameHeader?: string;
  /** Its body, parsed. */
  body?: unknown;
}

/** Why a request is of an earlier revision. */
export type InboundLegacyRouteReason = 'http-method' | 'initialize' | 'no-claim' | 'notification' | 'batch' | 'response';

/** Which revision a message is of. */
export interface MessageClassification {
  era: 'legacy' | 'modern';
  /** The revision it names. */
  revision?: string;
}

/** A request of an earlier revision. */
export interface InboundLegacyRoute {
  kind: 'legacy';
  reason: InboundLegacyRouteReason;
  /** The revision it asks for. */
  requestedVersion?: string;
}

/** A modern message. */
export type InboundModernRoute =
  | { kind: 'modern'; messageKind: 'request'; message: JSONRPCRequest; classification: MessageClassification }
  | { kind: 'modern'; messageKind: 'notification'; message: JSONRPCNotification; classification: MessageClassification };

/** A request that makes no sense. */
export interface InboundLadderRejection {
  kind: 'reject';
  /** Which check it did not pass. */
  rung: string;
  cell: string;
  httpStatus: number;
  code: number;
  message: string;
  data?: unknown;
  settled: boolean;
}

/** What a request is. */
export type InboundClassificationOutcome = InboundLegacyRoute | InboundModernRoute | InboundLadderRejection;

function reject(rung: string, cell: string, message: string): InboundLadderRejection {
  return { kind: 'reject', rung, cell, httpStatus: 400, code: ProtocolErrorCode.InvalidRequest, message, settled: true };
}

/** The earlier revision a body asks for, and why it is taken for one. */
function legacyRoute(body: Record<string, unknown>): InboundLegacyRoute {
  const { method, id, params } = body as { method?: unknown; id?: unknown; params?: { protocolVersion?: unknown } };
  if (typeof method !== 'string') return { kind: 'legacy', reason: 'response' };
  if (method === 'initialize') {
    const wanted = params?.protocolVersion;
    return { kind: 'legacy', reason: 'initialize', ...(typeof wanted === 'string' && { requestedVersion: wanted }) };
  }
  return { kind: 'legacy', reason: id === undefined ? 'notification' : 'no-claim' };
}

/** Which era a request is of; the body decides, and the header where the body is silent. */
export function classifyInboundRequest(request: InboundHttpRequest): InboundClassificationOutcome {
  const { httpMethod, protocolVersionHeader, body } = request;
  if (httpMethod.toUpperCase() !== 'POST') return { kind: 'legacy', reason: 'http-method' };
  if (Array.isArray(body)) {
    const mixed = body.some((one) => claimOf(one) !== undefined);
    return mixed ? reject('jsonrpc-shape', 'modern-batch', 'Batches are not part of this revision') : { kind: 'legacy', reason: 'batch' };
  }
  if (typeof body !== 'object' || body === null) return reject('jsonrpc-shape', 'not-an-object', 'Invalid Request: the body is no JSON-RPC message');
  const message = body as Record<string, unknown>;
  if (!isModernRequest(message, protocolVersionHeader)) return legacyRoute(message);
  const revision = claimOf(message) ?? protocolVersionHeader ?? LATEST_MODERN;
  const classification: MessageClassification = { era: 'modern', revision };
  if (message['id'] === undefined) {
    return { kind: 'modern', messageKind: 'notification', message: message as unknown as JSONRPCNotification, classification };
  }
  return { kind: 'modern', messageKind: 'request', message: message as unknown as JSONRPCRequest, classification };
}
