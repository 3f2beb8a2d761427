/**
 * A server's connections and how to find the right one. Owns: the hosts of one server, its
 * connections, and who is meant when a program asks "the client" something. Must not know:
 * the typed functions of the faces.
 */
import { driver, type Driver } from './driver';
import type { LiveCall } from './extra';
import { causingCall } from './running';
import type { ConnectionFacts, ServerConnection } from './server-connection';
import { ServerHost, type ServerCore } from './server-host';

/** Whom something is said to. */
export interface Addressee {
  readonly host: ServerHost;
  readonly connection: ServerConnection;
  /** The call it is about. */
  readonly live: LiveCall | undefined;
}

/** How long a host without connections is kept, in milliseconds. */
const MOMENT = 1000;

/** The connections of one server, newest last. */
export class ServerState {
  readonly hosts = new Map<Driver, ServerHost>();
  readonly connections: ServerConnection[] = [];

  #later: NodeJS.Timeout | undefined;

  constructor(private readonly core: ServerCore) {}

  /** There is one more. */
  joined(connection: ServerConnection): void {
    this.connections.push(connection);
  }

  /** One is over. Most that leave have come last. */
  left(connection: ServerConnection): void {
    const place = this.connections.lastIndexOf(connection);
    if (place >= 0) this.connections.splice(place, 1);
  }

  /** The host on a driver; on this thread's own unless told otherwise. */
  host(on: Driver = driver(), options?: Record<string, unknown>): ServerHost {
    let host = this.hosts.get(on);
    if (host === undefined) this.hosts.set(on, (host = new ServerHost(this.core, on, options)));
    return host;
  }

  /** Ends hosts that can no longer be reached, also calls that wait for their client to come again. */
  tidy(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    for (const [on, host] of this.hosts) if (!this.isUsed(host)) this.end(on, host);
  }

  /**
   * As `tidy`, if no request comes within a moment, and no call waits for its client: where each
   * request has a transport of its own, a host lasts from one to the next.
   */
  tidySoon(): void {
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      for (const [on, host] of this.hosts) {
        if (this.isUsed(host)) continue;
        if (host.isAwaited()) this.tidySoon();
        else this.end(on, host);
      }
    }, MOMENT).unref();
  }

  private isUsed(host: ServerHost): boolean {
    return host.pinned > 0 || this.connections.some((connection) => connection.host === host);
  }

  private end(on: Driver, host: ServerHost): void {
    this.hosts.delete(on);
    host.close();
  }

  /** The host of a driver is gone. */
  leave(on: Driver): void {
    this.hosts.delete(on);
  }

  /** Who is meant: the client of the call whose handler is running, else the one that connected last. */
  addressee(): Addressee | undefined {
    const call = causingCall();
    if (call !== undefined && call.host.server === this.core) return addresseeOf(call);
    const { connections } = this;
    if (connections.length > 1 && connections.some((one) => one.untracked > 0)) {
      throw new Error('several clients are connected: use extra.sendRequest() and extra.sendNotification() in handlers');
    }
    const connection = connections.at(-1);
    return connection && { host: connection.host, connection, live: undefined };
  }

  /** Until the connection is there that `connect` was called for in this very turn; `undefined` if one is. */
  get beginning(): Promise<void> | undefined {
    if (this.connections.length > 0) return undefined;
    for (const { beginning } of this.hosts.values()) if (beginning !== undefined) return beginning;
    return undefined;
  }

  /** Whether clients may come and go: there is something to be told even if none is here now. */
  get isOpen(): boolean {
    return [...this.hosts.values()].some((host) => host.pinned > 0);
  }

  /** What is known of the client that is meant: on the modern era each request says it anew. */
  client(): Pick<ConnectionFacts, 'clientCapabilities' | 'clientInfo'> | undefined {
    const found = this.addressee();
    return found?.live?.isModern ? found.live.facts : found?.connection.facts;
  }

  /** Does something with all hosts. */
  each(body: (host: ServerHost) => void): void {
    for (const host of this.hosts.values()) body(host);
  }
}

/** Whom a call is about. Never another client, though this one may be gone. */
function addresseeOf(call: LiveCall): Addressee | undefined {
  const { host, connection } = call;
  // A call of the modern era outlives the connection that brought it: the answer to its
  // questions comes with another one.
  if (connection.over && (call.over || !call.isModern)) return undefined;
  return { host, connection, live: call.over ? undefined : call };
}
