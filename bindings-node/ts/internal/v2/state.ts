/**
 * Signed states that travel through a client and come back. Owns: signing, and refusing
 * what was changed, is too old, belongs to another caller, or was used. The client can read
 * a state, but not change it. Must not know: requests.
 */
import type { webcrypto } from 'node:crypto';
import { failureOf } from '../failure';
import { native } from '../native';
import type { ServerContext } from './context';

const PREFIX = 'v1.';
const LABEL = 'mcp.requestState.bind:';
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const DEFAULT_SECONDS = 600;

/** How states are signed. */
export interface RequestStateCodecOptions {
  /** The secret, at least 32 bytes; the same on every node. */
  key: Uint8Array | string;
  /** How long a state is good for, in seconds; 600 if nothing is said. */
  ttlSeconds?: number;
  /** To whom a state belongs, e.g. the user; it is in the state only as a digest. */
  bind?: (ctx: ServerContext) => string;
  /**
   * Whether a state is taken as often as it comes until it expires; otherwise once. Which
   * ones were taken, each process knows for itself, and of those that were minted here or in
   * another process of this package.
   */
  reusable?: boolean;
}

/** Makes states and reads them. */
export interface RequestStateCodec<T = unknown> {
  /** A state with a payload; `ctx` is needed with `bind`. */
  mint(payload: T, ctx?: ServerContext): Promise<string>;
  /**
   * The payload of a state. Fails if it was changed, is too old, is another caller's, or was
   * taken by another request.
   */
  verify(state: string, ctx: ServerContext): Promise<T>;
}

interface Envelope<T> {
  p: T;
  exp: number;
  b?: string;
  /** Tells it from others; those of the official package have none, and may be alike. */
  jti?: string;
}

/** A state came a second time. Its client learns that, and what to do. */
export class UsedStateError extends Error {}

/** By request, the state that it took: looking at it again is not another request. */
const taken = new WeakMap<object, string>();

function take(number: string, expires: number, ctx: object | undefined): void {
  if (ctx !== undefined && taken.get(ctx) === number) return;
  try {
    // It is good for the whole of its last second.
    native.takeState(number, expires + 1);
  } catch (error) {
    const used = failureOf(error);
    throw used === undefined ? error : new UsedStateError(used.message);
  }
  if (ctx !== undefined) taken.set(ctx, number);
}

const utf8 = new TextEncoder();
const seconds = (): number => Math.floor(Date.now() / 1000);
const text = (bytes: ArrayBuffer | Uint8Array): string => Buffer.from(bytes as Uint8Array).toString('base64url');

class Signer {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #key: Promise<webcrypto.CryptoKey> | undefined;

  constructor(key: Uint8Array | string) {
    this.#bytes = typeof key === 'string' ? utf8.encode(key) : Uint8Array.from(key);
    if (this.#bytes.byteLength < KEY_BYTES) {
      throw new RangeError(`createRequestStateCodec: key must be at least ${KEY_BYTES} bytes (got ${this.#bytes.byteLength})`);
    }
  }

  get key(): Promise<webcrypto.CryptoKey> {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    return (this.#key ??= crypto.subtle.importKey('raw', this.#bytes, algorithm, false, ['sign', 'verify']));
  }

  async sign(words: string): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign('HMAC', await this.key, utf8.encode(words)));
  }

  async holds(words: string, tag: Uint8Array<ArrayBuffer>): Promise<boolean> {
    return crypto.subtle.verify('HMAC', await this.key, tag, utf8.encode(words));
  }

  async tagOf(owner: string): Promise<string> {
    return text((await this.sign(LABEL + owner)).slice(0, TAG_BYTES));
  }
}

/** Whether both are the same; takes as long whatever differs. */
function same(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

function opened<T>(body: string): Envelope<T> {
  try {
    const bytes = Buffer.from(body, 'base64url');
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Envelope<T>;
  } catch {
    throw new Error('malformed');
  }
}

/**
 * Signs what a handler wants to have back with the answers to its questions, so that a
 * client cannot change it, nor use it twice. Give `verify` to the server as
 * `requestState.verify`.
 */
export function createRequestStateCodec<T = unknown>(options: RequestStateCodecOptions): RequestStateCodec<T> {
  const { bind, ttlSeconds = DEFAULT_SECONDS, reusable = false } = options;
  const signer = new Signer(options.key);
  if (!Number.isFinite(ttlSeconds)) throw new RangeError('createRequestStateCodec: ttlSeconds must be a finite number');
  return {
    async mint(payload, ctx) {
      const envelope: Envelope<T> = { p: payload, exp: seconds() + ttlSeconds, jti: crypto.randomUUID() };
      if (bind !== undefined) {
        if (ctx === undefined) throw new TypeError('createRequestStateCodec: mint() requires ctx when a bind callback is configured');
        envelope.b = await signer.tagOf(bind(ctx));
      }
      const body = text(utf8.encode(JSON.stringify(envelope)));
      return `${PREFIX}${body}.${text(await signer.sign(PREFIX + body))}`;
    },
    async verify(state, ctx) {
      const dot = state.lastIndexOf('.');
      if (!state.startsWith(PREFIX) || dot <= PREFIX.length) throw new Error('malformed');
      const body = state.slice(PREFIX.length, dot);
      const tag = Uint8Array.from(Buffer.from(state.slice(dot + 1), 'base64url'));
      if (!(await signer.holds(PREFIX + body, tag))) throw new Error('mac');
      const envelope = opened<T>(body);
      if (typeof envelope.exp !== 'number' || envelope.exp < seconds()) throw new Error('expired');
      const owner = bind === undefined ? undefined : await signer.tagOf(bind(ctx));
      if (owner === undefined ? envelope.b !== undefined : !same(envelope.b ?? '', owner)) throw new Error('bind');
      if (!reusable && typeof envelope.jti === 'string') take(envelope.jti, envelope.exp, ctx);
      return envelope.p;
    },
  };
}
