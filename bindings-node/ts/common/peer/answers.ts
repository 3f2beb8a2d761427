/**
 * Checked answers to a server's requests. Owns: which requests and answers are refused, with the
 * official messages, and the defaults of forms. Must not know: connections.
 */
import type { ClientCapabilities } from '../../protocol/types';
import { ErrorCode, McpError } from '../../protocol/mcp-error';
import { specSchema, specSchemaOf2, type AnySpecSchema } from '../../protocol/schema/schema';

type Handler = (request: any, extra: any) => unknown;

/**
 * Which modes of elicitation a client's capabilities declare: forms, unless only URLs are named.
 * @param elicitation - The client's capability.
 */
export function getSupportedElicitationModes(elicitation: ClientCapabilities['elicitation']): {
  supportsFormMode: boolean;
  supportsUrlMode: boolean;
} {
  if (!elicitation) return { supportsFormMode: false, supportsUrlMode: false };
  const supportsUrlMode = elicitation.url !== undefined;
  return { supportsFormMode: elicitation.form !== undefined || !supportsUrlMode, supportsUrlMode };
}

function invalid(text: string): McpError {
  return new McpError(ErrorCode.InvalidParams, text);
}

function checked<T>(schema: AnySpecSchema<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(`${what}: ${result.error.message}`);
  return result.data;
}

/**
 * Wraps a handler so that requests and answers are checked, if the method has such checks. `makesTasks` says whether a
 * request that asks for a task has to be answered with one, as in the official 1.x; 2.x no longer looks at that.
 */
export function checkedAnswers(
  method: string | undefined,
  handler: Handler,
  capabilities: () => ClientCapabilities,
  makesTasks = true,
): Handler {
  if (method === 'elicitation/create') return eliciting(handler, capabilities, makesTasks);
  return method === 'sampling/createMessage' ? sampling(handler, makesTasks) : handler;
}

/** Wraps a handler of `elicitation/create` so that requests and answers are checked. */
function eliciting(handler: Handler, capabilities: () => ClientCapabilities, makesTasks: boolean): Handler {
  return async (request, extra) => {
    const { params } = checked(specSchemaOf2<any>('ElicitRequest'), request, 'Invalid elicitation request');
    const mode = (params.mode ?? 'form') as string;
    const { elicitation } = capabilities();
    const { supportsFormMode, supportsUrlMode } = getSupportedElicitationModes(elicitation);
    if (mode === 'form' && !supportsFormMode) throw invalid('Client does not support form-mode elicitation requests');
    if (mode === 'url' && !supportsUrlMode) throw invalid('Client does not support URL-mode elicitation requests');
    const answer = await handler(request, extra);
    if (makesTasks && params.task) return checked(specSchema('CreateTaskResult'), answer, 'Invalid task creation result');
    const result = checked(specSchema<any>('ElicitResult'), answer, 'Invalid elicitation result');
    const form = elicitation?.form as { applyDefaults?: boolean } | undefined;
    if (mode === 'form' && result.action === 'accept' && result.content && form?.applyDefaults) {
      fillDefaults(params.requestedSchema, result.content);
    }
    return result;
  };
}

/** Wraps a handler of `sampling/createMessage` so that requests and answers are checked. */
function sampling(handler: Handler, makesTasks: boolean): Handler {
  return async (request, extra) => {
    const { params } = checked(specSchemaOf2<any>('CreateMessageRequest'), request, 'Invalid sampling request');
    const answer = await handler(request, extra);
    if (makesTasks && params.task) return checked(specSchema('CreateTaskResult'), answer, 'Invalid task creation result');
    const name = params.tools || params.toolChoice ? 'CreateMessageResultWithTools' : 'CreateMessageResult';
    return checked(specSchemaOf2(name), answer, 'Invalid sampling result');
  };
}

interface FormSchema {
  type?: unknown;
  properties?: Record<string, FormSchema & { default?: unknown }>;
  anyOf?: unknown;
  oneOf?: unknown;
}

/** Fills in the defaults of a schema for members that are missing. */
function fillDefaults(schema: FormSchema | undefined, data: unknown): void {
  if (typeof schema !== 'object' || schema === null || typeof data !== 'object' || data === null) return;
  const members = data as Record<string, unknown>;
  if (schema.type === 'object' && typeof schema.properties === 'object' && schema.properties !== null) {
    for (const [name, member] of Object.entries(schema.properties)) {
      if (members[name] === undefined && Object.hasOwn(member, 'default')) members[name] = member.default;
      fillDefaults(member, members[name]);
    }
  }
  for (const choices of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(choices)) for (const choice of choices) fillDefaults(choice as FormSchema, data);
  }
}
