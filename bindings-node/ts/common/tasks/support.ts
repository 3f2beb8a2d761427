/**
 * Tools whose calls become tasks of 2026-07-28. Owns: what a tool may say of that, and making a task
 * of a call that is running. Must not know: how a task runs; the engine does.
 */
import { errorFrom } from '../../engine/errors';
import { liveOf } from '../../engine/server/call';
import { refusal } from '../../protocol/refusal';

/**
 * Whether calls of a tool become tasks: never, for clients that declared the extension, or always, so
 * that other clients are refused.
 */
export type TaskSupport = 'forbidden' | 'optional' | 'required';

/** The engine's option that switches tasks on: how often clients should ask for one, in seconds. */
export const POLL_OPTION = 'tasks.poll_interval';
/** Its value unless the program sets it. */
export const POLL_SECONDS = 1;

const KINDS: readonly unknown[] = ['forbidden', 'optional', 'required'];

/** Throws if a value is not a kind of support. */
export function checkedTask(name: string, task: TaskSupport | undefined): TaskSupport | undefined {
  if (task !== undefined && !KINDS.includes(task)) {
    throw new TypeError(`Tool ${name}: task must be 'forbidden', 'optional' or 'required', got ${String(task)}`);
  }
  return task;
}

/** Makes a task of the call that a handler was given; returns the task's id. */
export async function begin(given: object): Promise<string> {
  const live = liveOf(given);
  if (live === undefined) throw refusal('unsupported', 'This is not the context of a tool call that is running');
  const { driver } = live.host;
  const [, , , , result, failure] = await driver.answer(driver.inbox.beginTask(live.call));
  if (failure !== null) throw errorFrom(failure);
  return (result as { taskId: string }).taskId;
}
