/**
 * The protocol's tables: its revisions, and what it says of each method. Written by `cargo xtask generate`; do not edit.
 */

/** The revisions that open with `initialize`, oldest first. */
export const LEGACY_REVISIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
/** The newest of them. */
export const LATEST_LEGACY = '2025-11-25';
/** The revisions without a handshake, oldest first. */
export const MODERN_REVISIONS: readonly string[] = ['2026-07-28'];
/** The newest of them. */
export const LATEST_MODERN = '2026-07-28';
/** The revisions that the official 1.x package lists, newest first; drafts are only listed. */
export const LISTED_REVISIONS: readonly string[] = [...LEGACY_REVISIONS].reverse().concat(['2024-10-07']);
/** What an HTTP request is taken for that names no revision. */
export const ASSUMED_REVISION = '2025-03-26';

/**
 * Whether streams of a revision with a handshake open with an event to resume from. A revision that
 * is not in the table is placed by its date.
 */
export const primesEvents = (revision: string): boolean => revision >= '2025-11-25';

/** What the protocol says of a method. */
export interface MethodRow {
  readonly kind: 'request' | 'notification';
  /** Who sends it. */
  readonly sentBy: 'client' | 'server' | 'both';
  /** Names from the capabilities object down to what has to be declared for it. */
  readonly capability?: readonly [family: string, member?: string];
  /** Who declares that. */
  readonly declaredBy?: 'client' | 'server' | 'both';
  /** That is `true`, not an object. */
  readonly isFlag?: true;
  /** The type of its result. */
  readonly result?: string;
  /** The param that the header `Mcp-Name` repeats. */
  readonly nameParam?: string;
  /** The member of its result that holds the entries, where they come in pages. */
  readonly lists?: string;
  /** Its results say how long they may be kept. */
  readonly isCacheable?: true;
  /** Some revision has it in an extension, not in the core. */
  readonly isOfExtension?: true;
}

/** Every method of every revision. */
export const METHOD_ROWS: Readonly<Record<string, MethodRow>> = {
  'completion/complete': { kind: 'request', sentBy: 'client', capability: ['completions'], declaredBy: 'server', result: 'CompleteResult' },
  'elicitation/create': { kind: 'request', sentBy: 'server', capability: ['elicitation'], declaredBy: 'client', result: 'ElicitResult' },
  'initialize': { kind: 'request', sentBy: 'client', result: 'InitializeResult' },
  'logging/setLevel': { kind: 'request', sentBy: 'client', capability: ['logging'], declaredBy: 'server', result: 'EmptyResult' },
  'notifications/cancelled': { kind: 'notification', sentBy: 'both' },
  'notifications/elicitation/complete': { kind: 'notification', sentBy: 'server', capability: ['elicitation', 'url'], declaredBy: 'client' },
  'notifications/initialized': { kind: 'notification', sentBy: 'client' },
  'notifications/message': { kind: 'notification', sentBy: 'server', capability: ['logging'], declaredBy: 'server' },
  'notifications/progress': { kind: 'notification', sentBy: 'both' },
  'notifications/prompts/list_changed': { kind: 'notification', sentBy: 'server', capability: ['prompts', 'listChanged'], declaredBy: 'server', isFlag: true },
  'notifications/resources/list_changed': { kind: 'notification', sentBy: 'server', capability: ['resources', 'listChanged'], declaredBy: 'server', isFlag: true },
  'notifications/resources/updated': { kind: 'notification', sentBy: 'server', capability: ['resources', 'subscribe'], declaredBy: 'server', isFlag: true },
  'notifications/roots/list_changed': { kind: 'notification', sentBy: 'client', capability: ['roots', 'listChanged'], declaredBy: 'client', isFlag: true },
  'notifications/subscriptions/acknowledged': { kind: 'notification', sentBy: 'server' },
  'notifications/tasks': { kind: 'notification', sentBy: 'server', isOfExtension: true },
  'notifications/tasks/status': { kind: 'notification', sentBy: 'both', capability: ['tasks'], declaredBy: 'both' },
  'notifications/tools/list_changed': { kind: 'notification', sentBy: 'server', capability: ['tools', 'listChanged'], declaredBy: 'server', isFlag: true },
  'ping': { kind: 'request', sentBy: 'both', result: 'EmptyResult' },
  'prompts/get': { kind: 'request', sentBy: 'client', capability: ['prompts'], declaredBy: 'server', result: 'GetPromptResult', nameParam: 'name' },
  'prompts/list': { kind: 'request', sentBy: 'client', capability: ['prompts'], declaredBy: 'server', result: 'ListPromptsResult', lists: 'prompts', isCacheable: true },
  'resources/list': { kind: 'request', sentBy: 'client', capability: ['resources'], declaredBy: 'server', result: 'ListResourcesResult', lists: 'resources', isCacheable: true },
  'resources/read': { kind: 'request', sentBy: 'client', capability: ['resources'], declaredBy: 'server', result: 'ReadResourceResult', nameParam: 'uri', isCacheable: true },
  'resources/subscribe': { kind: 'request', sentBy: 'client', capability: ['resources', 'subscribe'], declaredBy: 'server', isFlag: true, result: 'EmptyResult' },
  'resources/templates/list': { kind: 'request', sentBy: 'client', capability: ['resources'], declaredBy: 'server', result: 'ListResourceTemplatesResult', lists: 'resourceTemplates', isCacheable: true },
  'resources/unsubscribe': { kind: 'request', sentBy: 'client', capability: ['resources', 'subscribe'], declaredBy: 'server', isFlag: true, result: 'EmptyResult' },
  'roots/list': { kind: 'request', sentBy: 'server', capability: ['roots'], declaredBy: 'client', result: 'ListRootsResult' },
  'sampling/createMessage': { kind: 'request', sentBy: 'server', capability: ['sampling'], declaredBy: 'client', result: 'CreateMessageResultWithTools' },
  'server/discover': { kind: 'request', sentBy: 'client', result: 'DiscoverResult', isCacheable: true },
  'subscriptions/listen': { kind: 'request', sentBy: 'client', result: 'EmptyResult' },
  'tasks/cancel': { kind: 'request', sentBy: 'both', capability: ['tasks', 'cancel'], declaredBy: 'both', result: 'CancelTaskResult', nameParam: 'taskId', isOfExtension: true },
  'tasks/get': { kind: 'request', sentBy: 'both', capability: ['tasks'], declaredBy: 'both', result: 'GetTaskResult', nameParam: 'taskId', isOfExtension: true },
  'tasks/list': { kind: 'request', sentBy: 'both', capability: ['tasks', 'list'], declaredBy: 'both', result: 'ListTasksResult', lists: 'tasks' },
  'tasks/result': { kind: 'request', sentBy: 'both', capability: ['tasks'], declaredBy: 'both', result: 'GetTaskPayloadResult' },
  'tasks/update': { kind: 'request', sentBy: 'client', result: 'Result', nameParam: 'taskId', isOfExtension: true },
  'tools/call': { kind: 'request', sentBy: 'client', capability: ['tools'], declaredBy: 'server', result: 'CallToolResult', nameParam: 'name' },
  'tools/list': { kind: 'request', sentBy: 'client', capability: ['tools'], declaredBy: 'server', result: 'ListToolsResult', lists: 'tools', isCacheable: true },
};

/** Methods whose results may be kept. */
export type CacheableMethod =
  | 'prompts/list'
  | 'resources/list'
  | 'resources/read'
  | 'resources/templates/list'
  | 'server/discover'
  | 'tools/list';

/** Methods that may be answered with questions. */
export type AskingMethod =
  | 'prompts/get'
  | 'resources/read'
  | 'tools/call';
