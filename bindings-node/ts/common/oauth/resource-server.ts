/**
 * Servers whose tokens the engine verifies; not in the official packages. Owns: the options, and what a
 * verified token is for handlers. Must not know: what makes a token good, and how a refusal is worded,
 * which the engine says; the errors of a face.
 */
import { noteGrant, type Grant } from '../../engine/http/grants';
import { native, type NativeResourceServer } from '../../engine/native';
import type { AuthInfo } from '../../protocol/auth-info';

/** Options of a `ResourceServer`. */
export interface ResourceServerOptions {
  /** The URL of this server as clients know it. Tokens must be issued for it. */
  resource: string | URL;
  /** The issuers whose tokens are accepted, at least one, exactly as tokens name them in `iss`. */
  issuers: string[];
  /** Audiences that are accepted instead of the URL, for issuers that do not put the URL into tokens. Default: none. */
  audiences?: string[];
  /** The scopes that every request needs. Default: none. */
  scopes?: string[];
  /** The scopes that the metadata lists. Default: those that every request needs. */
  scopesSupported?: string[];
  /** The further scopes that a scope includes, by scope. Default: none. */
  implies?: Record<string, string[]>;
  /** The server's name for people, in the metadata. Default: none. */
  name?: string;
  /** The URL of a page for developers, in the metadata. Default: none. */
  documentation?: string | URL;
  /** How far clocks may differ, in seconds. Default: 30. */
  leeway?: number;
  /** Ask the issuer about each token (RFC 7662), for tokens that only the issuer can read. Default: tokens are JWTs. */
  introspection?: {
    /** This server's id at the issuer. */
    clientId: string;
    /** This server's secret at the issuer. */
    clientSecret: string;
    /** The introspection endpoint. Default: that of the issuer's metadata. */
    endpoint?: string;
    /** How long an answer is remembered, in seconds. Default: 30. */
    remember?: number;
  };
  /** Allow tokens that are bound to a key (RFC 9449); the protocol has it in drafts only (SEP-1932). Default: no. */
  dpop?: {
    /** Whether only bound tokens are accepted. Default: false. */
    required?: boolean;
    /** Demand a nonce of the server in proofs: secrets that seal it; `[]` for a random one. Default: no nonces. */
    nonces?: string[];
  };
  /** Whether documents of an issuer with a public name may be on a private network. Default: false. */
  privateNetworks?: boolean;
}

/** The parts of a request that are checked; a `Request` of `fetch` has them. */
export interface CheckedRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The URL. */
  readonly url: string;
  /** The headers. */
  readonly headers: Headers;
}

/** What the claims of a token say. */
interface Said {
  readonly principal: string | null;
  readonly client_id: string | null;
  readonly subject: string | null;
  readonly issuer: string | null;
  readonly scopes: string[];
  readonly expires_at: number | null;
  readonly resource: string;
  readonly claims: Record<string, unknown>;
  readonly grant: Grant;
}

interface Refused {
  readonly status: number;
  readonly headers: Record<string, string>;
}

/** How many tokens are kept as objects; the engine remembers fewer. */
const KEPT = 20_000;

/**
 * Verifies tokens: JWTs by the keys that their issuer publishes, or by introspection. It is a verifier
 * for `requireBearerAuth`; `check` by itself also looks at proofs of possession.
 */
export class EngineVerifier {
  readonly #engine: NativeResourceServer;
  readonly #tell: (code: string, text: string) => Error;
  readonly #known = new Map<number, AuthInfo>();

  /**
   * @param tell - The error of the face for a refusal. @throws if an option is not valid.
   * @param options - The issuers of tokens, the URL of the resource, the required scopes and so on.
   */
  constructor(options: ResourceServerOptions, tell: (code: string, text: string) => Error) {
    const { resource, documentation, scopesSupported, introspection, privateNetworks, ...same } = options;
    const given = {
      ...same,
      resource: String(resource),
      documentation: documentation && String(documentation),
      scopes_supported: scopesSupported,
      private_networks: privateNetworks,
      introspection: introspection && {
        client_id: introspection.clientId,
        client_secret: introspection.clientSecret,
        endpoint: introspection.endpoint,
        remember: introspection.remember,
      },
    };
    this.#engine = new native.ResourceServer(JSON.stringify(given));
    this.#tell = tell;
  }

  /** Where the metadata by which clients find the issuer belong, and what they say, as JSON text. */
  get metadata(): { path: string; document: string } {
    const [path, document] = this.#engine.document();
    return { path, document };
  }

  /**
   * Verifies a bearer token and returns its `AuthInfo`; throws an OAuth error if the token is not valid.
   * @param token - The token as it was sent.
   */
  async verifyAccessToken(token: string): Promise<AuthInfo> {
    const found = await this.#looked('POST', '/', [['authorization', `Bearer ${token}`]], token);
    if (!('status' in found)) return found;
    if (found.status === 403) throw this.#tell('insufficient_scope', 'Insufficient scope');
    if (found.status === 503) throw this.#tell('server_error', 'The token cannot be checked now');
    throw this.#tell('invalid_token', 'The token is not accepted');
  }

  /**
   * Checks the token of a request: returns its `AuthInfo`, or the response to send if it is not valid.
   * @param request - The request.
   */
  async check(request: CheckedRequest): Promise<AuthInfo | Response> {
    const { pathname, search } = new URL(request.url, 'http://localhost');
    const names = ['authorization', 'dpop'].filter((name) => request.headers.has(name));
    const headers = names.map((name) => [name, request.headers.get(name)!] as [string, string]);
    const token = request.headers.get('authorization')?.split(' ', 2)[1] ?? '';
    const found = await this.#looked(request.method, pathname + search, headers, token);
    return 'status' in found ? new Response(null, found) : found;
  }

  async #looked(method: string, target: string, headers: [string, string][], token: string): Promise<AuthInfo | Refused> {
    let said = this.#engine.check(JSON.stringify({ method, target, headers }));
    if (said.startsWith('-')) said = await this.#engine.wait(Number(said.slice(1)));
    if (said.startsWith('{')) return JSON.parse(said) as Refused;
    const number = Number(said);
    let known = this.#known.get(number);
    if (known === undefined) {
      const text = this.#engine.claims(number);
      if (text === null) return { status: 503, headers: { 'Retry-After': '1' } };
      if (this.#known.size >= KEPT) this.#known.clear();
      known = infoOf(token, JSON.parse(text) as Said);
      this.#known.set(number, known);
    }
    return known;
  }
}

function infoOf(token: string, said: Said): AuthInfo {
  const info: AuthInfo = {
    token,
    clientId: said.client_id ?? said.principal ?? '',
    scopes: said.scopes,
    ...(said.expires_at !== null && { expiresAt: said.expires_at }),
    resource: new URL(said.resource),
    extra: { principal: said.principal, subject: said.subject, issuer: said.issuer, claims: said.claims },
  };
  return noteGrant(info, said.grant);
}
