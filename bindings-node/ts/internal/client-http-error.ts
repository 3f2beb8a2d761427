/** The error of streamable HTTP. Owns: its class. Must not know: transports. */

/** A server answered a request with a status that is no success. */
export class StreamableHTTPError extends Error {
  /** The status; -1 if the answer cannot be read. */
  readonly code: number | undefined;

  /** An error with a status. */
  constructor(code: number | undefined, message: string | undefined) {
    super(`Streamable HTTP error: ${message}`);
    this.code = code;
  }
}
