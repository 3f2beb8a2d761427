/** The protocol as 1.x names it: types, schemas, constants, guards, errors. */
export { ErrorCode, McpError, UrlElicitationRequiredError } from './internal/mcp-error';

/** The newest revision that opens with `initialize`. */
export const LATEST_PROTOCOL_VERSION = '2025-11-25';
/** The revision an HTTP peer means that names none. */
export const DEFAULT_NEGOTIATED_PROTOCOL_VERSION = '2025-03-26';
/** The revisions that open with `initialize`. */
export const SUPPORTED_PROTOCOL_VERSIONS = [LATEST_PROTOCOL_VERSION, '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
/** Where `_meta` names the task that a message belongs to. */
export const RELATED_TASK_META_KEY = 'io.modelcontextprotocol/related-task';
/** What `jsonrpc` says in every message. */
export const JSONRPC_VERSION = '2.0';
