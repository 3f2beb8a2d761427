/**
 * The user's browser, and its way back to a port of this machine. Not in the official packages.
 *
 * Owns: who opens the browser, how long it is waited for. Must not know: the port and the pages that are
 * shown there, which are the engine's; whether an answer is good.
 */
import { native, type NativeRedirectPort, type NativeRedirectWait } from '../../engine/native';
import { flowErrorOf, told } from './asking-machine';
import { OAuthClientFlowError } from './flow-errors';

/** How long a user may take, in milliseconds, unless the program says so. */
const TIMEOUT_MS = 300_000;
/** How long a thread waits before it looks whether anybody still wants that, in seconds. */
const PATIENCE = 0.5;

/** Options of a `LoopbackRedirect`. */
export interface LoopbackRedirectOptions {
  /**
   * The port, for authorization servers that compare ports, which they should not for addresses of the
   * user's machine. Default: 0, a free one.
   */
  port?: number;
  /** The path of the redirect URI, beginning with a slash. Default: `/callback`. */
  path?: string;
  /**
   * Called with the URL that the user has to open, such as a function that prints it. May return a promise.
   * Default: the browser of the system opens it.
   */
  openBrowser?: (url: URL) => unknown;
  /** How long the user may take, in milliseconds. Default: 300,000, which are five minutes. */
  timeout?: number;
}

/**
 * Opens the user's browser, and receives its answer at `http://127.0.0.1`. It listens while a user signs
 * in, not longer; the browser then shows that the window can be closed.
 *
 * @example
 * ```ts
 * class MyProvider implements OAuthClientProvider {
 *   readonly #redirect = new LoopbackRedirect();
 *   get redirectUrl() {
 *     return this.#redirect.redirectUrl;
 *   }
 *   redirectToAuthorization(url: URL) {
 *     return this.#redirect.show(url);
 *   }
 *   waitForRedirect() {
 *     return this.#redirect.wait();
 *   }
 *   // clientMetadata, tokens and so on
 * }
 * ```
 */
export class LoopbackRedirect {
  /** The path of the redirect URI. */
  readonly path: string;
  /** How long the user may take, in milliseconds. */
  readonly timeout: number;
  readonly #open: ((url: URL) => unknown) | undefined;
  #port: number;
  /** A port that listens, then the answer that it waits for. */
  #listening: NativeRedirectPort | undefined;
  #coming: NativeRedirectWait | undefined;

  /**
   * Creates one that does not listen yet.
   * @param options - The port and the path, what opens the browser, how long the user may take. Default: none.
   */
  constructor({ port = 0, path = '/callback', openBrowser, timeout = TIMEOUT_MS }: LoopbackRedirectOptions = {}) {
    this.#port = port;
    this.path = path;
    this.timeout = timeout;
    this.#open = openBrowser;
  }

  /**
   * Where the browser comes back to, for the metadata of the client. A free port is chosen by the first
   * look, and kept for this object.
   * @throws {OAuthClientFlowError} If the port cannot be used.
   */
  get redirectUrl(): string {
    if (this.#port === 0) this.#port = Number(new URL(this.listen()).port);
    return `http://127.0.0.1:${this.#port}${this.path}`;
  }

  /**
   * Gets ready for one answer; returns the redirect URL. Does nothing more until `close` is called.
   * @throws {OAuthClientFlowError} If the port cannot be used.
   */
  listen(): string {
    try {
      this.#listening ??= new native.RedirectPort(this.#port, this.path);
      return this.#listening.redirectUri;
    } catch (error) {
      throw flowErrorOf(error);
    }
  }

  /**
   * Opens the browser, as `redirectToAuthorization` of a provider does.
   * @param url - The URL that the user has to open.
   * @throws {OAuthClientFlowError} If there is no browser, or the port cannot be used, or one answer is
   *   waited for already.
   */
  async show(url: string | URL): Promise<void> {
    this.listen();
    try {
      this.#coming = this.#listening!.visit(String(url));
    } catch (error) {
      throw flowErrorOf(error);
    }
    try {
      if (this.#open === undefined) await told(() => native.openInBrowser(String(url)), 'show the URL to the user with `openBrowser`');
      else await this.#open(new URL(url));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Waits until the browser comes back, as `waitForRedirect` of a provider does; returns the URL that it
   * came back to.
   * @throws {OAuthClientFlowError} If the user took too long, or `close` was called, or no browser was opened.
   */
  async wait(): Promise<URL> {
    const coming = this.#coming;
    if (coming === undefined) throw new OAuthClientFlowError('redirect: no browser was opened; call `show` before `wait`');
    const end = performance.now() + this.timeout;
    try {
      for (;;) {
        const left = (end - performance.now()) / 1000;
        const came = await told(() => coming.wait(Math.max(Math.min(left, PATIENCE), 0)));
        if (came !== null) return new URL(came);
        if (this.#coming !== coming) throw new OAuthClientFlowError('redirect: it was closed before the browser came back');
        if (left <= PATIENCE) {
          const remedy = 'see `timeout`, which is in milliseconds';
          throw new OAuthClientFlowError(`redirect: nobody signed in within ${this.timeout / 1000} seconds; ${remedy}`);
        }
      }
    } finally {
      if (this.#coming === coming) this.close();
    }
  }

  /** Stops listening. May be called more than once; the next sign-in listens anew. */
  close(): void {
    this.#listening?.close();
    this.#coming?.close();
    this.#listening = this.#coming = undefined;
  }
}
