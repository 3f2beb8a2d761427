@file:Suppress("DEPRECATION", "unused")

package dev.mcpbolt

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

// The messages of the protocol. Written by `cargo xtask generate`; do not edit.

/** What servers ask clients that declare it. */
internal val QUESTIONS: Set<String> = setOf(
    Method.Defined.ElicitationCreate.value,
    Method.Defined.RootsList.value,
    Method.Defined.SamplingCreateMessage.value,
)

/** Request `completion/complete` from the client. */
public class CompleteRequest(override val params: CompleteRequestParams) : Request<CompleteResult>(Method.Defined.CompletionComplete) {
    /** The prompt or resource template that has the argument. */
    public val ref: Reference get() = params.ref

    /** The argument. */
    public val argument: CompletionArgument get() = params.argument

    /** What is already known. Since 2025-06-18. */
    public val context: CompletionContext? get() = params.context

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): CompleteResult = CompleteResult.of(json)
}

/** Request `elicitation/create` from the server. 2025-06-18 to 2025-11-25. */
public class ElicitRequest(override val params: ElicitRequestParams) : Request<ElicitResult>(Method.Defined.ElicitationCreate) {
    override fun read(json: JsonObject): ElicitResult = ElicitResult.of(json)
}

/** Request `initialize` from the client. Until 2025-11-25. */
public class InitializeRequest(override val params: InitializeRequestParams) : Request<InitializeResult>(Method.Defined.Initialize) {
    /** The revision that the client prefers. */
    public val protocolVersion: String get() = params.protocolVersion

    /** What the client can do. */
    public val capabilities: ClientCapabilities get() = params.capabilities

    /** The name and version of the client. */
    public val clientInfo: Implementation get() = params.clientInfo

    /** Metadata. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): InitializeResult = InitializeResult.of(json)
}

/**
 * Request `logging/setLevel` from the client. Until 2025-11-25. Deprecated: logging, since 2026-07-28
 * (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.
 */
public class SetLevelRequest(override val params: SetLevelRequestParams) : Request<EmptyResult>(Method.Defined.LoggingSetLevel) {
    /** Lowest level to send. */
    public val level: LoggingLevel get() = params.level

    /** Metadata. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): EmptyResult = EmptyResult.of(json)
}

/** Notification `notifications/cancelled` from either side. */
public class CancelledNotification(override val params: CancelledNotificationParams) : Notification(Method.Defined.NotificationsCancelled) {
    /** The request to cancel. Only 2025-11-25 lets it be absent. */
    public val requestId: JsonPrimitive? get() = params.requestId

    /** The reason, for logs and people. */
    public val reason: String? get() = params.reason

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

}

/** Notification `notifications/elicitation/complete` from the server. 2025-11-25 only. */
public class ElicitationCompleteNotification(override val params: ElicitationCompleteNotificationParams) : Notification(Method.Defined.NotificationsElicitationComplete) {
    /** The id of the elicitation that is done. */
    public val elicitationId: String get() = params.elicitationId

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

}

/** Notification `notifications/initialized` from the client. Until 2025-11-25. */
public class InitializedNotification(override val params: EmptyParams? = null) : Notification(Method.Defined.NotificationsInitialized) {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

}

/**
 * Notification `notifications/message` from the server. Deprecated: logging, since 2026-07-28 (SEP-2577);
 * earliest removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.
 */
public class LoggingMessageNotification(override val params: LoggingMessageNotificationParams) : Notification(Method.Defined.NotificationsMessage) {
    /** The severity. */
    public val level: LoggingLevel get() = params.level

    /** The part of the server that logs. */
    public val logger: String? get() = params.logger

    /** Any JSON value. */
    public val data: JsonElement get() = params.data

    /** Metadata. */
    public val meta: JsonObject? get() = params.meta

}

/** Notification `notifications/progress` from either side. */
public class ProgressNotification(override val params: ProgressNotificationParams) : Notification(Method.Defined.NotificationsProgress) {
    /** The token the request came with. */
    public val progressToken: JsonPrimitive get() = params.progressToken

    /** How much is done; increases with each report. */
    public val progress: Double get() = params.progress

    /** The value of `progress` when the work is complete, if known. */
    public val total: Double? get() = params.total

    /** What is being done, for the person. Since 2025-03-26. */
    public val message: String? get() = params.message

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

}

/** Notification `notifications/prompts/list_changed` from the server. */
public class PromptListChangedNotification(override val params: EmptyParams? = null) : Notification(Method.Defined.NotificationsPromptsListChanged) {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

}

/** Notification `notifications/resources/list_changed` from the server. */
public class ResourceListChangedNotification(override val params: EmptyParams? = null) : Notification(Method.Defined.NotificationsResourcesListChanged) {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

}

/** Notification `notifications/resources/updated` from the server. */
public class ResourceUpdatedNotification(override val params: ResourceUpdatedNotificationParams) : Notification(Method.Defined.NotificationsResourcesUpdated) {
    /** The URI that changed; it may be below the one that is watched. */
    public val uri: String get() = params.uri

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

}

/**
 * Notification `notifications/roots/list_changed` from the client. Until 2025-11-25. Deprecated: roots,
 * since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as tool parameters,
 * resource URIs or settings of the server.
 */
public class RootsListChangedNotification(override val params: EmptyParams? = null) : Notification(Method.Defined.NotificationsRootsListChanged) {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

}

/** Notification `notifications/subscriptions/acknowledged` from the server. Since 2026-07-28. */
public class SubscriptionsAcknowledgedNotification(override val params: ListenRequestParams) : Notification(Method.Defined.NotificationsSubscriptionsAcknowledged) {
    /** What to listen for. */
    public val notifications: SubscriptionFilter get() = params.notifications

    /** Metadata. */
    public val meta: JsonObject? get() = params.meta

}

/** Notification `notifications/tasks` from the server. Since 2026-07-28. */
public class TaskNotification(override val params: TaskNotificationParams) : Notification(Method.Defined.NotificationsTasks) {
    /** The id of the task. */
    public val taskId: String get() = params.taskId

    /** The status of the task. */
    public val status: TaskStatus get() = params.status

    /** A text about the status, for people. */
    public val statusMessage: String? get() = params.statusMessage

    /** When it was created, in ISO 8601. */
    public val createdAt: String get() = params.createdAt

    /** When it last changed, in ISO 8601. */
    public val lastUpdatedAt: String get() = params.lastUpdatedAt

    /** How long it is kept once created, in milliseconds; `null` is for ever. */
    public val ttl: Long? get() = params.ttl

    /** How long to wait between two polls, in milliseconds. */
    public val pollInterval: Long? get() = params.pollInterval

}

/** Notification `notifications/tasks/status` from either side. 2025-11-25 only. */
public class TaskStatusNotification(override val params: TaskStatusNotificationParams) : Notification(Method.Defined.NotificationsTasksStatus) {
    /** The id of the task. */
    public val taskId: String get() = params.taskId

    /** The status of the task. */
    public val status: TaskStatus get() = params.status

    /** A text about the status, for people. */
    public val statusMessage: String? get() = params.statusMessage

    /** When it was created, in ISO 8601. */
    public val createdAt: String get() = params.createdAt

    /** When it last changed, in ISO 8601. */
    public val lastUpdatedAt: String get() = params.lastUpdatedAt

    /** How long it is kept once created, in milliseconds; `null` is for ever. */
    public val ttl: Long? get() = params.ttl

    /** How long to wait between two polls, in milliseconds. */
    public val pollInterval: Long? get() = params.pollInterval

}

/** Notification `notifications/tools/list_changed` from the server. */
public class ToolListChangedNotification(override val params: EmptyParams? = null) : Notification(Method.Defined.NotificationsToolsListChanged) {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

}

/** Request `ping` from either side. Until 2025-11-25. */
public class PingRequest(override val params: EmptyParams? = null) : Request<EmptyResult>(Method.Defined.Ping) {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): EmptyResult = EmptyResult.of(json)
}

/** Request `prompts/get` from the client. */
public class GetPromptRequest(override val params: GetPromptRequestParams) : Request<GetPromptResult>(Method.Defined.PromptsGet) {
    /** The name of the prompt. */
    public val name: String get() = params.name

    /** The arguments by name, in the caller's order. */
    public val arguments: Map<String, String>? get() = params.arguments

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public val inputResponses: JsonObject? get() = params.inputResponses

    /** What the earlier `input_required` asked to be sent back. Since 2026-07-28. */
    public val requestState: String? get() = params.requestState

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): GetPromptResult = GetPromptResult.of(json)
}

/** Request `prompts/list` from the client. */
public class ListPromptsRequest(override val params: PaginatedRequestParams? = null) : Request<ListPromptsResult>(Method.Defined.PromptsList) {
    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = params?.cursor

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListPromptsResult = ListPromptsResult.of(json)
}

/** Request `resources/list` from the client. */
public class ListResourcesRequest(override val params: PaginatedRequestParams? = null) : Request<ListResourcesResult>(Method.Defined.ResourcesList) {
    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = params?.cursor

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListResourcesResult = ListResourcesResult.of(json)
}

/** Request `resources/read` from the client. */
public class ReadResourceRequest(override val params: ReadResourceRequestParams) : Request<ReadResourceResult>(Method.Defined.ResourcesRead) {
    /** The URI of the resource to read. */
    public val uri: String get() = params.uri

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public val inputResponses: JsonObject? get() = params.inputResponses

    /** What the earlier `input_required` asked to be sent back. Since 2026-07-28. */
    public val requestState: String? get() = params.requestState

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): ReadResourceResult = ReadResourceResult.of(json)
}

/** Request `resources/subscribe` from the client. Until 2025-11-25. */
public class SubscribeRequest(override val params: SubscribeRequestParams) : Request<EmptyResult>(Method.Defined.ResourcesSubscribe) {
    /** The URI of the resource to watch. */
    public val uri: String get() = params.uri

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): EmptyResult = EmptyResult.of(json)
}

/** Request `resources/templates/list` from the client. */
public class ListResourceTemplatesRequest(override val params: PaginatedRequestParams? = null) : Request<ListResourceTemplatesResult>(Method.Defined.ResourcesTemplatesList) {
    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = params?.cursor

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListResourceTemplatesResult = ListResourceTemplatesResult.of(json)
}

/** Request `resources/unsubscribe` from the client. Until 2025-11-25. */
public class UnsubscribeRequest(override val params: UnsubscribeRequestParams) : Request<EmptyResult>(Method.Defined.ResourcesUnsubscribe) {
    /** The URI of the resource that is no longer watched. */
    public val uri: String get() = params.uri

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): EmptyResult = EmptyResult.of(json)
}

/**
 * Request `roots/list` from the server. Until 2025-11-25. Deprecated: roots, since 2026-07-28 (SEP-2577);
 * earliest removal 2027-07-28. Pass folders and files as tool parameters, resource URIs or settings of the
 * server.
 */
public class ListRootsRequest(override val params: EmptyParams? = null) : Request<ListRootsResult>(Method.Defined.RootsList) {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListRootsResult = ListRootsResult.of(json)
}

/**
 * Request `sampling/createMessage` from the server. Until 2025-11-25. Deprecated: sampling, since
 * 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.
 */
public class CreateMessageRequest(override val params: CreateMessageRequestParams) : Request<CreateMessageResult>(Method.Defined.SamplingCreateMessage) {
    /** The conversation so far, oldest message first. */
    public val messages: List<SamplingMessage> get() = params.messages

    /** Which model the server prefers. */
    public val modelPreferences: ModelPreferences? get() = params.modelPreferences

    /** The system prompt. */
    public val systemPrompt: String? get() = params.systemPrompt

    /** What context the client adds. */
    @Deprecated("includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28. Leave it out, or say `none`.")
    public val includeContext: IncludeContext? get() = params.includeContext

    /** The temperature. */
    public val temperature: Double? get() = params.temperature

    /** The largest number of tokens to generate. */
    public val maxTokens: Int get() = params.maxTokens

    /** Texts that end the answer. */
    public val stopSequences: List<String>? get() = params.stopSequences

    /** Settings for the model's provider, passed on unchanged. */
    public val metadata: JsonObject? get() = params.metadata

    /** Tools the model may use. Since 2025-11-25. */
    public val tools: List<Tool>? get() = params.tools

    /** Whether the model has to use tools. Since 2025-11-25. */
    public val toolChoice: ToolChoice? get() = params.toolChoice

    /** Asks to run as a task. 2025-11-25 only. */
    public val task: TaskMetadata? get() = params.task

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): CreateMessageResult = CreateMessageResult.of(json)
}

/** Request `server/discover` from the client. Since 2026-07-28. */
public class DiscoverRequest(override val params: EmptyParams? = null) : Request<DiscoverResult>(Method.Defined.ServerDiscover) {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): DiscoverResult = DiscoverResult.of(json)
}

/** Request `subscriptions/listen` from the client. Since 2026-07-28. */
public class ListenRequest(override val params: ListenRequestParams) : Request<EmptyResult>(Method.Defined.SubscriptionsListen) {
    /** What to listen for. */
    public val notifications: SubscriptionFilter get() = params.notifications

    /** Metadata. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): EmptyResult = EmptyResult.of(json)
}

/** Request `tasks/cancel` from either side. Since 2025-11-25. */
public class CancelTaskRequest(override val params: CancelTaskRequestParams) : Request<CancelTaskResult>(Method.Defined.TasksCancel) {
    /** The task. */
    public val taskId: String get() = params.taskId

    override fun read(json: JsonObject): CancelTaskResult = CancelTaskResult.of(json)
}

/** Request `tasks/get` from either side. Since 2025-11-25. */
public class GetTaskRequest(override val params: GetTaskRequestParams) : Request<GetTaskResult>(Method.Defined.TasksGet) {
    /** The task. */
    public val taskId: String get() = params.taskId

    override fun read(json: JsonObject): GetTaskResult = GetTaskResult.of(json)
}

/** Request `tasks/list` from either side. 2025-11-25 only. */
public class ListTasksRequest(override val params: PaginatedRequestParams? = null) : Request<ListTasksResult>(Method.Defined.TasksList) {
    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = params?.cursor

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListTasksResult = ListTasksResult.of(json)
}

/** Request `tasks/result` from either side. 2025-11-25 only. */
public class GetTaskPayloadRequest(override val params: GetTaskPayloadRequestParams) : Request<GetTaskPayloadResult>(Method.Defined.TasksResult) {
    /** The task. */
    public val taskId: String get() = params.taskId

    override fun read(json: JsonObject): GetTaskPayloadResult = GetTaskPayloadResult.of(json)
}

/** Request `tasks/update` from the client. Since 2026-07-28. */
public class UpdateTaskRequest(override val params: UpdateTaskRequestParams) : Request<UpdateTaskResult>(Method.Defined.TasksUpdate) {
    /** The task. */
    public val taskId: String get() = params.taskId

    /** Answers to what the task asked. */
    public val inputResponses: JsonObject? get() = params.inputResponses

    override fun read(json: JsonObject): UpdateTaskResult = UpdateTaskResult.of(json)
}

/** Request `tools/call` from the client. */
public class CallToolRequest(override val params: CallToolRequestParams) : Request<CallToolResult>(Method.Defined.ToolsCall) {
    /** The name of the tool. */
    public val name: String get() = params.name

    /** The arguments: an object. */
    public val arguments: JsonObject? get() = params.arguments

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public val inputResponses: JsonObject? get() = params.inputResponses

    /** What the earlier `input_required` asked to be sent back. Since 2026-07-28. */
    public val requestState: String? get() = params.requestState

    /** Asks to run as a task. 2025-11-25 only. */
    public val task: TaskMetadata? get() = params.task

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): CallToolResult = CallToolResult.of(json)
}

/** Request `tools/list` from the client. */
public class ListToolsRequest(override val params: PaginatedRequestParams? = null) : Request<ListToolsResult>(Method.Defined.ToolsList) {
    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = params?.cursor

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListToolsResult = ListToolsResult.of(json)
}

/** A request that was read. */
internal fun requestOf(method: Method, params: JsonObject?): Request<Record> = when (method) {
    Method.Defined.CompletionComplete -> CompleteRequest((params ?: EmptyJsonObject).let { CompleteRequestParams.of(it) })
    Method.Defined.ElicitationCreate -> ElicitRequest((params ?: EmptyJsonObject).let { ElicitRequestParams.of(it) })
    Method.Defined.Initialize -> InitializeRequest((params ?: EmptyJsonObject).let { InitializeRequestParams.of(it) })
    Method.Defined.LoggingSetLevel -> SetLevelRequest((params ?: EmptyJsonObject).let { SetLevelRequestParams.of(it) })
    Method.Defined.Ping -> PingRequest(params?.let { EmptyParams.of(it) })
    Method.Defined.PromptsGet -> GetPromptRequest((params ?: EmptyJsonObject).let { GetPromptRequestParams.of(it) })
    Method.Defined.PromptsList -> ListPromptsRequest(params?.let { PaginatedRequestParams.of(it) })
    Method.Defined.ResourcesList -> ListResourcesRequest(params?.let { PaginatedRequestParams.of(it) })
    Method.Defined.ResourcesRead -> ReadResourceRequest((params ?: EmptyJsonObject).let { ReadResourceRequestParams.of(it) })
    Method.Defined.ResourcesSubscribe -> SubscribeRequest((params ?: EmptyJsonObject).let { SubscribeRequestParams.of(it) })
    Method.Defined.ResourcesTemplatesList -> ListResourceTemplatesRequest(params?.let { PaginatedRequestParams.of(it) })
    Method.Defined.ResourcesUnsubscribe -> UnsubscribeRequest((params ?: EmptyJsonObject).let { UnsubscribeRequestParams.of(it) })
    Method.Defined.RootsList -> ListRootsRequest(params?.let { EmptyParams.of(it) })
    Method.Defined.SamplingCreateMessage -> CreateMessageRequest((params ?: EmptyJsonObject).let { CreateMessageRequestParams.of(it) })
    Method.Defined.ServerDiscover -> DiscoverRequest(params?.let { EmptyParams.of(it) })
    Method.Defined.SubscriptionsListen -> ListenRequest((params ?: EmptyJsonObject).let { ListenRequestParams.of(it) })
    Method.Defined.TasksCancel -> CancelTaskRequest((params ?: EmptyJsonObject).let { CancelTaskRequestParams.of(it) })
    Method.Defined.TasksGet -> GetTaskRequest((params ?: EmptyJsonObject).let { GetTaskRequestParams.of(it) })
    Method.Defined.TasksList -> ListTasksRequest(params?.let { PaginatedRequestParams.of(it) })
    Method.Defined.TasksResult -> GetTaskPayloadRequest((params ?: EmptyJsonObject).let { GetTaskPayloadRequestParams.of(it) })
    Method.Defined.TasksUpdate -> UpdateTaskRequest((params ?: EmptyJsonObject).let { UpdateTaskRequestParams.of(it) })
    Method.Defined.ToolsCall -> CallToolRequest((params ?: EmptyJsonObject).let { CallToolRequestParams.of(it) })
    Method.Defined.ToolsList -> ListToolsRequest(params?.let { PaginatedRequestParams.of(it) })
    else -> CustomRequest(method, params)
}

/** A notification that was read. */
internal fun notificationOf(method: String, params: JsonObject?): Notification = when (method) {
    "notifications/cancelled" -> CancelledNotification((params ?: EmptyJsonObject).let { CancelledNotificationParams.of(it) })
    "notifications/elicitation/complete" -> ElicitationCompleteNotification((params ?: EmptyJsonObject).let { ElicitationCompleteNotificationParams.of(it) })
    "notifications/initialized" -> InitializedNotification(params?.let { EmptyParams.of(it) })
    "notifications/message" -> LoggingMessageNotification((params ?: EmptyJsonObject).let { LoggingMessageNotificationParams.of(it) })
    "notifications/progress" -> ProgressNotification((params ?: EmptyJsonObject).let { ProgressNotificationParams.of(it) })
    "notifications/prompts/list_changed" -> PromptListChangedNotification(params?.let { EmptyParams.of(it) })
    "notifications/resources/list_changed" -> ResourceListChangedNotification(params?.let { EmptyParams.of(it) })
    "notifications/resources/updated" -> ResourceUpdatedNotification((params ?: EmptyJsonObject).let { ResourceUpdatedNotificationParams.of(it) })
    "notifications/roots/list_changed" -> RootsListChangedNotification(params?.let { EmptyParams.of(it) })
    "notifications/subscriptions/acknowledged" -> SubscriptionsAcknowledgedNotification((params ?: EmptyJsonObject).let { ListenRequestParams.of(it) })
    "notifications/tasks" -> TaskNotification((params ?: EmptyJsonObject).let { TaskNotificationParams.of(it) })
    "notifications/tasks/status" -> TaskStatusNotification((params ?: EmptyJsonObject).let { TaskStatusNotificationParams.of(it) })
    "notifications/tools/list_changed" -> ToolListChangedNotification(params?.let { EmptyParams.of(it) })
    else -> CustomNotification(method, params)
}
