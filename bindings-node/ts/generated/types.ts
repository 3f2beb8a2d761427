/**
 * The types of the protocol, as the official packages shape them. Written by `cargo xtask generate`; do not edit.
 */

// JSON-RPC and what all messages share.

/** Ties progress to the request it is about. */
export type ProgressToken = string | number;

/** Where the next page begins; only its maker can read it. */
export type Cursor = string;

/** How a task is to be made. */
export type TaskCreationParams = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** How long to keep it after it was made, in milliseconds. */
  ttl?: number;
  /** How long to wait between two looks at it, in milliseconds. */
  pollInterval?: number;
};

/** Asks for a request to run as a task. 2025-11-25 only. */
export type TaskMetadata = {
  /** How long to keep the task once created, in milliseconds. */
  ttl?: number;
};

/** Says in `_meta` which task a message belongs to. 2025-11-25 only. */
export type RelatedTaskMetadata = {
  /** The task. */
  taskId: string;
};

/** Metadata of a message: of the protocol and of extensions. */
export type RequestMeta = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Asks for progress, which comes with this token. */
  progressToken?: ProgressToken;
  /** The task the message belongs to. */
  'io.modelcontextprotocol/related-task'?: RelatedTaskMetadata;
};

/** What all parameters of requests have. */
export type RequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
};

/** Parameters of a request that may become a task. */
export type TaskAugmentedRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Makes it a task with these properties. */
  task?: TaskMetadata;
};

/** Parameters of any message. */
export type AnyParams = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
};

/** Any request. */
export type Request = {
  /** The method. */
  method: string;
  /** What it is about. */
  params?: AnyParams;
};

/** What all parameters of notifications have. */
export type NotificationParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
};

/** Any notification. */
export type Notification = {
  /** The method. */
  method: string;
  /** What it is about. */
  params?: AnyParams;
};

/** Any result. */
export type Result = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
};

/** The id of a request. */
export type RequestId = string | number;

/** A request as a message. */
export type JSONRPCRequest = {
  /** Always `2.0`. */
  jsonrpc: '2.0';
  /** Its id. */
  id: RequestId;
  /** The method. */
  method: string;
  /** What it is about. */
  params?: AnyParams;
};

/** A notification as a message. */
export type JSONRPCNotification = {
  /** Always `2.0`. */
  jsonrpc: '2.0';
  /** The method. */
  method: string;
  /** What it is about. */
  params?: AnyParams;
};

/** A result as a message. */
export type JSONRPCResultResponse = {
  /** Always `2.0`. */
  jsonrpc: '2.0';
  /** The request it answers. */
  id: RequestId;
  /** The result. */
  result: Result;
};

/** The `error` member of a response. */
export type ErrorObject = {
  /** What kind of failure. */
  code: number;
  /** One short sentence. */
  message: string;
  /** More, in a form that depends on the code. */
  data?: unknown;
};

/** An error as a message. */
export type JSONRPCErrorResponse = {
  /** Always `2.0`. */
  jsonrpc: '2.0';
  /** The request it answers, if that could be read. */
  id?: RequestId;
  /** What went wrong. */
  error: ErrorObject;
};

/** Any message. */
export type JSONRPCMessage =
  | JSONRPCRequest
  | JSONRPCNotification
  | JSONRPCResultResponse
  | JSONRPCErrorResponse;

/** An answer as a message. */
export type JSONRPCResponse = JSONRPCResultResponse | JSONRPCErrorResponse;

/** A result without members of its own. */
export type EmptyResult = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
};

/** Params of `notifications/cancelled`. */
export type CancelledNotificationParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The request to cancel. Only 2025-11-25 lets it be absent. */
  requestId?: RequestId;
  /** The reason, for logs and people. */
  reason?: string;
};

/** Notification `notifications/cancelled` from either side. */
export type CancelledNotification = {
  /** The method. */
  method: 'notifications/cancelled';
  /** What it is about. */
  params: CancelledNotificationParams;
};

// How a session begins.

/** A picture that stands for something. Since 2025-11-25. */
export type Icon = {
  /** An `https:` or `data:` URI. */
  src: string;
  /** The MIME type, if the source has none or a wrong one. */
  mimeType?: string;
  /** Sizes as `WxH`, or `any`. */
  sizes?: string[];
  /** The background it is drawn for. */
  theme?: 'light' | 'dark';
};

/** Has pictures. */
export type Icons = {
  /** Its pictures. Since 2025-11-25. */
  icons?: Icon[];
};

/** Has a name for programs and one for people. */
export type BaseMetadata = {
  /** Its name for programs. */
  name: string;
  /** Its name for people. Since 2025-06-18. */
  title?: string;
};

/** Name and version of a program. For display only: never decide by it. */
export type Implementation = {
  /** Its name for programs. */
  name: string;
  /** Its name for people. Since 2025-06-18. */
  title?: string;
  /** Its pictures. Since 2025-11-25. */
  icons?: Icon[];
  /** Version. */
  version: string;
  /** Home page, since 2025-11-25. */
  websiteUrl?: string;
  /** What it does, since 2025-11-25. */
  description?: string;
};

/** The client shows forms. */
export type FormElicitation = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** The client fills defaults in. */
  applyDefaults?: boolean;
};

/** `elicitation`; modes since 2025-11-25. Without a mode it means forms. */
export type ElicitationCapability = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Forms. */
  form?: FormElicitation;
  /** URLs the user opens. */
  url?: object;
};

/** Sampling requests that may become tasks. */
export type TasksSampling = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** `sampling/createMessage` may. */
  createMessage?: object;
};

/** Elicitation requests that may become tasks. */
export type TasksElicitation = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** `elicitation/create` may. */
  create?: object;
};

/** Which requests to the client may be tasks. 2025-11-25 only. */
export type ClientTasksRequests = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Sampling. */
  sampling?: TasksSampling;
  /** Elicitation. */
  elicitation?: TasksElicitation;
};

/** What the client can do with tasks. 2025-11-25 only. */
export type ClientTasksCapability = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** It answers `tasks/list`. */
  list?: object;
  /** It answers `tasks/cancel`. */
  cancel?: object;
  /** What may be a task. */
  requests?: ClientTasksRequests;
};

/** Tool requests that may become tasks. */
export type TasksTools = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** `tools/call` may. */
  call?: object;
};

/** Which requests to the server may be tasks. 2025-11-25 only. */
export type ServerTasksRequests = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Tools. */
  tools?: TasksTools;
};

/** What the server can do with tasks. 2025-11-25 only. */
export type ServerTasksCapability = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** It answers `tasks/list`. */
  list?: object;
  /** It answers `tasks/cancel`. */
  cancel?: object;
  /** What may be a task. */
  requests?: ServerTasksRequests;
};

/**
 * `sampling`; sub-capabilities since 2025-11-25.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type SamplingCapability = {
  /**
   * `includeContext` other than `none`.
   * @deprecated includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28. Leave it out, or
   * say `none`.
   */
  context?: object;
  /** `tools` and `toolChoice`. */
  tools?: object;
};

/** A capability with nothing but a change notification: `tools`, `prompts`. */
export type ListChanged = {
  /** Whether changes of the list are announced. */
  listChanged?: boolean;
};

/**
 * `roots`.
 * @deprecated roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as
 * tool parameters, resource URIs or settings of the server.
 */
export type RootsCapability = {
  /** Whether changes of the list are announced (before 2026-07-28). */
  listChanged?: boolean;
};

/** `resources`. */
export type ResourcesCapability = {
  /** Whether changes of single resources are announced. */
  subscribe?: boolean;
  /** Whether changes of the list are announced. */
  listChanged?: boolean;
};

/** What a client can do. */
export type ClientCapabilities = {
  /** Unofficial features by name. */
  experimental?: { [key: string]: object };
  /**
   * It can ask a model (deprecated since 2026-07-28, SEP-2577).
   * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
   * provider from the server.
   */
  sampling?: SamplingCapability;
  /** It can ask its user, since 2025-06-18. */
  elicitation?: ElicitationCapability;
  /**
   * It has roots (deprecated since 2026-07-28, SEP-2577).
   * @deprecated roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as
   * tool parameters, resource URIs or settings of the server.
   */
  roots?: RootsCapability;
  /** It runs requests as tasks. 2025-11-25 only. */
  tasks?: ClientTasksCapability;
  /** Extensions by identifier, with their settings. */
  extensions?: { [key: string]: object };
};

/** Params of `initialize` (before 2026-07-28). */
export type InitializeRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The revision that the client prefers. */
  protocolVersion: string;
  /** What the client can do. */
  capabilities: ClientCapabilities;
  /** The name and version of the client. */
  clientInfo: Implementation;
};

/** Request `initialize` from the client. Until 2025-11-25. */
export type InitializeRequest = {
  /** The method. */
  method: 'initialize';
  /** What it is about. */
  params: InitializeRequestParams;
};

/** What a server can do. */
export type ServerCapabilities = {
  /** Unofficial features by name. */
  experimental?: { [key: string]: object };
  /**
   * It sends log messages (deprecated since 2026-07-28, SEP-2577).
   * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on
   * stdio; use OpenTelemetry elsewhere.
   */
  logging?: object;
  /** It completes arguments, since 2025-03-26. */
  completions?: object;
  /** It has prompts. */
  prompts?: ListChanged;
  /** It has resources. */
  resources?: ResourcesCapability;
  /** It has tools. */
  tools?: ListChanged;
  /** It runs requests as tasks. 2025-11-25 only. */
  tasks?: ServerTasksCapability;
  /** Extensions by identifier, with their settings. */
  extensions?: { [key: string]: object };
};

/** Result of `initialize` (before 2026-07-28). */
export type InitializeResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The revision of the session. */
  protocolVersion: string;
  /** What the server can do. */
  capabilities: ServerCapabilities;
  /** The name and version of the server. */
  serverInfo: Implementation;
  /** How to use the server, for the model. */
  instructions?: string;
};

/** Notification `notifications/initialized` from the client. Until 2025-11-25. */
export type InitializedNotification = {
  /** The method. */
  method: 'notifications/initialized';
  /** What it is about. */
  params?: NotificationParams;
};

/** Request `ping` from either side. Until 2025-11-25. */
export type PingRequest = {
  /** The method. */
  method: 'ping';
  /** What it is about. */
  params?: RequestParams;
};

/** Params of `notifications/progress`. */
export type Progress = {
  /** How much is done; increases with each report. */
  progress: number;
  /** The value of `progress` when the work is complete, if known. */
  total?: number;
  /** What is being done, for the person. Since 2025-03-26. */
  message?: string;
};

/** Params of `notifications/progress`. */
export type ProgressNotificationParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** How much is done; increases with each report. */
  progress: number;
  /** The value of `progress` when the work is complete, if known. */
  total?: number;
  /** What is being done, for the person. Since 2025-03-26. */
  message?: string;
  /** The token the request came with. */
  progressToken: ProgressToken;
};

/** Notification `notifications/progress` from either side. */
export type ProgressNotification = {
  /** The method. */
  method: 'notifications/progress';
  /** What it is about. */
  params: ProgressNotificationParams;
};

/** Params of the list methods. */
export type PaginatedRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
  cursor?: Cursor;
};

/** A request for a page of a list. */
export type PaginatedRequest = {
  /** The method. */
  method: string;
  /** Which page. */
  params?: PaginatedRequestParams;
};

/** A page of a list. */
export type PaginatedResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Where the next page begins; absent at the end. */
  nextCursor?: Cursor;
};

// Tasks, as 2025-11-25 has them.

/** The status of a task. 2025-11-25 only. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A request that runs on its own. 2025-11-25 only. */
export type Task = {
  /** The id of the task. */
  taskId: string;
  /** The status of the task. */
  status: TaskStatus;
  /** How long it is kept once created, in milliseconds; `null` is for ever. */
  ttl: number | null;
  /** When it was created, in ISO 8601. */
  createdAt: string;
  /** When it last changed, in ISO 8601. */
  lastUpdatedAt: string;
  /** How long to wait between two polls, in milliseconds. */
  pollInterval?: number;
  /** A text about the status, for people. */
  statusMessage?: string;
};

/** Answer to a request that became a task. 2025-11-25 only. */
export type CreateTaskResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The task. */
  task: Task;
};

/** Params of `notifications/tasks/status`. 2025-11-25 only. */
export type TaskStatusNotificationParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The id of the task. */
  taskId: string;
  /** The status of the task. */
  status: TaskStatus;
  /** How long it is kept once created, in milliseconds; `null` is for ever. */
  ttl: number | null;
  /** When it was created, in ISO 8601. */
  createdAt: string;
  /** When it last changed, in ISO 8601. */
  lastUpdatedAt: string;
  /** How long to wait between two polls, in milliseconds. */
  pollInterval?: number;
  /** A text about the status, for people. */
  statusMessage?: string;
};

/** Notification `notifications/tasks/status` from either side. 2025-11-25 only. */
export type TaskStatusNotification = {
  /** The method. */
  method: 'notifications/tasks/status';
  /** What it is about. */
  params: TaskStatusNotificationParams;
};

/** Params of `tasks/get`. */
export type GetTaskParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The task. */
  taskId: string;
};

/** Request `tasks/get` from either side. Since 2025-11-25. */
export type GetTaskRequest = {
  /** The method. */
  method: 'tasks/get';
  /** What it is about. */
  params: GetTaskParams;
};

/** Result of `tasks/get`. */
export type GetTaskResult = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The id of the task. */
  taskId: string;
  /** The status of the task. */
  status: TaskStatus;
  /** How long it is kept once created, in milliseconds; `null` is for ever. */
  ttl: number | null;
  /** When it was created, in ISO 8601. */
  createdAt: string;
  /** When it last changed, in ISO 8601. */
  lastUpdatedAt: string;
  /** How long to wait between two polls, in milliseconds. */
  pollInterval?: number;
  /** A text about the status, for people. */
  statusMessage?: string;
};

/** Params of `tasks/result`. 2025-11-25 only. */
export type GetTaskPayloadParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The task. */
  taskId: string;
};

/** Request `tasks/result` from either side. 2025-11-25 only. */
export type GetTaskPayloadRequest = {
  /** The method. */
  method: 'tasks/result';
  /** What it is about. */
  params: GetTaskPayloadParams;
};

/** Result of `tasks/result`: what the request would have been answered. 2025-11-25 only. */
export type GetTaskPayloadResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
};

/** Request `tasks/list` from either side. 2025-11-25 only. */
export type ListTasksRequest = {
  /** The method. */
  method: 'tasks/list';
  /** What it is about. */
  params?: PaginatedRequestParams;
};

/** Result of `tasks/list`. 2025-11-25 only. */
export type ListTasksResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Where the next page begins; absent at the end. */
  nextCursor?: Cursor;
  /** The tasks of this page. */
  tasks: Task[];
};

/** Params of `tasks/cancel`. */
export type CancelTaskParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The task. */
  taskId: string;
};

/** Request `tasks/cancel` from either side. Since 2025-11-25. */
export type CancelTaskRequest = {
  /** The method. */
  method: 'tasks/cancel';
  /** What it is about. */
  params: CancelTaskParams;
};

/** Result of `tasks/cancel`. */
export type CancelTaskResult = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The id of the task. */
  taskId: string;
  /** The status of the task. */
  status: TaskStatus;
  /** How long it is kept once created, in milliseconds; `null` is for ever. */
  ttl: number | null;
  /** When it was created, in ISO 8601. */
  createdAt: string;
  /** When it last changed, in ISO 8601. */
  lastUpdatedAt: string;
  /** How long to wait between two polls, in milliseconds. */
  pollInterval?: number;
  /** A text about the status, for people. */
  statusMessage?: string;
};

// Resources: what they are, how they are listed, read and watched.

/** The contents of a resource. */
export type ResourceContents = {
  /** The URI of the contents. */
  uri: string;
  /** The MIME type, if known. */
  mimeType?: string;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/** Contents that are text. */
export type TextResourceContents = {
  /** The URI of the contents. */
  uri: string;
  /** The MIME type, if known. */
  mimeType?: string;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
  /** The text. */
  text: string;
};

/** Contents that are bytes. */
export type BlobResourceContents = {
  /** The URI of the contents. */
  uri: string;
  /** The MIME type, if known. */
  mimeType?: string;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
  /** The bytes in Base64. */
  blob: string;
};

/** The user, or the model (`assistant`). */
export type Role = 'user' | 'assistant';

/**
 * Hints for the client about how to use or show something. From an untrusted server they are not to be
 * trusted.
 */
export type Annotations = {
  /** For whom it is: the user, the model (`assistant`), or both. */
  audience?: Role[];
  /** How important it is, from 0 to 1 (1: effectively required). */
  priority?: number;
  /** When it last changed, in ISO 8601. Since 2025-06-18. */
  lastModified?: string;
};

/** Something a client can read. */
export type Resource = {
  /** Its name for programs. */
  name: string;
  /** Its name for people. Since 2025-06-18. */
  title?: string;
  /** Its pictures. Since 2025-11-25. */
  icons?: Icon[];
  /** The URI of the resource. */
  uri: string;
  /** A description of the resource. */
  description?: string;
  /** The MIME type, if known. */
  mimeType?: string;
  /** Size in bytes before any encoding, if known. */
  size?: number;
  /** Hints for the client. */
  annotations?: Annotations;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/** A family of resources. */
export type ResourceTemplate = {
  /** Its name for programs. */
  name: string;
  /** Its name for people. Since 2025-06-18. */
  title?: string;
  /** Its pictures. Since 2025-11-25. */
  icons?: Icon[];
  /** An RFC 6570 template of the URIs. */
  uriTemplate: string;
  /** A description of the resources. */
  description?: string;
  /** The MIME type, if all have the same. */
  mimeType?: string;
  /** Hints for the client. */
  annotations?: Annotations;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/** Request `resources/list` from the client. */
export type ListResourcesRequest = {
  /** The method. */
  method: 'resources/list';
  /** What it is about. */
  params?: PaginatedRequestParams;
};

/** Result of `resources/list`. */
export type ListResourcesResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Where the next page begins; absent at the end. */
  nextCursor?: Cursor;
  /** The resources of this page. */
  resources: Resource[];
};

/** Request `resources/templates/list` from the client. */
export type ListResourceTemplatesRequest = {
  /** The method. */
  method: 'resources/templates/list';
  /** What it is about. */
  params?: PaginatedRequestParams;
};

/** Result of `resources/templates/list`. */
export type ListResourceTemplatesResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Where the next page begins; absent at the end. */
  nextCursor?: Cursor;
  /** The templates of this page. */
  resourceTemplates: ResourceTemplate[];
};

/** Names a resource. */
export type ResourceRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Its URI. */
  uri: string;
};

/** Params of `resources/read`. */
export type ReadResourceRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The URI of the resource to read. */
  uri: string;
};

/** Request `resources/read` from the client. */
export type ReadResourceRequest = {
  /** The method. */
  method: 'resources/read';
  /** What it is about. */
  params: ReadResourceRequestParams;
};

/** Contents that were read: text or bytes, never both. */
export type SomeContents = TextResourceContents | BlobResourceContents;

/** Result of `resources/read`. */
export type ReadResourceResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The contents; those of a folder may have several parts. */
  contents: SomeContents[];
};

/** Notification `notifications/resources/list_changed` from the server. */
export type ResourceListChangedNotification = {
  /** The method. */
  method: 'notifications/resources/list_changed';
  /** What it is about. */
  params?: NotificationParams;
};

/** Params of `resources/subscribe`. Until 2025-11-25. */
export type SubscribeRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The URI of the resource to watch. */
  uri: string;
};

/** Request `resources/subscribe` from the client. Until 2025-11-25. */
export type SubscribeRequest = {
  /** The method. */
  method: 'resources/subscribe';
  /** What it is about. */
  params: SubscribeRequestParams;
};

/** Params of `resources/unsubscribe`. Until 2025-11-25. */
export type UnsubscribeRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The URI of the resource that is no longer watched. */
  uri: string;
};

/** Request `resources/unsubscribe` from the client. Until 2025-11-25. */
export type UnsubscribeRequest = {
  /** The method. */
  method: 'resources/unsubscribe';
  /** What it is about. */
  params: UnsubscribeRequestParams;
};

/** Params of `notifications/resources/updated`. */
export type ResourceUpdatedNotificationParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The URI that changed; it may be below the one that is watched. */
  uri: string;
};

/** Notification `notifications/resources/updated` from the server. */
export type ResourceUpdatedNotification = {
  /** The method. */
  method: 'notifications/resources/updated';
  /** What it is about. */
  params: ResourceUpdatedNotificationParams;
};

// Prompts: what they are, how they are fetched.

/** One argument of a prompt. */
export type PromptArgument = {
  /** Its name for programs. */
  name: string;
  /** A description of the argument. */
  description?: string;
  /** Whether it must be given. Taken as false when absent. */
  required?: boolean;
};

/** A prompt or a template of one. */
export type Prompt = {
  /** Its name for programs. */
  name: string;
  /** Its name for people. Since 2025-06-18. */
  title?: string;
  /** Its pictures. Since 2025-11-25. */
  icons?: Icon[];
  /** A description of the prompt. */
  description?: string;
  /** The arguments of the prompt. */
  arguments?: PromptArgument[];
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/** Request `prompts/list` from the client. */
export type ListPromptsRequest = {
  /** The method. */
  method: 'prompts/list';
  /** What it is about. */
  params?: PaginatedRequestParams;
};

/** Result of `prompts/list`. */
export type ListPromptsResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Where the next page begins; absent at the end. */
  nextCursor?: Cursor;
  /** The prompts of this page. */
  prompts: Prompt[];
};

/** Params of `prompts/get`. */
export type GetPromptRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The name of the prompt. */
  name: string;
  /** The arguments by name, in the caller's order. */
  arguments?: { [key: string]: string };
};

/** Request `prompts/get` from the client. */
export type GetPromptRequest = {
  /** The method. */
  method: 'prompts/get';
  /** What it is about. */
  params: GetPromptRequestParams;
};

/** Text. */
export type TextContent = {
  /** Always `text`. */
  type: 'text';
  /** The text. */
  text: string;
  /** Hints for the client. */
  annotations?: Annotations;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/** A picture. */
export type ImageContent = {
  /** Always `image`. */
  type: 'image';
  /** The bytes in Base64. */
  data: string;
  /** The MIME type. */
  mimeType: string;
  /** Hints for the client. */
  annotations?: Annotations;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/** Sound. Since 2025-03-26. */
export type AudioContent = {
  /** Always `audio`. */
  type: 'audio';
  /** The bytes in Base64. */
  data: string;
  /** The MIME type. */
  mimeType: string;
  /** Hints for the client. */
  annotations?: Annotations;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/**
 * A model's wish to call a tool. Since 2025-11-25; deprecated since 2026-07-28 with sampling (SEP-2577),
 * earliest removal 2027-07-28.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type ToolUseContent = {
  /** Always `tool_use`. */
  type: 'tool_use';
  /** The name of the tool. */
  name: string;
  /** Names this use; the result refers to it. */
  id: string;
  /** The arguments: an object. */
  input: { [key: string]: unknown };
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/** The contents of a resource. */
export type EmbeddedResource = {
  /** Always `resource`. */
  type: 'resource';
  /** The contents. */
  resource: SomeContents;
  /** Hints for the client. */
  annotations?: Annotations;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/** A resource that can be read, named but not included. Since 2025-06-18. */
export type ResourceLink = {
  /** Its name for programs. */
  name: string;
  /** Its name for people. Since 2025-06-18. */
  title?: string;
  /** Its pictures. Since 2025-11-25. */
  icons?: Icon[];
  /** The URI of the resource. */
  uri: string;
  /** A description of the resource. */
  description?: string;
  /** The MIME type, if known. */
  mimeType?: string;
  /** Size in bytes before any encoding, if known. */
  size?: number;
  /** Hints for the client. */
  annotations?: Annotations;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
  /** Always `resource_link`. */
  type: 'resource_link';
};

/** One piece of content. The `type` member tells the kind. */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** One message of a prompt. */
export type PromptMessage = {
  /** The role of the sender. */
  role: Role;
  /** The content of the message. */
  content: ContentBlock;
};

/** Result of `prompts/get`. */
export type GetPromptResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** A description of the prompt. */
  description?: string;
  /** The messages. */
  messages: PromptMessage[];
};

/** Notification `notifications/prompts/list_changed` from the server. */
export type PromptListChangedNotification = {
  /** The method. */
  method: 'notifications/prompts/list_changed';
  /** What it is about. */
  params?: NotificationParams;
};

// Tools: what they are, how they are called, what they answer.

/** Hints about a tool. From an untrusted server they are not to be trusted. */
export type ToolAnnotations = {
  /** Its name for people; the tool's own title comes first. */
  title?: string;
  /** It changes nothing. Taken as false when absent. */
  readOnlyHint?: boolean;
  /** It may destroy; only matters when it is not read-only. Taken as true when absent. */
  destructiveHint?: boolean;
  /** Calling it again with the same arguments changes nothing more. Taken as false when absent. */
  idempotentHint?: boolean;
  /** It deals with the outside world. Taken as true when absent. */
  openWorldHint?: boolean;
};

/** How a tool runs. 2025-11-25 only. */
export type ToolExecution = {
  /** Whether it runs as a task. */
  taskSupport?: 'required' | 'optional' | 'forbidden';
};

/** A JSON Schema of an object. */
export type ToolSchema = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Always `object`. */
  type: 'object';
  /** The members, each a JSON Schema. */
  properties?: { [key: string]: object };
  /** The members that must be there. */
  required?: string[];
};

/** Something a client can call. */
export type Tool = {
  /** Its name for programs. */
  name: string;
  /** Its name for people. Since 2025-06-18. */
  title?: string;
  /** Its pictures. Since 2025-11-25. */
  icons?: Icon[];
  /** What it does, for the model. */
  description?: string;
  /** JSON Schema of the arguments. Its root has `type: object`. */
  inputSchema: ToolSchema;
  /** JSON Schema of `structuredContent`. Since 2025-06-18; before 2026-07-28 its root has `type: object`. */
  outputSchema?: ToolSchema;
  /** Hints about what it does. Since 2025-03-26. */
  annotations?: ToolAnnotations;
  /** How it runs. 2025-11-25 only. */
  execution?: ToolExecution;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/** Request `tools/list` from the client. */
export type ListToolsRequest = {
  /** The method. */
  method: 'tools/list';
  /** What it is about. */
  params?: PaginatedRequestParams;
};

/** Result of `tools/list`. */
export type ListToolsResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Where the next page begins; absent at the end. */
  nextCursor?: Cursor;
  /** The tools of this page. */
  tools: Tool[];
};

/** Result of `tools/call`. A tool's own failure is a result with `isError`, so that the model sees it. */
export type CallToolResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The answer. */
  content: ContentBlock[];
  /**
   * The answer as data. `null` is a value, told from absent. Since 2025-06-18; before 2026-07-28 an
   * object.
   */
  structuredContent?: { [key: string]: unknown };
  /** Whether the tool failed. Taken as false when absent. */
  isError?: boolean;
};

/** What 2024-10-07 answered. */
export type OldCallToolResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** What the tool said. */
  toolResult: unknown;
};

/** What a tool of any age answers. */
export type CompatibilityCallToolResult = CallToolResult | OldCallToolResult;

/** Params of `tools/call`. */
export type CallToolRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Makes it a task with these properties. */
  task?: TaskMetadata;
  /** The name of the tool. */
  name: string;
  /** The arguments: an object. */
  arguments?: { [key: string]: unknown };
};

/** Request `tools/call` from the client. */
export type CallToolRequest = {
  /** The method. */
  method: 'tools/call';
  /** What it is about. */
  params: CallToolRequestParams;
};

/** Notification `notifications/tools/list_changed` from the server. */
export type ToolListChangedNotification = {
  /** The method. */
  method: 'notifications/tools/list_changed';
  /** What it is about. */
  params?: NotificationParams;
};

/** How a client keeps up with a list. */
export type ListChangedOptionsBase = {
  /** Fetches the list again when it changed. */
  autoRefresh: boolean;
  /** How long to wait for further changes, in milliseconds. */
  debounceMs: number;
};

// Log messages to the client.

/**
 * The eight syslog levels, in ascending order.
 * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio;
 * use OpenTelemetry elsewhere.
 */
export type LoggingLevel =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency';

/**
 * Params of `logging/setLevel` (legacy era).
 * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio;
 * use OpenTelemetry elsewhere.
 */
export type SetLevelRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Lowest level to send. */
  level: LoggingLevel;
};

/**
 * Request `logging/setLevel` from the client. Until 2025-11-25.
 * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio;
 * use OpenTelemetry elsewhere.
 */
export type SetLevelRequest = {
  /** The method. */
  method: 'logging/setLevel';
  /** What it is about. */
  params: SetLevelRequestParams;
};

/**
 * Params of `notifications/message`.
 * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio;
 * use OpenTelemetry elsewhere.
 */
export type LoggingMessageNotificationParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The severity. */
  level: LoggingLevel;
  /** The part of the server that logs. */
  logger?: string;
  /** Any JSON value. */
  data: unknown;
};

/**
 * Notification `notifications/message` from the server.
 * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio;
 * use OpenTelemetry elsewhere.
 */
export type LoggingMessageNotification = {
  /** The method. */
  method: 'notifications/message';
  /** What it is about. */
  params: LoggingMessageNotificationParams;
};

// Sampling: a server asks the client's model.

/**
 * A name to look for.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type ModelHint = {
  /** Part of a model's name. */
  name?: string;
};

/**
 * Which model a server would like; the client decides.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type ModelPreferences = {
  /** Names to look for, best first. */
  hints?: ModelHint[];
  /** How much cost matters, from 0 to 1. */
  costPriority?: number;
  /** How much speed matters, from 0 to 1. */
  speedPriority?: number;
  /** How much ability matters, from 0 to 1. */
  intelligencePriority?: number;
};

/**
 * How the model uses tools. Since 2025-11-25.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type ToolChoice = {
  /** Whether it may, must or must not. Taken as `auto` when absent. */
  mode?: 'auto' | 'required' | 'none';
};

/**
 * What a tool answered to a model. Since 2025-11-25; deprecated since 2026-07-28 with sampling (SEP-2577),
 * earliest removal 2027-07-28.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type ToolResultContent = {
  /** Always `tool_result`. */
  type: 'tool_result';
  /** The id of the `tool_use` that this is the result of. */
  toolUseId: string;
  /** The answer. */
  content: ContentBlock[];
  /** The result as data; `null` is a value. */
  structuredContent?: { [key: string]: unknown };
  /** Whether the tool failed. */
  isError?: boolean;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/** What a model answers that has no tools. */
export type SamplingContent = TextContent | ImageContent | AudioContent;

/** What a message to or from a model may hold. */
export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

/**
 * One message to or from a model.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type SamplingMessage = {
  /** The role of the sender. */
  role: Role;
  /**
   * What is said. One block is written as an object, any other number as an array (arrays since
   * 2025-11-25).
   */
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/**
 * Params of `sampling/createMessage`.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type CreateMessageRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Makes it a task with these properties. */
  task?: TaskMetadata;
  /** The conversation so far, oldest message first. */
  messages: SamplingMessage[];
  /** Which model the server prefers. */
  modelPreferences?: ModelPreferences;
  /** The system prompt. */
  systemPrompt?: string;
  /**
   * What context the client adds.
   * @deprecated includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28. Leave it out, or
   * say `none`.
   */
  includeContext?: 'none' | 'thisServer' | 'allServers';
  /** The temperature. */
  temperature?: number;
  /** The largest number of tokens to generate. */
  maxTokens: number;
  /** Texts that end the answer. */
  stopSequences?: string[];
  /** Settings for the model's provider, passed on unchanged. */
  metadata?: object;
  /** Tools the model may use. Since 2025-11-25. */
  tools?: Tool[];
  /** Whether the model has to use tools. Since 2025-11-25. */
  toolChoice?: ToolChoice;
};

/**
 * Request `sampling/createMessage` from the server. Until 2025-11-25.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type CreateMessageRequest = {
  /** The method. */
  method: 'sampling/createMessage';
  /** What it is about. */
  params: CreateMessageRequestParams;
};

/**
 * Result of `sampling/createMessage`.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type CreateMessageResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The model that answered. */
  model: string;
  /** Why it stopped, if known. */
  stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens' | string;
  /** The role of the sender. */
  role: Role;
  /**
   * What is said. One block is written as an object, any other number as an array (arrays since
   * 2025-11-25).
   */
  content: SamplingContent;
};

/**
 * Result of `sampling/createMessage`.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export type CreateMessageResultWithTools = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The model that answered. */
  model: string;
  /** Why it stopped, if known. */
  stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse' | string;
  /** The role of the sender. */
  role: Role;
  /**
   * What is said. One block is written as an object, any other number as an array (arrays since
   * 2025-11-25).
   */
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
};

// Elicitation: a server asks the person.

/** Yes or no. */
export type BooleanSchema = {
  /** Always `boolean`. */
  type: 'boolean';
  /** The label. */
  title?: string;
  /** What to decide. */
  description?: string;
  /** What is chosen at first. */
  default?: boolean;
};

/** Text. */
export type StringSchema = {
  /** Always `string`. */
  type: 'string';
  /** The label. */
  title?: string;
  /** What to fill in. */
  description?: string;
  /** Fewest characters. */
  minLength?: number;
  /** Most characters. */
  maxLength?: number;
  /** What the text must be. */
  format?: 'email' | 'uri' | 'date' | 'date-time';
  /** What is filled in at first. Since 2025-11-25. */
  default?: string;
};

/** A number. */
export type NumberSchema = {
  /** `number` or `integer`. */
  type: 'number' | 'integer';
  /** The label. */
  title?: string;
  /** What to fill in. */
  description?: string;
  /** The smallest. */
  minimum?: number;
  /** The largest. */
  maximum?: number;
  /** What is filled in at first. Since 2025-11-25. */
  default?: number;
};

/** One of some values. */
export type UntitledSingleSelectEnumSchema = {
  /** Always `string`. */
  type: 'string';
  /** The label. */
  title?: string;
  /** What to choose. */
  description?: string;
  /** The values. */
  enum: string[];
  /** What is chosen at first. Since 2025-11-25. */
  default?: string;
};

/** A value with a title. */
export type EnumOption = {
  /** The value. */
  const: string;
  /** What the person sees. */
  title: string;
};

/** One of some values that have titles. Since 2025-11-25. */
export type TitledSingleSelectEnumSchema = {
  /** Always `string`. */
  type: 'string';
  /** The label. */
  title?: string;
  /** What to choose. */
  description?: string;
  /** The values with titles. */
  oneOf: EnumOption[];
  /** What is chosen at first. */
  default?: string;
};

/**
 * One of some values with titles in `enumNames`. `TitledSingleSelectEnumSchema` replaces it since
 * 2025-11-25.
 */
export type LegacyTitledEnumSchema = {
  /** Always `string`. */
  type: 'string';
  /** The label. */
  title?: string;
  /** What to choose. */
  description?: string;
  /** The values. */
  enum: string[];
  /** Their titles, in the same order. */
  enumNames?: string[];
  /** What is chosen at first. Since 2025-11-25. */
  default?: string;
};

/** One of some values. */
export type SingleSelectEnumSchema = UntitledSingleSelectEnumSchema | TitledSingleSelectEnumSchema;

/** The items of `UntitledMultiSelectEnumSchema`. */
export type UntitledItems = {
  /** Always `string`. */
  type: 'string';
  /** The values. */
  enum: string[];
};

/** Several of some values. Since 2025-11-25. */
export type UntitledMultiSelectEnumSchema = {
  /** Always `array`. */
  type: 'array';
  /** The label. */
  title?: string;
  /** What to choose. */
  description?: string;
  /** Fewest values to choose. */
  minItems?: number;
  /** Most values to choose. */
  maxItems?: number;
  /** The values. */
  items: UntitledItems;
  /** What is chosen at first. */
  default?: string[];
};

/** The items of `TitledMultiSelectEnumSchema`. */
export type TitledItems = {
  /** The values with titles. */
  anyOf: EnumOption[];
};

/** Several of some values that have titles. Since 2025-11-25. */
export type TitledMultiSelectEnumSchema = {
  /** Always `array`. */
  type: 'array';
  /** The label. */
  title?: string;
  /** What to choose. */
  description?: string;
  /** Fewest values to choose. */
  minItems?: number;
  /** Most values to choose. */
  maxItems?: number;
  /** The values with titles. */
  items: TitledItems;
  /** What is chosen at first. */
  default?: string[];
};

/** Some of some values. */
export type MultiSelectEnumSchema = UntitledMultiSelectEnumSchema | TitledMultiSelectEnumSchema;

/** A choice. */
export type EnumSchema = LegacyTitledEnumSchema | SingleSelectEnumSchema | MultiSelectEnumSchema;

/** One field of a form, told by its shape. */
export type PrimitiveSchemaDefinition = EnumSchema | BooleanSchema | StringSchema | NumberSchema;

/** What is asked, as a flat JSON Schema. */
export type RequestedSchema = {
  /** Always `object`. */
  type: 'object';
  /** The fields. */
  properties: { [key: string]: PrimitiveSchemaDefinition };
  /** The fields that must be filled in. */
  required?: string[];
};

/** A question with a form. */
export type ElicitRequestFormParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Makes it a task with these properties. */
  task?: TaskMetadata;
  /** `form`, or absent, which means the same and is understood by every revision. */
  mode?: 'form';
  /** The question, as shown to the user. */
  message: string;
  /** The fields. */
  requestedSchema: RequestedSchema;
};

/** A request to visit a page. Since 2025-11-25. */
export type ElicitRequestURLParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** Makes it a task with these properties. */
  task?: TaskMetadata;
  /** Always `url`. */
  mode: 'url';
  /** Why to visit the page, as shown to the user. */
  message: string;
  /** Names this elicitation; required where it exists. 2025-11-25 only. */
  elicitationId: string;
  /** The URL of the page. */
  url: string;
};

/** Params of `elicitation/create`. Since 2025-06-18. */
export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

/** Request `elicitation/create` from the server. 2025-06-18 to 2025-11-25. */
export type ElicitRequest = {
  /** The method. */
  method: 'elicitation/create';
  /** What it is about. */
  params: ElicitRequestParams;
};

/** Params of `notifications/elicitation/complete`. 2025-11-25 only. */
export type ElicitationCompleteNotificationParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The id of the elicitation that is done. */
  elicitationId: string;
};

/** Notification `notifications/elicitation/complete` from the server. 2025-11-25 only. */
export type ElicitationCompleteNotification = {
  /** The method. */
  method: 'notifications/elicitation/complete';
  /** What it is about. */
  params: ElicitationCompleteNotificationParams;
};

/** Result of `elicitation/create`. */
export type ElicitResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** What the person did. */
  action: 'accept' | 'decline' | 'cancel';
  /** The answers by field; only for an accepted form. */
  content?: { [key: string]: string | number | boolean | string[] };
};

// Completion of arguments.

/** A resource or a resource template. */
export type ResourceTemplateReference = {
  /**
   */
  type: 'ref/resource';
  /** The URI or the RFC 6570 template. */
  uri: string;
};

/** A prompt. */
export type PromptReference = {
  /**
   */
  type: 'ref/prompt';
  /** Its name for programs. */
  name: string;
};

/** The argument being typed. */
export type CompletionArgument = {
  /** The name of the argument. */
  name: string;
  /** The text typed so far. */
  value: string;
};

/** What is already known. Since 2025-06-18. */
export type CompletionContext = {
  /** Arguments already given. */
  arguments?: { [key: string]: string };
};

/** Params of `completion/complete`. */
export type CompleteRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The prompt or resource template that has the argument. */
  ref: PromptReference | ResourceTemplateReference;
  /** The argument. */
  argument: CompletionArgument;
  /** What is already known. Since 2025-06-18. */
  context?: CompletionContext;
};

/** Request `completion/complete` from the client. */
export type CompleteRequest = {
  /** The method. */
  method: 'completion/complete';
  /** What it is about. */
  params: CompleteRequestParams;
};

/** Suggestions. */
export type Completion = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** At most 100 values, best first. */
  values: string[];
  /** How many there are in all, if known. */
  total?: number;
  /** Whether there are more than these. */
  hasMore?: boolean;
};

/** Result of `completion/complete`. */
export type CompleteResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The suggestions. */
  completion: Completion;
};

// Roots: the places a client lets a server work in.

/**
 * A place.
 * @deprecated roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as
 * tool parameters, resource URIs or settings of the server.
 */
export type Root = {
  /** Any absolute URI; the specification speaks of `file:` ones. */
  uri: string;
  /** Its name for people. */
  name?: string;
  /** Metadata of the protocol and of extensions. */
  _meta?: { [key: string]: unknown };
};

/**
 * Request `roots/list` from the server. Until 2025-11-25.
 * @deprecated roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as
 * tool parameters, resource URIs or settings of the server.
 */
export type ListRootsRequest = {
  /** The method. */
  method: 'roots/list';
  /** What it is about. */
  params?: RequestParams;
};

/**
 * Result of `roots/list`.
 * @deprecated roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as
 * tool parameters, resource URIs or settings of the server.
 */
export type ListRootsResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The places. */
  roots: Root[];
};

/**
 * Notification `notifications/roots/list_changed` from the client. Until 2025-11-25.
 * @deprecated roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as
 * tool parameters, resource URIs or settings of the server.
 */
export type RootsListChangedNotification = {
  /** The method. */
  method: 'notifications/roots/list_changed';
  /** What it is about. */
  params?: NotificationParams;
};

// What each side may say.

/** A request of a client. */
export type ClientRequest =
  | PingRequest
  | InitializeRequest
  | CompleteRequest
  | SetLevelRequest
  | GetPromptRequest
  | ListPromptsRequest
  | ListResourcesRequest
  | ListResourceTemplatesRequest
  | ReadResourceRequest
  | SubscribeRequest
  | UnsubscribeRequest
  | CallToolRequest
  | ListToolsRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | ListTasksRequest
  | CancelTaskRequest;

/** A notification of a client. */
export type ClientNotification =
  | CancelledNotification
  | ProgressNotification
  | InitializedNotification
  | RootsListChangedNotification
  | TaskStatusNotification;

/** What a client answers. */
export type ClientResult =
  | EmptyResult
  | CreateMessageResult
  | CreateMessageResultWithTools
  | ElicitResult
  | ListRootsResult
  | GetTaskResult
  | ListTasksResult
  | CreateTaskResult;

/** A request of a server. */
export type ServerRequest =
  | PingRequest
  | CreateMessageRequest
  | ElicitRequest
  | ListRootsRequest
  | GetTaskRequest
  | GetTaskPayloadRequest
  | ListTasksRequest
  | CancelTaskRequest;

/** A notification of a server. */
export type ServerNotification =
  | CancelledNotification
  | ProgressNotification
  | LoggingMessageNotification
  | ResourceUpdatedNotification
  | ResourceListChangedNotification
  | ToolListChangedNotification
  | PromptListChangedNotification
  | TaskStatusNotification
  | ElicitationCompleteNotification;

/** What a server answers. */
export type ServerResult =
  | EmptyResult
  | InitializeResult
  | CompleteResult
  | GetPromptResult
  | ListPromptsResult
  | ListResourcesResult
  | ListResourceTemplatesResult
  | ReadResourceResult
  | CallToolResult
  | ListToolsResult
  | GetTaskResult
  | ListTasksResult
  | CreateTaskResult;

// What came with 2026-07-28.

/** Kinds of change: wanted in `subscriptions/listen`, honoured in its acknowledgement. */
export type SubscriptionFilter = {
  /** Changes of the tool list. */
  toolsListChanged?: boolean;
  /** Changes of the prompt list. */
  promptsListChanged?: boolean;
  /** Changes of the resource and template lists. */
  resourcesListChanged?: boolean;
  /** Changes of these resources, and of those below them. */
  resourceSubscriptions?: string[];
};

/** Result of `server/discover` (since 2026-07-28). */
export type DiscoverResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The revisions that the server supports. */
  supportedVersions: string[];
  /** What the server can do. */
  capabilities: ServerCapabilities;
  /** How to use the server, for the model. */
  instructions?: string;
  /** How long the result stays fresh, in milliseconds. */
  ttlMs?: number;
  /** Who may share the cached result. */
  cacheScope?: string;
};

/** Request `server/discover` from the client. Since 2026-07-28. */
export type DiscoverRequest = {
  /** The method. */
  method: 'server/discover';
  /** What it is about. */
  params?: RequestParams;
};

/** One question: a request of the client's without an envelope. */
export type InputRequest = {
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  method: string;
  /** Its params: an object. */
  params?: { [key: string]: unknown };
};

/** The questions by name, in order. */
export type InputRequests = { [key: string]: InputRequest };

/** The answers by the names of their questions. */
export type InputResponses = { [key: string]: object };

/** A result that asks the client to call again with answers. */
export type InputRequiredResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** The questions. */
  inputRequests?: { [key: string]: InputRequest };
  /** A text that the client sends back unchanged. */
  requestState?: string;
};

/** Params of `subscriptions/listen` and of its acknowledgement. */
export type SubscriptionsListenRequestParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** What to listen for. */
  notifications: SubscriptionFilter;
};

/** Request `subscriptions/listen` from the client. Since 2026-07-28. */
export type SubscriptionsListenRequest = {
  /** The method. */
  method: 'subscriptions/listen';
  /** What it is about. */
  params: SubscriptionsListenRequestParams;
};

/** Ends a `subscriptions/listen`. Since 2026-07-28. */
export type SubscriptionsListenResult = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
};

/** Params of `subscriptions/listen` and of its acknowledgement. */
export type SubscriptionsAcknowledgedNotificationParams = {
  /** Metadata of the protocol and of extensions. */
  _meta?: RequestMeta;
  /** What to listen for. */
  notifications: SubscriptionFilter;
};

/** Notification `notifications/subscriptions/acknowledged` from the server. Since 2026-07-28. */
export type SubscriptionsAcknowledgedNotification = {
  /** The method. */
  method: 'notifications/subscriptions/acknowledged';
  /** What it is about. */
  params: SubscriptionsAcknowledgedNotificationParams;
};

// OAuth, as far as MCP uses it.

/** A URL that no browser runs. */
export type SafeUrl = string;

/** A URL that no browser runs; empty text is nothing. */
export type OptionalSafeUrl = string | undefined;

/** What a protected resource says of itself (RFC 9728). */
export type OAuthProtectedResourceMetadata = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** The resource. */
  resource: string;
  /** Who gives tokens for it. */
  authorization_servers?: string[];
  /** Its keys. */
  jwks_uri?: string;
  /** Scopes it knows. */
  scopes_supported?: string[];
  /** How it takes tokens. */
  bearer_methods_supported?: string[];
  /** How it signs answers. */
  resource_signing_alg_values_supported?: string[];
  /** Its name for people. */
  resource_name?: string;
  /** Where it is described. */
  resource_documentation?: string;
  /** How it may be used. */
  resource_policy_uri?: string;
  /** Its terms. */
  resource_tos_uri?: string;
  /** It takes tokens bound to a certificate. */
  tls_client_certificate_bound_access_tokens?: boolean;
  /** Kinds of authorization details it knows. */
  authorization_details_types_supported?: string[];
  /** Algorithms it takes for DPoP. */
  dpop_signing_alg_values_supported?: string[];
  /** It takes only tokens bound by DPoP. */
  dpop_bound_access_tokens_required?: boolean;
};

/** What an authorization server says of itself (RFC 8414). */
export type OAuthMetadata = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Who it is. */
  issuer: string;
  /** Where people agree. */
  authorization_endpoint: string;
  /** Where tokens are given. */
  token_endpoint: string;
  /** Where clients register. */
  registration_endpoint?: string;
  /** Scopes it knows. */
  scopes_supported?: string[];
  /** Response types it knows. */
  response_types_supported: string[];
  /** Response modes it knows. */
  response_modes_supported?: string[];
  /** Grants it knows. */
  grant_types_supported?: string[];
  /** How clients may prove who they are for tokens. */
  token_endpoint_auth_methods_supported?: string[];
  /** Algorithms for that. */
  token_endpoint_auth_signing_alg_values_supported?: string[];
  /** Where it is described. */
  service_documentation?: string;
  /** Where tokens are taken back. */
  revocation_endpoint?: string;
  /** How clients may prove who they are there. */
  revocation_endpoint_auth_methods_supported?: string[];
  /** Algorithms for that. */
  revocation_endpoint_auth_signing_alg_values_supported?: string[];
  /** Where tokens are looked up. */
  introspection_endpoint?: string;
  /** How clients may prove who they are there. */
  introspection_endpoint_auth_methods_supported?: string[];
  /** Algorithms for that. */
  introspection_endpoint_auth_signing_alg_values_supported?: string[];
  /** Kinds of PKCE it knows. */
  code_challenge_methods_supported?: string[];
  /** A URL may be a client id. */
  client_id_metadata_document_supported?: boolean;
};

/** What an OpenID provider says of itself. */
export type OpenIdProviderMetadata = {
  /** Members of extensions and of later revisions. */
  [key: string]: unknown;
  /** Who it is. */
  issuer: string;
  /** Where people agree. */
  authorization_endpoint: string;
  /** Where tokens are given. */
  token_endpoint: string;
  /** Where claims about a person are. */
  userinfo_endpoint?: string;
  /** Its keys. */
  jwks_uri: string;
  /** Where clients register. */
  registration_endpoint?: string;
  /** Scopes it knows. */
  scopes_supported?: string[];
  /** Response types it knows. */
  response_types_supported: string[];
  /** Response modes it knows. */
  response_modes_supported?: string[];
  /** Grants it knows. */
  grant_types_supported?: string[];
  /** Classes of authentication it knows. */
  acr_values_supported?: string[];
  /** Kinds of subjects it knows. */
  subject_types_supported: string[];
  /** How it signs ID tokens. */
  id_token_signing_alg_values_supported: string[];
  /** How it wraps keys of ID tokens. */
  id_token_encryption_alg_values_supported?: string[];
  /** How it encrypts ID tokens. */
  id_token_encryption_enc_values_supported?: string[];
  /** How it signs claims. */
  userinfo_signing_alg_values_supported?: string[];
  /** How it wraps keys of claims. */
  userinfo_encryption_alg_values_supported?: string[];
  /** How it encrypts claims. */
  userinfo_encryption_enc_values_supported?: string[];
  /** How requests may be signed. */
  request_object_signing_alg_values_supported?: string[];
  /** How keys of requests may be wrapped. */
  request_object_encryption_alg_values_supported?: string[];
  /** How requests may be encrypted. */
  request_object_encryption_enc_values_supported?: string[];
  /** How clients may prove who they are for tokens. */
  token_endpoint_auth_methods_supported?: string[];
  /** Algorithms for that. */
  token_endpoint_auth_signing_alg_values_supported?: string[];
  /** Displays it knows. */
  display_values_supported?: string[];
  /** Kinds of claims it knows. */
  claim_types_supported?: string[];
  /** Claims it knows. */
  claims_supported?: string[];
  /** Where it is described. */
  service_documentation?: string;
  /** Languages of claims. */
  claims_locales_supported?: string[];
  /** Languages of its pages. */
  ui_locales_supported?: string[];
  /** It knows the parameter `claims`. */
  claims_parameter_supported?: boolean;
  /** It knows the parameter `request`. */
  request_parameter_supported?: boolean;
  /** It knows the parameter `request_uri`. */
  request_uri_parameter_supported?: boolean;
  /** Such URIs have to be registered. */
  require_request_uri_registration?: boolean;
  /** How it may be used. */
  op_policy_uri?: string;
  /** Its terms. */
  op_tos_uri?: string;
  /** A URL may be a client id. */
  client_id_metadata_document_supported?: boolean;
};

/** What providers say that know OpenID and OAuth. */
export type OpenIdProviderDiscoveryMetadata = {
  /** Who it is. */
  issuer: string;
  /** Where people agree. */
  authorization_endpoint: string;
  /** Where tokens are given. */
  token_endpoint: string;
  /** Where claims about a person are. */
  userinfo_endpoint?: string;
  /** Its keys. */
  jwks_uri: string;
  /** Where clients register. */
  registration_endpoint?: string;
  /** Scopes it knows. */
  scopes_supported?: string[];
  /** Response types it knows. */
  response_types_supported: string[];
  /** Response modes it knows. */
  response_modes_supported?: string[];
  /** Grants it knows. */
  grant_types_supported?: string[];
  /** Classes of authentication it knows. */
  acr_values_supported?: string[];
  /** Kinds of subjects it knows. */
  subject_types_supported: string[];
  /** How it signs ID tokens. */
  id_token_signing_alg_values_supported: string[];
  /** How it wraps keys of ID tokens. */
  id_token_encryption_alg_values_supported?: string[];
  /** How it encrypts ID tokens. */
  id_token_encryption_enc_values_supported?: string[];
  /** How it signs claims. */
  userinfo_signing_alg_values_supported?: string[];
  /** How it wraps keys of claims. */
  userinfo_encryption_alg_values_supported?: string[];
  /** How it encrypts claims. */
  userinfo_encryption_enc_values_supported?: string[];
  /** How requests may be signed. */
  request_object_signing_alg_values_supported?: string[];
  /** How keys of requests may be wrapped. */
  request_object_encryption_alg_values_supported?: string[];
  /** How requests may be encrypted. */
  request_object_encryption_enc_values_supported?: string[];
  /** How clients may prove who they are for tokens. */
  token_endpoint_auth_methods_supported?: string[];
  /** Algorithms for that. */
  token_endpoint_auth_signing_alg_values_supported?: string[];
  /** Displays it knows. */
  display_values_supported?: string[];
  /** Kinds of claims it knows. */
  claim_types_supported?: string[];
  /** Claims it knows. */
  claims_supported?: string[];
  /** Where it is described. */
  service_documentation?: string;
  /** Languages of claims. */
  claims_locales_supported?: string[];
  /** Languages of its pages. */
  ui_locales_supported?: string[];
  /** It knows the parameter `claims`. */
  claims_parameter_supported?: boolean;
  /** It knows the parameter `request`. */
  request_parameter_supported?: boolean;
  /** It knows the parameter `request_uri`. */
  request_uri_parameter_supported?: boolean;
  /** Such URIs have to be registered. */
  require_request_uri_registration?: boolean;
  /** How it may be used. */
  op_policy_uri?: string;
  /** Its terms. */
  op_tos_uri?: string;
  /** A URL may be a client id. */
  client_id_metadata_document_supported?: boolean;
  /** Kinds of PKCE it knows. */
  code_challenge_methods_supported?: string[];
};

/** What a token endpoint gives (OAuth 2.1). */
export type OAuthTokens = {
  /** The token. */
  access_token: string;
  /** Who the person is, with OpenID. */
  id_token?: string;
  /** How the token is used, mostly `Bearer`. */
  token_type: string;
  /** How long it lives, in seconds. */
  expires_in?: number;
  /** Its scopes, with spaces between them. */
  scope?: string;
  /** Gets the next token. */
  refresh_token?: string;
  /** Who gave it. Not on the wire: the client keeps it with the tokens. */
  issuer?: string;
};

/** How an authorization server says no. */
export type OAuthErrorResponse = {
  /** The code. */
  error: string;
  /** What went wrong. */
  error_description?: string;
  /** Where more is said. */
  error_uri?: string;
};

/** What a client says of itself when it registers (RFC 7591). */
export type OAuthClientMetadata = {
  /** Where people are sent back to. */
  redirect_uris: string[];
  /** How it proves who it is. */
  token_endpoint_auth_method?: string;
  /** Grants it uses. */
  grant_types?: string[];
  /** Response types it uses. */
  response_types?: string[];
  /** Its name for people. */
  client_name?: string;
  /** Its home page. */
  client_uri?: string;
  /** Its picture. */
  logo_uri?: string | undefined;
  /** Scopes it may ask for, with spaces between them. */
  scope?: string;
  /** Who answers for it. */
  contacts?: string[];
  /** Its terms. */
  tos_uri?: string | undefined;
  /** How it uses data. */
  policy_uri?: string;
  /** Where its keys are. */
  jwks_uri?: string;
  /** Its keys. */
  jwks?: unknown;
  /** Which software it is. */
  software_id?: string;
  /** Which version of it. */
  software_version?: string;
  /** A signed statement of all this. */
  software_statement?: string;
};

/** What a client is known by. */
export type OAuthClientInformation = {
  /** Its id. */
  client_id: string;
  /** Its secret, if it has one. */
  client_secret?: string;
  /** When it was given, in seconds since 1970. */
  client_id_issued_at?: number;
  /** When the secret ends, in seconds since 1970; 0 is never. */
  client_secret_expires_at?: number;
  /** Who gave it. Not on the wire: the client keeps it with the rest. */
  issuer?: string;
};

/** What registering a client answers. */
export type OAuthClientInformationFull = {
  /** Where people are sent back to. */
  redirect_uris: string[];
  /** How it proves who it is. */
  token_endpoint_auth_method?: string;
  /** Grants it uses. */
  grant_types?: string[];
  /** Response types it uses. */
  response_types?: string[];
  /** Its name for people. */
  client_name?: string;
  /** Its home page. */
  client_uri?: string;
  /** Its picture. */
  logo_uri?: string | undefined;
  /** Scopes it may ask for, with spaces between them. */
  scope?: string;
  /** Who answers for it. */
  contacts?: string[];
  /** Its terms. */
  tos_uri?: string | undefined;
  /** How it uses data. */
  policy_uri?: string;
  /** Where its keys are. */
  jwks_uri?: string;
  /** Its keys. */
  jwks?: unknown;
  /** Which software it is. */
  software_id?: string;
  /** Which version of it. */
  software_version?: string;
  /** A signed statement of all this. */
  software_statement?: string;
  /** Its id. */
  client_id: string;
  /** Its secret, if it has one. */
  client_secret?: string;
  /** When it was given, in seconds since 1970. */
  client_id_issued_at?: number;
  /** When the secret ends, in seconds since 1970; 0 is never. */
  client_secret_expires_at?: number;
  /** Who gave it. Not on the wire: the client keeps it with the rest. */
  issuer?: string;
};

/** How registering a client fails. */
export type OAuthClientRegistrationError = {
  /** The code. */
  error: string;
  /** What went wrong. */
  error_description?: string;
};

/** Takes a token back (RFC 7009). */
export type OAuthTokenRevocationRequest = {
  /** The token. */
  token: string;
  /** What kind it is. */
  token_type_hint?: string;
};
