/**
 * A server on standard streams. Owns: choosing who reads them: the engine, or, where a
 * program wrapped the object, JavaScript. Must not know: what messages mean.
 */
import type { Readable, Writable } from 'node:stream';
import { NATIVE } from '../internal/server-native';
import { endAfterSignal, endSoon } from '../internal/process-end';
import { isInput, streamWay, type StreamWay } from '../internal/server-stdio';
import { input, isInUse } from '../internal/standard-streams';
import { isAsWritten, written } from '../internal/written';
import { ReadBuffer, serializeMessage } from '../shared/stdio';
import type { Transport } from '../shared/transport';
import type { JSONRPCMessage } from '../types';

/** Reads messages from standard input and writes them to standard output. */
export class StdioServerTransport implements Transport {
  private readonly _given: { stdin?: Readable | undefined; stdout?: Writable | undefined };
  private readonly _readBuffer: ReadBuffer;
  private readonly _keepProcess: boolean;
  private _started = false;
  private _closed = false;
  private _way: StreamWay | undefined;

  /** Called when the connection is over. */
  onclose?: () => void;
  /** Called with what goes wrong. */
  onerror?: (error: Error) => void;
  /** Called with each message. */
  onmessage?: (message: JSONRPCMessage) => void;

  /**
   * On the process's own streams unless others are given.
   *
   * @param options - `maxBufferSize`: longest message, in bytes. `keepProcess`: whether the
   * process goes on when its own input has ended, where it would end a second later if it is
   * no other server besides.
   */
  constructor(stdin?: Readable, stdout?: Writable, options?: { maxBufferSize?: number; keepProcess?: boolean }) {
    this._given = { stdin, stdout };
    this._readBuffer = new ReadBuffer(options);
    this._keepProcess = options?.keepProcess ?? false;
  }

  /**
   * The engine's way around `start`, `send` and `onmessage`, where they are not watched.
   *
   * @internal
   */
  get [NATIVE](): StreamWay | undefined {
    if (this._started || this.onmessage !== undefined || !isUnwrapped(this)) return undefined;
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

  /** Begins to read from the input. */
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

  /** Hands over a message; `false` if none was waiting. */
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

  /** Writes a message; waits while nothing more can be written. */
  async send(message: JSONRPCMessage): Promise<void> {
    if (await this._way?.send(message)) return;
    if (this._stdout.write(serializeMessage(message))) return;
    await new Promise<void>((resolve) => this._stdout.once('drain', resolve));
  }
}

const WRITTEN = written(StdioServerTransport, ['send', 'start', 'close']);

/** Whether no method was replaced. */
function isUnwrapped(transport: StdioServerTransport): boolean {
  return isAsWritten(transport, WRITTEN);
}
