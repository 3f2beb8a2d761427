/**
 * Bodies of requests. Owns: reading one up to a limit. Must not know: what is in it.
 */

/** Largest body unless something else is said, in bytes. */
export const DEFAULT_MAX_REQUEST_BODY_SIZE = 4 * 1024 * 1024;

/** What is said of a larger one. */
export function tooLargeText(limit: number): string {
  return `Payload Too Large: Request body must not exceed ${limit} bytes`;
}

/** The text of a body, unless it is too large; the rest of that is not read. */
export async function readRequestBody(
  request: Request,
  maxBytes: number = DEFAULT_MAX_REQUEST_BODY_SIZE,
): Promise<{ tooLarge: true } | { tooLarge: false; text: string }> {
  if (Number(request.headers.get('content-length')) > maxBytes) return { tooLarge: true };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    size += read.value.byteLength;
    if (size > maxBytes) {
      await reader?.cancel();
      return { tooLarge: true };
    }
    chunks.push(read.value);
  }
  return { tooLarge: false, text: Buffer.concat(chunks).toString('utf8') };
}
