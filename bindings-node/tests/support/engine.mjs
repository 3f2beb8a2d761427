// The engine's testing verbs, and what is open in it. The only place where tests look
// behind the public names.
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { PROMISED } from './bounds.mjs';

const require = createRequire(import.meta.url);
const { driver } = require('../../dist/engine/driver.js');
const { native } = require('../../dist/engine/native.js');

/** Moves the engine's time forward by so many seconds; what is due by then happens. */
export function advance(seconds) {
  native.advance(seconds);
}

/** Whether nothing moves: nothing queued, every call completed or parked, no deadline due. */
export function settled() {
  driver().flush();
  return driver().inbox.settle(0);
}

/** What is still open when the turns that endings take are over: nothing, unless it leaks. */
export async function leftOpen() {
  const last = Date.now() + PROMISED;
  while (open().calls + open().waiting + open().connections > 0 && Date.now() < last) await setImmediate();
  return open();
}

/** What is open. */
export function open() {
  return { ...driver().counts(), engineCalls: driver().inbox.openCalls() };
}
