@file:Suppress("DEPRECATION", "unused")

package dev.mcpbolt

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject

// Requests that are put together member by member. Written by `cargo xtask generate`; do not edit.

/** Puts a [SetLevelRequest] together. */
@McpDsl
public class SetLevelRequestBuilder : RequestBuilder() {
    /** Lowest level to send. */
    public var loggingLevel: LoggingLevel?
        get() = kept("level")
        set(value) = keep("level", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): SetLevelRequest = SetLevelRequest(SetLevelRequestParams.of(all("level")))
}

/** Makes a [SetLevelRequest]. */
public inline fun buildSetLevelRequest(block: SetLevelRequestBuilder.() -> Unit): SetLevelRequest =
    SetLevelRequestBuilder().apply(block).build()

/** Puts a [PingRequest] together. */
@McpDsl
public class PingRequestBuilder : RequestBuilder() {
    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): PingRequest = PingRequest(some()?.let { EmptyParams.of(it) })
}

/** Makes a [PingRequest]. */
public inline fun buildPingRequest(block: PingRequestBuilder.() -> Unit): PingRequest =
    PingRequestBuilder().apply(block).build()

/** Puts a [GetPromptRequest] together. */
@McpDsl
public class GetPromptRequestBuilder : RequestBuilder() {
    /** The name of the prompt. */
    public var name: String?
        get() = kept("name")
        set(value) = keep("name", value)

    /** The arguments by name, in the caller's order. */
    public var arguments: Map<String, String>?
        get() = kept("arguments")
        set(value) = keep("arguments", value)

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public fun inputResponses(value: JsonObject): Unit = keep("inputResponses", value)

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public fun inputResponses(block: JsonObjectBuilder.() -> Unit): Unit = keep("inputResponses", buildJsonObject(block))

    /** What the earlier `input_required` asked to be sent back. Since 2026-07-28. */
    public var requestState: String?
        get() = kept("requestState")
        set(value) = keep("requestState", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): GetPromptRequest = GetPromptRequest(GetPromptRequestParams.of(all("name")))
}

/** Makes a [GetPromptRequest]. */
public inline fun buildGetPromptRequest(block: GetPromptRequestBuilder.() -> Unit): GetPromptRequest =
    GetPromptRequestBuilder().apply(block).build()

/** Puts a [ListPromptsRequest] together. */
@McpDsl
public class ListPromptsRequestBuilder : PaginatedRequestBuilder() {
    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): ListPromptsRequest = ListPromptsRequest(some()?.let { PaginatedRequestParams.of(it) })
}

/** Makes a [ListPromptsRequest]. */
public inline fun buildListPromptsRequest(block: ListPromptsRequestBuilder.() -> Unit): ListPromptsRequest =
    ListPromptsRequestBuilder().apply(block).build()

/** Puts a [ListResourcesRequest] together. */
@McpDsl
public class ListResourcesRequestBuilder : PaginatedRequestBuilder() {
    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): ListResourcesRequest = ListResourcesRequest(some()?.let { PaginatedRequestParams.of(it) })
}

/** Makes a [ListResourcesRequest]. */
public inline fun buildListResourcesRequest(block: ListResourcesRequestBuilder.() -> Unit): ListResourcesRequest =
    ListResourcesRequestBuilder().apply(block).build()

/** Puts a [ReadResourceRequest] together. */
@McpDsl
public class ReadResourceRequestBuilder : RequestBuilder() {
    /** The URI of the resource to read. */
    public var uri: String?
        get() = kept("uri")
        set(value) = keep("uri", value)

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public fun inputResponses(value: JsonObject): Unit = keep("inputResponses", value)

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public fun inputResponses(block: JsonObjectBuilder.() -> Unit): Unit = keep("inputResponses", buildJsonObject(block))

    /** What the earlier `input_required` asked to be sent back. Since 2026-07-28. */
    public var requestState: String?
        get() = kept("requestState")
        set(value) = keep("requestState", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): ReadResourceRequest = ReadResourceRequest(ReadResourceRequestParams.of(all("uri")))
}

/** Makes a [ReadResourceRequest]. */
public inline fun buildReadResourceRequest(block: ReadResourceRequestBuilder.() -> Unit): ReadResourceRequest =
    ReadResourceRequestBuilder().apply(block).build()

/** Puts a [SubscribeRequest] together. */
@McpDsl
public class SubscribeRequestBuilder : RequestBuilder() {
    /** The URI of the resource to watch. */
    public var uri: String?
        get() = kept("uri")
        set(value) = keep("uri", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): SubscribeRequest = SubscribeRequest(SubscribeRequestParams.of(all("uri")))
}

/** Makes a [SubscribeRequest]. */
public inline fun buildSubscribeRequest(block: SubscribeRequestBuilder.() -> Unit): SubscribeRequest =
    SubscribeRequestBuilder().apply(block).build()

/** Puts a [ListResourceTemplatesRequest] together. */
@McpDsl
public class ListResourceTemplatesRequestBuilder : PaginatedRequestBuilder() {
    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): ListResourceTemplatesRequest = ListResourceTemplatesRequest(some()?.let { PaginatedRequestParams.of(it) })
}

/** Makes a [ListResourceTemplatesRequest]. */
public inline fun buildListResourceTemplatesRequest(block: ListResourceTemplatesRequestBuilder.() -> Unit): ListResourceTemplatesRequest =
    ListResourceTemplatesRequestBuilder().apply(block).build()

/** Puts a [UnsubscribeRequest] together. */
@McpDsl
public class UnsubscribeRequestBuilder : RequestBuilder() {
    /** The URI of the resource that is no longer watched. */
    public var uri: String?
        get() = kept("uri")
        set(value) = keep("uri", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): UnsubscribeRequest = UnsubscribeRequest(UnsubscribeRequestParams.of(all("uri")))
}

/** Makes a [UnsubscribeRequest]. */
public inline fun buildUnsubscribeRequest(block: UnsubscribeRequestBuilder.() -> Unit): UnsubscribeRequest =
    UnsubscribeRequestBuilder().apply(block).build()

/** Puts a [ListRootsRequest] together. */
@McpDsl
public class ListRootsRequestBuilder : RequestBuilder() {
    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): ListRootsRequest = ListRootsRequest(some()?.let { EmptyParams.of(it) })
}

/** Makes a [ListRootsRequest]. */
public inline fun buildListRootsRequest(block: ListRootsRequestBuilder.() -> Unit): ListRootsRequest =
    ListRootsRequestBuilder().apply(block).build()

/** Puts a [DiscoverRequest] together. */
@McpDsl
public class DiscoverRequestBuilder : RequestBuilder() {
    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): DiscoverRequest = DiscoverRequest(some()?.let { EmptyParams.of(it) })
}

/** Makes a [DiscoverRequest]. */
public inline fun buildDiscoverRequest(block: DiscoverRequestBuilder.() -> Unit): DiscoverRequest =
    DiscoverRequestBuilder().apply(block).build()

/** Puts a [ListenRequest] together. */
@McpDsl
public class ListenRequestBuilder : RequestBuilder() {
    /** What to listen for. */
    public fun notifications(value: SubscriptionFilter): Unit = keep("notifications", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): ListenRequest = ListenRequest(ListenRequestParams.of(all("notifications")))
}

/** Makes a [ListenRequest]. */
public inline fun buildListenRequest(block: ListenRequestBuilder.() -> Unit): ListenRequest =
    ListenRequestBuilder().apply(block).build()

/** Puts a [CancelTaskRequest] together. */
@McpDsl
public class CancelTaskRequestBuilder : RequestBuilder() {
    /** The task. */
    public var taskId: String?
        get() = kept("taskId")
        set(value) = keep("taskId", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): CancelTaskRequest = CancelTaskRequest(CancelTaskRequestParams.of(all("taskId")))
}

/** Makes a [CancelTaskRequest]. */
public inline fun buildCancelTaskRequest(block: CancelTaskRequestBuilder.() -> Unit): CancelTaskRequest =
    CancelTaskRequestBuilder().apply(block).build()

/** Puts a [GetTaskRequest] together. */
@McpDsl
public class GetTaskRequestBuilder : RequestBuilder() {
    /** The task. */
    public var taskId: String?
        get() = kept("taskId")
        set(value) = keep("taskId", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): GetTaskRequest = GetTaskRequest(GetTaskRequestParams.of(all("taskId")))
}

/** Makes a [GetTaskRequest]. */
public inline fun buildGetTaskRequest(block: GetTaskRequestBuilder.() -> Unit): GetTaskRequest =
    GetTaskRequestBuilder().apply(block).build()

/** Puts a [ListTasksRequest] together. */
@McpDsl
public class ListTasksRequestBuilder : PaginatedRequestBuilder() {
    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): ListTasksRequest = ListTasksRequest(some()?.let { PaginatedRequestParams.of(it) })
}

/** Makes a [ListTasksRequest]. */
public inline fun buildListTasksRequest(block: ListTasksRequestBuilder.() -> Unit): ListTasksRequest =
    ListTasksRequestBuilder().apply(block).build()

/** Puts a [GetTaskPayloadRequest] together. */
@McpDsl
public class GetTaskPayloadRequestBuilder : RequestBuilder() {
    /** The task. */
    public var taskId: String?
        get() = kept("taskId")
        set(value) = keep("taskId", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): GetTaskPayloadRequest = GetTaskPayloadRequest(GetTaskPayloadRequestParams.of(all("taskId")))
}

/** Makes a [GetTaskPayloadRequest]. */
public inline fun buildGetTaskPayloadRequest(block: GetTaskPayloadRequestBuilder.() -> Unit): GetTaskPayloadRequest =
    GetTaskPayloadRequestBuilder().apply(block).build()

/** Puts a [UpdateTaskRequest] together. */
@McpDsl
public class UpdateTaskRequestBuilder : RequestBuilder() {
    /** The task. */
    public var taskId: String?
        get() = kept("taskId")
        set(value) = keep("taskId", value)

    /** Answers to what the task asked. */
    public fun inputResponses(value: JsonObject): Unit = keep("inputResponses", value)

    /** Answers to what the task asked. */
    public fun inputResponses(block: JsonObjectBuilder.() -> Unit): Unit = keep("inputResponses", buildJsonObject(block))

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): UpdateTaskRequest = UpdateTaskRequest(UpdateTaskRequestParams.of(all("taskId")))
}

/** Makes a [UpdateTaskRequest]. */
public inline fun buildUpdateTaskRequest(block: UpdateTaskRequestBuilder.() -> Unit): UpdateTaskRequest =
    UpdateTaskRequestBuilder().apply(block).build()

/** Puts a [CallToolRequest] together. */
@McpDsl
public class CallToolRequestBuilder : RequestBuilder() {
    /** The name of the tool. */
    public var name: String?
        get() = kept("name")
        set(value) = keep("name", value)

    /** The arguments: an object. */
    public fun arguments(value: JsonObject): Unit = keep("arguments", value)

    /** The arguments: an object. */
    public fun arguments(block: JsonObjectBuilder.() -> Unit): Unit = keep("arguments", buildJsonObject(block))

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public fun inputResponses(value: JsonObject): Unit = keep("inputResponses", value)

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public fun inputResponses(block: JsonObjectBuilder.() -> Unit): Unit = keep("inputResponses", buildJsonObject(block))

    /** What the earlier `input_required` asked to be sent back. Since 2026-07-28. */
    public var requestState: String?
        get() = kept("requestState")
        set(value) = keep("requestState", value)

    /** Asks to run as a task. 2025-11-25 only. */
    public fun task(value: TaskMetadata): Unit = keep("task", value)

    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): CallToolRequest = CallToolRequest(CallToolRequestParams.of(all("name")))
}

/** Makes a [CallToolRequest]. */
public inline fun buildCallToolRequest(block: CallToolRequestBuilder.() -> Unit): CallToolRequest =
    CallToolRequestBuilder().apply(block).build()

/** Puts a [ListToolsRequest] together. */
@McpDsl
public class ListToolsRequestBuilder : PaginatedRequestBuilder() {
    /** @throws IllegalArgumentException if something is missing. */
    override fun build(): ListToolsRequest = ListToolsRequest(some()?.let { PaginatedRequestParams.of(it) })
}

/** Makes a [ListToolsRequest]. */
public inline fun buildListToolsRequest(block: ListToolsRequestBuilder.() -> Unit): ListToolsRequest =
    ListToolsRequestBuilder().apply(block).build()
