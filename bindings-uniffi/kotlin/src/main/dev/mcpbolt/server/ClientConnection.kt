@file:Suppress("DEPRECATION")

package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlin.time.Duration

// What a server knows about a client, and the requests it can send it.

/**
 * Options of one request.
 *
 * @property timeout how long to wait; progress restarts it. `null`: the client's default.
 * @property onProgress called with progress reports, in the coroutine that sends the request.
 * @property engine further options of the engine: `max`, `reset_on_progress`, `log_level`, `fresh`…
 */
public class RequestOptions(
    public val timeout: Duration? = null,
    public val onProgress: (suspend (ProgressNotificationParams) -> Unit)? = null,
    public val engine: JsonObject = EmptyJsonObject,
) {
    internal val plan: JsonObject?
        get() = JsonObject(
            engine + objectOf("timeout" to timeout?.inWholeMilliseconds?.div(1000.0), "progress" to (onProgress != null).takeIf { it }),
        ).takeIf { it.isNotEmpty() }

    internal val report: (suspend (JsonObject) -> Unit)?
        get() = onProgress?.let { take -> { take(ProgressNotificationParams.of(it)) } }
}

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

    /**
     * What the engine knows: `revision`, `era`, `transport`, `headers`, `principal`, `clientInfo`,
     * `clientCapabilities`…
     */
    public val about: JsonObject
        get() {
            val text = if (call == null) driver.inbox.describeConnection(connection) else driver.inbox.describe(target)
            return text?.let { parse(it).obj() } ?: EmptyJsonObject
        }

    /** The client's name and version, if it sent them. */
    public val clientVersion: Implementation? get() = about.find("clientInfo")?.let { Implementation.of(it.obj()) }

    /** The client's capabilities, if it sent them. */
    public val clientCapabilities: ClientCapabilities?
        get() = about.find("clientCapabilities")?.let { ClientCapabilities.of(it.obj()) }

    /** The client's answers to the [Questions] of an earlier round, by their keys. */
    public val inputResponses: JsonObject get() = about.find("inputResponses") as? JsonObject ?: EmptyJsonObject

    /** The state of the [Questions] of an earlier round. */
    public val requestState: String? get() = about.find("requestState")?.text()

    /**
     * Closes the stream of this call; the client reconnects for the rest (2025-11-25 over HTTP).
     * Otherwise it has no effect.
     */
    public fun closeStream() {
        driver.inbox.closeStream(target)
    }

    /** Sends any request of the protocol to the client; within a call, in both eras. */
    public suspend fun <R : Record> request(request: Request<R>, options: RequestOptions? = null): R {
        val json = driver.request(target, request.method, request.params?.json, options?.plan, options?.report) {
            // Requests that a handler makes together are sent together, after what else this call
            // has to do now.
            if (call != null) driver.scope.launch(call.context) { driver.inbox.flush(target) }
        }
        return read(request, json)
    }

    /** Sends a notification to the client; waits while the client does not take it. */
    public suspend fun notification(notification: Notification) {
        driver.send(target, notification.method, notification.params?.json)
    }

    /** Reports the progress of the call; has no effect if the client did not ask for progress. */
    public suspend fun reportProgress(progress: Double, total: Double? = null, message: String? = null) {
        if (call == null) return
        driver.send(target, Method.Defined.NotificationsProgress, objectOf("progress" to number(progress), "total" to total?.let(::number), "message" to message))
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

/**
 * Thrown by a handler to be run again, from the top, with answers to these questions. The answers
 * are in [ClientConnection.inputResponses]; [state], which the engine seals, is in
 * [ClientConnection.requestState]. Nothing waits on the server meanwhile.
 *
 * @property requests the questions by keys of the handler's own: forms and URLs, sampling, roots.
 */
public class Questions(public val requests: Map<String, Request<*>>, public val state: String? = null) :
    RuntimeException("questions to the client", null, false, false) {
    internal val row: JsonObject
        get() = objectOf("questions" to requests.map { (key, asked) -> listOf(key, asked.method, asked.params) }, "state" to state)
}

/** Whole numbers are sent without a fraction. */
private fun number(value: Double): Number = if (value == Math.rint(value) && Math.abs(value) < 1e15) value.toLong() else value

/** Reads the result of a request; one that does not match its type is a protocol error of the peer. */
internal fun <R : Record> read(request: Request<R>, json: JsonObject): R = request.read(json)

/** One connection of a server. */
public class ServerSession internal constructor(driver: Driver, connection: ULong) : ClientConnection(driver, connection, connection) {
    private val over = CompletableDeferred<Unit>()
    private val endings by lazy { Lane(driver.busy, driver::failed) }
    internal var carry: Carry? = null
    internal var transport: Transport? = null

    /**
     * Calls [block] when the connection is closed, or now if it is. The block may take long,
     * because nothing waits for it.
     */
    public fun onClose(block: () -> Unit) {
        over.invokeOnCompletion { endings.run(block) }
    }

    /** Waits until the connection is closed. */
    public suspend fun awaitClose(): Unit = over.await()

    /** Closes the connection. */
    public suspend fun close() {
        driver.inbox.closeConnection(connection)
        over.await()
    }

    /** The last messages are sent, then the transport ends. */
    internal suspend fun closeTransport() {
        carry?.end()
        runCatching { transport?.close() }
    }

    /** Ends the transport too. It counts as over once its last messages are sent: what follows may end all that would send them. */
    internal fun finish(gone: () -> Unit) {
        // Not where handlers run: one of them may be what waits for the end.
        driver.scope.launch(Dispatchers.Default) { carry?.end() }.invokeOnCompletion {
            gone()
            if (ended() && transport != null) driver.scope.launch { closeTransport() }
        }
    }

    /** It is over; `false` if it was. */
    internal fun ended(): Boolean = over.complete(Unit)
}
