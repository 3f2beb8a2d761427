package dev.mcpbolt

import kotlinx.serialization.json.JsonObject

// What a server says of a task. Must not know: who asked for it.

/**
 * Where a task stands (2026-07-28). Not one of the generated types, such as [Task]: these have the
 * shape of 2025-11-25, without `ttlMs`, `pollIntervalMs`, `inputRequests`, `result` and `error`.
 */
public class TaskState internal constructor(members: Members) : Record(members) {
    /** The task's id. */
    public val taskId: String get() = json.need("taskId").text()

    /** How far it is. */
    public val status: TaskStatus get() = TaskStatus(json.need("status").text())

    /** How the work gets on, for people. */
    public val statusMessage: String? get() = json.find("statusMessage")?.text()

    /** When it was created, in ISO 8601. */
    public val createdAt: String get() = json.need("createdAt").text()

    /** When it last changed, in ISO 8601. */
    public val lastUpdatedAt: String get() = json.need("lastUpdatedAt").text()

    /** Milliseconds from its creation for which the server keeps it; `null`: without end. */
    public val ttlMs: Long? get() = json.find("ttlMs")?.long()

    /** Milliseconds between two questions how it stands, as the server wishes. */
    public val pollIntervalMs: Long? get() = json.find("pollIntervalMs")?.long()

    /** What it asks and has no answer to, by key: objects with `method` and `params`. Empty unless it is [TaskStatus.InputRequired]. */
    public val inputRequests: Map<String, JsonObject> get() = json.find("inputRequests")?.table { it.obj() }.orEmpty()

    /** The result, once it is [TaskStatus.Completed]; a tool that failed has one too, with `isError`. */
    public val result: CallToolResult? get() = json.find("result")?.let { CallToolResult.of(it.obj()) }

    /** The JSON-RPC error it ended with, once it is [TaskStatus.Failed]. */
    public val error: McpException? get() = json.find("error")?.obj()?.let { McpException(it.need("code").int(), it.need("message").text(), it.find("data")) }

    /** Whether nothing can follow. */
    public val isOver: Boolean get() = status in FINAL

    public companion object {
        private val FINAL = setOf(TaskStatus.Completed, TaskStatus.Failed, TaskStatus.Cancelled)

        /** One that was read. */
        public fun of(json: JsonObject): TaskState = TaskState(Members(json))
    }
}
