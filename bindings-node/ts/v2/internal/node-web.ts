/**
 * Converting between `node:http` and web-standard requests and responses. Owns: the conversion.
 * Must not know: who answers.
 */
import { requestBodyTooLargeMessage, resolveMaxRequestBodySize } from '../../engine/http/request-body';

/** The members of a `node:http` request that are used. */
export interface NodeIncomingMessageLike extends AsyncIterable<unknown> {
  method?: string;
  url?: string;
  headers: Record<string, string | string[] | undefined>;
  /** The validated access token, if a middleware set it. */
  auth?: unknown;
}

/** The members of a `node:http` response that are used. */
export interface NodeServerResponseLike {
  writeHead(statusCode: number, headers?: Record<string, string>): unknown;
  write(chunk: string | Uint8Array): unknown;
  end(chunk?: string | Uint8Array): unknown;
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  destroyed?: boolean;
}

async function bodyOf(req: NodeIncomingMessageLike, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of req) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : (part as Uint8Array);
    size += bytes.byteLength;
    if (size > limit) throw new RangeError(requestBodyTooLargeMessage(limit));
    parts.push(bytes);
  }
  return new Uint8Array(Buffer.concat(parts, size));
}

/** Converts a request to a web-standard one. */
export async function webRequest(
  req: NodeIncomingMessageLike,
  parsed: unknown,
  options: { signal?: AbortSignal; maxRequestBodySize?: number },
): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, one);
  }
  const method = (req.method ?? 'GET').toUpperCase();
  const url = new URL(req.url ?? '/', `http://${headers.get('host') ?? 'localhost'}`);
  const bodiless = method === 'GET' || method === 'HEAD';
  const limit = resolveMaxRequestBodySize(options.maxRequestBodySize);
  const body = bodiless ? undefined : parsed === undefined ? await bodyOf(req, limit) : JSON.stringify(parsed);
  return new Request(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(options.signal !== undefined && { signal: options.signal }),
  });
}

/** Sends a web-standard response. */
export async function toResponse(response: Response, res: NodeServerResponseLike): Promise<void> {
  res.writeHead(response.status, Object.fromEntries(response.headers.entries()));
  const reader = response.body?.getReader();
  res.on('close', () => void reader?.cancel().catch(() => undefined));
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    if (res.destroyed) break;
    res.write(part.value);
  }
  res.end();
}
