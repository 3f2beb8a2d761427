/**
 * Requests of authorization and their answers. Owns: that redirects, sizes and times stay within
 * what the engine allows. Must not know: what is asked, and what an answer means.
 */
import { fetchWithinOrigin } from '../../engine/client/fetch';
import type { FetchLike } from '../../protocol/transport';
import { decide } from './decisions';
import { OAuthClientFlowError } from './flow-errors';

/** Longest time that one request may take, redirects and body included: as for those of the engine. */
const TIMEOUT_MS = 30_000;

/** What is sent: a question for a document, or credentials. */
type Carried = 'document' | 'credentials';

interface Rules {
  max_bytes: number;
  max_redirects: number;
}

const known = new Map<Carried, Rules>();

function rulesOf(what: Carried): Rules {
  const rules = known.get(what) ?? decide<Rules>('fetch_rules', { credentials: what === 'credentials' });
  known.set(what, rules);
  return rules;
}

/**
 * Returns a `fetch` that gives up in time, and follows the redirects which such a request may follow. Others
 * are returned as responses.
 */
export function carrying(what: Carried, fetchFn: FetchLike = fetch): FetchLike {
  const send = fetchWithinOrigin(fetchFn, rulesOf(what).max_redirects);
  return (url, init) => send(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
}

/**
 * Reads the body of a response as text.
 * @throws {OAuthClientFlowError} if it is larger than any such answer has to be; the rest is not read.
 */
export async function textOf(response: Response): Promise<string> {
  const bytes = await bytesOf(response);
  return bytes === undefined ? response.text() : new TextDecoder().decode(bytes);
}

/** The same as a value of JSON. @throws also if it is none. */
export async function jsonOf(response: Response): Promise<unknown> {
  const bytes = await bytesOf(response);
  return bytes === undefined ? response.json() : (JSON.parse(new TextDecoder().decode(bytes)) as unknown);
}

/** The same for who reads it as JSON if the response is a success, and as text if not. */
export async function bodyOf(response: Response): Promise<Buffer> {
  const bytes = await bytesOf(response);
  return bytes ?? Buffer.from(response.ok ? JSON.stringify(await response.json()) : await response.text());
}

/** `undefined` where a program's `fetch` answers without a stream: then there is nothing left to hold back. */
async function bytesOf(response: Response): Promise<Buffer | undefined> {
  const stream = response.body as ReadableStream<Uint8Array> | null | undefined;
  if (typeof stream?.getReader !== 'function') return undefined;
  const most = rulesOf('document').max_bytes;
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  for (let size = 0; ; ) {
    const { value, done } = await reader.read();
    if (done) return Buffer.concat(pieces);
    size += value.byteLength;
    pieces.push(value);
    if (size <= most) continue;
    await reader.cancel();
    throw new OAuthClientFlowError(`The answer of ${response.url || 'a server'} was cut off: it may have ${most} bytes`);
  }
}
