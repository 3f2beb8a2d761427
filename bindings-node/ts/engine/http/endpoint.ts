/**
 * An endpoint of the engine's HTTP server: what listeners and mounts share.
 *
 * Owns: a driver of its own (because the engine numbers the connections of its sessions), the host
 * on it, the services, and their end. Must not know: sockets or exchanges.
 */
import type { Transport } from '../../protocol/transport';
import { Driver, type EventItem, type Host, snapshot } from '../driver';
import { type HttpHandlerOptions, limitsOf } from './options';
import { serveEvents, serveVerifier } from './services';
import type { ServerHost } from '../server/host';
import { telemetry } from '../telemetry/api';

/** What an endpoint needs of a server. */
export interface Served {
  host(on: Driver, options?: Record<string, unknown>): ServerHost;
  /** Called when the server no longer runs on this driver. */
  leave(on: Driver): void;
  /** Registers an endpoint that has to be closed with the server. */
  attach(endpoint: Transport): void;
  detach(endpoint: Transport): void;
}

/** Counters of a server by name. */
export interface ServerStats {
  /** The open connections. */
  connections: number;
  /** All connections so far. */
  connectionsTotal: number;
  /** The open sessions. */
  sessions: number;
  /** The open event streams. */
  streams: number;
  /** The requests that are not answered yet. */
  inFlight: number;
  /** The bytes that wait to be written. */
  queuedBytes: number;
  /** The bytes that were read so far. */
  bytesIn: number;
  /** The bytes that were written so far. */
  bytesOut: number;
  /** The log messages that were dropped so far. */
  dropped: number;
  /** The problems that were reported so far. */
  problems: number;
  /** The median duration of calls, in seconds. */
  p50: number | null;
  /** The duration that 99 of 100 calls do not exceed, in seconds. */
  p99: number | null;
  /** The histogram of durations: an upper bound in seconds, and how many calls were within it. */
  latency: [number | null, number][];
  /** Calls and errors, by method. */
  methods: Record<string, { calls: number; errors: number }>;
  /** Errors, by code. */
  errors: Record<string, number>;
}

/** A server on a driver of its own. The server treats it as a transport that can be closed. */
export class Endpoint implements Transport {
  readonly driver = new Driver();
  readonly host: ServerHost;
  #end: Promise<void> | undefined;

  constructor(
    private readonly server: Served,
    options: HttpHandlerOptions,
    private readonly shutDown: () => Promise<void>,
  ) {
    this.host = server.host(this.driver, limitsOf(options));
    this.host.pinned += 1;
    this.host.hasSessions = options.sessions !== 'none';
    // Otherwise the engine keeps to itself when sessions begin, which are measured.
    if (this.host.hasSessions && telemetry() !== undefined) this.host.engine.setSlot('notifications/initialized', true);
    this.driver.fallback = this.host;
    if (options.eventStore !== undefined) serveEvents(this.driver, options.eventStore);
    if (options.verify !== undefined) this.host.authOf = serveVerifier(this.driver, options.verify, () => this.host.live.values());
    server.attach(this);
  }

  async start(): Promise<void> {}

  async send(): Promise<void> {
    throw new Error('an endpoint has many clients');
  }

  /** The counters of its sessions and calls. */
  stats(): ServerStats {
    return JSON.parse(this.host.engine.stats()) as ServerStats;
  }

  /** Resolves when the engine reports the end of the object with this number. */
  closed(number: number): Promise<void> {
    return new Promise((resolve) => {
      const nothing = (): void => undefined;
      const event = (item: EventItem): void => {
        if (item[0] !== 'closed') return;
        this.driver.leave(number);
        resolve();
      };
      const watcher: Host = { snapshot: snapshot(), request: nothing, cancelled: nothing, notification: nothing, event };
      this.driver.serve(number, watcher);
    });
  }

  /** Closes the endpoint; calls may finish first, within the owner's limit. */
  close(): Promise<void> {
    return (this.#end ??= this.end());
  }

  private async end(): Promise<void> {
    await this.shutDown();
    this.host.close();
    this.driver.drain();
    this.driver.close();
    this.server.leave(this.driver);
    this.server.detach(this);
  }
}
