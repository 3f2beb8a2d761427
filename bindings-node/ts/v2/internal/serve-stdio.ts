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

/** Reads the first line that is a message, and returns it with a stream of the whole input. */
function opening(stdin: Readable): Promise<{ first: unknown; stream: Readable }> {
  const stream = new PassThrough();
  let text = '';
  return new Promise((resolve) => {
    const settle = (first: unknown): void => {
      stdin.off('data', take);
      stdin.off('end', over);
      stdin.pipe(stream);
      resolve({ first, stream });
    };
    const over = (): void => {
      settle(undefined);
      stream.end();
    };
    const take = (chunk: Buffer): void => {
      stream.write(chunk);
      text += chunk.toString('utf8');
      const line = text.split('\n').slice(0, -1).find((one) => one.trim() !== '');
      if (line !== undefined || text.length > MAX_LINE) settle(parsed(line));
    };
    stdin.on('data', take);
    stdin.on('end', over);
  });
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
    const found = asks && transport === undefined ? await opening(process.stdin) : undefined;
    const first = this.#held === undefined ? found?.first : await this.#held.first();
    if (this.#held !== undefined && first === undefined) return;
    const modern = legacy === 'reject' || isModern(first);
    const product = await this.factory({ era: modern ? 'modern' : 'legacy' });
    if (this.#closed) return;
    const engine = {
      ...(legacy === 'reject' && { revisions: MODERN_REVISIONS }),
      ...(maxSubscriptions !== undefined && { max_subscriptions: maxSubscriptions }),
    };
    lowLevel(product)[INSIDE].host(undefined, engine);
    this.#product = product;
    const stream = found?.stream;
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
