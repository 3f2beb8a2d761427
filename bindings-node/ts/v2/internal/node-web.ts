/**
 * Converting between `node:http` and web-standard requests and responses. Owns: the conversion, and
 * the responses for requests that cannot be converted or whose handler failed. Must not know: who
 * answers.
 */
import { requestBodyTooLargeMessage, resolveMaxRequestBodySize } from '../../engine/http/request-body';
import { ProtocolErrorCode } from './errors';

/** The members of a `node:http` request that are used. */
export interface NodeIncomingMessageLike extends AsyncIterable<unknown> {
  /** The HTTP method. */
  method?: string;
  /** The path and the query. */
  url?: string;
  /** The headers. */
  headers: Record<string, string | string[] | undefined>;
  /** The validated access token, if a middleware set it. */
  auth?: unknown;
}

/** The members of a `node:http` response that are used. */
export interface NodeServerResponseLike {
  /**
   * @param statusCode - The HTTP status.
   * @param headers - The headers.
   */
  writeHead(statusCode: number, headers?: Record<string, string | string[]>): unknown;
  /**
   * @param chunk - The part to write.
   */
  write(chunk: string | Uint8Array): unknown;
  /**
   * @param chunk - The last part to write. Default: none.
   */
  end(chunk?: string | Uint8Array): unknown;
  /**
   * @param event - The name of the event.
   * @param listener - The function.
   */
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  /** Whether the connection is gone. */
  destroyed?: boolean;
}

/** A request whose body is larger than the limit. */
class RequestBodyTooLargeError extends Error {
  /** The HTTP status of the response. */
  readonly status = 413;
  override readonly name = 'RequestBodyTooLargeError';

  constructor(limit: number) {
    super(requestBodyTooLargeMessage(limit));
  }
}

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

async function bodyOf(req: NodeIncomingMessageLike, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(first(req.headers['content-length'])) > limit) throw new RequestBodyTooLargeError(limit);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of req) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : (part as Uint8Array);
    size += bytes.byteLength;
    if (size > limit) throw new RequestBodyTooLargeError(limit);
    parts.push(bytes);
  }
  return size === 0 ? undefined : new Uint8Array(Buffer.concat(parts, size));
}

/** The body that a parsed one stands for; the headers then describe it instead of what arrived. */
function writtenBody(parsed: unknown, headers: Headers): Uint8Array<ArrayBuffer> | undefined {
  headers.delete('content-encoding');
  headers.delete('transfer-encoding');
  const text = JSON.stringify(parsed) as string | undefined;
  if (text === undefined) {
    headers.delete('content-length');
    return undefined;
  }
  const bytes = new TextEncoder().encode(text);
  headers.set('content-length', String(bytes.byteLength));
  return bytes;
}

/** The headers without the pseudo-headers of HTTP/2, which are not header names elsewhere. */
function headersOf(req: NodeIncomingMessageLike): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (name.startsWith(':')) continue;
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  return headers;
}

/** Converts a request to a web-standard one. */
export async function webRequest(
  req: NodeIncomingMessageLike,
  parsed: unknown,
  options: { signal?: AbortSignal; maxRequestBodySize?: number },
): Promise<Request> {
  const limit = resolveMaxRequestBodySize(options.maxRequestBodySize);
  const headers = headersOf(req);
  const method = (req.method ?? 'GET').toUpperCase();
  const host = first(req.headers['host']) ?? first(req.headers[':authority']) ?? 'localhost';
  const target = req.url ?? '/';
  // A path may begin with two slashes; as a relative URL that would be another host.
  const url = new URL(target.startsWith('/') ? `http://${host}${target}` : target, `http://${host}`);
  const isBodiless = method === 'GET' || method === 'HEAD';
  const body = isBodiless ? undefined : parsed === undefined ? await bodyOf(req, limit) : writtenBody(parsed, headers);
  return new Request(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(options.signal !== undefined && { signal: options.signal }),
  });
}

/** The headers as `writeHead` takes them; each cookie is a header of its own. */
function headersFor(response: Response): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers.entries());
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 1) headers['set-cookie'] = cookies;
  return headers;
}

/**
 * Sends a web-standard response, no faster than the client reads it; `left` is aborted when the
 * client disconnects.
 */
export async function toResponse(response: Response, res: NodeServerResponseLike, left: AbortSignal): Promise<void> {
  res.writeHead(response.status, headersFor(response));
  const reader = response.body?.getReader();
  let release: (() => void) | undefined;
  const go = (): void => release?.();
  left.addEventListener('abort', () => void reader?.cancel().catch(() => undefined), { once: true });
  left.addEventListener('abort', go, { once: true });
  if (reader !== undefined) res.on('drain', go);
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    if (left.aborted) break;
    if (res.write(part.value) === false) await new Promise<void>((resolve) => (release = resolve));
  }
  res.end();
}

/** The id of a JSON-RPC request, for the answer when it fails; `null` for anything else. */
function answerableId(body: unknown): string | number | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const { method, id } = body as { method?: unknown; id?: unknown };
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null;
}

/** The response for a request that failed with this error. */
export function failedResponse(error: unknown, parsed: unknown): Response {
  if (error instanceof RequestBodyTooLargeError) {
    const body = { jsonrpc: '2.0', error: { code: -32000, message: error.message }, id: null };
    return Response.json(body, { status: error.status, headers: { connection: 'close' } });
  }
  const refused = { code: ProtocolErrorCode.InternalError, message: 'Internal server error' };
  return Response.json({ jsonrpc: '2.0', error: refused, id: answerableId(parsed) }, { status: 500 });
}

/** Whether a request was refused because of its size, which is an answer and not a failure. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof RequestBodyTooLargeError;
}
