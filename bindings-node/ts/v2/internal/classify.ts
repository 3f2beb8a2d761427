/**
 * The era of an HTTP request, as data. Owns: the decision, for programs that route requests
 * themselves. Must not know: who serves them.
 */
import type { JSONRPCNotification, JSONRPCRequest } from '../../protocol/types';
import { LATEST_MODERN } from '../../generated/protocol';
import { claimOf, isModernRequest } from './era';
import { ProtocolErrorCode } from './errors';

/** The parts of an HTTP request that decide whether it is of 2026-07-28 or of an older revision. */
export interface InboundHttpRequest {
  /** The HTTP method. */
  httpMethod: string;
  /** The header `MCP-Protocol-Version`. */
  protocolVersionHeader?: string;
  /** The header `Mcp-Method`. */
  mcpMethodHeader?: string;
  /** The header `Mcp-Name`. */
  mcpNameHeader?: string;
  /** The parsed body. Default: there is none. */
  body?: unknown;
}

/** Why a request counts as one of a revision before 2026-07-28. */
export type InboundLegacyRouteReason = 'http-method' | 'initialize' | 'no-claim' | 'notification' | 'batch' | 'response';

/** Whether a message is of 2026-07-28 or of an older revision, and the revision that it names. */
export interface MessageClassification {
  /** `modern` from 2026-07-28 on; `legacy` before. */
  era: 'legacy' | 'modern';
  /** The revision that the message names; absent if it names none. */
  revision?: string;
}

/** A request of a revision before 2026-07-28. */
export interface InboundLegacyRoute {
  /** Always `legacy`. */
  kind: 'legacy';
  /** Why it counts as one of an older revision. */
  reason: InboundLegacyRouteReason;
  /** The revision that the request names; absent if it names none. */
  requestedVersion?: string;
}

/** A request or notification of 2026-07-28 or later. */
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
  /** Which case of the check failed, by name. */
  cell: string;
  /** The HTTP status to answer with. */
  httpStatus: number;
  /** The JSON-RPC code of the error. */
  code: number;
  /** What is wrong. */
  message: string;
  /** Further data of the error. */
  data?: unknown;
  /** Whether no other check could decide otherwise. */
  settled: boolean;
}

/** What `classifyInboundRequest` returns: a request of an older revision, of 2026-07-28, or one to refuse. */
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
 * Finds out whether a request is of 2026-07-28 or of an older revision: by its body, or by its header if
 * the body names no revision.
 * @param request - The HTTP method, the headers and the parsed body.
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
