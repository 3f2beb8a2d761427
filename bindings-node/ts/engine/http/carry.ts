/**
 * An exchange that the engine answers by itself: head and body in, head and chunks out.
 *
 * Owns: one exchange's way through a mount, and the mount that a server's transports share
 * for revisions without sessions. Must not know: which server is behind the mount.
 */
import { MODERN_REVISIONS } from '../../generated/protocol';
import type { ExchangeItem } from '../driver';
import { ErrorCode } from '../errors';
import type { Exchange, HeaderPairs } from './exchange';
import { grantOf } from './grants';
import { armSseKeepAlive, KEEP_ALIVE } from './keep-alive';
import type { NativeMount } from '../native';
import { JSON_TYPE, Refusal } from './rules';
import type { ServerHost } from '../server/host';
import type { AuthInfo } from '../../protocol/auth-info';
import type { MessageExtraInfo } from '../../protocol/types';
import type { WebStandardStreamableHTTPServerTransportOptions } from './transport-options';

/** Where the endpoint is for the engine, wherever it is for clients. */
export const MOUNT_PATH = '/mcp';

/** By whether answers are JSON alone, and whether the carrier keeps streams alive. */
const mounts = new WeakMap<ServerHost, (NativeMount | undefined)[]>();

/** Whether a revision needs no session: 1.x transports leave it to the engine. */
export function isModern(version: string | undefined): boolean {
  return version !== undefined && MODERN_REVISIONS.includes(version);
}

/** Where requests of modern revisions go that come to transports with these options. */
export function modernMount(host: ServerHost, { enableJsonResponse, keepAliveMs }: WebStandardStreamableHTTPServerTransportOptions): NativeMount {
  let all = mounts.get(host);
  if (all === undefined) mounts.set(host, (all = []));
  const [isJson, keepsAlive] = [Boolean(enableJsonResponse), keepAliveMs !== undefined];
  return (all[Number(isJson) * 2 + Number(keepsAlive)] ??= mountFor(host, isJson, keepsAlive));
}

function mountFor(host: ServerHost, isJson: boolean, keepsAlive: boolean): NativeMount {
  const way = { ...(isJson && { response: 'json' }), ...(keepsAlive && { keep_alive: null }) };
  return host.engine.mount(JSON.stringify({ path: MOUNT_PATH, guard: false, sessions: 'none', ...way }), host.driver.inbox);
}

/**
 * Whom a token belongs to, as text that is the same for the same one: the client's id or, where the
 * issuer or the subject is known, all three as a JSON array.
 */
export function principalOf(auth: AuthInfo | undefined): string | undefined {
  if (auth === undefined) return undefined;
  const { iss, sub } = (auth.extra ?? {}) as { iss?: unknown; sub?: unknown };
  // No id may pass for an array.
  const plain = typeof auth.clientId === 'string' && !auth.clientId.startsWith('[');
  if (plain && iss === undefined && sub === undefined) return auth.clientId;
  return JSON.stringify([auth.clientId, iss ?? null, sub ?? null]);
}

type Part = string | { base64: string };

function bytesOf(part: Part): string | Uint8Array {
  return typeof part === 'string' ? part : Buffer.from(part.base64, 'base64');
}

/** Headers that mean nothing to anybody behind a mount; what handlers see comes from the exchange. */
const IDLE = /^(?:connection|keep-alive|user-agent|accept-(?:encoding|language)|sec-.*|cache-control|pragma|priority|te|dnt|referer)$/i;

/** What comes before the path in a target in absolute form. */
const NAMED = /^https?:\/\/[^/?#]*/i;

/** Largest body that is handed over whole. */
const WHOLE_BYTES = 1024 * 1024;

/** How an exchange is carried. */
export interface Way {
  /** Path of the mount. */
  readonly path?: string;
  /** The interval between comments on a stream of events, in milliseconds; without it the engine writes them. */
  readonly keepAliveMs?: number;
  /** Called when all is said, or the client has left. */
  readonly over?: () => void;
}

/**
 * Has an exchange answered by a mount; what comes with it is `about`. Resolves when the
 * answer may still be on its way.
 */
export async function carry(
  host: ServerHost,
  mount: NativeMount,
  exchange: Exchange,
  about: MessageExtraInfo,
  way: Way = {},
): Promise<void> {
  const body = await firstOf(exchange);
  if (body !== 'broken') return new Carrier(host, exchange, way).begin(mount, about, body);
  refuseBroken(exchange);
  way.over?.();
}

/** Refuses a request whose body cannot be read; nobody hears of it if the client has left. */
function refuseBroken(exchange: Exchange): void {
  const why = new Refusal(400, ErrorCode.ParseError, 'Parse error: the request body could not be read');
  exchange.respond(why.status, [JSON_TYPE], why.text(), true);
}

/** A small body; nothing if it comes in parts. */
async function firstOf(exchange: Exchange): Promise<Uint8Array | 'broken' | undefined> {
  if (exchange.method === 'GET' || exchange.method === 'HEAD') return new Uint8Array();
  const said = exchange.header('content-length');
  if (said !== undefined && Number(said) <= WHOLE_BYTES) {
    const body = await exchange.read(WHOLE_BYTES);
    return body === 'tooLarge' ? 'broken' : body;
  }
  const { body } = exchange;
  if (body === undefined) return new Uint8Array();
  return body instanceof Uint8Array ? body : undefined;
}

class Carrier {
  #number = 0;
  #over = false;
  /** Whether the head of the response was sent. */
  #begun = false;
  /** Whether the program lives until the answer is there; who listens needs a reason of its own. */
  #held = false;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(
    private readonly host: ServerHost,
    private readonly exchange: Exchange,
    private readonly way: Way,
  ) {}

  begin(mount: NativeMount, about: MessageExtraInfo, first: Uint8Array | undefined): void {
    const { exchange } = this;
    const { driver } = this.host;
    const { method, target, headers: all, peer, principal = principalOf(about.authInfo) } = exchange.head;
    // A verifier may want any of them.
    const headers = this.host.authOf === undefined ? all.filter(([name]) => !IDLE.test(name)) : all;
    const { path = MOUNT_PATH } = this.way;
    const query = target.indexOf('?');
    // A target that names a host keeps it: the engine compares it with the header.
    const named = NAMED.exec(target)?.[0] ?? '';
    const whole = named + (query < 0 ? path : path + target.slice(query));
    const grant = this.host.engine.hasScopes() ? grantOf(about.authInfo) : undefined;
    const head = JSON.stringify({ method, target: whole, headers, peer, principal, grant });
    const begun = mount.request(head, first, driver.newOrigin(this.host, about));
    const [number, items] = JSON.parse(begun) as [number, ExchangeItem[]];
    this.#number = number;
    if (exchange.header('mcp-method') !== 'subscriptions/listen') {
      driver.hold();
      this.#held = true;
    }
    driver.exchanges.set(number, (item) => this.take(item));
    exchange.onClosed(() => this.left());
    for (const item of items) this.take(item);
    if (first === undefined && exchange.body !== undefined) void this.upload(exchange.body as AsyncIterable<Uint8Array>);
    driver.drainSoon();
  }

  private async upload(body: AsyncIterable<Uint8Array>): Promise<void> {
    const { driver } = this.host;
    try {
      for await (const part of body) {
        if (this.#over) return;
        this.takeAll(driver.inbox.httpBody(this.#number, part, false));
      }
      this.takeAll(driver.inbox.httpBody(this.#number, new Uint8Array(), true));
    } catch {
      if (!this.#over && !this.#begun) refuseBroken(this.exchange);
      this.left();
    }
    driver.drainSoon();
  }

  private takeAll(items: string): void {
    for (const item of JSON.parse(items) as ExchangeItem[]) this.take(item);
  }

  private take(item: ExchangeItem): void {
    if (this.#over) return;
    if (item[0] === 'http_closed') return this.left();
    if (item[0] === 'http_head') {
      const [, , status, headers, body, end] = item as [string, number, number, HeaderPairs, Part, boolean];
      this.#begun = true;
      this.exchange.respond(status, headers, bytesOf(body), end);
      if (end) this.end();
      else this.keepAlive(headers);
      return;
    }
    const [, , part, end] = item as [string, number, Part, boolean];
    const room = this.exchange.write(bytesOf(part), end);
    if (end) this.end();
    else if (room === true) this.more();
    else void room.then(() => this.more());
  }

  private keepAlive(headers: HeaderPairs): void {
    const { keepAliveMs } = this.way;
    const isStream = headers.some(([name, value]) => name === 'content-type' && value.startsWith('text/event-stream'));
    if (!isStream || keepAliveMs === undefined) return;
    this.#keepAlive = armSseKeepAlive(keepAliveMs, () => void this.exchange.write(KEEP_ALIVE, false));
  }

  private more(): void {
    if (!this.#over) this.takeAll(this.host.driver.inbox.httpSent(this.#number));
  }

  private end(): void {
    this.#over = true;
    clearInterval(this.#keepAlive);
    this.host.driver.exchanges.delete(this.#number);
    if (this.#held) this.host.driver.release();
    this.way.over?.();
  }

  /** The client is gone. */
  private left(): void {
    if (this.#over) return;
    this.host.driver.inbox.httpDisconnect(this.#number);
    this.end();
    this.host.driver.drainSoon();
  }
}
