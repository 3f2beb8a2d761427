/**
 * Tokens that are bound to a key (DPoP, RFC 9449): the key, the nonces of servers, a `fetch` that
 * sends proofs.
 *
 * Owns: keys of the platform and signing with them, when a request is repeated. Must not know: what a
 * proof says, which the engine writes.
 */
import { webcrypto, type webcrypto as WebCrypto } from 'node:crypto';
import type { FetchLike } from '../../protocol/transport';
import { decide } from './decisions';
import type { OAuthClientProvider } from './provider';

type Key = WebCrypto.CryptoKey;

/** The algorithms that a DPoP proof may be signed with. */
export const DPOP_SUPPORTED_ALGS = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
] as const;

/** An algorithm that a DPoP proof may be signed with. */
export type DpopAlg = (typeof DPOP_SUPPORTED_ALGS)[number];

/** A public key as a JSON Web Key. */
export type PublicJwk = Record<string, unknown>;

/** A key that tokens are bound to. */
export interface DpopKeyPair {
  /** The key that signs proofs. */
  privateKey: Key;
  /** The public key that belongs to it. */
  publicKey: Key;
  /** The public key as a JSON Web Key, which proofs contain. */
  publicJwk: PublicJwk;
  /** The thumbprint of the public key (RFC 7638), which bound tokens contain as `cnf.jkt`. */
  thumbprint: string;
  /** The signature algorithm. */
  alg: DpopAlg;
}

/** Options of `generateDpopKeyPair`. */
export interface GenerateDpopKeyPairOptions {
  /** The signature algorithm. Default: `ES256`. */
  alg?: DpopAlg;
  /** Whether the private key can be exported, so that it can be stored. Default: false. */
  extractable?: boolean;
}

/** How the platform makes a key and signs with it. */
function platform(alg: DpopAlg): { make: object; sign: object } {
  const bits = alg.slice(2);
  const hash = `SHA-${bits}`;
  const rsa = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash };
  switch (alg.slice(0, 2)) {
    case 'ES':
      return { make: { name: 'ECDSA', namedCurve: `P-${bits === '512' ? '521' : bits}` }, sign: { name: 'ECDSA', hash } };
    case 'RS':
      return { make: { name: 'RSASSA-PKCS1-v1_5', ...rsa }, sign: { name: 'RSASSA-PKCS1-v1_5' } };
    case 'PS':
      return { make: { name: 'RSA-PSS', ...rsa }, sign: { name: 'RSA-PSS', saltLength: Number(bits) / 8 } };
    default:
      return { make: { name: 'Ed25519' }, sign: { name: 'Ed25519' } };
  }
}

/**
 * Generates a key that tokens can be bound to.
 * @param options - The algorithm. Default: ES256.
 */
export async function generateDpopKeyPair(options: GenerateDpopKeyPairOptions = {}): Promise<DpopKeyPair> {
  const { alg = 'ES256', extractable = false } = options;
  if (!DPOP_SUPPORTED_ALGS.includes(alg)) throw new TypeError(`alg: ${String(alg)} is not one of ${DPOP_SUPPORTED_ALGS.join(', ')}`);
  const { subtle } = webcrypto;
  const made = await subtle.generateKey(platform(alg).make as WebCrypto.EcKeyGenParams, extractable, ['sign', 'verify']);
  const { privateKey, publicKey } = made as WebCrypto.CryptoKeyPair;
  const { kty, crv, x, y, n, e } = await subtle.exportKey('jwk', publicKey);
  const publicJwk = JSON.parse(JSON.stringify({ kty, crv, x, y, n, e })) as PublicJwk;
  return { privateKey, publicKey, publicJwk, thumbprint: decide<string>('dpop_key', { key: publicJwk }), alg };
}

/** The request that a proof is for. */
export interface DpopProofRequest {
  /** The method. */
  htm: string;
  /** The URL; its query and fragment are left out. */
  htu: string | URL;
  /** The access token that is sent with the request. Default: none, as in token requests. */
  accessToken?: string;
  /** The nonce of the server. Default: the last one of that origin. */
  nonce?: string;
}

/** A key that tokens are bound to, and the last nonce of each server. */
export class DpopSession {
  readonly #nonces = new Map<string, string>();
  readonly #keyPair: DpopKeyPair;

  private constructor(keyPair: DpopKeyPair) {
    this.#keyPair = keyPair;
  }

  /**
   * Creates a session with a new key, or with one that was kept.
   * @param options - The algorithm, or a stored key. Default: a new key for ES256.
   */
  static async create(options: { alg?: DpopAlg; keyPair?: DpopKeyPair } = {}): Promise<DpopSession> {
    const { alg, keyPair } = options;
    return new DpopSession(keyPair ?? (await generateDpopKeyPair({ ...(alg && { alg }) })));
  }

  /** The thumbprint of the public key (RFC 7638): `cnf.jkt` of bound tokens. */
  get thumbprint(): string {
    return this.#keyPair.thumbprint;
  }

  /** The signature algorithm of proofs. */
  get alg(): DpopAlg {
    return this.#keyPair.alg;
  }

  /** The public key as proofs name it. */
  get publicJwk(): PublicJwk {
    return this.#keyPair.publicJwk;
  }

  /**
   * The last nonce of a URL's origin, if there was one.
   * @param url - The URL.
   */
  nonceFor(url: string | URL): string | undefined {
    return this.#nonces.get(new URL(url).origin);
  }

  /**
   * Remembers a nonce for a URL's origin.
   * @param url - The URL.
   * @param nonce - The nonce.
   */
  rememberNonce(url: string | URL, nonce: string): void {
    this.#nonces.set(new URL(url).origin, nonce);
  }

  /**
   * Remembers the nonce of a response, if it has one.
   * @param response - The response.
   * @param url - The URL of the request.
   */
  observeNonce(response: Response, url: string | URL): void {
    const nonce = response.headers.get('dpop-nonce');
    if (nonce) this.rememberNonce(url, nonce);
  }

  /**
   * Makes a proof for one request.
   * @param request - The method, the URL, the token and the nonce.
   */
  async buildProof(request: DpopProofRequest): Promise<string> {
    const { alg: algorithm, publicJwk: key, privateKey } = this.#keyPair;
    const { htm: method, htu, accessToken: token, nonce = this.nonceFor(htu) } = request;
    const text = decide<string>('dpop_proof', { method, url: String(htu), algorithm, key, token, nonce });
    const signature = await webcrypto.subtle.sign(platform(algorithm).sign as WebCrypto.EcdsaParams, privateKey, Buffer.from(text));
    return `${text}.${Buffer.from(signature).toString('base64url')}`;
  }
}

/**
 * Whether a response asks to repeat the request with a DPoP nonce (RFC 9449).
 * @param response - The response.
 */
export function isDpopNonceChallenge(response: Response): boolean {
  const demand = response.status === 401 ? response.headers.get('www-authenticate') : null;
  if (demand === null) return false;
  return decide<{ wants_dpop_nonce: boolean } | null>('challenge', { headers: [demand] })?.wants_dpop_nonce ?? false;
}

/** Returns the access token of the next request; `undefined` for a request without. */
export type DpopTokenSource = () => string | undefined | Promise<string | undefined>;

/** A session, or a function that returns it; without one requests are sent as they are. */
export type DpopSessionSource = DpopSession | (() => DpopSession | undefined | Promise<DpopSession | undefined>);

/**
 * Makes middleware that sends bound tokens, each with a new proof. If the server demands a nonce, the request
 * is repeated once with it.
 * @param session - The key, and the nonces of servers.
 * @param getToken - Returns the token to send.
 */
export const withDpop =
  (session: DpopSessionSource, getToken: DpopTokenSource): ((next: FetchLike) => FetchLike) =>
  (next) =>
  async (input, init) => {
    const active = typeof session === 'function' ? await session() : session;
    if (!active) return next(input, init);
    const url = new URL(input);
    const send = async () => {
      const accessToken = await getToken();
      if (!accessToken) return next(input, init);
      const headers = new Headers(init?.headers);
      const proof = await active.buildProof({ htm: init?.method ?? 'GET', htu: url, accessToken });
      headers.set('Authorization', `DPoP ${accessToken}`);
      headers.set('DPoP', proof);
      return next(input, { ...init, headers });
    };
    let response = await send();
    if (response.headers.has('dpop-nonce') && isDpopNonceChallenge(response)) {
      active.observeNonce(response, url);
      await response.body?.cancel();
      response = await send();
    }
    active.observeNonce(response, url);
    return response;
  };

/**
 * `withDpop` with the key and the tokens of a provider. Tokens that are not bound are sent without a proof.
 * @param provider - The provider.
 */
export const withDpopFromProvider = (provider: OAuthClientProvider): ((next: FetchLike) => FetchLike) =>
  withDpop(
    async () => (await provider.dpop?.()) as DpopSession | undefined,
    async () => {
      const tokens = await provider.tokens();
      return tokens?.token_type?.toLowerCase() === 'dpop' ? tokens.access_token : undefined;
    },
  );
