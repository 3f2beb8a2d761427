/**
 * Tasks, as revision 2025-11-25 defines them. Running tasks on a server is not supported yet, and
 * what would need that throws an error. Using the tasks of other servers, and the stores, work.
 *
 * @experimental
 */
export * from './types';
export * from './interfaces';
export * from './helpers';
export * from './client';
export * from './server';
export * from './mcp-server';
export * from './stores/in-memory';
export { takeResult, toArrayAsync } from '../../shared/responseMessage';
export type {
  BaseResponseMessage,
  ErrorMessage,
  ResponseMessage,
  ResultMessage,
  TaskCreatedMessage,
  TaskStatusMessage,
} from '../../shared/responseMessage';
