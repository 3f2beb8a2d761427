/** The call that is being answered. Owns: finding it from inside a handler. Must not know: what a call is. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call } from './contract';

let storage: AsyncLocalStorage<Call> | undefined;
let current: Call | undefined;

/**
 * Runs a handler. The call can be found within `body` itself and, if `tracked`, in all async code
 * that it starts. Tracking makes every promise of the process slightly slower.
 */
export function runAs<T>(call: Call, tracked: boolean, body: () => T): T {
  const before = current;
  current = call;
  try {
    return tracked ? (storage ??= new AsyncLocalStorage()).run(call, body) : body();
  } finally {
    current = before;
  }
}

/** The call whose handler is running; `undefined` if it is over. */
export function runningCall(): Call | undefined {
  const call = causingCall();
  return call === undefined || call.over ? undefined : call;
}

/** The call that started the running code; it may be over. */
export function causingCall(): Call | undefined {
  return current ?? storage?.getStore();
}
