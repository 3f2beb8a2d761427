@file:Suppress("DEPRECATION", "unused")

package dev.mcpbolt

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

// The types of the protocol. Written by `cargo xtask generate`; do not edit.

/**
 * Hints for the client about how to use or show something. From an untrusted server they are not to be
 * trusted.
 */
public class Annotations internal constructor(members: Members) : Record(members) {
    public constructor(audience: List<Role>? = null, priority: Double? = null, lastModified: String? = null) :
        this(Members("audience" to audience, "priority" to priority, "lastModified" to lastModified))

    /** For whom it is: the user, the model (`assistant`), or both. */
    public val audience: List<Role>? get() = json.find("audience")?.let { it.list { Role(it.text()) } }

    /** How important it is, from 0 to 1 (1: effectively required). */
    public val priority: Double? get() = json.find("priority")?.let { it.double() }

    /** When it last changed, in ISO 8601. Since 2025-06-18. */
    public val lastModified: String? get() = json.find("lastModified")?.let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Annotations = Annotations(Members(json))
    }
}

/** Sound. Since 2025-03-26. */
public class AudioContent internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(data: String, mimeType: String, annotations: Annotations? = null, meta: JsonObject? = null) :
        this(Members("type" to "audio", "data" to data, "mimeType" to mimeType, "annotations" to annotations, "_meta" to meta))

    /** The bytes in Base64. */
    public val data: String get() = json.need("data").let { it.text() }

    /** The MIME type. */
    public val mimeType: String get() = json.need("mimeType").let { it.text() }

    /** Hints for the client. */
    public val annotations: Annotations? get() = json.find("annotations")?.let { Annotations.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): AudioContent = AudioContent(Members(json))
    }
}

/** Contents that are bytes. */
public class BlobResourceContents internal constructor(members: Members) : Record(members), ResourceContents {
    public constructor(blob: String, uri: String, mimeType: String? = null, meta: JsonObject? = null) :
        this(Members("uri" to uri, "mimeType" to mimeType, "blob" to blob, "_meta" to meta))

    /** The URI of the contents. */
    override public val uri: String get() = json.need("uri").let { it.text() }

    /** The MIME type, if known. */
    override public val mimeType: String? get() = json.find("mimeType")?.let { it.text() }

    /** The bytes in Base64. */
    public val blob: String get() = json.need("blob").let { it.text() }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): BlobResourceContents = BlobResourceContents(Members(json))
    }
}

/** Yes or no. */
public class BooleanSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(title: String? = null, description: String? = null, default: Boolean? = null) :
        this(Members("type" to "boolean", "title" to title, "description" to description, "default" to default))

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to decide. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** What is chosen at first. */
    public val default: Boolean? get() = json.find("default")?.let { it.flag() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): BooleanSchema = BooleanSchema(Members(json))
    }
}

/** Who may keep a cached result. Since 2026-07-28. */
public data class CacheScope(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** Only the client that asked. */
        public val Private: CacheScope = CacheScope("private")
        /** Shared caches too. */
        public val Public: CacheScope = CacheScope("public")
    }
}

/** Params of `tools/call`. */
public class CallToolRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(name: String, arguments: JsonObject? = null, inputResponses: JsonObject? = null, requestState: String? = null, task: TaskMetadata? = null, meta: JsonObject? = null) :
        this(Members("name" to name, "arguments" to arguments, "inputResponses" to inputResponses, "requestState" to requestState, "task" to task, "_meta" to meta))

    /** The name of the tool. */
    public val name: String get() = json.need("name").let { it.text() }

    /** The arguments: an object. */
    public val arguments: JsonObject? get() = json.find("arguments")?.let { it.obj() }

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public val inputResponses: JsonObject? get() = json.find("inputResponses")?.let { it.obj() }

    /** What the earlier `input_required` asked to be sent back. Since 2026-07-28. */
    public val requestState: String? get() = json.find("requestState")?.let { it.text() }

    /** Asks to run as a task. 2025-11-25 only. */
    public val task: TaskMetadata? get() = json.find("task")?.let { TaskMetadata.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CallToolRequestParams = CallToolRequestParams(Members(json))
    }
}

/** Result of `tools/call`. A tool's own failure is a result with `isError`, so that the model sees it. */
public class CallToolResult internal constructor(members: Members) : Record(members) {
    public constructor(content: List<ContentBlock> = emptyList(), isError: Boolean? = null, structuredContent: JsonElement? = null, meta: JsonObject? = null) :
        this(Members("content" to content, "structuredContent" to structuredContent, "isError" to isError, "_meta" to meta))

    /** The answer. */
    public val content: List<ContentBlock> get() = json.find("content")?.let { it.list { ContentBlock.of(it.obj()) } }.orEmpty()

    /**
     * The answer as data. `null` is a value, told from absent. Since 2025-06-18; before 2026-07-28 an
     * object.
     */
    public val structuredContent: JsonElement? get() = json["structuredContent"]

    /** Whether the tool failed. Taken as false when absent. */
    public val isError: Boolean? get() = json.find("isError")?.let { it.flag() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CallToolResult = CallToolResult(Members(json))
    }
}

/** Params of `tasks/cancel`. */
public class CancelTaskRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String) :
        this(Members("taskId" to taskId))

    /** The task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CancelTaskRequestParams = CancelTaskRequestParams(Members(json))
    }
}

/** Result of `tasks/cancel`. */
public class CancelTaskResult internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String, status: TaskStatus, createdAt: String, lastUpdatedAt: String, statusMessage: String? = null, ttl: Long? = null, pollInterval: Long? = null) :
        this(Members("taskId" to taskId, "status" to status, "statusMessage" to statusMessage, "createdAt" to createdAt, "lastUpdatedAt" to lastUpdatedAt, "ttl" to ttl, "pollInterval" to pollInterval))

    /** The id of the task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** The status of the task. */
    public val status: TaskStatus get() = json.need("status").let { TaskStatus(it.text()) }

    /** A text about the status, for people. */
    public val statusMessage: String? get() = json.find("statusMessage")?.let { it.text() }

    /** When it was created, in ISO 8601. */
    public val createdAt: String get() = json.need("createdAt").let { it.text() }

    /** When it last changed, in ISO 8601. */
    public val lastUpdatedAt: String get() = json.need("lastUpdatedAt").let { it.text() }

    /** How long it is kept once created, in milliseconds; `null` is for ever. */
    public val ttl: Long? get() = json.find("ttl")?.let { it.long() }

    /** How long to wait between two polls, in milliseconds. */
    public val pollInterval: Long? get() = json.find("pollInterval")?.let { it.long() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CancelTaskResult = CancelTaskResult(Members(json))
    }
}

/** Params of `notifications/cancelled`. */
public class CancelledNotificationParams internal constructor(members: Members) : Record(members) {
    public constructor(requestId: JsonPrimitive? = null, reason: String? = null, meta: JsonObject? = null) :
        this(Members("requestId" to requestId, "reason" to reason, "_meta" to meta))

    /** The request to cancel. Only 2025-11-25 lets it be absent. */
    public val requestId: JsonPrimitive? get() = json.find("requestId")?.let { it.primitive() }

    /** The reason, for logs and people. */
    public val reason: String? get() = json.find("reason")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CancelledNotificationParams = CancelledNotificationParams(Members(json))
    }
}

/** What a client can do. */
public class ClientCapabilities internal constructor(members: Members) : Record(members) {
    public constructor(sampling: SamplingCapability? = null, roots: RootsCapability? = null, elicitation: ElicitationCapability? = null, tasks: JsonObject? = null, experimental: JsonObject? = null, extensions: JsonObject? = null) :
        this(Members("roots" to roots, "sampling" to sampling, "elicitation" to elicitation, "tasks" to tasks, "experimental" to experimental, "extensions" to extensions))

    /** It has roots (deprecated since 2026-07-28, SEP-2577). */
    @Deprecated("roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as tool parameters, resource URIs or settings of the server.")
    public val roots: RootsCapability? get() = json.find("roots")?.let { RootsCapability.of(it.obj()) }

    /** It can ask a model (deprecated since 2026-07-28, SEP-2577). */
    @Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
    public val sampling: SamplingCapability? get() = json.find("sampling")?.let { SamplingCapability.of(it.obj()) }

    /** It can ask its user, since 2025-06-18. */
    public val elicitation: ElicitationCapability? get() = json.find("elicitation")?.let { ElicitationCapability.of(it.obj()) }

    /** It runs requests as tasks. 2025-11-25 only. */
    public val tasks: JsonObject? get() = json.find("tasks")?.let { it.obj() }

    /** Unofficial features by name. */
    public val experimental: JsonObject? get() = json.find("experimental")?.let { it.obj() }

    /** Extensions by identifier, with their settings. */
    public val extensions: JsonObject? get() = json.find("extensions")?.let { it.obj() }

    /** See [RootsCapability]. */
    public typealias Roots = RootsCapability

    /** See [SamplingCapability]. */
    public typealias Sampling = SamplingCapability

    /** See [ElicitationCapability]. */
    public typealias Elicitation = ElicitationCapability

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ClientCapabilities = ClientCapabilities(Members(json))
    }
}

/** What the client can do with tasks. 2025-11-25 only. */
public class ClientTasksCapability internal constructor(members: Members) : Record(members) {
    public constructor(list: TasksListCapability? = null, cancel: TasksCancelCapability? = null, requests: ClientTasksRequestsCapability? = null) :
        this(Members("list" to list, "cancel" to cancel, "requests" to requests))

    /** It answers `tasks/list`. */
    public val list: TasksListCapability? get() = json.find("list")?.let { TasksListCapability.of(it.obj()) }

    /** It answers `tasks/cancel`. */
    public val cancel: TasksCancelCapability? get() = json.find("cancel")?.let { TasksCancelCapability.of(it.obj()) }

    /** What may be a task. */
    public val requests: ClientTasksRequestsCapability? get() = json.find("requests")?.let { ClientTasksRequestsCapability.of(it.obj()) }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ClientTasksCapability = ClientTasksCapability(Members(json))
    }
}

/** Which requests to the client may be tasks. 2025-11-25 only. */
public class ClientTasksRequestsCapability internal constructor(members: Members) : Record(members) {
    public constructor(sampling: TasksSamplingCapability? = null, elicitation: TasksElicitationCapability? = null) :
        this(Members("sampling" to sampling, "elicitation" to elicitation))

    /** Sampling. */
    public val sampling: TasksSamplingCapability? get() = json.find("sampling")?.let { TasksSamplingCapability.of(it.obj()) }

    /** Elicitation. */
    public val elicitation: TasksElicitationCapability? get() = json.find("elicitation")?.let { TasksElicitationCapability.of(it.obj()) }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ClientTasksRequestsCapability = ClientTasksRequestsCapability(Members(json))
    }
}

/** Params of `completion/complete`. */
public class CompleteRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(argument: CompletionArgument, ref: Reference, context: CompletionContext? = null, meta: JsonObject? = null) :
        this(Members("ref" to ref, "argument" to argument, "context" to context, "_meta" to meta))

    /** The prompt or resource template that has the argument. */
    public val ref: Reference get() = json.need("ref").let { Reference.of(it.obj()) }

    /** The argument. */
    public val argument: CompletionArgument get() = json.need("argument").let { CompletionArgument.of(it.obj()) }

    /** What is already known. Since 2025-06-18. */
    public val context: CompletionContext? get() = json.find("context")?.let { CompletionContext.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** See [CompletionArgument]. */
    public typealias Argument = CompletionArgument

    /** See [CompletionContext]. */
    public typealias Context = CompletionContext

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CompleteRequestParams = CompleteRequestParams(Members(json))
    }
}

/** Result of `completion/complete`. */
public class CompleteResult internal constructor(members: Members) : Record(members) {
    public constructor(completion: Completion, meta: JsonObject? = null) :
        this(Members("completion" to completion, "_meta" to meta))

    /** The suggestions. */
    public val completion: Completion get() = json.need("completion").let { Completion.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CompleteResult = CompleteResult(Members(json))
    }
}

/** Suggestions. */
public class Completion internal constructor(members: Members) : Record(members) {
    public constructor(values: List<String>, total: Int? = null, hasMore: Boolean? = null) :
        this(Members("values" to values, "total" to total, "hasMore" to hasMore))

    /** At most 100 values, best first. */
    public val values: List<String> get() = json.need("values").let { it.list { it.text() } }

    /** How many there are in all, if known. */
    public val total: Int? get() = json.find("total")?.let { it.int() }

    /** Whether there are more than these. */
    public val hasMore: Boolean? get() = json.find("hasMore")?.let { it.flag() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Completion = Completion(Members(json))
    }
}

/** The argument being typed. */
public class CompletionArgument internal constructor(members: Members) : Record(members) {
    public constructor(name: String, value: String) :
        this(Members("name" to name, "value" to value))

    /** The name of the argument. */
    public val name: String get() = json.need("name").let { it.text() }

    /** The text typed so far. */
    public val value: String get() = json.need("value").let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CompletionArgument = CompletionArgument(Members(json))
    }
}

/** What is already known. Since 2025-06-18. */
public class CompletionContext internal constructor(members: Members) : Record(members) {
    public constructor(arguments: Map<String, String>? = null) :
        this(Members("arguments" to arguments))

    /** Arguments already given. */
    public val arguments: Map<String, String>? get() = json.find("arguments")?.let { it.table { it.text() } }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CompletionContext = CompletionContext(Members(json))
    }
}

/** What an argument belongs to. */
public sealed interface Reference : HasJson {
    /** What this version does not know. */
    public class Other internal constructor(members: Members) : Record(members), Reference

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Reference = when (json.tag("type")) {
            "ref/prompt" -> PromptReference.of(json)
            "ref/resource" -> ResourceTemplateReference.of(json)
            else -> Other(Members(json))
        }
    }
}

/** One piece of content. The `type` member tells the kind. */
public sealed interface ContentBlock : HasJson {
    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject?

    /** What this version does not know. */
    public class Other internal constructor(members: Members) : Record(members), ContentBlock {
        /** Metadata of the protocol and of extensions. */
        override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }
    }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ContentBlock = when (json.tag("type")) {
            "text" -> TextContent.of(json)
            "image" -> ImageContent.of(json)
            "audio" -> AudioContent.of(json)
            "resource_link" -> ResourceLink.of(json)
            "resource" -> EmbeddedResource.of(json)
            "tool_use" -> ToolUseContent.of(json)
            "tool_result" -> ToolResultContent.of(json)
            else -> Other(Members(json))
        }
    }
}

/** Params of `sampling/createMessage`. */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public class CreateMessageRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(maxTokens: Int, messages: List<SamplingMessage>, modelPreferences: ModelPreferences? = null, systemPrompt: String? = null, includeContext: IncludeContext? = null, temperature: Double? = null, stopSequences: List<String>? = null, metadata: JsonObject? = null, tools: List<Tool>? = null, toolChoice: ToolChoice? = null, task: TaskMetadata? = null, meta: JsonObject? = null) :
        this(Members("messages" to messages, "modelPreferences" to modelPreferences, "systemPrompt" to systemPrompt, "includeContext" to includeContext, "temperature" to temperature, "maxTokens" to maxTokens, "stopSequences" to stopSequences, "metadata" to metadata, "tools" to tools, "toolChoice" to toolChoice, "task" to task, "_meta" to meta))

    /** The conversation so far, oldest message first. */
    public val messages: List<SamplingMessage> get() = json.need("messages").let { it.list { SamplingMessage.of(it.obj()) } }

    /** Which model the server prefers. */
    public val modelPreferences: ModelPreferences? get() = json.find("modelPreferences")?.let { ModelPreferences.of(it.obj()) }

    /** The system prompt. */
    public val systemPrompt: String? get() = json.find("systemPrompt")?.let { it.text() }

    /** What context the client adds. */
    @Deprecated("includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28. Leave it out, or say `none`.")
    public val includeContext: IncludeContext? get() = json.find("includeContext")?.let { IncludeContext(it.text()) }

    /** The temperature. */
    public val temperature: Double? get() = json.find("temperature")?.let { it.double() }

    /** The largest number of tokens to generate. */
    public val maxTokens: Int get() = json.need("maxTokens").let { it.int() }

    /** Texts that end the answer. */
    public val stopSequences: List<String>? get() = json.find("stopSequences")?.let { it.list { it.text() } }

    /** Settings for the model's provider, passed on unchanged. */
    public val metadata: JsonObject? get() = json.find("metadata")?.let { it.obj() }

    /** Tools the model may use. Since 2025-11-25. */
    public val tools: List<Tool>? get() = json.find("tools")?.let { it.list { Tool.of(it.obj()) } }

    /** Whether the model has to use tools. Since 2025-11-25. */
    public val toolChoice: ToolChoice? get() = json.find("toolChoice")?.let { ToolChoice.of(it.obj()) }

    /** Asks to run as a task. 2025-11-25 only. */
    public val task: TaskMetadata? get() = json.find("task")?.let { TaskMetadata.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CreateMessageRequestParams = CreateMessageRequestParams(Members(json))
    }
}

/** Result of `sampling/createMessage`. */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public class CreateMessageResult internal constructor(members: Members) : Record(members) {
    public constructor(role: Role, content: List<ContentBlock>, model: String, stopReason: StopReason? = null, meta: JsonObject? = null) :
        this(Members("role" to role, "content" to oneOrMany(content), "model" to model, "stopReason" to stopReason, "_meta" to meta))

    public constructor(role: Role, content: ContentBlock, model: String, stopReason: StopReason? = null, meta: JsonObject? = null) :
        this(role, listOf(content), model, stopReason, meta)

    /** The role of the sender. */
    public val role: Role get() = json.need("role").let { Role(it.text()) }

    /**
     * What is said. One block is written as an object, any other number as an array (arrays since
     * 2025-11-25).
     */
    public val content: List<ContentBlock> get() = json.need("content").let { it.oneOrMany { ContentBlock.of(it.obj()) } }

    /** The model that answered. */
    public val model: String get() = json.need("model").let { it.text() }

    /** Why it stopped, if known. */
    public val stopReason: StopReason? get() = json.find("stopReason")?.let { StopReason(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CreateMessageResult = CreateMessageResult(Members(json))
    }
}

/** Answer to a request that became a task. 2025-11-25 only. */
public class CreateTaskResult internal constructor(members: Members) : Record(members) {
    public constructor(task: Task) :
        this(Members("task" to task))

    /** The task. */
    public val task: Task get() = json.need("task").let { Task.of(it.obj()) }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): CreateTaskResult = CreateTaskResult(Members(json))
    }
}

/** Result of `server/discover` (since 2026-07-28). */
public class DiscoverResult internal constructor(members: Members) : Record(members) {
    public constructor(supportedVersions: List<String>, capabilities: ServerCapabilities, instructions: String? = null, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("supportedVersions" to supportedVersions, "capabilities" to capabilities, "instructions" to instructions, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The revisions that the server supports. */
    public val supportedVersions: List<String> get() = json.need("supportedVersions").let { it.list { it.text() } }

    /** What the server can do. */
    public val capabilities: ServerCapabilities get() = json.need("capabilities").let { ServerCapabilities.of(it.obj()) }

    /** How to use the server, for the model. */
    public val instructions: String? get() = json.find("instructions")?.let { it.text() }

    /** How long the result stays fresh, in milliseconds. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may share the cached result. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata; holds the server's `Implementation`. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): DiscoverResult = DiscoverResult(Members(json))
    }
}

/** What the person did. */
public data class ElicitAction(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** Answered. */
        public val Accept: ElicitAction = ElicitAction("accept")
        /** Said no. */
        public val Decline: ElicitAction = ElicitAction("decline")
        /** Went away without a choice. */
        public val Cancel: ElicitAction = ElicitAction("cancel")
    }
}

/** A question with a form. */
public class ElicitRequestFormParams internal constructor(members: Members) : Record(members), ElicitRequestParams {
    public constructor(message: String, requestedSchema: FormSchema, mode: String? = null, task: TaskMetadata? = null, meta: JsonObject? = null) :
        this(Members("mode" to mode, "message" to message, "requestedSchema" to requestedSchema, "task" to task, "_meta" to meta))

    /** `form`, or absent, which means the same and is understood by every revision. */
    public val mode: String? get() = json.find("mode")?.let { it.text() }

    /** The question, as shown to the user. */
    override public val message: String get() = json.need("message").let { it.text() }

    /** The fields. */
    public val requestedSchema: FormSchema get() = json.need("requestedSchema").let { FormSchema.of(it.obj()) }

    /** Asks to run as a task. 2025-11-25 only. */
    override public val task: TaskMetadata? get() = json.find("task")?.let { TaskMetadata.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ElicitRequestFormParams = ElicitRequestFormParams(Members(json))
    }
}

/** Params of `elicitation/create`. Since 2025-06-18. */
public sealed interface ElicitRequestParams : HasJson {
    /** The question, as shown to the user. */
    public val message: String

    /** Asks to run as a task. 2025-11-25 only. */
    public val task: TaskMetadata?

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject?

    /** See [FormSchema]. */
    public typealias RequestedSchema = FormSchema

    /** What this version does not know. */
    public class Other internal constructor(members: Members) : Record(members), ElicitRequestParams {
        /** The question, as shown to the user. */
        override public val message: String get() = json.need("message").let { it.text() }

        /** Asks to run as a task. 2025-11-25 only. */
        override public val task: TaskMetadata? get() = json.find("task")?.let { TaskMetadata.of(it.obj()) }

        /** Metadata of the protocol and of extensions. */
        override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }
    }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ElicitRequestParams = json.best(
            { Other(Members(it)) },
            Candidate(mapOf(), listOf("message", "requestedSchema"), listOf("mode", "message", "requestedSchema", "task", "_meta")) { ElicitRequestFormParams.of(it) },
            Candidate(mapOf("mode" to "url"), listOf("mode", "message", "url"), listOf("mode", "message", "url", "elicitationId", "task", "_meta")) { ElicitRequestURLParams.of(it) },
        )
    }
}

/** Result of `elicitation/create`. */
public class ElicitResult internal constructor(members: Members) : Record(members) {
    public constructor(action: ElicitAction, content: JsonObject? = null, meta: JsonObject? = null) :
        this(Members("action" to action, "content" to content, "_meta" to meta))

    /** What the person did. */
    public val action: ElicitAction get() = json.need("action").let { ElicitAction(it.text()) }

    /** The answers by field; only for an accepted form. */
    public val content: JsonObject? get() = json.find("content")?.let { it.obj() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** See [ElicitAction]. */
    public typealias Action = ElicitAction

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ElicitResult = ElicitResult(Members(json))
    }
}

/** A request to visit a page. Since 2025-11-25. */
public class ElicitRequestURLParams internal constructor(members: Members) : Record(members), ElicitRequestParams {
    public constructor(message: String, url: String, elicitationId: String? = null, task: TaskMetadata? = null, meta: JsonObject? = null) :
        this(Members("mode" to "url", "message" to message, "url" to url, "elicitationId" to elicitationId, "task" to task, "_meta" to meta))

    /** Why to visit the page, as shown to the user. */
    override public val message: String get() = json.need("message").let { it.text() }

    /** The URL of the page. */
    public val url: String get() = json.need("url").let { it.text() }

    /** Names this elicitation; required where it exists. 2025-11-25 only. */
    public val elicitationId: String? get() = json.find("elicitationId")?.let { it.text() }

    /** Asks to run as a task. 2025-11-25 only. */
    override public val task: TaskMetadata? get() = json.find("task")?.let { TaskMetadata.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ElicitRequestURLParams = ElicitRequestURLParams(Members(json))
    }
}

/** `elicitation`; modes since 2025-11-25. Without a mode it means forms. */
public class ElicitationCapability internal constructor(members: Members) : Record(members) {
    public constructor(form: JsonObject? = null, url: JsonObject? = null) :
        this(Members("form" to form, "url" to url))

    /** Forms. */
    public val form: JsonObject? get() = json.find("form")?.let { it.obj() }

    /** URLs the user opens. */
    public val url: JsonObject? get() = json.find("url")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ElicitationCapability = ElicitationCapability(Members(json))
    }
}

/** Params of `notifications/elicitation/complete`. 2025-11-25 only. */
public class ElicitationCompleteNotificationParams internal constructor(members: Members) : Record(members) {
    public constructor(elicitationId: String, meta: JsonObject? = null) :
        this(Members("elicitationId" to elicitationId, "_meta" to meta))

    /** The id of the elicitation that is done. */
    public val elicitationId: String get() = json.need("elicitationId").let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ElicitationCompleteNotificationParams = ElicitationCompleteNotificationParams(Members(json))
    }
}

/** The contents of a resource. */
public class EmbeddedResource internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(resource: ResourceContents, annotations: Annotations? = null, meta: JsonObject? = null) :
        this(Members("type" to "resource", "resource" to resource, "annotations" to annotations, "_meta" to meta))

    /** The contents. */
    public val resource: ResourceContents get() = json.need("resource").let { ResourceContents.of(it.obj()) }

    /** Hints for the client. */
    public val annotations: Annotations? get() = json.find("annotations")?.let { Annotations.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): EmbeddedResource = EmbeddedResource(Members(json))
    }
}

/** Params without members of their own: `ping`, `roots/list`, list changes. */
public class EmptyParams internal constructor(members: Members) : Record(members) {
    public constructor(meta: JsonObject? = null) :
        this(Members("_meta" to meta))

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): EmptyParams = EmptyParams(Members(json))
    }
}

/** A result without members of its own. */
public class EmptyResult internal constructor(members: Members) : Record(members) {
    public constructor(meta: JsonObject? = null) :
        this(Members("_meta" to meta))

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): EmptyResult = EmptyResult(Members(json))
    }
}

/** A value with a title. */
public class EnumOption internal constructor(members: Members) : Record(members) {
    public constructor(const: String, title: String) :
        this(Members("const" to const, "title" to title))

    /** The value. */
    public val const: String get() = json.need("const").let { it.text() }

    /** What the person sees. */
    public val title: String get() = json.need("title").let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): EnumOption = EnumOption(Members(json))
    }
}

/** The `error` member of a response. */
public class ErrorObject internal constructor(members: Members) : Record(members) {
    public constructor(code: Long, message: String, data: JsonElement? = null) :
        this(Members("code" to code, "message" to message, "data" to data))

    /** What kind of failure. */
    public val code: Long get() = json.need("code").let { it.long() }

    /** One short sentence. */
    public val message: String get() = json.need("message").let { it.text() }

    /** More, in a form that depends on the code. */
    public val data: JsonElement? get() = json["data"]

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ErrorObject = ErrorObject(Members(json))
    }
}

/** One field of a form, told by its shape. */
public sealed interface FieldSchema : HasJson {
    /** The label. */
    public val title: String?

    /** What to fill in. */
    public val description: String?

    /** What this version does not know. */
    public class Other internal constructor(members: Members) : Record(members), FieldSchema {
        /** The label. */
        override public val title: String? get() = json.find("title")?.let { it.text() }

        /** What to fill in. */
        override public val description: String? get() = json.find("description")?.let { it.text() }
    }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): FieldSchema = json.best(
            { Other(Members(it)) },
            Candidate(mapOf("type" to "string"), listOf("type"), listOf("type", "title", "description", "minLength", "maxLength", "pattern", "format", "default")) { StringSchema.of(it) },
            Candidate(mapOf(), listOf("type"), listOf("type", "title", "description", "minimum", "maximum", "default")) { NumberSchema.of(it) },
            Candidate(mapOf("type" to "boolean"), listOf("type"), listOf("type", "title", "description", "default")) { BooleanSchema.of(it) },
            Candidate(mapOf("type" to "string"), listOf("type", "enum"), listOf("type", "title", "description", "enum", "default")) { UntitledSingleSelectEnumSchema.of(it) },
            Candidate(mapOf("type" to "string"), listOf("type", "oneOf"), listOf("type", "title", "description", "oneOf", "default")) { TitledSingleSelectEnumSchema.of(it) },
            Candidate(mapOf("type" to "string"), listOf("type", "enum"), listOf("type", "title", "description", "enum", "enumNames", "default")) { LegacyTitledEnumSchema.of(it) },
            Candidate(mapOf("type" to "array"), listOf("type", "items"), listOf("type", "title", "description", "minItems", "maxItems", "items", "default")) { UntitledMultiSelectEnumSchema.of(it) },
            Candidate(mapOf("type" to "array"), listOf("type", "items"), listOf("type", "title", "description", "minItems", "maxItems", "items", "default")) { TitledMultiSelectEnumSchema.of(it) },
        )
    }
}

/** Params of `prompts/get`. */
public class GetPromptRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(name: String, arguments: Map<String, String>? = null, inputResponses: JsonObject? = null, requestState: String? = null, meta: JsonObject? = null) :
        this(Members("name" to name, "arguments" to arguments, "inputResponses" to inputResponses, "requestState" to requestState, "_meta" to meta))

    /** The name of the prompt. */
    public val name: String get() = json.need("name").let { it.text() }

    /** The arguments by name, in the caller's order. */
    public val arguments: Map<String, String>? get() = json.find("arguments")?.let { it.table { it.text() } }

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public val inputResponses: JsonObject? get() = json.find("inputResponses")?.let { it.obj() }

    /** What the earlier `input_required` asked to be sent back. Since 2026-07-28. */
    public val requestState: String? get() = json.find("requestState")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): GetPromptRequestParams = GetPromptRequestParams(Members(json))
    }
}

/** Result of `prompts/get`. */
public class GetPromptResult internal constructor(members: Members) : Record(members) {
    public constructor(messages: List<PromptMessage>, description: String? = null, meta: JsonObject? = null) :
        this(Members("description" to description, "messages" to messages, "_meta" to meta))

    /** A description of the prompt. */
    public val description: String? get() = json.find("description")?.let { it.text() }

    /** The messages. */
    public val messages: List<PromptMessage> get() = json.need("messages").let { it.list { PromptMessage.of(it.obj()) } }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): GetPromptResult = GetPromptResult(Members(json))
    }
}

/** Params of `tasks/get`. */
public class GetTaskRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String) :
        this(Members("taskId" to taskId))

    /** The task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): GetTaskRequestParams = GetTaskRequestParams(Members(json))
    }
}

/** Params of `tasks/result`. 2025-11-25 only. */
public class GetTaskPayloadRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String) :
        this(Members("taskId" to taskId))

    /** The task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): GetTaskPayloadRequestParams = GetTaskPayloadRequestParams(Members(json))
    }
}

/** Result of `tasks/result`: what the request would have been answered. 2025-11-25 only. */
public class GetTaskPayloadResult internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): GetTaskPayloadResult = GetTaskPayloadResult(Members(json))
    }
}

/** Result of `tasks/get`. */
public class GetTaskResult internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String, status: TaskStatus, createdAt: String, lastUpdatedAt: String, statusMessage: String? = null, ttl: Long? = null, pollInterval: Long? = null) :
        this(Members("taskId" to taskId, "status" to status, "statusMessage" to statusMessage, "createdAt" to createdAt, "lastUpdatedAt" to lastUpdatedAt, "ttl" to ttl, "pollInterval" to pollInterval))

    /** The id of the task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** The status of the task. */
    public val status: TaskStatus get() = json.need("status").let { TaskStatus(it.text()) }

    /** A text about the status, for people. */
    public val statusMessage: String? get() = json.find("statusMessage")?.let { it.text() }

    /** When it was created, in ISO 8601. */
    public val createdAt: String get() = json.need("createdAt").let { it.text() }

    /** When it last changed, in ISO 8601. */
    public val lastUpdatedAt: String get() = json.need("lastUpdatedAt").let { it.text() }

    /** How long it is kept once created, in milliseconds; `null` is for ever. */
    public val ttl: Long? get() = json.find("ttl")?.let { it.long() }

    /** How long to wait between two polls, in milliseconds. */
    public val pollInterval: Long? get() = json.find("pollInterval")?.let { it.long() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): GetTaskResult = GetTaskResult(Members(json))
    }
}

/** A picture that stands for something. Since 2025-11-25. */
public class Icon internal constructor(members: Members) : Record(members) {
    public constructor(src: String, mimeType: String? = null, sizes: List<String>? = null, theme: IconTheme? = null) :
        this(Members("src" to src, "mimeType" to mimeType, "sizes" to sizes, "theme" to theme))

    /** An `https:` or `data:` URI. */
    public val src: String get() = json.need("src").let { it.text() }

    /** The MIME type, if the source has none or a wrong one. */
    public val mimeType: String? get() = json.find("mimeType")?.let { it.text() }

    /** Sizes as `WxH`, or `any`. */
    public val sizes: List<String>? get() = json.find("sizes")?.let { it.list { it.text() } }

    /** The background it is drawn for. */
    public val theme: IconTheme? get() = json.find("theme")?.let { IconTheme(it.text()) }

    /** See [IconTheme]. */
    public typealias Theme = IconTheme

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Icon = Icon(Members(json))
    }
}

/** The background an icon is drawn for. */
public data class IconTheme(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** A light background. */
        public val Light: IconTheme = IconTheme("light")
        /** A dark background. */
        public val Dark: IconTheme = IconTheme("dark")
    }
}

/** A picture. */
public class ImageContent internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(data: String, mimeType: String, annotations: Annotations? = null, meta: JsonObject? = null) :
        this(Members("type" to "image", "data" to data, "mimeType" to mimeType, "annotations" to annotations, "_meta" to meta))

    /** The bytes in Base64. */
    public val data: String get() = json.need("data").let { it.text() }

    /** The MIME type. */
    public val mimeType: String get() = json.need("mimeType").let { it.text() }

    /** Hints for the client. */
    public val annotations: Annotations? get() = json.find("annotations")?.let { Annotations.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ImageContent = ImageContent(Members(json))
    }
}

/** Name and version of a program. For display only: never decide by it. */
public class Implementation internal constructor(members: Members) : Record(members) {
    public constructor(name: String, version: String, title: String? = null, description: String? = null, websiteUrl: String? = null, icons: List<Icon>? = null) :
        this(Members("name" to name, "title" to title, "version" to version, "description" to description, "websiteUrl" to websiteUrl, "icons" to icons))

    /** Identifier. */
    public val name: String get() = json.need("name").let { it.text() }

    /** Name for people, since 2025-06-18. */
    public val title: String? get() = json.find("title")?.let { it.text() }

    /** Version. */
    public val version: String get() = json.need("version").let { it.text() }

    /** What it does, since 2025-11-25. */
    public val description: String? get() = json.find("description")?.let { it.text() }

    /** Home page, since 2025-11-25. */
    public val websiteUrl: String? get() = json.find("websiteUrl")?.let { it.text() }

    /** Icons, since 2025-11-25. */
    public val icons: List<Icon>? get() = json.find("icons")?.let { it.list { Icon.of(it.obj()) } }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Implementation = Implementation(Members(json))
    }
}

/** What context of MCP servers the client adds to the prompt. */
@Deprecated("includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28. Leave it out, or say `none`.")
public data class IncludeContext(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** Nothing. */
        public val None: IncludeContext = IncludeContext("none")
        /**
         * Of the asking server. Deprecated since 2025-11-25 (SEP-2596); earliest removal with sampling,
         * 2027-07-28.
         */
        @Deprecated("includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28. Leave it out, or say `none`.")
        public val ThisServer: IncludeContext = IncludeContext("thisServer")
        /**
         * Of every server. Deprecated since 2025-11-25 (SEP-2596); earliest removal with sampling,
         * 2027-07-28.
         */
        @Deprecated("includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28. Leave it out, or say `none`.")
        public val AllServers: IncludeContext = IncludeContext("allServers")
    }
}

/** Params of `initialize` (before 2026-07-28). */
public class InitializeRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(protocolVersion: String, capabilities: ClientCapabilities, clientInfo: Implementation, meta: JsonObject? = null) :
        this(Members("protocolVersion" to protocolVersion, "capabilities" to capabilities, "clientInfo" to clientInfo, "_meta" to meta))

    /** The revision that the client prefers. */
    public val protocolVersion: String get() = json.need("protocolVersion").let { it.text() }

    /** What the client can do. */
    public val capabilities: ClientCapabilities get() = json.need("capabilities").let { ClientCapabilities.of(it.obj()) }

    /** The name and version of the client. */
    public val clientInfo: Implementation get() = json.need("clientInfo").let { Implementation.of(it.obj()) }

    /** Metadata. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): InitializeRequestParams = InitializeRequestParams(Members(json))
    }
}

/** Result of `initialize` (before 2026-07-28). */
public class InitializeResult internal constructor(members: Members) : Record(members) {
    public constructor(protocolVersion: String, capabilities: ServerCapabilities, serverInfo: Implementation, instructions: String? = null, meta: JsonObject? = null) :
        this(Members("protocolVersion" to protocolVersion, "capabilities" to capabilities, "serverInfo" to serverInfo, "instructions" to instructions, "_meta" to meta))

    /** The revision of the session. */
    public val protocolVersion: String get() = json.need("protocolVersion").let { it.text() }

    /** What the server can do. */
    public val capabilities: ServerCapabilities get() = json.need("capabilities").let { ServerCapabilities.of(it.obj()) }

    /** The name and version of the server. */
    public val serverInfo: Implementation get() = json.need("serverInfo").let { Implementation.of(it.obj()) }

    /** How to use the server, for the model. */
    public val instructions: String? get() = json.find("instructions")?.let { it.text() }

    /** Metadata. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): InitializeResult = InitializeResult(Members(json))
    }
}

/** One question: a request of the client's without an envelope. */
public class InputRequest internal constructor(members: Members) : Record(members) {
    public constructor(method: String, params: JsonObject? = null) :
        this(Members("method" to method, "params" to params))

    /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
    public val method: String get() = json.need("method").let { it.text() }

    /** Its params: an object. */
    public val params: JsonObject? get() = json.find("params")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): InputRequest = InputRequest(Members(json))
    }
}

/** A result that asks the client to call again with answers. */
public class InputRequiredResult internal constructor(members: Members) : Record(members) {
    public constructor(inputRequests: Map<String, InputRequest>? = null, requestState: String? = null, meta: JsonObject? = null) :
        this(Members("inputRequests" to inputRequests, "requestState" to requestState, "_meta" to meta))

    /** The questions. */
    public val inputRequests: Map<String, InputRequest>? get() = json.find("inputRequests")?.let { it.table { InputRequest.of(it.obj()) } }

    /** A text that the client sends back unchanged. */
    public val requestState: String? get() = json.find("requestState")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): InputRequiredResult = InputRequiredResult(Members(json))
    }
}

/**
 * One of some values with titles in `enumNames`. `TitledSingleSelectEnumSchema` replaces it since
 * 2025-11-25.
 */
public class LegacyTitledEnumSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(enum: List<String>, title: String? = null, description: String? = null, enumNames: List<String>? = null, default: String? = null) :
        this(Members("type" to "string", "title" to title, "description" to description, "enum" to enum, "enumNames" to enumNames, "default" to default))

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to choose. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** The values. */
    public val enum: List<String> get() = json.need("enum").let { it.list { it.text() } }

    /** Their titles, in the same order. */
    public val enumNames: List<String>? get() = json.find("enumNames")?.let { it.list { it.text() } }

    /** What is chosen at first. Since 2025-11-25. */
    public val default: String? get() = json.find("default")?.let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): LegacyTitledEnumSchema = LegacyTitledEnumSchema(Members(json))
    }
}

/** A capability with nothing but a change notification: `tools`, `prompts`. */
public class ListCapability internal constructor(members: Members) : Record(members) {
    public constructor(listChanged: Boolean? = null) :
        this(Members("listChanged" to listChanged))

    /** Whether changes of the list are announced. */
    public val listChanged: Boolean? get() = json.find("listChanged")?.let { it.flag() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ListCapability = ListCapability(Members(json))
    }
}

/** Result of `prompts/list`. */
public class ListPromptsResult internal constructor(members: Members) : Record(members) {
    public constructor(prompts: List<Prompt>, nextCursor: String? = null, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("prompts" to prompts, "nextCursor" to nextCursor, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The prompts of this page. */
    public val prompts: List<Prompt> get() = json.need("prompts").let { it.list { Prompt.of(it.obj()) } }

    /** Where the next page starts; absent on the last. */
    public val nextCursor: String? get() = json.find("nextCursor")?.let { it.text() }

    /** How long this may be kept, in milliseconds. Since 2026-07-28. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may keep it. Since 2026-07-28. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ListPromptsResult = ListPromptsResult(Members(json))
    }
}

/** Result of `resources/templates/list`. */
public class ListResourceTemplatesResult internal constructor(members: Members) : Record(members) {
    public constructor(resourceTemplates: List<ResourceTemplate>, nextCursor: String? = null, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("resourceTemplates" to resourceTemplates, "nextCursor" to nextCursor, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The templates of this page. */
    public val resourceTemplates: List<ResourceTemplate> get() = json.need("resourceTemplates").let { it.list { ResourceTemplate.of(it.obj()) } }

    /** Where the next page starts; absent on the last. */
    public val nextCursor: String? get() = json.find("nextCursor")?.let { it.text() }

    /** How long this may be kept, in milliseconds. Since 2026-07-28. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may keep it. Since 2026-07-28. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ListResourceTemplatesResult = ListResourceTemplatesResult(Members(json))
    }
}

/** Result of `resources/list`. */
public class ListResourcesResult internal constructor(members: Members) : Record(members) {
    public constructor(resources: List<Resource>, nextCursor: String? = null, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("resources" to resources, "nextCursor" to nextCursor, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The resources of this page. */
    public val resources: List<Resource> get() = json.need("resources").let { it.list { Resource.of(it.obj()) } }

    /** Where the next page starts; absent on the last. */
    public val nextCursor: String? get() = json.find("nextCursor")?.let { it.text() }

    /** How long this may be kept, in milliseconds. Since 2026-07-28. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may keep it. Since 2026-07-28. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ListResourcesResult = ListResourcesResult(Members(json))
    }
}

/** Result of `roots/list`. */
@Deprecated("roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as tool parameters, resource URIs or settings of the server.")
public class ListRootsResult internal constructor(members: Members) : Record(members) {
    public constructor(roots: List<Root>, meta: JsonObject? = null) :
        this(Members("roots" to roots, "_meta" to meta))

    /** The places. */
    public val roots: List<Root> get() = json.need("roots").let { it.list { Root.of(it.obj()) } }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ListRootsResult = ListRootsResult(Members(json))
    }
}

/** Result of `tasks/list`. 2025-11-25 only. */
public class ListTasksResult internal constructor(members: Members) : Record(members) {
    public constructor(tasks: List<Task>, nextCursor: String? = null) :
        this(Members("tasks" to tasks, "nextCursor" to nextCursor))

    /** The tasks of this page. */
    public val tasks: List<Task> get() = json.need("tasks").let { it.list { Task.of(it.obj()) } }

    /** Where the next page starts; absent on the last. */
    public val nextCursor: String? get() = json.find("nextCursor")?.let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ListTasksResult = ListTasksResult(Members(json))
    }
}

/** Result of `tools/list`. */
public class ListToolsResult internal constructor(members: Members) : Record(members) {
    public constructor(tools: List<Tool>, nextCursor: String? = null, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("tools" to tools, "nextCursor" to nextCursor, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The tools of this page. */
    public val tools: List<Tool> get() = json.need("tools").let { it.list { Tool.of(it.obj()) } }

    /** Where the next page starts; absent on the last. */
    public val nextCursor: String? get() = json.find("nextCursor")?.let { it.text() }

    /** How long this may be kept, in milliseconds. Since 2026-07-28. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may keep it. Since 2026-07-28. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ListToolsResult = ListToolsResult(Members(json))
    }
}

/** Params of `subscriptions/listen` and of its acknowledgement. */
public class ListenRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(notifications: SubscriptionFilter, meta: JsonObject? = null) :
        this(Members("notifications" to notifications, "_meta" to meta))

    /** What to listen for. */
    public val notifications: SubscriptionFilter get() = json.need("notifications").let { SubscriptionFilter.of(it.obj()) }

    /** Metadata. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ListenRequestParams = ListenRequestParams(Members(json))
    }
}

/** The eight syslog levels, in ascending order. */
@Deprecated("logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.")
public data class LoggingLevel(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** For developers. */
        public val Debug: LoggingLevel = LoggingLevel("debug")
        /** Ordinary events. */
        public val Info: LoggingLevel = LoggingLevel("info")
        /** Ordinary but significant. */
        public val Notice: LoggingLevel = LoggingLevel("notice")
        /** Might go wrong. */
        public val Warning: LoggingLevel = LoggingLevel("warning")
        /** Went wrong. */
        public val Error: LoggingLevel = LoggingLevel("error")
        /** A part failed. */
        public val Critical: LoggingLevel = LoggingLevel("critical")
        /** Act at once. */
        public val Alert: LoggingLevel = LoggingLevel("alert")
        /** Unusable. */
        public val Emergency: LoggingLevel = LoggingLevel("emergency")
    }
}

/** Params of `notifications/message`. */
@Deprecated("logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.")
public class LoggingMessageNotificationParams internal constructor(members: Members) : Record(members) {
    public constructor(level: LoggingLevel, data: JsonElement, logger: String? = null, meta: JsonObject? = null) :
        this(Members("level" to level, "logger" to logger, "data" to data, "_meta" to meta))

    /** The severity. */
    public val level: LoggingLevel get() = json.need("level").let { LoggingLevel(it.text()) }

    /** The part of the server that logs. */
    public val logger: String? get() = json.find("logger")?.let { it.text() }

    /** Any JSON value. */
    public val data: JsonElement get() = json.need("data")

    /** Metadata. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): LoggingMessageNotificationParams = LoggingMessageNotificationParams(Members(json))
    }
}

/** A name to look for. */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public class ModelHint internal constructor(members: Members) : Record(members) {
    public constructor(name: String? = null) :
        this(Members("name" to name))

    /** Part of a model's name. */
    public val name: String? get() = json.find("name")?.let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ModelHint = ModelHint(Members(json))
    }
}

/** Which model a server would like; the client decides. */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public class ModelPreferences internal constructor(members: Members) : Record(members) {
    public constructor(hints: List<ModelHint>? = null, costPriority: Double? = null, speedPriority: Double? = null, intelligencePriority: Double? = null) :
        this(Members("hints" to hints, "costPriority" to costPriority, "speedPriority" to speedPriority, "intelligencePriority" to intelligencePriority))

    /** Names to look for, best first. */
    public val hints: List<ModelHint>? get() = json.find("hints")?.let { it.list { ModelHint.of(it.obj()) } }

    /** How much cost matters, from 0 to 1. */
    public val costPriority: Double? get() = json.find("costPriority")?.let { it.double() }

    /** How much speed matters, from 0 to 1. */
    public val speedPriority: Double? get() = json.find("speedPriority")?.let { it.double() }

    /** How much ability matters, from 0 to 1. */
    public val intelligencePriority: Double? get() = json.find("intelligencePriority")?.let { it.double() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ModelPreferences = ModelPreferences(Members(json))
    }
}

/** `number` or `integer`. */
public data class NumberKind(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** Any number. */
        public val Number: NumberKind = NumberKind("number")
        /** Whole numbers. */
        public val Integer: NumberKind = NumberKind("integer")
    }
}

/** A number. */
public class NumberSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(type: NumberKind, title: String? = null, description: String? = null, minimum: Double? = null, maximum: Double? = null, default: Double? = null) :
        this(Members("type" to type, "title" to title, "description" to description, "minimum" to minimum, "maximum" to maximum, "default" to default))

    /** `number` or `integer`. */
    public val type: NumberKind get() = json.need("type").let { NumberKind(it.text()) }

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to fill in. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** The smallest. */
    public val minimum: Double? get() = json.find("minimum")?.let { it.double() }

    /** The largest. */
    public val maximum: Double? get() = json.find("maximum")?.let { it.double() }

    /** What is filled in at first. Since 2025-11-25. */
    public val default: Double? get() = json.find("default")?.let { it.double() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): NumberSchema = NumberSchema(Members(json))
    }
}

/** Params of the list methods. */
public class PaginatedRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(cursor: String? = null, meta: JsonObject? = null) :
        this(Members("cursor" to cursor, "_meta" to meta))

    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = json.find("cursor")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): PaginatedRequestParams = PaginatedRequestParams(Members(json))
    }
}

/** Params of `notifications/progress`. */
public class ProgressNotificationParams internal constructor(members: Members) : Record(members) {
    public constructor(progressToken: JsonPrimitive, progress: Double, total: Double? = null, message: String? = null, meta: JsonObject? = null) :
        this(Members("progressToken" to progressToken, "progress" to progress, "total" to total, "message" to message, "_meta" to meta))

    /** The token the request came with. */
    public val progressToken: JsonPrimitive get() = json.need("progressToken").let { it.primitive() }

    /** How much is done; increases with each report. */
    public val progress: Double get() = json.need("progress").let { it.double() }

    /** The value of `progress` when the work is complete, if known. */
    public val total: Double? get() = json.find("total")?.let { it.double() }

    /** What is being done, for the person. Since 2025-03-26. */
    public val message: String? get() = json.find("message")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ProgressNotificationParams = ProgressNotificationParams(Members(json))
    }
}

/** A prompt or a template of one. */
public class Prompt internal constructor(members: Members) : Record(members) {
    public constructor(name: String, description: String? = null, arguments: List<PromptArgument>? = null, title: String? = null, icons: List<Icon>? = null, meta: JsonObject? = null) :
        this(Members("name" to name, "title" to title, "description" to description, "arguments" to arguments, "icons" to icons, "_meta" to meta))

    /** Its name for programs. */
    public val name: String get() = json.need("name").let { it.text() }

    /** Its name for people. Since 2025-06-18. */
    public val title: String? get() = json.find("title")?.let { it.text() }

    /** A description of the prompt. */
    public val description: String? get() = json.find("description")?.let { it.text() }

    /** The arguments of the prompt. */
    public val arguments: List<PromptArgument>? get() = json.find("arguments")?.let { it.list { PromptArgument.of(it.obj()) } }

    /** Icons. Since 2025-11-25. */
    public val icons: List<Icon>? get() = json.find("icons")?.let { it.list { Icon.of(it.obj()) } }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Prompt = Prompt(Members(json))
    }
}

/** One argument of a prompt. */
public class PromptArgument internal constructor(members: Members) : Record(members) {
    public constructor(name: String, description: String? = null, required: Boolean? = null, title: String? = null) :
        this(Members("name" to name, "title" to title, "description" to description, "required" to required))

    /** Its name for programs. */
    public val name: String get() = json.need("name").let { it.text() }

    /** Its name for people. Since 2025-06-18. */
    public val title: String? get() = json.find("title")?.let { it.text() }

    /** A description of the argument. */
    public val description: String? get() = json.find("description")?.let { it.text() }

    /** Whether it must be given. Taken as false when absent. */
    public val required: Boolean? get() = json.find("required")?.let { it.flag() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): PromptArgument = PromptArgument(Members(json))
    }
}

/** One message of a prompt. */
public class PromptMessage internal constructor(members: Members) : Record(members) {
    public constructor(role: Role, content: ContentBlock) :
        this(Members("role" to role, "content" to content))

    /** The role of the sender. */
    public val role: Role get() = json.need("role").let { Role(it.text()) }

    /** The content of the message. */
    public val content: ContentBlock get() = json.need("content").let { ContentBlock.of(it.obj()) }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): PromptMessage = PromptMessage(Members(json))
    }
}

/** A prompt. */
public class PromptReference internal constructor(members: Members) : Record(members), Reference {
    public constructor(name: String, title: String? = null) :
        this(Members("type" to "ref/prompt", "name" to name, "title" to title))

    /** Its name for programs. */
    public val name: String get() = json.need("name").let { it.text() }

    /** Its name for people. Since 2025-06-18. */
    public val title: String? get() = json.find("title")?.let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): PromptReference = PromptReference(Members(json))
    }
}

/** Params of `resources/read`. */
public class ReadResourceRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(uri: String, inputResponses: JsonObject? = null, requestState: String? = null, meta: JsonObject? = null) :
        this(Members("uri" to uri, "inputResponses" to inputResponses, "requestState" to requestState, "_meta" to meta))

    /** The URI of the resource to read. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public val inputResponses: JsonObject? get() = json.find("inputResponses")?.let { it.obj() }

    /** What the earlier `input_required` asked to be sent back. Since 2026-07-28. */
    public val requestState: String? get() = json.find("requestState")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ReadResourceRequestParams = ReadResourceRequestParams(Members(json))
    }
}

/** Result of `resources/read`. */
public class ReadResourceResult internal constructor(members: Members) : Record(members) {
    public constructor(contents: List<ResourceContents>, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("contents" to contents, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The contents; those of a folder may have several parts. */
    public val contents: List<ResourceContents> get() = json.need("contents").let { it.list { ResourceContents.of(it.obj()) } }

    /** How long this may be kept, in milliseconds. Since 2026-07-28. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may keep it. Since 2026-07-28. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ReadResourceResult = ReadResourceResult(Members(json))
    }
}

/** Says in `_meta` which task a message belongs to. 2025-11-25 only. */
public class RelatedTaskMetadata internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String) :
        this(Members("taskId" to taskId))

    /** The task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): RelatedTaskMetadata = RelatedTaskMetadata(Members(json))
    }
}

/** Something a client can read. */
public class Resource internal constructor(members: Members) : Record(members) {
    public constructor(uri: String, name: String, description: String? = null, mimeType: String? = null, size: Long? = null, title: String? = null, annotations: Annotations? = null, icons: List<Icon>? = null, meta: JsonObject? = null) :
        this(Members("uri" to uri, "name" to name, "title" to title, "description" to description, "mimeType" to mimeType, "size" to size, "annotations" to annotations, "icons" to icons, "_meta" to meta))

    /** The URI of the resource. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Its name for programs. */
    public val name: String get() = json.need("name").let { it.text() }

    /** Its name for people. Since 2025-06-18. */
    public val title: String? get() = json.find("title")?.let { it.text() }

    /** A description of the resource. */
    public val description: String? get() = json.find("description")?.let { it.text() }

    /** The MIME type, if known. */
    public val mimeType: String? get() = json.find("mimeType")?.let { it.text() }

    /** Size in bytes before any encoding, if known. */
    public val size: Long? get() = json.find("size")?.let { it.long() }

    /** Hints for the client. */
    public val annotations: Annotations? get() = json.find("annotations")?.let { Annotations.of(it.obj()) }

    /** Icons. Since 2025-11-25. */
    public val icons: List<Icon>? get() = json.find("icons")?.let { it.list { Icon.of(it.obj()) } }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Resource = Resource(Members(json))
    }
}

/** Contents that were read: text or bytes, never both. */
public sealed interface ResourceContents : HasJson {
    /** The URI of the contents. */
    public val uri: String

    /** The MIME type, if known. */
    public val mimeType: String?

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject?

    /** What this version does not know. */
    public class Other internal constructor(members: Members) : Record(members), ResourceContents {
        /** The URI of the contents. */
        override public val uri: String get() = json.need("uri").let { it.text() }

        /** The MIME type, if known. */
        override public val mimeType: String? get() = json.find("mimeType")?.let { it.text() }

        /** Metadata of the protocol and of extensions. */
        override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }
    }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ResourceContents = json.best(
            { Other(Members(it)) },
            Candidate(mapOf(), listOf("uri", "text"), listOf("uri", "mimeType", "text", "_meta")) { TextResourceContents.of(it) },
            Candidate(mapOf(), listOf("uri", "blob"), listOf("uri", "mimeType", "blob", "_meta")) { BlobResourceContents.of(it) },
        )
    }
}

/** A resource that can be read, named but not included. Since 2025-06-18. */
public class ResourceLink internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(name: String, uri: String, title: String? = null, size: Long? = null, mimeType: String? = null, description: String? = null, annotations: Annotations? = null, icons: List<Icon>? = null, meta: JsonObject? = null) :
        this(Members("type" to "resource_link", "uri" to uri, "name" to name, "title" to title, "description" to description, "mimeType" to mimeType, "size" to size, "annotations" to annotations, "icons" to icons, "_meta" to meta))

    /** The URI of the resource. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Its name for programs. */
    public val name: String get() = json.need("name").let { it.text() }

    /** Its name for people. */
    public val title: String? get() = json.find("title")?.let { it.text() }

    /** A description of the resource. */
    public val description: String? get() = json.find("description")?.let { it.text() }

    /** The MIME type, if known. */
    public val mimeType: String? get() = json.find("mimeType")?.let { it.text() }

    /** Size in bytes before any encoding, if known. */
    public val size: Long? get() = json.find("size")?.let { it.long() }

    /** Hints for the client. */
    public val annotations: Annotations? get() = json.find("annotations")?.let { Annotations.of(it.obj()) }

    /** Icons. Since 2025-11-25. */
    public val icons: List<Icon>? get() = json.find("icons")?.let { it.list { Icon.of(it.obj()) } }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ResourceLink = ResourceLink(Members(json))
    }
}

/** A family of resources. */
public class ResourceTemplate internal constructor(members: Members) : Record(members) {
    public constructor(uriTemplate: String, name: String, description: String? = null, mimeType: String? = null, title: String? = null, annotations: Annotations? = null, icons: List<Icon>? = null, meta: JsonObject? = null) :
        this(Members("uriTemplate" to uriTemplate, "name" to name, "title" to title, "description" to description, "mimeType" to mimeType, "annotations" to annotations, "icons" to icons, "_meta" to meta))

    /** An RFC 6570 template of the URIs. */
    public val uriTemplate: String get() = json.need("uriTemplate").let { it.text() }

    /** Its name for programs. */
    public val name: String get() = json.need("name").let { it.text() }

    /** Its name for people. Since 2025-06-18. */
    public val title: String? get() = json.find("title")?.let { it.text() }

    /** A description of the resources. */
    public val description: String? get() = json.find("description")?.let { it.text() }

    /** The MIME type, if all have the same. */
    public val mimeType: String? get() = json.find("mimeType")?.let { it.text() }

    /** Hints for the client. */
    public val annotations: Annotations? get() = json.find("annotations")?.let { Annotations.of(it.obj()) }

    /** Icons. Since 2025-11-25. */
    public val icons: List<Icon>? get() = json.find("icons")?.let { it.list { Icon.of(it.obj()) } }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ResourceTemplate = ResourceTemplate(Members(json))
    }
}

/** A resource or a resource template. */
public class ResourceTemplateReference internal constructor(members: Members) : Record(members), Reference {
    public constructor(uri: String) :
        this(Members("type" to "ref/resource", "uri" to uri))

    /** The URI or the RFC 6570 template. */
    public val uri: String get() = json.need("uri").let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ResourceTemplateReference = ResourceTemplateReference(Members(json))
    }
}

/** Params of `notifications/resources/updated`. */
public class ResourceUpdatedNotificationParams internal constructor(members: Members) : Record(members) {
    public constructor(uri: String, meta: JsonObject? = null) :
        this(Members("uri" to uri, "_meta" to meta))

    /** The URI that changed; it may be below the one that is watched. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ResourceUpdatedNotificationParams = ResourceUpdatedNotificationParams(Members(json))
    }
}

/** `resources`. */
public class ResourcesCapability internal constructor(members: Members) : Record(members) {
    public constructor(listChanged: Boolean? = null, subscribe: Boolean? = null) :
        this(Members("subscribe" to subscribe, "listChanged" to listChanged))

    /** Whether changes of single resources are announced. */
    public val subscribe: Boolean? get() = json.find("subscribe")?.let { it.flag() }

    /** Whether changes of the list are announced. */
    public val listChanged: Boolean? get() = json.find("listChanged")?.let { it.flag() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ResourcesCapability = ResourcesCapability(Members(json))
    }
}

/** The user, or the model (`assistant`). */
public data class Role(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** The person. */
        public val User: Role = Role("user")
        /** The model. */
        public val Assistant: Role = Role("assistant")
    }
}

/** A place. */
@Deprecated("roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as tool parameters, resource URIs or settings of the server.")
public class Root internal constructor(members: Members) : Record(members) {
    public constructor(uri: String, name: String? = null, meta: JsonObject? = null) :
        this(Members("uri" to uri, "name" to name, "_meta" to meta))

    /** Any absolute URI; the specification speaks of `file:` ones. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Its name for people. */
    public val name: String? get() = json.find("name")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Root = Root(Members(json))
    }
}

/** `roots`. */
@Deprecated("roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as tool parameters, resource URIs or settings of the server.")
public class RootsCapability internal constructor(members: Members) : Record(members) {
    public constructor(listChanged: Boolean? = null) :
        this(Members("listChanged" to listChanged))

    /** Whether changes of the list are announced (before 2026-07-28). */
    public val listChanged: Boolean? get() = json.find("listChanged")?.let { it.flag() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): RootsCapability = RootsCapability(Members(json))
    }
}

/** `sampling`; sub-capabilities since 2025-11-25. */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public class SamplingCapability internal constructor(members: Members) : Record(members) {
    public constructor(context: JsonObject? = null, tools: JsonObject? = null) :
        this(Members("context" to context, "tools" to tools))

    /** `includeContext` other than `none`. */
    @Deprecated("includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28. Leave it out, or say `none`.")
    public val context: JsonObject? get() = json.find("context")?.let { it.obj() }

    /** `tools` and `toolChoice`. */
    public val tools: JsonObject? get() = json.find("tools")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): SamplingCapability = SamplingCapability(Members(json))
    }
}

/** One message to or from a model. */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public class SamplingMessage internal constructor(members: Members) : Record(members) {
    public constructor(role: Role, content: List<ContentBlock>, meta: JsonObject? = null) :
        this(Members("role" to role, "content" to oneOrMany(content), "_meta" to meta))

    public constructor(role: Role, content: ContentBlock, meta: JsonObject? = null) :
        this(role, listOf(content), meta)

    /** The role of the sender. */
    public val role: Role get() = json.need("role").let { Role(it.text()) }

    /**
     * What is said. One block is written as an object, any other number as an array (arrays since
     * 2025-11-25).
     */
    public val content: List<ContentBlock> get() = json.need("content").let { it.oneOrMany { ContentBlock.of(it.obj()) } }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): SamplingMessage = SamplingMessage(Members(json))
    }
}

/** What a server can do. */
public class ServerCapabilities internal constructor(members: Members) : Record(members) {
    public constructor(tools: ListCapability? = null, resources: ResourcesCapability? = null, prompts: ListCapability? = null, logging: JsonObject? = null, completions: JsonObject? = null, tasks: JsonObject? = null, experimental: JsonObject? = null, extensions: JsonObject? = null) :
        this(Members("tools" to tools, "prompts" to prompts, "resources" to resources, "logging" to logging, "completions" to completions, "tasks" to tasks, "experimental" to experimental, "extensions" to extensions))

    /** It has tools. */
    public val tools: ListCapability? get() = json.find("tools")?.let { ListCapability.of(it.obj()) }

    /** It has prompts. */
    public val prompts: ListCapability? get() = json.find("prompts")?.let { ListCapability.of(it.obj()) }

    /** It has resources. */
    public val resources: ResourcesCapability? get() = json.find("resources")?.let { ResourcesCapability.of(it.obj()) }

    /** It sends log messages (deprecated since 2026-07-28, SEP-2577). */
    @Deprecated("logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.")
    public val logging: JsonObject? get() = json.find("logging")?.let { it.obj() }

    /** It completes arguments, since 2025-03-26. */
    public val completions: JsonObject? get() = json.find("completions")?.let { it.obj() }

    /** It runs requests as tasks. 2025-11-25 only. */
    public val tasks: JsonObject? get() = json.find("tasks")?.let { it.obj() }

    /** Unofficial features by name. */
    public val experimental: JsonObject? get() = json.find("experimental")?.let { it.obj() }

    /** Extensions by identifier, with their settings. */
    public val extensions: JsonObject? get() = json.find("extensions")?.let { it.obj() }

    /** See [ListCapability]. */
    public typealias Tools = ListCapability

    /** See [ListCapability]. */
    public typealias Prompts = ListCapability

    /** See [ResourcesCapability]. */
    public typealias Resources = ResourcesCapability

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ServerCapabilities = ServerCapabilities(Members(json))
    }
}

/** What the server can do with tasks. 2025-11-25 only. */
public class ServerTasksCapability internal constructor(members: Members) : Record(members) {
    public constructor(list: TasksListCapability? = null, cancel: TasksCancelCapability? = null, requests: ServerTasksRequestsCapability? = null) :
        this(Members("list" to list, "cancel" to cancel, "requests" to requests))

    /** It answers `tasks/list`. */
    public val list: TasksListCapability? get() = json.find("list")?.let { TasksListCapability.of(it.obj()) }

    /** It answers `tasks/cancel`. */
    public val cancel: TasksCancelCapability? get() = json.find("cancel")?.let { TasksCancelCapability.of(it.obj()) }

    /** What may be a task. */
    public val requests: ServerTasksRequestsCapability? get() = json.find("requests")?.let { ServerTasksRequestsCapability.of(it.obj()) }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ServerTasksCapability = ServerTasksCapability(Members(json))
    }
}

/** Which requests to the server may be tasks. 2025-11-25 only. */
public class ServerTasksRequestsCapability internal constructor(members: Members) : Record(members) {
    public constructor(tools: TasksToolsCapability? = null) :
        this(Members("tools" to tools))

    /** Tools. */
    public val tools: TasksToolsCapability? get() = json.find("tools")?.let { TasksToolsCapability.of(it.obj()) }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ServerTasksRequestsCapability = ServerTasksRequestsCapability(Members(json))
    }
}

/** Params of `logging/setLevel` (legacy era). */
@Deprecated("logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.")
public class SetLevelRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(level: LoggingLevel, meta: JsonObject? = null) :
        this(Members("level" to level, "_meta" to meta))

    /** Lowest level to send. */
    public val level: LoggingLevel get() = json.need("level").let { LoggingLevel(it.text()) }

    /** Metadata. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): SetLevelRequestParams = SetLevelRequestParams(Members(json))
    }
}

/** Why the model stopped. */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public data class StopReason(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** It was done. */
        public val EndTurn: StopReason = StopReason("endTurn")
        /** It met a stop sequence. */
        public val StopSequence: StopReason = StopReason("stopSequence")
        /** It reached the token limit. */
        public val MaxTokens: StopReason = StopReason("maxTokens")
        /** It wants to use tools. Since 2025-11-25. */
        public val ToolUse: StopReason = StopReason("toolUse")
    }
}

/** What a text must be. */
public data class StringFormat(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** An e-mail address. */
        public val Email: StringFormat = StringFormat("email")
        /** A URI. */
        public val Uri: StringFormat = StringFormat("uri")
        /** A date, as `2026-07-28`. */
        public val Date: StringFormat = StringFormat("date")
        /** A date and time, in RFC 3339. */
        public val DateTime: StringFormat = StringFormat("date-time")
    }
}

/** Text. */
public class StringSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(title: String? = null, description: String? = null, minLength: Int? = null, maxLength: Int? = null, pattern: String? = null, format: StringFormat? = null, default: String? = null) :
        this(Members("type" to "string", "title" to title, "description" to description, "minLength" to minLength, "maxLength" to maxLength, "pattern" to pattern, "format" to format, "default" to default))

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to fill in. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** Fewest characters. */
    public val minLength: Int? get() = json.find("minLength")?.let { it.int() }

    /** Most characters. */
    public val maxLength: Int? get() = json.find("maxLength")?.let { it.int() }

    /** A regular expression to match. Not in the specification's subset. */
    public val pattern: String? get() = json.find("pattern")?.let { it.text() }

    /** What the text must be. */
    public val format: StringFormat? get() = json.find("format")?.let { StringFormat(it.text()) }

    /** What is filled in at first. Since 2025-11-25. */
    public val default: String? get() = json.find("default")?.let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): StringSchema = StringSchema(Members(json))
    }
}

/** Params of `resources/subscribe`. Until 2025-11-25. */
public class SubscribeRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(uri: String, meta: JsonObject? = null) :
        this(Members("uri" to uri, "_meta" to meta))

    /** The URI of the resource to watch. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): SubscribeRequestParams = SubscribeRequestParams(Members(json))
    }
}

/** Kinds of change: wanted in `subscriptions/listen`, honoured in its acknowledgement. */
public class SubscriptionFilter internal constructor(members: Members) : Record(members) {
    public constructor(toolsListChanged: Boolean? = null, promptsListChanged: Boolean? = null, resourcesListChanged: Boolean? = null, resourceSubscriptions: List<String>? = null) :
        this(Members("toolsListChanged" to toolsListChanged, "promptsListChanged" to promptsListChanged, "resourcesListChanged" to resourcesListChanged, "resourceSubscriptions" to resourceSubscriptions))

    /** Changes of the tool list. */
    public val toolsListChanged: Boolean? get() = json.find("toolsListChanged")?.let { it.flag() }

    /** Changes of the prompt list. */
    public val promptsListChanged: Boolean? get() = json.find("promptsListChanged")?.let { it.flag() }

    /** Changes of the resource and template lists. */
    public val resourcesListChanged: Boolean? get() = json.find("resourcesListChanged")?.let { it.flag() }

    /** Changes of these resources, and of those below them. */
    public val resourceSubscriptions: List<String>? get() = json.find("resourceSubscriptions")?.let { it.list { it.text() } }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): SubscriptionFilter = SubscriptionFilter(Members(json))
    }
}

/** A request that runs on its own. 2025-11-25 only. */
public class Task internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String, status: TaskStatus, createdAt: String, lastUpdatedAt: String, statusMessage: String? = null, ttl: Long? = null, pollInterval: Long? = null) :
        this(Members("taskId" to taskId, "status" to status, "statusMessage" to statusMessage, "createdAt" to createdAt, "lastUpdatedAt" to lastUpdatedAt, "ttl" to ttl, "pollInterval" to pollInterval))

    /** The id of the task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** The status of the task. */
    public val status: TaskStatus get() = json.need("status").let { TaskStatus(it.text()) }

    /** A text about the status, for people. */
    public val statusMessage: String? get() = json.find("statusMessage")?.let { it.text() }

    /** When it was created, in ISO 8601. */
    public val createdAt: String get() = json.need("createdAt").let { it.text() }

    /** When it last changed, in ISO 8601. */
    public val lastUpdatedAt: String get() = json.need("lastUpdatedAt").let { it.text() }

    /** How long it is kept once created, in milliseconds; `null` is for ever. */
    public val ttl: Long? get() = json.find("ttl")?.let { it.long() }

    /** How long to wait between two polls, in milliseconds. */
    public val pollInterval: Long? get() = json.find("pollInterval")?.let { it.long() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Task = Task(Members(json))
    }
}

/** Asks for a request to run as a task. 2025-11-25 only. */
public class TaskMetadata internal constructor(members: Members) : Record(members) {
    public constructor(ttl: Long? = null) :
        this(Members("ttl" to ttl))

    /** How long to keep the task once created, in milliseconds. */
    public val ttl: Long? get() = json.find("ttl")?.let { it.long() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TaskMetadata = TaskMetadata(Members(json))
    }
}

/** Params of `notifications/tasks`. Since 2026-07-28. */
public class TaskNotificationParams internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String, status: TaskStatus, createdAt: String, lastUpdatedAt: String, statusMessage: String? = null, ttl: Long? = null, pollInterval: Long? = null) :
        this(Members("taskId" to taskId, "status" to status, "statusMessage" to statusMessage, "createdAt" to createdAt, "lastUpdatedAt" to lastUpdatedAt, "ttl" to ttl, "pollInterval" to pollInterval))

    /** The id of the task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** The status of the task. */
    public val status: TaskStatus get() = json.need("status").let { TaskStatus(it.text()) }

    /** A text about the status, for people. */
    public val statusMessage: String? get() = json.find("statusMessage")?.let { it.text() }

    /** When it was created, in ISO 8601. */
    public val createdAt: String get() = json.need("createdAt").let { it.text() }

    /** When it last changed, in ISO 8601. */
    public val lastUpdatedAt: String get() = json.need("lastUpdatedAt").let { it.text() }

    /** How long it is kept once created, in milliseconds; `null` is for ever. */
    public val ttl: Long? get() = json.find("ttl")?.let { it.long() }

    /** How long to wait between two polls, in milliseconds. */
    public val pollInterval: Long? get() = json.find("pollInterval")?.let { it.long() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TaskNotificationParams = TaskNotificationParams(Members(json))
    }
}

/** The status of a task. 2025-11-25 only. */
public data class TaskStatus(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** It runs. */
        public val Working: TaskStatus = TaskStatus("working")
        /** It waits for an answer of the requestor's. */
        public val InputRequired: TaskStatus = TaskStatus("input_required")
        /** It has a result. */
        public val Completed: TaskStatus = TaskStatus("completed")
        /** It failed. */
        public val Failed: TaskStatus = TaskStatus("failed")
        /** It was given up. */
        public val Cancelled: TaskStatus = TaskStatus("cancelled")
    }
}

/** Params of `notifications/tasks/status`. 2025-11-25 only. */
public class TaskStatusNotificationParams internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String, status: TaskStatus, createdAt: String, lastUpdatedAt: String, statusMessage: String? = null, ttl: Long? = null, pollInterval: Long? = null) :
        this(Members("taskId" to taskId, "status" to status, "statusMessage" to statusMessage, "createdAt" to createdAt, "lastUpdatedAt" to lastUpdatedAt, "ttl" to ttl, "pollInterval" to pollInterval))

    /** The id of the task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** The status of the task. */
    public val status: TaskStatus get() = json.need("status").let { TaskStatus(it.text()) }

    /** A text about the status, for people. */
    public val statusMessage: String? get() = json.find("statusMessage")?.let { it.text() }

    /** When it was created, in ISO 8601. */
    public val createdAt: String get() = json.need("createdAt").let { it.text() }

    /** When it last changed, in ISO 8601. */
    public val lastUpdatedAt: String get() = json.need("lastUpdatedAt").let { it.text() }

    /** How long it is kept once created, in milliseconds; `null` is for ever. */
    public val ttl: Long? get() = json.find("ttl")?.let { it.long() }

    /** How long to wait between two polls, in milliseconds. */
    public val pollInterval: Long? get() = json.find("pollInterval")?.let { it.long() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TaskStatusNotificationParams = TaskStatusNotificationParams(Members(json))
    }
}

/** Whether a tool runs as a task. 2025-11-25 only. */
public data class TaskSupport(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** Never; the default. */
        public val Forbidden: TaskSupport = TaskSupport("forbidden")
        /** When the caller asks. */
        public val Optional: TaskSupport = TaskSupport("optional")
        /** Always. */
        public val Required: TaskSupport = TaskSupport("required")
    }
}

/** Tool calls as tasks. 2025-11-25 only. */
public class TasksCallCapability internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TasksCallCapability = TasksCallCapability(Members(json))
    }
}

/** Cancelling tasks. 2025-11-25 only. */
public class TasksCancelCapability internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TasksCancelCapability = TasksCancelCapability(Members(json))
    }
}

/** Elicitation as a task. 2025-11-25 only. */
public class TasksCreateElicitationCapability internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TasksCreateElicitationCapability = TasksCreateElicitationCapability(Members(json))
    }
}

/** Sampling as a task. 2025-11-25 only. */
public class TasksCreateMessageCapability internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TasksCreateMessageCapability = TasksCreateMessageCapability(Members(json))
    }
}

/** Which elicitations may be tasks. 2025-11-25 only. */
public class TasksElicitationCapability internal constructor(members: Members) : Record(members) {
    public constructor(create: TasksCreateElicitationCapability? = null) :
        this(Members("create" to create))

    /** `elicitation/create`. */
    public val create: TasksCreateElicitationCapability? get() = json.find("create")?.let { TasksCreateElicitationCapability.of(it.obj()) }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TasksElicitationCapability = TasksElicitationCapability(Members(json))
    }
}

/** Lists of tasks. 2025-11-25 only. */
public class TasksListCapability internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TasksListCapability = TasksListCapability(Members(json))
    }
}

/** Which sampling requests may be tasks. 2025-11-25 only. */
public class TasksSamplingCapability internal constructor(members: Members) : Record(members) {
    public constructor(createMessage: TasksCreateMessageCapability? = null) :
        this(Members("createMessage" to createMessage))

    /** `sampling/createMessage`. */
    public val createMessage: TasksCreateMessageCapability? get() = json.find("createMessage")?.let { TasksCreateMessageCapability.of(it.obj()) }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TasksSamplingCapability = TasksSamplingCapability(Members(json))
    }
}

/** Which tool requests may be tasks. 2025-11-25 only. */
public class TasksToolsCapability internal constructor(members: Members) : Record(members) {
    public constructor(call: TasksCallCapability? = null) :
        this(Members("call" to call))

    /** `tools/call`. */
    public val call: TasksCallCapability? get() = json.find("call")?.let { TasksCallCapability.of(it.obj()) }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TasksToolsCapability = TasksToolsCapability(Members(json))
    }
}

/** Text. */
public class TextContent internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(text: String, annotations: Annotations? = null, meta: JsonObject? = null) :
        this(Members("type" to "text", "text" to text, "annotations" to annotations, "_meta" to meta))

    /** The text. */
    public val text: String get() = json.need("text").let { it.text() }

    /** Hints for the client. */
    public val annotations: Annotations? get() = json.find("annotations")?.let { Annotations.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TextContent = TextContent(Members(json))
    }
}

/** Contents that are text. */
public class TextResourceContents internal constructor(members: Members) : Record(members), ResourceContents {
    public constructor(text: String, uri: String, mimeType: String? = null, meta: JsonObject? = null) :
        this(Members("uri" to uri, "mimeType" to mimeType, "text" to text, "_meta" to meta))

    /** The URI of the contents. */
    override public val uri: String get() = json.need("uri").let { it.text() }

    /** The MIME type, if known. */
    override public val mimeType: String? get() = json.find("mimeType")?.let { it.text() }

    /** The text. */
    public val text: String get() = json.need("text").let { it.text() }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TextResourceContents = TextResourceContents(Members(json))
    }
}

/** The items of `TitledMultiSelectEnumSchema`. */
public class TitledItems internal constructor(members: Members) : Record(members) {
    public constructor(anyOf: List<EnumOption>) :
        this(Members("anyOf" to anyOf))

    /** The values with titles. */
    public val anyOf: List<EnumOption> get() = json.need("anyOf").let { it.list { EnumOption.of(it.obj()) } }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TitledItems = TitledItems(Members(json))
    }
}

/** Several of some values that have titles. Since 2025-11-25. */
public class TitledMultiSelectEnumSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(items: TitledItems, title: String? = null, description: String? = null, minItems: Int? = null, maxItems: Int? = null, default: List<String>? = null) :
        this(Members("type" to "array", "title" to title, "description" to description, "minItems" to minItems, "maxItems" to maxItems, "items" to items, "default" to default))

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to choose. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** Fewest values to choose. */
    public val minItems: Int? get() = json.find("minItems")?.let { it.int() }

    /** Most values to choose. */
    public val maxItems: Int? get() = json.find("maxItems")?.let { it.int() }

    /** The values with titles. */
    public val items: TitledItems get() = json.need("items").let { TitledItems.of(it.obj()) }

    /** What is chosen at first. */
    public val default: List<String>? get() = json.find("default")?.let { it.list { it.text() } }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TitledMultiSelectEnumSchema = TitledMultiSelectEnumSchema(Members(json))
    }
}

/** One of some values that have titles. Since 2025-11-25. */
public class TitledSingleSelectEnumSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(oneOf: List<EnumOption>, title: String? = null, description: String? = null, default: String? = null) :
        this(Members("type" to "string", "title" to title, "description" to description, "oneOf" to oneOf, "default" to default))

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to choose. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** The values with titles. */
    public val oneOf: List<EnumOption> get() = json.need("oneOf").let { it.list { EnumOption.of(it.obj()) } }

    /** What is chosen at first. */
    public val default: String? get() = json.find("default")?.let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): TitledSingleSelectEnumSchema = TitledSingleSelectEnumSchema(Members(json))
    }
}

/** Something a client can call. */
public class Tool internal constructor(members: Members) : Record(members) {
    public constructor(name: String, inputSchema: ToolSchema, description: String? = null, outputSchema: ToolSchema? = null, title: String? = null, annotations: ToolAnnotations? = null, icons: List<Icon>? = null, execution: ToolExecution? = null, meta: JsonObject? = null) :
        this(Members("name" to name, "title" to title, "description" to description, "inputSchema" to inputSchema, "outputSchema" to outputSchema, "annotations" to annotations, "icons" to icons, "execution" to execution, "_meta" to meta))

    /** Its name for programs. */
    public val name: String get() = json.need("name").let { it.text() }

    /** Its name for people. Since 2025-06-18. */
    public val title: String? get() = json.find("title")?.let { it.text() }

    /** What it does, for the model. */
    public val description: String? get() = json.find("description")?.let { it.text() }

    /** JSON Schema of the arguments. Its root has `type: object`. */
    public val inputSchema: ToolSchema get() = json.need("inputSchema").let { ToolSchema.of(it.obj()) }

    /** JSON Schema of `structuredContent`. Since 2025-06-18; before 2026-07-28 its root has `type: object`. */
    public val outputSchema: ToolSchema? get() = json.find("outputSchema")?.let { ToolSchema.of(it.obj()) }

    /** Hints about what it does. Since 2025-03-26. */
    public val annotations: ToolAnnotations? get() = json.find("annotations")?.let { ToolAnnotations.of(it.obj()) }

    /** Icons. Since 2025-11-25. */
    public val icons: List<Icon>? get() = json.find("icons")?.let { it.list { Icon.of(it.obj()) } }

    /** How it runs. 2025-11-25 only. */
    public val execution: ToolExecution? get() = json.find("execution")?.let { ToolExecution.of(it.obj()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): Tool = Tool(Members(json))
    }
}

/** Hints about a tool. From an untrusted server they are not to be trusted. */
public class ToolAnnotations internal constructor(members: Members) : Record(members) {
    public constructor(title: String? = null, readOnlyHint: Boolean? = null, destructiveHint: Boolean? = null, idempotentHint: Boolean? = null, openWorldHint: Boolean? = null) :
        this(Members("title" to title, "readOnlyHint" to readOnlyHint, "destructiveHint" to destructiveHint, "idempotentHint" to idempotentHint, "openWorldHint" to openWorldHint))

    /** Its name for people; the tool's own title comes first. */
    public val title: String? get() = json.find("title")?.let { it.text() }

    /** It changes nothing. Taken as false when absent. */
    public val readOnlyHint: Boolean? get() = json.find("readOnlyHint")?.let { it.flag() }

    /** It may destroy; only matters when it is not read-only. Taken as true when absent. */
    public val destructiveHint: Boolean? get() = json.find("destructiveHint")?.let { it.flag() }

    /** Calling it again with the same arguments changes nothing more. Taken as false when absent. */
    public val idempotentHint: Boolean? get() = json.find("idempotentHint")?.let { it.flag() }

    /** It deals with the outside world. Taken as true when absent. */
    public val openWorldHint: Boolean? get() = json.find("openWorldHint")?.let { it.flag() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ToolAnnotations = ToolAnnotations(Members(json))
    }
}

/** How the model uses tools. Since 2025-11-25. */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public class ToolChoice internal constructor(members: Members) : Record(members) {
    public constructor(mode: ToolChoiceMode? = null) :
        this(Members("mode" to mode))

    /** Whether it may, must or must not. Taken as `auto` when absent. */
    public val mode: ToolChoiceMode? get() = json.find("mode")?.let { ToolChoiceMode(it.text()) }

    /** See [ToolChoiceMode]. */
    public typealias Mode = ToolChoiceMode

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ToolChoice = ToolChoice(Members(json))
    }
}

/** Whether the model may or must use tools. Since 2025-11-25. */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public data class ToolChoiceMode(override val value: String) : Word {
    override fun toString(): String = value

    public companion object {
        /** The model decides; the default. */
        public val Auto: ToolChoiceMode = ToolChoiceMode("auto")
        /** It must use one at least. */
        public val Required: ToolChoiceMode = ToolChoiceMode("required")
        /** It must use none. */
        public val None: ToolChoiceMode = ToolChoiceMode("none")
    }
}

/** How a tool runs. 2025-11-25 only. */
public class ToolExecution internal constructor(members: Members) : Record(members) {
    public constructor(taskSupport: TaskSupport? = null) :
        this(Members("taskSupport" to taskSupport))

    /** Whether it runs as a task. */
    public val taskSupport: TaskSupport? get() = json.find("taskSupport")?.let { TaskSupport(it.text()) }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ToolExecution = ToolExecution(Members(json))
    }
}

/**
 * What a tool answered to a model. Since 2025-11-25; deprecated since 2026-07-28 with sampling (SEP-2577),
 * earliest removal 2027-07-28.
 */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public class ToolResultContent internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(toolUseId: String, content: List<ContentBlock> = emptyList(), structuredContent: JsonElement? = null, isError: Boolean? = null, meta: JsonObject? = null) :
        this(Members("type" to "tool_result", "toolUseId" to toolUseId, "content" to content, "structuredContent" to structuredContent, "isError" to isError, "_meta" to meta))

    /** The id of the `tool_use` that this is the result of. */
    public val toolUseId: String get() = json.need("toolUseId").let { it.text() }

    /** The answer. */
    public val content: List<ContentBlock> get() = json.find("content")?.let { it.list { ContentBlock.of(it.obj()) } }.orEmpty()

    /** The result as data; `null` is a value. */
    public val structuredContent: JsonElement? get() = json["structuredContent"]

    /** Whether the tool failed. */
    public val isError: Boolean? get() = json.find("isError")?.let { it.flag() }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ToolResultContent = ToolResultContent(Members(json))
    }
}

/**
 * A model's wish to call a tool. Since 2025-11-25; deprecated since 2026-07-28 with sampling (SEP-2577),
 * earliest removal 2027-07-28.
 */
@Deprecated("sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.")
public class ToolUseContent internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(id: String, name: String, input: JsonObject, meta: JsonObject? = null) :
        this(Members("type" to "tool_use", "id" to id, "name" to name, "input" to input, "_meta" to meta))

    /** Names this use; the result refers to it. */
    public val id: String get() = json.need("id").let { it.text() }

    /** The name of the tool. */
    public val name: String get() = json.need("name").let { it.text() }

    /** The arguments: an object. */
    public val input: JsonObject get() = json.need("input").let { it.obj() }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ToolUseContent = ToolUseContent(Members(json))
    }
}

/** Params of `resources/unsubscribe`. Until 2025-11-25. */
public class UnsubscribeRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(uri: String, meta: JsonObject? = null) :
        this(Members("uri" to uri, "_meta" to meta))

    /** The URI of the resource that is no longer watched. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): UnsubscribeRequestParams = UnsubscribeRequestParams(Members(json))
    }
}

/** The items of `UntitledMultiSelectEnumSchema`. */
public class UntitledItems internal constructor(members: Members) : Record(members) {
    public constructor(enum: List<String>) :
        this(Members("type" to "string", "enum" to enum))

    /** The values. */
    public val enum: List<String> get() = json.need("enum").let { it.list { it.text() } }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): UntitledItems = UntitledItems(Members(json))
    }
}

/** Several of some values. Since 2025-11-25. */
public class UntitledMultiSelectEnumSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(items: UntitledItems, title: String? = null, description: String? = null, minItems: Int? = null, maxItems: Int? = null, default: List<String>? = null) :
        this(Members("type" to "array", "title" to title, "description" to description, "minItems" to minItems, "maxItems" to maxItems, "items" to items, "default" to default))

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to choose. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** Fewest values to choose. */
    public val minItems: Int? get() = json.find("minItems")?.let { it.int() }

    /** Most values to choose. */
    public val maxItems: Int? get() = json.find("maxItems")?.let { it.int() }

    /** The values. */
    public val items: UntitledItems get() = json.need("items").let { UntitledItems.of(it.obj()) }

    /** What is chosen at first. */
    public val default: List<String>? get() = json.find("default")?.let { it.list { it.text() } }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): UntitledMultiSelectEnumSchema = UntitledMultiSelectEnumSchema(Members(json))
    }
}

/** One of some values. */
public class UntitledSingleSelectEnumSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(enum: List<String>, title: String? = null, description: String? = null, default: String? = null) :
        this(Members("type" to "string", "title" to title, "description" to description, "enum" to enum, "default" to default))

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to choose. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** The values. */
    public val enum: List<String> get() = json.need("enum").let { it.list { it.text() } }

    /** What is chosen at first. Since 2025-11-25. */
    public val default: String? get() = json.find("default")?.let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): UntitledSingleSelectEnumSchema = UntitledSingleSelectEnumSchema(Members(json))
    }
}

/** Params of `tasks/update`. Since 2026-07-28. */
public class UpdateTaskRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String, inputResponses: JsonObject? = null) :
        this(Members("taskId" to taskId, "inputResponses" to inputResponses))

    /** The task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** Answers to what the task asked. */
    public val inputResponses: JsonObject? get() = json.find("inputResponses")?.let { it.obj() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): UpdateTaskRequestParams = UpdateTaskRequestParams(Members(json))
    }
}

/** Result of `tasks/update`. Since 2026-07-28. */
public class UpdateTaskResult internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): UpdateTaskResult = UpdateTaskResult(Members(json))
    }
}

/** The `data` of the error that pages must be visited first. 2025-11-25 only. */
public class UrlElicitationRequiredData internal constructor(members: Members) : Record(members) {
    public constructor(elicitations: List<ElicitRequestURLParams>) :
        this(Members("elicitations" to elicitations))

    /** The pages. */
    public val elicitations: List<ElicitRequestURLParams> get() = json.need("elicitations").let { it.list { ElicitRequestURLParams.of(it.obj()) } }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): UrlElicitationRequiredData = UrlElicitationRequiredData(Members(json))
    }
}

/** JSON Schema of an object; `ToolSchema.of` takes any. */
public class ToolSchema internal constructor(members: Members) : Record(members) {
    public constructor(properties: JsonObject? = null, required: List<String>? = null, defs: JsonObject? = null, schema: String? = null) :
        this(Members("type" to "object", "properties" to properties, "required" to required, "\$defs" to defs, "\$schema" to schema))

    /** A schema for each member. */
    public val properties: JsonObject? get() = json.find("properties")?.let { it.obj() }

    /** The members that must be there. */
    public val required: List<String>? get() = json.find("required")?.let { it.list { it.text() } }

    /** Schemas that others refer to. */
    public val defs: JsonObject? get() = json.find("\$defs")?.let { it.obj() }

    /** The dialect; 2020-12 when absent. */
    public val schema: String? get() = json.find("\$schema")?.let { it.text() }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): ToolSchema = ToolSchema(Members(json))
    }
}

/** JSON Schema of a form: an object of plain values. */
public class FormSchema internal constructor(members: Members) : Record(members) {
    public constructor(properties: Map<String, FieldSchema>, required: List<String>? = null) :
        this(Members("type" to "object", "properties" to properties, "required" to required))

    /** The fields of the form. */
    public val properties: Map<String, FieldSchema> get() = json.need("properties").let { it.table { FieldSchema.of(it.obj()) } }

    /** The members that must be there. */
    public val required: List<String>? get() = json.find("required")?.let { it.list { it.text() } }

    public companion object {
        /** One that was read. */
        public fun of(json: JsonObject): FormSchema = FormSchema(Members(json))
    }
}
