/**
 * Services that the engine's HTTP server calls: authentication, and the event store. Owns: the
 * messages of the two services. Must not know: where requests come from.
 */
import { createHash } from 'node:crypto';
import type { AuthInfo } from '../../protocol/auth-info';
import type { EventStore } from './transport-options';
import type { JSONRPCMessage } from '../../protocol/types';
import type { Driver } from '../driver';
import { principalOf } from './carry';
import { grantOf } from './grants';
import type { Denied, HttpHandlerOptions } from './options';
import type { CallFacts } from '../server/contract';

/** How many beginnings of streams are remembered; stores return messages only. */
const MAX_BEGINNINGS = 10_000;
/** How many verdicts about requests are remembered. */
const MAX_VERDICTS = 10_000;

/** Registers a program's event store as a service. */
export function serveEvents(driver: Driver, store: EventStore): void {
  const beginnings = new Map<string, string>();
  driver.services.set('events.store', async ({ stream, message }: { stream: string; message: JSONRPCMessage | null }) => {
    const id = await store.storeEvent(stream, message ?? ({} as JSONRPCMessage));
    if (message === null) remember(beginnings, id, stream, MAX_BEGINNINGS);
    return JSON.stringify(id);
  });
  driver.services.set('events.replay', async ({ after }: { after: string }) => {
    const known = (await store.getStreamIdForEventId?.(after)) ?? 'unknown';
    if (store.getStreamIdForEventId !== undefined && known === 'unknown') return 'null';
    const rows: { id: string; message: JSONRPCMessage | null }[] = [];
    const stream = await store.replayEventsAfter(after, {
      send: async (id, message) => void rows.push({ id, message: beginnings.has(id) ? null : message }),
    });
    if (!stream) return 'null';
    for (const [id, its] of beginnings) if (its === stream) rows.push({ id, message: null });
    return JSON.stringify(rows);
  });
}

function remember<T>(known: Map<string, T>, key: string, value: T, most: number): void {
  known.delete(key);
  known.set(key, value);
  if (known.size > most) known.delete(known.keys().next().value as string);
}

interface HeadText {
  method: string;
  target: string;
  headers: [string, string][];
}

/** Headers that the engine does not keep of a call that has become a task: they are about its message. */
const OF_MESSAGE = /^(?:accept|accept-encoding|connection|content-encoding|content-length|content-type|expect|transfer-encoding|mcp-.*)$/;

/** The name of what was said of a request: a principal may have many at a time, each with a token of its own. */
function nameOf(principal: string, target: string | undefined, headers: [string, string][] | undefined): string {
  return createHash('sha256').update(JSON.stringify([principal, target, headers])).digest('base64');
}

/**
 * Registers a program's `verify` as a service; returns a lookup of what it said of the request that brought a
 * call. `running` are the calls that may still ask.
 */
export function serveVerifier(
  driver: Driver,
  verify: NonNullable<HttpHandlerOptions['verify']>,
  running: () => Iterable<Verified>,
): (facts: CallFacts) => AuthInfo | undefined {
  const known = new Map<string, AuthInfo>();
  /** Forgets the older half, but what a running call is about, which the call itself keeps then. */
  const forget = (): void => {
    for (const call of running()) void call.authInfo;
    let left = known.size / 2;
    for (const name of known.keys()) if (left-- > 0) known.delete(name);
  };
  driver.services.set('http.verify', async ({ method, target, headers }: HeadText) => {
    const said = await verify({ method, target, headers: new Headers(headers) });
    if (said === null) return '{"principal":null}';
    if ('status' in said) return JSON.stringify(said satisfies Denied);
    const principal = principalOf(said) as string;
    const lasting = headers.filter(([name]) => !OF_MESSAGE.test(name));
    for (const name of [nameOf(principal, target, lasting), nameOf(principal, target, headers)]) {
      known.delete(name);
      known.set(name, said);
    }
    if (known.size > MAX_VERDICTS) forget();
    return JSON.stringify({ principal, grant: grantOf(said) });
  });
  return ({ principal, target, headers }) => (principal === null ? undefined : known.get(nameOf(principal, target, headers)));
}

/** A call that looks up who sent it. */
interface Verified {
  readonly authInfo: AuthInfo | undefined;
}
