/**
 * The engine's rules for HTTP requests to 1.x transports. Owns: asking the engine, and refusals as
 * errors. Must not know: what a rule is, or who has the session.
 */
import { native, type NativeTransportRules, type TransportRule } from '../native';
import type { Exchange } from './exchange';
import { MAX_BATCH_SIZE, resolveMaxRequestBodySize } from './request-body';
import type { WebStandardStreamableHTTPServerTransportOptions } from './transport-options';
import type { RequestId } from '../../protocol/types';

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

/** The kind of a message. */
export type MessageKind = 'request' | 'notification' | 'result' | 'error';

/** What the engine says of a body. */
export interface Posted {
  /** The kind of each message, and the id of a request. */
  readonly messages: [kind: MessageKind, id: RequestId | null][];
  /** The revision that an `initialize` request asks for. */
  readonly opening: string | null;
  /** Whether they came as an array. */
  readonly batch: boolean;
  /** Whether bytes can be passed on; otherwise they have to be decoded before. */
  readonly clean: boolean;
}

/** The one session that requests may belong to. */
interface Session {
  readonly initialized: boolean;
  readonly sessionId: string | undefined;
}

/** Rules by their options, because there may be a transport for each request. */
const known = new Map<string, HttpRules>();
const MAX_KNOWN = 100;

/** The rules of transports with these options. */
export class HttpRules {
  /** The session is closed. */
  readonly lost: Refusal;
  readonly #native: NativeTransportRules;
  /** The last head and session that passed: most requests of a client have the same. */
  #passedHead = '';
  #passedMessage = '';

  private constructor(options: string) {
    this.#native = new native.TransportRules(options);
    this.lost = this.refusal('session');
  }

  static of(options: WebStandardStreamableHTTPServerTransportOptions): HttpRules {
    const { allowedHosts: hosts, allowedOrigins: origins, enableDnsRebindingProtection } = options;
    const max_body = resolveMaxRequestBodySize(options.maxRequestBodySize);
    const sessions = options.sessionIdGenerator !== undefined;
    const guard = enableDnsRebindingProtection ? { hosts, origins } : {};
    const text = JSON.stringify({ norm: 'typescript-1', sessions, max_body, max_batch: MAX_BATCH_SIZE, ...guard });
    let rules = known.get(text);
    if (rules === undefined) {
      rules = new HttpRules(text);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(text, rules);
    }
    return rules;
  }

  /** Why a request is not from an accepted host or origin; `undefined` if it is. */
  guard(host: string | undefined, origin: string | undefined): Refusal | undefined {
    return refusalOf(this.#native.guard(host, origin));
  }

  /** Refuses a request for what its head says; returns the head for `message`. */
  head(exchange: Exchange, session: Session): string {
    const head = headOf(exchange);
    const key = keyOf(head, session);
    if (key === this.#passedHead) return head;
    refuse(this.#native.head(head, session.initialized, session.sessionId));
    this.#passedHead = key;
    return head;
  }

  /** Refuses messages that are not of the session, or may not open it. */
  message(head: string, session: Session, opens: boolean, count: number): void {
    const key = keyOf(head, session);
    if (!opens && key === this.#passedMessage) return;
    refuse(this.#native.message(head, session.initialized, session.sessionId, opens, count));
    if (!opens) this.#passedMessage = key;
  }

  /** Reads the messages of a body. */
  messages(body: string | Uint8Array): Posted {
    const said = JSON.parse(this.#native.messages(body)) as Posted | { refused: RefusalRow };
    if ('refused' in said) throw new Refusal(...said.refused);
    return said;
  }

  /** The kind of a message; `undefined` if the text is not one valid message. */
  kindOf(text: string | undefined): MessageKind | undefined {
    const said = JSON.parse(this.#native.messages(text ?? '')) as Partial<Posted>;
    return said.batch === false ? said.messages?.[0]?.[0] : undefined;
  }

  /** The refusal for a rule that the transport looks at itself. */
  refusal(rule: TransportRule): Refusal {
    return refusalOf(this.#native.refusal(rule)) as Refusal;
  }
}

type RefusalRow = [status: number, code: number, message: string];

function refusalOf(row: string | null): Refusal | undefined {
  return row === null ? undefined : new Refusal(...(JSON.parse(row) as RefusalRow));
}

function refuse(row: string | null): void {
  if (row !== null) throw refusalOf(row);
}

/** What the rules read in a head, as JSON. */
function headOf(exchange: Exchange): string {
  return JSON.stringify({
    method: exchange.method,
    host: exchange.header('host'),
    origin: exchange.header('origin'),
    accept: exchange.header('accept'),
    content_type: exchange.header('content-type'),
    version: exchange.header('mcp-protocol-version'),
    session: exchange.header('mcp-session-id'),
  });
}

function keyOf(head: string, { initialized, sessionId }: Session): string {
  return initialized ? `${head}${sessionId}` : head;
}
