/**
 * HTTP served by the engine's own listener. Owns: a listener's life, from bind to drained.
 * Must not know: what is answered.
 */
import { Endpoint, type Served, type ServerStats } from './http-endpoint';
import { httpText, type ListenOptions } from './http-options';
import { servePages } from './http-pages';
import { checked } from './server-host';
import { serves } from './process-end';

/** An HTTP server that runs. As long as it does the program lives, unless `unref` was called. */
export interface HttpListener {
  /** Address of the endpoint. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Counters of its sessions and calls. */
  stats(): ServerStats;
  /** Nothing new is accepted; what runs may finish as long as `drain` says. */
  close(): Promise<void>;
  /** Until it is closed. */
  readonly closed: Promise<void>;
  /** The program lives as long as this; the default. */
  ref(): this;
  /** The program may end while this runs. */
  unref(): this;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a server; resolves once it is bound. */
export async function listenHttp(server: Served, options: ListenOptions = {}): Promise<HttpListener> {
  return new Listener(server, options);
}

class Listener implements HttpListener {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly closed: Promise<void>;
  readonly #endpoint: Endpoint;
  #held = false;

  constructor(server: Served, options: ListenOptions) {
    const endpoint = new Endpoint(server, options, () => this.stop());
    this.#endpoint = endpoint;
    let bound;
    try {
      bound = checked(() => endpoint.host.engine.listenHttp(JSON.stringify(httpText(options))));
    } catch (error) {
      this.stop = async () => undefined;
      void endpoint.close();
      throw error;
    }
    this.host = bound.host;
    this.port = bound.port;
    const place = bound.host.includes(':') ? `[${bound.host}]` : bound.host;
    const origin = `${options.tls === undefined ? 'http' : 'https'}://${place}:${bound.port}`;
    this.url = origin + (options.path ?? '/mcp');
    if (options.fallback !== undefined) servePages(endpoint.driver, () => origin, options.fallback);
    this.ref();
    const { listener } = bound;
    const over = endpoint.closed(listener);
    this.stop = async () => {
      endpoint.host.engine.stopHttp(listener);
      await over;
      this.unref();
    };
    // Whatever ended it.
    this.closed = over.then(() => endpoint.close());
  }

  /** Stops the listener; set once there is one. */
  private stop: () => Promise<void> = async () => undefined;

  stats(): ServerStats {
    return this.#endpoint.stats();
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }

  ref(): this {
    if (!this.#held) {
      this.#endpoint.driver.hold();
      serves(1);
    }
    this.#held = true;
    return this;
  }

  unref(): this {
    if (this.#held) {
      this.#endpoint.driver.release();
      serves(-1);
    }
    this.#held = false;
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
