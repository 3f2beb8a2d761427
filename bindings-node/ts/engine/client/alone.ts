/**
 * The engine's transport without a session: whole messages to one server and back.
 *
 * Owns: its items and its lifetime. Must not know: what messages mean, whose transport it is.
 */
import { driver, snapshot, type EventItem, type Host, type Snapshot } from '../driver';
import { failureOf, type Failure } from '../failure';
import { native, type NativeTransport } from '../native';

/** Receives what comes from a transport. */
export interface AloneListener {
  /** Called with each message. */
  message(message: object): void;
  /** Called when a request will not be answered. */
  failed(id: unknown, failure: Failure): void;
  /** Called with anything else: a kind in one word, and a sentence. */
  remark(kind: string, words: string): void;
  /** Called when the transport is closed. */
  closed(failure: Failure | null): void;
}

/** A channel to one server, opened by the engine. */
export class AloneTransport implements Host {
  readonly snapshot: Snapshot = snapshot();
  readonly #driver = driver();
  readonly #listener: AloneListener;
  readonly #native: NativeTransport;
  readonly over: Promise<void>;
  #ended!: () => void;
  #isOver = false;

  /** Opens the channel; throws an error of the addon that holds a `Failure`. */
  constructor(target: object, listener: AloneListener) {
    this.#listener = listener;
    this.over = new Promise((resolve) => (this.#ended = resolve));
    this.#native = new native.Transport(JSON.stringify(target), this.#driver.inbox);
    this.#driver.serve(this.#native.id, this);
    this.#driver.hold();
  }

  /** The process id of the server; `null` if it is not a child process. */
  get pid(): number | null {
    return (JSON.parse(this.#native.describe()) as { process: number | null }).process;
  }

  /** Sends one message; throws if it is not valid. */
  send(message: object): void {
    try {
      this.#native.send(JSON.stringify(message));
    } catch (error) {
      const failure = failureOf(error);
      throw failure === undefined ? error : new Error(failure.message);
    }
  }

  /** Closes the channel; resolves when it is closed. */
  async close(): Promise<void> {
    this.#native.close();
    await this.over;
  }

  /** Never called: without a session there are no separate requests. */
  request(): void {}

  /** Never called: without a session there are no requests to cancel. */
  cancelled(): void {}

  /** Never called: notifications come as messages. */
  notification(): void {}

  event(item: EventItem): void {
    this.snapshot(() => this.take(item));
  }

  private take(item: EventItem): void {
    switch (item[0]) {
      case 'message': {
        const messages = (Array.isArray(item[2]) ? item[2] : [item[2]]) as object[];
        for (const message of messages) this.#listener.message(message);
        return;
      }
      case 'send_failed':
        return this.#listener.failed(item[2], item[3] as Failure);
      case 'log':
        return this.#listener.remark(item[2] as string, item[3] as string);
      case 'closed':
        return this.end((item[2] as Failure | undefined) ?? null);
    }
  }

  private end(failure: Failure | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#driver.leave(this.#native.id);
    this.#driver.release();
    this.#ended();
    this.#listener.closed(failure);
  }
}
