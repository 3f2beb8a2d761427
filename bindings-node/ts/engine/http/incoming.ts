/**
 * The messages of one POST. Owns: reading its body, and each message as text or as a value, whichever
 * is asked for. Must not know: which bodies are refused, or where messages go.
 */
import type { JSONRPCMessage } from '../../protocol/types';
import type { Exchange } from './exchange';
import type { Incoming } from './posts';
import type { HttpRules } from './rules';

/** Removes a byte order mark, and replaces bytes that are not valid UTF-8. */
const DECODER = new TextDecoder();

/** What a POST brings. */
export interface Post {
  readonly messages: Incoming[];
  /** The revision that an `initialize` request asks for. */
  readonly opening: string | null;
}

/**
 * Reads the messages of a POST.
 *
 * @throws a `Refusal`.
 */
export async function readPost(exchange: Exchange, parsed: unknown, rules: HttpRules, maxBytes: number): Promise<Post> {
  const body = parsed === undefined ? await exchange.read(maxBytes) : (JSON.stringify(parsed) ?? '');
  if (body === 'tooLarge') throw rules.refusal('body_size');
  const bytes = body === 'broken' ? '' : body;
  const { messages, opening, batch, clean } = rules.messages(bytes);
  const text = clean || typeof bytes === 'string' ? bytes : DECODER.decode(bytes);
  const value = (): unknown => parsed ?? JSON.parse(typeof text === 'string' ? text : DECODER.decode(text));
  if (!batch) {
    const [kind, id] = messages[0]!;
    return { messages: [{ kind, id, text: () => text, value: value as () => JSONRPCMessage }], opening };
  }
  const values = value() as JSONRPCMessage[];
  const each = messages.map(([kind, id], at): Incoming => {
    return { kind, id, text: () => JSON.stringify(values[at]), value: () => values[at]! };
  });
  return { messages: each, opening };
}
