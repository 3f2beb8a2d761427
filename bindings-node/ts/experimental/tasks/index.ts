/**
 * Tasks, as 2025-11-25 has them. A server here cannot run tasks yet: what needs that says
 * so. Following the tasks of other servers, and the stores, work.
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
