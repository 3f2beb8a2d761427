/**
 * Which side makes tasks of which requests. Owns: the official words for what is refused.
 * Must not know: connections.
 */
import type { ClientCapabilities, ServerCapabilities } from '../../protocol/types';
import { refusal } from '../../protocol/refusal';

function refuse(who: string, method: string, tasks: { requests?: object } | undefined, isDeclared: boolean): void {
  if (tasks?.requests === undefined) throw refusal('unsupported', `${who} does not support task creation (required for ${method})`);
  if (!isDeclared) throw refusal('unsupported', `${who} does not support task creation for ${method} (required for ${method})`);
}

/** Throws if a server makes no task of a request. */
export function refuseServerTask(capabilities: ServerCapabilities | undefined, method: string): void {
  const tasks = capabilities?.tasks as { requests?: { tools?: { call?: unknown } } } | undefined;
  refuse('Server', method, tasks, method !== 'tools/call' || Boolean(tasks?.requests?.tools?.call));
}

/** Throws if this client makes no task of a request. */
export function refuseClientTask(capabilities: ClientCapabilities | undefined, method: string): void {
  type Tasks = { requests?: { sampling?: { createMessage?: unknown }; elicitation?: { create?: unknown } } };
  const tasks = capabilities?.tasks as Tasks | undefined;
  const { sampling, elicitation } = tasks?.requests ?? {};
  const isLacking =
    (method === 'sampling/createMessage' && !sampling?.createMessage) ||
    (method === 'elicitation/create' && !elicitation?.create);
  refuse('Client', method, tasks, !isLacking);
}
