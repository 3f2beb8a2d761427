/**
 * Tasks, as revision 2025-11-25 defines them. Running tasks on a server is not supported yet, and
 * what would need that throws an error. Using the tasks of other servers, and the stores, work.
 *
 * @experimental
 */
export * from '../../v1/tasks/types';
export * from '../../v1/tasks/interfaces';
export * from '../../engine/tasks/helpers';
export * from '../../common/tasks/client';
export * from '../../common/tasks/server';
export * from './mcp-server';
export * from '../../v1/tasks/in-memory-store';
export { takeResult, toArrayAsync } from '../../common/peer/response-message';
export type {
  BaseResponseMessage,
  ErrorMessage,
  ResponseMessage,
  ResultMessage,
  TaskCreatedMessage,
  TaskStatusMessage,
} from '../../common/peer/response-message';
