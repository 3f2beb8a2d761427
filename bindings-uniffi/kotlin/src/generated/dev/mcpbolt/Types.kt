@file:Suppress("DEPRECATION", "unused")

package dev.mcpbolt

import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

// The types of the protocol. Written by `cargo xtask generate`; do not edit.

/**
 * Hints for the client about how to use or show something. From an untrusted server they are not to be
 * trusted.
 */
@Serializable(with = Annotations.Companion::class)
public class Annotations internal constructor(members: Members) : Record(members) {
    public constructor(audience: List<Role>? = null, priority: Double? = null, lastModified: String? = null) :
        this(Members("audience" to audience, "priority" to priority, "lastModified" to lastModified))

    /** For whom it is: the user, the model (`assistant`), or both. */
    public val audience: List<Role>? get() = audienceRead ?: json.find("audience")?.let { it.list { Role(it.text()) } }?.also { audienceRead = it }
    @Volatile private var audienceRead: List<Role>? = null

    /** How important it is, from 0 to 1 (1: effectively required). */
    public val priority: Double? get() = json.find("priority")?.let { it.double() }

    /** When it last changed, in ISO 8601. Since 2025-06-18. */
    public val lastModified: String? get() = json.find("lastModified")?.let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(audience: List<Role>? = this.audience, priority: Double? = this.priority, lastModified: String? = this.lastModified): Annotations =
        Annotations(changed(Annotations(audience, priority, lastModified), "audience", "priority", "lastModified"))

    public companion object : RecordSerializer<Annotations>("Annotations") {
        override fun of(json: JsonObject): Annotations = Annotations(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Annotations> = this
    }
}

/** Sound. Since 2025-03-26. */
@Serializable(with = AudioContent.Companion::class)
public class AudioContent internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(data: String, mimeType: String, annotations: Annotations? = null, meta: JsonObject? = null) :
        this(Members("type" to "audio", "data" to data, "mimeType" to mimeType, "annotations" to annotations, "_meta" to meta))

    /** Always `audio`. */
    override public val type: ContentTypes get() = ContentTypes("audio")

    /** The bytes in Base64. */
    public val data: String get() = json.need("data").let { it.text() }

    /** The MIME type. */
    public val mimeType: String get() = json.need("mimeType").let { it.text() }

    /** Hints for the client. */
    public val annotations: Annotations? get() = annotationsRead ?: json.find("annotations")?.let { Annotations.of(it.obj()) }?.also { annotationsRead = it }
    @Volatile private var annotationsRead: Annotations? = null

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(data: String = this.data, mimeType: String = this.mimeType, annotations: Annotations? = this.annotations, meta: JsonObject? = this.meta): AudioContent =
        AudioContent(changed(AudioContent(data, mimeType, annotations, meta), "data", "mimeType", "annotations", "_meta"))

    public companion object : RecordSerializer<AudioContent>("AudioContent") {
        override fun of(json: JsonObject): AudioContent = AudioContent(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<AudioContent> = this
    }
}

/** Contents that are bytes. */
@Serializable(with = BlobResourceContents.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(blob: String = this.blob, uri: String = this.uri, mimeType: String? = this.mimeType, meta: JsonObject? = this.meta): BlobResourceContents =
        BlobResourceContents(changed(BlobResourceContents(blob, uri, mimeType, meta), "blob", "uri", "mimeType", "_meta"))

    public companion object : RecordSerializer<BlobResourceContents>("BlobResourceContents") {
        override fun of(json: JsonObject): BlobResourceContents = BlobResourceContents(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<BlobResourceContents> = this
    }
}

/** Yes or no. */
@Serializable(with = BooleanSchema.Companion::class)
public class BooleanSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(title: String? = null, description: String? = null, default: Boolean? = null) :
        this(Members("type" to "boolean", "title" to title, "description" to description, "default" to default))

    /** Always `boolean`. */
    public val type: String get() = "boolean"

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to decide. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** What is chosen at first. */
    public val default: Boolean? get() = json.find("default")?.let { it.flag() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(title: String? = this.title, description: String? = this.description, default: Boolean? = this.default): BooleanSchema =
        BooleanSchema(changed(BooleanSchema(title, description, default), "title", "description", "default"))

    public companion object : RecordSerializer<BooleanSchema>("BooleanSchema") {
        override fun of(json: JsonObject): BooleanSchema = BooleanSchema(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<BooleanSchema> = this
    }
}

/** Who may keep a cached result. Since 2026-07-28. */
@Serializable(with = CacheScope.Companion::class)
public data class CacheScope(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<CacheScope>("CacheScope") {
        /** Only the client that asked. */
        public val Private: CacheScope = CacheScope("private")
        /** Shared caches too. */
        public val Public: CacheScope = CacheScope("public")

        override fun of(value: String): CacheScope = CacheScope(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CacheScope> = this
    }
}

/** Params of `tools/call`. */
@Serializable(with = CallToolRequestParams.Companion::class)
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
    public val task: TaskMetadata? get() = taskRead ?: json.find("task")?.let { TaskMetadata.of(it.obj()) }?.also { taskRead = it }
    @Volatile private var taskRead: TaskMetadata? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(name: String = this.name, arguments: JsonObject? = this.arguments, inputResponses: JsonObject? = this.inputResponses, requestState: String? = this.requestState, task: TaskMetadata? = this.task, meta: JsonObject? = this.meta): CallToolRequestParams =
        CallToolRequestParams(changed(CallToolRequestParams(name, arguments, inputResponses, requestState, task, meta), "name", "arguments", "inputResponses", "requestState", "task", "_meta"))

    public companion object : RecordSerializer<CallToolRequestParams>("CallToolRequestParams") {
        override fun of(json: JsonObject): CallToolRequestParams = CallToolRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CallToolRequestParams> = this
    }
}

/** Result of `tools/call`. A tool's own failure is a result with `isError`, so that the model sees it. */
@Serializable(with = CallToolResult.Companion::class)
public class CallToolResult internal constructor(members: Members) : Record(members) {
    public constructor(content: List<ContentBlock> = emptyList(), isError: Boolean? = null, structuredContent: JsonElement? = null, meta: JsonObject? = null) :
        this(Members("content" to content, "structuredContent" to structuredContent, "isError" to isError, "_meta" to meta))

    /** The answer. */
    public val content: List<ContentBlock> get() = contentRead ?: json.find("content")?.let { it.list { ContentBlock.of(it.obj()) } }.orEmpty().also { contentRead = it }
    @Volatile private var contentRead: List<ContentBlock>? = null

    /**
     * The answer as data. `null` is a value, told from absent. Since 2025-06-18; before 2026-07-28 an
     * object.
     */
    public val structuredContent: JsonElement? get() = json["structuredContent"]

    /** Whether the tool failed. Taken as false when absent. */
    public val isError: Boolean? get() = json.find("isError")?.let { it.flag() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(content: List<ContentBlock> = this.content, isError: Boolean? = this.isError, structuredContent: JsonElement? = this.structuredContent, meta: JsonObject? = this.meta): CallToolResult =
        CallToolResult(changed(CallToolResult(content, isError, structuredContent, meta), "content", "isError", "structuredContent", "_meta"))

    public companion object : RecordSerializer<CallToolResult>("CallToolResult") {
        override fun of(json: JsonObject): CallToolResult = CallToolResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CallToolResult> = this
    }
}

/** Params of `tasks/cancel`. */
@Serializable(with = CancelTaskRequestParams.Companion::class)
public class CancelTaskRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String) :
        this(Members("taskId" to taskId))

    /** The task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskId: String = this.taskId): CancelTaskRequestParams =
        CancelTaskRequestParams(changed(CancelTaskRequestParams(taskId), "taskId"))

    public companion object : RecordSerializer<CancelTaskRequestParams>("CancelTaskRequestParams") {
        override fun of(json: JsonObject): CancelTaskRequestParams = CancelTaskRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CancelTaskRequestParams> = this
    }
}

/** Result of `tasks/cancel`. */
@Serializable(with = CancelTaskResult.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskId: String = this.taskId, status: TaskStatus = this.status, createdAt: String = this.createdAt, lastUpdatedAt: String = this.lastUpdatedAt, statusMessage: String? = this.statusMessage, ttl: Long? = this.ttl, pollInterval: Long? = this.pollInterval): CancelTaskResult =
        CancelTaskResult(changed(CancelTaskResult(taskId, status, createdAt, lastUpdatedAt, statusMessage, ttl, pollInterval), "taskId", "status", "createdAt", "lastUpdatedAt", "statusMessage", "ttl", "pollInterval"))

    public companion object : RecordSerializer<CancelTaskResult>("CancelTaskResult") {
        override fun of(json: JsonObject): CancelTaskResult = CancelTaskResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CancelTaskResult> = this
    }
}

/** Params of `notifications/cancelled`. */
@Serializable(with = CancelledNotificationParams.Companion::class)
public class CancelledNotificationParams internal constructor(members: Members) : Record(members) {
    public constructor(requestId: JsonPrimitive? = null, reason: String? = null, meta: JsonObject? = null) :
        this(Members("requestId" to requestId, "reason" to reason, "_meta" to meta))

    /** The request to cancel. Only 2025-11-25 lets it be absent. */
    public val requestId: JsonPrimitive? get() = json.find("requestId")?.let { it.primitive() }

    /** The reason, for logs and people. */
    public val reason: String? get() = json.find("reason")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(requestId: JsonPrimitive? = this.requestId, reason: String? = this.reason, meta: JsonObject? = this.meta): CancelledNotificationParams =
        CancelledNotificationParams(changed(CancelledNotificationParams(requestId, reason, meta), "requestId", "reason", "_meta"))

    public companion object : RecordSerializer<CancelledNotificationParams>("CancelledNotificationParams") {
        override fun of(json: JsonObject): CancelledNotificationParams = CancelledNotificationParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CancelledNotificationParams> = this
    }
}

/** What a client can do. */
@Serializable(with = ClientCapabilities.Companion::class)
public class ClientCapabilities internal constructor(members: Members) : Record(members) {
    public constructor(sampling: SamplingCapability? = null, roots: RootsCapability? = null, elicitation: ElicitationCapability? = null, tasks: JsonObject? = null, experimental: JsonObject? = null, extensions: JsonObject? = null) :
        this(Members("roots" to roots, "sampling" to sampling, "elicitation" to elicitation, "tasks" to tasks, "experimental" to experimental, "extensions" to extensions))

    /**
     * It has roots (deprecated since 2026-07-28, SEP-2577). Deprecated: roots, since 2026-07-28
     * (SEP-2577); earliest removal 2027-07-28. Pass folders and files as tool parameters, resource URIs or
     * settings of the server.
     */
    public val roots: RootsCapability? get() = rootsRead ?: json.find("roots")?.let { RootsCapability.of(it.obj()) }?.also { rootsRead = it }
    @Volatile private var rootsRead: RootsCapability? = null

    /**
     * It can ask a model (deprecated since 2026-07-28, SEP-2577). Deprecated: sampling, since 2026-07-28
     * (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.
     */
    public val sampling: SamplingCapability? get() = samplingRead ?: json.find("sampling")?.let { SamplingCapability.of(it.obj()) }?.also { samplingRead = it }
    @Volatile private var samplingRead: SamplingCapability? = null

    /** It can ask its user, since 2025-06-18. */
    public val elicitation: ElicitationCapability? get() = elicitationRead ?: json.find("elicitation")?.let { ElicitationCapability.of(it.obj()) }?.also { elicitationRead = it }
    @Volatile private var elicitationRead: ElicitationCapability? = null

    /** It runs requests as tasks. 2025-11-25 only. */
    public val tasks: JsonObject? get() = json.find("tasks")?.let { it.obj() }

    /** Unofficial features by name. */
    public val experimental: JsonObject? get() = json.find("experimental")?.let { it.obj() }

    /** Extensions by identifier, with their settings. */
    public val extensions: JsonObject? get() = json.find("extensions")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(sampling: SamplingCapability? = this.sampling, roots: RootsCapability? = this.roots, elicitation: ElicitationCapability? = this.elicitation, tasks: JsonObject? = this.tasks, experimental: JsonObject? = this.experimental, extensions: JsonObject? = this.extensions): ClientCapabilities =
        ClientCapabilities(changed(ClientCapabilities(sampling, roots, elicitation, tasks, experimental, extensions), "sampling", "roots", "elicitation", "tasks", "experimental", "extensions"))

    /** See [RootsCapability]. */
    public typealias Roots = RootsCapability

    /** See [SamplingCapability]. */
    public typealias Sampling = SamplingCapability

    /** See [ElicitationCapability]. */
    public typealias Elicitation = ElicitationCapability

    public companion object : RecordSerializer<ClientCapabilities>("ClientCapabilities") {
        /** It can ask a model. */
        public val sampling: SamplingCapability get() = SamplingCapability()

        /** It can ask its user. */
        public val elicitation: ElicitationCapability get() = ElicitationCapability()

        override fun of(json: JsonObject): ClientCapabilities = ClientCapabilities(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ClientCapabilities> = this
    }
}

/** What the client can do with tasks. 2025-11-25 only. */
@Serializable(with = ClientTasksCapability.Companion::class)
public class ClientTasksCapability internal constructor(members: Members) : Record(members) {
    public constructor(list: TasksListCapability? = null, cancel: TasksCancelCapability? = null, requests: ClientTasksRequestsCapability? = null) :
        this(Members("list" to list, "cancel" to cancel, "requests" to requests))

    /** It answers `tasks/list`. */
    public val list: TasksListCapability? get() = listRead ?: json.find("list")?.let { TasksListCapability.of(it.obj()) }?.also { listRead = it }
    @Volatile private var listRead: TasksListCapability? = null

    /** It answers `tasks/cancel`. */
    public val cancel: TasksCancelCapability? get() = cancelRead ?: json.find("cancel")?.let { TasksCancelCapability.of(it.obj()) }?.also { cancelRead = it }
    @Volatile private var cancelRead: TasksCancelCapability? = null

    /** What may be a task. */
    public val requests: ClientTasksRequestsCapability? get() = requestsRead ?: json.find("requests")?.let { ClientTasksRequestsCapability.of(it.obj()) }?.also { requestsRead = it }
    @Volatile private var requestsRead: ClientTasksRequestsCapability? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(list: TasksListCapability? = this.list, cancel: TasksCancelCapability? = this.cancel, requests: ClientTasksRequestsCapability? = this.requests): ClientTasksCapability =
        ClientTasksCapability(changed(ClientTasksCapability(list, cancel, requests), "list", "cancel", "requests"))

    public companion object : RecordSerializer<ClientTasksCapability>("ClientTasksCapability") {
        override fun of(json: JsonObject): ClientTasksCapability = ClientTasksCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ClientTasksCapability> = this
    }
}

/** Which requests to the client may be tasks. 2025-11-25 only. */
@Serializable(with = ClientTasksRequestsCapability.Companion::class)
public class ClientTasksRequestsCapability internal constructor(members: Members) : Record(members) {
    public constructor(sampling: TasksSamplingCapability? = null, elicitation: TasksElicitationCapability? = null) :
        this(Members("sampling" to sampling, "elicitation" to elicitation))

    /** Sampling. */
    public val sampling: TasksSamplingCapability? get() = samplingRead ?: json.find("sampling")?.let { TasksSamplingCapability.of(it.obj()) }?.also { samplingRead = it }
    @Volatile private var samplingRead: TasksSamplingCapability? = null

    /** Elicitation. */
    public val elicitation: TasksElicitationCapability? get() = elicitationRead ?: json.find("elicitation")?.let { TasksElicitationCapability.of(it.obj()) }?.also { elicitationRead = it }
    @Volatile private var elicitationRead: TasksElicitationCapability? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(sampling: TasksSamplingCapability? = this.sampling, elicitation: TasksElicitationCapability? = this.elicitation): ClientTasksRequestsCapability =
        ClientTasksRequestsCapability(changed(ClientTasksRequestsCapability(sampling, elicitation), "sampling", "elicitation"))

    public companion object : RecordSerializer<ClientTasksRequestsCapability>("ClientTasksRequestsCapability") {
        override fun of(json: JsonObject): ClientTasksRequestsCapability = ClientTasksRequestsCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ClientTasksRequestsCapability> = this
    }
}

/** Params of `completion/complete`. */
@Serializable(with = CompleteRequestParams.Companion::class)
public class CompleteRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(argument: CompletionArgument, ref: Reference, context: CompletionContext? = null, meta: JsonObject? = null) :
        this(Members("ref" to ref, "argument" to argument, "context" to context, "_meta" to meta))

    /** The prompt or resource template that has the argument. */
    public val ref: Reference get() = refRead ?: json.need("ref").let { Reference.of(it.obj()) }.also { refRead = it }
    @Volatile private var refRead: Reference? = null

    /** The argument. */
    public val argument: CompletionArgument get() = argumentRead ?: json.need("argument").let { CompletionArgument.of(it.obj()) }.also { argumentRead = it }
    @Volatile private var argumentRead: CompletionArgument? = null

    /** What is already known. Since 2025-06-18. */
    public val context: CompletionContext? get() = contextRead ?: json.find("context")?.let { CompletionContext.of(it.obj()) }?.also { contextRead = it }
    @Volatile private var contextRead: CompletionContext? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(argument: CompletionArgument = this.argument, ref: Reference = this.ref, context: CompletionContext? = this.context, meta: JsonObject? = this.meta): CompleteRequestParams =
        CompleteRequestParams(changed(CompleteRequestParams(argument, ref, context, meta), "argument", "ref", "context", "_meta"))

    /** See [CompletionArgument]. */
    public typealias Argument = CompletionArgument

    /** See [CompletionContext]. */
    public typealias Context = CompletionContext

    public companion object : RecordSerializer<CompleteRequestParams>("CompleteRequestParams") {
        override fun of(json: JsonObject): CompleteRequestParams = CompleteRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CompleteRequestParams> = this
    }
}

/** Result of `completion/complete`. */
@Serializable(with = CompleteResult.Companion::class)
public class CompleteResult internal constructor(members: Members) : Record(members) {
    public constructor(completion: Completion, meta: JsonObject? = null) :
        this(Members("completion" to completion, "_meta" to meta))

    /** The suggestions. */
    public val completion: Completion get() = completionRead ?: json.need("completion").let { Completion.of(it.obj()) }.also { completionRead = it }
    @Volatile private var completionRead: Completion? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(completion: Completion = this.completion, meta: JsonObject? = this.meta): CompleteResult =
        CompleteResult(changed(CompleteResult(completion, meta), "completion", "_meta"))

    /** See [Completion]. */
    public typealias Completion = dev.mcpbolt.Completion

    public companion object : RecordSerializer<CompleteResult>("CompleteResult") {
        override fun of(json: JsonObject): CompleteResult = CompleteResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CompleteResult> = this
    }
}

/** Suggestions. */
@Serializable(with = Completion.Companion::class)
public class Completion internal constructor(members: Members) : Record(members) {
    public constructor(values: List<String>, total: Int? = null, hasMore: Boolean? = null) :
        this(Members("values" to values, "total" to total, "hasMore" to hasMore))

    /** At most 100 values, best first. */
    public val values: List<String> get() = valuesRead ?: json.need("values").let { it.list { it.text() } }.also { valuesRead = it }
    @Volatile private var valuesRead: List<String>? = null

    /** How many there are in all, if known. */
    public val total: Int? get() = json.find("total")?.let { it.int() }

    /** Whether there are more than these. */
    public val hasMore: Boolean? get() = json.find("hasMore")?.let { it.flag() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(values: List<String> = this.values, total: Int? = this.total, hasMore: Boolean? = this.hasMore): Completion =
        Completion(changed(Completion(values, total, hasMore), "values", "total", "hasMore"))

    public companion object : RecordSerializer<Completion>("Completion") {
        override fun of(json: JsonObject): Completion = Completion(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Completion> = this
    }
}

/** The argument being typed. */
@Serializable(with = CompletionArgument.Companion::class)
public class CompletionArgument internal constructor(members: Members) : Record(members) {
    public constructor(name: String, value: String) :
        this(Members("name" to name, "value" to value))

    /** The name of the argument. */
    public val name: String get() = json.need("name").let { it.text() }

    /** The text typed so far. */
    public val value: String get() = json.need("value").let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(name: String = this.name, value: String = this.value): CompletionArgument =
        CompletionArgument(changed(CompletionArgument(name, value), "name", "value"))

    public companion object : RecordSerializer<CompletionArgument>("CompletionArgument") {
        override fun of(json: JsonObject): CompletionArgument = CompletionArgument(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CompletionArgument> = this
    }
}

/** What is already known. Since 2025-06-18. */
@Serializable(with = CompletionContext.Companion::class)
public class CompletionContext internal constructor(members: Members) : Record(members) {
    public constructor(arguments: Map<String, String>? = null) :
        this(Members("arguments" to arguments))

    /** Arguments already given. */
    public val arguments: Map<String, String>? get() = argumentsRead ?: json.find("arguments")?.let { it.table { it.text() } }?.also { argumentsRead = it }
    @Volatile private var argumentsRead: Map<String, String>? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(arguments: Map<String, String>? = this.arguments): CompletionContext =
        CompletionContext(changed(CompletionContext(arguments), "arguments"))

    public companion object : RecordSerializer<CompletionContext>("CompletionContext") {
        override fun of(json: JsonObject): CompletionContext = CompletionContext(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CompletionContext> = this
    }
}

/** What an argument belongs to. */
@Serializable(with = Reference.Companion::class)
public sealed interface Reference : HasJson {
    /** Which of them it is. */
    public val type: ReferenceType

    /** What this version does not know. */
    public class Other internal constructor(members: Members) : Record(members), Reference {
        /** Which of them it is. */
        override public val type: ReferenceType get() = ReferenceType(json.tag("type").orEmpty())
    }

    public companion object : RecordSerializer<Reference>("Reference") {
        override fun of(json: JsonObject): Reference = when (json.tag("type")) {
            "ref/prompt" -> PromptReference.of(json)
            "ref/resource" -> ResourceTemplateReference.of(json)
            else -> Other(Members(json))
        }

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Reference> = this
    }
}

/** One piece of content. The `type` member tells the kind. */
@Serializable(with = ContentBlock.Companion::class)
public sealed interface ContentBlock : HasJson {
    /** Which of them it is. */
    public val type: ContentTypes

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject?

    /** What this version does not know. */
    public class Other internal constructor(members: Members) : Record(members), ContentBlock {
        /** Which of them it is. */
        override public val type: ContentTypes get() = ContentTypes(json.tag("type").orEmpty())

        /** Metadata of the protocol and of extensions. */
        override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }
    }

    public companion object : RecordSerializer<ContentBlock>("ContentBlock") {
        override fun of(json: JsonObject): ContentBlock = when (json.tag("type")) {
            "text" -> TextContent.of(json)
            "image" -> ImageContent.of(json)
            "audio" -> AudioContent.of(json)
            "resource_link" -> ResourceLink.of(json)
            "resource" -> EmbeddedResource.of(json)
            "tool_use" -> ToolUseContent.of(json)
            "tool_result" -> ToolResultContent.of(json)
            else -> Other(Members(json))
        }

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ContentBlock> = this
    }
}

/**
 * Params of `sampling/createMessage`. Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal
 * 2027-07-28. Call the model's provider from the server.
 */
@Serializable(with = CreateMessageRequestParams.Companion::class)
public class CreateMessageRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(maxTokens: Int, messages: List<SamplingMessage>, modelPreferences: ModelPreferences? = null, systemPrompt: String? = null, includeContext: IncludeContext? = null, temperature: Double? = null, stopSequences: List<String>? = null, metadata: JsonObject? = null, tools: List<Tool>? = null, toolChoice: ToolChoice? = null, task: TaskMetadata? = null, meta: JsonObject? = null) :
        this(Members("messages" to messages, "modelPreferences" to modelPreferences, "systemPrompt" to systemPrompt, "includeContext" to includeContext, "temperature" to temperature, "maxTokens" to maxTokens, "stopSequences" to stopSequences, "metadata" to metadata, "tools" to tools, "toolChoice" to toolChoice, "task" to task, "_meta" to meta))

    /** The conversation so far, oldest message first. */
    public val messages: List<SamplingMessage> get() = messagesRead ?: json.need("messages").let { it.list { SamplingMessage.of(it.obj()) } }.also { messagesRead = it }
    @Volatile private var messagesRead: List<SamplingMessage>? = null

    /** Which model the server prefers. */
    public val modelPreferences: ModelPreferences? get() = modelPreferencesRead ?: json.find("modelPreferences")?.let { ModelPreferences.of(it.obj()) }?.also { modelPreferencesRead = it }
    @Volatile private var modelPreferencesRead: ModelPreferences? = null

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
    public val stopSequences: List<String>? get() = stopSequencesRead ?: json.find("stopSequences")?.let { it.list { it.text() } }?.also { stopSequencesRead = it }
    @Volatile private var stopSequencesRead: List<String>? = null

    /** Settings for the model's provider, passed on unchanged. */
    public val metadata: JsonObject? get() = json.find("metadata")?.let { it.obj() }

    /** Tools the model may use. Since 2025-11-25. */
    public val tools: List<Tool>? get() = toolsRead ?: json.find("tools")?.let { it.list { Tool.of(it.obj()) } }?.also { toolsRead = it }
    @Volatile private var toolsRead: List<Tool>? = null

    /** Whether the model has to use tools. Since 2025-11-25. */
    public val toolChoice: ToolChoice? get() = toolChoiceRead ?: json.find("toolChoice")?.let { ToolChoice.of(it.obj()) }?.also { toolChoiceRead = it }
    @Volatile private var toolChoiceRead: ToolChoice? = null

    /** Asks to run as a task. 2025-11-25 only. */
    public val task: TaskMetadata? get() = taskRead ?: json.find("task")?.let { TaskMetadata.of(it.obj()) }?.also { taskRead = it }
    @Volatile private var taskRead: TaskMetadata? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(maxTokens: Int = this.maxTokens, messages: List<SamplingMessage> = this.messages, modelPreferences: ModelPreferences? = this.modelPreferences, systemPrompt: String? = this.systemPrompt, includeContext: IncludeContext? = this.includeContext, temperature: Double? = this.temperature, stopSequences: List<String>? = this.stopSequences, metadata: JsonObject? = this.metadata, tools: List<Tool>? = this.tools, toolChoice: ToolChoice? = this.toolChoice, task: TaskMetadata? = this.task, meta: JsonObject? = this.meta): CreateMessageRequestParams =
        CreateMessageRequestParams(changed(CreateMessageRequestParams(maxTokens, messages, modelPreferences, systemPrompt, includeContext, temperature, stopSequences, metadata, tools, toolChoice, task, meta), "maxTokens", "messages", "modelPreferences", "systemPrompt", "includeContext", "temperature", "stopSequences", "metadata", "tools", "toolChoice", "task", "_meta"))

    public companion object : RecordSerializer<CreateMessageRequestParams>("CreateMessageRequestParams") {
        override fun of(json: JsonObject): CreateMessageRequestParams = CreateMessageRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CreateMessageRequestParams> = this
    }
}

/**
 * Result of `sampling/createMessage`. Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal
 * 2027-07-28. Call the model's provider from the server.
 */
@Serializable(with = CreateMessageResult.Companion::class)
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
    public val content: List<ContentBlock> get() = contentRead ?: json.need("content").let { it.oneOrMany { ContentBlock.of(it.obj()) } }.also { contentRead = it }
    @Volatile private var contentRead: List<ContentBlock>? = null

    /** The model that answered. */
    public val model: String get() = json.need("model").let { it.text() }

    /** Why it stopped, if known. */
    public val stopReason: StopReason? get() = json.find("stopReason")?.let { StopReason(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(role: Role = this.role, content: List<ContentBlock> = this.content, model: String = this.model, stopReason: StopReason? = this.stopReason, meta: JsonObject? = this.meta): CreateMessageResult =
        CreateMessageResult(changed(CreateMessageResult(role, content, model, stopReason, meta), "role", "content", "model", "stopReason", "_meta"))

    public companion object : RecordSerializer<CreateMessageResult>("CreateMessageResult") {
        override fun of(json: JsonObject): CreateMessageResult = CreateMessageResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CreateMessageResult> = this
    }
}

/** Answer to a request that became a task. 2025-11-25 only. */
@Serializable(with = CreateTaskResult.Companion::class)
public class CreateTaskResult internal constructor(members: Members) : Record(members) {
    public constructor(task: Task) :
        this(Members("task" to task))

    /** The task. */
    public val task: Task get() = taskRead ?: json.need("task").let { Task.of(it.obj()) }.also { taskRead = it }
    @Volatile private var taskRead: Task? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(task: Task = this.task): CreateTaskResult =
        CreateTaskResult(changed(CreateTaskResult(task), "task"))

    public companion object : RecordSerializer<CreateTaskResult>("CreateTaskResult") {
        override fun of(json: JsonObject): CreateTaskResult = CreateTaskResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<CreateTaskResult> = this
    }
}

/** Result of `server/discover` (since 2026-07-28). */
@Serializable(with = DiscoverResult.Companion::class)
public class DiscoverResult internal constructor(members: Members) : Record(members) {
    public constructor(supportedVersions: List<String>, capabilities: ServerCapabilities, instructions: String? = null, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("supportedVersions" to supportedVersions, "capabilities" to capabilities, "instructions" to instructions, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The revisions that the server supports. */
    public val supportedVersions: List<String> get() = supportedVersionsRead ?: json.need("supportedVersions").let { it.list { it.text() } }.also { supportedVersionsRead = it }
    @Volatile private var supportedVersionsRead: List<String>? = null

    /** What the server can do. */
    public val capabilities: ServerCapabilities get() = capabilitiesRead ?: json.need("capabilities").let { ServerCapabilities.of(it.obj()) }.also { capabilitiesRead = it }
    @Volatile private var capabilitiesRead: ServerCapabilities? = null

    /** How to use the server, for the model. */
    public val instructions: String? get() = json.find("instructions")?.let { it.text() }

    /** How long the result stays fresh, in milliseconds. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may share the cached result. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata; holds the server's `Implementation`. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(supportedVersions: List<String> = this.supportedVersions, capabilities: ServerCapabilities = this.capabilities, instructions: String? = this.instructions, ttlMs: Long? = this.ttlMs, cacheScope: CacheScope? = this.cacheScope, meta: JsonObject? = this.meta): DiscoverResult =
        DiscoverResult(changed(DiscoverResult(supportedVersions, capabilities, instructions, ttlMs, cacheScope, meta), "supportedVersions", "capabilities", "instructions", "ttlMs", "cacheScope", "_meta"))

    public companion object : RecordSerializer<DiscoverResult>("DiscoverResult") {
        override fun of(json: JsonObject): DiscoverResult = DiscoverResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<DiscoverResult> = this
    }
}

/** What the person did. */
@Serializable(with = ElicitAction.Companion::class)
public data class ElicitAction(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<ElicitAction>("ElicitAction") {
        /** Answered. */
        public val Accept: ElicitAction = ElicitAction("accept")
        /** Said no. */
        public val Decline: ElicitAction = ElicitAction("decline")
        /** Went away without a choice. */
        public val Cancel: ElicitAction = ElicitAction("cancel")

        override fun of(value: String): ElicitAction = ElicitAction(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ElicitAction> = this
    }
}

/** A question with a form. */
@Serializable(with = ElicitRequestFormParams.Companion::class)
public class ElicitRequestFormParams internal constructor(members: Members) : Record(members), ElicitRequestParams {
    public constructor(message: String, requestedSchema: FormSchema, mode: String? = null, task: TaskMetadata? = null, meta: JsonObject? = null) :
        this(Members("mode" to mode, "message" to message, "requestedSchema" to requestedSchema, "task" to task, "_meta" to meta))

    /** `form`, or absent, which means the same and is understood by every revision. */
    public val mode: String? get() = json.find("mode")?.let { it.text() }

    /** The question, as shown to the user. */
    override public val message: String get() = json.need("message").let { it.text() }

    /** The fields. */
    public val requestedSchema: FormSchema get() = requestedSchemaRead ?: json.need("requestedSchema").let { FormSchema.of(it.obj()) }.also { requestedSchemaRead = it }
    @Volatile private var requestedSchemaRead: FormSchema? = null

    /** Asks to run as a task. 2025-11-25 only. */
    override public val task: TaskMetadata? get() = taskRead ?: json.find("task")?.let { TaskMetadata.of(it.obj()) }?.also { taskRead = it }
    @Volatile private var taskRead: TaskMetadata? = null

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(message: String = this.message, requestedSchema: FormSchema = this.requestedSchema, mode: String? = this.mode, task: TaskMetadata? = this.task, meta: JsonObject? = this.meta): ElicitRequestFormParams =
        ElicitRequestFormParams(changed(ElicitRequestFormParams(message, requestedSchema, mode, task, meta), "message", "requestedSchema", "mode", "task", "_meta"))

    public companion object : RecordSerializer<ElicitRequestFormParams>("ElicitRequestFormParams") {
        override fun of(json: JsonObject): ElicitRequestFormParams = ElicitRequestFormParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ElicitRequestFormParams> = this
    }
}

/** Params of `elicitation/create`. Since 2025-06-18. */
@Serializable(with = ElicitRequestParams.Companion::class)
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

    public companion object : RecordSerializer<ElicitRequestParams>("ElicitRequestParams") {
        override fun of(json: JsonObject): ElicitRequestParams = json.best(
            { Other(Members(it)) },
            Candidate(mapOf(), listOf("message", "requestedSchema"), listOf("mode", "message", "requestedSchema", "task", "_meta")) { ElicitRequestFormParams.of(it) },
            Candidate(mapOf("mode" to "url"), listOf("mode", "message", "url"), listOf("mode", "message", "url", "elicitationId", "task", "_meta")) { ElicitRequestURLParams.of(it) },
        )

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ElicitRequestParams> = this
    }
}

/** Result of `elicitation/create`. */
@Serializable(with = ElicitResult.Companion::class)
public class ElicitResult internal constructor(members: Members) : Record(members) {
    public constructor(action: ElicitAction, content: JsonObject? = null, meta: JsonObject? = null) :
        this(Members("action" to action, "content" to content, "_meta" to meta))

    /** What the person did. */
    public val action: ElicitAction get() = json.need("action").let { ElicitAction(it.text()) }

    /** The answers by field; only for an accepted form. */
    public val content: JsonObject? get() = json.find("content")?.let { it.obj() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(action: ElicitAction = this.action, content: JsonObject? = this.content, meta: JsonObject? = this.meta): ElicitResult =
        ElicitResult(changed(ElicitResult(action, content, meta), "action", "content", "_meta"))

    /** See [ElicitAction]. */
    public typealias Action = ElicitAction

    public companion object : RecordSerializer<ElicitResult>("ElicitResult") {
        override fun of(json: JsonObject): ElicitResult = ElicitResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ElicitResult> = this
    }
}

/** A request to visit a page. Since 2025-11-25. */
@Serializable(with = ElicitRequestURLParams.Companion::class)
public class ElicitRequestURLParams internal constructor(members: Members) : Record(members), ElicitRequestParams {
    public constructor(message: String, url: String, elicitationId: String? = null, task: TaskMetadata? = null, meta: JsonObject? = null) :
        this(Members("mode" to "url", "message" to message, "url" to url, "elicitationId" to elicitationId, "task" to task, "_meta" to meta))

    /** Always `url`. */
    public val mode: String get() = "url"

    /** Why to visit the page, as shown to the user. */
    override public val message: String get() = json.need("message").let { it.text() }

    /** The URL of the page. */
    public val url: String get() = json.need("url").let { it.text() }

    /** Names this elicitation; required where it exists. 2025-11-25 only. */
    public val elicitationId: String? get() = json.find("elicitationId")?.let { it.text() }

    /** Asks to run as a task. 2025-11-25 only. */
    override public val task: TaskMetadata? get() = taskRead ?: json.find("task")?.let { TaskMetadata.of(it.obj()) }?.also { taskRead = it }
    @Volatile private var taskRead: TaskMetadata? = null

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(message: String = this.message, url: String = this.url, elicitationId: String? = this.elicitationId, task: TaskMetadata? = this.task, meta: JsonObject? = this.meta): ElicitRequestURLParams =
        ElicitRequestURLParams(changed(ElicitRequestURLParams(message, url, elicitationId, task, meta), "message", "url", "elicitationId", "task", "_meta"))

    public companion object : RecordSerializer<ElicitRequestURLParams>("ElicitRequestURLParams") {
        override fun of(json: JsonObject): ElicitRequestURLParams = ElicitRequestURLParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ElicitRequestURLParams> = this
    }
}

/** `elicitation`; modes since 2025-11-25. Without a mode it means forms. */
@Serializable(with = ElicitationCapability.Companion::class)
public class ElicitationCapability internal constructor(members: Members) : Record(members) {
    public constructor(form: JsonObject? = null, url: JsonObject? = null) :
        this(Members("form" to form, "url" to url))

    /** Forms. */
    public val form: JsonObject? get() = json.find("form")?.let { it.obj() }

    /** URLs the user opens. */
    public val url: JsonObject? get() = json.find("url")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(form: JsonObject? = this.form, url: JsonObject? = this.url): ElicitationCapability =
        ElicitationCapability(changed(ElicitationCapability(form, url), "form", "url"))

    public companion object : RecordSerializer<ElicitationCapability>("ElicitationCapability") {
        override fun of(json: JsonObject): ElicitationCapability = ElicitationCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ElicitationCapability> = this
    }
}

/** Params of `notifications/elicitation/complete`. 2025-11-25 only. */
@Serializable(with = ElicitationCompleteNotificationParams.Companion::class)
public class ElicitationCompleteNotificationParams internal constructor(members: Members) : Record(members) {
    public constructor(elicitationId: String, meta: JsonObject? = null) :
        this(Members("elicitationId" to elicitationId, "_meta" to meta))

    /** The id of the elicitation that is done. */
    public val elicitationId: String get() = json.need("elicitationId").let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(elicitationId: String = this.elicitationId, meta: JsonObject? = this.meta): ElicitationCompleteNotificationParams =
        ElicitationCompleteNotificationParams(changed(ElicitationCompleteNotificationParams(elicitationId, meta), "elicitationId", "_meta"))

    public companion object : RecordSerializer<ElicitationCompleteNotificationParams>("ElicitationCompleteNotificationParams") {
        override fun of(json: JsonObject): ElicitationCompleteNotificationParams = ElicitationCompleteNotificationParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ElicitationCompleteNotificationParams> = this
    }
}

/** The contents of a resource. */
@Serializable(with = EmbeddedResource.Companion::class)
public class EmbeddedResource internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(resource: ResourceContents, annotations: Annotations? = null, meta: JsonObject? = null) :
        this(Members("type" to "resource", "resource" to resource, "annotations" to annotations, "_meta" to meta))

    /** Always `resource`. */
    override public val type: ContentTypes get() = ContentTypes("resource")

    /** The contents. */
    public val resource: ResourceContents get() = resourceRead ?: json.need("resource").let { ResourceContents.of(it.obj()) }.also { resourceRead = it }
    @Volatile private var resourceRead: ResourceContents? = null

    /** Hints for the client. */
    public val annotations: Annotations? get() = annotationsRead ?: json.find("annotations")?.let { Annotations.of(it.obj()) }?.also { annotationsRead = it }
    @Volatile private var annotationsRead: Annotations? = null

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(resource: ResourceContents = this.resource, annotations: Annotations? = this.annotations, meta: JsonObject? = this.meta): EmbeddedResource =
        EmbeddedResource(changed(EmbeddedResource(resource, annotations, meta), "resource", "annotations", "_meta"))

    public companion object : RecordSerializer<EmbeddedResource>("EmbeddedResource") {
        override fun of(json: JsonObject): EmbeddedResource = EmbeddedResource(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<EmbeddedResource> = this
    }
}

/** Params without members of their own: `ping`, `roots/list`, list changes. */
@Serializable(with = EmptyParams.Companion::class)
public class EmptyParams internal constructor(members: Members) : Record(members) {
    public constructor(meta: JsonObject? = null) :
        this(Members("_meta" to meta))

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(meta: JsonObject? = this.meta): EmptyParams =
        EmptyParams(changed(EmptyParams(meta), "_meta"))

    public companion object : RecordSerializer<EmptyParams>("EmptyParams") {
        override fun of(json: JsonObject): EmptyParams = EmptyParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<EmptyParams> = this
    }
}

/** A result without members of its own. */
@Serializable(with = EmptyResult.Companion::class)
public class EmptyResult internal constructor(members: Members) : Record(members) {
    public constructor(meta: JsonObject? = null) :
        this(Members("_meta" to meta))

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(meta: JsonObject? = this.meta): EmptyResult =
        EmptyResult(changed(EmptyResult(meta), "_meta"))

    public companion object : RecordSerializer<EmptyResult>("EmptyResult") {
        override fun of(json: JsonObject): EmptyResult = EmptyResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<EmptyResult> = this
    }
}

/** A value with a title. */
@Serializable(with = EnumOption.Companion::class)
public class EnumOption internal constructor(members: Members) : Record(members) {
    public constructor(const: String, title: String) :
        this(Members("const" to const, "title" to title))

    /** The value. */
    public val const: String get() = json.need("const").let { it.text() }

    /** What the person sees. */
    public val title: String get() = json.need("title").let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(const: String = this.const, title: String = this.title): EnumOption =
        EnumOption(changed(EnumOption(const, title), "const", "title"))

    public companion object : RecordSerializer<EnumOption>("EnumOption") {
        override fun of(json: JsonObject): EnumOption = EnumOption(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<EnumOption> = this
    }
}

/** The `error` member of a response. */
@Serializable(with = ErrorObject.Companion::class)
public class ErrorObject internal constructor(members: Members) : Record(members) {
    public constructor(code: Long, message: String, data: JsonElement? = null) :
        this(Members("code" to code, "message" to message, "data" to data))

    /** What kind of failure. */
    public val code: Long get() = json.need("code").let { it.long() }

    /** One short sentence. */
    public val message: String get() = json.need("message").let { it.text() }

    /** More, in a form that depends on the code. */
    public val data: JsonElement? get() = json["data"]

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(code: Long = this.code, message: String = this.message, data: JsonElement? = this.data): ErrorObject =
        ErrorObject(changed(ErrorObject(code, message, data), "code", "message", "data"))

    public companion object : RecordSerializer<ErrorObject>("ErrorObject") {
        override fun of(json: JsonObject): ErrorObject = ErrorObject(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ErrorObject> = this
    }
}

/** One field of a form, told by its shape. */
@Serializable(with = FieldSchema.Companion::class)
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

    public companion object : RecordSerializer<FieldSchema>("FieldSchema") {
        override fun of(json: JsonObject): FieldSchema = json.best(
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

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<FieldSchema> = this
    }
}

/** Params of `prompts/get`. */
@Serializable(with = GetPromptRequestParams.Companion::class)
public class GetPromptRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(name: String, arguments: Map<String, String>? = null, inputResponses: JsonObject? = null, requestState: String? = null, meta: JsonObject? = null) :
        this(Members("name" to name, "arguments" to arguments, "inputResponses" to inputResponses, "requestState" to requestState, "_meta" to meta))

    /** The name of the prompt. */
    public val name: String get() = json.need("name").let { it.text() }

    /** The arguments by name, in the caller's order. */
    public val arguments: Map<String, String>? get() = argumentsRead ?: json.find("arguments")?.let { it.table { it.text() } }?.also { argumentsRead = it }
    @Volatile private var argumentsRead: Map<String, String>? = null

    /** Answers to an earlier `input_required`. Since 2026-07-28. */
    public val inputResponses: JsonObject? get() = json.find("inputResponses")?.let { it.obj() }

    /** What the earlier `input_required` asked to be sent back. Since 2026-07-28. */
    public val requestState: String? get() = json.find("requestState")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(name: String = this.name, arguments: Map<String, String>? = this.arguments, inputResponses: JsonObject? = this.inputResponses, requestState: String? = this.requestState, meta: JsonObject? = this.meta): GetPromptRequestParams =
        GetPromptRequestParams(changed(GetPromptRequestParams(name, arguments, inputResponses, requestState, meta), "name", "arguments", "inputResponses", "requestState", "_meta"))

    public companion object : RecordSerializer<GetPromptRequestParams>("GetPromptRequestParams") {
        override fun of(json: JsonObject): GetPromptRequestParams = GetPromptRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<GetPromptRequestParams> = this
    }
}

/** Result of `prompts/get`. */
@Serializable(with = GetPromptResult.Companion::class)
public class GetPromptResult internal constructor(members: Members) : Record(members) {
    public constructor(messages: List<PromptMessage>, description: String? = null, meta: JsonObject? = null) :
        this(Members("description" to description, "messages" to messages, "_meta" to meta))

    /** A description of the prompt. */
    public val description: String? get() = json.find("description")?.let { it.text() }

    /** The messages. */
    public val messages: List<PromptMessage> get() = messagesRead ?: json.need("messages").let { it.list { PromptMessage.of(it.obj()) } }.also { messagesRead = it }
    @Volatile private var messagesRead: List<PromptMessage>? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(messages: List<PromptMessage> = this.messages, description: String? = this.description, meta: JsonObject? = this.meta): GetPromptResult =
        GetPromptResult(changed(GetPromptResult(messages, description, meta), "messages", "description", "_meta"))

    public companion object : RecordSerializer<GetPromptResult>("GetPromptResult") {
        override fun of(json: JsonObject): GetPromptResult = GetPromptResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<GetPromptResult> = this
    }
}

/** Params of `tasks/get`. */
@Serializable(with = GetTaskRequestParams.Companion::class)
public class GetTaskRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String) :
        this(Members("taskId" to taskId))

    /** The task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskId: String = this.taskId): GetTaskRequestParams =
        GetTaskRequestParams(changed(GetTaskRequestParams(taskId), "taskId"))

    public companion object : RecordSerializer<GetTaskRequestParams>("GetTaskRequestParams") {
        override fun of(json: JsonObject): GetTaskRequestParams = GetTaskRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<GetTaskRequestParams> = this
    }
}

/** Params of `tasks/result`. 2025-11-25 only. */
@Serializable(with = GetTaskPayloadRequestParams.Companion::class)
public class GetTaskPayloadRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String) :
        this(Members("taskId" to taskId))

    /** The task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskId: String = this.taskId): GetTaskPayloadRequestParams =
        GetTaskPayloadRequestParams(changed(GetTaskPayloadRequestParams(taskId), "taskId"))

    public companion object : RecordSerializer<GetTaskPayloadRequestParams>("GetTaskPayloadRequestParams") {
        override fun of(json: JsonObject): GetTaskPayloadRequestParams = GetTaskPayloadRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<GetTaskPayloadRequestParams> = this
    }
}

/** Result of `tasks/result`: what the request would have been answered. 2025-11-25 only. */
@Serializable(with = GetTaskPayloadResult.Companion::class)
public class GetTaskPayloadResult internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object : RecordSerializer<GetTaskPayloadResult>("GetTaskPayloadResult") {
        override fun of(json: JsonObject): GetTaskPayloadResult = GetTaskPayloadResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<GetTaskPayloadResult> = this
    }
}

/** Result of `tasks/get`. */
@Serializable(with = GetTaskResult.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskId: String = this.taskId, status: TaskStatus = this.status, createdAt: String = this.createdAt, lastUpdatedAt: String = this.lastUpdatedAt, statusMessage: String? = this.statusMessage, ttl: Long? = this.ttl, pollInterval: Long? = this.pollInterval): GetTaskResult =
        GetTaskResult(changed(GetTaskResult(taskId, status, createdAt, lastUpdatedAt, statusMessage, ttl, pollInterval), "taskId", "status", "createdAt", "lastUpdatedAt", "statusMessage", "ttl", "pollInterval"))

    public companion object : RecordSerializer<GetTaskResult>("GetTaskResult") {
        override fun of(json: JsonObject): GetTaskResult = GetTaskResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<GetTaskResult> = this
    }
}

/** A picture that stands for something. Since 2025-11-25. */
@Serializable(with = Icon.Companion::class)
public class Icon internal constructor(members: Members) : Record(members) {
    public constructor(src: String, mimeType: String? = null, sizes: List<String>? = null, theme: IconTheme? = null) :
        this(Members("src" to src, "mimeType" to mimeType, "sizes" to sizes, "theme" to theme))

    /** An `https:` or `data:` URI. */
    public val src: String get() = json.need("src").let { it.text() }

    /** The MIME type, if the source has none or a wrong one. */
    public val mimeType: String? get() = json.find("mimeType")?.let { it.text() }

    /** Sizes as `WxH`, or `any`. */
    public val sizes: List<String>? get() = sizesRead ?: json.find("sizes")?.let { it.list { it.text() } }?.also { sizesRead = it }
    @Volatile private var sizesRead: List<String>? = null

    /** The background it is drawn for. */
    public val theme: IconTheme? get() = json.find("theme")?.let { IconTheme(it.text()) }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(src: String = this.src, mimeType: String? = this.mimeType, sizes: List<String>? = this.sizes, theme: IconTheme? = this.theme): Icon =
        Icon(changed(Icon(src, mimeType, sizes, theme), "src", "mimeType", "sizes", "theme"))

    /** See [IconTheme]. */
    public typealias Theme = IconTheme

    public companion object : RecordSerializer<Icon>("Icon") {
        override fun of(json: JsonObject): Icon = Icon(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Icon> = this
    }
}

/** The background an icon is drawn for. */
@Serializable(with = IconTheme.Companion::class)
public data class IconTheme(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<IconTheme>("IconTheme") {
        /** A light background. */
        public val Light: IconTheme = IconTheme("light")
        /** A dark background. */
        public val Dark: IconTheme = IconTheme("dark")

        override fun of(value: String): IconTheme = IconTheme(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<IconTheme> = this
    }
}

/** A picture. */
@Serializable(with = ImageContent.Companion::class)
public class ImageContent internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(data: String, mimeType: String, annotations: Annotations? = null, meta: JsonObject? = null) :
        this(Members("type" to "image", "data" to data, "mimeType" to mimeType, "annotations" to annotations, "_meta" to meta))

    /** Always `image`. */
    override public val type: ContentTypes get() = ContentTypes("image")

    /** The bytes in Base64. */
    public val data: String get() = json.need("data").let { it.text() }

    /** The MIME type. */
    public val mimeType: String get() = json.need("mimeType").let { it.text() }

    /** Hints for the client. */
    public val annotations: Annotations? get() = annotationsRead ?: json.find("annotations")?.let { Annotations.of(it.obj()) }?.also { annotationsRead = it }
    @Volatile private var annotationsRead: Annotations? = null

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(data: String = this.data, mimeType: String = this.mimeType, annotations: Annotations? = this.annotations, meta: JsonObject? = this.meta): ImageContent =
        ImageContent(changed(ImageContent(data, mimeType, annotations, meta), "data", "mimeType", "annotations", "_meta"))

    public companion object : RecordSerializer<ImageContent>("ImageContent") {
        override fun of(json: JsonObject): ImageContent = ImageContent(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ImageContent> = this
    }
}

/** Name and version of a program. For display only: never decide by it. */
@Serializable(with = Implementation.Companion::class)
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
    public val icons: List<Icon>? get() = iconsRead ?: json.find("icons")?.let { it.list { Icon.of(it.obj()) } }?.also { iconsRead = it }
    @Volatile private var iconsRead: List<Icon>? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(name: String = this.name, version: String = this.version, title: String? = this.title, description: String? = this.description, websiteUrl: String? = this.websiteUrl, icons: List<Icon>? = this.icons): Implementation =
        Implementation(changed(Implementation(name, version, title, description, websiteUrl, icons), "name", "version", "title", "description", "websiteUrl", "icons"))

    public companion object : RecordSerializer<Implementation>("Implementation") {
        override fun of(json: JsonObject): Implementation = Implementation(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Implementation> = this
    }
}

/** What context of MCP servers the client adds to the prompt. */
@Deprecated("includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28. Leave it out, or say `none`.")
@Serializable(with = IncludeContext.Companion::class)
public data class IncludeContext(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<IncludeContext>("IncludeContext") {
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

        override fun of(value: String): IncludeContext = IncludeContext(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<IncludeContext> = this
    }
}

/** Params of `initialize` (before 2026-07-28). */
@Serializable(with = InitializeRequestParams.Companion::class)
public class InitializeRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(protocolVersion: String, capabilities: ClientCapabilities, clientInfo: Implementation, meta: JsonObject? = null) :
        this(Members("protocolVersion" to protocolVersion, "capabilities" to capabilities, "clientInfo" to clientInfo, "_meta" to meta))

    /** The revision that the client prefers. */
    public val protocolVersion: String get() = json.need("protocolVersion").let { it.text() }

    /** What the client can do. */
    public val capabilities: ClientCapabilities get() = capabilitiesRead ?: json.need("capabilities").let { ClientCapabilities.of(it.obj()) }.also { capabilitiesRead = it }
    @Volatile private var capabilitiesRead: ClientCapabilities? = null

    /** The name and version of the client. */
    public val clientInfo: Implementation get() = clientInfoRead ?: json.need("clientInfo").let { Implementation.of(it.obj()) }.also { clientInfoRead = it }
    @Volatile private var clientInfoRead: Implementation? = null

    /** Metadata. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(protocolVersion: String = this.protocolVersion, capabilities: ClientCapabilities = this.capabilities, clientInfo: Implementation = this.clientInfo, meta: JsonObject? = this.meta): InitializeRequestParams =
        InitializeRequestParams(changed(InitializeRequestParams(protocolVersion, capabilities, clientInfo, meta), "protocolVersion", "capabilities", "clientInfo", "_meta"))

    public companion object : RecordSerializer<InitializeRequestParams>("InitializeRequestParams") {
        override fun of(json: JsonObject): InitializeRequestParams = InitializeRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<InitializeRequestParams> = this
    }
}

/** Result of `initialize` (before 2026-07-28). */
@Serializable(with = InitializeResult.Companion::class)
public class InitializeResult internal constructor(members: Members) : Record(members) {
    public constructor(protocolVersion: String, capabilities: ServerCapabilities, serverInfo: Implementation, instructions: String? = null, meta: JsonObject? = null) :
        this(Members("protocolVersion" to protocolVersion, "capabilities" to capabilities, "serverInfo" to serverInfo, "instructions" to instructions, "_meta" to meta))

    /** The revision of the session. */
    public val protocolVersion: String get() = json.need("protocolVersion").let { it.text() }

    /** What the server can do. */
    public val capabilities: ServerCapabilities get() = capabilitiesRead ?: json.need("capabilities").let { ServerCapabilities.of(it.obj()) }.also { capabilitiesRead = it }
    @Volatile private var capabilitiesRead: ServerCapabilities? = null

    /** The name and version of the server. */
    public val serverInfo: Implementation get() = serverInfoRead ?: json.need("serverInfo").let { Implementation.of(it.obj()) }.also { serverInfoRead = it }
    @Volatile private var serverInfoRead: Implementation? = null

    /** How to use the server, for the model. */
    public val instructions: String? get() = json.find("instructions")?.let { it.text() }

    /** Metadata. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(protocolVersion: String = this.protocolVersion, capabilities: ServerCapabilities = this.capabilities, serverInfo: Implementation = this.serverInfo, instructions: String? = this.instructions, meta: JsonObject? = this.meta): InitializeResult =
        InitializeResult(changed(InitializeResult(protocolVersion, capabilities, serverInfo, instructions, meta), "protocolVersion", "capabilities", "serverInfo", "instructions", "_meta"))

    public companion object : RecordSerializer<InitializeResult>("InitializeResult") {
        override fun of(json: JsonObject): InitializeResult = InitializeResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<InitializeResult> = this
    }
}

/** One question: a request of the client's without an envelope. */
@Serializable(with = InputRequest.Companion::class)
public class InputRequest internal constructor(members: Members) : Record(members) {
    public constructor(method: String, params: JsonObject? = null) :
        this(Members("method" to method, "params" to params))

    /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
    public val method: String get() = json.need("method").let { it.text() }

    /** Its params: an object. */
    public val params: JsonObject? get() = json.find("params")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(method: String = this.method, params: JsonObject? = this.params): InputRequest =
        InputRequest(changed(InputRequest(method, params), "method", "params"))

    public companion object : RecordSerializer<InputRequest>("InputRequest") {
        override fun of(json: JsonObject): InputRequest = InputRequest(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<InputRequest> = this
    }
}

/** A result that asks the client to call again with answers. */
@Serializable(with = InputRequiredResult.Companion::class)
public class InputRequiredResult internal constructor(members: Members) : Record(members) {
    public constructor(inputRequests: Map<String, InputRequest>? = null, requestState: String? = null, meta: JsonObject? = null) :
        this(Members("inputRequests" to inputRequests, "requestState" to requestState, "_meta" to meta))

    /** The questions. */
    public val inputRequests: Map<String, InputRequest>? get() = inputRequestsRead ?: json.find("inputRequests")?.let { it.table { InputRequest.of(it.obj()) } }?.also { inputRequestsRead = it }
    @Volatile private var inputRequestsRead: Map<String, InputRequest>? = null

    /** A text that the client sends back unchanged. */
    public val requestState: String? get() = json.find("requestState")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(inputRequests: Map<String, InputRequest>? = this.inputRequests, requestState: String? = this.requestState, meta: JsonObject? = this.meta): InputRequiredResult =
        InputRequiredResult(changed(InputRequiredResult(inputRequests, requestState, meta), "inputRequests", "requestState", "_meta"))

    public companion object : RecordSerializer<InputRequiredResult>("InputRequiredResult") {
        override fun of(json: JsonObject): InputRequiredResult = InputRequiredResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<InputRequiredResult> = this
    }
}

/**
 * One of some values with titles in `enumNames`. `TitledSingleSelectEnumSchema` replaces it since
 * 2025-11-25.
 */
@Serializable(with = LegacyTitledEnumSchema.Companion::class)
public class LegacyTitledEnumSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(enum: List<String>, title: String? = null, description: String? = null, enumNames: List<String>? = null, default: String? = null) :
        this(Members("type" to "string", "title" to title, "description" to description, "enum" to enum, "enumNames" to enumNames, "default" to default))

    /** Always `string`. */
    public val type: String get() = "string"

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to choose. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** The values. */
    public val enum: List<String> get() = enumRead ?: json.need("enum").let { it.list { it.text() } }.also { enumRead = it }
    @Volatile private var enumRead: List<String>? = null

    /** Their titles, in the same order. */
    public val enumNames: List<String>? get() = enumNamesRead ?: json.find("enumNames")?.let { it.list { it.text() } }?.also { enumNamesRead = it }
    @Volatile private var enumNamesRead: List<String>? = null

    /** What is chosen at first. Since 2025-11-25. */
    public val default: String? get() = json.find("default")?.let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(enum: List<String> = this.enum, title: String? = this.title, description: String? = this.description, enumNames: List<String>? = this.enumNames, default: String? = this.default): LegacyTitledEnumSchema =
        LegacyTitledEnumSchema(changed(LegacyTitledEnumSchema(enum, title, description, enumNames, default), "enum", "title", "description", "enumNames", "default"))

    public companion object : RecordSerializer<LegacyTitledEnumSchema>("LegacyTitledEnumSchema") {
        override fun of(json: JsonObject): LegacyTitledEnumSchema = LegacyTitledEnumSchema(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<LegacyTitledEnumSchema> = this
    }
}

/** A capability with nothing but a change notification: `tools`, `prompts`. */
@Serializable(with = ListCapability.Companion::class)
public class ListCapability internal constructor(members: Members) : Record(members) {
    public constructor(listChanged: Boolean? = null) :
        this(Members("listChanged" to listChanged))

    /** Whether changes of the list are announced. */
    public val listChanged: Boolean? get() = json.find("listChanged")?.let { it.flag() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(listChanged: Boolean? = this.listChanged): ListCapability =
        ListCapability(changed(ListCapability(listChanged), "listChanged"))

    public companion object : RecordSerializer<ListCapability>("ListCapability") {
        override fun of(json: JsonObject): ListCapability = ListCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ListCapability> = this
    }
}

/** Result of `prompts/list`. */
@Serializable(with = ListPromptsResult.Companion::class)
public class ListPromptsResult internal constructor(members: Members) : Record(members) {
    public constructor(prompts: List<Prompt>, nextCursor: String? = null, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("prompts" to prompts, "nextCursor" to nextCursor, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The prompts of this page. */
    public val prompts: List<Prompt> get() = promptsRead ?: json.need("prompts").let { it.list { Prompt.of(it.obj()) } }.also { promptsRead = it }
    @Volatile private var promptsRead: List<Prompt>? = null

    /** Where the next page starts; absent on the last. */
    public val nextCursor: String? get() = json.find("nextCursor")?.let { it.text() }

    /** How long this may be kept, in milliseconds. Since 2026-07-28. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may keep it. Since 2026-07-28. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(prompts: List<Prompt> = this.prompts, nextCursor: String? = this.nextCursor, ttlMs: Long? = this.ttlMs, cacheScope: CacheScope? = this.cacheScope, meta: JsonObject? = this.meta): ListPromptsResult =
        ListPromptsResult(changed(ListPromptsResult(prompts, nextCursor, ttlMs, cacheScope, meta), "prompts", "nextCursor", "ttlMs", "cacheScope", "_meta"))

    public companion object : RecordSerializer<ListPromptsResult>("ListPromptsResult") {
        override fun of(json: JsonObject): ListPromptsResult = ListPromptsResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ListPromptsResult> = this
    }
}

/** Result of `resources/templates/list`. */
@Serializable(with = ListResourceTemplatesResult.Companion::class)
public class ListResourceTemplatesResult internal constructor(members: Members) : Record(members) {
    public constructor(resourceTemplates: List<ResourceTemplate>, nextCursor: String? = null, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("resourceTemplates" to resourceTemplates, "nextCursor" to nextCursor, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The templates of this page. */
    public val resourceTemplates: List<ResourceTemplate> get() = resourceTemplatesRead ?: json.need("resourceTemplates").let { it.list { ResourceTemplate.of(it.obj()) } }.also { resourceTemplatesRead = it }
    @Volatile private var resourceTemplatesRead: List<ResourceTemplate>? = null

    /** Where the next page starts; absent on the last. */
    public val nextCursor: String? get() = json.find("nextCursor")?.let { it.text() }

    /** How long this may be kept, in milliseconds. Since 2026-07-28. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may keep it. Since 2026-07-28. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(resourceTemplates: List<ResourceTemplate> = this.resourceTemplates, nextCursor: String? = this.nextCursor, ttlMs: Long? = this.ttlMs, cacheScope: CacheScope? = this.cacheScope, meta: JsonObject? = this.meta): ListResourceTemplatesResult =
        ListResourceTemplatesResult(changed(ListResourceTemplatesResult(resourceTemplates, nextCursor, ttlMs, cacheScope, meta), "resourceTemplates", "nextCursor", "ttlMs", "cacheScope", "_meta"))

    public companion object : RecordSerializer<ListResourceTemplatesResult>("ListResourceTemplatesResult") {
        override fun of(json: JsonObject): ListResourceTemplatesResult = ListResourceTemplatesResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ListResourceTemplatesResult> = this
    }
}

/** Result of `resources/list`. */
@Serializable(with = ListResourcesResult.Companion::class)
public class ListResourcesResult internal constructor(members: Members) : Record(members) {
    public constructor(resources: List<Resource>, nextCursor: String? = null, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("resources" to resources, "nextCursor" to nextCursor, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The resources of this page. */
    public val resources: List<Resource> get() = resourcesRead ?: json.need("resources").let { it.list { Resource.of(it.obj()) } }.also { resourcesRead = it }
    @Volatile private var resourcesRead: List<Resource>? = null

    /** Where the next page starts; absent on the last. */
    public val nextCursor: String? get() = json.find("nextCursor")?.let { it.text() }

    /** How long this may be kept, in milliseconds. Since 2026-07-28. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may keep it. Since 2026-07-28. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(resources: List<Resource> = this.resources, nextCursor: String? = this.nextCursor, ttlMs: Long? = this.ttlMs, cacheScope: CacheScope? = this.cacheScope, meta: JsonObject? = this.meta): ListResourcesResult =
        ListResourcesResult(changed(ListResourcesResult(resources, nextCursor, ttlMs, cacheScope, meta), "resources", "nextCursor", "ttlMs", "cacheScope", "_meta"))

    public companion object : RecordSerializer<ListResourcesResult>("ListResourcesResult") {
        override fun of(json: JsonObject): ListResourcesResult = ListResourcesResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ListResourcesResult> = this
    }
}

/**
 * Result of `roots/list`. Deprecated: roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28.
 * Pass folders and files as tool parameters, resource URIs or settings of the server.
 */
@Serializable(with = ListRootsResult.Companion::class)
public class ListRootsResult internal constructor(members: Members) : Record(members) {
    public constructor(roots: List<Root>, meta: JsonObject? = null) :
        this(Members("roots" to roots, "_meta" to meta))

    /** The places. */
    public val roots: List<Root> get() = rootsRead ?: json.need("roots").let { it.list { Root.of(it.obj()) } }.also { rootsRead = it }
    @Volatile private var rootsRead: List<Root>? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(roots: List<Root> = this.roots, meta: JsonObject? = this.meta): ListRootsResult =
        ListRootsResult(changed(ListRootsResult(roots, meta), "roots", "_meta"))

    public companion object : RecordSerializer<ListRootsResult>("ListRootsResult") {
        override fun of(json: JsonObject): ListRootsResult = ListRootsResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ListRootsResult> = this
    }
}

/** Result of `tasks/list`. 2025-11-25 only. */
@Serializable(with = ListTasksResult.Companion::class)
public class ListTasksResult internal constructor(members: Members) : Record(members) {
    public constructor(tasks: List<Task>, nextCursor: String? = null) :
        this(Members("tasks" to tasks, "nextCursor" to nextCursor))

    /** The tasks of this page. */
    public val tasks: List<Task> get() = tasksRead ?: json.need("tasks").let { it.list { Task.of(it.obj()) } }.also { tasksRead = it }
    @Volatile private var tasksRead: List<Task>? = null

    /** Where the next page starts; absent on the last. */
    public val nextCursor: String? get() = json.find("nextCursor")?.let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(tasks: List<Task> = this.tasks, nextCursor: String? = this.nextCursor): ListTasksResult =
        ListTasksResult(changed(ListTasksResult(tasks, nextCursor), "tasks", "nextCursor"))

    public companion object : RecordSerializer<ListTasksResult>("ListTasksResult") {
        override fun of(json: JsonObject): ListTasksResult = ListTasksResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ListTasksResult> = this
    }
}

/** Result of `tools/list`. */
@Serializable(with = ListToolsResult.Companion::class)
public class ListToolsResult internal constructor(members: Members) : Record(members) {
    public constructor(tools: List<Tool>, nextCursor: String? = null, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("tools" to tools, "nextCursor" to nextCursor, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The tools of this page. */
    public val tools: List<Tool> get() = toolsRead ?: json.need("tools").let { it.list { Tool.of(it.obj()) } }.also { toolsRead = it }
    @Volatile private var toolsRead: List<Tool>? = null

    /** Where the next page starts; absent on the last. */
    public val nextCursor: String? get() = json.find("nextCursor")?.let { it.text() }

    /** How long this may be kept, in milliseconds. Since 2026-07-28. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may keep it. Since 2026-07-28. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(tools: List<Tool> = this.tools, nextCursor: String? = this.nextCursor, ttlMs: Long? = this.ttlMs, cacheScope: CacheScope? = this.cacheScope, meta: JsonObject? = this.meta): ListToolsResult =
        ListToolsResult(changed(ListToolsResult(tools, nextCursor, ttlMs, cacheScope, meta), "tools", "nextCursor", "ttlMs", "cacheScope", "_meta"))

    public companion object : RecordSerializer<ListToolsResult>("ListToolsResult") {
        override fun of(json: JsonObject): ListToolsResult = ListToolsResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ListToolsResult> = this
    }
}

/** Params of `subscriptions/listen` and of its acknowledgement. */
@Serializable(with = ListenRequestParams.Companion::class)
public class ListenRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(notifications: SubscriptionFilter, meta: JsonObject? = null) :
        this(Members("notifications" to notifications, "_meta" to meta))

    /** What to listen for. */
    public val notifications: SubscriptionFilter get() = notificationsRead ?: json.need("notifications").let { SubscriptionFilter.of(it.obj()) }.also { notificationsRead = it }
    @Volatile private var notificationsRead: SubscriptionFilter? = null

    /** Metadata. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(notifications: SubscriptionFilter = this.notifications, meta: JsonObject? = this.meta): ListenRequestParams =
        ListenRequestParams(changed(ListenRequestParams(notifications, meta), "notifications", "_meta"))

    public companion object : RecordSerializer<ListenRequestParams>("ListenRequestParams") {
        override fun of(json: JsonObject): ListenRequestParams = ListenRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ListenRequestParams> = this
    }
}

/**
 * The eight syslog levels, in ascending order. Deprecated: logging, since 2026-07-28 (SEP-2577); earliest
 * removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.
 */
@Serializable(with = LoggingLevel.Companion::class)
public data class LoggingLevel(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<LoggingLevel>("LoggingLevel") {
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

        override fun of(value: String): LoggingLevel = LoggingLevel(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<LoggingLevel> = this
    }
}

/**
 * Params of `notifications/message`. Deprecated: logging, since 2026-07-28 (SEP-2577); earliest removal
 * 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.
 */
@Serializable(with = LoggingMessageNotificationParams.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(level: LoggingLevel = this.level, data: JsonElement = this.data, logger: String? = this.logger, meta: JsonObject? = this.meta): LoggingMessageNotificationParams =
        LoggingMessageNotificationParams(changed(LoggingMessageNotificationParams(level, data, logger, meta), "level", "data", "logger", "_meta"))

    public companion object : RecordSerializer<LoggingMessageNotificationParams>("LoggingMessageNotificationParams") {
        override fun of(json: JsonObject): LoggingMessageNotificationParams = LoggingMessageNotificationParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<LoggingMessageNotificationParams> = this
    }
}

/**
 * A name to look for. Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call
 * the model's provider from the server.
 */
@Serializable(with = ModelHint.Companion::class)
public class ModelHint internal constructor(members: Members) : Record(members) {
    public constructor(name: String? = null) :
        this(Members("name" to name))

    /** Part of a model's name. */
    public val name: String? get() = json.find("name")?.let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(name: String? = this.name): ModelHint =
        ModelHint(changed(ModelHint(name), "name"))

    public companion object : RecordSerializer<ModelHint>("ModelHint") {
        override fun of(json: JsonObject): ModelHint = ModelHint(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ModelHint> = this
    }
}

/**
 * Which model a server would like; the client decides. Deprecated: sampling, since 2026-07-28 (SEP-2577);
 * earliest removal 2027-07-28. Call the model's provider from the server.
 */
@Serializable(with = ModelPreferences.Companion::class)
public class ModelPreferences internal constructor(members: Members) : Record(members) {
    public constructor(hints: List<ModelHint>? = null, costPriority: Double? = null, speedPriority: Double? = null, intelligencePriority: Double? = null) :
        this(Members("hints" to hints, "costPriority" to costPriority, "speedPriority" to speedPriority, "intelligencePriority" to intelligencePriority))

    /** Names to look for, best first. */
    public val hints: List<ModelHint>? get() = hintsRead ?: json.find("hints")?.let { it.list { ModelHint.of(it.obj()) } }?.also { hintsRead = it }
    @Volatile private var hintsRead: List<ModelHint>? = null

    /** How much cost matters, from 0 to 1. */
    public val costPriority: Double? get() = json.find("costPriority")?.let { it.double() }

    /** How much speed matters, from 0 to 1. */
    public val speedPriority: Double? get() = json.find("speedPriority")?.let { it.double() }

    /** How much ability matters, from 0 to 1. */
    public val intelligencePriority: Double? get() = json.find("intelligencePriority")?.let { it.double() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(hints: List<ModelHint>? = this.hints, costPriority: Double? = this.costPriority, speedPriority: Double? = this.speedPriority, intelligencePriority: Double? = this.intelligencePriority): ModelPreferences =
        ModelPreferences(changed(ModelPreferences(hints, costPriority, speedPriority, intelligencePriority), "hints", "costPriority", "speedPriority", "intelligencePriority"))

    public companion object : RecordSerializer<ModelPreferences>("ModelPreferences") {
        override fun of(json: JsonObject): ModelPreferences = ModelPreferences(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ModelPreferences> = this
    }
}

/** `number` or `integer`. */
@Serializable(with = NumberKind.Companion::class)
public data class NumberKind(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<NumberKind>("NumberKind") {
        /** Any number. */
        public val Number: NumberKind = NumberKind("number")
        /** Whole numbers. */
        public val Integer: NumberKind = NumberKind("integer")

        override fun of(value: String): NumberKind = NumberKind(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<NumberKind> = this
    }
}

/** A number. */
@Serializable(with = NumberSchema.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(type: NumberKind = this.type, title: String? = this.title, description: String? = this.description, minimum: Double? = this.minimum, maximum: Double? = this.maximum, default: Double? = this.default): NumberSchema =
        NumberSchema(changed(NumberSchema(type, title, description, minimum, maximum, default), "type", "title", "description", "minimum", "maximum", "default"))

    public companion object : RecordSerializer<NumberSchema>("NumberSchema") {
        override fun of(json: JsonObject): NumberSchema = NumberSchema(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<NumberSchema> = this
    }
}

/** Params of the list methods. */
@Serializable(with = PaginatedRequestParams.Companion::class)
public class PaginatedRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(cursor: String? = null, meta: JsonObject? = null) :
        this(Members("cursor" to cursor, "_meta" to meta))

    /** Where the page starts: a `nextCursor` of the same list. Absent for the first. */
    public val cursor: String? get() = json.find("cursor")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(cursor: String? = this.cursor, meta: JsonObject? = this.meta): PaginatedRequestParams =
        PaginatedRequestParams(changed(PaginatedRequestParams(cursor, meta), "cursor", "_meta"))

    public companion object : RecordSerializer<PaginatedRequestParams>("PaginatedRequestParams") {
        override fun of(json: JsonObject): PaginatedRequestParams = PaginatedRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<PaginatedRequestParams> = this
    }
}

/** Params of `notifications/progress`. */
@Serializable(with = ProgressNotificationParams.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(progressToken: JsonPrimitive = this.progressToken, progress: Double = this.progress, total: Double? = this.total, message: String? = this.message, meta: JsonObject? = this.meta): ProgressNotificationParams =
        ProgressNotificationParams(changed(ProgressNotificationParams(progressToken, progress, total, message, meta), "progressToken", "progress", "total", "message", "_meta"))

    public companion object : RecordSerializer<ProgressNotificationParams>("ProgressNotificationParams") {
        override fun of(json: JsonObject): ProgressNotificationParams = ProgressNotificationParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ProgressNotificationParams> = this
    }
}

/** A prompt or a template of one. */
@Serializable(with = Prompt.Companion::class)
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
    public val arguments: List<PromptArgument>? get() = argumentsRead ?: json.find("arguments")?.let { it.list { PromptArgument.of(it.obj()) } }?.also { argumentsRead = it }
    @Volatile private var argumentsRead: List<PromptArgument>? = null

    /** Icons. Since 2025-11-25. */
    public val icons: List<Icon>? get() = iconsRead ?: json.find("icons")?.let { it.list { Icon.of(it.obj()) } }?.also { iconsRead = it }
    @Volatile private var iconsRead: List<Icon>? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(name: String = this.name, description: String? = this.description, arguments: List<PromptArgument>? = this.arguments, title: String? = this.title, icons: List<Icon>? = this.icons, meta: JsonObject? = this.meta): Prompt =
        Prompt(changed(Prompt(name, description, arguments, title, icons, meta), "name", "description", "arguments", "title", "icons", "_meta"))

    public companion object : RecordSerializer<Prompt>("Prompt") {
        override fun of(json: JsonObject): Prompt = Prompt(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Prompt> = this
    }
}

/** One argument of a prompt. */
@Serializable(with = PromptArgument.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(name: String = this.name, description: String? = this.description, required: Boolean? = this.required, title: String? = this.title): PromptArgument =
        PromptArgument(changed(PromptArgument(name, description, required, title), "name", "description", "required", "title"))

    public companion object : RecordSerializer<PromptArgument>("PromptArgument") {
        override fun of(json: JsonObject): PromptArgument = PromptArgument(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<PromptArgument> = this
    }
}

/** One message of a prompt. */
@Serializable(with = PromptMessage.Companion::class)
public class PromptMessage internal constructor(members: Members) : Record(members) {
    public constructor(role: Role, content: ContentBlock) :
        this(Members("role" to role, "content" to content))

    /** The role of the sender. */
    public val role: Role get() = json.need("role").let { Role(it.text()) }

    /** The content of the message. */
    public val content: ContentBlock get() = contentRead ?: json.need("content").let { ContentBlock.of(it.obj()) }.also { contentRead = it }
    @Volatile private var contentRead: ContentBlock? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(role: Role = this.role, content: ContentBlock = this.content): PromptMessage =
        PromptMessage(changed(PromptMessage(role, content), "role", "content"))

    public companion object : RecordSerializer<PromptMessage>("PromptMessage") {
        override fun of(json: JsonObject): PromptMessage = PromptMessage(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<PromptMessage> = this
    }
}

/** A prompt. */
@Serializable(with = PromptReference.Companion::class)
public class PromptReference internal constructor(members: Members) : Record(members), Reference {
    public constructor(name: String, title: String? = null) :
        this(Members("type" to "ref/prompt", "name" to name, "title" to title))

    /**  */
    override public val type: ReferenceType get() = ReferenceType("ref/prompt")

    /** Its name for programs. */
    public val name: String get() = json.need("name").let { it.text() }

    /** Its name for people. Since 2025-06-18. */
    public val title: String? get() = json.find("title")?.let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(name: String = this.name, title: String? = this.title): PromptReference =
        PromptReference(changed(PromptReference(name, title), "name", "title"))

    public companion object : RecordSerializer<PromptReference>("PromptReference") {
        override fun of(json: JsonObject): PromptReference = PromptReference(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<PromptReference> = this
    }
}

/** Params of `resources/read`. */
@Serializable(with = ReadResourceRequestParams.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(uri: String = this.uri, inputResponses: JsonObject? = this.inputResponses, requestState: String? = this.requestState, meta: JsonObject? = this.meta): ReadResourceRequestParams =
        ReadResourceRequestParams(changed(ReadResourceRequestParams(uri, inputResponses, requestState, meta), "uri", "inputResponses", "requestState", "_meta"))

    public companion object : RecordSerializer<ReadResourceRequestParams>("ReadResourceRequestParams") {
        override fun of(json: JsonObject): ReadResourceRequestParams = ReadResourceRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ReadResourceRequestParams> = this
    }
}

/** Result of `resources/read`. */
@Serializable(with = ReadResourceResult.Companion::class)
public class ReadResourceResult internal constructor(members: Members) : Record(members) {
    public constructor(contents: List<ResourceContents>, ttlMs: Long? = null, cacheScope: CacheScope? = null, meta: JsonObject? = null) :
        this(Members("contents" to contents, "ttlMs" to ttlMs, "cacheScope" to cacheScope, "_meta" to meta))

    /** The contents; those of a folder may have several parts. */
    public val contents: List<ResourceContents> get() = contentsRead ?: json.need("contents").let { it.list { ResourceContents.of(it.obj()) } }.also { contentsRead = it }
    @Volatile private var contentsRead: List<ResourceContents>? = null

    /** How long this may be kept, in milliseconds. Since 2026-07-28. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.let { it.long() }

    /** Who may keep it. Since 2026-07-28. */
    public val cacheScope: CacheScope? get() = json.find("cacheScope")?.let { CacheScope(it.text()) }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(contents: List<ResourceContents> = this.contents, ttlMs: Long? = this.ttlMs, cacheScope: CacheScope? = this.cacheScope, meta: JsonObject? = this.meta): ReadResourceResult =
        ReadResourceResult(changed(ReadResourceResult(contents, ttlMs, cacheScope, meta), "contents", "ttlMs", "cacheScope", "_meta"))

    public companion object : RecordSerializer<ReadResourceResult>("ReadResourceResult") {
        override fun of(json: JsonObject): ReadResourceResult = ReadResourceResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ReadResourceResult> = this
    }
}

/** Says in `_meta` which task a message belongs to. 2025-11-25 only. */
@Serializable(with = RelatedTaskMetadata.Companion::class)
public class RelatedTaskMetadata internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String) :
        this(Members("taskId" to taskId))

    /** The task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskId: String = this.taskId): RelatedTaskMetadata =
        RelatedTaskMetadata(changed(RelatedTaskMetadata(taskId), "taskId"))

    public companion object : RecordSerializer<RelatedTaskMetadata>("RelatedTaskMetadata") {
        override fun of(json: JsonObject): RelatedTaskMetadata = RelatedTaskMetadata(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<RelatedTaskMetadata> = this
    }
}

/** Something a client can read. */
@Serializable(with = Resource.Companion::class)
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
    public val annotations: Annotations? get() = annotationsRead ?: json.find("annotations")?.let { Annotations.of(it.obj()) }?.also { annotationsRead = it }
    @Volatile private var annotationsRead: Annotations? = null

    /** Icons. Since 2025-11-25. */
    public val icons: List<Icon>? get() = iconsRead ?: json.find("icons")?.let { it.list { Icon.of(it.obj()) } }?.also { iconsRead = it }
    @Volatile private var iconsRead: List<Icon>? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(uri: String = this.uri, name: String = this.name, description: String? = this.description, mimeType: String? = this.mimeType, size: Long? = this.size, title: String? = this.title, annotations: Annotations? = this.annotations, icons: List<Icon>? = this.icons, meta: JsonObject? = this.meta): Resource =
        Resource(changed(Resource(uri, name, description, mimeType, size, title, annotations, icons, meta), "uri", "name", "description", "mimeType", "size", "title", "annotations", "icons", "_meta"))

    public companion object : RecordSerializer<Resource>("Resource") {
        override fun of(json: JsonObject): Resource = Resource(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Resource> = this
    }
}

/** Contents that were read: text or bytes, never both. */
@Serializable(with = ResourceContents.Companion::class)
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

    public companion object : RecordSerializer<ResourceContents>("ResourceContents") {
        override fun of(json: JsonObject): ResourceContents = json.best(
            { Other(Members(it)) },
            Candidate(mapOf(), listOf("uri", "text"), listOf("uri", "mimeType", "text", "_meta")) { TextResourceContents.of(it) },
            Candidate(mapOf(), listOf("uri", "blob"), listOf("uri", "mimeType", "blob", "_meta")) { BlobResourceContents.of(it) },
        )

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ResourceContents> = this
    }
}

/** A resource that can be read, named but not included. Since 2025-06-18. */
@Serializable(with = ResourceLink.Companion::class)
public class ResourceLink internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(name: String, uri: String, title: String? = null, size: Long? = null, mimeType: String? = null, description: String? = null, annotations: Annotations? = null, icons: List<Icon>? = null, meta: JsonObject? = null) :
        this(Members("type" to "resource_link", "uri" to uri, "name" to name, "title" to title, "description" to description, "mimeType" to mimeType, "size" to size, "annotations" to annotations, "icons" to icons, "_meta" to meta))

    /** Always `resource_link`. */
    override public val type: ContentTypes get() = ContentTypes("resource_link")

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
    public val annotations: Annotations? get() = annotationsRead ?: json.find("annotations")?.let { Annotations.of(it.obj()) }?.also { annotationsRead = it }
    @Volatile private var annotationsRead: Annotations? = null

    /** Icons. Since 2025-11-25. */
    public val icons: List<Icon>? get() = iconsRead ?: json.find("icons")?.let { it.list { Icon.of(it.obj()) } }?.also { iconsRead = it }
    @Volatile private var iconsRead: List<Icon>? = null

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(name: String = this.name, uri: String = this.uri, title: String? = this.title, size: Long? = this.size, mimeType: String? = this.mimeType, description: String? = this.description, annotations: Annotations? = this.annotations, icons: List<Icon>? = this.icons, meta: JsonObject? = this.meta): ResourceLink =
        ResourceLink(changed(ResourceLink(name, uri, title, size, mimeType, description, annotations, icons, meta), "name", "uri", "title", "size", "mimeType", "description", "annotations", "icons", "_meta"))

    public companion object : RecordSerializer<ResourceLink>("ResourceLink") {
        override fun of(json: JsonObject): ResourceLink = ResourceLink(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ResourceLink> = this
    }
}

/** A family of resources. */
@Serializable(with = ResourceTemplate.Companion::class)
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
    public val annotations: Annotations? get() = annotationsRead ?: json.find("annotations")?.let { Annotations.of(it.obj()) }?.also { annotationsRead = it }
    @Volatile private var annotationsRead: Annotations? = null

    /** Icons. Since 2025-11-25. */
    public val icons: List<Icon>? get() = iconsRead ?: json.find("icons")?.let { it.list { Icon.of(it.obj()) } }?.also { iconsRead = it }
    @Volatile private var iconsRead: List<Icon>? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(uriTemplate: String = this.uriTemplate, name: String = this.name, description: String? = this.description, mimeType: String? = this.mimeType, title: String? = this.title, annotations: Annotations? = this.annotations, icons: List<Icon>? = this.icons, meta: JsonObject? = this.meta): ResourceTemplate =
        ResourceTemplate(changed(ResourceTemplate(uriTemplate, name, description, mimeType, title, annotations, icons, meta), "uriTemplate", "name", "description", "mimeType", "title", "annotations", "icons", "_meta"))

    public companion object : RecordSerializer<ResourceTemplate>("ResourceTemplate") {
        override fun of(json: JsonObject): ResourceTemplate = ResourceTemplate(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ResourceTemplate> = this
    }
}

/** A resource or a resource template. */
@Serializable(with = ResourceTemplateReference.Companion::class)
public class ResourceTemplateReference internal constructor(members: Members) : Record(members), Reference {
    public constructor(uri: String) :
        this(Members("type" to "ref/resource", "uri" to uri))

    /**  */
    override public val type: ReferenceType get() = ReferenceType("ref/resource")

    /** The URI or the RFC 6570 template. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(uri: String = this.uri): ResourceTemplateReference =
        ResourceTemplateReference(changed(ResourceTemplateReference(uri), "uri"))

    public companion object : RecordSerializer<ResourceTemplateReference>("ResourceTemplateReference") {
        override fun of(json: JsonObject): ResourceTemplateReference = ResourceTemplateReference(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ResourceTemplateReference> = this
    }
}

/** Params of `notifications/resources/updated`. */
@Serializable(with = ResourceUpdatedNotificationParams.Companion::class)
public class ResourceUpdatedNotificationParams internal constructor(members: Members) : Record(members) {
    public constructor(uri: String, meta: JsonObject? = null) :
        this(Members("uri" to uri, "_meta" to meta))

    /** The URI that changed; it may be below the one that is watched. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(uri: String = this.uri, meta: JsonObject? = this.meta): ResourceUpdatedNotificationParams =
        ResourceUpdatedNotificationParams(changed(ResourceUpdatedNotificationParams(uri, meta), "uri", "_meta"))

    public companion object : RecordSerializer<ResourceUpdatedNotificationParams>("ResourceUpdatedNotificationParams") {
        override fun of(json: JsonObject): ResourceUpdatedNotificationParams = ResourceUpdatedNotificationParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ResourceUpdatedNotificationParams> = this
    }
}

/** `resources`. */
@Serializable(with = ResourcesCapability.Companion::class)
public class ResourcesCapability internal constructor(members: Members) : Record(members) {
    public constructor(listChanged: Boolean? = null, subscribe: Boolean? = null) :
        this(Members("subscribe" to subscribe, "listChanged" to listChanged))

    /** Whether changes of single resources are announced. */
    public val subscribe: Boolean? get() = json.find("subscribe")?.let { it.flag() }

    /** Whether changes of the list are announced. */
    public val listChanged: Boolean? get() = json.find("listChanged")?.let { it.flag() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(listChanged: Boolean? = this.listChanged, subscribe: Boolean? = this.subscribe): ResourcesCapability =
        ResourcesCapability(changed(ResourcesCapability(listChanged, subscribe), "listChanged", "subscribe"))

    public companion object : RecordSerializer<ResourcesCapability>("ResourcesCapability") {
        override fun of(json: JsonObject): ResourcesCapability = ResourcesCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ResourcesCapability> = this
    }
}

/** The user, or the model (`assistant`). */
@Serializable(with = Role.Companion::class)
public data class Role(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<Role>("Role") {
        /** The person. */
        public val User: Role = Role("user")
        /** The model. */
        public val Assistant: Role = Role("assistant")

        override fun of(value: String): Role = Role(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Role> = this
    }
}

/**
 * A place. Deprecated: roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and
 * files as tool parameters, resource URIs or settings of the server.
 */
@Serializable(with = Root.Companion::class)
public class Root internal constructor(members: Members) : Record(members) {
    public constructor(uri: String, name: String? = null, meta: JsonObject? = null) :
        this(Members("uri" to uri, "name" to name, "_meta" to meta))

    /** Any absolute URI; the specification speaks of `file:` ones. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Its name for people. */
    public val name: String? get() = json.find("name")?.let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(uri: String = this.uri, name: String? = this.name, meta: JsonObject? = this.meta): Root =
        Root(changed(Root(uri, name, meta), "uri", "name", "_meta"))

    public companion object : RecordSerializer<Root>("Root") {
        override fun of(json: JsonObject): Root = Root(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Root> = this
    }
}

/**
 * `roots`. Deprecated: roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and
 * files as tool parameters, resource URIs or settings of the server.
 */
@Serializable(with = RootsCapability.Companion::class)
public class RootsCapability internal constructor(members: Members) : Record(members) {
    public constructor(listChanged: Boolean? = null) :
        this(Members("listChanged" to listChanged))

    /** Whether changes of the list are announced (before 2026-07-28). */
    public val listChanged: Boolean? get() = json.find("listChanged")?.let { it.flag() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(listChanged: Boolean? = this.listChanged): RootsCapability =
        RootsCapability(changed(RootsCapability(listChanged), "listChanged"))

    public companion object : RecordSerializer<RootsCapability>("RootsCapability") {
        override fun of(json: JsonObject): RootsCapability = RootsCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<RootsCapability> = this
    }
}

/**
 * `sampling`; sub-capabilities since 2025-11-25. Deprecated: sampling, since 2026-07-28 (SEP-2577);
 * earliest removal 2027-07-28. Call the model's provider from the server.
 */
@Serializable(with = SamplingCapability.Companion::class)
public class SamplingCapability internal constructor(members: Members) : Record(members) {
    public constructor(context: JsonObject? = null, tools: JsonObject? = null) :
        this(Members("context" to context, "tools" to tools))

    /** `includeContext` other than `none`. */
    @Deprecated("includeContext, since 2025-11-25 (SEP-2596); earliest removal 2027-07-28. Leave it out, or say `none`.")
    public val context: JsonObject? get() = json.find("context")?.let { it.obj() }

    /** `tools` and `toolChoice`. */
    public val tools: JsonObject? get() = json.find("tools")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(context: JsonObject? = this.context, tools: JsonObject? = this.tools): SamplingCapability =
        SamplingCapability(changed(SamplingCapability(context, tools), "context", "tools"))

    public companion object : RecordSerializer<SamplingCapability>("SamplingCapability") {
        override fun of(json: JsonObject): SamplingCapability = SamplingCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<SamplingCapability> = this
    }
}

/**
 * One message to or from a model. Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal
 * 2027-07-28. Call the model's provider from the server.
 */
@Serializable(with = SamplingMessage.Companion::class)
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
    public val content: List<ContentBlock> get() = contentRead ?: json.need("content").let { it.oneOrMany { ContentBlock.of(it.obj()) } }.also { contentRead = it }
    @Volatile private var contentRead: List<ContentBlock>? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(role: Role = this.role, content: List<ContentBlock> = this.content, meta: JsonObject? = this.meta): SamplingMessage =
        SamplingMessage(changed(SamplingMessage(role, content, meta), "role", "content", "_meta"))

    public companion object : RecordSerializer<SamplingMessage>("SamplingMessage") {
        override fun of(json: JsonObject): SamplingMessage = SamplingMessage(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<SamplingMessage> = this
    }
}

/** What a server can do. */
@Serializable(with = ServerCapabilities.Companion::class)
public class ServerCapabilities internal constructor(members: Members) : Record(members) {
    public constructor(tools: ListCapability? = null, resources: ResourcesCapability? = null, prompts: ListCapability? = null, logging: JsonObject? = null, completions: JsonObject? = null, tasks: JsonObject? = null, experimental: JsonObject? = null, extensions: JsonObject? = null) :
        this(Members("tools" to tools, "prompts" to prompts, "resources" to resources, "logging" to logging, "completions" to completions, "tasks" to tasks, "experimental" to experimental, "extensions" to extensions))

    /** It has tools. */
    public val tools: ListCapability? get() = toolsRead ?: json.find("tools")?.let { ListCapability.of(it.obj()) }?.also { toolsRead = it }
    @Volatile private var toolsRead: ListCapability? = null

    /** It has prompts. */
    public val prompts: ListCapability? get() = promptsRead ?: json.find("prompts")?.let { ListCapability.of(it.obj()) }?.also { promptsRead = it }
    @Volatile private var promptsRead: ListCapability? = null

    /** It has resources. */
    public val resources: ResourcesCapability? get() = resourcesRead ?: json.find("resources")?.let { ResourcesCapability.of(it.obj()) }?.also { resourcesRead = it }
    @Volatile private var resourcesRead: ResourcesCapability? = null

    /**
     * It sends log messages (deprecated since 2026-07-28, SEP-2577). Deprecated: logging, since 2026-07-28
     * (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.
     */
    public val logging: JsonObject? get() = json.find("logging")?.let { it.obj() }

    /** It completes arguments, since 2025-03-26. */
    public val completions: JsonObject? get() = json.find("completions")?.let { it.obj() }

    /** It runs requests as tasks. 2025-11-25 only. */
    public val tasks: JsonObject? get() = json.find("tasks")?.let { it.obj() }

    /** Unofficial features by name. */
    public val experimental: JsonObject? get() = json.find("experimental")?.let { it.obj() }

    /** Extensions by identifier, with their settings. */
    public val extensions: JsonObject? get() = json.find("extensions")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(tools: ListCapability? = this.tools, resources: ResourcesCapability? = this.resources, prompts: ListCapability? = this.prompts, logging: JsonObject? = this.logging, completions: JsonObject? = this.completions, tasks: JsonObject? = this.tasks, experimental: JsonObject? = this.experimental, extensions: JsonObject? = this.extensions): ServerCapabilities =
        ServerCapabilities(changed(ServerCapabilities(tools, resources, prompts, logging, completions, tasks, experimental, extensions), "tools", "resources", "prompts", "logging", "completions", "tasks", "experimental", "extensions"))

    /** See [ListCapability]. */
    public typealias Tools = ListCapability

    /** See [ListCapability]. */
    public typealias Prompts = ListCapability

    /** See [ResourcesCapability]. */
    public typealias Resources = ResourcesCapability

    public companion object : RecordSerializer<ServerCapabilities>("ServerCapabilities") {
        /** It sends log messages. */
        public val Logging: JsonObject get() = EmptyJsonObject

        /** It completes arguments. */
        public val Completions: JsonObject get() = EmptyJsonObject

        override fun of(json: JsonObject): ServerCapabilities = ServerCapabilities(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ServerCapabilities> = this
    }
}

/** What the server can do with tasks. 2025-11-25 only. */
@Serializable(with = ServerTasksCapability.Companion::class)
public class ServerTasksCapability internal constructor(members: Members) : Record(members) {
    public constructor(list: TasksListCapability? = null, cancel: TasksCancelCapability? = null, requests: ServerTasksRequestsCapability? = null) :
        this(Members("list" to list, "cancel" to cancel, "requests" to requests))

    /** It answers `tasks/list`. */
    public val list: TasksListCapability? get() = listRead ?: json.find("list")?.let { TasksListCapability.of(it.obj()) }?.also { listRead = it }
    @Volatile private var listRead: TasksListCapability? = null

    /** It answers `tasks/cancel`. */
    public val cancel: TasksCancelCapability? get() = cancelRead ?: json.find("cancel")?.let { TasksCancelCapability.of(it.obj()) }?.also { cancelRead = it }
    @Volatile private var cancelRead: TasksCancelCapability? = null

    /** What may be a task. */
    public val requests: ServerTasksRequestsCapability? get() = requestsRead ?: json.find("requests")?.let { ServerTasksRequestsCapability.of(it.obj()) }?.also { requestsRead = it }
    @Volatile private var requestsRead: ServerTasksRequestsCapability? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(list: TasksListCapability? = this.list, cancel: TasksCancelCapability? = this.cancel, requests: ServerTasksRequestsCapability? = this.requests): ServerTasksCapability =
        ServerTasksCapability(changed(ServerTasksCapability(list, cancel, requests), "list", "cancel", "requests"))

    public companion object : RecordSerializer<ServerTasksCapability>("ServerTasksCapability") {
        override fun of(json: JsonObject): ServerTasksCapability = ServerTasksCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ServerTasksCapability> = this
    }
}

/** Which requests to the server may be tasks. 2025-11-25 only. */
@Serializable(with = ServerTasksRequestsCapability.Companion::class)
public class ServerTasksRequestsCapability internal constructor(members: Members) : Record(members) {
    public constructor(tools: TasksToolsCapability? = null) :
        this(Members("tools" to tools))

    /** Tools. */
    public val tools: TasksToolsCapability? get() = toolsRead ?: json.find("tools")?.let { TasksToolsCapability.of(it.obj()) }?.also { toolsRead = it }
    @Volatile private var toolsRead: TasksToolsCapability? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(tools: TasksToolsCapability? = this.tools): ServerTasksRequestsCapability =
        ServerTasksRequestsCapability(changed(ServerTasksRequestsCapability(tools), "tools"))

    public companion object : RecordSerializer<ServerTasksRequestsCapability>("ServerTasksRequestsCapability") {
        override fun of(json: JsonObject): ServerTasksRequestsCapability = ServerTasksRequestsCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ServerTasksRequestsCapability> = this
    }
}

/**
 * Params of `logging/setLevel` (legacy era). Deprecated: logging, since 2026-07-28 (SEP-2577); earliest
 * removal 2027-07-28. Write to stderr on stdio; use OpenTelemetry elsewhere.
 */
@Serializable(with = SetLevelRequestParams.Companion::class)
public class SetLevelRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(level: LoggingLevel, meta: JsonObject? = null) :
        this(Members("level" to level, "_meta" to meta))

    /** Lowest level to send. */
    public val level: LoggingLevel get() = json.need("level").let { LoggingLevel(it.text()) }

    /** Metadata. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(level: LoggingLevel = this.level, meta: JsonObject? = this.meta): SetLevelRequestParams =
        SetLevelRequestParams(changed(SetLevelRequestParams(level, meta), "level", "_meta"))

    public companion object : RecordSerializer<SetLevelRequestParams>("SetLevelRequestParams") {
        override fun of(json: JsonObject): SetLevelRequestParams = SetLevelRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<SetLevelRequestParams> = this
    }
}

/**
 * Why the model stopped. Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28.
 * Call the model's provider from the server.
 */
@Serializable(with = StopReason.Companion::class)
public data class StopReason(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<StopReason>("StopReason") {
        /** It was done. */
        public val EndTurn: StopReason = StopReason("endTurn")
        /** It met a stop sequence. */
        public val StopSequence: StopReason = StopReason("stopSequence")
        /** It reached the token limit. */
        public val MaxTokens: StopReason = StopReason("maxTokens")
        /** It wants to use tools. Since 2025-11-25. */
        public val ToolUse: StopReason = StopReason("toolUse")

        override fun of(value: String): StopReason = StopReason(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<StopReason> = this
    }
}

/** What a text must be. */
@Serializable(with = StringFormat.Companion::class)
public data class StringFormat(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<StringFormat>("StringFormat") {
        /** An e-mail address. */
        public val Email: StringFormat = StringFormat("email")
        /** A URI. */
        public val Uri: StringFormat = StringFormat("uri")
        /** A date, as `2026-07-28`. */
        public val Date: StringFormat = StringFormat("date")
        /** A date and time, in RFC 3339. */
        public val DateTime: StringFormat = StringFormat("date-time")

        override fun of(value: String): StringFormat = StringFormat(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<StringFormat> = this
    }
}

/** Text. */
@Serializable(with = StringSchema.Companion::class)
public class StringSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(title: String? = null, description: String? = null, minLength: Int? = null, maxLength: Int? = null, pattern: String? = null, format: StringFormat? = null, default: String? = null) :
        this(Members("type" to "string", "title" to title, "description" to description, "minLength" to minLength, "maxLength" to maxLength, "pattern" to pattern, "format" to format, "default" to default))

    /** Always `string`. */
    public val type: String get() = "string"

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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(title: String? = this.title, description: String? = this.description, minLength: Int? = this.minLength, maxLength: Int? = this.maxLength, pattern: String? = this.pattern, format: StringFormat? = this.format, default: String? = this.default): StringSchema =
        StringSchema(changed(StringSchema(title, description, minLength, maxLength, pattern, format, default), "title", "description", "minLength", "maxLength", "pattern", "format", "default"))

    public companion object : RecordSerializer<StringSchema>("StringSchema") {
        override fun of(json: JsonObject): StringSchema = StringSchema(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<StringSchema> = this
    }
}

/** Params of `resources/subscribe`. Until 2025-11-25. */
@Serializable(with = SubscribeRequestParams.Companion::class)
public class SubscribeRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(uri: String, meta: JsonObject? = null) :
        this(Members("uri" to uri, "_meta" to meta))

    /** The URI of the resource to watch. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(uri: String = this.uri, meta: JsonObject? = this.meta): SubscribeRequestParams =
        SubscribeRequestParams(changed(SubscribeRequestParams(uri, meta), "uri", "_meta"))

    public companion object : RecordSerializer<SubscribeRequestParams>("SubscribeRequestParams") {
        override fun of(json: JsonObject): SubscribeRequestParams = SubscribeRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<SubscribeRequestParams> = this
    }
}

/** Kinds of change: wanted in `subscriptions/listen`, honoured in its acknowledgement. */
@Serializable(with = SubscriptionFilter.Companion::class)
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
    public val resourceSubscriptions: List<String>? get() = resourceSubscriptionsRead ?: json.find("resourceSubscriptions")?.let { it.list { it.text() } }?.also { resourceSubscriptionsRead = it }
    @Volatile private var resourceSubscriptionsRead: List<String>? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(toolsListChanged: Boolean? = this.toolsListChanged, promptsListChanged: Boolean? = this.promptsListChanged, resourcesListChanged: Boolean? = this.resourcesListChanged, resourceSubscriptions: List<String>? = this.resourceSubscriptions): SubscriptionFilter =
        SubscriptionFilter(changed(SubscriptionFilter(toolsListChanged, promptsListChanged, resourcesListChanged, resourceSubscriptions), "toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions"))

    public companion object : RecordSerializer<SubscriptionFilter>("SubscriptionFilter") {
        override fun of(json: JsonObject): SubscriptionFilter = SubscriptionFilter(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<SubscriptionFilter> = this
    }
}

/** A request that runs on its own. 2025-11-25 only. */
@Serializable(with = Task.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskId: String = this.taskId, status: TaskStatus = this.status, createdAt: String = this.createdAt, lastUpdatedAt: String = this.lastUpdatedAt, statusMessage: String? = this.statusMessage, ttl: Long? = this.ttl, pollInterval: Long? = this.pollInterval): Task =
        Task(changed(Task(taskId, status, createdAt, lastUpdatedAt, statusMessage, ttl, pollInterval), "taskId", "status", "createdAt", "lastUpdatedAt", "statusMessage", "ttl", "pollInterval"))

    public companion object : RecordSerializer<Task>("Task") {
        override fun of(json: JsonObject): Task = Task(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Task> = this
    }
}

/** Asks for a request to run as a task. 2025-11-25 only. */
@Serializable(with = TaskMetadata.Companion::class)
public class TaskMetadata internal constructor(members: Members) : Record(members) {
    public constructor(ttl: Long? = null) :
        this(Members("ttl" to ttl))

    /** How long to keep the task once created, in milliseconds. */
    public val ttl: Long? get() = json.find("ttl")?.let { it.long() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(ttl: Long? = this.ttl): TaskMetadata =
        TaskMetadata(changed(TaskMetadata(ttl), "ttl"))

    public companion object : RecordSerializer<TaskMetadata>("TaskMetadata") {
        override fun of(json: JsonObject): TaskMetadata = TaskMetadata(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TaskMetadata> = this
    }
}

/** Params of `notifications/tasks`. Since 2026-07-28. */
@Serializable(with = TaskNotificationParams.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskId: String = this.taskId, status: TaskStatus = this.status, createdAt: String = this.createdAt, lastUpdatedAt: String = this.lastUpdatedAt, statusMessage: String? = this.statusMessage, ttl: Long? = this.ttl, pollInterval: Long? = this.pollInterval): TaskNotificationParams =
        TaskNotificationParams(changed(TaskNotificationParams(taskId, status, createdAt, lastUpdatedAt, statusMessage, ttl, pollInterval), "taskId", "status", "createdAt", "lastUpdatedAt", "statusMessage", "ttl", "pollInterval"))

    public companion object : RecordSerializer<TaskNotificationParams>("TaskNotificationParams") {
        override fun of(json: JsonObject): TaskNotificationParams = TaskNotificationParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TaskNotificationParams> = this
    }
}

/** The status of a task. 2025-11-25 only. */
@Serializable(with = TaskStatus.Companion::class)
public data class TaskStatus(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<TaskStatus>("TaskStatus") {
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

        override fun of(value: String): TaskStatus = TaskStatus(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TaskStatus> = this
    }
}

/** Params of `notifications/tasks/status`. 2025-11-25 only. */
@Serializable(with = TaskStatusNotificationParams.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskId: String = this.taskId, status: TaskStatus = this.status, createdAt: String = this.createdAt, lastUpdatedAt: String = this.lastUpdatedAt, statusMessage: String? = this.statusMessage, ttl: Long? = this.ttl, pollInterval: Long? = this.pollInterval): TaskStatusNotificationParams =
        TaskStatusNotificationParams(changed(TaskStatusNotificationParams(taskId, status, createdAt, lastUpdatedAt, statusMessage, ttl, pollInterval), "taskId", "status", "createdAt", "lastUpdatedAt", "statusMessage", "ttl", "pollInterval"))

    public companion object : RecordSerializer<TaskStatusNotificationParams>("TaskStatusNotificationParams") {
        override fun of(json: JsonObject): TaskStatusNotificationParams = TaskStatusNotificationParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TaskStatusNotificationParams> = this
    }
}

/** Whether a tool runs as a task. 2025-11-25 only. */
@Serializable(with = TaskSupport.Companion::class)
public data class TaskSupport(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<TaskSupport>("TaskSupport") {
        /** Never; the default. */
        public val Forbidden: TaskSupport = TaskSupport("forbidden")
        /** When the caller asks. */
        public val Optional: TaskSupport = TaskSupport("optional")
        /** Always. */
        public val Required: TaskSupport = TaskSupport("required")

        override fun of(value: String): TaskSupport = TaskSupport(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TaskSupport> = this
    }
}

/** Tool calls as tasks. 2025-11-25 only. */
@Serializable(with = TasksCallCapability.Companion::class)
public class TasksCallCapability internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object : RecordSerializer<TasksCallCapability>("TasksCallCapability") {
        override fun of(json: JsonObject): TasksCallCapability = TasksCallCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TasksCallCapability> = this
    }
}

/** Cancelling tasks. 2025-11-25 only. */
@Serializable(with = TasksCancelCapability.Companion::class)
public class TasksCancelCapability internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object : RecordSerializer<TasksCancelCapability>("TasksCancelCapability") {
        override fun of(json: JsonObject): TasksCancelCapability = TasksCancelCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TasksCancelCapability> = this
    }
}

/** Elicitation as a task. 2025-11-25 only. */
@Serializable(with = TasksCreateElicitationCapability.Companion::class)
public class TasksCreateElicitationCapability internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object : RecordSerializer<TasksCreateElicitationCapability>("TasksCreateElicitationCapability") {
        override fun of(json: JsonObject): TasksCreateElicitationCapability = TasksCreateElicitationCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TasksCreateElicitationCapability> = this
    }
}

/** Sampling as a task. 2025-11-25 only. */
@Serializable(with = TasksCreateMessageCapability.Companion::class)
public class TasksCreateMessageCapability internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object : RecordSerializer<TasksCreateMessageCapability>("TasksCreateMessageCapability") {
        override fun of(json: JsonObject): TasksCreateMessageCapability = TasksCreateMessageCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TasksCreateMessageCapability> = this
    }
}

/** Which elicitations may be tasks. 2025-11-25 only. */
@Serializable(with = TasksElicitationCapability.Companion::class)
public class TasksElicitationCapability internal constructor(members: Members) : Record(members) {
    public constructor(create: TasksCreateElicitationCapability? = null) :
        this(Members("create" to create))

    /** `elicitation/create`. */
    public val create: TasksCreateElicitationCapability? get() = createRead ?: json.find("create")?.let { TasksCreateElicitationCapability.of(it.obj()) }?.also { createRead = it }
    @Volatile private var createRead: TasksCreateElicitationCapability? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(create: TasksCreateElicitationCapability? = this.create): TasksElicitationCapability =
        TasksElicitationCapability(changed(TasksElicitationCapability(create), "create"))

    public companion object : RecordSerializer<TasksElicitationCapability>("TasksElicitationCapability") {
        override fun of(json: JsonObject): TasksElicitationCapability = TasksElicitationCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TasksElicitationCapability> = this
    }
}

/** Lists of tasks. 2025-11-25 only. */
@Serializable(with = TasksListCapability.Companion::class)
public class TasksListCapability internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object : RecordSerializer<TasksListCapability>("TasksListCapability") {
        override fun of(json: JsonObject): TasksListCapability = TasksListCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TasksListCapability> = this
    }
}

/** Which sampling requests may be tasks. 2025-11-25 only. */
@Serializable(with = TasksSamplingCapability.Companion::class)
public class TasksSamplingCapability internal constructor(members: Members) : Record(members) {
    public constructor(createMessage: TasksCreateMessageCapability? = null) :
        this(Members("createMessage" to createMessage))

    /** `sampling/createMessage`. */
    public val createMessage: TasksCreateMessageCapability? get() = createMessageRead ?: json.find("createMessage")?.let { TasksCreateMessageCapability.of(it.obj()) }?.also { createMessageRead = it }
    @Volatile private var createMessageRead: TasksCreateMessageCapability? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(createMessage: TasksCreateMessageCapability? = this.createMessage): TasksSamplingCapability =
        TasksSamplingCapability(changed(TasksSamplingCapability(createMessage), "createMessage"))

    public companion object : RecordSerializer<TasksSamplingCapability>("TasksSamplingCapability") {
        override fun of(json: JsonObject): TasksSamplingCapability = TasksSamplingCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TasksSamplingCapability> = this
    }
}

/** Which tool requests may be tasks. 2025-11-25 only. */
@Serializable(with = TasksToolsCapability.Companion::class)
public class TasksToolsCapability internal constructor(members: Members) : Record(members) {
    public constructor(call: TasksCallCapability? = null) :
        this(Members("call" to call))

    /** `tools/call`. */
    public val call: TasksCallCapability? get() = callRead ?: json.find("call")?.let { TasksCallCapability.of(it.obj()) }?.also { callRead = it }
    @Volatile private var callRead: TasksCallCapability? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(call: TasksCallCapability? = this.call): TasksToolsCapability =
        TasksToolsCapability(changed(TasksToolsCapability(call), "call"))

    public companion object : RecordSerializer<TasksToolsCapability>("TasksToolsCapability") {
        override fun of(json: JsonObject): TasksToolsCapability = TasksToolsCapability(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TasksToolsCapability> = this
    }
}

/** Text. */
@Serializable(with = TextContent.Companion::class)
public class TextContent internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(text: String, annotations: Annotations? = null, meta: JsonObject? = null) :
        this(Members("type" to "text", "text" to text, "annotations" to annotations, "_meta" to meta))

    /** Always `text`. */
    override public val type: ContentTypes get() = ContentTypes("text")

    /** The text. */
    public val text: String get() = json.need("text").let { it.text() }

    /** Hints for the client. */
    public val annotations: Annotations? get() = annotationsRead ?: json.find("annotations")?.let { Annotations.of(it.obj()) }?.also { annotationsRead = it }
    @Volatile private var annotationsRead: Annotations? = null

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(text: String = this.text, annotations: Annotations? = this.annotations, meta: JsonObject? = this.meta): TextContent =
        TextContent(changed(TextContent(text, annotations, meta), "text", "annotations", "_meta"))

    public companion object : RecordSerializer<TextContent>("TextContent") {
        override fun of(json: JsonObject): TextContent = TextContent(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TextContent> = this
    }
}

/** Contents that are text. */
@Serializable(with = TextResourceContents.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(text: String = this.text, uri: String = this.uri, mimeType: String? = this.mimeType, meta: JsonObject? = this.meta): TextResourceContents =
        TextResourceContents(changed(TextResourceContents(text, uri, mimeType, meta), "text", "uri", "mimeType", "_meta"))

    public companion object : RecordSerializer<TextResourceContents>("TextResourceContents") {
        override fun of(json: JsonObject): TextResourceContents = TextResourceContents(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TextResourceContents> = this
    }
}

/** The items of `TitledMultiSelectEnumSchema`. */
@Serializable(with = TitledItems.Companion::class)
public class TitledItems internal constructor(members: Members) : Record(members) {
    public constructor(anyOf: List<EnumOption>) :
        this(Members("anyOf" to anyOf))

    /** The values with titles. */
    public val anyOf: List<EnumOption> get() = anyOfRead ?: json.need("anyOf").let { it.list { EnumOption.of(it.obj()) } }.also { anyOfRead = it }
    @Volatile private var anyOfRead: List<EnumOption>? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(anyOf: List<EnumOption> = this.anyOf): TitledItems =
        TitledItems(changed(TitledItems(anyOf), "anyOf"))

    public companion object : RecordSerializer<TitledItems>("TitledItems") {
        override fun of(json: JsonObject): TitledItems = TitledItems(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TitledItems> = this
    }
}

/** Several of some values that have titles. Since 2025-11-25. */
@Serializable(with = TitledMultiSelectEnumSchema.Companion::class)
public class TitledMultiSelectEnumSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(items: TitledItems, title: String? = null, description: String? = null, minItems: Int? = null, maxItems: Int? = null, default: List<String>? = null) :
        this(Members("type" to "array", "title" to title, "description" to description, "minItems" to minItems, "maxItems" to maxItems, "items" to items, "default" to default))

    /** Always `array`. */
    public val type: String get() = "array"

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to choose. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** Fewest values to choose. */
    public val minItems: Int? get() = json.find("minItems")?.let { it.int() }

    /** Most values to choose. */
    public val maxItems: Int? get() = json.find("maxItems")?.let { it.int() }

    /** The values with titles. */
    public val items: TitledItems get() = itemsRead ?: json.need("items").let { TitledItems.of(it.obj()) }.also { itemsRead = it }
    @Volatile private var itemsRead: TitledItems? = null

    /** What is chosen at first. */
    public val default: List<String>? get() = defaultRead ?: json.find("default")?.let { it.list { it.text() } }?.also { defaultRead = it }
    @Volatile private var defaultRead: List<String>? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(items: TitledItems = this.items, title: String? = this.title, description: String? = this.description, minItems: Int? = this.minItems, maxItems: Int? = this.maxItems, default: List<String>? = this.default): TitledMultiSelectEnumSchema =
        TitledMultiSelectEnumSchema(changed(TitledMultiSelectEnumSchema(items, title, description, minItems, maxItems, default), "items", "title", "description", "minItems", "maxItems", "default"))

    public companion object : RecordSerializer<TitledMultiSelectEnumSchema>("TitledMultiSelectEnumSchema") {
        override fun of(json: JsonObject): TitledMultiSelectEnumSchema = TitledMultiSelectEnumSchema(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TitledMultiSelectEnumSchema> = this
    }
}

/** One of some values that have titles. Since 2025-11-25. */
@Serializable(with = TitledSingleSelectEnumSchema.Companion::class)
public class TitledSingleSelectEnumSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(oneOf: List<EnumOption>, title: String? = null, description: String? = null, default: String? = null) :
        this(Members("type" to "string", "title" to title, "description" to description, "oneOf" to oneOf, "default" to default))

    /** Always `string`. */
    public val type: String get() = "string"

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to choose. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** The values with titles. */
    public val oneOf: List<EnumOption> get() = oneOfRead ?: json.need("oneOf").let { it.list { EnumOption.of(it.obj()) } }.also { oneOfRead = it }
    @Volatile private var oneOfRead: List<EnumOption>? = null

    /** What is chosen at first. */
    public val default: String? get() = json.find("default")?.let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(oneOf: List<EnumOption> = this.oneOf, title: String? = this.title, description: String? = this.description, default: String? = this.default): TitledSingleSelectEnumSchema =
        TitledSingleSelectEnumSchema(changed(TitledSingleSelectEnumSchema(oneOf, title, description, default), "oneOf", "title", "description", "default"))

    public companion object : RecordSerializer<TitledSingleSelectEnumSchema>("TitledSingleSelectEnumSchema") {
        override fun of(json: JsonObject): TitledSingleSelectEnumSchema = TitledSingleSelectEnumSchema(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<TitledSingleSelectEnumSchema> = this
    }
}

/** Something a client can call. */
@Serializable(with = Tool.Companion::class)
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
    public val inputSchema: ToolSchema get() = inputSchemaRead ?: json.need("inputSchema").let { ToolSchema.of(it.obj()) }.also { inputSchemaRead = it }
    @Volatile private var inputSchemaRead: ToolSchema? = null

    /** JSON Schema of `structuredContent`. Since 2025-06-18; before 2026-07-28 its root has `type: object`. */
    public val outputSchema: ToolSchema? get() = outputSchemaRead ?: json.find("outputSchema")?.let { ToolSchema.of(it.obj()) }?.also { outputSchemaRead = it }
    @Volatile private var outputSchemaRead: ToolSchema? = null

    /** Hints about what it does. Since 2025-03-26. */
    public val annotations: ToolAnnotations? get() = annotationsRead ?: json.find("annotations")?.let { ToolAnnotations.of(it.obj()) }?.also { annotationsRead = it }
    @Volatile private var annotationsRead: ToolAnnotations? = null

    /** Icons. Since 2025-11-25. */
    public val icons: List<Icon>? get() = iconsRead ?: json.find("icons")?.let { it.list { Icon.of(it.obj()) } }?.also { iconsRead = it }
    @Volatile private var iconsRead: List<Icon>? = null

    /** How it runs. 2025-11-25 only. */
    public val execution: ToolExecution? get() = executionRead ?: json.find("execution")?.let { ToolExecution.of(it.obj()) }?.also { executionRead = it }
    @Volatile private var executionRead: ToolExecution? = null

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(name: String = this.name, inputSchema: ToolSchema = this.inputSchema, description: String? = this.description, outputSchema: ToolSchema? = this.outputSchema, title: String? = this.title, annotations: ToolAnnotations? = this.annotations, icons: List<Icon>? = this.icons, execution: ToolExecution? = this.execution, meta: JsonObject? = this.meta): Tool =
        Tool(changed(Tool(name, inputSchema, description, outputSchema, title, annotations, icons, execution, meta), "name", "inputSchema", "description", "outputSchema", "title", "annotations", "icons", "execution", "_meta"))

    public companion object : RecordSerializer<Tool>("Tool") {
        override fun of(json: JsonObject): Tool = Tool(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<Tool> = this
    }
}

/** Hints about a tool. From an untrusted server they are not to be trusted. */
@Serializable(with = ToolAnnotations.Companion::class)
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

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(title: String? = this.title, readOnlyHint: Boolean? = this.readOnlyHint, destructiveHint: Boolean? = this.destructiveHint, idempotentHint: Boolean? = this.idempotentHint, openWorldHint: Boolean? = this.openWorldHint): ToolAnnotations =
        ToolAnnotations(changed(ToolAnnotations(title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint), "title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"))

    public companion object : RecordSerializer<ToolAnnotations>("ToolAnnotations") {
        override fun of(json: JsonObject): ToolAnnotations = ToolAnnotations(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ToolAnnotations> = this
    }
}

/**
 * How the model uses tools. Since 2025-11-25. Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest
 * removal 2027-07-28. Call the model's provider from the server.
 */
@Serializable(with = ToolChoice.Companion::class)
public class ToolChoice internal constructor(members: Members) : Record(members) {
    public constructor(mode: ToolChoiceMode? = null) :
        this(Members("mode" to mode))

    /** Whether it may, must or must not. Taken as `auto` when absent. */
    public val mode: ToolChoiceMode? get() = json.find("mode")?.let { ToolChoiceMode(it.text()) }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(mode: ToolChoiceMode? = this.mode): ToolChoice =
        ToolChoice(changed(ToolChoice(mode), "mode"))

    /** See [ToolChoiceMode]. */
    public typealias Mode = ToolChoiceMode

    public companion object : RecordSerializer<ToolChoice>("ToolChoice") {
        override fun of(json: JsonObject): ToolChoice = ToolChoice(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ToolChoice> = this
    }
}

/**
 * Whether the model may or must use tools. Since 2025-11-25. Deprecated: sampling, since 2026-07-28
 * (SEP-2577); earliest removal 2027-07-28. Call the model's provider from the server.
 */
@Serializable(with = ToolChoiceMode.Companion::class)
public data class ToolChoiceMode(override val value: String) : Word {
    override fun toString(): String = value

    public companion object : WordSerializer<ToolChoiceMode>("ToolChoiceMode") {
        /** The model decides; the default. */
        public val Auto: ToolChoiceMode = ToolChoiceMode("auto")
        /** It must use one at least. */
        public val Required: ToolChoiceMode = ToolChoiceMode("required")
        /** It must use none. */
        public val None: ToolChoiceMode = ToolChoiceMode("none")

        override fun of(value: String): ToolChoiceMode = ToolChoiceMode(value)

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ToolChoiceMode> = this
    }
}

/** How a tool runs. 2025-11-25 only. */
@Serializable(with = ToolExecution.Companion::class)
public class ToolExecution internal constructor(members: Members) : Record(members) {
    public constructor(taskSupport: TaskSupport? = null) :
        this(Members("taskSupport" to taskSupport))

    /** Whether it runs as a task. */
    public val taskSupport: TaskSupport? get() = json.find("taskSupport")?.let { TaskSupport(it.text()) }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskSupport: TaskSupport? = this.taskSupport): ToolExecution =
        ToolExecution(changed(ToolExecution(taskSupport), "taskSupport"))

    public companion object : RecordSerializer<ToolExecution>("ToolExecution") {
        override fun of(json: JsonObject): ToolExecution = ToolExecution(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ToolExecution> = this
    }
}

/**
 * What a tool answered to a model. Since 2025-11-25; deprecated since 2026-07-28 with sampling (SEP-2577),
 * earliest removal 2027-07-28. Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal
 * 2027-07-28. Call the model's provider from the server.
 */
@Serializable(with = ToolResultContent.Companion::class)
public class ToolResultContent internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(toolUseId: String, content: List<ContentBlock> = emptyList(), structuredContent: JsonElement? = null, isError: Boolean? = null, meta: JsonObject? = null) :
        this(Members("type" to "tool_result", "toolUseId" to toolUseId, "content" to content, "structuredContent" to structuredContent, "isError" to isError, "_meta" to meta))

    /** Always `tool_result`. */
    override public val type: ContentTypes get() = ContentTypes("tool_result")

    /** The id of the `tool_use` that this is the result of. */
    public val toolUseId: String get() = json.need("toolUseId").let { it.text() }

    /** The answer. */
    public val content: List<ContentBlock> get() = contentRead ?: json.find("content")?.let { it.list { ContentBlock.of(it.obj()) } }.orEmpty().also { contentRead = it }
    @Volatile private var contentRead: List<ContentBlock>? = null

    /** The result as data; `null` is a value. */
    public val structuredContent: JsonElement? get() = json["structuredContent"]

    /** Whether the tool failed. */
    public val isError: Boolean? get() = json.find("isError")?.let { it.flag() }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(toolUseId: String = this.toolUseId, content: List<ContentBlock> = this.content, structuredContent: JsonElement? = this.structuredContent, isError: Boolean? = this.isError, meta: JsonObject? = this.meta): ToolResultContent =
        ToolResultContent(changed(ToolResultContent(toolUseId, content, structuredContent, isError, meta), "toolUseId", "content", "structuredContent", "isError", "_meta"))

    public companion object : RecordSerializer<ToolResultContent>("ToolResultContent") {
        override fun of(json: JsonObject): ToolResultContent = ToolResultContent(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ToolResultContent> = this
    }
}

/**
 * A model's wish to call a tool. Since 2025-11-25; deprecated since 2026-07-28 with sampling (SEP-2577),
 * earliest removal 2027-07-28. Deprecated: sampling, since 2026-07-28 (SEP-2577); earliest removal
 * 2027-07-28. Call the model's provider from the server.
 */
@Serializable(with = ToolUseContent.Companion::class)
public class ToolUseContent internal constructor(members: Members) : Record(members), ContentBlock {
    public constructor(id: String, name: String, input: JsonObject, meta: JsonObject? = null) :
        this(Members("type" to "tool_use", "id" to id, "name" to name, "input" to input, "_meta" to meta))

    /** Always `tool_use`. */
    override public val type: ContentTypes get() = ContentTypes("tool_use")

    /** Names this use; the result refers to it. */
    public val id: String get() = json.need("id").let { it.text() }

    /** The name of the tool. */
    public val name: String get() = json.need("name").let { it.text() }

    /** The arguments: an object. */
    public val input: JsonObject get() = json.need("input").let { it.obj() }

    /** Metadata of the protocol and of extensions. */
    override public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(id: String = this.id, name: String = this.name, input: JsonObject = this.input, meta: JsonObject? = this.meta): ToolUseContent =
        ToolUseContent(changed(ToolUseContent(id, name, input, meta), "id", "name", "input", "_meta"))

    public companion object : RecordSerializer<ToolUseContent>("ToolUseContent") {
        override fun of(json: JsonObject): ToolUseContent = ToolUseContent(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ToolUseContent> = this
    }
}

/** Params of `resources/unsubscribe`. Until 2025-11-25. */
@Serializable(with = UnsubscribeRequestParams.Companion::class)
public class UnsubscribeRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(uri: String, meta: JsonObject? = null) :
        this(Members("uri" to uri, "_meta" to meta))

    /** The URI of the resource that is no longer watched. */
    public val uri: String get() = json.need("uri").let { it.text() }

    /** Metadata of the protocol and of extensions. */
    public val meta: JsonObject? get() = json.find("_meta")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(uri: String = this.uri, meta: JsonObject? = this.meta): UnsubscribeRequestParams =
        UnsubscribeRequestParams(changed(UnsubscribeRequestParams(uri, meta), "uri", "_meta"))

    public companion object : RecordSerializer<UnsubscribeRequestParams>("UnsubscribeRequestParams") {
        override fun of(json: JsonObject): UnsubscribeRequestParams = UnsubscribeRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<UnsubscribeRequestParams> = this
    }
}

/** The items of `UntitledMultiSelectEnumSchema`. */
@Serializable(with = UntitledItems.Companion::class)
public class UntitledItems internal constructor(members: Members) : Record(members) {
    public constructor(enum: List<String>) :
        this(Members("type" to "string", "enum" to enum))

    /** Always `string`. */
    public val type: String get() = "string"

    /** The values. */
    public val enum: List<String> get() = enumRead ?: json.need("enum").let { it.list { it.text() } }.also { enumRead = it }
    @Volatile private var enumRead: List<String>? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(enum: List<String> = this.enum): UntitledItems =
        UntitledItems(changed(UntitledItems(enum), "enum"))

    public companion object : RecordSerializer<UntitledItems>("UntitledItems") {
        override fun of(json: JsonObject): UntitledItems = UntitledItems(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<UntitledItems> = this
    }
}

/** Several of some values. Since 2025-11-25. */
@Serializable(with = UntitledMultiSelectEnumSchema.Companion::class)
public class UntitledMultiSelectEnumSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(items: UntitledItems, title: String? = null, description: String? = null, minItems: Int? = null, maxItems: Int? = null, default: List<String>? = null) :
        this(Members("type" to "array", "title" to title, "description" to description, "minItems" to minItems, "maxItems" to maxItems, "items" to items, "default" to default))

    /** Always `array`. */
    public val type: String get() = "array"

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to choose. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** Fewest values to choose. */
    public val minItems: Int? get() = json.find("minItems")?.let { it.int() }

    /** Most values to choose. */
    public val maxItems: Int? get() = json.find("maxItems")?.let { it.int() }

    /** The values. */
    public val items: UntitledItems get() = itemsRead ?: json.need("items").let { UntitledItems.of(it.obj()) }.also { itemsRead = it }
    @Volatile private var itemsRead: UntitledItems? = null

    /** What is chosen at first. */
    public val default: List<String>? get() = defaultRead ?: json.find("default")?.let { it.list { it.text() } }?.also { defaultRead = it }
    @Volatile private var defaultRead: List<String>? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(items: UntitledItems = this.items, title: String? = this.title, description: String? = this.description, minItems: Int? = this.minItems, maxItems: Int? = this.maxItems, default: List<String>? = this.default): UntitledMultiSelectEnumSchema =
        UntitledMultiSelectEnumSchema(changed(UntitledMultiSelectEnumSchema(items, title, description, minItems, maxItems, default), "items", "title", "description", "minItems", "maxItems", "default"))

    public companion object : RecordSerializer<UntitledMultiSelectEnumSchema>("UntitledMultiSelectEnumSchema") {
        override fun of(json: JsonObject): UntitledMultiSelectEnumSchema = UntitledMultiSelectEnumSchema(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<UntitledMultiSelectEnumSchema> = this
    }
}

/** One of some values. */
@Serializable(with = UntitledSingleSelectEnumSchema.Companion::class)
public class UntitledSingleSelectEnumSchema internal constructor(members: Members) : Record(members), FieldSchema {
    public constructor(enum: List<String>, title: String? = null, description: String? = null, default: String? = null) :
        this(Members("type" to "string", "title" to title, "description" to description, "enum" to enum, "default" to default))

    /** Always `string`. */
    public val type: String get() = "string"

    /** The label. */
    override public val title: String? get() = json.find("title")?.let { it.text() }

    /** What to choose. */
    override public val description: String? get() = json.find("description")?.let { it.text() }

    /** The values. */
    public val enum: List<String> get() = enumRead ?: json.need("enum").let { it.list { it.text() } }.also { enumRead = it }
    @Volatile private var enumRead: List<String>? = null

    /** What is chosen at first. Since 2025-11-25. */
    public val default: String? get() = json.find("default")?.let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(enum: List<String> = this.enum, title: String? = this.title, description: String? = this.description, default: String? = this.default): UntitledSingleSelectEnumSchema =
        UntitledSingleSelectEnumSchema(changed(UntitledSingleSelectEnumSchema(enum, title, description, default), "enum", "title", "description", "default"))

    public companion object : RecordSerializer<UntitledSingleSelectEnumSchema>("UntitledSingleSelectEnumSchema") {
        override fun of(json: JsonObject): UntitledSingleSelectEnumSchema = UntitledSingleSelectEnumSchema(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<UntitledSingleSelectEnumSchema> = this
    }
}

/** Params of `tasks/update`. Since 2026-07-28. */
@Serializable(with = UpdateTaskRequestParams.Companion::class)
public class UpdateTaskRequestParams internal constructor(members: Members) : Record(members) {
    public constructor(taskId: String, inputResponses: JsonObject? = null) :
        this(Members("taskId" to taskId, "inputResponses" to inputResponses))

    /** The task. */
    public val taskId: String get() = json.need("taskId").let { it.text() }

    /** Answers to what the task asked. */
    public val inputResponses: JsonObject? get() = json.find("inputResponses")?.let { it.obj() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(taskId: String = this.taskId, inputResponses: JsonObject? = this.inputResponses): UpdateTaskRequestParams =
        UpdateTaskRequestParams(changed(UpdateTaskRequestParams(taskId, inputResponses), "taskId", "inputResponses"))

    public companion object : RecordSerializer<UpdateTaskRequestParams>("UpdateTaskRequestParams") {
        override fun of(json: JsonObject): UpdateTaskRequestParams = UpdateTaskRequestParams(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<UpdateTaskRequestParams> = this
    }
}

/** Result of `tasks/update`. Since 2026-07-28. */
@Serializable(with = UpdateTaskResult.Companion::class)
public class UpdateTaskResult internal constructor(members: Members) : Record(members) {
    public constructor() :
        this(Members())

    public companion object : RecordSerializer<UpdateTaskResult>("UpdateTaskResult") {
        override fun of(json: JsonObject): UpdateTaskResult = UpdateTaskResult(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<UpdateTaskResult> = this
    }
}

/** The `data` of the error that pages must be visited first. 2025-11-25 only. */
@Serializable(with = UrlElicitationRequiredData.Companion::class)
public class UrlElicitationRequiredData internal constructor(members: Members) : Record(members) {
    public constructor(elicitations: List<ElicitRequestURLParams>) :
        this(Members("elicitations" to elicitations))

    /** The pages. */
    public val elicitations: List<ElicitRequestURLParams> get() = elicitationsRead ?: json.need("elicitations").let { it.list { ElicitRequestURLParams.of(it.obj()) } }.also { elicitationsRead = it }
    @Volatile private var elicitationsRead: List<ElicitRequestURLParams>? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(elicitations: List<ElicitRequestURLParams> = this.elicitations): UrlElicitationRequiredData =
        UrlElicitationRequiredData(changed(UrlElicitationRequiredData(elicitations), "elicitations"))

    public companion object : RecordSerializer<UrlElicitationRequiredData>("UrlElicitationRequiredData") {
        override fun of(json: JsonObject): UrlElicitationRequiredData = UrlElicitationRequiredData(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<UrlElicitationRequiredData> = this
    }
}

/** JSON Schema of an object; `ToolSchema.of` takes any. */
@Serializable(with = ToolSchema.Companion::class)
public class ToolSchema internal constructor(members: Members) : Record(members) {
    public constructor(properties: JsonObject? = null, required: List<String>? = null, defs: JsonObject? = null, schema: String? = null) :
        this(Members("type" to "object", "properties" to properties, "required" to required, "\$defs" to defs, "\$schema" to schema))

    /** Always `object`. */
    public val type: String get() = "object"

    /** A schema for each member. */
    public val properties: JsonObject? get() = json.find("properties")?.let { it.obj() }

    /** The members that must be there. */
    public val required: List<String>? get() = requiredRead ?: json.find("required")?.let { it.list { it.text() } }?.also { requiredRead = it }
    @Volatile private var requiredRead: List<String>? = null

    /** Schemas that others refer to. */
    public val defs: JsonObject? get() = json.find("\$defs")?.let { it.obj() }

    /** The dialect; 2020-12 when absent. */
    public val schema: String? get() = json.find("\$schema")?.let { it.text() }

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(properties: JsonObject? = this.properties, required: List<String>? = this.required, defs: JsonObject? = this.defs, schema: String? = this.schema): ToolSchema =
        ToolSchema(changed(ToolSchema(properties, required, defs, schema), "properties", "required", "\$defs", "\$schema"))

    public companion object : RecordSerializer<ToolSchema>("ToolSchema") {
        override fun of(json: JsonObject): ToolSchema = ToolSchema(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<ToolSchema> = this
    }
}

/** JSON Schema of a form: an object of plain values. */
@Serializable(with = FormSchema.Companion::class)
public class FormSchema internal constructor(members: Members) : Record(members) {
    public constructor(properties: Map<String, FieldSchema>, required: List<String>? = null) :
        this(Members("type" to "object", "properties" to properties, "required" to required))

    /** Always `object`. */
    public val type: String get() = "object"

    /** The fields of the form. */
    public val properties: Map<String, FieldSchema> get() = propertiesRead ?: json.need("properties").let { it.table { FieldSchema.of(it.obj()) } }.also { propertiesRead = it }
    @Volatile private var propertiesRead: Map<String, FieldSchema>? = null

    /** The members that must be there. */
    public val required: List<String>? get() = requiredRead ?: json.find("required")?.let { it.list { it.text() } }?.also { requiredRead = it }
    @Volatile private var requiredRead: List<String>? = null

    /** The same with other members; those of extensions and of later revisions are kept. */
    public fun copy(properties: Map<String, FieldSchema> = this.properties, required: List<String>? = this.required): FormSchema =
        FormSchema(changed(FormSchema(properties, required), "properties", "required"))

    public companion object : RecordSerializer<FormSchema>("FormSchema") {
        override fun of(json: JsonObject): FormSchema = FormSchema(Members(json))

        /** For `kotlinx.serialization`. */
        public fun serializer(): KSerializer<FormSchema> = this
    }
}
