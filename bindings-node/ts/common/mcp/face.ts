/**
 * What a face decides for tools, prompts and resources. Owns: the type. Must not know: the faces,
 * each of which passes one such object to its high-level server.
 */

/** The errors, messages and rules of one face. */
export interface Face {
  /** The error for a request that is not valid, with a JSON-RPC error code. */
  fault(code: number, text: string, data?: unknown): Error;
  /** The error for a resource that does not exist; `modern` if the request is of the modern era. */
  unknownResource(uri: string, modern: boolean): Error;
  /** Whether an error of a tool is passed to the client as an error of the protocol. */
  passes(error: unknown): boolean;
  /** Whether an error's message is meant for the model, or is about the arguments. */
  isMeant(error: unknown): boolean;
  /** Describes why a value is not valid. */
  explain(parsed: { error: unknown }): string;
  /** Whether a tool's result is what its output schema describes, if the call did not fail. */
  hasOutput(result: object): boolean;
  /** Whether it is the 2.x face: it lists schemas as draft 2020-12, and its handles know the names they gave. */
  readonly modern: boolean;
}
