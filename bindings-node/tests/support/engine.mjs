// The engine's testing verbs, and what is open in it. The only place where tests look
// behind the public names.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { driver } = require('../../dist/internal/driver.js');
const { native } = require('../../dist/internal/native.js');

/** Moves the engine's time forward by so many seconds; what is due by then happens. */
export function advance(seconds) {
  native.advance(seconds);
}

/** Whether nothing moves: nothing queued, every call completed or parked, no deadline due. */
export function settled() {
  driver().flush();
  return driver().inbox.settle(0);
}

/** What is open. */
export function open() {
  return { ...driver().counts(), engineCalls: driver().inbox.openCalls() };
}
