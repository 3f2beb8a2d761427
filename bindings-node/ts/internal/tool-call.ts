/**
 * The check around handlers of `tools/call`. Owns: refusing values that are not results, in the
 * official words. Must not know: tools.
 */
import { brief } from './brief';
import { ErrorCode, McpError } from './errors';
import type { RequestHandler } from './server-host';
import { methodOf, type AnySpecSchema } from './schema';
import { CallToolRequestSchema, CallToolResultSchema, CreateTaskResultSchema, type CallToolRequest } from '../types';

/** Lines of an error's words that are read. */
const MAX_LINES = 15;

/** A handler whose results are checked, if it is for `tools/call`. */
export function checkedCall(schema: unknown, handler: RequestHandler): RequestHandler {
  const method = typeof schema === 'string' ? schema : methodOf(schema);
  if (method !== 'tools/call') return handler;
  // Ours was parsed with this very schema before.
  const known = (schema as unknown) === CallToolRequestSchema;
  return (request, extra) => {
    if (!known) checkRequest(request);
    const result = handler(request, extra);
    const { name, task } = (request as CallToolRequest).params;
    const checked = task === undefined ? (given: unknown) => checkedResult(given, CallToolResultSchema, name) : checkedTask;
    return typeof (result as PromiseLike<unknown> | undefined)?.then === 'function'
      ? (result as Promise<unknown>).then(checked)
      : checked(result);
  };
}

function checkRequest(request: unknown): void {
  const verdict = CallToolRequestSchema.safeParse(request);
  if (!verdict.success) {
    throw new McpError(ErrorCode.InvalidParams, `Invalid tools/call request: ${verdict.error.message}`);
  }
}

/** The task that was asked for; anything else is refused. */
function checkedTask(result: unknown): unknown {
  const verdict = CreateTaskResultSchema.safeParse(result);
  if (verdict.success) return verdict.data;
  throw new McpError(ErrorCode.InvalidParams, `Invalid task creation result: ${verdict.error.message}`);
}

/** The result with what it may leave out; anything that is not a result is refused. */
export function checkedResult(result: unknown, schema: AnySpecSchema<unknown> = CallToolResultSchema, tool?: string): unknown {
  if (isPlainly(result)) return result;
  if ((result as { resultType?: unknown } | undefined)?.resultType === 'input_required') return result;
  const verdict = schema.safeParse(result);
  if (verdict.success) return verdict.data;
  throw new McpError(ErrorCode.InvalidParams, `Invalid tools/call result${wrong(verdict.error, tool)}`);
}

/** The official words, as long as they are few: what fits none of the kinds of content has a page of them. */
function wrong({ message, issues }: { message: string; issues: readonly unknown[] }, tool: string | undefined): string {
  if (message.split('\n').length <= MAX_LINES) return `: ${message}`;
  return `${tool === undefined ? '' : ` of tool ${tool}`}: ${brief(issues)}`;
}

/** Whether it is one of the usual results, at a glance. */
function isPlainly(result: unknown): boolean {
  const { content, structuredContent } = (result ?? {}) as { content?: unknown; structuredContent?: unknown };
  if (!Array.isArray(content) || structuredContent !== undefined) return false;
  for (const block of content as { type?: unknown; text?: unknown; annotations?: unknown; _meta?: unknown }[]) {
    if (block?.type !== 'text' || typeof block.text !== 'string') return false;
    if (block.annotations !== undefined || block._meta !== undefined) return false;
  }
  const { isError } = result as { isError?: unknown };
  return (isError === undefined || typeof isError === 'boolean') && (result as { _meta?: unknown })._meta === undefined;
}
