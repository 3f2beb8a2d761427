/**
 * Whether the other side makes tasks of a method. Owns: the check and its words. Must not
 * know: who asks.
 */

/** Requests that may become tasks, as a capability. */
interface TaskRequestsCapability {
  tools?: { call?: object };
  sampling?: { createMessage?: object };
  elicitation?: { create?: object };
}

type Asked = (requests: TaskRequestsCapability) => object | undefined;

const OF_SERVERS: Record<string, Asked> = { 'tools/call': ({ tools }) => tools?.call };
const OF_CLIENTS: Record<string, Asked> = {
  'sampling/createMessage': ({ sampling }) => sampling?.createMessage,
  'elicitation/create': ({ elicitation }) => elicitation?.create,
};

function refuse(table: Record<string, Asked>, requests: TaskRequestsCapability | undefined, method: string, who: string): void {
  const why = `(required for ${method})`;
  if (requests === undefined) throw new Error(`${who} does not support task creation ${why}`);
  if (Object.hasOwn(table, method) && !table[method]!(requests)) {
    throw new Error(`${who} does not support task creation for ${method} ${why}`);
  }
}

/**
 * Makes sure that a server makes tasks of tool calls, if that is the method.
 *
 * @throws if it does not.
 * @experimental
 */
export function assertToolsCallTaskCapability(
  requests: TaskRequestsCapability | undefined,
  method: string,
  entityName: 'Server' | 'Client',
): void {
  refuse(OF_SERVERS, requests, method, entityName);
}

/**
 * Makes sure that a client makes tasks of sampling or elicitation, if that is the method.
 *
 * @throws if it does not.
 * @experimental
 */
export function assertClientRequestTaskCapability(
  requests: TaskRequestsCapability | undefined,
  method: string,
  entityName: 'Server' | 'Client',
): void {
  refuse(OF_CLIENTS, requests, method, entityName);
}
