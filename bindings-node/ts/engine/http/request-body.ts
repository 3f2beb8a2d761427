/** Request bodies. Owns: how much of a body is read. Must not know: what it means. */

/** The default limit of a request body, in bytes: 4 MiB. */
export const DEFAULT_MAX_REQUEST_BODY_SIZE: number = 4 * 1024 * 1024;
/** The largest number of messages in one batch. */
export const MAX_BATCH_SIZE = 100;

/**
 * The message of the 413 response to a body that is too large.
 * @param maxBytes - The largest body, in bytes.
 */
export function requestBodyTooLargeMessage(maxBytes: number): string {
  return `Payload Too Large: Request body must not exceed ${maxBytes} bytes`;
}

/**
 * The limit that an option stands for, in bytes; the default for `undefined`.
 *
 * @param value - The option, in bytes.
 * @throws {RangeError} If it is not a positive number.
 */
export function resolveMaxRequestBodySize(value: number | undefined): number {
  if (value === undefined) return DEFAULT_MAX_REQUEST_BODY_SIZE;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) {
    throw new RangeError(`maxRequestBodySize must be a positive number of bytes, got ${String(value)}`);
  }
  return value;
}

/**
 * Reads a body as text. A body whose `Content-Length` exceeds the limit is not read at all; any
 * other is read until it exceeds the limit.
 * @param request - The request.
 * @param maxBytes - The largest body, in bytes. Default: 4 MiB.
 */
export async function readRequestBody(
  request: Request,
  maxBytes: number = DEFAULT_MAX_REQUEST_BODY_SIZE,
): Promise<{ tooLarge: true } | { tooLarge: false; text: string }> {
  if (Number(request.headers.get('content-length')) > maxBytes) return { tooLarge: true };
  if (request.body === null) return { tooLarge: false, text: '' };
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let received = 0;
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      received += part.value.byteLength;
      if (received > maxBytes) return { tooLarge: true };
      text += decoder.decode(part.value, { stream: true });
    }
  } finally {
    reader.releaseLock();
  }
  return { tooLarge: false, text: text + decoder.decode() };
}
