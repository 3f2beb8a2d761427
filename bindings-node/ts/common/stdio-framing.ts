/**
 * Messages as lines. Owns: cutting bytes into lines and reading each as a message. Must
 * not know: where the bytes come from.
 */
import { type JSONRPCMessage, JSONRPCMessageSchema } from '../protocol/types';

/** How many bytes without a line break are buffered by default: 10 MiB. */
export const STDIO_DEFAULT_MAX_BUFFER_SIZE: number = 10 * 1024 * 1024;

/** Buffers bytes and returns them as whole messages. */
export class ReadBuffer {
  private readonly _maxBufferSize: number;
  private _buffer: Buffer | undefined;

  /**
   * Creates an empty buffer. `maxBufferSize` is in bytes.
   * @param options - `maxBufferSize`: the longest message, in bytes. Default: 10 MiB.
   */
  constructor(options?: { maxBufferSize?: number }) {
    this._maxBufferSize = options?.maxBufferSize ?? STDIO_DEFAULT_MAX_BUFFER_SIZE;
  }

  /**
   * Adds bytes to the buffer.
   *
   * @param chunk - The bytes that were read.
   * @throws if the buffer would exceed its limit; it is emptied then.
   */
  append(chunk: Buffer): void {
    const before = this._buffer;
    if ((before?.length ?? 0) + chunk.length > this._maxBufferSize) {
      this.clear();
      throw new Error(`ReadBuffer exceeded maximum size of ${this._maxBufferSize} bytes`);
    }
    this._buffer = before === undefined ? chunk : Buffer.concat([before, chunk]);
  }

  /**
   * Removes and returns the next message; `null` if no line is complete.
   *
   * @throws if the next line is not a valid message; the line is dropped then.
   */
  readMessage(): JSONRPCMessage | null {
    const buffer = this._buffer;
    const end = buffer?.indexOf(0x0a) ?? -1;
    if (buffer === undefined || end < 0) return null;
    this._buffer = buffer.subarray(end + 1);
    const cut = end > 0 && buffer[end - 1] === 0x0d ? end - 1 : end;
    return deserializeMessage(buffer.toString('utf8', 0, cut));
  }

  /** Empties the buffer. */
  clear(): void {
    this._buffer = undefined;
  }
}

/**
 * Parses a line as a message.
 *
 * @param line - The line.
 * @throws if the line is not a valid JSON-RPC message.
 */
export function deserializeMessage(line: string): JSONRPCMessage {
  return JSONRPCMessageSchema.parse(JSON.parse(line)) as JSONRPCMessage;
}

/**
 * Serializes a message as a line, with the line break.
 * @param message - The message.
 */
export function serializeMessage(message: JSONRPCMessage): string {
  return `${JSON.stringify(message)}\n`;
}
