/**
 * Bodies of posts to 1.x transports. Owns: reading one as JSON, and finding the messages in it. Must
 * not know: sessions, or the words of refusals.
 */
import type { Exchange } from './exchange';
import { kindOf, type MessageKind } from './message';
import { MAX_BATCH_SIZE } from './request-body';
import type { HttpRules } from './rules';

/** Removes a byte order mark, and replaces bytes that are not valid UTF-8. */
const DECODER = new TextDecoder();

/** Reads a body as JSON; returns the value and the text. */
export async function readJson(exchange: Exchange, rules: HttpRules, maxBytes: number): Promise<[value: unknown, text: string]> {
  const body = await exchange.read(maxBytes);
  if (body === 'tooLarge') throw rules.refusal('body_size');
  try {
    const text = DECODER.decode(body === 'broken' ? undefined : body);
    return [JSON.parse(text), text];
  } catch {
    throw rules.refusal('body_json');
  }
}

/** The messages of a body, and the kind of each. */
export function messagesIn(value: unknown, rules: HttpRules): [batch: unknown[], kinds: MessageKind[]] {
  const batch = Array.isArray(value) ? (value as unknown[]) : [value];
  if (Array.isArray(value) && batch.length > MAX_BATCH_SIZE) throw rules.refusal('batch_size');
  const kinds = batch.map(kindOf);
  if (kinds.includes(undefined)) throw rules.refusal('body_messages');
  return [batch, kinds as MessageKind[]];
}
