/**
 * Task options of a request. Owns: writing them into the request. Must not know: tasks; every
 * request passes through here.
 */
import type { RelatedTaskMetadata, Task, TaskCreationParams } from '../../protocol/types';

const OVER: readonly Task['status'][] = ['completed', 'failed', 'cancelled'];

/** Whether a status is final. */
export function isOver(status: Task['status']): boolean {
  return OVER.includes(status);
}

/** The task options of a request. */
export interface TaskPlan {
  /** Asks the other side to run the request as a task. */
  task?: TaskCreationParams | undefined;
  /** The task that the request belongs to. */
  relatedTask?: RelatedTaskMetadata | undefined;
}

/** A request to be sent. */
export interface Asked {
  method: string;
  params?: object;
}

/** Adds the task options to a request: to run as a task, or to belong to one. */
export function asTask<R extends Asked>(request: R, options: TaskPlan | undefined): R {
  const { task, relatedTask } = options ?? {};
  if (task === undefined && relatedTask === undefined) return request;
  const { _meta, ...params } = (request.params ?? {}) as { _meta?: object };
  const about = relatedTask && { 'io.modelcontextprotocol/related-task': relatedTask };
  const meta = (_meta || about) && { _meta: { ..._meta, ...about } };
  return { ...request, params: { ...meta, ...params, ...(task && { task }) } };
}

/** The id of the task that a request belongs to. */
export function relatedTask(params: Record<string, unknown> | undefined): string | undefined {
  const meta = params?.['_meta'] as Record<string, { taskId?: string } | undefined> | undefined;
  return meta?.['io.modelcontextprotocol/related-task']?.taskId;
}
