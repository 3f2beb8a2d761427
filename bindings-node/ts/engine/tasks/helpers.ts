/** Whether the other side runs a method as a task. Owns: the check and its error message. Must not know: who asks. */
import { refusal } from '../../protocol/refusal';

/** The capability that declares which requests may become tasks. */
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
  if (requests === undefined) throw refusal('unsupported', `${who} does not support task creation ${why}`);
  if (Object.hasOwn(table, method) && !table[method]!(requests)) {
    throw refusal('unsupported', `${who} does not support task creation for ${method} ${why}`);
  }
}

/**
 * Asserts that a server can run `tools/call` as a task. Other methods pass.
 *
 * @param requests - The capability `tasks.requests` that the other side declared.
 * @param method - The method.
 * @param entityName - `Client` or `Server`, for the message.
 * @throws if the server did not declare it.
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
 * Asserts that a client can run `sampling/createMessage` or `elicitation/create` as a task. Other
 * methods pass.
 *
 * @param requests - The capability `tasks.requests` that the other side declared.
 * @param method - The method.
 * @param entityName - `Client` or `Server`, for the message.
 * @throws if the client did not declare it.
 * @experimental
 */
export function assertClientRequestTaskCapability(
  requests: TaskRequestsCapability | undefined,
  method: string,
  entityName: 'Server' | 'Client',
): void {
  refuse(OF_CLIENTS, requests, method, entityName);
}
