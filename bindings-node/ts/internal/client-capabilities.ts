/**
 * What has to be declared for what. Owns: the tables, and the official words for what is
 * refused. Must not know: connections.
 */
import type { ClientCapabilities, ServerCapabilities } from '../types';

/** Requests of the protocol's own; a server may send others if there is a handler. */
export const QUESTIONS = new Set(['ping', 'sampling/createMessage', 'elicitation/create', 'roots/list']);

/** What the server must have declared, by method. */
export const SERVER_NEEDS: Record<string, keyof ServerCapabilities> = {
  'logging/setLevel': 'logging',
  'prompts/get': 'prompts',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/read': 'resources',
  'resources/subscribe': 'resources',
  'resources/unsubscribe': 'resources',
  'tools/call': 'tools',
  'tools/list': 'tools',
  'completion/complete': 'completions',
};

/** What this client must have declared to answer, by method. */
export const CLIENT_NEEDS: Record<string, keyof ClientCapabilities> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
  'tasks/get': 'tasks',
  'tasks/list': 'tasks',
  'tasks/result': 'tasks',
  'tasks/cancel': 'tasks',
};

function refuse(who: string, method: string, tasks: { requests?: object } | undefined, isDeclared: boolean): void {
  if (tasks?.requests === undefined) throw new Error(`${who} does not support task creation (required for ${method})`);
  if (!isDeclared) throw new Error(`${who} does not support task creation for ${method} (required for ${method})`);
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
