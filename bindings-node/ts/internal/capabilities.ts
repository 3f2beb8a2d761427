/**
 * What has to be declared before it is used, in the official words; the revision to speak. Owns: the tables. Must
 * not know: servers.
 */
import {
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  type ClientCapabilities,
  type Notification,
  type ServerCapabilities,
} from '../types';

/** What a server needs for a handler: the capability, and what it is called. */
const HANDLERS: Record<string, readonly [keyof ServerCapabilities, string]> = {
  'completion/complete': ['completions', 'completions'],
  'logging/setLevel': ['logging', 'logging'],
  'prompts/get': ['prompts', 'prompts'],
  'prompts/list': ['prompts', 'prompts'],
  'resources/list': ['resources', 'resources'],
  'resources/templates/list': ['resources', 'resources'],
  'resources/read': ['resources', 'resources'],
  'tools/call': ['tools', 'tools'],
  'tools/list': ['tools', 'tools'],
  'tasks/get': ['tasks', 'tasks capability'],
  'tasks/list': ['tasks', 'tasks capability'],
  'tasks/result': ['tasks', 'tasks capability'],
  'tasks/cancel': ['tasks', 'tasks capability'],
};

/** What a server needs for a notification. */
const NOTIFICATIONS: Record<string, readonly [keyof ServerCapabilities, string]> = {
  'notifications/message': ['logging', 'logging'],
  'notifications/resources/updated': ['resources', 'notifying about resources'],
  'notifications/resources/list_changed': ['resources', 'notifying about resources'],
  'notifications/tools/list_changed': ['tools', 'notifying of tool list changes'],
  'notifications/prompts/list_changed': ['prompts', 'notifying of prompt list changes'],
};

/** What a client needs to be asked. */
const QUESTIONS: Record<string, readonly [keyof ClientCapabilities, string]> = {
  'sampling/createMessage': ['sampling', 'sampling'],
  'elicitation/create': ['elicitation', 'elicitation'],
  'roots/list': ['roots', 'listing roots'],
};

/** Methods that are part of a capability, for those who handle them without a word. */
const FAMILIES: Record<string, keyof ServerCapabilities> = {
  'tools/call': 'tools',
  'tools/list': 'tools',
  'prompts/get': 'prompts',
  'prompts/list': 'prompts',
  'resources/read': 'resources',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
  'resources/subscribe': 'resources',
  'completion/complete': 'completions',
  'logging/setLevel': 'logging',
};

/** Refuses a handler whose capability is not declared. */
export function checkHandler(method: string, declared: ServerCapabilities): void {
  const need = HANDLERS[method];
  if (need !== undefined && !declared[need[0]]) {
    throw new Error(`Server does not support ${need[1]} (required for ${method})`);
  }
}

/** Refuses a notification whose capability is not declared. */
export function checkNotification(method: string, declared: ServerCapabilities, client: () => ClientCapabilities | undefined): void {
  const need = NOTIFICATIONS[method];
  if (need !== undefined && !declared[need[0]]) {
    throw new Error(`Server does not support ${need[1]} (required for ${method})`);
  }
  if (method === 'notifications/elicitation/complete' && !client()?.elicitation?.url) {
    throw new Error(`Client does not support URL elicitation (required for ${method})`);
  }
}

/** Refuses a question that the client did not say it answers. */
export function checkQuestion(method: string, client: ClientCapabilities | undefined): void {
  const need = QUESTIONS[method];
  if (need !== undefined && !client?.[need[0]]) {
    throw new Error(`Client does not support ${need[1]} (required for ${method})`);
  }
}

/** Either of them says that a server knows who watches what. */
const WATCHING = new Set(['resources/subscribe', 'resources/unsubscribe']);

/** Capabilities with what a program uses without having declared it. */
export function complete(declared: ServerCapabilities, methods: Iterable<string>): ServerCapabilities {
  const found: Record<string, unknown> = { ...declared };
  for (const method of methods) {
    const family = FAMILIES[method];
    if (family !== undefined) found[family] ??= {};
    if (WATCHING.has(method)) found['resources'] = { ...(found['resources'] as object), subscribe: true };
  }
  return found as ServerCapabilities;
}

/**
 * What is told to all clients that want to know, if a notification is that and it was
 * declared: the change, and whose.
 */
export function announcementOf(notification: Notification, declared: ServerCapabilities): [change: string, uri?: string] | undefined {
  const { tools, prompts, resources } = declared;
  switch (notification.method) {
    case 'notifications/tools/list_changed':
      return tools?.listChanged ? ['tools'] : undefined;
    case 'notifications/prompts/list_changed':
      return prompts?.listChanged ? ['prompts'] : undefined;
    case 'notifications/resources/list_changed':
      return resources?.listChanged ? ['resources'] : undefined;
    case 'notifications/resources/updated':
      return resources?.subscribe ? ['resource', String(notification.params?.['uri'])] : undefined;
    default:
      return undefined;
  }
}

/** The revision that a handshake agrees on. */
export function agreedRevision(params: { protocolVersion?: string } | undefined): string {
  const wanted = params?.protocolVersion ?? '';
  return SUPPORTED_PROTOCOL_VERSIONS.includes(wanted) ? wanted : LATEST_PROTOCOL_VERSION;
}

/** A client's capabilities as the official package shows them: an elicitation that says nothing means forms. */
export function shown(said: ClientCapabilities | null | undefined): ClientCapabilities | undefined {
  if (said === null || said === undefined) return undefined;
  const { elicitation } = said;
  if (elicitation === undefined || Object.keys(elicitation).length > 0) return said;
  return { ...said, elicitation: { form: {} } };
}
