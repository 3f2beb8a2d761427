/**
 * The second parameter of a client's handler. Owns: the 1.x view of a server's request. Must not
 * know: which handler answers.
 */
import type { RequestTaskStore } from '../peer-types';
import type { Notification, Request, RequestId, RequestMeta } from '../../protocol/types';
import type { Asking } from './asking';
import type { ServerCall } from './call';
import { ErrorCode, McpError } from '../errors';
import { taskFacts } from '../tasks/wiring';

/** Sends a request to the server from within a handler. */
export type Ask = (request: Request, schema: object, options?: Asking) => Promise<unknown>;

/** The members of `RequestHandlerExtra` that a client has. */
export interface ClientExtra {
  signal: AbortSignal;
  sessionId: string | undefined;
  _meta: RequestMeta | undefined;
  requestId: RequestId;
  taskId?: string | undefined;
  taskStore?: RequestTaskStore;
  taskRequestedTtl?: number | undefined;
  sendNotification(notification: Notification): Promise<void>;
  sendRequest: Ask;
}

/** Builds the 1.x view of a server's request. */
export function extraOf(call: ServerCall, requestId: RequestId, ask: Ask): ClientExtra {
  const { link, signal } = call;
  return {
    signal,
    sessionId: link.sessionId,
    _meta: call.params?.['_meta'] as RequestMeta | undefined,
    requestId,
    ...taskFacts(call.params),
    sendNotification: async ({ method, params }) => {
      if (!signal.aborted) await link.tell(call.call, method, params, { relatedRequestId: requestId });
    },
    sendRequest: async (request, schema, options) => {
      if (signal.aborted) throw new McpError(ErrorCode.ConnectionClosed, 'Request was cancelled');
      return ask(request, schema, { ...options, relatedRequestId: requestId });
    },
  };
}
