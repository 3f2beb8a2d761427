/**
 * How the engine handles a transport directly. Owns: the member through which our transports offer
 * it. Must not know: any transport.
 */
import type { ServerHost } from './host';

/** The member in which our transports say how the engine serves them; `undefined` if wrapped. */
export const NATIVE: unique symbol = Symbol('mcpbolt.native');

/** How the engine serves a transport. */
export interface NativeWay {
  /** Starts serving. Called once; `host` answers what comes. */
  serve(host: ServerHost): void | Promise<void>;
}

/** How the engine serves a transport directly; `undefined` if it cannot. */
export function nativeWay(transport: object): NativeWay | undefined {
  return (transport as { [NATIVE]?: NativeWay })[NATIVE];
}
