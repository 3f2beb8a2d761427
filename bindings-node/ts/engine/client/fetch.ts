/**
 * HTTP with a function like `fetch`: redirects within an origin, streams of events.
 *
 * Owns: which redirects are followed, and turning bytes into events. Must not know: sessions, or
 * what events mean.
 */
import { readFileSync } from 'node:fs';
import type { FetchLike } from '../../protocol/transport';
import { native } from '../native';

/** How many redirects a request of a transport may follow. */
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const KEEP_METHOD = new Set([307, 308]);

/** Which redirects a transport follows: those within an origin, or all that `fetch` follows. */
export type RedirectPolicy = 'same-origin' | 'follow';

/** Whether a URL has the origin of another, or is its `https` form on the default port. */
export function isWithinOrigin(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname) return false;
  if (from.protocol === to.protocol) return from.port === to.port;
  return from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
}

function targetOf(response: Response, from: string | URL): URL | undefined {
  const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
  return location !== null && URL.canParse(location, String(from)) ? new URL(location, from) : undefined;
}

function mayFollow(status: number, init: RequestInit | undefined, from: URL, to: URL): boolean {
  const keepsMethod = KEEP_METHOD.has(status) || (init?.method ?? 'GET').toUpperCase() === 'GET';
  const newUser = to.username + to.password !== '' && (to.username !== from.username || to.password !== from.password);
  return keepsMethod && !newUser && isWithinOrigin(from, to);
}

/**
 * Returns a `fetch` that follows redirects only within the origin and with the same method. Other
 * redirects are returned as responses. Credentials never leave the origin.
 */
export function fetchWithinOrigin(base: FetchLike, most = MAX_REDIRECTS): FetchLike {
  return async (url, init) => {
    if (init?.redirect === 'error' || init?.redirect === 'manual') return base(url, init);
    let from = url;
    let response = await base(from, { ...init, redirect: 'manual' });
    for (let followed = 0; followed < most; followed++) {
      const to = targetOf(response, from);
      if (to === undefined || !mayFollow(response.status, init, new URL(from), to)) break;
      await response.body?.cancel();
      from = to;
      response = await base(from, { ...init, redirect: 'manual' });
    }
    return response;
  };
}

/** The error message for a redirect that was not followed; `undefined` for other responses. */
export function unfollowed(response: Response, url: string | URL, policy: RedirectPolicy): string | undefined {
  const text = redirectText(response, response.url || url);
  return text !== undefined && policy === 'same-origin' ? `${text} (redirectPolicy: 'same-origin')` : text;
}

function redirectText(response: Response, from: string | URL): string | undefined {
  if (response.type === 'opaqueredirect') {
    return 'Redirect not followed: this runtime does not expose the redirect target';
  }
  const to = targetOf(response, from);
  if (to === undefined) return undefined;
  to.username = to.password = to.search = to.hash = '';
  if (to.protocol === 'http:' && new URL(from).protocol === 'https:') {
    to.protocol = 'https:';
    return `Redirect to plain http not followed; try ${to.href} instead`;
  }
  return `Redirect to ${to.href} not followed`;
}

/** One event of a stream. */
export interface StreamEvent {
  /** The name of the event; `message` if it has none. */
  name: string;
  /** The latest event id of the stream. */
  id: string | null;
  data: string;
}

/** Receives what a stream contains. */
export interface EventTaker {
  event(event: StreamEvent): void;
  /** Called when the server says how long to wait before reconnecting, in milliseconds. */
  retry(milliseconds: number): void;
}

/** Reads a stream of events to its end; rejects if the stream breaks. */
export async function readEvents(body: ReadableStream<Uint8Array>, taker: EventTaker): Promise<void> {
  const events = new native.EventReader();
  const reader = body.getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    for (const [name, id, data] of JSON.parse(events.feed(value)) as [string, string | null, string | number][]) {
      if (name === 'retry' && typeof data === 'number') taker.retry(data * 1000);
      else if (name !== '') taker.event({ name, id, data: data as string });
    }
  }
}

/** The additional certificates that the environment has Node trust, so that the engine does too. */
export function trust(): { ca?: string } {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (!file) return {};
  try {
    return { ca: readFileSync(file, 'utf8') };
  } catch {
    // Node only prints a warning as well.
    return {};
  }
}
