/**
 * Streams of events that are resumed when they break.
 *
 * Owns: when a stream is reopened, and after which event. Must not know: how it is requested, what
 * its messages mean.
 */
import type { JSONRPCMessage } from '../../protocol/types';
import { readEvents } from '../../engine/client/fetch';
import { readMessages } from '../../engine/client/message';

/** How a stream is opened, and which id a response on it gets. */
export interface StreamOptions {
  resumptionToken?: string | undefined;
  onresumptiontoken?: ((token: string) => void) | undefined;
  replayMessageId?: string | number | undefined;
  onRequestStreamEnd?: (() => void) | undefined;
}

/** How streams are reopened after they break. Times are in milliseconds. */
export interface Reconnection {
  initialReconnectionDelay: number;
  maxReconnectionDelay: number;
  reconnectionDelayGrowFactor: number;
  maxRetries: number;
}

/** The transport that a stream belongs to. */
export interface StreamOwner {
  /** Requests the stream; `undefined` if the server has none. */
  get(lastEventId: string | undefined): Promise<ReadableStream<Uint8Array> | undefined>;
  message(message: JSONRPCMessage): void;
  fault(error: Error): void;
  /** Aborted when the transport is closed; `undefined` before it is started. */
  signal(): AbortSignal | undefined;
  policy: Reconnection;
}

/** One stream, over as many connections as it takes. */
export class HttpStream {
  readonly #owner: StreamOwner;
  #retry: number | undefined;

  constructor(owner: StreamOwner) {
    this.#owner = owner;
  }

  /** Opens the stream. Errors are reported and thrown. */
  async open(options: StreamOptions): Promise<void> {
    try {
      const body = await this.#owner.get(options.resumptionToken);
      if (body !== undefined) this.follow(body, options, true);
    } catch (error) {
      if (!this.isOver()) this.#owner.fault(error as Error);
      throw error;
    }
  }

  /** Reads a stream that is open. It is only reopened if it can be resumed. */
  follow(body: ReadableStream<Uint8Array>, options: StreamOptions, canResume: boolean): void {
    void this.read(body, options, canResume);
  }

  private async read(body: ReadableStream<Uint8Array>, options: StreamOptions, canResume: boolean): Promise<void> {
    const owner = this.#owner;
    let last: string | undefined;
    let isAnswered = false;
    try {
      await readEvents(body, {
        retry: (milliseconds) => (this.#retry = milliseconds),
        event: ({ name, id, data }) => {
          if (id !== null && id !== last) {
            last = id;
            canResume = true;
            options.onresumptiontoken?.(id);
          }
          if (data !== '' && name === 'message') isAnswered = this.deliver(data, options) || isAnswered;
        },
      });
    } catch (error) {
      if (!this.isOver()) owner.fault(new Error(`SSE stream disconnected: ${error}`));
    }
    if (this.isOver()) return;
    if (canResume && !isAnswered) this.again({ ...options, resumptionToken: last ?? options.resumptionToken }, 0);
    else options.onRequestStreamEnd?.();
  }

  /** Passes on the messages of an event; returns whether a response was among them. */
  private deliver(data: string, options: StreamOptions): boolean {
    let isAnswer = false;
    try {
      for (const message of readMessages(data)) {
        if ('result' in message) {
          isAnswer = true;
          if (options.replayMessageId !== undefined) message.id = options.replayMessageId;
        }
        this.#owner.message(message);
      }
    } catch (error) {
      this.#owner.fault(error as Error);
    }
    return isAnswer;
  }

  private again(options: StreamOptions, attempt: number): void {
    const owner = this.#owner;
    const { initialReconnectionDelay, reconnectionDelayGrowFactor, maxReconnectionDelay, maxRetries } = owner.policy;
    if (attempt >= maxRetries) {
      owner.fault(new Error(`Maximum reconnection attempts (${maxRetries}) exceeded.`));
      return;
    }
    const grown = initialReconnectionDelay * reconnectionDelayGrowFactor ** attempt;
    const signal = owner.signal();
    const stop = () => clearTimeout(timer);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      this.open(options).catch((error: Error) => {
        if (this.isOver()) return;
        owner.fault(new Error(`Failed to reconnect SSE stream: ${error.message}`));
        this.again(options, attempt + 1);
      });
    }, this.#retry ?? Math.min(grown, maxReconnectionDelay));
    signal?.addEventListener('abort', stop, { once: true });
  }

  private isOver(): boolean {
    return this.#owner.signal()?.aborted ?? true;
  }
}
