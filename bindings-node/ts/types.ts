/**
 * The protocol as the official 1.x package names it: types, schemas, constants, guards and
 * errors. Owns: what is not generated. Must not know: the engine, which this never loads.
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
} from './generated/v1';
import type { AuthInfo } from './server/auth/types';

export * from './generated/v1';
export { ErrorCode, McpError, UrlElicitationRequiredError } from './internal/mcp-error';

/** The newest revision that opens with `initialize`. */
export const LATEST_PROTOCOL_VERSION = '2025-11-25';
/** The revision an HTTP peer means that names none. */
export const DEFAULT_NEGOTIATED_PROTOCOL_VERSION = '2025-03-26';
/** The revisions that open with `initialize`. */
export const SUPPORTED_PROTOCOL_VERSIONS = [
  LATEST_PROTOCOL_VERSION,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];
/** The member of `_meta` that names the task a message belongs to. */
export const RELATED_TASK_META_KEY = 'io.modelcontextprotocol/related-task';
/** What `jsonrpc` says in every message. */
export const JSONRPC_VERSION = '2.0';

/** The old name of `JSONRPCErrorResponse`.
 * @deprecated Use `JSONRPCErrorResponse`. */
export type JSONRPCError = JSONRPCErrorResponse;

/** The old name of `ResourceTemplateReference`.
 * @deprecated Use `ResourceTemplateReference`. */
export type ResourceReference = ResourceTemplateReference;

/** Whether a value is a request with its id. */
export const isJSONRPCRequest = (value: unknown): value is JSONRPCRequest => JSONRPCRequestSchema.safeParse(value).success;

/** Whether a value is a notification as a message. */
export const isJSONRPCNotification = (value: unknown): value is JSONRPCNotification =>
  JSONRPCNotificationSchema.safeParse(value).success;

/** Whether a value is a result with the id of its request. */
export const isJSONRPCResultResponse = (value: unknown): value is JSONRPCResultResponse =>
  JSONRPCResultResponseSchema.safeParse(value).success;

/** The old name of `isJSONRPCResultResponse`.
 * @deprecated Use `isJSONRPCResultResponse`. */
export const isJSONRPCResponse = isJSONRPCResultResponse;

/** Whether a value is an error with the id of its request. */
export const isJSONRPCErrorResponse = (value: unknown): value is JSONRPCErrorResponse =>
  JSONRPCErrorResponseSchema.safeParse(value).success;

/** The old name of `isJSONRPCErrorResponse`.
 * @deprecated Use `isJSONRPCErrorResponse`. */
export const isJSONRPCError = isJSONRPCErrorResponse;

/** Whether a value is the request that opens a session. */
export const isInitializeRequest = (value: unknown): value is InitializeRequest =>
  InitializeRequestSchema.safeParse(value).success;

/** Whether a value is the notification that a session is open. */
export const isInitializedNotification = (value: unknown): value is InitializedNotification =>
  InitializedNotificationSchema.safeParse(value).success;

/** Whether a value can be the parameters of a request that may become a task. */
export const isTaskAugmentedRequestParams = (value: unknown): value is TaskAugmentedRequestParams =>
  TaskAugmentedRequestParamsSchema.safeParse(value).success;

/** A request to complete an argument of a prompt. */
export type CompleteRequestPrompt = CompleteRequest & { params: { ref: PromptReference } };

/** A request to complete a variable of a resource template. */
export type CompleteRequestResourceTemplate = CompleteRequest & { params: { ref: ResourceTemplateReference } };

function expectReference(request: CompleteRequest, type: string, name: string): void {
  const found = request.params.ref.type;
  if (found !== type) throw new TypeError(`Expected ${name}, but got ${found}`);
}

/** Makes sure that it is an argument of a prompt that is to be completed. */
export function assertCompleteRequestPrompt(request: CompleteRequest): asserts request is CompleteRequestPrompt {
  expectReference(request, 'ref/prompt', 'CompleteRequestPrompt');
}

/** Makes sure that it is a variable of a resource template that is to be completed. */
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

/** Hears that a list changed: an error, or its items if they were fetched. */
export type ListChangedCallback<T> = (error: Error | null, items: T[] | null) => void;

/** How a client keeps up with a list. */
export type ListChangedOptions<T> = {
  /** Fetches the list when it changed; on unless said otherwise. */
  autoRefresh?: boolean;
  /** How long to wait for further changes, in milliseconds; 300 unless said otherwise. */
  debounceMs?: number;
  /** Called when the list changed, and was fetched if it is to be. */
  onChanged: ListChangedCallback<T>;
};

/** What to do when a list of the server changes. */
export type ListChangedHandlers = {
  /** The list of tools. */
  tools?: ListChangedOptions<Tool>;
  /** The list of prompts. */
  prompts?: ListChangedOptions<Prompt>;
  /** The list of resources. */
  resources?: ListChangedOptions<Resource>;
};

/** Headers as Node and browsers have them. */
export type IsomorphicHeaders = Record<string, string | string[] | undefined>;

/** The HTTP request a message came with. */
export interface RequestInfo {
  /** The headers of the HTTP request. */
  headers: IsomorphicHeaders;
  /** The whole URL of the HTTP request. */
  url?: URL;
}

/** What a transport knows of a message beside its text. */
export interface MessageExtraInfo {
  /** The HTTP request the message came with. */
  requestInfo?: RequestInfo;
  /** The authenticated sender of the message. */
  authInfo?: AuthInfo;
  /** Closes the stream of this request, so that the client comes back for the rest. */
  closeSSEStream?: () => void;
  /** Closes the stream that belongs to no request, so that the client opens it again. */
  closeStandaloneSSEStream?: () => void;
}
