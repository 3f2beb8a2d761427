package dev.mcpbolt

import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.mapNotNull
import kotlinx.serialization.json.JsonObject

// Tasks of servers (2026-07-28), as a client holds them. Owns: a task's requests, and hearing of its
// steps. Must not know: how a task is followed to its end; the engine does that.

/** What became of a tool call that was started. */
public sealed interface StartedTool {
    /** The tool has answered. */
    public class Done internal constructor(public val result: CallToolResult) : StartedTool

    /** The tool goes on as a task. */
    public class Running internal constructor(public val task: ServerTask) : StartedTool
}

/** A task at a server. Who has its [id] can ask for it: it is a secret where clients are not told apart. */
public class ServerTask internal constructor(private val client: ClientVerbs, public val id: String) {
    /**
     * Gets where it stands.
     *
     * @throws McpException if there is no such task for this client (-32602).
     */
    public suspend fun get(options: RequestOptions? = null): TaskState = TaskState.of(ask(Method.Defined.TasksGet, options))

    /**
     * Answers questions of the work.
     *
     * @param answers the answers by the keys of [TaskState.inputRequests], such as an [ElicitResult].
     * Answers to nothing that is asked change nothing.
     * @throws McpException if there is no such task for this client (-32602).
     */
    public suspend fun update(answers: Map<String, Any?>, options: RequestOptions? = null) {
        ask(Method.Defined.TasksUpdate, options, "inputResponses" to answers)
    }

    /** Gives it up. Has no effect once it is over. */
    public suspend fun cancel(options: RequestOptions? = null) {
        ask(Method.Defined.TasksCancel, options)
    }

    /**
     * Waits for its end; the handlers of the client answer what it asks.
     *
     * @throws McpException if it failed with an error, or was given up.
     */
    public suspend fun await(options: RequestOptions? = null): CallToolResult =
        CallToolResult.of(ask(Method.Defined.TasksGet, (options ?: RequestOptions()).with("task", "wait")))

    private suspend fun ask(method: Method, options: RequestOptions?, vararg more: Pair<String, Any?>): JsonObject =
        client.request(CustomRequest(method, objectOf("taskId" to id, *more)), options).json
}

/**
 * Calls a tool without waiting for the end where it goes on as a task. The client needs
 * [ClientOptions.tasks].
 *
 * @param arguments Kotlin values or JSON; see [toJson].
 */
public suspend fun ClientVerbs.startTool(name: String, arguments: Map<String, Any?> = emptyMap(), options: RequestOptions? = null): StartedTool {
    val answer = callTool(name, arguments, options = (options ?: RequestOptions()).with("task", "raw"))
    if (answer.json.tag("resultType") != "task") return StartedTool.Done(answer)
    return StartedTool.Running(task(answer.json.need("taskId").text()))
}

/** A task that was started before, perhaps by another process. Nothing is sent. */
public fun ClientVerbs.task(id: String): ServerTask = ServerTask(this, id)

/**
 * Hears of the steps of tasks, instead of asking for them, for as long as the flow is collected. A
 * collector that is too slow loses old steps.
 *
 * @param listening called with the tasks that the server tells of, before the first step: those that
 * are this client's. A step before that is not told: ask for it then.
 * @throws McpException when collecting, if the server refuses.
 */
public fun ClientSession.watchTasks(ids: List<String>, listening: suspend (ids: List<String>) -> Unit = {}): Flow<TaskState> =
    listen(SubscriptionFilter.of(objectOf("taskIds" to ids))).mapNotNull { told ->
        if (told is SubscriptionsAcknowledgedNotification) {
            listening(told.params.notifications.json.find("taskIds")?.list { it.text() }.orEmpty())
        }
        (told as? TaskNotification)?.let { TaskState.of(it.params.json) }
    }
