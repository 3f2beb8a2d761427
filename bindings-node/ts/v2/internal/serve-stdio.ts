/**
 * Serving standard streams with a server from a factory. Owns: finding out the era before the
 * server is made, if the factory needs it. Must not know: messages after the first.
 */
import { PassThrough, type Readable } from 'node:stream';
import { INSIDE } from '../../common/peer/server-peer';
import { StdioServerTransport } from '../../common/server/stdio';
import type { Transport } from '../../protocol/transport';
import { endSoon } from '../../engine/process-end';
import { MODERN_REVISIONS } from '../../generated/protocol';
import { isModernRequest, claimOf } from './era';
import type { McpServerFactory } from './endpoint';
import { HeldTransport } from './held';
import { lowLevel, type Product } from './serving';

/** Options of `serveStdio`. */
export interface ServeStdioOptions {
  /** Whether to serve or refuse clients of revisions up to 2025-11-25. Default: `serve`. */
  legacy?: 'serve' | 'reject';
  /** A transport to use. Default: the process's standard streams. */
  transport?: Transport;
  /** Called with each error. Default: they are ignored. */
  onerror?: (error: Error) => void;
  /** How many subscriptions may be open at a time. Default: the engine's limit. */
  maxSubscriptions?: number;
  /** Whether the process keeps running after its standard input has ended. By default it exits a second later. */
  keepProcess?: boolean;
}

/** A server that is connected to standard streams. */
export interface StdioServerHandle {
  /** Closes the connection. */
  close(): Promise<void>;
}

/** The longest first line that is examined. */
const MAX_LINE = 64 << 20;

/** The beginning of an input. */
class Opening {
  /** The whole input. */
  readonly stream = new PassThrough();
  /** The first line that is a message; `undefined` if there was none. */
  readonly first: Promise<unknown>;
  #settle!: (first: unknown) => void;
  #text = '';

  constructor(private readonly stdin: Readable) {
    this.first = new Promise((resolve) => (this.#settle = resolve));
    stdin.on('data', this.#take);
    stdin.on('end', this.#over);
  }

  readonly #take = (chunk: Buffer): void => {
    this.stream.write(chunk);
    this.#text += chunk.toString('utf8');
    const line = this.#text.split('\n').slice(0, -1).find((one) => one.trim() !== '');
    if (line === undefined && this.#text.length <= MAX_LINE) return;
    this.leave();
    this.stdin.pipe(this.stream);
    this.#settle(parsed(line));
  };

  readonly #over = (): void => {
    this.leave();
    this.#settle(undefined);
    this.stream.end();
  };

  private leave(): void {
    this.stdin.off('data', this.#take);
    this.stdin.off('end', this.#over);
  }

  /** Reads no further, so that the input keeps no process alive. */
  close(): void {
    this.leave();
    this.stdin.unpipe(this.stream);
    this.stdin.pause();
    this.#settle(undefined);
  }
}

function parsed(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}

class Serving implements StdioServerHandle {
  #product: Product | undefined;
  #held: HeldTransport | undefined;
  #opening: Opening | undefined;
  #closed = false;

  constructor(
    private readonly factory: McpServerFactory,
    private readonly options: ServeStdioOptions,
  ) {}

  async begin(): Promise<void> {
    const { transport, legacy, maxSubscriptions, keepProcess } = this.options;
    // A factory without parameters does not need the era, so nothing has to be read first.
    const asks = this.factory.length > 0;
    if (asks && transport !== undefined) this.#held = new HeldTransport(transport);
    if (asks && transport === undefined) this.#opening = new Opening(process.stdin);
    const first = asks ? await (this.#held?.first() ?? this.#opening!.first) : undefined;
    if (this.#closed || (this.#held !== undefined && first === undefined)) return;
    const modern = legacy === 'reject' || isModern(first);
    const product = await this.factory({ era: modern ? 'modern' : 'legacy' });
    if (this.#closed) return;
    const engine = {
      ...(legacy === 'reject' && { revisions: MODERN_REVISIONS }),
      ...(maxSubscriptions !== undefined && { max_subscriptions: maxSubscriptions }),
    };
    lowLevel(product)[INSIDE].host(undefined, engine);
    this.#product = product;
    const stream = this.#opening?.stream;
    if (stream !== undefined && !keepProcess) process.stdin.once('end', () => this.#closed || endSoon());
    const own = new StdioServerTransport(stream, stream && process.stdout, { ...(keepProcess && { keepProcess }) });
    await product.connect(this.#held ?? transport ?? own);
  }

  failed(error: unknown): void {
    this.options.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }

  async close(): Promise<void> {
    this.#closed = true;
    // Before there is a server, the transport may be open already.
    await (this.#product ?? this.#held)?.close();
    this.#opening?.close();
  }
}

function isModern(first: unknown): boolean {
  const method = (first as { method?: unknown } | undefined)?.method;
  return method === 'server/discover' || claimOf(first) !== undefined || isModernRequest(first, undefined);
}

/**
 * Serves the process's standard streams with a server from a factory: one server, for the one
 * client that started the process.
 * @param factory - Makes the server.
 * @param options - A transport of the program's own, limits and so on. Default: the process's streams.
 */
export function serveStdio(factory: McpServerFactory, options: ServeStdioOptions = {}): StdioServerHandle {
  const serving = new Serving(factory, options);
  serving.begin().catch((error: unknown) => serving.failed(error));
  return serving;
}
