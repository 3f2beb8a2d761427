@file:Suppress("DEPRECATION", "unused")

package dev.mcpbolt

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

// The messages of the protocol. Written by `cargo xtask generate`; do not edit.

/** The names of methods. */
public interface Method {
    /** Those of the protocol. */
    public object Defined {
        /** See [CompleteRequest]. */
        public const val CompletionComplete: String = "completion/complete"
        /** See [ElicitRequest]. */
        public const val ElicitationCreate: String = "elicitation/create"
        /** See [InitializeRequest]. */
        public const val Initialize: String = "initialize"
        /** See [SetLevelRequest]. */
        public const val LoggingSetLevel: String = "logging/setLevel"
        /** See [CancelledNotification]. */
        public const val NotificationsCancelled: String = "notifications/cancelled"
        /** See [ElicitationCompleteNotification]. */
        public const val NotificationsElicitationComplete: String = "notifications/elicitation/complete"
        /** See [InitializedNotification]. */
        public const val NotificationsInitialized: String = "notifications/initialized"
        /** See [LoggingMessageNotification]. */
        public const val NotificationsMessage: String = "notifications/message"
        /** See [ProgressNotification]. */
        public const val NotificationsProgress: String = "notifications/progress"
        /** See [PromptListChangedNotification]. */
        public const val NotificationsPromptsListChanged: String = "notifications/prompts/list_changed"
        /** See [ResourceListChangedNotification]. */
        public const val NotificationsResourcesListChanged: String = "notifications/resources/list_changed"
        /** See [ResourceUpdatedNotification]. */
        public const val NotificationsResourcesUpdated: String = "notifications/resources/updated"
        /** See [RootsListChangedNotification]. */
        public const val NotificationsRootsListChanged: String = "notifications/roots/list_changed"
        /** See [SubscriptionsAcknowledgedNotification]. */
        public const val NotificationsSubscriptionsAcknowledged: String = "notifications/subscriptions/acknowledged"
        /** See [TaskNotification]. */
        public const val NotificationsTasks: String = "notifications/tasks"
        /** See [TaskStatusNotification]. */
        public const val NotificationsTasksStatus: String = "notifications/tasks/status"
        /** See [ToolListChangedNotification]. */
        public const val NotificationsToolsListChanged: String = "notifications/tools/list_changed"
        /** See [PingRequest]. */
        public const val Ping: String = "ping"
        /** See [GetPromptRequest]. */
        public const val PromptsGet: String = "prompts/get"
        /** See [ListPromptsRequest]. */
        public const val PromptsList: String = "prompts/list"
        /** See [ListResourcesRequest]. */
        public const val ResourcesList: String = "resources/list"
        /** See [ReadResourceRequest]. */
        public const val ResourcesRead: String = "resources/read"
        /** See [SubscribeRequest]. */
        public const val ResourcesSubscribe: String = "resources/subscribe"
        /** See [ListResourceTemplatesRequest]. */
        public const val ResourcesTemplatesList: String = "resources/templates/list"
        /** See [UnsubscribeRequest]. */
        public const val ResourcesUnsubscribe: String = "resources/unsubscribe"
        /** See [ListRootsRequest]. */
        public const val RootsList: String = "roots/list"
        /** See [CreateMessageRequest]. */
        public const val SamplingCreateMessage: String = "sampling/createMessage"
        /** See [DiscoverRequest]. */
        public const val ServerDiscover: String = "server/discover"
        /** See [ListenRequest]. */
        public const val SubscriptionsListen: String = "subscriptions/listen"
        /** See [CancelTaskRequest]. */
        public const val TasksCancel: String = "tasks/cancel"
        /** See [GetTaskRequest]. */
        public const val TasksGet: String = "tasks/get"
        /** See [ListTasksRequest]. */
        public const val TasksList: String = "tasks/list"
        /** See [GetTaskPayloadRequest]. */
        public const val TasksResult: String = "tasks/result"
        /** See [UpdateTaskRequest]. */
        public const val TasksUpdate: String = "tasks/update"
        /** See [CallToolRequest]. */
        public const val ToolsCall: String = "tools/call"
        /** See [ListToolsRequest]. */
        public const val ToolsList: String = "tools/list"
    }
}

/** What servers ask clients that declare it. */
internal val QUESTIONS: Set<String> = setOf(
    Method.Defined.ElicitationCreate,
    Method.Defined.RootsList,
    Method.Defined.SamplingCreateMessage,
)

/** Request `completion/complete` from the client. */
public class CompleteRequest(override val params: CompleteRequestParams) : Request<CompleteResult>("completion/complete") {
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
public class ElicitRequest(override val params: ElicitRequestParams) : Request<ElicitResult>("elicitation/create") {
    override fun read(json: JsonObject): ElicitResult = ElicitResult.of(json)
}

/** Request `initialize` from the client. Until 2025-11-25. */
public class InitializeRequest(override val params: InitializeRequestParams) : Request<InitializeResult>("initialize") {
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

/** Request `logging/setLevel` from the client. Until 2025-11-25. */
@Deprecated("logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.")
public class SetLevelRequest(override val params: SetLevelRequestParams) : Request<EmptyResult>("logging/setLevel") {
    /** Lowest level to send. */
    public val level: LoggingLevel get() = params.level

    /** Metadata. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): EmptyResult = EmptyResult.of(json)
}

/** Notification `notifications/cancelled` from either side. */
public class CancelledNotification(override val params: CancelledNotificationParams) : Notification("notifications/cancelled") {
    /** The request to cancel. Only 2025-11-25 lets it be absent. */
    public val requestId: JsonPrimitive? get() = params.requestId

    /** The reason, for logs and people. */
    public val reason: String? get() = params.reason

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

}

/** Notification `notifications/elicitation/complete` from the server. 2025-11-25 only. */
public class ElicitationCompleteNotification(override val params: ElicitationCompleteNotificationParams) : Notification("notifications/elicitation/complete") {
    /** The id of the elicitation that is done. */
    public val elicitationId: String get() = params.elicitationId

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

}

/** Notification `notifications/initialized` from the client. Until 2025-11-25. */
public class InitializedNotification(override val params: EmptyParams? = null) : Notification("notifications/initialized") {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

}

/** Notification `notifications/message` from the server. */
@Deprecated("logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.")
public class LoggingMessageNotification(override val params: LoggingMessageNotificationParams) : Notification("notifications/message") {
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
public class ProgressNotification(override val params: ProgressNotificationParams) : Notification("notifications/progress") {
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
public class PromptListChangedNotification(override val params: EmptyParams? = null) : Notification("notifications/prompts/list_changed") {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

}

/** Notification `notifications/resources/list_changed` from the server. */
public class ResourceListChangedNotification(override val params: EmptyParams? = null) : Notification("notifications/resources/list_changed") {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

}

/** Notification `notifications/resources/updated` from the server. */
public class ResourceUpdatedNotification(override val params: ResourceUpdatedNotificationParams) : Notification("notifications/resources/updated") {
    /** The URI that changed; it may be below the one that is watched. */
    public val uri: String get() = params.uri

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

}

/** Notification `notifications/roots/list_changed` from the client. Until 2025-11-25. */
@Deprecated("roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as tool parameters, resource URIs or settings of the server.")
public class RootsListChangedNotification(override val params: EmptyParams? = null) : Notification("notifications/roots/list_changed") {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

}

/** Notification `notifications/subscriptions/acknowledged` from the server. Since 2026-07-28. */
public class SubscriptionsAcknowledgedNotification(override val params: ListenRequestParams) : Notification("notifications/subscriptions/acknowledged") {
    /** What to listen for. */
    public val notifications: SubscriptionFilter get() = params.notifications

    /** Metadata. */
    public val meta: JsonObject? get() = params.meta

}

/** Notification `notifications/tasks` from the server. Since 2026-07-28. */
public class TaskNotification(override val params: TaskNotificationParams) : Notification("notifications/tasks") {
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
public class TaskStatusNotification(override val params: TaskStatusNotificationParams) : Notification("notifications/tasks/status") {
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
public class ToolListChangedNotification(override val params: EmptyParams? = null) : Notification("notifications/tools/list_changed") {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

}

/** Request `ping` from either side. Until 2025-11-25. */
public class PingRequest(override val params: EmptyParams? = null) : Request<EmptyResult>("ping") {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): EmptyResult = EmptyResult.of(json)
}

/** Request `prompts/get` from the client. */
public class GetPromptRequest(override val params: GetPromptRequestParams) : Request<GetPromptResult>("prompts/get") {
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
public class ListPromptsRequest(override val params: PaginatedRequestParams? = null) : Request<ListPromptsResult>("prompts/list") {
    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = params?.cursor

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListPromptsResult = ListPromptsResult.of(json)
}

/** Request `resources/list` from the client. */
public class ListResourcesRequest(override val params: PaginatedRequestParams? = null) : Request<ListResourcesResult>("resources/list") {
    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = params?.cursor

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListResourcesResult = ListResourcesResult.of(json)
}

/** Request `resources/read` from the client. */
public class ReadResourceRequest(override val params: ReadResourceRequestParams) : Request<ReadResourceResult>("resources/read") {
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
public class SubscribeRequest(override val params: SubscribeRequestParams) : Request<EmptyResult>("resources/subscribe") {
    /** The URI of the resource to watch. */
    public val uri: String get() = params.uri

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): EmptyResult = EmptyResult.of(json)
}

/** Request `resources/templates/list` from the client. */
public class ListResourceTemplatesRequest(override val params: PaginatedRequestParams? = null) : Request<ListResourceTemplatesResult>("resources/templates/list") {
    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = params?.cursor

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListResourceTemplatesResult = ListResourceTemplatesResult.of(json)
}

/** Request `resources/unsubscribe` from the client. Until 2025-11-25. */
public class UnsubscribeRequest(override val params: UnsubscribeRequestParams) : Request<EmptyResult>("resources/unsubscribe") {
    /** The URI of the resource that is no longer watched. */
    public val uri: String get() = params.uri

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): EmptyResult = EmptyResult.of(json)
}

/** Request `roots/list` from the server. Until 2025-11-25. */
@Deprecated("roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as tool parameters, resource URIs or settings of the server.")
public class ListRootsRequest(override val params: EmptyParams? = null) : Request<ListRootsResult>("roots/list") {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListRootsResult = ListRootsResult.of(json)
}

/** Request `sampling/createMessage` from the server. Until 2025-11-25. */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public class CreateMessageRequest(override val params: CreateMessageRequestParams) : Request<CreateMessageResult>("sampling/createMessage") {
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
public class DiscoverRequest(override val params: EmptyParams? = null) : Request<DiscoverResult>("server/discover") {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): DiscoverResult = DiscoverResult.of(json)
}

/** Request `subscriptions/listen` from the client. Since 2026-07-28. */
public class ListenRequest(override val params: ListenRequestParams) : Request<EmptyResult>("subscriptions/listen") {
    /** What to listen for. */
    public val notifications: SubscriptionFilter get() = params.notifications

    /** Metadata. */
    public val meta: JsonObject? get() = params.meta

    override fun read(json: JsonObject): EmptyResult = EmptyResult.of(json)
}

/** Request `tasks/cancel` from either side. Since 2025-11-25. */
public class CancelTaskRequest(override val params: CancelTaskRequestParams) : Request<CancelTaskResult>("tasks/cancel") {
    /** The task. */
    public val taskId: String get() = params.taskId

    override fun read(json: JsonObject): CancelTaskResult = CancelTaskResult.of(json)
}

/** Request `tasks/get` from either side. Since 2025-11-25. */
public class GetTaskRequest(override val params: GetTaskRequestParams) : Request<GetTaskResult>("tasks/get") {
    /** The task. */
    public val taskId: String get() = params.taskId

    override fun read(json: JsonObject): GetTaskResult = GetTaskResult.of(json)
}

/** Request `tasks/list` from either side. 2025-11-25 only. */
public class ListTasksRequest(override val params: PaginatedRequestParams? = null) : Request<ListTasksResult>("tasks/list") {
    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = params?.cursor

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListTasksResult = ListTasksResult.of(json)
}

/** Request `tasks/result` from either side. 2025-11-25 only. */
public class GetTaskPayloadRequest(override val params: GetTaskPayloadRequestParams) : Request<GetTaskPayloadResult>("tasks/result") {
    /** The task. */
    public val taskId: String get() = params.taskId

    override fun read(json: JsonObject): GetTaskPayloadResult = GetTaskPayloadResult.of(json)
}

/** Request `tasks/update` from the client. Since 2026-07-28. */
public class UpdateTaskRequest(override val params: UpdateTaskRequestParams) : Request<UpdateTaskResult>("tasks/update") {
    /** The task. */
    public val taskId: String get() = params.taskId

    /** Answers to what the task asked. */
    public val inputResponses: JsonObject? get() = params.inputResponses

    override fun read(json: JsonObject): UpdateTaskResult = UpdateTaskResult.of(json)
}

/** Request `tools/call` from the client. */
public class CallToolRequest(override val params: CallToolRequestParams) : Request<CallToolResult>("tools/call") {
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
public class ListToolsRequest(override val params: PaginatedRequestParams? = null) : Request<ListToolsResult>("tools/list") {
    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = params?.cursor

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = params?.meta

    override fun read(json: JsonObject): ListToolsResult = ListToolsResult.of(json)
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
