/**
 * JSON values as JSON-RPC messages, as strict as 1.x. Owns: telling the four kinds apart, and
 * reading the charset of their bytes. Must not know: methods other than `initialize`.
 */
import { mediaTypeEssence } from '../../protocol/media-type';
import type { JSONRPCMessage, RequestId } from '../../protocol/types';

/** The kind of a message. */
export type MessageKind = 'request' | 'notification' | 'result' | 'error';

type Members = Record<string, unknown>;

const RELATED_TASK = 'io.modelcontextprotocol/related-task';

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function hasGoodMeta(value: unknown): boolean {
  if (!isObject(value)) return false;
  const meta = value['_meta'];
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const token = meta['progressToken'];
  const task = meta[RELATED_TASK];
  if (token !== undefined && !isId(token)) return false;
  return task === undefined || (isObject(task) && typeof task['taskId'] === 'string');
}

function isError(value: unknown): boolean {
  return isObject(value) && Number.isSafeInteger(value['code']) && typeof value['message'] === 'string';
}

/** Whether all members of an object are among these names. */
function hasOnly(value: Members, ...names: string[]): boolean {
  for (const name in value) if (!names.includes(name)) return false;
  return true;
}

/** The kind of a message; `undefined` if the value is not a valid message. */
export function kindOf(value: unknown): MessageKind | undefined {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return undefined;
  const { id, method, params, result, error } = value;
  if (typeof method === 'string') {
    if (params !== undefined && !hasGoodMeta(params)) return undefined;
    if (id === undefined) return hasOnly(value, 'jsonrpc', 'method', 'params') ? 'notification' : undefined;
    return isId(id) && hasOnly(value, 'jsonrpc', 'id', 'method', 'params') ? 'request' : undefined;
  }
  if (result !== undefined) {
    return isId(id) && hasGoodMeta(result) && hasOnly(value, 'jsonrpc', 'id', 'result') ? 'result' : undefined;
  }
  const known = (id === undefined || isId(id)) && isError(error);
  return known && hasOnly(value, 'jsonrpc', 'id', 'error') ? 'error' : undefined;
}

/** Whether a value is a valid message. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  return kindOf(value) !== undefined;
}

const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"\\]*)"|([^\s;"]+))/i;

/**
 * The charset of a body whose content type must be JSON.
 *
 * @throws if it is not.
 */
export function charsetOf(header: string | undefined): string {
  if (!header) throw new TypeError('argument string is required');
  const type = mediaTypeEssence(header);
  if (type === undefined || !type.includes('/')) throw new TypeError('invalid media type');
  if (type !== 'application/json') throw new Error(`Unsupported content-type: ${type}`);
  const found = CHARSET.exec(header);
  return found?.[1] ?? found?.[2] ?? 'utf-8';
}

/** The revision that an `initialize` request asks for; `undefined` for other messages. */
export function openingOf(value: unknown): string | undefined {
  const { method, params } = value as { method?: unknown; params?: unknown };
  if (method !== 'initialize' || !isObject(params)) return undefined;
  const { protocolVersion, capabilities, clientInfo } = params;
  const known = typeof protocolVersion === 'string' && isObject(capabilities) && isObject(clientInfo);
  if (!known || typeof clientInfo['name'] !== 'string' || typeof clientInfo['version'] !== 'string') return undefined;
  return protocolVersion as string;
}
