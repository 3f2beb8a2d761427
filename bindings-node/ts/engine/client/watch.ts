/**
 * Subscriptions to changes in the modern era: one stream for each subject. The notifications go
 * where those of the legacy era go. The engine opens a stream again that ends.
 *
 * Owns: which are open. Must not know: what a notification says.
 */
import type { Link } from './call';
import { errorFrom } from '../errors';

const LISTEN = 'subscriptions/listen';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** What is subscribed to: resources by their URIs, or lists. */
export type Filter = { resourceSubscriptions: string[] } | { [list: string]: boolean };

/** The subscriptions of one link. */
export class Watches {
  readonly #link: Link;
  readonly #open = new Map<string, Promise<number>>();

  constructor(link: Link) {
    this.#link = link;
  }

  /** Subscribes under a name; resolves when the server has acknowledged it. */
  async watch(name: string, filter: Filter): Promise<void> {
    let opened = this.#open.get(name);
    if (opened === undefined) {
      opened = this.begin(name, filter);
      this.#open.set(name, opened);
    }
    await opened;
  }

  private begin(name: string, notifications: Filter): Promise<number> {
    return new Promise((resolve, reject) => {
      const take = (method: string, params: unknown) => {
        if (method === ACKNOWLEDGED) resolve(pending.id);
        else this.#link.serverNotification(method, params);
      };
      const pending = this.#link.connection.listen(LISTEN, JSON.stringify({ notifications }), take, true);
      void pending.answer.then((item) => {
        this.#open.delete(name);
        if (item[5] !== null) reject(errorFrom(item[5]));
        else resolve(pending.id);
      });
    });
  }

  /** Ends the subscription of a name; does nothing if there is none. */
  async unwatch(name: string): Promise<void> {
    const opened = this.#open.get(name);
    this.#open.delete(name);
    if (opened !== undefined) this.#link.withdraw(await opened, '');
  }
}
