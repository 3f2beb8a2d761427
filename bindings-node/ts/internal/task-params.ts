/**
 * What options of a request say about tasks. Owns: putting that into the request. Must not
 * know: tasks; every request comes through here.
 */
import type { RequestOptions } from '../shared/protocol';
import type { Task } from '../types';

const OVER: readonly Task['status'][] = ['completed', 'failed', 'cancelled'];

/** Whether nothing more comes of a task. */
export function isOver(status: Task['status']): boolean {
  return OVER.includes(status);
}

/** A request that is to be sent. */
export interface Asked {
  method: string;
  params?: object;
}

/** The request as its options say: as a task, and about which task. */
export function asTask<R extends Asked>(request: R, options: Pick<RequestOptions, 'task' | 'relatedTask'> | undefined): R {
  const { task, relatedTask } = options ?? {};
  if (task === undefined && relatedTask === undefined) return request;
  const { _meta, ...params } = (request.params ?? {}) as { _meta?: object };
  const about = relatedTask && { 'io.modelcontextprotocol/related-task': relatedTask };
  const meta = (_meta || about) && { _meta: { ..._meta, ...about } };
  return { ...request, params: { ...meta, ...params, ...(task && { task }) } };
}

/** The task that a request belongs to, as it says. */
export function relatedTask(params: Record<string, unknown> | undefined): string | undefined {
  const meta = params?.['_meta'] as Record<string, { taskId?: string } | undefined> | undefined;
  return meta?.['io.modelcontextprotocol/related-task']?.taskId;
}
