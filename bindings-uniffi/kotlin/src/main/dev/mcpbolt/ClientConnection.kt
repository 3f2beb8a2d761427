@file:Suppress("DEPRECATION")

package dev.mcpbolt

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.launch
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlin.time.Duration

// What a server knows of a client and can ask it.

/**
 * Options of one request.
 *
 * @property timeout how long to wait; progress begins it anew. `null`: as the client says.
 * @property onProgress takes reports of how far it is, in the coroutine that asks.
 * @property engine more of the engine's: `max`, `reset_on_progress`, `log_level`, `fresh`…
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

/** The client of a call or of a connection. Handlers have it as their receiver. */
public open class ClientConnection internal constructor(
    internal val driver: Driver,
    /** What is sent goes on this call's stream, or on the connection. */
    internal val target: ULong,
    internal val connection: ULong,
    private val call: Incoming? = null,
) {
    /** Names the connection within this process. */
    public val sessionId: String get() = connection.toString()

    /** What the engine knows: `revision`, `era`, `transport`, `headers`, `principal`, `clientInfo`, `clientCapabilities`… */
    public val about: JsonObject
        get() {
            val text = if (call == null) driver.inbox.describeConnection(connection) else driver.inbox.describe(target)
            return text?.let { parse(it).obj() } ?: EmptyJsonObject
        }

    /** Who the client is, if it said so. */
    public val clientVersion: Implementation? get() = about.find("clientInfo")?.let { Implementation.of(it.obj()) }

    /** What the client can do, if it said so. */
    public val clientCapabilities: ClientCapabilities?
        get() = about.find("clientCapabilities")?.let { ClientCapabilities.of(it.obj()) }

    /** What the client answered to the [Questions] of an earlier round, by their keys. */
    public val inputResponses: JsonObject get() = about.find("inputResponses") as? JsonObject ?: EmptyJsonObject

    /** The state of those [Questions]. */
    public val requestState: String? get() = about.find("requestState")?.text()

    /** Closes the stream of this call: the client comes back for the rest (2025-11-25 over HTTP). Nothing happens elsewhere. */
    public fun closeStream() {
        driver.inbox.closeStream(target)
    }

    /** Asks the client anything of the protocol; within a call, on both eras. */
    public suspend fun <R : Record> request(request: Request<R>, options: RequestOptions? = null): R {
        val json = driver.request(target, request.method, request.params?.json, options?.plan, options?.report) {
            // What is asked together is sent together: after what else this call has to do now.
            if (call != null) driver.scope.launch(call.context) { driver.inbox.flush(target) }
        }
        return read(request, json)
    }

    /** Tells the client something; waits while it does not take it. */
    public suspend fun notification(notification: Notification) {
        driver.send(target, notification.method, notification.params?.json)
    }

    /** Says how far the call is; nothing happens if the client did not ask. */
    public suspend fun reportProgress(progress: Double, total: Double? = null, message: String? = null) {
        if (call == null) return
        driver.send(target, Method.Defined.NotificationsProgress, objectOf("progress" to number(progress), "total" to total?.let(::number), "message" to message))
    }

    /** Sends a log message, if the client wants those of this level. */
    public suspend fun sendLoggingMessage(notification: LoggingMessageNotification): Unit = notification(notification)

    /** As above. */
    public suspend fun log(level: LoggingLevel, data: JsonElement, logger: String? = null): Unit =
        notification(LoggingMessageNotification(LoggingMessageNotificationParams(level = level, data = data, logger = logger)))

    /** Asks whether the client is there. Legacy eras only. */
    public suspend fun ping(request: PingRequest = PingRequest(), options: RequestOptions? = null): EmptyResult = request(request, options)

    /** Asks the client's model. */
    public suspend fun createMessage(request: CreateMessageRequest, options: RequestOptions? = null): CreateMessageResult =
        request(request, options)

    /** Asks where the client works. */
    public suspend fun listRoots(request: ListRootsRequest = ListRootsRequest(), options: RequestOptions? = null): ListRootsResult =
        request(request, options)

    /** Asks the user to fill in a form. */
    public suspend fun createElicitation(message: String, requestedSchema: FormSchema, options: RequestOptions? = null): ElicitResult =
        createElicitation(ElicitRequest(ElicitRequestFormParams(message = message, requestedSchema = requestedSchema)), options)

    /** Asks the user to visit a page. */
    public suspend fun createElicitation(message: String, elicitationId: String, url: String, options: RequestOptions? = null): ElicitResult =
        createElicitation(ElicitRequest(ElicitRequestURLParams(message = message, url = url, elicitationId = elicitationId)), options)

    /** Asks the user. */
    public suspend fun createElicitation(request: ElicitRequest, options: RequestOptions? = null): ElicitResult = request(request, options)

    public suspend fun sendResourceUpdated(notification: ResourceUpdatedNotification): Unit = notification(notification)

    public suspend fun sendResourceListChanged(): Unit = notification(ResourceListChangedNotification())

    public suspend fun sendToolListChanged(): Unit = notification(ToolListChangedNotification())

    public suspend fun sendPromptListChanged(): Unit = notification(PromptListChangedNotification())

    public suspend fun sendElicitationComplete(notification: ElicitationCompleteNotification): Unit = notification(notification)
}

/**
 * What a handler throws to be run again, from the top, with answers: they come in [ClientConnection.inputResponses], and
 * [state], which the engine seals, in [ClientConnection.requestState]. Nothing waits on the server meanwhile.
 *
 * @property requests what is asked, by keys of the handler's: forms and pages, the model, the roots.
 */
public class Questions(public val requests: Map<String, Request<*>>, public val state: String? = null) :
    RuntimeException("questions to the client", null, false, false) {
    internal val row: JsonObject
        get() = objectOf("questions" to requests.map { (key, asked) -> listOf(key, asked.method, asked.params) }, "state" to state)
}

/** Whole numbers go out without a fraction. */
private fun number(value: Double): Number = if (value == Math.rint(value) && Math.abs(value) < 1e15) value.toLong() else value

/** The result of a request; one without the shape of its type is a fault of the peer. */
internal fun <R : Record> read(request: Request<R>, json: JsonObject): R = request.read(json)

/** One connection of a server. */
public class ServerSession internal constructor(driver: Driver, connection: ULong) : ClientConnection(driver, connection, connection) {
    private val over = CompletableDeferred<Unit>()
    private val endings by lazy { Lane(driver.busy, driver::failed) }
    internal var carry: Carry? = null
    internal var transport: Transport? = null

    /** Has something done when it is over; at once if it is. It may block: nothing waits for it. */
    public fun onClose(block: () -> Unit) {
        over.invokeOnCompletion { endings.run(block) }
    }

    /** Waits until it is over. */
    public suspend fun awaitClose(): Unit = over.await()

    /** Ends it. */
    public suspend fun close() {
        driver.inbox.closeConnection(connection)
        over.await()
    }

    internal suspend fun closeTransport() {
        runCatching { transport?.close() }
    }

    internal fun finish() {
        if (!over.complete(Unit)) return
        carry?.end()
        if (transport != null) driver.scope.launch { closeTransport() }
    }
}
