/**
 * What stands beside the official words of an error. Owns: how it is printed. Must not know:
 * what it says.
 */

/** A cause of one line: printing the error shows its message, not another stack. */
export function causeOf(words: string): Error {
  const cause = new Error(words);
  Object.defineProperty(cause, 'stack', { value: `Error: ${words}`, configurable: true, writable: true });
  return cause;
}
