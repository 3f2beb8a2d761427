/**
 * Signed states that a client sends back. Owns: signing them, and refusing those that were changed,
 * have expired, belong to another caller, or were used before. The client can read a state but not
 * change it. Must not know: requests.
 */
import type { webcrypto } from 'node:crypto';
import { failureOf } from '../../engine/failure';
import { native } from '../../engine/native';
import type { ServerContext } from './context';

const PREFIX = 'v1.';
const LABEL = 'mcp.requestState.bind:';
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const DEFAULT_SECONDS = 600;

/** Options of `createRequestStateCodec`. */
export interface RequestStateCodecOptions {
  /** The secret key, at least 32 bytes; the same for all processes of an endpoint. */
  key: Uint8Array | string;
  /** How long a state is valid, in seconds. Default: 600. */
  ttlSeconds?: number;
  /** Returns the owner of a state, e.g. the user. The state contains only a digest of it. */
  bind?: (ctx: ServerContext) => string;
  /**
   * Whether a state may be used several times until it expires. By default a state is accepted
   * once; each process keeps its own record of used states, and only for states that this package
   * minted.
   */
  reusable?: boolean;
}

/** Creates signed states and verifies them. */
export interface RequestStateCodec<T = unknown> {
  /** Creates a signed state with a payload; `ctx` is needed with `bind`. */
  mint(payload: T, ctx?: ServerContext): Promise<string>;
  /**
   * Returns the payload of a state. Throws if the state was changed, has expired, belongs to
   * another caller, or was used by another request.
   */
  verify(state: string, ctx: ServerContext): Promise<T>;
}

interface Envelope<T> {
  p: T;
  exp: number;
  b?: string;
  /** A unique id. States of the official package have none, so two of them may be equal. */
  jti?: string;
}

/** A state was used a second time. The message for the client says what to do. */
export class UsedStateError extends Error {}

/** The state that each request has used: verifying it again in the same request is allowed. */
const taken = new WeakMap<object, string>();

function take(number: string, expires: number, ctx: object | undefined): void {
  if (ctx !== undefined && taken.get(ctx) === number) return;
  try {
    // The state is valid until the end of its last second.
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

/** Compares two texts in constant time. */
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
 * Creates a codec that signs what a handler wants back with the answers to its questions, so that a
 * client can neither change it nor use it twice. Pass `verify` to the server as
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
