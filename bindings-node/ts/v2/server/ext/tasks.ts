/**
 * Tasks of a server (2026-07-28) in the 2.x face: `mcpbolt/v2/server/ext/tasks`. Owns: making a task
 * of a call that is running. Must not know: which calls become tasks by themselves; the member `task`
 * of a tool says it.
 */
import { begin } from '../../../common/tasks/support';
import { extraOf, type ServerContext } from '../../internal/context';
import { inV2 } from '../../internal/convert';

export type { TaskSupport } from '../../../common/tasks/support';

/**
 * Makes a task of the tool call that is running, for tools that decide by themselves, such as after a
 * first question. The client is told at once; what the tool returns is the task's result. Does nothing
 * where the call is a task already. The server needs the option `engine: {'tasks.poll_interval': 1}`
 * if none of its tools has the member `task`.
 *
 * @param ctx - The context of the tool call.
 * @returns the task's id.
 * @throws `ProtocolError` if the client did not declare the extension (-32021), too many tasks run, or
 * the task could not be stored.
 */
export function beginTask(ctx: ServerContext): Promise<string> {
  return inV2(() => begin(extraOf(ctx)));
}
