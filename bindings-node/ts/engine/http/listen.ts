/**
 * HTTP with the engine's own listener. Owns: a listener's lifetime, from binding to drained. Must
 * not know: what is answered.
 */
import { Endpoint, type Served, type ServerStats } from './endpoint';
import { httpText, type ListenOptions } from './options';
import { servePages } from './pages';
import { checked } from '../server/host';
import { serves } from '../process-end';

/** A running HTTP server. It keeps the process alive, unless `unref` was called. */
export interface HttpListener {
  /** The URL of the endpoint. */
  readonly url: string;
  /** The address that it listens on. */
  readonly host: string;
  /** The port that it listens on. */
  readonly port: number;
  /** The URL of the page that the option `docs` asks for, with its key: who has it uses the server. */
  readonly docs: string | undefined;
  /** The counters of its sessions and calls. */
  stats(): ServerStats;
  /** Stops accepting requests, after the option `shutdownDelay`; running calls may finish within `drain`. */
  close(): Promise<void>;
  /** Resolves when the listener is closed. */
  readonly closed: Promise<void>;
  /** Keeps the process alive while the listener runs. This is the default. */
  ref(): this;
  /** Lets the process exit while the listener runs. */
  unref(): this;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves a server over HTTP; resolves once the listener is bound. */
export async function listenHttp(server: Served, options: ListenOptions = {}): Promise<HttpListener> {
  return new Listener(server, options);
}

class Listener implements HttpListener {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly docs: string | undefined;
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
    this.docs = bound.docs;
    if (bound.docs !== undefined) process.stderr.write(`A page to try this server, for those who have its whole URL: ${bound.docs}\n`);
    const place = bound.host.includes(':') ? `[${bound.host}]` : bound.host;
    const origin = `${options.tls === undefined ? 'http' : 'https'}://${place}:${bound.port}`;
    this.url = origin + (options.path ?? '/mcp');
    if (options.fallback !== undefined) servePages(endpoint.host, () => origin, options.fallback);
    this.ref();
    const { listener } = bound;
    const over = endpoint.closed(listener);
    this.stop = async () => {
      endpoint.host.engine.stopHttp(listener);
      await over;
      this.unref();
    };
    // Whatever ended the listener.
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
