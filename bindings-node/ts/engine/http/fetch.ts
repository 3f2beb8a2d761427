/**
 * Exchanges of web-standard servers: a `Request` in, a `Response` out. Owns: the stream of the
 * response, its back-pressure and its end. Must not know: who answers.
 */
import type { Body, Chunk, Exchange, ExchangeHead, HeaderPairs } from './exchange';
import { isBodiless } from './exchange';

/** How many bytes of a response may wait for the reader before the writer has to wait. */
const HIGH_WATER = 64 * 1024;
/** The status of the response to a client that has left, which servers note in their logs. */
const CLIENT_LEFT = 499;

/** An exchange over a web-standard `Request`. */
export class FetchExchange implements Exchange {
  /** Resolves to the response once its head is known. */
  readonly response: Promise<Response>;
  readonly #encoder = new TextEncoder();
  #answer!: (response: Response) => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #room: (() => void)[] = [];
  #closed: (() => void)[] = [];
  #over = false;
  #left = false;

  constructor(
    readonly request: Request,
    /** The body as a framework parsed it. */
    readonly parsed?: unknown,
    /** The authenticated sender. */
    readonly principal?: string,
  ) {
    this.response = new Promise((resolve) => (this.#answer = resolve));
    const { signal } = request;
    if (signal?.aborted) this.left();
    else signal?.addEventListener('abort', () => this.left(), { once: true });
  }

  get method(): string {
    return this.request.method;
  }

  get head(): ExchangeHead {
    const { pathname, search } = this.url();
    const headers = [...this.request.headers.entries()] as HeaderPairs;
    return { method: this.method, target: pathname + search, headers, principal: this.principal };
  }

  get body(): Uint8Array | AsyncIterable<Uint8Array> | undefined {
    if (this.parsed !== undefined) {
      return this.#encoder.encode(typeof this.parsed === 'string' ? this.parsed : JSON.stringify(this.parsed));
    }
    const { body } = this.request;
    return body === null ? undefined : partsOf(body as ReadableStream<Uint8Array>);
  }

  async read(maxBytes: number): Promise<Body> {
    const { body } = this;
    if (body === undefined) return new Uint8Array();
    if (body instanceof Uint8Array) return body;
    if (Number(this.header('content-length')) > maxBytes) return 'tooLarge';
    const parts: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const part of body) {
        size += part.byteLength;
        if (size > maxBytes) return 'tooLarge';
        parts.push(part);
      }
    } catch {
      return 'broken';
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts, size);
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined;
  }

  headers(): Record<string, string> {
    return Object.fromEntries(this.request.headers.entries());
  }

  url(): URL {
    return new URL(this.request.url);
  }

  respond(status: number, headers: HeaderPairs, body: Chunk, end: boolean): void {
    if (end) {
      this.#over = true;
      this.#answer(new Response(isBodiless(status) || body.length === 0 ? null : (body as Uint8Array<ArrayBuffer> | string), { status, headers }));
      return;
    }
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.hasRoom(),
        cancel: () => this.left(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER }),
    );
    if (body.length > 0) this.#controller?.enqueue(this.bytes(body));
    this.#answer(new Response(stream, { status, headers }));
  }

  write(chunk: Chunk, end: boolean): true | Promise<void> {
    const controller = this.#controller;
    if (this.#over || this.#left || controller === undefined) return true;
    if (chunk.length > 0) controller.enqueue(this.bytes(chunk));
    if (end) {
      this.#over = true;
      controller.close();
      return true;
    }
    if ((controller.desiredSize ?? 1) > 0) return true;
    return new Promise((resolve) => this.#room.push(resolve));
  }

  cut(): void {
    if (this.#over) return;
    this.#controller?.error(new Error('the stream was broken off'));
    this.left();
  }

  onClosed(body: () => void): void {
    if (this.#left) body();
    else this.#closed.push(body);
  }

  private bytes(chunk: Chunk): Uint8Array {
    return typeof chunk === 'string' ? this.#encoder.encode(chunk) : chunk;
  }

  private hasRoom(): void {
    const room = this.#room;
    this.#room = [];
    for (const resolve of room) resolve();
  }

  private left(): void {
    if (this.#left || this.#over) return;
    this.#left = true;
    // For whoever waits for the response of a client that has left before its head.
    this.#answer(new Response(null, { status: CLIENT_LEFT }));
    this.hasRoom();
    for (const body of this.#closed) body();
  }
}

async function* partsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.releaseLock();
  }
}
