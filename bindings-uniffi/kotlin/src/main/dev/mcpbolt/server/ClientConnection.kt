package dev.mcpbolt

import kotlinx.coroutines.launch
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject

// What a server knows about a client, and the requests it can send it. Must not know: which handler
// uses it.

/** The client of a call or connection; the receiver of handlers. */
public open class ClientConnection internal constructor(
    internal val driver: Driver,
    /** Messages are sent on this call's stream, or on the connection. */
    internal val target: ULong,
    internal val connection: ULong,
    private val call: Incoming? = null,
) {
    /** Identifies the connection within this process. */
    public val sessionId: String get() = connection.toString()

    /** What the engine knows of the call, or of the connection outside of calls. */
    public val about: CallInfo
        get() = CallInfo.of(if (call == null) driver.inbox.describeConnection(connection) else driver.inbox.describe(target))

    /** Who sent this call, if credentials were checked; `null` otherwise and outside of calls. */
    public val principal: Principal?
        get() = about.json.let { known -> known.find("principal")?.let { Principal(it.text(), known.find("token") as? JsonObject ?: EmptyJsonObject) } }

    /** The client's name and version, if it sent them. */
    public val clientVersion: Implementation? get() = about.clientInfo

    /** The client's capabilities, if it sent them. */
    public val clientCapabilities: ClientCapabilities? get() = about.clientCapabilities

    /** The client's answers to the [Questions] of an earlier round, by their keys. */
    public val inputResponses: JsonObject get() = about.inputResponses

    /** The state of the [Questions] of an earlier round. */
    public val requestState: String? get() = about.requestState

    /** The settings with which the client declared an extension; `null` if it did not. */
    public fun clientExtension(id: String): JsonObject? = clientCapabilities?.extensions?.get(id) as? JsonObject

    /**
     * Refuses a client that did not declare an extension.
     *
     * @return the settings with which the client declared it.
     * @throws McpException with code -32021, which names the extension.
     */
    public fun requireClientExtension(id: String): JsonObject = clientExtension(id) ?: throw McpException(
        MISSING_CAPABILITY,
        "the client did not declare the extension $id",
        objectOf("requiredCapabilities" to objectOf("extensions" to objectOf(id to EmptyJsonObject))),
    )

    /**
     * Makes a task of the tool call that is running, for tools that decide by themselves, such as
     * after a first question. The client is told at once; what the tool returns is the task's result.
     * Has no effect on a call that is a task already.
     *
     * @return the task's id.
     * @throws McpException if the client did not declare the extension (-32021), too many tasks run,
     * or the task could not be stored.
     * @throws McpUsageException if the server has no tasks: no tool was added as one, and
     * `"tasks.poll_interval"` is not in [ServerOptions.engine].
     */
    public suspend fun beginTask(): String = driver.await { driver.inbox.beginTask(target) }.need("taskId").text()

    /**
     * Closes the stream of this call; the client reconnects for the rest (2025-11-25 over HTTP).
     * Otherwise it has no effect.
     */
    public fun closeStream() {
        driver.inbox.closeStream(target)
    }

    /** Sends any request of the protocol to the client; within a call, in both eras. */
    public suspend fun <R : Record> request(request: Request<R>, options: RequestOptions? = null): R {
        val json = driver.observed(target, request.method.value, request.params?.json, options, { about.protocolVersion }) {
            // Requests that a handler makes together are sent together, after what else this call
            // has to do now.
            if (call != null) driver.scope.launch(call.context) { driver.inbox.flush(target) }
        }
        return read(request, json)
    }

    /** Sends a notification to the client; waits while the client does not take it. */
    public suspend fun notification(notification: Notification) {
        driver.send(target, notification.method.value, notification.params?.json)
    }

    /** Reports the progress of the call; has no effect if the client did not ask for progress. */
    public suspend fun reportProgress(progress: Double, total: Double? = null, message: String? = null) {
        if (call == null) return
        driver.send(target, Method.Defined.NotificationsProgress.value, objectOf("progress" to number(progress), "total" to total?.let(::number), "message" to message))
    }

    /** Sends a log message, unless its level is below the one that the client asked for. */
    public suspend fun sendLoggingMessage(notification: LoggingMessageNotification): Unit = notification(notification)

    /** Sends a log message, unless its level is below the one that the client asked for. */
    public suspend fun log(level: LoggingLevel, data: JsonElement, logger: String? = null): Unit =
        notification(LoggingMessageNotification(LoggingMessageNotificationParams(level = level, data = data, logger = logger)))

    /** Sends a `ping`; returns when the client answers. Legacy era only. */
    public suspend fun ping(request: PingRequest = PingRequest(), options: RequestOptions? = null): EmptyResult = request(request, options)

    /** Requests a message from the client's model (sampling). */
    public suspend fun createMessage(request: CreateMessageRequest, options: RequestOptions? = null): CreateMessageResult =
        request(request, options)

    /** Requests the client's list of roots. */
    public suspend fun listRoots(request: ListRootsRequest = ListRootsRequest(), options: RequestOptions? = null): ListRootsResult =
        request(request, options)

    /** Asks the user to fill in a form. */
    public suspend fun createElicitation(message: String, requestedSchema: FormSchema, options: RequestOptions? = null): ElicitResult =
        createElicitation(ElicitRequest(ElicitRequestFormParams(message = message, requestedSchema = requestedSchema)), options)

    /** Asks the user to visit a URL. */
    public suspend fun createElicitation(message: String, elicitationId: String, url: String, options: RequestOptions? = null): ElicitResult =
        createElicitation(ElicitRequest(ElicitRequestURLParams(message = message, url = url, elicitationId = elicitationId)), options)

    /** Asks the user, with a form or by sending them to a URL. */
    public suspend fun createElicitation(request: ElicitRequest, options: RequestOptions? = null): ElicitResult = request(request, options)

    public suspend fun sendResourceUpdated(notification: ResourceUpdatedNotification): Unit = notification(notification)

    public suspend fun sendResourceListChanged(): Unit = notification(ResourceListChangedNotification())

    public suspend fun sendToolListChanged(): Unit = notification(ToolListChangedNotification())

    public suspend fun sendPromptListChanged(): Unit = notification(PromptListChangedNotification())

    public suspend fun sendElicitationComplete(notification: ElicitationCompleteNotification): Unit = notification(notification)
}

/** A handler that is given requests as their types, and a way back to their sender. */
internal fun <T : Request<*>> typedHandler(
    method: Method,
    type: Class<T>,
    handler: suspend (T, RequestHandlerExtra) -> RequestResult?,
): suspend ClientConnection.(JsonObject?) -> JsonObject = { params ->
    val known = { about.requestId }
    val extra = RequestHandlerExtra(method, known, { asked, options -> request(asked, options) }) { notification(it) }
    (handler(requestFor(type, method, params), extra) ?: EmptyResult()).json
}

private const val MISSING_CAPABILITY = -32021

/** Whole numbers are sent without a fraction. */
private fun number(value: Double): Number = if (value == Math.rint(value) && Math.abs(value) < 1e15) value.toLong() else value

/** Reads the result of a request; one that does not match its type is a protocol error of the peer. */
internal fun <R : Record> read(request: Request<R>, json: JsonObject): R = request.read(json)
