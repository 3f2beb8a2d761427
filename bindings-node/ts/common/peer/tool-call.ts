/**
 * Validation around handlers of `tools/call`. Owns: refusing invalid results, with the official
 * messages. Must not know: tools.
 */
import { brief } from '../../protocol/schema/brief';
import { ErrorCode, McpError } from '../../engine/errors';
import type { RequestHandler } from '../../engine/handlers';
import { methodOf, type AnySpecSchema } from '../../protocol/schema/schema';
import { CallToolRequestSchema, CallToolResultSchema, CreateTaskResultSchema, type CallToolRequest } from '../../protocol/types';

/** How many lines of an error message are used. */
const MAX_LINES = 15;

/** Wraps a handler of `tools/call` so that its results are validated; returns others unchanged. */
export function checkedCall(schema: unknown, handler: RequestHandler): RequestHandler {
  const method = typeof schema === 'string' ? schema : methodOf(schema);
  if (method !== 'tools/call') return handler;
  // Our own schema has parsed the request already.
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

/** The created task if the request asked for one; throws for another result. */
function checkedTask(result: unknown): unknown {
  const verdict = CreateTaskResultSchema.safeParse(result);
  if (verdict.success) return verdict.data;
  throw new McpError(ErrorCode.InvalidParams, `Invalid task creation result: ${verdict.error.message}`);
}

/** The result with defaults filled in; throws if it is not valid. */
export function checkedResult(result: unknown, schema: AnySpecSchema<unknown> = CallToolResultSchema, tool?: string): unknown {
  if (isPlainly(result)) return result;
  if ((result as { resultType?: unknown } | undefined)?.resultType === 'input_required') return result;
  const verdict = schema.safeParse(result);
  if (verdict.success) return verdict.data;
  throw new McpError(ErrorCode.InvalidParams, `Invalid tools/call result${wrong(verdict.error, tool)}`);
}

/** The official message if it is short; content that matches none of its kinds would fill a page. */
function wrong({ message, issues }: { message: string; issues: readonly unknown[] }, tool: string | undefined): string {
  if (message.split('\n').length <= MAX_LINES) return `: ${message}`;
  return `${tool === undefined ? '' : ` of tool ${tool}`}: ${brief(issues)}`;
}

/** A quick check whether a result has one of the usual forms. */
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
