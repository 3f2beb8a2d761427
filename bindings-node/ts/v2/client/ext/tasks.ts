/**
 * Tasks of servers (2026-07-28) in the 2.x face: `mcpbolt/v2/client/ext/tasks`. Owns: nothing; see
 * `internal/tasks-client`. Must not know: servers.
 */
export { Task, TasksClient, type TaskState, type TaskStatus, type TaskWatch } from '../../internal/tasks-client';
