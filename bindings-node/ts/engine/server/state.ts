/**
 * A server's connections. Owns: the hosts of one server, its connections, and which client is meant
 * when a program sends to "the client". Must not know: the typed functions of the faces.
 */
import { driver, type Driver } from '../driver';
import { runtime } from '../timers';
import { causingCall } from './running';
import type { Call, CallHost, Connection, ConnectionFacts, ServerCore } from './contract';
import { ServerHost } from './host';

/** The recipient of a message. */
export interface Addressee {
  readonly host: CallHost;
  readonly connection: Connection;
  /** The call that the message belongs to. */
  readonly live: Call | undefined;
}

/** How long a host without connections is kept, in milliseconds. */
const MOMENT = 1000;

/** The connections of one server, newest last. */
export class ServerState {
  readonly hosts = new Map<Driver, ServerHost>();
  readonly connections: Connection[] = [];

  #later: NodeJS.Timeout | undefined;

  constructor(private readonly core: ServerCore) {}

  /** Adds a connection. */
  joined(connection: Connection): void {
    this.connections.push(connection);
  }

  /** Removes a connection. Usually one of the newest, so it is searched from the end. */
  left(connection: Connection): void {
    const place = this.connections.lastIndexOf(connection);
    if (place >= 0) this.connections.splice(place, 1);
  }

  /** The host on a driver; on that of this thread by default. */
  host(on: Driver = driver(), options?: Record<string, unknown>): ServerHost {
    let host = this.hosts.get(on);
    if (host === undefined) this.hosts.set(on, (host = new ServerHost(this.core, on, options)));
    return host;
  }

  /** Closes hosts that no client can reach, including calls that wait for their client's answers. */
  tidy(): void {
    runtime.clearTimeout(this.#later);
    this.#later = undefined;
    for (const [on, host] of this.hosts) if (!this.isUsed(host)) this.end(on, host);
  }

  /**
   * Same as `tidy`, if no client connects within a moment and no call waits for its client: if each
   * request has a transport of its own, the host is kept from one to the next.
   */
  tidySoon(): void {
    this.#later ??= runtime.setTimeout(() => {
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

  /** Removes the host on a driver. */
  leave(on: Driver): void {
    this.hosts.delete(on);
  }

  /** The recipient: the client of the call whose handler is running, else the newest connection. */
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

  /**
   * Resolves when the connection that `connect` is opening in this turn exists; `undefined` if
   * there is a connection already.
   */
  get beginning(): Promise<void> | undefined {
    if (this.connections.length > 0) return undefined;
    for (const { beginning } of this.hosts.values()) if (beginning !== undefined) return beginning;
    return undefined;
  }

  /** Whether clients may connect at any time, so that changes matter even if none is connected. */
  get isOpen(): boolean {
    return [...this.hosts.values()].some((host) => host.pinned > 0);
  }

  /** What is known about the recipient; in the modern era each request carries it. */
  client(): Pick<ConnectionFacts, 'clientCapabilities' | 'clientInfo'> | undefined {
    const found = this.addressee();
    return found?.live?.isModern ? found.live.facts : found?.connection.facts;
  }

  /** Calls a function with each host. */
  each(body: (host: ServerHost) => void): void {
    for (const host of this.hosts.values()) body(host);
  }
}

/** The recipient for a call: its own client and never another, even if that one is gone. */
function addresseeOf(call: Call): Addressee | undefined {
  const { host, connection } = call;
  // A modern call outlives the connection that brought it: the answers to its questions come with
  // another one.
  if (connection.over && (call.over || !call.isModern)) return undefined;
  return { host, connection, live: call.over ? undefined : call };
}
