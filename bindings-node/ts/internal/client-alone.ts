/**
 * The engine's transport without a session: whole messages to one server and back.
 *
 * Owns: its items, its life. Must not know: what messages mean, whose transport it is.
 */
import { driver, snapshot, type EventItem, type Host, type Snapshot } from './driver';
import { failureOf, type Failure } from './failure';
import { native, type NativeTransport } from './native';

/** Who hears what comes of a transport. */
export interface AloneListener {
  /** Messages, one at a time. */
  message(message: object): void;
  /** A request will not be answered. */
  failed(id: unknown, failure: Failure): void;
  /** Something else: a kind in one word, and a sentence. */
  remark(kind: string, words: string): void;
  /** It is over. */
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

  /** Opens it; throws a `Failure` in what the addon throws. */
  constructor(target: object, listener: AloneListener) {
    this.#listener = listener;
    this.over = new Promise((resolve) => (this.#ended = resolve));
    this.#native = new native.Transport(JSON.stringify(target), this.#driver.inbox);
    this.#driver.serve(this.#native.id, this);
    this.#driver.hold();
  }

  /** The number of its process; `null` if it has none. */
  get pid(): number | null {
    return (JSON.parse(this.#native.describe()) as { process: number | null }).process;
  }

  /** Sends one message; throws what is wrong with it. */
  send(message: object): void {
    try {
      this.#native.send(JSON.stringify(message));
    } catch (error) {
      const failure = failureOf(error);
      throw failure === undefined ? error : new Error(failure.message);
    }
  }

  /** Ends it politely; resolves when it is over. */
  async close(): Promise<void> {
    this.#native.close();
    await this.over;
  }

  /** No requests come without a session. */
  request(): void {}

  /** Nor are any cancelled. */
  cancelled(): void {}

  /** Nor do notifications come apart from messages. */
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
