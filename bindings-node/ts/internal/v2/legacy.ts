/**
 * Requests of earlier revisions, for programs that serve them by themselves. Owns: telling
 * them apart, and serving them without sessions. Must not know: the modern era.
 */
import { readRequestBody, resolveMaxRequestBodySize } from '../../server/requestBody';
import { isModernRequest } from './era';
import { createMcpHandler, type McpHandlerRequestOptions, type McpServerFactory } from './endpoint';

/** Answers requests of earlier revisions. */
export type LegacyHttpHandler = (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;

/** How a body is read to tell. */
export interface IsLegacyRequestOptions {
  /** Largest body, in bytes; 4 MiB if nothing is said. */
  maxRequestBodySize?: number;
}

/** The same. */
export type LegacyStatelessFallbackOptions = IsLegacyRequestOptions;

/** Whether a request is of a revision with a handshake. Its body can still be read. */
export async function isLegacyRequest(request: Request, parsedBody?: unknown, options: IsLegacyRequestOptions = {}): Promise<boolean> {
  const limit = resolveMaxRequestBodySize(options.maxRequestBodySize);
  if (request.method !== 'POST') return true;
  const header = request.headers.get('mcp-protocol-version');
  if (parsedBody !== undefined) return !isModernRequest(parsedBody, header);
  const body = await readRequestBody(request.clone(), limit);
  if (body.tooLarge) return false;
  try {
    return !isModernRequest(JSON.parse(body.text), header);
  } catch {
    return true;
  }
}

/** Serves requests of earlier revisions, each on its own; anything else is refused. */
export function legacyStatelessFallback(
  factory: McpServerFactory,
  onerror?: (error: Error) => void,
  options: LegacyStatelessFallbackOptions = {},
): LegacyHttpHandler {
  const handler = createMcpHandler(factory, { ...options, ...(onerror !== undefined && { onerror }) });
  return (request, given) => handler.fetch(request, given);
}
