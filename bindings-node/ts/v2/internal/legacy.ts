/**
 * Requests of the legacy era, for programs that route requests themselves. Owns: recognizing them,
 * and serving them without sessions. Must not know: the modern era.
 */
import { readRequestBody, resolveMaxRequestBodySize } from '../../engine/http/request-body';
import { isModernRequest } from './era';
import { createMcpHandler, type McpHandlerRequestOptions, type McpServerFactory } from './endpoint';

/** Handles requests of revisions before 2026-07-28. */
export type LegacyHttpHandler = (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;

/** Options of `isLegacyRequest`. */
export interface IsLegacyRequestOptions {
  /** The largest body, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/** Options of `legacyStatelessFallback`. */
export type LegacyStatelessFallbackOptions = IsLegacyRequestOptions;

/**
 * Whether a request is of a revision before 2026-07-28. So is each that is not a POST, or whose body is not
 * JSON; one that is too large is not. The body can still be read afterwards.
 * @param request - The request.
 * @param parsedBody - The body, if it has been parsed. Default: it is read from the request.
 * @param options - The largest body. Default: 4 MiB.
 */
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

/**
 * Creates a handler that serves requests of older revisions without sessions. Requests of 2026-07-28 are
 * served too, as by `createMcpHandler`.
 * @param factory - Makes the server for a request.
 * @param onerror - Called with errors. Default: they are ignored.
 * @param options - The largest body. Default: 4 MiB.
 */
export function legacyStatelessFallback(
  factory: McpServerFactory,
  onerror?: (error: Error) => void,
  options: LegacyStatelessFallbackOptions = {},
): LegacyHttpHandler {
  const handler = createMcpHandler(factory, { ...options, ...(onerror !== undefined && { onerror }) });
  return (request, given) => handler.fetch(request, given);
}
