/**
 * The era of an HTTP request, as data. Owns: the decision, for programs that route requests
 * themselves. Must not know: who serves them.
 */
import type { JSONRPCNotification, JSONRPCRequest } from '../../protocol/types';
import { LATEST_MODERN } from '../../generated/protocol';
import { claimOf, isModernRequest } from './era';
import { ProtocolErrorCode } from './errors';

/** The parts of an HTTP request that decide its era. */
export interface InboundHttpRequest {
  /** The HTTP method. */
  httpMethod: string;
  /** The header `MCP-Protocol-Version`. */
  protocolVersionHeader?: string;
  /** The header `Mcp-Method`. */
  mcpMethodHeader?: string;
  /** The header `Mcp-Name`. */
  mcpNameHeader?: string;
  /** The parsed body. */
  body?: unknown;
}

/** Why a request belongs to the legacy era. */
export type InboundLegacyRouteReason = 'http-method' | 'initialize' | 'no-claim' | 'notification' | 'batch' | 'response';

/** The era and revision of a message. */
export interface MessageClassification {
  /** The era of the message. */
  era: 'legacy' | 'modern';
  /** The revision that the message names. */
  revision?: string;
}

/** A request of the legacy era. */
export interface InboundLegacyRoute {
  /** Always `legacy`. */
  kind: 'legacy';
  /** Why it is of the legacy era. */
  reason: InboundLegacyRouteReason;
  /** The revision that the request names. */
  requestedVersion?: string;
}

/** A request or notification of the modern era. */
export type InboundModernRoute =
  | { kind: 'modern'; messageKind: 'request'; message: JSONRPCRequest; classification: MessageClassification }
  | { kind: 'modern'; messageKind: 'notification'; message: JSONRPCNotification; classification: MessageClassification };

/** The checks of a request, in their order. */
export type InboundValidationRung =
  | 'http-method'
  | 'jsonrpc-shape'
  | 'era-classification'
  | 'envelope'
  | 'method-registry'
  | 'request-params'
  | 'standard-header-validation'
  | 'client-capabilities'
  | 'param-header-validation';

/** A request that must be refused. */
export interface InboundLadderRejection {
  /** Always `reject`. */
  kind: 'reject';
  /** The check that failed. */
  rung: InboundValidationRung;
  /** Which case of the check it was. */
  cell: string;
  /** The HTTP status to answer with. */
  httpStatus: number;
  /** The code of the error. */
  code: number;
  /** What is wrong. */
  message: string;
  /** Further data of the error. */
  data?: unknown;
  /** Whether no other check could decide otherwise. */
  settled: boolean;
}

/** The outcome: legacy, modern, or refused. */
export type InboundClassificationOutcome = InboundLegacyRoute | InboundModernRoute | InboundLadderRejection;

function reject(rung: InboundValidationRung, cell: string, message: string): InboundLadderRejection {
  return { kind: 'reject', rung, cell, httpStatus: 400, code: ProtocolErrorCode.InvalidRequest, message, settled: true };
}

/** The legacy revision that a body asks for, and the reason for the decision. */
function legacyRoute(body: Record<string, unknown>): InboundLegacyRoute {
  const { method, id, params } = body as { method?: unknown; id?: unknown; params?: { protocolVersion?: unknown } };
  if (typeof method !== 'string') return { kind: 'legacy', reason: 'response' };
  if (method === 'initialize') {
    const wanted = params?.protocolVersion;
    return { kind: 'legacy', reason: 'initialize', ...(typeof wanted === 'string' && { requestedVersion: wanted }) };
  }
  return { kind: 'legacy', reason: id === undefined ? 'notification' : 'no-claim' };
}

/**
 * Decides the era of a request: by its body, or by its header if the body names no revision.
 * @param request - The method, the headers and the body.
 */
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
