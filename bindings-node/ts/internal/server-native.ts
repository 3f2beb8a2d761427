/**
 * The engine's own way into a transport. Owns: the key under which our transports offer
 * it. Must not know: any transport.
 */
import type { ServerHost } from './server-host';

/** Where a transport of ours says how the engine serves it; absent if it was wrapped. */
export const NATIVE: unique symbol = Symbol('mcpbolt.native');

/** How the engine serves a transport. */
export interface NativeWay {
  /** Begins. Called once; `host` answers what comes. */
  serve(host: ServerHost): void | Promise<void>;
}

/** The engine's way into a transport, if it has one. */
export function nativeWay(transport: object): NativeWay | undefined {
  return (transport as { [NATIVE]?: NativeWay })[NATIVE];
}
