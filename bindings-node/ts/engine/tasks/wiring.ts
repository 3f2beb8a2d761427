/**
 * Where tasks meet handlers. Owns: loading the task code only if a program has a task store, and
 * the task members in handlers' parameters, of clients and of a program's own peers. Must not know:
 * what tasks do.
 */
import {
  CancelTaskRequestSchema,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  ListTasksRequestSchema,
  type Notification,
  type Request,
  type RequestId,
} from '../../protocol/types';
import { liveOf } from '../server/call';
import { PLAIN, type MarkedHandler, type RequestHandler } from '../handlers';
import { parseWith } from '../../protocol/schema/schema';
import type { Queued, Reach, TaskHost, TaskOptions } from './host';
import { relatedTask } from './params';
import type { RequestTaskStore } from './store';

const SCHEMAS: Record<string, unknown> = {
  'tasks/get': GetTaskRequestSchema,
  'tasks/result': GetTaskPayloadRequestSchema,
  'tasks/list': ListTasksRequestSchema,
  'tasks/cancel': CancelTaskRequestSchema,
};

/** The peer behind an `extra` that does not belong to a server's call. */
const REACHES = new WeakMap<object, Reach>();

/** The tasks of a peer with a task store, with their handlers added to its table. */
export function tasksOf(options: Partial<TaskOptions> | undefined, table: Map<string, RequestHandler>): TaskHost | undefined {
  const taskStore = options?.taskStore;
  if (!taskStore) return undefined;
  const { TaskHost: Host } = require('./host') as typeof import('./host');
  const tasks = new Host({ ...options, taskStore });
  for (const [method, answer] of Object.entries(tasks.handlers())) {
    const handler: MarkedHandler = (request, extra) => {
      const { params } = parseWith(SCHEMAS[method], request) as { params?: unknown };
      return answer(params, REACHES.get(extra) ?? liveOf(extra)!);
    };
    handler[PLAIN] = true;
    table.set(method, handler);
  }
  return tasks;
}

/** Whether a request asks to run as a task. */
export function wantsTask(params: Record<string, unknown> | undefined): boolean {
  return typeof params?.['task'] === 'object' && params['task'] !== null;
}

/** The task members of a request, for its handler. */
export function taskFacts(params: Record<string, unknown> | undefined): { taskId?: string | undefined; taskRequestedTtl?: number | undefined } {
  const taskRequestedTtl = (params?.['task'] as { ttl?: number } | null | undefined)?.ttl;
  return { taskId: params?.['_meta'] === undefined ? undefined : relatedTask(params), taskRequestedTtl };
}

/** The members of a handler's `extra` that tasks change. */
interface Given {
  signal: AbortSignal;
  sessionId: string | undefined;
  requestId: RequestId;
  taskId?: string | undefined;
  taskStore?: RequestTaskStore;
  sendNotification(notification: Notification): Promise<void>;
  sendRequest(request: Request, schema: any, options?: Queued): Promise<unknown>;
}

/** Gives a handler access to its peer's tasks; what it sends about a task waits with that task. */
export function withTasks<E extends Given>(tasks: TaskHost, { method, params }: Request, extra: E, direct: Pick<Reach, 'askQueued' | 'notify'>): E {
  const { signal, sessionId, requestId, taskId, sendNotification, sendRequest } = extra;
  const reach: Reach = { signal, sessionId, requestId, ...direct };
  const taskStore = tasks.storeFor({ method, params }, reach);
  const own = taskId === undefined ? undefined : { taskId };
  REACHES.set(extra, reach);
  return Object.assign(extra, {
    taskStore,
    sendNotification: async (notification: Notification) => {
      if (own === undefined) await sendNotification(notification);
      else if (!signal.aborted) await tasks.tell(notification, own, sessionId);
    },
    sendRequest: async (request: Request, schema: unknown, options?: Queued) => {
      const relatedTask = options?.relatedTask ?? own;
      if (relatedTask === undefined || signal.aborted) return sendRequest(request, schema, options);
      await taskStore.updateTaskStatus(relatedTask.taskId, 'input_required');
      return sendRequest(request, schema, { ...options, relatedTask });
    },
  });
}
