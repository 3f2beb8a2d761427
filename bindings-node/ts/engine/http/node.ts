/**
 * Exchanges of `node:http`: Express, Fastify's raw request and reply, plain servers. Owns: reading
 * an `IncomingMessage`, writing a `ServerResponse`, its drain and end. Must not know: who answers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { runtime } from '../timers';
import { isBodiless, type Body, type Chunk, type Exchange, type ExchangeHead, type HeaderPairs } from './exchange';

/** A host and port in the form that `Host` allows. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s/?#@[\]:]+)(?::\d*)?$/i;

/** How long to read on after a body was refused, in milliseconds. */
const DISCARD_MILLISECONDS = 500;

/** An exchange over a `node:http` request. */
export class NodeExchange implements Exchange {
  /** Whether nothing more is to be sent. */
  #over = false;
  /** Whether everything was sent, or the client is gone. */
  #ended = false;
  /** Whether the client left before everything was sent. */
  #left = false;
  #finish: (() => void) | undefined;
  #closed: (() => void)[] = [];
  #room: Promise<void> | undefined;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    /** The body as a framework parsed it. */
    readonly parsed?: unknown,
    /** The authenticated sender. */
    readonly principal?: string,
  ) {
    res.on('close', () => this.left());
  }

  get method(): string {
    return this.req.method ?? 'GET';
  }

  get head(): ExchangeHead {
    const { rawHeaders, socket } = this.req;
    const headers: HeaderPairs = [];
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]!;
      if (name === ':authority') headers.push(['host', rawHeaders[at + 1]!]);
      else if (!name.startsWith(':')) headers.push([name, rawHeaders[at + 1]!]);
    }
    return { method: this.method, target: this.req.url ?? '/', headers, peer: peerOf(socket), principal: this.principal };
  }

  get body(): Uint8Array | AsyncIterable<Uint8Array> | undefined {
    if (this.parsed !== undefined) return Buffer.from(textOf(this.parsed));
    if (this.method === 'GET' || this.method === 'HEAD') return undefined;
    return this.raw ?? partsOf(this.req);
  }

  /** The body as a platform has read it already: Firebase and Google Cloud Functions leave an empty stream. */
  private get raw(): Uint8Array | undefined {
    const { rawBody } = this.req as { rawBody?: unknown };
    return rawBody instanceof Buffer ? rawBody : undefined;
  }

  async read(maxBytes: number): Promise<Body> {
    if (this.parsed !== undefined) return Buffer.from(textOf(this.parsed));
    const { req, raw } = this;
    if (raw !== undefined && this.method !== 'GET') return raw.byteLength > maxBytes ? 'tooLarge' : raw;
    if (req.readableEnded || this.method === 'GET') return new Uint8Array();
    // Nothing more is heard of a request whose client has left.
    if (req.destroyed) return 'broken';
    if (Number(req.headers['content-length']) > maxBytes) return 'tooLarge';
    const body = await gather(req, maxBytes);
    if (body === 'tooLarge') this.discard();
    return body;
  }

  /** Reads on for a while, so that the client gets to read the response. */
  private discard(): void {
    this.req.resume();
    this.res.once('finish', () => {
      const late = runtime.setTimeout(() => this.req.destroy(), DISCARD_MILLISECONDS).unref();
      this.req.once('close', () => runtime.clearTimeout(late));
    });
  }

  header(name: string): string | undefined {
    const value = name === 'host' ? this.host : this.req.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  headers(): Record<string, string> {
    const names = Object.keys(this.req.headers).filter((name) => !name.startsWith(':')).sort();
    return Object.fromEntries(names.map((name) => [name, this.header(name) ?? '']));
  }

  /** The host; HTTP/2 has another name for the header. */
  private get host(): string | undefined {
    return this.req.headers.host ?? (this.req.headers[':authority'] as string | undefined);
  }

  /** Whether the `Host` header is valid; without it the URL is unknown. */
  hasHost(): boolean {
    const { host } = this;
    return host !== undefined && HOST.test(host);
  }

  url(): URL {
    const scheme = (this.req.socket as Socket & { encrypted?: boolean })?.encrypted ? 'https' : 'http';
    return new URL(`${scheme}://${this.host ?? 'localhost'}${this.req.url ?? '/'}`);
  }

  respond(status: number, headers: HeaderPairs, body: Chunk, end: boolean): void {
    const { res } = this;
    if (this.#over || res.headersSent) return;
    // An object, because code that patches `writeHead` may not support other forms.
    const told: Record<string, string | string[]> = {};
    for (const [name, value] of headers) {
      const before = told[name];
      told[name] = before === undefined ? value : [before, value].flat();
    }
    if (end && !isBodiless(status)) told['content-length'] = String(Buffer.byteLength(body));
    res.writeHead(status, told);
    if (end) return this.end(body);
    if (body.length > 0) res.write(body);
    else res.flushHeaders?.();
  }

  write(chunk: Chunk, end: boolean): true | Promise<void> {
    if (this.#over) return true;
    if (end) {
      this.end(chunk);
      return true;
    }
    const { res } = this;
    if (res.write(chunk)) return true;
    return (this.#room ??= this.room());
  }

  /** Resolves when the client has read what was sent; one promise for any number of writes. */
  private room(): Promise<void> {
    const { res } = this;
    return new Promise((resolve) => {
      const go = (): void => {
        this.#room = undefined;
        res.off('drain', go);
        res.off('close', go);
        resolve();
      };
      res.on('drain', go);
      res.on('close', go);
    });
  }

  cut(): void {
    this.res.destroy();
  }

  onClosed(body: () => void): void {
    if (this.#left || (this.res.destroyed && !this.#over)) body();
    else this.#closed.push(body);
  }

  /** Resolves when the response is complete or the client has disconnected. */
  async done(): Promise<void> {
    if (this.#ended || this.res.destroyed) return;
    await new Promise<void>((resolve) => (this.#finish = resolve));
  }

  /**
   * Ends the response in a turn of its own. Code that awaits the exchange then runs before Node
   * emits `close`, which programs start to listen for after handling the request.
   */
  private end(chunk: Chunk): void {
    this.#over = true;
    runtime.queueMicrotask(() => {
      if (chunk.length > 0) this.res.end(chunk);
      else this.res.end();
      this.#ended = true;
      this.#finish?.();
    });
  }

  private left(): void {
    const closed = this.#closed;
    this.#closed = [];
    this.#left = !this.#over;
    this.#over = true;
    this.#ended = true;
    if (this.#left) for (const body of closed) body();
    this.#finish?.();
  }
}

function gather(req: IncomingMessage, maxBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    const take = (part: Uint8Array | string): void => {
      const bytes = typeof part === 'string' ? Buffer.from(part, req.readableEncoding ?? 'utf8') : part;
      size += bytes.byteLength;
      parts.push(bytes);
      if (size > maxBytes) finish('tooLarge');
    };
    const whole = (): void => finish(parts.length === 1 ? parts[0]! : Buffer.concat(parts, size));
    const broken = (): void => finish('broken');
    const finish = (body: Body): void => {
      req.off('data', take).off('end', whole).off('close', broken).off('error', broken);
      resolve(body);
    };
    req.on('data', take).on('end', whole).on('close', broken).on('error', broken);
  });
}

function textOf(parsed: unknown): string | Uint8Array {
  if (typeof parsed === 'string' || parsed instanceof Uint8Array) return parsed;
  return JSON.stringify(parsed);
}

/** Throws if the client disconnects before the end of the body. */
async function* partsOf(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  // A stream with an encoding yields strings.
  for await (const part of req.iterator({ destroyOnReturn: false })) {
    yield typeof part === 'string' ? Buffer.from(part, req.readableEncoding ?? 'utf8') : (part as Uint8Array);
  }
  if (!req.complete) throw new Error('the client left');
}

function peerOf(socket: Socket | undefined): string | undefined {
  const { remoteAddress: address, remotePort: port } = socket ?? {};
  if (address === undefined || port === undefined) return undefined;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
