/**
 * Where tasks meet handlers. Owns: loading what runs tasks only where a program keeps some.
 * Must not know: what tasks do.
 */
import type { ProtocolOptions } from '../shared/protocol';
import {
  CancelTaskRequestSchema,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  ListTasksRequestSchema,
} from '../types';
import { liveOf } from './extra';
import { PLAIN, type MarkedHandler, type RequestHandler } from './server-host';
import { parseWith } from './schema';
import type { TaskHost } from './task-host';

const SCHEMAS: Record<string, unknown> = {
  'tasks/get': GetTaskRequestSchema,
  'tasks/result': GetTaskPayloadRequestSchema,
  'tasks/list': ListTasksRequestSchema,
  'tasks/cancel': CancelTaskRequestSchema,
};

/** The tasks of a server that keeps some, with their handlers in its table. */
export function tasksOf(options: ProtocolOptions | undefined, table: Map<string, RequestHandler>): TaskHost | undefined {
  const taskStore = options?.taskStore;
  if (!taskStore) return undefined;
  const { TaskHost: Host } = require('./task-host') as typeof import('./task-host');
  const tasks = new Host({ ...options, taskStore });
  for (const [method, answer] of Object.entries(tasks.handlers())) {
    const handler: MarkedHandler = (request, extra) => {
      const { params } = parseWith(SCHEMAS[method], request) as { params?: unknown };
      return answer(params, liveOf(extra)!);
    };
    handler[PLAIN] = true;
    table.set(method, handler);
  }
  return tasks;
}
