/**
 * Services that the engine's HTTP server calls: authentication, and the event store. Owns: the
 * messages of the two services. Must not know: where requests come from.
 */
import type { AuthInfo } from '../../protocol/auth-info';
import type { EventStore } from './transport-options';
import type { JSONRPCMessage } from '../../protocol/types';
import type { Driver } from '../driver';
import { principalOf } from './carry';
import { grantOf } from './grants';
import type { Denied, HttpHandlerOptions } from './options';

/** How many beginnings of streams are remembered; stores return messages only. */
const MAX_BEGINNINGS = 10_000;
/** How many principals are remembered with their tokens. */
const MAX_PRINCIPALS = 10_000;

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

/** Registers a program's `verify` as a service; returns a lookup of tokens by principal. */
export function serveVerifier(
  driver: Driver,
  verify: NonNullable<HttpHandlerOptions['verify']>,
): (principal: string) => AuthInfo | undefined {
  const known = new Map<string, AuthInfo>();
  driver.services.set('http.verify', async ({ method, target, headers }: HeadText) => {
    const said = await verify({ method, target, headers: new Headers(headers) });
    if (said === null) return '{"principal":null}';
    if ('status' in said) return JSON.stringify(said satisfies Denied);
    const principal = principalOf(said) as string;
    remember(known, principal, said, MAX_PRINCIPALS);
    return JSON.stringify({ principal, grant: grantOf(said) });
  });
  return (principal) => known.get(principal);
}
