/** The `cause` of an error whose message is the official one. Owns: how it is printed. Must not know: what it says. */

/** Creates a cause that prints as one line, without a second stack. */
export function causeOf(words: string): Error {
  const cause = new Error(words);
  Object.defineProperty(cause, 'stack', { value: `Error: ${words}`, configurable: true, writable: true });
  return cause;
}
