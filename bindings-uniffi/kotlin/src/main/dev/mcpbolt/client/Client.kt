@file:Suppress("TooManyFunctions")

package dev.mcpbolt

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.withContext
import kotlinx.serialization.json.JsonObject
import java.util.concurrent.atomic.AtomicBoolean

// A client: how to reach one server, and what the client offers it. Must not know: connections; a
// ClientSession has one.

/** Creates a client and connects it. */
public suspend fun mcpClient(clientInfo: Implementation, clientOptions: ClientOptions = ClientOptions(), transport: Transport): Client =
    Client(clientInfo, clientOptions).also { it.connect(transport) }

/** A client of one server. */
public open class Client(clientInfo: Implementation, private val options: ClientOptions = ClientOptions()) : ClientVerbs() {
    private val handlers = Handlers(clientInfo, options)
    private val roots = LinkedHashMap<String, Root>()

    @Volatile private var current: ClientSession? = null

    /** The connecting that goes on. */
    @Volatile private var opening: Opening? = null
    private val connecting = AtomicBoolean()

    /** One connecting, which may be given up before and after there is a session. */
    private class Opening {
        private var session: ClientSession? = null
        private var over = false

        @Synchronized fun begun(session: ClientSession) {
            if (over) throw failure("closed", "the client was closed while it connected")
            this.session = session
        }

        /** Gives it up; returns the session if there is one. */
        @Synchronized fun end(): ClientSession? {
            over = true
            return session
        }
    }

    /** Decides about each tool call before it is sent. */
    public var toolReview: ToolReview by handlers::toolReview

    /**
     * Called with errors that belong to no request: a kind in one word, and a sentence. By default
     * those of kind `internal` (exceptions of guard rails) are printed to standard error.
     */
    public var onError: (kind: String, message: String) -> Unit by handlers::onError

    init {
        if (options.capabilities.roots != null) {
            handlers.requestHandlers[Method.Defined.RootsList.value] = { ListRootsResult(synchronized(roots) { roots.values.toList() }) }
        }
    }

    /** The live connection; throws before [connect]. */
    public val session: ClientSession get() = current ?: throw failure("usage", "the client is not connected: call connect")

    /** What the live connection goes over; `null` before [connect]. */
    public val transport: Transport? get() = current?.transport

    public val serverCapabilities: ServerCapabilities? get() = current?.info?.capabilities

    public val serverVersion: Implementation? get() = current?.info?.serverInfo

    public val serverInstructions: String? get() = current?.info?.instructions

    /**
     * Notifications of the server, from the time of collecting on. A collector that is too slow
     * gets a [LostNotification] with the number it missed. The flow ends with the session; see
     * [ClientSession.notifications].
     */
    public val notifications: Flow<Notification> get() = session.notifications

    /**
     * Connects to the server and performs the handshake. It may be called on a main thread: the
     * connection is opened on `Dispatchers.Default`, where a transport of the program's is started,
     * too. Cancelling the coroutine ends what was begun.
     *
     * @throws McpTransportException if it cannot be reached.
     * @throws McpUsageException if the client is connected, or is connecting already.
     */
    public suspend fun connect(transport: Transport): Unit = connect(transport) {}

    /** @param begins called before anything is opened; what it throws ends the connecting. */
    internal suspend fun connect(transport: Transport, begins: () -> Unit) {
        if (!connecting.compareAndSet(false, true)) throw failure("usage", "the client connects already: wait for that, or make another client")
        try {
            if (current?.isOpen == true) throw failure("usage", "the client is connected: close it first, or make another")
            val mine = Opening().also { opening = it }
            current = ClientSession.open(handlers, transport) {
                begins()
                mine.begun(it)
            }
        } finally {
            opening = null
            connecting.set(false)
        }
    }

    override suspend fun <R : Record> request(request: Request<R>, options: RequestOptions?): R = session.request(request, options)

    override suspend fun notification(notification: Notification): Unit = session.notification(notification)

    override suspend fun subscribeResource(request: SubscribeRequest, options: RequestOptions?): EmptyResult =
        session.subscribeResource(request, options)

    override suspend fun unsubscribeResource(request: UnsubscribeRequest, options: RequestOptions?): EmptyResult =
        session.unsubscribeResource(request, options)

    /** See [ClientSession.reconnect]. Does nothing while the client is not connected. */
    public fun reconnect() {
        current?.reconnect()
    }

    /** Closes the connection, even one that is being opened, and even in a coroutine that is cancelled. */
    public suspend fun close() {
        opening?.end()?.close()
        current?.close()
    }

    /**
     * Runs [block] with this client and closes it, however the block ends: also when its coroutine is
     * cancelled, so that a connection ends with the scope that it belongs to.
     *
     *     mcpClient(about, transport = StreamableHttpClientTransport(url)).use { client ->
     *         client.callTool("forecast", mapOf("city" to "Rome"))
     *     }
     */
    public suspend fun <R> use(block: suspend (Client) -> R): R =
        try {
            block(this)
        } finally {
            withContext(NonCancellable) { close() }
        }

    public fun onClose(block: () -> Unit) {
        handlers.closed.add(block)
    }

    // Requests of the server

    public fun addRoot(uri: String, name: String): Unit = addRoots(listOf(Root(uri, name)))

    public fun addRoots(rootsToAdd: List<Root>) {
        demand(Method.Defined.RootsList)
        synchronized(roots) { rootsToAdd.forEach { roots[it.uri] = it } }
    }

    public fun removeRoot(uri: String): Boolean = synchronized(roots) { roots.remove(uri) != null }

    public fun removeRoots(uris: List<String>): Int = uris.count(::removeRoot)

    /** Sets the handler that lists the roots, in place of the roots that were added. */
    public fun setRootsHandler(handler: suspend () -> ListRootsResult) {
        demand(Method.Defined.RootsList)
        handlers.requestHandlers[Method.Defined.RootsList.value] = { handler() }
    }

    /** Sets the handler that asks the user. Answers to forms are validated and completed with defaults. */
    public fun setElicitationHandler(handler: suspend (ElicitRequest) -> ElicitResult) {
        demand(Method.Defined.ElicitationCreate)
        handlers.requestHandlers[Method.Defined.ElicitationCreate.value] = { asked ->
            val request = ElicitRequest(ElicitRequestParams.of(asked.params ?: EmptyJsonObject))
            fitted(request, handler(request))
        }
    }

    /** Answers sampling requests with the four steps of [Sampling]. */
    public fun setSamplingHandler(sampling: Sampling) {
        demand(Method.Defined.SamplingCreateMessage)
        handlers.requestHandlers[Method.Defined.SamplingCreateMessage.value] = { asked ->
            sampling.answer(CreateMessageRequest(CreateMessageRequestParams.of(asked.params ?: EmptyJsonObject)))
        }
    }

    /** Sets the handler for sampling requests. */
    public fun setSamplingHandler(handler: suspend (CreateMessageRequest) -> CreateMessageResult): Unit =
        setSamplingHandler(object : Sampling() {
            override suspend fun createMessage(request: CreateMessageRequest, model: String?): CreateMessageResult = handler(request)
        })

    /** Sets the handler for requests of a method of the program's own; only before [connect]. */
    public fun setRequestHandler(method: String, handler: suspend (JsonObject?) -> JsonObject) {
        handlers.requestHandlers[method] = { CustomRecord(handler(it.params)) }
    }

    /**
     * Sets the handler for requests of a method: of the protocol, in place of the handlers above, or of
     * the program's own, as [CustomRequest]s and only before [connect].
     *
     * @param T the type of the method's requests.
     * @param handler returns the result, or `null` for an empty one.
     * @throws IllegalStateException if the client does not declare what the method belongs to.
     */
    public inline fun <reified T : Request<*>> setRequestHandler(
        method: Method,
        noinline handler: suspend (request: T, extra: RequestHandlerExtra) -> RequestResult?,
    ): Unit = setTypedHandler(method, T::class.java, handler)

    @PublishedApi
    internal fun <T : Request<*>> setTypedHandler(method: Method, type: Class<T>, handler: suspend (T, RequestHandlerExtra) -> RequestResult?) {
        demand(method)
        handlers.requestHandlers[method.value] = { handler(requestFor(type, method, it.params), it.extra) ?: EmptyResult() }
    }

    /** What a method belongs to has to be declared before it can be answered. */
    private fun demand(method: Method) {
        val able = options.capabilities
        when (method) {
            Method.Defined.RootsList -> checkNotNull(able.roots) { "Client does not support roots capability. Enable it in ClientOptions." }
            Method.Defined.ElicitationCreate -> checkNotNull(able.elicitation) { "Client does not support elicitation. Enable it in ClientOptions." }
            Method.Defined.SamplingCreateMessage -> checkNotNull(able.sampling) { "Client does not support sampling. Enable it in ClientOptions." }
            else -> Unit
        }
    }

    /** Removes the handler of a method. The server's requests are then refused (-32601). */
    public fun removeRequestHandler(method: Method) {
        handlers.requestHandlers.remove(method.value)
    }

    /** Sets the handler for notifications of a method; it is called with one after the other. */
    @Suppress("UNCHECKED_CAST")
    public fun <T : Notification> setNotificationHandler(method: Method, handler: (notification: T) -> Deferred<Unit>) {
        handlers.notificationHandlers[method.value] = { handler(it as T).await() }
    }

    /** Sets the handler for notifications of a method; it is called with one after the other. */
    public fun <T : Notification> setNotificationHandler(method: String, handler: (notification: T) -> Deferred<Unit>): Unit =
        setNotificationHandler(Method.of(method), handler)

    /** Removes the handler for notifications of a method. */
    public fun removeNotificationHandler(method: Method) {
        handlers.notificationHandlers.remove(method.value)
    }

    /** Removes the handler for notifications of a method. */
    public fun removeNotificationHandler(method: String): Unit = removeNotificationHandler(Method.of(method))

    /** Called with notifications that have no handler of their own. `null`, the default: nothing is. */
    public var fallbackNotificationHandler: (suspend (Notification) -> Unit)?
        get() = handlers.notificationHandlers[FALLBACK]
        set(value) {
            if (value == null) handlers.notificationHandlers.remove(FALLBACK) else handlers.notificationHandlers[FALLBACK] = value
        }

    /** Sets the handler that is told when the user has finished at a URL. */
    public fun setElicitationCompleteHandler(handler: (ElicitationCompleteNotification) -> Unit) {
        handlers.notificationHandlers[Method.Defined.NotificationsElicitationComplete.value] = { handler(it as ElicitationCompleteNotification) }
    }
}
