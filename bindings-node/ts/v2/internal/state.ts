/**
 * Signed states that a client sends back. Owns: what is signed, and refusing what has expired,
 * belongs to another caller, or was used before. The client can read a state but not change it.
 * Must not know: requests, or how a state is signed, which the engine does.
 */
import { failureOf } from '../../engine/failure';
import { native, type NativeSigner } from '../../engine/native';
import type { ServerContext } from './context';

const KEY_BYTES = 32;
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
  /**
   * Creates a signed state.
   * @param payload - The data of the state. Clients can read it.
   * @param ctx - The context of the request; required if the codec has `bind`.
   */
  mint(payload: T, ctx?: ServerContext): Promise<string>;
  /**
   * Returns the payload of a state. Throws if the state was changed, has expired, belongs to
   * another caller, or was used by another request.
   * @param state - The state as the client sent it.
   * @param ctx - The context of the request.
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

const seconds = (): number => Math.floor(Date.now() / 1000);

function signerOf(key: Uint8Array | string): NativeSigner {
  const bytes = typeof key === 'string' ? new TextEncoder().encode(key) : key;
  if (bytes.byteLength < KEY_BYTES) {
    throw new RangeError(`createRequestStateCodec: key must be at least ${KEY_BYTES} bytes (got ${bytes.byteLength})`);
  }
  return new native.Signer(bytes);
}

function opened<T>(signer: NativeSigner, state: string): Envelope<T> {
  let body: string;
  try {
    body = signer.open(state);
  } catch (error) {
    throw new Error((error as Error).message);
  }
  try {
    return JSON.parse(body) as Envelope<T>;
  } catch {
    throw new Error('malformed');
  }
}

/**
 * Creates a codec that signs the state that a client sends back with its answers, so that the client can
 * neither change it nor use it twice. Pass `verify` to the server as `requestState.verify`.
 * @param options - The key, and how long states are valid.
 */
export function createRequestStateCodec<T = unknown>(options: RequestStateCodecOptions): RequestStateCodec<T> {
  const { bind, ttlSeconds = DEFAULT_SECONDS, reusable = false } = options;
  const signer = signerOf(options.key);
  if (!Number.isFinite(ttlSeconds)) throw new RangeError('createRequestStateCodec: ttlSeconds must be a finite number');
  return {
    async mint(payload, ctx) {
      const envelope: Envelope<T> = { p: payload, exp: seconds() + ttlSeconds, jti: crypto.randomUUID() };
      if (bind !== undefined) {
        if (ctx === undefined) throw new TypeError('createRequestStateCodec: mint() requires ctx when a bind callback is configured');
        envelope.b = signer.owner(bind(ctx));
      }
      return signer.sign(JSON.stringify(envelope));
    },
    async verify(state, ctx) {
      const envelope = opened<T>(signer, state);
      if (typeof envelope.exp !== 'number' || envelope.exp < seconds()) throw new Error('expired');
      const isOwn = bind === undefined ? envelope.b === undefined : signer.isOwner(envelope.b ?? '', bind(ctx));
      if (!isOwn) throw new Error('bind');
      if (!reusable && typeof envelope.jti === 'string') take(envelope.jti, envelope.exp, ctx);
      return envelope.p;
    },
  };
}
