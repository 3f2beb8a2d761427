/**
 * Subscriptions to changes in the modern era: one stream for each subject. The notifications go
 * where those of the legacy era go. The engine opens a stream again that ends.
 *
 * Owns: which are open. Must not know: what a notification says.
 */
import type { Link } from './call';
import { errorFrom, ErrorCode } from '../errors';
import { startTimeout } from '../timers';
import { DEFAULT_TIMEOUT, errorOf, onAbort, seconds, withdrawn, type Asking } from './asking';

/** The request that opens a subscription. */
export const LISTEN = 'subscriptions/listen';
/** The first notification on a subscription: the server has agreed to it. */
export const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** What is subscribed to: resources by their URIs, or lists. */
export type Filter = { resourceSubscriptions: string[] } | { [list: string]: boolean };

/** A subscription from the moment it is asked for. */
interface Subscription {
  /** The number of the request. */
  readonly id: number;
  /** Resolves when the server has acknowledged it. */
  readonly opened: Promise<void>;
  isOpen: boolean;
  /** How many wait until it is open. */
  waiting: number;
}

/** The subscriptions of one link. */
export class Watches {
  readonly #link: Link;
  readonly #all = new Map<string, Subscription>();

  constructor(link: Link) {
    this.#link = link;
  }

  /**
   * Subscribes under a name; resolves when the server has acknowledged it. Nobody waits longer than the options
   * say, and what nobody waits for any more is withdrawn.
   */
  async watch(name: string, filter: Filter, options: Asking = { timeout: Infinity }): Promise<void> {
    options.signal?.throwIfAborted();
    const subscription = this.#all.get(name) ?? this.begin(name, filter);
    subscription.waiting += 1;
    try {
      await within(subscription.opened, options);
    } finally {
      subscription.waiting -= 1;
      if (!subscription.isOpen && subscription.waiting === 0) this.end(name, subscription);
    }
  }

  private begin(name: string, notifications: Filter): Subscription {
    let acknowledged!: () => void;
    let refused!: (error: Error) => void;
    const opened = new Promise<void>((resolve, reject) => ([acknowledged, refused] = [resolve, reject]));
    // Whoever waits hears of it.
    opened.catch(() => undefined);
    const take = (method: string, params: unknown): void => {
      if (method !== ACKNOWLEDGED) return this.#link.serverNotification(method, params);
      subscription.isOpen = true;
      acknowledged();
    };
    const pending = this.#link.connection.listen(LISTEN, JSON.stringify({ notifications }), take, true);
    const subscription: Subscription = { id: pending.id, opened, isOpen: false, waiting: 0 };
    this.#all.set(name, subscription);
    void pending.answer.then(({ 5: failure }) => {
      this.forget(name, subscription);
      if (failure === null) acknowledged();
      else refused(errorFrom(failure));
    });
    return subscription;
  }

  /** Ends the subscription of a name; does nothing if there is none. */
  unwatch(name: string): void {
    const subscription = this.#all.get(name);
    if (subscription !== undefined) this.end(name, subscription);
  }

  private end(name: string, subscription: Subscription): void {
    this.forget(name, subscription);
    this.#link.withdraw(subscription.id, '');
  }

  private forget(name: string, subscription: Subscription): void {
    if (this.#all.get(name) === subscription) this.#all.delete(name);
  }
}

/** What was waited for, unless its time is over or the program aborts first. */
async function within(opened: Promise<void>, options: Asking): Promise<void> {
  const { signal, timeout = DEFAULT_TIMEOUT } = options;
  const stops: (() => void)[] = [];
  const given = new Promise<never>((_, reject) => {
    const late = { kind: 'timeout', code: ErrorCode.RequestTimeout, message: 'Request timed out' };
    const limit = startTimeout({ timeout: seconds(timeout), max: seconds(timeout) }, () => reject(errorOf(late, timeout, undefined, timeout)));
    stops.push(() => limit.stop());
    if (signal !== undefined) stops.push(onAbort(signal, () => reject(withdrawn(signal))));
  });
  try {
    await Promise.race([opened, given]);
  } finally {
    for (const stop of stops) stop();
  }
}
