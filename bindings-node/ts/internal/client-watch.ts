/**
 * Changes on the modern era: a stream for each thing that is watched, whose news go where
 * those of the legacy era go.
 *
 * Owns: which are open. Must not know: what a notification says.
 */
import type { ClientLink } from './client-link';
import { errorFrom } from './errors';

const LISTEN = 'subscriptions/listen';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** What is watched: resources by their URIs, or lists. */
export type Filter = { resourceSubscriptions: string[] } | { [list: string]: boolean };

/** The streams of one link. */
export class Watches {
  readonly #link: ClientLink;
  readonly #open = new Map<string, Promise<number>>();

  constructor(link: ClientLink) {
    this.#link = link;
  }

  /** Watches something under a name; resolves when the server has agreed. */
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
      const pending = this.#link.connection.listen(LISTEN, JSON.stringify({ notifications }), take);
      void pending.answer.then((item) => {
        this.#open.delete(name);
        if (item[5] !== null) reject(errorFrom(item[5]));
        else resolve(pending.id);
      });
    });
  }

  /** Watches it no more; nothing happens if it is not watched. */
  async unwatch(name: string): Promise<void> {
    const opened = this.#open.get(name);
    this.#open.delete(name);
    if (opened !== undefined) this.#link.withdraw(await opened, '');
  }
}
