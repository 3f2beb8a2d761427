/**
 * The second parameter of a client's handler. Owns: the view of a server's request. Must not
 * know: which handler answers.
 */
import type { Asking } from '../../engine/client/asking';
import type { ServerCall } from '../../engine/client/call';
import type { RequestTaskStore } from '../../engine/tasks/store';
import { taskFacts } from '../../engine/tasks/wiring';
import { ErrorCode, McpError } from '../../protocol/mcp-error';
import type { Notification, Request, RequestId, RequestMeta } from '../../protocol/types';

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
