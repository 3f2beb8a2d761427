/**
 * A server on standard streams. Owns: choosing who reads them: the engine, or JavaScript if a
 * program wrapped the object. Must not know: what messages mean.
 */
import type { Readable, Writable } from 'node:stream';
import { NATIVE } from '../../engine/server/native-way';
import { endAfterSignal, endSoon } from '../../engine/process-end';
import { isInput, streamWay, type StreamWay } from '../../engine/server/stdio';
import { input, isInUse } from '../../engine/server/standard-streams';
import { isAsWritten, written } from '../../engine/written';
import { ReadBuffer, serializeMessage } from '../stdio-framing';
import type { Transport } from '../../protocol/transport';
import type { JSONRPCMessage } from '../../protocol/types';

/** Server transport over standard input and output. */
export class StdioServerTransport implements Transport {
  private readonly _given: { stdin?: Readable | undefined; stdout?: Writable | undefined };
  private readonly _readBuffer: ReadBuffer;
  private readonly _keepProcess: boolean;
  private _started = false;
  private _closed = false;
  private _way: StreamWay | undefined;
  private readonly _isBounded: boolean;

  /** Called when the connection is closed. */
  onclose?: () => void;
  /** Called with each error. */
  onerror?: (error: Error) => void;
  /** Called with each message from the client. */
  onmessage?: (message: JSONRPCMessage) => void;

  /**
   * Creates a transport. Pass it to `connect` of a server.
   *
   * @param stdin - The stream to read messages from. Default: the process's standard input.
   * @param stdout - The stream to write messages to. Default: the process's standard output.
   * @param options - `maxBufferSize`: the longest message, in bytes. `keepProcess`: whether the process
   * keeps running after its standard input has ended; by default it exits a second later, unless it runs
   * another server too. Default: none.
   */
  constructor(stdin?: Readable, stdout?: Writable, options?: { maxBufferSize?: number; keepProcess?: boolean }) {
    this._given = { stdin, stdout };
    this._readBuffer = new ReadBuffer(options);
    // The engine has a bound for all connections of a server; this one is of these streams.
    this._isBounded = options?.maxBufferSize !== undefined;
    this._keepProcess = options?.keepProcess ?? false;
  }

  /**
   * Lets the engine read the streams directly; `undefined` if a program wraps the transport.
   *
   * @internal
   */
  get [NATIVE](): StreamWay | undefined {
    if (this._started || this._isBounded || this.onmessage !== undefined || !isUnwrapped(this)) return undefined;
    this._started = true;
    const isWrapped = (): boolean => !isUnwrapped(this);
    return (this._way = streamWay(this, {
      given: this._given,
      keepProcess: this._keepProcess,
      isWrapped,
      read: () => this._read(),
    }));
  }

  private get _stdin(): Readable {
    return this._given.stdin ?? input();
  }

  private get _stdout(): Writable {
    return this._given.stdout ?? process.stdout;
  }

  /** Starts reading. */
  async start(): Promise<void> {
    if (this._started) {
      throw new Error(
        'StdioServerTransport already started! If using Server class, note that connect() calls start() automatically.',
      );
    }
    this._started = true;
    this._read();
    if (!this._keepProcess && isInput(this._given.stdin)) this._stdin.once('end', () => this._closed || endSoon());
  }

  private _read(): void {
    this._stdin.on('data', this._ondata);
    this._stdin.on('error', this._onerror);
  }

  private readonly _ondata = (chunk: Buffer): void => {
    try {
      this._readBuffer.append(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      void this.close();
      return;
    }
    while (this.next());
  };

  private readonly _onerror = (error: Error): void => this.onerror?.(error);

  /** Delivers the next buffered message; returns `false` if there is none. */
  private next(): boolean {
    try {
      const message = this._readBuffer.readMessage();
      if (message === null) return false;
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
    return true;
  }

  /** Stops reading and ends the connection. */
  async close(): Promise<void> {
    if (!this._keepProcess && isInput(this._given.stdin)) endAfterSignal(() => (isInUse() ? undefined : this._stdin));
    if (this._closed || (await this._way?.close())) return;
    this._closed = true;
    this._stdin.off('data', this._ondata);
    this._stdin.off('error', this._onerror);
    if (this._stdin.listenerCount('data') === 0) this._stdin.pause();
    this._readBuffer.clear();
    this.onclose?.();
  }

  /**
   * Writes a message; resolves when the stream can take more.
   * @param message - The message.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (await this._way?.send(message)) return;
    if (this._stdout.write(serializeMessage(message))) return;
    await new Promise<void>((resolve) => this._stdout.once('drain', resolve));
  }
}

const WRITTEN = written(StdioServerTransport, ['send', 'start', 'close']);

/** Whether the program replaced none of the transport's methods. */
function isUnwrapped(transport: StdioServerTransport): boolean {
  return isAsWritten(transport, WRITTEN);
}
