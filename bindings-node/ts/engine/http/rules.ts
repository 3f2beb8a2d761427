/**
 * The engine's rules for HTTP requests to 1.x transports. Owns: asking the engine, and refusals as
 * errors. Must not know: what a rule is, or who has the session.
 */
import { native, type NativeTransportRules } from '../native';
import type { Exchange } from './exchange';
import { MAX_BATCH_SIZE, resolveMaxRequestBodySize } from './request-body';
import type { WebStandardStreamableHTTPServerTransportOptions } from './transport-options';

/** The content type of responses that are not streams. */
export const JSON_TYPE: [name: string, value: string] = ['content-type', 'application/json'];

/** A request that is refused. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }

  /** The body of the response. */
  text(): string {
    return JSON.stringify({ jsonrpc: '2.0', error: { code: this.code, message: this.message, data: this.data }, id: null });
  }
}

/** The one session that requests may belong to. */
interface Session {
  readonly initialized: boolean;
  readonly sessionId: string | undefined;
}

/** The headers that rules look at, in the order in which the engine is told of them. */
const RULED = ['host', 'origin', 'accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];

/** Rules by their options, because there may be a transport for each request. */
const known = new Map<string, HttpRules>();
const MAX_KNOWN = 100;

/** The rules of transports with these options. */
export class HttpRules {
  /** The session is closed. */
  readonly lost: Refusal;
  readonly #native: NativeTransportRules;
  /** What passed last: most requests of a client have the same head. */
  #passedHead = '';
  #passedMessage = '';

  private constructor(options: string) {
    this.#native = new native.TransportRules(options);
    this.lost = this.refusal('session');
  }

  /** The rules for these options. */
  static of(options: WebStandardStreamableHTTPServerTransportOptions): HttpRules {
    const { allowedHosts: hosts, allowedOrigins: origins, maxRequestBodySize, enableDnsRebindingProtection } = options;
    const max_body = resolveMaxRequestBodySize(maxRequestBodySize);
    const sessions = options.sessionIdGenerator !== undefined;
    const guard = enableDnsRebindingProtection ? { hosts, origins } : {};
    const text = JSON.stringify({ norm: 'typescript-1', sessions, max_body, max_batch: MAX_BATCH_SIZE, ...guard });
    if (known.size > MAX_KNOWN) known.clear();
    const rules = known.get(text) ?? new HttpRules(text);
    known.set(text, rules);
    return rules;
  }

  /** Why a request is not from an accepted host or origin; `undefined` if it is. */
  guard(host: string | undefined, origin: string | undefined): Refusal | undefined {
    return refusalOf(this.#native.guard(host, origin));
  }

  /** Refuses a request for what its head says; returns the head for `message`. */
  head(exchange: Exchange, { initialized, sessionId }: Session): string {
    const head = JSON.stringify([exchange.method, ...RULED.map((name) => exchange.header(name))]);
    const key = `${initialized}${sessionId}${head}`;
    if (key !== this.#passedHead) refuse(this.#native.head(head, initialized, sessionId));
    this.#passedHead = key;
    return head;
  }

  /** Refuses messages that are not of the session, or may not open it. */
  message(head: string, { initialized, sessionId }: Session, opens: boolean, count: number): void {
    const key = `${initialized}${sessionId}${head}`;
    if (!opens && key === this.#passedMessage) return;
    refuse(this.#native.message(head, initialized, sessionId, opens, count));
    if (!opens) this.#passedMessage = key;
  }

  /** The refusal for a rule that the transport looks at itself. */
  refusal(rule: string): Refusal {
    return refusalOf(this.#native.refusal(rule)) as Refusal;
  }
}

function refusalOf(row: string | null): Refusal | undefined {
  return row === null ? undefined : new Refusal(...(JSON.parse(row) as [status: number, code: number, message: string]));
}

function refuse(row: string | null): void {
  if (row !== null) throw refusalOf(row);
}
