/**
 * What has to be declared before it is used, in the official words; the revision to speak. Owns: which rows of the
 * method table ask for what. Must not know: servers and clients.
 */
import { METHOD_ROWS, type MethodRow } from '../generated/protocol';
import {
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
  type ClientCapabilities,
  type Notification,
  type ServerCapabilities,
} from '../protocol/types';
import { refusal } from '../protocol/refusal';

/** What official texts call a capability, where that is not its name. */
const WORDS: Record<'handler' | 'notification' | 'question', Record<string, string>> = {
  handler: { tasks: 'tasks capability' },
  notification: {
    prompts: 'notifying of prompt list changes',
    resources: 'notifying about resources',
    tools: 'notifying of tool list changes',
  },
  question: { roots: 'listing roots' },
};

/** The row of a request that one side sends, if a capability of one of the other sides goes with it. */
function requestOf(method: string, sender: 'client' | 'server', declarers: readonly string[]): MethodRow | undefined {
  const row = METHOD_ROWS[method];
  const fits = row?.kind === 'request' && (row.sentBy === sender || row.sentBy === 'both');
  return fits && declarers.includes(row.declaredBy ?? '') ? row : undefined;
}

function declares(capabilities: object | undefined, family: string): boolean {
  return Boolean((capabilities as Record<string, unknown> | undefined)?.[family]);
}

/** What a server has to declare to be sent a request. */
export function serverFamily(method: string): keyof ServerCapabilities | undefined {
  return requestOf(method, 'client', ['server'])?.capability?.[0] as keyof ServerCapabilities | undefined;
}

/** What a client has to declare to answer a request. */
export function clientFamily(method: string): keyof ClientCapabilities | undefined {
  return requestOf(method, 'server', ['client', 'both'])?.capability?.[0] as keyof ClientCapabilities | undefined;
}

/** What a question to a client needs, in the words of official texts. */
export function questionWord(method: string): string | undefined {
  const family = requestOf(method, 'server', ['client'])?.capability?.[0];
  return family && (WORDS.question[family] ?? family);
}

/** Requests of servers in the protocol itself; a server may send others if there is a handler. */
export const QUESTIONS: ReadonlySet<string> = new Set(
  Object.keys(METHOD_ROWS).filter((method) => method === 'ping' || questionWord(method) !== undefined),
);

/** Refuses a handler whose capability is not declared. */
export function checkHandler(method: string, declared: ServerCapabilities): void {
  const row = requestOf(method, 'client', ['server', 'both']);
  // A flag is set by having the handler, so it is not asked for.
  if (row === undefined || row.isFlag) return;
  const family = row.capability![0];
  if (declares(declared, family)) return;
  throw refusal('unsupported', `Server does not support ${WORDS.handler[family] ?? family} (required for ${method})`);
}

/** Refuses a notification whose capability is not declared. */
export function checkNotification(method: string, declared: ServerCapabilities, client: () => ClientCapabilities | undefined): void {
  const row = METHOD_ROWS[method];
  if (row?.kind === 'notification' && row.declaredBy === 'server' && !declares(declared, row.capability![0])) {
    const family = row.capability![0];
    throw refusal('unsupported', `Server does not support ${WORDS.notification[family] ?? family} (required for ${method})`);
  }
  if (method === 'notifications/elicitation/complete' && !client()?.elicitation?.url) {
    throw refusal('unsupported', `Client does not support URL elicitation (required for ${method})`);
  }
}

/** Refuses a question that the client did not say it answers. */
export function checkQuestion(method: string, client: ClientCapabilities | undefined): void {
  const word = questionWord(method);
  if (word !== undefined && !declares(client, METHOD_ROWS[method]!.capability![0])) {
    throw refusal('unsupported', `Client does not support ${word} (required for ${method})`);
  }
}

/**
 * What is told to all clients that want to know, if a notification is that and it was
 * declared: the change, and whose.
 */
export function announcementOf(notification: Notification, declared: ServerCapabilities): [change: string, uri?: string] | undefined {
  const row = METHOD_ROWS[notification.method];
  if (row?.kind !== 'notification' || row.declaredBy !== 'server' || !row.isFlag) return undefined;
  const [family, member] = row.capability!;
  const said = (declared as Record<string, Record<string, unknown> | undefined>)[family];
  if (!said?.[member!]) return undefined;
  return member === 'listChanged' ? [family] : ['resource', String(notification.params?.['uri'])];
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
