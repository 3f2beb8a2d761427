/**
 * Types of 2.x clients that no other module defines. Owns: them. Must not know: anything that runs.
 * (differs: reconnection-scheduler)
 */

/**
 * Runs a reconnection when it is time, and may return a function that cancels it. The engine
 * reconnects by itself, with `reconnectionOptions`, and calls none.
 */
export type ReconnectionScheduler = (reconnect: () => void, delay: number, attemptCount: number) => (() => void) | void;
