/**
 * What spans and metrics say of a request, by the semantic conventions for MCP. Owns: names of spans,
 * attributes, and the words for failures. Must not know: how anything is recorded.
 */
import { METHOD_ROWS } from '../../generated/protocol';
import { McpError, wordsOf } from '../../protocol/mcp-error';
import { RESOURCES_DIRECTORY_READ_METHOD, SKILLS_GET_METHOD, SKILLS_LIST_METHOD } from '../../protocol/skill-methods';
import type { Attributes } from './api';

/** A request, as far as it is described. */
export interface Described {
  readonly method: string;
  readonly params?: unknown;
}

/** What is known of a request beside what it says. */
export interface Facts {
  /** The id that the other side gave it. */
  readonly id?: string | number | undefined;
  /** The revision that is spoken. */
  readonly revision?: string | undefined;
  /** Whether its method is one of the extensions that the program declared. */
  readonly isDeclared?: boolean;
}

/** How an operation failed. */
export interface Outcome {
  /** `error.type`. */
  readonly type: string;
  /** `rpc.response.status_code`, if the answer was a JSON-RPC error. */
  readonly code?: number | undefined;
  /** The message of a JSON-RPC error, if that was meant for the other side. */
  readonly message?: string | undefined;
}

/** What stands for names that anybody could make up: each would be a series of its own. */
const OTHER = '_OTHER';

/** The attribute for the name of what a request calls. */
const TARGETS: Readonly<Record<string, string>> = { 'tools/call': 'gen_ai.tool.name', 'prompts/get': 'gen_ai.prompt.name' };

const OF_SKILLS: ReadonlySet<string> = new Set([SKILLS_LIST_METHOD, SKILLS_GET_METHOD, RESOURCES_DIRECTORY_READ_METHOD]);

/** The method, if the protocol or an extension has it. */
function knownMethod(method: string, { isDeclared }: Facts): string {
  return isDeclared === true || Object.hasOwn(METHOD_ROWS, method) || OF_SKILLS.has(method) ? method : OTHER;
}

/** A text among the params of a request. */
function textOf({ params }: Described, name: string): string | undefined {
  const value = (params as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** The name of the tool or prompt that a request calls. */
function targetOf(request: Described): string | undefined {
  return Object.hasOwn(TARGETS, request.method) ? textOf(request, 'name') : undefined;
}

/** The name of a request's span. */
export function spanName(request: Described, facts: Facts): string {
  const target = targetOf(request);
  return target === undefined ? knownMethod(request.method, facts) : `${request.method} ${target}`;
}

/** The attributes that spans and metrics share. */
export function attributesOf(request: Described, facts: Facts): Attributes {
  const target = targetOf(request);
  return {
    'mcp.method.name': knownMethod(request.method, facts),
    ...(facts.revision && { 'mcp.protocol.version': facts.revision }),
    ...(request.method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
    ...(target !== undefined && { [TARGETS[request.method]!]: target }),
  };
}

/** The attributes that only spans have, because each request has others. */
export function ownAttributes(request: Described, { id }: Facts): Attributes {
  const uri = request.method.startsWith('resources/') ? textOf(request, 'uri') : undefined;
  return { ...(id !== undefined && { 'jsonrpc.request.id': String(id) }), ...(uri !== undefined && { 'mcp.resource.uri': uri }) };
}

/** The code of a refusal that may mean that there is no such tool or prompt. */
const INVALID_PARAMS = -32602;

/** The attributes of metrics, from those that spans share: without a name that the other side may have made up. */
export function countedAttributes(shared: Attributes, failure: Outcome | undefined): Attributes {
  if (failure?.code !== INVALID_PARAMS) return shared;
  const names = new Set(Object.values(TARGETS));
  return Object.fromEntries(Object.entries(shared).filter(([name]) => !names.has(name)));
}

/** How a request failed whose answer is a result; `undefined` if it did not. */
export function failureIn({ method }: Described, result: unknown): Outcome | undefined {
  const isFailure = method === 'tools/call' && (result as { isError?: unknown } | null | undefined)?.isError === true;
  return isFailure ? { type: 'tool_error' } : undefined;
}

/** How a request failed that the other side sent, and that is answered with `reply`. */
export function failureHere(error: unknown, reply: { code: number; message: string }): Outcome {
  if (hasCode(error)) return { type: String(reply.code), ...reply };
  return { type: className(error), code: reply.code };
}

/** How a request failed that this side sent. */
export function failureThere(error: unknown): Outcome {
  // Failures of this side have codes as well, which the other side never sent.
  if (!(error instanceof McpError) || error.local) return { type: className(error) };
  return { type: String(error.code), code: error.code, message: wordsOf(error) };
}

/** Whether what was thrown is an error of the protocol. Reading the member may throw as well. */
function hasCode(error: unknown): boolean {
  try {
    return Number.isSafeInteger((error as { code?: unknown } | null | undefined)?.code);
  } catch {
    return false;
  }
}

/** The name of an error's class. */
export function className(error: unknown): string {
  const name: unknown = error instanceof Error ? error.constructor?.name : undefined;
  return typeof name === 'string' && name !== '' ? name : OTHER;
}
