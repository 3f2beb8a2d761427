package dev.mcpbolt

import dev.mcpbolt.engine.EngineClient
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.channelFlow
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import java.util.concurrent.ConcurrentHashMap
import kotlin.coroutines.AbstractCoroutineContextElement
import kotlin.coroutines.CoroutineContext
import kotlin.time.Duration
import kotlin.time.Duration.Companion.minutes
import kotlin.time.Duration.Companion.seconds

// One live connection of a client. Owns: the connection from its opening to its end, and the
// streams that are open on it. Must not know: who answers the server's requests.

/** The server's request that a coroutine answers; the engine uses it to count nested sampling. */
private class Served(val number: Long) : AbstractCoroutineContextElement(Served) {
    companion object Key : CoroutineContext.Key<Served>
}

/** One live connection to a server. */
public class ClientSession private constructor(private val client: Handlers, auth: ClientAuth?) : ClientVerbs() {
    private val extensions = ClientExtensions(client.options.extensions)
    private val observer = client.options.telemetry?.let { Observer(it, isServer = false, extensions.methods) { words -> client.onError("internal", words) } }
    internal val driver = Driver(Behind(), client.options.handlerCoroutineContext, observer)
    private val settings = driver.serving { settingsWith(auth) }
    private val engine = driver.serving { refused { EngineClient(settings.toString(), driver.inbox) } }
    private val complaints = Complaints(driver.busy) { kind, message -> client.onError(kind, message) }
    private val told = Fan()
    private val inbound = Inbound(driver, client.notificationHandlers, told, complaints::tell)
    private val streams = ConcurrentHashMap<ULong, Kept>()
    private val watches = Watches(driver.scope)
    private val known = ConcurrentHashMap<String, Tool>()
    private val over = CompletableDeferred<McpException?>()

    /** Protects that nothing is opened once [over] is completed. */
    private val lock = Any()

    private val moving = MutableStateFlow(State.Connecting)
    private var connection = 0uL

    /** What carries the messages if the transport is the program's. */
    @Volatile private var carry: Carry? = null

    /** Where requests go that the program's HTTP client carries. */
    @Volatile private var fetching: Fetching? = null

    /** What the connection goes over, as it was given to [Client.connect]. */
    public var transport: Transport? = null
        private set

    /** The server's description of itself, in either era. */
    public lateinit var info: InitializeResult
        private set

    /** The state of a connection. */
    public enum class State {
        /** The connection is being opened. */
        Connecting,

        /** The connection can be used. */
        Ready,

        /** The connection was lost and is being reopened; calls wait for that or fail. */
        Reconnecting,

        /** The connection is closed for good. */
        Closed,
    }

    /** The state of the connection. After [State.Reconnecting] it becomes [State.Ready] again. */
    public val state: StateFlow<State> get() = moving

    /** Whether the connection is not closed. */
    public val isOpen: Boolean get() = !over.isCompleted

    /**
     * Notifications of the server, from the time of collecting on. A collector that is too slow
     * gets a [LostNotification] with the number it missed.
     *
     * The flow ends with the session: it completes if that is closed, and throws the error with
     * which the connection was lost, the one of [awaitClose].
     */
    public val notifications: Flow<Notification> get() = told.flow

    /** What the engine knows of the connection at this moment. */
    public val about: ConnectionInfo get() = ConnectionInfo.of(driver.inbox.describeConnection(connection))

    /** The protocol revision that was negotiated. */
    public val protocolVersion: String? get() = about.protocolVersion

    /** The counters of the connection. */
    public val stats: Stats get() = Stats.of(driver.inbox.connectionStats(connection))

    /** Waits until the connection is closed; returns the error, unless it was closed normally. */
    public suspend fun awaitClose(): McpException? = over.await()

    private fun settingsWith(auth: ClientAuth?): JsonObject {
        val options = client.options
        val mine = objectOf(
            "client_info" to client.clientInfo,
            "capabilities" to withExtensions(options.capabilities.json, extensions.settings),
            "extension_methods" to extensions.rows,
            "result_types" to extensions.resultTypes,
            "tasks" to "wait".takeIf { options.tasks },
            "protocol" to options.protocol,
            "strict" to options.enforceStrictCapabilities,
            "validate_result" to options.validateResult?.let { true },
            "methods" to client.requestHandlers.keys.filter { it !in QUESTIONS },
            // A person takes longer than a server.
            "request_timeout" to (options.requestTimeout ?: auth?.patience)?.forEngine(),
            "keep_alive" to options.keepAlive?.let { objectOf("interval" to it.interval.forEngine(), "timeout" to it.timeout.forEngine()) },
            "cache" to options.cache,
        )
        return JsonObject(mine + options.engine)
    }

    private suspend fun begin(given: Transport) {
        transport = given
        val to = given.innermost
        synchronized(lock) {
            if (!isOpen) throw failure("closed", "the client was closed while it connected")
            fetching = (to as? TargetTransport)?.carrier?.let { Fetching(it, driver) }
            connection = refused {
                if (to is OwnTransport) to.open(engine) else engine.openFed(false)
            }
        }
        if (to !is OwnTransport) {
            val mine = Carry(to, driver, { engine.feed(connection, it) }, { engine.takeOutgoing(connection) }) {
                // There is nobody to ask once it is over.
                val last = engine.takeOutgoing(connection)
                engine.disconnect(connection, it)
                last
            }
            carry = mine
            mine.start()
        }
        // The engine reports the state; `ready` comes before the answer.
        info = InitializeResult.of(handshake())
        observer?.sessionBegan(connection, info.protocolVersion)
    }

    private suspend fun handshake(): JsonObject = try {
        driver.await { engine.initialize(connection, null) }
    } catch (gone: McpClosedException) {
        // It may have ended before the handshake: the end of the connection says why.
        throw withTimeoutOrNull(PATIENCE) { over.await() } ?: gone
    }

    private fun move(to: State) {
        moving.update { if (it == State.Closed) it else to }
    }

    // Requests

    override suspend fun <R : Record> request(request: Request<R>, options: RequestOptions?): R {
        val reviewed = if (request is CallToolRequest) review(request) else request
        val plan = currentCoroutineContext()[Served]?.let { JsonObject(options?.plan.orEmpty() + objectOf("inside" to it.number)) } ?: options?.plan
        val json = extensions.around(this, reviewed.method.value, reviewed.params?.json) {
            driver.observed(connection, reviewed.method.value, it, options, { info.protocolVersion }, plan)
        }
        val result = request.read(json)
        if (result is ListToolsResult) result.tools.forEach { known[it.name] = it }
        return result
    }

    private suspend fun review(request: CallToolRequest): CallToolRequest {
        val review = client.toolReview
        if (review === ToolReview.AllowAll) return request
        val annotations = known[request.name]?.annotations
        return when (val verdict = review.review(request.name, request.arguments ?: EmptyJsonObject, annotations, client.options.trusted)) {
            is ToolReview.Verdict.Allow -> request
            is ToolReview.Verdict.Edit -> {
                val members = request.params.json + ("arguments" to verdict.arguments)
                CallToolRequest(CallToolRequestParams.of(JsonObject(members)))
            }
            is ToolReview.Verdict.Deny -> throw rejected(verdict.reason)
        }
    }

    override suspend fun notification(notification: Notification) {
        if (!isOpen) throw failure("closed", "the connection is closed")
        driver.send(connection, notification.method.value, notification.params?.json)
    }

    /**
     * Subscribes to what [filter] names, on a modern server, for as long as the flow is collected.
     * The first notification is the server's acknowledgement. The flow completes when the server ends
     * the subscription.
     *
     * @throws McpException when collecting, if the server refuses, or the session is closed or its
     * connection lost.
     */
    public fun listen(filter: SubscriptionFilter): Flow<Notification> = listen(filter, null, PATIENT)

    /**
     * As [listen]; when the subscription ends, the server is asked for it again. It acknowledges each time, and
     * what [filter] names is told as changed then. The flow ends if the server will not have it any more.
     */
    internal fun keepListening(filter: SubscriptionFilter, options: RequestOptions? = null): Flow<Notification> =
        listen(filter, options, KEPT)

    private fun listen(filter: SubscriptionFilter, options: RequestOptions?, lasting: JsonObject): Flow<Notification> = channelFlow {
        val params = objectOf("notifications" to filter)
        val plan = JsonObject(options?.plan.orEmpty() + lasting)
        var stream = 0uL
        val notices = Kept()
        launch { notices.each { send(it) } }
        try {
            driver.request(connection, Method.Defined.SubscriptionsListen.value, params, plan) {
                stream = it
                streams[it] = notices
            }
            // What came before the end is still told.
            notices.end(null)
        } finally {
            streams.remove(stream)
        }
    }

    override suspend fun subscribeResource(request: SubscribeRequest, options: RequestOptions?): EmptyResult {
        if (about.era != Era.Modern) return request(request, options)
        val news = keepListening(SubscriptionFilter(resourceSubscriptions = listOf(request.uri)), options)
        watches.add(request.uri, options?.timeout ?: usualPatience(), news) { inbound.put(it) }
        return EmptyResult()
    }

    override suspend fun unsubscribeResource(request: UnsubscribeRequest, options: RequestOptions?): EmptyResult {
        if (about.era != Era.Modern) return request(request, options)
        watches.remove(request.uri)
        return EmptyResult()
    }

    /** How long a request waits whose options do not say it. */
    private fun usualPatience(): Duration = when (val seconds = settings["request_timeout"]) {
        null -> USUAL
        is JsonNull -> Duration.INFINITE
        else -> seconds.double().seconds
    }

    /**
     * Stops trusting the sockets that are open, for apps that learn before them that they are dead:
     * the network is another one (`ConnectivityManager`), or the app comes back from the background.
     * Over HTTP, requests from now on use new connections, lost streams are opened again without
     * waiting for their next attempt, and open ones begin anew after their last event; on a modern
     * server subscriptions are asked for again: what changed meanwhile is not told, but resources that are
     * subscribed to count as changed. Calls whose
     * streams cannot be resumed go on waiting, to their time-out.
     *
     * Returns at once. Does nothing on other transports, and once the connection is closed.
     */
    public fun reconnect() {
        driver.inbox.reconnect(connection)
    }

    /**
     * Closes the connection within a bounded time; may be called again, and in a coroutine that is
     * cancelled. Child processes are waited for, HTTP sessions deleted. A transport of the program's
     * has a second for what waits to be sent, and is closed then.
     */
    public suspend fun close(): Unit = withContext(NonCancellable) {
        // A connection that is being opened is waited for: before that there is nothing to close.
        val opened = synchronized(lock) { connection }
        driver.inbox.closeConnection(opened)
        carry?.close()
        if (opened != 0uL) withTimeoutOrNull(PATIENCE) { over.await() }
        finish(null)
    }

    /** Ends a session that nobody gets. */
    private suspend fun abandon(why: Throwable) {
        // It was open already, and its caller gave up before it learned of that.
        if (::info.isInitialized) return close()
        finish(why as? McpException)
        // Nothing else closes a transport of the program's own.
        carry?.close()
    }

    /** The connection is over: what was said before that is sent, and the transport of the program's ends. */
    private suspend fun left(failure: McpException?) {
        carry?.end()
        finish(failure)
        carry?.close()
    }

    private fun finish(failure: McpException?) {
        observer?.sessionEnded(connection, failure?.kind)
        // Whoever waits for the end finds the state changed.
        moving.value = State.Closed
        // After this nothing can be opened any more.
        if (!synchronized(lock) { over.complete(failure) }) return
        told.end(failure)
        engine.shutdown()
        driver.close()
        client.ended()
    }

    /** Runs something in the background; it is cancelled with the session. Its error is told to the program, if it is not that end. */
    @Suppress("TooGenericExceptionCaught")
    internal fun background(body: suspend () -> Unit): Job = driver.scope.launch {
        try {
            body()
        } catch (over: CancellationException) {
            throw over
        } catch (thrown: Exception) {
            if (isOpen && thrown !is McpClosedException) complaints.tell("list", thrown.toString())
        }
    }

    // Receiving

    private inner class Behind : Peer {
        override suspend fun answer(call: Incoming): JsonObject {
            val handler = client.requestHandlers[call.method.value] ?: throw McpException(METHOD_NOT_FOUND, "Method not found")
            val known = { driver.inbox.describe(call.number)?.let { parse(it).obj().find("id")?.primitive() } }
            val extra = RequestHandlerExtra(call.method, known, { asked, options -> request(asked, options) }) { notification(it) }
            return withContext(Served(call.number.toLong())) { handler(Asked(call.params, extra)).json }
        }

        override fun carry(number: ULong, request: JsonObject): Unit = fetching?.begin(number, request) ?: super.carry(number, request)

        override suspend fun serve(service: String, payload: JsonElement): JsonElement =
            if (service == "result.validate") judged(client.options, payload.obj()) { client.onError("internal", it) } else super.serve(service, payload)

        override fun notified(connection: ULong, origin: ULong, method: String, params: JsonObject?) {
            val notice = notificationOf(method, params)
            driver.begun { streams[origin] }?.put(notice) ?: inbound.put(notice)
        }

        override fun failed(error: Throwable): Unit = complaints.tell("callback", error.toString())

        override fun event(kind: String, item: JsonArray) {
            when (kind) {
                "outgoing" -> carry?.signal()
                "log" -> complaints.tell(item[2].text(), item[3].text())
                "state" -> STATES[item[2].text()]?.let(::move)
                "closed" -> {
                    val failure = item[2].takeUnless { it is JsonNull }?.let { failureOf(it.obj()) }
                    // What the program does when a connection is closed may block. The driver's end, which
                    // comes with that, does not end this half-way.
                    driver.scope.launch(Dispatchers.IO) { withContext(NonCancellable) { left(failure) } }
                }
            }
        }
    }

    internal companion object {
        private val PATIENT = objectOf("timeout" to JsonNull, "max" to JsonNull)

        /** Of one that is sent again when it ends. */
        private val KEPT = JsonObject(PATIENT + ("renew" to JsonPrimitive(true)))
        private val PATIENCE = 10.seconds
        private val USUAL = 1.minutes
        private val STATES = mapOf("connecting" to State.Connecting, "ready" to State.Ready, "reconnecting" to State.Reconnecting)

        /** @param begun called with the session before it does anything, so that it can be closed meanwhile. */
        @Suppress("TooGenericExceptionCaught")
        suspend fun open(client: Handlers, transport: Transport, begun: (ClientSession) -> Unit): ClientSession {
            var made: ClientSession? = null
            try {
                // The library is loaded here if it was not, and the connection opened: not on a main thread.
                return withContext(Dispatchers.Default) {
                    ClientSession(client, (transport as? TargetTransport)?.auth).also {
                        made = it
                        begun(it)
                        it.begin(transport)
                    }
                }
            } catch (thrown: Throwable) {
                withContext(NonCancellable) { made?.abandon(thrown) }
                throw thrown
            }
        }
    }
}

/** Validates a result of the server with the client's guard rail. */
private suspend fun judged(options: ClientOptions, result: JsonObject, failed: (String) -> Unit): JsonElement =
    told("result.validate", failed) {
        JsonPrimitive(options.validateResult!!(result.need("method").text(), result.find("name")?.text(), result.need("result").obj()))
    }
