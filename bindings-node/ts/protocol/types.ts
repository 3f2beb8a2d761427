/**
 * The protocol as the official 1.x package names it: types, schemas, constants, guards and errors.
 * Owns: what is not generated. Must not know: the engine, which this module never loads.
 */
import {
  InitializedNotificationSchema,
  InitializeRequestSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResultResponseSchema,
  TaskAugmentedRequestParamsSchema,
  type CompleteRequest,
  type CreateMessageRequestParams,
  type InitializedNotification,
  type InitializeRequest,
  type JSONRPCErrorResponse,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResultResponse,
  type Prompt,
  type PromptReference,
  type Resource,
  type ResourceTemplateReference,
  type TaskAugmentedRequestParams,
  type Tool,
} from '../generated/v1';
import { ASSUMED_REVISION, LATEST_LEGACY, LISTED_REVISIONS } from '../generated/protocol';
import type { AuthInfo } from './auth-info';

export * from '../generated/v1';
export { ErrorCode, McpError, UrlElicitationRequiredError } from './mcp-error';

/** The newest revision that opens with `initialize`. */
export const LATEST_PROTOCOL_VERSION = LATEST_LEGACY;
/** The revision an HTTP peer means that names none. */
export const DEFAULT_NEGOTIATED_PROTOCOL_VERSION = ASSUMED_REVISION;
/** The revisions that open with `initialize`. */
export const SUPPORTED_PROTOCOL_VERSIONS = [...LISTED_REVISIONS];
/** The member of `_meta` that names the task a message belongs to. */
export const RELATED_TASK_META_KEY = 'io.modelcontextprotocol/related-task';
/** The value of `jsonrpc` in every message. */
export const JSONRPC_VERSION = '2.0';

/** The old name of `JSONRPCErrorResponse`.
 * @deprecated Use `JSONRPCErrorResponse`. */
export type JSONRPCError = JSONRPCErrorResponse;

/** The old name of `ResourceTemplateReference`.
 * @deprecated Use `ResourceTemplateReference`. */
export type ResourceReference = ResourceTemplateReference;

/**
 * Whether a value is a JSON-RPC request.
 * @param value - The value.
 */
export const isJSONRPCRequest = (value: unknown): value is JSONRPCRequest => JSONRPCRequestSchema.safeParse(value).success;

/**
 * Whether a value is a JSON-RPC notification.
 * @param value - The value.
 */
export const isJSONRPCNotification = (value: unknown): value is JSONRPCNotification =>
  JSONRPCNotificationSchema.safeParse(value).success;

/**
 * Whether a value is a JSON-RPC response with a result.
 * @param value - The value.
 */
export const isJSONRPCResultResponse = (value: unknown): value is JSONRPCResultResponse =>
  JSONRPCResultResponseSchema.safeParse(value).success;

/** The old name of `isJSONRPCResultResponse`.
 * @deprecated Use `isJSONRPCResultResponse`. */
export const isJSONRPCResponse = isJSONRPCResultResponse;

/**
 * Whether a value is a JSON-RPC response with an error.
 * @param value - The value.
 */
export const isJSONRPCErrorResponse = (value: unknown): value is JSONRPCErrorResponse =>
  JSONRPCErrorResponseSchema.safeParse(value).success;

/** The old name of `isJSONRPCErrorResponse`.
 * @deprecated Use `isJSONRPCErrorResponse`. */
export const isJSONRPCError = isJSONRPCErrorResponse;

/**
 * Whether a value is an `initialize` request.
 * @param value - The value.
 */
export const isInitializeRequest = (value: unknown): value is InitializeRequest =>
  InitializeRequestSchema.safeParse(value).success;

/**
 * Whether a value is a `notifications/initialized` notification.
 * @param value - The value.
 */
export const isInitializedNotification = (value: unknown): value is InitializedNotification =>
  InitializedNotificationSchema.safeParse(value).success;

/**
 * Whether a value is valid as parameters of a request that may become a task.
 * @param value - The value.
 */
export const isTaskAugmentedRequestParams = (value: unknown): value is TaskAugmentedRequestParams =>
  TaskAugmentedRequestParamsSchema.safeParse(value).success;

/** A completion request for an argument of a prompt. */
export type CompleteRequestPrompt = CompleteRequest & { params: { ref: PromptReference } };

/** A completion request for a variable of a resource template. */
export type CompleteRequestResourceTemplate = CompleteRequest & { params: { ref: ResourceTemplateReference } };

function expectReference(request: CompleteRequest, type: string, name: string): void {
  const found = request.params.ref.type;
  if (found !== type) throw new TypeError(`Expected ${name}, but got ${found}`);
}

/**
 * Asserts that a completion request is for an argument of a prompt.
 * @param request - The request.
 */
export function assertCompleteRequestPrompt(request: CompleteRequest): asserts request is CompleteRequestPrompt {
  expectReference(request, 'ref/prompt', 'CompleteRequestPrompt');
}

/**
 * Asserts that a completion request is for a variable of a resource template.
 * @param request - The request.
 */
export function assertCompleteRequestResourceTemplate(
  request: CompleteRequest,
): asserts request is CompleteRequestResourceTemplate {
  expectReference(request, 'ref/resource', 'CompleteRequestResourceTemplate');
}

/** Parameters of a sampling request without tools. */
export type CreateMessageRequestParamsBase = Omit<CreateMessageRequestParams, 'tools' | 'toolChoice'>;

/** Parameters of a sampling request with tools. */
export interface CreateMessageRequestParamsWithTools extends CreateMessageRequestParams {
  /** The tools the model may use. */
  tools: Tool[];
}

/** Called when a list changed: with an error, or with the new items if they were fetched. */
export type ListChangedCallback<T> = (error: Error | null, items: T[] | null) => void;

/** How a client follows changes of a list. */
export type ListChangedOptions<T> = {
  /** Whether to fetch the list when it changed. Default: true. */
  autoRefresh?: boolean;
  /** How long to wait for further changes before fetching, in milliseconds. Default: 300. */
  debounceMs?: number;
  /** Called when the list changed, after it was fetched if `autoRefresh` is set. */
  onChanged: ListChangedCallback<T>;
};

/** What to do when a list of the server changes. */
export type ListChangedHandlers = {
  /** Follows the list of tools. */
  tools?: ListChangedOptions<Tool>;
  /** Follows the list of prompts. */
  prompts?: ListChangedOptions<Prompt>;
  /** Follows the list of resources. */
  resources?: ListChangedOptions<Resource>;
};

/** HTTP headers as a plain object, in the form of `node:http`. */
export type IsomorphicHeaders = Record<string, string | string[] | undefined>;

/** The HTTP request that a message came with. */
export interface RequestInfo {
  /** The request's headers. */
  headers: IsomorphicHeaders;
  /** The request's full URL. */
  url?: URL;
}

/** What a transport knows about a message besides its content. */
export interface MessageExtraInfo {
  /** The HTTP request that the message came with. */
  requestInfo?: RequestInfo;
  /** The validated access token of the sender. */
  authInfo?: AuthInfo;
  /** Closes the stream of this request; the client reconnects for the rest. */
  closeSSEStream?: () => void;
  /** Closes the stream that belongs to no request; the client reopens it. */
  closeStandaloneSSEStream?: () => void;
}
