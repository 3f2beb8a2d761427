/** Sampling requests of a server. Owns: the checks before one is sent. Must not know: who sends it. */
import type { ClientCapabilities, CreateMessageRequest } from '../../protocol/types';
import { unsupported } from '../../engine/server/ask';
import { refusal } from '../../protocol/refusal';

type Params = CreateMessageRequest['params'];
interface Block {
  type: string;
  id?: string;
  toolUseId?: string;
}

function blocksOf(message: { content: unknown } | undefined): Block[] {
  if (message === undefined) return [];
  return (Array.isArray(message.content) ? message.content : [message.content]) as Block[];
}

/**
 * Throws if the client does not support a sampling request, or it is not valid.
 *
 * @throws with the official message.
 */
export function checkSampling(params: Params, client: ClientCapabilities | undefined): void {
  const sampling = client?.sampling as { tools?: unknown } | undefined;
  if ((params.tools !== undefined || params.toolChoice !== undefined) && sampling?.tools === undefined) {
    throw unsupported('Client does not support sampling tools capability.', { requiredCapabilities: { sampling: { tools: {} } } });
  }
  const { messages } = params;
  const last = blocksOf(messages.at(-1));
  const uses = blocksOf(messages.at(-2)).filter((block) => block.type === 'tool_use');
  const results = last.filter((block) => block.type === 'tool_result');
  if (results.length > 0) {
    if (results.length < last.length) {
      throw refusal('invalid_params', 'The last message must contain only tool_result content if any is present');
    }
    if (uses.length === 0) {
      throw refusal('invalid_params', 'tool_result blocks are not matching any tool_use from the previous message');
    }
  }
  if (uses.length > 0 && !sameIds(new Set(uses.map((use) => use.id)), new Set(results.map((result) => result.toolUseId)))) {
    throw refusal('invalid_params', 'ids of tool_result blocks and tool_use blocks from previous message do not match');
  }
}

function sameIds(one: Set<unknown>, other: Set<unknown>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}
